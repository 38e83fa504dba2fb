//! What becomes of each input, and how it is printed, whichever way it goes.

use super::options::Asked;
use crate::answers::Answers;
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::Input;
use crate::mask::MASK;
use crate::reading::{Error, Failure, Text, serialize_input};
use crate::report::FOUND_MASKED;
use crate::run::Work;
use crate::standard::Reader;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use std::borrow::Cow;
use std::io;
use urikit::Standard;
use urikit::op::percent::Place;

/// A direction.
pub(super) trait Convert: Send + Sync + 'static {
    /// The subcommand.
    const NAME: &'static str;
    /// The keys of the answer, as text and in base 64.
    const KEYS: [&'static str; 2];
    /// The standard of whole references.
    const WHOLE: Standard;

    /// What a whole reference becomes.
    fn whole(&self, input: &[u8]) -> Result<String, Failure>;

    /// What the text of a component, or the data for one, becomes.
    fn part<'a>(
        &self,
        input: &'a [u8],
        asked: &Asked,
        standard: Standard,
    ) -> Result<Cow<'a, [u8]>, Failure>;
}

/// Converts every input.
pub(super) fn run<C: Convert>(convert: C, asked: Asked, common: Common) -> io::Result<Exit> {
    let reader = if asked.whole {
        Reader::Rfc(C::WHOLE)
    } else {
        common.standard
    };
    let standard = match asked.standard(C::NAME, reader) {
        Ok(standard) => standard,
        Err(exit) => return Ok(exit),
    };
    let work = Converting {
        convert,
        asked,
        standard,
        answers: Answers {
            reader,
            ..common.answers()
        },
    };
    common.run(C::NAME, work)
}

/// A direction and what is asked of it.
pub(super) struct Converting<C> {
    convert: C,
    asked: Asked,
    standard: Standard,
    answers: Answers,
}

impl<C: Convert> Work for Converting<C> {
    fn input(
        &self,
        input: Input<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let answer = if self.asked.whole {
            let text = self.convert.whole(input.bytes);
            text.map(|text| Cow::Owned(text.into_bytes()))
        } else {
            self.convert.part(input.bytes, &self.asked, self.standard)
        };
        let answer = answer.as_deref();
        if self.answers.json {
            let record = Record::<C> {
                of: self,
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
        Ok(Exit::of(answer))
    }
}

impl<C> Converting<C> {
    /// Says what is wrong; of a password, that something is.
    fn complain(&self, input: Input<'_>, failure: &Failure, messages: &mut String) {
        let is_secret = matches!(
            self.asked.component,
            Some(Place::Userinfo | Place::Password)
        );
        if is_secret && !self.answers.reporter.show_secrets {
            let hidden = Input {
                bytes: MASK.as_bytes(),
                text: Some(MASK),
                ..input
            };
            let message = failure.verdict(self.answers.reader, FOUND_MASKED);
            let failure = Failure::Operation(message);
            self.answers.invalid(hidden, &failure, messages);
        } else {
            self.answers.invalid(input, failure, messages);
        }
    }
}

/// One answer as `--json` prints it. The keys and their order are a public interface.
struct Record<'a, C> {
    of: &'a Converting<C>,
    input: &'a [u8],
    answer: Result<&'a [u8], &'a Failure>,
}

impl<C: Convert> Serialize for Record<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [key, base64_key] = C::KEYS;
        let mut object = serializer.serialize_struct("Converted", 7)?;
        serialize_input::<S>(&mut object, self.input)?;
        let component = self.of.asked.component.map(Place::as_str);
        object.serialize_field("component", &component)?;
        object.serialize_field("standard", self.of.standard.name())?;
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
    use super::Converting;
    use crate::answers::Answers;
    use crate::command::percent::decode::Decode;
    use crate::command::percent::options::{Asked, Charset};
    use crate::input::{Input, Source};
    use crate::report::Reporter;
    use crate::run::Work as _;
    use crate::standard::Reader;
    use urikit::Standard;

    #[test]
    fn a_terminal_gets_nothing_to_act_upon() {
        let shown = |json, bytes: &[u8]| {
            let work = Converting {
                convert: Decode,
                asked: Asked {
                    component: None,
                    charset: Charset::Bytes,
                    form: false,
                    partly: false,
                    whole: false,
                },
                standard: Standard::Rfc3986,
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
                bytes,
                text: std::str::from_utf8(bytes).ok(),
                source: &Source::Arguments,
                number: 1,
                index: 0,
            };
            let (mut out, mut messages) = (Vec::new(), String::new());
            let done = work.input(input, &mut out, &mut messages);
            assert!(done.is_ok());
            String::from_utf8(out).unwrap()
        };
        assert_eq!(shown(false, b"%1B[31m%FF"), "\u{FFFD}[31m\u{FFFD}\n");
        assert!(shown(true, b"%C2%9B").contains("\\u009b"));
    }
}
