//! The work that both commands do on each input, and how its result is printed.

use super::options::Settings;
use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::mask::MASK;
use crate::options::{Common, Lenient, Print0};
use crate::output::{Output, Printed};
use crate::reading::Failure;
use crate::record::Object;
use crate::report::FOUND_MASKED;
use crate::run::Work;
use crate::sheet::Column;
use crate::standard::Reader;
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::io;
use urikit::Standard;
use urikit::percent::Place;

/// A conversion: encoding or decoding.
pub(super) trait Convert: Send + Sync + 'static {
    /// The name of the subcommand.
    const NAME: &'static str;
    /// The keys of the result, as text and in base64.
    const KEYS: [&'static str; 2];
    /// The standard of complete references.
    const COMPLETE: Standard;

    /// Converts a complete reference.
    fn complete(&self, input: &[u8]) -> Result<String, Failure>;

    /// Converts the text of a component, or the data for one.
    fn part<'a>(
        &self,
        input: &'a [u8],
        settings: &Settings,
        standard: Standard,
    ) -> Result<Cow<'a, [u8]>, Failure>;
}

/// Converts each input.
pub(super) fn run<C: Convert>(
    convert: C,
    settings: Settings,
    print0: Print0,
    common: Common,
) -> Result<Exit, Stop> {
    let reader = if settings.is_complete {
        Reader::Rfc(C::COMPLETE)
    } else {
        common.standard
    };
    let standard = settings.standard(C::NAME, reader)?;
    let mut common = common;
    let [text, base64] = C::KEYS;
    common.print_records(
        C::NAME,
        &[
            Column::text("input"),
            Column::flag("valid"),
            Column::text("error"),
            Column::text(text),
            Column::text(base64),
        ],
    )?;
    let work = Converting {
        convert,
        settings,
        standard,
        output: Output {
            reader,
            ..common.output().ending(print0.end())
        },
    };
    // The inputs are no references.
    common.run(C::NAME, Lenient::default(), work)
}

/// A conversion and its settings.
pub(super) struct Converting<C> {
    pub(super) convert: C,
    pub(super) settings: Settings,
    pub(super) standard: Standard,
    pub(super) output: Output,
}

impl<C: Convert> Work for Converting<C> {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let record = Record::<C> {
                of: self,
                input: input.bytes,
                result: Err(why),
            };
            self.output.record(&mut to.out, &record)
        } else {
            self.output.line(&mut to.out, "")
        }
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let result = if self.settings.is_complete {
            let text = self.convert.complete(input.bytes);
            text.map(|text| Cow::Owned(text.into_bytes()))
        } else {
            self.convert
                .part(input.bytes, &self.settings, self.standard)
        };
        let result = result.as_deref();
        if self.output.json {
            let record = Record::<C> {
                of: self,
                input: input.bytes,
                result,
            };
            self.output.record(&mut to.out, &record)?;
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

impl<C> Converting<C> {
    /// Reports what is wrong, without showing a password.
    fn report(&self, input: Input<'_>, failure: &Failure, to: &mut Printed) {
        let is_secret = matches!(
            self.settings.component,
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

/// One result as `--json` prints it.
struct Record<'a, C> {
    of: &'a Converting<C>,
    input: &'a [u8],
    result: Result<&'a [u8], &'a Failure>,
}

impl<C: Convert> Serialize for Record<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [key, base64_key] = C::KEYS;
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        let component = self.of.settings.component.map(Place::as_str);
        object.field("component", &component)?;
        object.field("standard", self.of.standard.name())?;
        object.valid(self.result.err())?;
        let result = self.result.ok();
        let text = result.map(str::from_utf8);
        object.field(key, &text.and_then(Result::ok))?;
        if let (Some(bytes), Some(Err(_))) = (result, text) {
            object.base64(base64_key, bytes)?;
        }
        object.error(self.result.err())?;
        object.end()
    }
}
