//! The options that both commands have, and how they are checked.

use crate::exit::Stop;
use crate::reading::Failure;
use crate::standard::Reader;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::borrow::Cow;
use urikit::percent::{self, Place};
use urikit::{Standard, UnknownName};

/// The character encoding of escaped octets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Charset {
    /// The encoding that RFC 3986 and later standards recommend
    #[value(name = "utf-8")]
    Utf8,
    /// ISO Latin-1, the encoding of RFC 1630
    #[value(name = "latin-1")]
    Latin1,
    /// No encoding: the octets of the input as they are
    Bytes,
}

impl Charset {
    /// The input as text, which must be UTF-8.
    pub(super) fn text(bytes: &[u8]) -> Result<&str, Failure> {
        percent::utf8(bytes).map_err(|error| Failure::Charset(error, "UTF-8"))
    }

    /// Converts `bytes` from UTF-8 to octets in this encoding.
    pub(super) fn octets(self, bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
        match self {
            Self::Bytes => Ok(Cow::Borrowed(bytes)),
            Self::Utf8 => Self::text(bytes).map(|text| Cow::Borrowed(text.as_bytes())),
            Self::Latin1 => percent::latin1(Self::text(bytes)?)
                .map_err(|error| Failure::Charset(error, "ISO Latin-1")),
        }
    }
}

/// Parses the name of a component; the help lists the names.
pub(super) fn component_parser() -> impl TypedValueParser<Value = Place> {
    PossibleValuesParser::new(Place::ALL.map(Place::as_str))
        .try_map(|name| -> Result<Place, UnknownName> { name.parse() })
}

/// The values of the options that both commands have.
pub(super) struct Settings {
    pub(super) component: Option<Place>,
    pub(super) charset: Charset,
    pub(super) form: bool,
    /// Whether escapes in the data are kept.
    pub(super) partly: bool,
    /// Whether inputs are complete URIs or IRIs.
    pub(super) is_complete: bool,
}

impl Settings {
    /// Checks the options against each other and the standard.
    ///
    /// # Errors
    ///
    /// A usage error if `reader` is not an RFC, or its RFC does not define the component or
    /// escapes in it, or `--form` is given for a component other than a query.
    pub(super) fn standard(
        &self,
        subcommand: &'static str,
        reader: Reader,
    ) -> Result<Standard, Stop> {
        let Reader::Rfc(standard) = reader else {
            let message = "whatwg defines no escapes for single components: choose an RFC";
            return Err(Stop::usage(subcommand, message));
        };
        if let Some(component) = self.component {
            let document = standard.document();
            let Some(class) = component.class(standard) else {
                let message = format!("{document} has no {component}");
                return Err(Stop::usage(subcommand, message));
            };
            if self.partly && !class.has_escapes() {
                let message =
                    format!("--partly keeps escapes, but {document} has none in a {component}");
                return Err(Stop::usage(subcommand, message));
            }
            if self.form && !component.is_query() {
                let message = format!("--form applies to queries only, not to a {component}");
                return Err(Stop::usage(subcommand, message));
            }
        }
        Ok(standard)
    }
}
