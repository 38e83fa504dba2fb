//! What `uri encode` and `uri decode` share: the options, and how an answer is printed.

use crate::answers::Answers;
use crate::cli::Cli;
use crate::exit::Exit;
use crate::input::Input;
use crate::reading::{Error, Failure, Text, serialize_input};
use crate::standard::Reader;
use crate::usage;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD as BASE64;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{CommandFactory as _, ValueEnum};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use std::io::{self, Write};
use urikit::Standard;
use urikit::op::percent::{Component, UnknownComponent};

/// Which characters the octets of escapes mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Charset {
    /// What every text since RFC 3986 recommends
    #[value(name = "utf-8")]
    Utf8,
    /// ISO Latin-1, which RFC 1630 has
    #[value(name = "latin-1")]
    Latin1,
    /// None: the octets of the input, whatever they are
    Bytes,
}

/// Reads the name of a component, and lists the names.
pub(super) fn component_parser() -> impl TypedValueParser<Value = Component> {
    PossibleValuesParser::new(Component::ALL.map(Component::as_str))
        .try_map(|name| -> Result<Component, UnknownComponent> { name.parse() })
}

/// The standard, which must be the core's, and must have the component, in which `+` must be able to
/// mean a space where that is asked for; else a mistake of the command line's.
pub(super) fn standard(
    subcommand: &str,
    reader: Reader,
    component: Option<Component>,
    form: bool,
) -> Result<Standard, Exit> {
    let Reader::Rfc(standard) = reader else {
        let message = "browsers' rules (whatwg) name no escapes for a component: choose an RFC";
        return Err(mistake(subcommand, message));
    };
    if let Some(component) = component {
        if component.class(standard).is_none() {
            let message = format!("{} has no {component}", standard.document());
            return Err(mistake(subcommand, &message));
        }
        if form && !component.is_query() {
            let message = format!("--form is for queries: no form is in a {component}");
            return Err(mistake(subcommand, &message));
        }
    }
    Ok(standard)
}

fn mistake(subcommand: &str, message: &str) -> Exit {
    let mut command = Cli::command();
    command.build();
    let error = match command.find_subcommand_mut(subcommand) {
        Some(subcommand) => subcommand.error(ErrorKind::ArgumentConflict, message),
        None => command.error(ErrorKind::ArgumentConflict, message),
    };
    usage::report(&error)
}

/// How answers are printed, whichever way they go.
pub(super) struct Printer {
    /// The key of the answer: `encoded` or `decoded`.
    pub(super) key: Key,
    pub(super) component: Option<Component>,
    pub(super) answers: Answers,
}

/// The key of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key {
    Encoded,
    Decoded,
}

impl Printer {
    /// Prints one answer. It is bytes, which decoding may leave without a charset.
    pub(super) fn print<W: Write>(
        &self,
        input: Input<'_>,
        answer: &Result<impl AsRef<[u8]>, Failure>,
        out: &mut W,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let answer = answer.as_ref().map(AsRef::as_ref);
        if self.answers.json {
            let record = Record {
                printer: self,
                input: input.bytes,
                answer,
            };
            self.answers.record(out, &record)?;
        } else {
            self.answers.bytes(out, answer.unwrap_or_default())?;
            if let Err(failure) = answer {
                self.complain(input, failure, messages);
            }
        }
        Ok(if answer.is_ok() { Exit::Good } else { Exit::No })
    }

    /// Says what is wrong; of a password, that something is.
    fn complain(&self, input: Input<'_>, failure: &Failure, messages: &mut String) {
        let is_secret = matches!(
            self.component,
            Some(Component::Userinfo | Component::Password)
        );
        if is_secret && !self.answers.reporter.show_secrets {
            let hidden = Input {
                bytes: crate::mask::MASK.as_bytes(),
                ..input
            };
            let message = format!(
                "not valid under {}: found a masked character (--show-secrets shows it)",
                self.answers.reader.document()
            );
            let failure = Failure::Operation(message);
            self.answers.invalid(hidden, &failure, messages);
        } else {
            self.answers.invalid(input, failure, messages);
        }
    }
}

/// One answer as `--json` prints it. The keys and their order are a public interface.
struct Record<'a> {
    printer: &'a Printer,
    input: &'a [u8],
    answer: Result<&'a [u8], &'a Failure>,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, base64_key) = match self.printer.key {
            Key::Encoded => ("encoded", "encoded_base64"),
            Key::Decoded => ("decoded", "decoded_base64"),
        };
        let mut object = serializer.serialize_struct("Percent", 7)?;
        serialize_input::<S>(&mut object, self.input)?;
        let component = self.printer.component.map(Component::as_str);
        object.serialize_field("component", &component)?;
        object.serialize_field("standard", self.printer.answers.reader.name())?;
        let answer = self.answer.ok();
        let text = answer.map(str::from_utf8);
        object.serialize_field(key, &text.and_then(Result::ok))?;
        if let (Some(bytes), Some(Err(_))) = (answer, text) {
            object.serialize_field(base64_key, &Text(Base64Display::new(bytes, &BASE64)))?;
        }
        object.serialize_field("error", &self.answer.err().cloned().map(Error))?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Printer};
    use crate::answers::Answers;
    use crate::input::{Input, Source};
    use crate::reading::Failure;
    use crate::report::Reporter;
    use crate::standard::Reader;
    use urikit::Standard;

    #[test]
    fn a_terminal_gets_nothing_to_act_upon() {
        let printer = |json| Printer {
            key: Key::Decoded,
            component: None,
            answers: Answers {
                reader: Reader::Rfc(Standard::Rfc3986),
                json,
                terminal: true,
                reporter: Reporter {
                    quiet: false,
                    show_secrets: false,
                },
            },
        };
        let input = Input {
            bytes: b"%1B",
            source: &Source::Arguments,
            number: 1,
            index: 0,
        };
        let shown = |json, answer: &[u8]| {
            let (mut out, mut messages) = (Vec::new(), String::new());
            let answer: Result<_, Failure> = Ok(answer);
            let done = printer(json).print(input, &answer, &mut out, &mut messages);
            assert!(done.is_ok());
            String::from_utf8(out).unwrap()
        };
        assert_eq!(shown(false, b"\x1B[31m\xFF"), "\u{FFFD}[31m\u{FFFD}\n");
        assert!(shown(true, "\u{9B}".as_bytes()).contains("\\u009b"));
    }
}
