//! `uri encode` and `uri decode`, which share most options.

pub(crate) mod decode;
pub(crate) mod encode;

use crate::exit::{Exit, Stop};
use crate::input::{Input, Unparsed};
use crate::mask::MASK;
use crate::options::{Common, Lenient, Print0};
use crate::output::{Output, Printed};
use crate::reading::Failure;
use crate::record::{ErrorRecord, InputKeys, TextKeys};
use crate::report::FOUND_MASKED;
use crate::run::Work;
use crate::sheet::Column;
use crate::standard::Reader;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::borrow::Cow;
use std::io;
use urikit::Standard;
use urikit::UnknownName;
use urikit::percent::{self, Place};

/// The character encoding of escaped octets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Charset {
    /// UTF-8, as RFC 3986 and later standards recommend
    #[value(name = "utf-8")]
    Utf8,
    /// ISO Latin-1, as in RFC 1630
    #[value(name = "latin-1")]
    Latin1,
    /// No character encoding: the octets are used as they are
    Bytes,
}

impl Charset {
    /// Returns the input as text, which must be UTF-8.
    fn text(bytes: &[u8]) -> Result<&str, Failure> {
        percent::utf8(bytes).map_err(|error| Failure::Charset(error, "UTF-8"))
    }

    /// Converts `bytes` from UTF-8 to octets in this encoding.
    fn octets(self, bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
        match self {
            Self::Bytes => Ok(Cow::Borrowed(bytes)),
            Self::Utf8 => Self::text(bytes).map(|text| Cow::Borrowed(text.as_bytes())),
            Self::Latin1 => percent::latin1(Self::text(bytes)?)
                .map_err(|error| Failure::Charset(error, "ISO Latin-1")),
        }
    }
}

/// Returns the parser for component names.
fn component_parser() -> impl TypedValueParser<Value = Place> {
    PossibleValuesParser::new(Place::ALL.map(Place::as_str))
        .try_map(|name| -> Result<Place, UnknownName> { name.parse() })
}

/// The conversion that the options request.
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
struct Conversion {
    component: Option<Place>,
    charset: Charset,
    form: bool,
    /// True if escapes in the data remain as written.
    partly: bool,
    /// True if a `%` that does not begin an escape is kept.
    is_lenient: bool,
    /// True if inputs are complete URIs or IRIs.
    is_complete: bool,
}

impl Conversion {
    /// Checks the options against each other and the standard.
    ///
    /// # Errors
    ///
    /// Returns a usage error if `reader` is not an RFC, if the RFC does not define the component or
    /// escapes in it, or if `--form` is given for a component other than a query.
    fn standard(&self, subcommand: &'static str, reader: Reader) -> Result<Standard, Stop> {
        let Reader::Rfc(standard) = reader else {
            let message = "whatwg does not define escapes for single components; use an RFC";
            return Err(Stop::usage(subcommand, message));
        };
        if let Some(component) = self.component {
            let document = standard.document();
            let Some(class) = component.class(standard) else {
                let message = format!("{document} does not define the component {component}");
                return Err(Stop::usage(subcommand, message));
            };
            if self.partly && !class.has_escapes() {
                let message =
                    format!("--partly keeps escapes, but a {component} of {document} has none");
                return Err(Stop::usage(subcommand, message));
            }
            if self.form && !component.is_query() {
                let message = format!("--form applies only to queries, not to a {component}");
                return Err(Stop::usage(subcommand, message));
            }
        }
        Ok(standard)
    }
}

/// A conversion: encoding or decoding.
trait Convert: Send + Sync + 'static {
    /// The subcommand's name.
    const NAME: &'static str;
    /// The keys of the result, as text and in base64.
    const KEYS: [&'static str; 2];
    /// The standard for complete references.
    const COMPLETE: Standard;

    /// Converts a complete reference.
    fn complete(&self, input: &[u8]) -> Result<String, Failure>;

    /// Converts the text of a component, or the data for it.
    fn part<'a>(
        &self,
        input: &'a [u8],
        conversion: &Conversion,
        standard: Standard,
    ) -> Result<Cow<'a, [u8]>, Failure>;
}

/// Converts each input.
fn run<C: Convert>(
    convert: C,
    conversion: Conversion,
    print0: Print0,
    common: Common,
) -> Result<Exit, Stop> {
    let reader = if conversion.is_complete {
        Reader::Rfc(C::COMPLETE)
    } else {
        common.standard
    };
    let standard = conversion.standard(C::NAME, reader)?;
    let [text, base64] = C::KEYS;
    let settings = common.records(
        C::NAME,
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
        convert,
        conversion,
        standard,
        output: Output {
            reader,
            ..settings.output.clone()
        },
    };
    // The inputs are data, so --where and --lenient do not apply.
    settings.run(C::NAME, Lenient::default(), work)
}

/// Converts each input.
struct Converting<C> {
    convert: C,
    conversion: Conversion,
    standard: Standard,
    output: Output,
}

impl<C: Convert> Work for Converting<C> {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let record = self.record(input, Err(why));
            self.output.record_with(&mut to.out, &record, None)
        } else {
            self.output.line(&mut to.out, "")
        }
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let result = if self.conversion.is_complete {
            let text = self.convert.complete(input.bytes);
            text.map(|text| Cow::Owned(text.into_bytes()))
        } else {
            self.convert
                .part(input.bytes, &self.conversion, self.standard)
        };
        let result = result.as_deref();
        if self.output.json {
            let record = self.record(input, result);
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

impl<C: Convert> Converting<C> {
    fn record<'a>(
        &self,
        input: Input<'a>,
        result: Result<&'a [u8], &Failure>,
    ) -> ConvertedRecord<'a> {
        ConvertedRecord {
            input: Unparsed::from(input).into(),
            component: self.conversion.component.map(Place::as_str),
            standard: self.standard.name(),
            valid: !result.is_err_and(Failure::is_of_input),
            result: TextKeys::exact(C::KEYS, result.ok()),
            error: result.err().map(ErrorRecord::from),
        }
    }

    /// Reports an error without showing a password.
    fn report(&self, input: Input<'_>, failure: &Failure, to: &mut Printed) {
        let is_secret = matches!(
            self.conversion.component,
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
#[derive(serde::Serialize)]
struct ConvertedRecord<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    component: Option<&'static str>,
    standard: &'static str,
    valid: bool,
    #[serde(flatten)]
    result: TextKeys<'a>,
    error: Option<ErrorRecord>,
}
