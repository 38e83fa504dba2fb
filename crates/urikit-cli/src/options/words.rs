//! Values that are words: what is accepted, and what completions offer.

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use std::ffi::OsStr;
use std::str::FromStr;

/// Parses one of these words, which completions offer.
pub(crate) fn words<T>(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// Parses any text. Completions offer the words that the function returns.
#[derive(Clone, Copy)]
pub(crate) struct Suggest(pub(crate) fn() -> Vec<&'static str>);

impl TypedValueParser for Suggest {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}
