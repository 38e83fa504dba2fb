//! The values of `--standard`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urikit_report::Reader;

/// Returns the parser for the names of standards.
pub(crate) fn parser() -> impl TypedValueParser<Value = Reader> {
    let values = Reader::ALL.map(|it| PossibleValue::new(it.name()).help(it.about()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Reader>())
}
