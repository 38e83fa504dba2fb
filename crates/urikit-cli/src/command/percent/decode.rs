//! `uri decode`: percent-decodes text, and converts URIs to IRIs.

use super::{Charset, Conversion, Convert, component_parser};
use crate::exit::{Exit, Stop};
use crate::options::{Common, Print0};
use crate::reading::Failure;
use std::borrow::Cow;
use urikit::percent::{self, Place};
use urikit::{Standard, UriRef};

/// Percent-decode text
///
/// Prints the decoded data of each input on one line. Only escapes are checked. An incomplete
/// escape is an error, and the line of output is then empty. Octets that are not text in the
/// charset are written unchanged, or as `decoded_base64` with --json. On a terminal, U+FFFD
/// replaces unsafe characters. Split a reference into components before decoding, because decoded
/// data may look like a delimiter.
///
/// With --iri, each input is a complete URI, and the result is the most readable IRI that maps back
/// to it (RFC 3987, 3.2).
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "\
Examples:
  uri decode 'a%20b%26c'
  uri decode --form 'two+words'
  uri decode --lenient '100% of a%20b'
  uri decode --component query --standard rfc1630 'two+words'
  uri decode --charset latin-1 'r%E9sum%E9.html'
  uri decode --iri 'http://www.example.org/D%C3%BCrst'",
    mut_arg("references", |arg| arg
        .value_name("TEXT")
        .help("Encoded text; if none is given, decode the lines of -f or of standard input")
        .long_help("Encoded text; if none is given, decode the lines of -f or of standard input\n\n\
            Put `--` before text that begins with `-`.")),
)]
pub(crate) struct Arguments {
    /// Decode text from this component; in a query under RFC 1630, `+` means a space
    #[arg(long, value_name = "NAME", value_parser = component_parser())]
    component: Option<Place>,

    /// Interpret the decoded octets in this character encoding
    #[arg(long, value_name = "NAME", value_enum, default_value = "utf-8")]
    charset: Charset,

    /// Decode `+` as a space, as in queries from HTML forms
    #[arg(long)]
    form: bool,

    /// Keep a `%` that does not begin an escape
    ///
    /// Without this option, such a `%` is an error.
    #[arg(long)]
    lenient: bool,

    /// Convert complete URIs to IRIs
    #[arg(long, conflicts_with_all = ["component", "charset", "form", "lenient", "standard"])]
    iri: bool,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,
}

/// Decodes each input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let conversion = Conversion {
        component: arguments.component,
        charset: arguments.charset,
        form: arguments.form,
        partly: false,
        is_lenient: arguments.lenient,
        is_complete: arguments.iri,
    };
    super::run(Decode, conversion, arguments.print0, arguments.common)
}

pub(super) struct Decode;

impl Convert for Decode {
    const NAME: &'static str = "decode";
    const KEYS: [&'static str; 2] = ["decoded", "decoded_base64"];
    const COMPLETE: Standard = Standard::Rfc3986;

    /// Maps a URI to an IRI.
    fn complete(&self, input: &[u8]) -> Result<String, Failure> {
        let uri = Self::COMPLETE.parse_bytes(input).map_err(Failure::Rfc)?;
        let uri: UriRef<'_> = uri.try_into().map_err(Failure::Rfc)?;
        let mut iri = String::new();
        uri.to_iri_into(&mut iri);
        Ok(iri)
    }

    fn part<'a>(
        &self,
        input: &'a [u8],
        conversion: &Conversion,
        standard: Standard,
    ) -> Result<Cow<'a, [u8]>, Failure> {
        let text = Charset::text(input)?;
        if conversion.is_lenient
            && let Cow::Owned(text) = without_lone_percents(text)
        {
            let octets = decoded(&text, conversion, standard)?;
            return Ok(Cow::Owned(octets.into_owned()));
        }
        decoded(text, conversion, standard)
    }
}

/// Decodes text to octets in its charset.
fn decoded<'a>(
    text: &'a str,
    conversion: &Conversion,
    standard: Standard,
) -> Result<Cow<'a, [u8]>, Failure> {
    // The component makes a difference only for queries.
    let component = conversion.component.unwrap_or(Place::Segment);
    let decoded = percent::decode(text, component, standard).map_err(Failure::Rfc)?;
    let decoded = if conversion.form {
        decoded.form()
    } else {
        decoded
    };
    Ok(match conversion.charset {
        Charset::Utf8 | Charset::Bytes => decoded.to_bytes(),
        Charset::Latin1 => match decoded.to_latin1() {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
    })
}

/// Escapes each `%` that does not begin an escape.
fn without_lone_percents(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |at: &usize| {
        let digits = bytes.get(at + 1..at + 3);
        !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let percents = text.match_indices('%').map(|(at, _)| at);
    let mut lone = percents.filter(is_lone).peekable();
    if lone.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for at in lone {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str("%25");
        from = at + 1;
    }
    Cow::Owned(out + text.get(from..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::Decode;
    use crate::command::percent::{Charset, Conversion, Converting};
    use crate::input::{Input, Source};
    use crate::output::{Output, Printed};
    use crate::report::Reporter;
    use crate::run::Work as _;
    use crate::standard::Reader;
    use urikit::Standard;

    #[test]
    fn terminals_get_only_safe_text() {
        let shown = |json, bytes: &[u8]| {
            let work = Converting {
                convert: Decode,
                conversion: Conversion {
                    component: None,
                    charset: Charset::Bytes,
                    form: false,
                    partly: false,
                    is_lenient: false,
                    is_complete: false,
                },
                standard: Standard::Rfc3986,
                output: Output {
                    reader: Reader::Rfc(Standard::Rfc3986),
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
