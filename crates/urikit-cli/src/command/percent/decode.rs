//! `uri decode`: percent-decodes text, and converts URIs to IRIs.

use super::{charset_parser, component_parser};
use crate::exit::{Exit, Stop};
use crate::options::{Common, Print0};
use urikit::percent::Place;
use urikit_report::percent::{Charset, Direction, Options};

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
    #[arg(long, value_name = "NAME", value_parser = charset_parser(), default_value = "utf-8")]
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
    let options = Options {
        component: arguments.component,
        charset: arguments.charset,
        form: arguments.form,
        is_lenient: arguments.lenient,
        is_complete: arguments.iri,
        ..Options::new(Direction::Decode)
    };
    super::run(options, arguments.print0, arguments.common)
}
