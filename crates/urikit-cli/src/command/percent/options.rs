//! The options that both directions have, and what is made of them.

use crate::exit::Exit;
use crate::reading::Failure;
use crate::standard::Reader;
use crate::usage;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::borrow::Cow;
use urikit::Standard;
use urikit::op::percent::{self, Place, UnknownPlace};

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

impl Charset {
    /// Text is in UTF-8, and what is no UTF-8 is none.
    pub(super) fn text(bytes: &[u8]) -> Result<&str, Failure> {
        percent::utf8(bytes).map_err(|error| Failure::Charset(error, "UTF-8"))
    }

    /// The octets that the characters of `bytes` become.
    pub(super) fn octets(self, bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
        match self {
            Self::Bytes => Ok(Cow::Borrowed(bytes)),
            Self::Utf8 => Self::text(bytes).map(|text| Cow::Borrowed(text.as_bytes())),
            Self::Latin1 => percent::latin1(Self::text(bytes)?)
                .map_err(|error| Failure::Charset(error, "ISO Latin-1")),
        }
    }
}

/// Reads the name of a component, and lists the names.
pub(super) fn component_parser() -> impl TypedValueParser<Value = Place> {
    PossibleValuesParser::new(Place::ALL.map(Place::as_str))
        .try_map(|name| -> Result<Place, UnknownPlace> { name.parse() })
}

/// What either direction is asked, beside what only one of them has.
pub(super) struct Asked {
    pub(super) component: Option<Place>,
    pub(super) charset: Charset,
    pub(super) form: bool,
    /// Whether escapes in the data stay.
    pub(super) partly: bool,
    /// Whether inputs are whole references, URIs or IRIs.
    pub(super) whole: bool,
}

impl Asked {
    /// The standard, which must be the core's, and must have the component, in which `+` must be able
    /// to mean a space where that is asked for; else a mistake of the command line's.
    pub(super) fn standard(&self, subcommand: &str, reader: Reader) -> Result<Standard, Exit> {
        let Reader::Rfc(standard) = reader else {
            let message = "browsers' rules (whatwg) name no escapes for a component: choose an RFC";
            return Err(usage::conflict(subcommand, message));
        };
        if let Some(component) = self.component {
            let document = standard.document();
            let Some(class) = component.class(standard) else {
                let message = format!("{document} has no {component}");
                return Err(usage::conflict(subcommand, &message));
            };
            if self.partly && !class.has_escapes() {
                let message =
                    format!("--partly keeps escapes: {document} has none in a {component}");
                return Err(usage::conflict(subcommand, &message));
            }
            if self.form && !component.is_query() {
                let message = format!("--form is for queries: no form is in a {component}");
                return Err(usage::conflict(subcommand, &message));
            }
        }
        Ok(standard)
    }
}
