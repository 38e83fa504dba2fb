//! `uri encode` and `uri decode`, which share most options.

pub(crate) mod decode;
pub(crate) mod encode;

use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::options::{Common, Lenient, Print0};
use crate::output::{Output, Printed};
use crate::report::FOUND_MASKED;
use crate::run::Work;
use crate::sheet::Column;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::io;
use urikit::UnknownName;
use urikit::percent::Place;
use urikit_report::Reader;
use urikit_report::mask::MASK;
use urikit_report::percent::{Charset, Conversion, Direction, Options};
use urikit_report::reading::Failure;

/// Returns the parser for charset names.
fn charset_parser() -> impl TypedValueParser<Value = Charset> {
    let values = Charset::ALL.map(|it| PossibleValue::new(it.name()).help(it.about()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Charset>())
}

/// Returns the parser for component names.
fn component_parser() -> impl TypedValueParser<Value = Place> {
    PossibleValuesParser::new(Place::ALL.map(Place::as_str))
        .try_map(|name| -> Result<Place, UnknownName> { name.parse() })
}

/// Converts each input.
fn run(options: Options, print0: Print0, common: Common) -> Result<Exit, Stop> {
    let name = match options.direction {
        Direction::Encode => "encode",
        Direction::Decode => "decode",
    };
    let reader = common.standard;
    let conversion = Options { reader, ..options }.check();
    let conversion = conversion.map_err(|error| Stop::usage(name, error.to_string()))?;
    let [text, base64] = options.direction.keys();
    let settings = common.records(
        name,
        &[
            Column::text("input"),
            Column::flag("valid"),
            Column::text("error"),
            Column::text(text),
            Column::text(base64),
        ],
    )?;
    let settings = settings.ending(print0)?;
    let work = Converting {
        conversion,
        output: Output {
            reader: Reader::Rfc(conversion.standard()),
            ..settings.output.clone()
        },
    };
    // The inputs are data, so --where and --lenient do not apply.
    settings.run(name, Lenient::default(), work)
}

/// Converts each input.
struct Converting {
    conversion: Conversion,
    output: Output,
}

impl Work for Converting {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let record = self.conversion.record(input.into(), Err(why));
            self.output.record_with(&mut to.out, &record, None)
        } else {
            self.output.line(&mut to.out, "")
        }
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let result = self.conversion.convert(input.bytes);
        let result = result.as_deref();
        if self.output.json {
            let record = self.conversion.record(input.into(), result);
            self.output.record_with(&mut to.out, &record, result.ok())?;
            if let Err(failure) = result {
                to.rejected.add(failure.reason());
            }
        } else {
            self.output.bytes(&mut to.out, result.unwrap_or_default())?;
            if let Err(failure) = result {
                self.report(input, failure, to);
            }
        }
        Ok(Exit::of(result))
    }
}

impl Converting {
    /// Reports an error without showing a password.
    fn report(&self, input: Input<'_>, failure: &Failure, to: &mut Printed) {
        let is_secret = matches!(
            self.conversion.options().component,
            Some(Place::Userinfo | Place::Password)
        );
        if is_secret && !self.output.reporter.show_secrets {
            let hidden = Input {
                bytes: MASK.as_bytes(),
                text: Some(MASK),
                ..input
            };
            let message = failure.verdict(self.output.reader, FOUND_MASKED);
            let failure = Failure::Operation(message);
            self.output.invalid(hidden, &failure, to);
        } else {
            self.output.invalid(input, failure, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Converting;
    use crate::input::{Input, Source};
    use crate::output::{Output, Printed};
    use crate::report::Reporter;
    use crate::run::Work as _;
    use urikit_report::Reader;
    use urikit_report::percent::{Charset, Direction, Options};

    #[test]
    fn terminals_get_only_safe_text() {
        let shown = |json, bytes: &[u8]| {
            let options = Options {
                charset: Charset::Bytes,
                ..Options::new(Direction::Decode)
            };
            let work = Converting {
                conversion: options.check().unwrap(),
                output: Output {
                    reader: Reader::default(),
                    json,
                    sheet: None,
                    end: b'\n',
                    terminal: true,
                    reporter: Reporter {
                        quiet: false,
                        show_secrets: false,
                        is_coloured: false,
                    },
                },
            };
            let input = Input::new(bytes, &Source::Arguments, 1, 0);
            let mut printed = Printed::default();
            let done = work.input(input, &mut printed);
            assert!(done.is_ok());
            String::from_utf8(printed.out).unwrap()
        };
        assert_eq!(shown(false, b"%1B[31m%FF"), "\u{FFFD}[31m\u{FFFD}\n");
        assert!(shown(true, b"%C2%9B").contains("\\u009b"));
    }
}
