//! Options that several subcommands share.

mod common;
mod distinct;
mod selection;
mod settings;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
#[cfg(feature = "parquet")]
pub(crate) use common::check_parquet;
pub(crate) use common::{Common, OutputFormat, Reporting, RowSettings, sheet};
pub(crate) use distinct::{Distinct, Tally};
pub(crate) use selection::{Lenient, Selection, Where};
pub(crate) use settings::{RowWork, Tables};
use std::ffi::OsStr;
use std::str::FromStr;
use urikit_schemes::Edition;

/// `--print0`, for subcommands that print a list of results. [`usage`](crate::usage) rejects the
/// option for other subcommands.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Print0 {
    /// End each result with NUL instead of a newline, for `xargs -0`
    #[arg(long, conflicts_with = "json", help_heading = crate::help::SHARED)]
    print0: bool,
}

impl Print0 {
    /// Returns the byte that ends a result.
    pub(crate) const fn end(self) -> u8 {
        if self.print0 { b'\0' } else { b'\n' }
    }
}

/// `--query-separator`.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Separator {
    /// Separate the query's pairs at this character
    ///
    /// One ASCII letter or punctuation mark that may appear in a query. Hexadecimal digits, `%` and
    /// `=` are not allowed, because they occur in escapes and within pairs.
    #[arg(long = "query-separator", value_name = "CHAR", default_value = "&", value_parser = read)]
    pub(crate) char: char,
}

/// Parses a separator, which must never occur within an escape or a pair.
fn read(text: &str) -> Result<char, String> {
    let is_allowed =
        |c: char| c.is_ascii_graphic() && !c.is_ascii_hexdigit() && !"%=#\"<>".contains(c);
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if is_allowed(c) => Ok(c),
        _ => Err(
            "expected an ASCII letter or punctuation mark that may appear in a query, \
                  except hexadecimal digits, `%` and `=`"
                .to_owned(),
        ),
    }
}

/// `--scheme-text`.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct SchemeText {
    /// Parse scheme-specific parts according to this specification [default: successor for RFC 3986
    /// and RFC 3987, otherwise original]
    #[arg(
        long = "scheme-text",
        value_name = "WHICH",
        value_enum,
        help_heading = None::<&str>
    )]
    which: Option<Which>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Which {
    /// RFC 1630 for rfc1630, otherwise RFC 1738 or the first specification of the scheme
    Original,
    /// The current specification: RFC 9110, 4266, 5538, 6068, 8089 or 8141
    Successor,
}

impl SchemeText {
    /// Returns the chosen edition, if any.
    pub(crate) fn edition(self) -> Option<Edition> {
        self.which.map(|which| match which {
            Which::Original => Edition::Original,
            Which::Successor => Edition::Successor,
        })
    }
}

/// Parses a number of bytes, with the suffixes that curl supports.
///
/// # Errors
///
/// Returns the message for a usage error.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let shift = match text.get(digits.len()..) {
        Some("") => 0,
        Some("k" | "K") => 10,
        Some("m" | "M") => 20,
        Some("g" | "G") => 30,
        _ => 64,
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.and_then(|number| number.checked_mul(1_u64.checked_shl(shift)?));
    bytes.ok_or_else(|| "expected a number of bytes, such as 500, 20k or 5M".to_owned())
}

/// Returns a parser that accepts only these words. Completions offer them.
pub(crate) fn words<T>(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// Accepts any text. Shell completions offer the words that this function returns.
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
