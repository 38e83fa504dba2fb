//! `uri encode`: percent-encodes data for a component, and converts IRIs to URIs.

use super::{charset_parser, component_parser};
use crate::exit::{Exit, Stop};
use crate::options::{Common, Print0};
use crate::screen::say;
use crate::style::NOTE;
use urikit::percent::Place;
use urikit_report::percent::{Charset, Direction, Options};

/// Percent-encode data for a component of a reference
///
/// Prints one encoded string per line. Characters that the standard allows as data in the
/// component are kept; all others are escaped. In a part such as `segment` or `query-value`,
/// delimiters are escaped too; a complete `path` or `query` keeps its delimiters. `%` is data and
/// is escaped, unless --partly is given. A host that is an address in brackets is left unchanged.
/// The segments `.` and `..` are also left unchanged: escaping them would not prevent resolution
/// from removing them (RFC 3986, 6.2.2). If an input cannot be encoded, its line is empty, so
/// input and output lines correspond.
///
/// With --iri, each input is a complete IRI, and the result is its URI (RFC 3987, 3.1).
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "\
Examples:
  uri encode 'a b&c'
  uri encode --component query-value 'a b&c'
  uri encode --component segment --standard rfc2396 'AC/DC'
  uri encode --component segment --charset latin-1 'résumé.html'
  uri encode --component query --form 'two words'
  uri encode --component host '[2001:db8::7]'
  uri encode --component path --partly '/100%25 sure'
  uri encode --iri 'http://résumé.example.org/ü'",
    mut_arg("references", |arg| arg
        .value_name("DATA")
        .help("Data to encode; if none is given, encode the lines of -f or of standard input")
        .long_help("Data to encode; if none is given, encode the lines of -f or of standard \
            input\n\n\
            Put `--` before data that begins with `-`.")),
)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// Encode for this component [default: the result is valid in any component]
    ///
    /// By default, only letters, digits, `-`, `.`, `_` and `~` are kept (but not `~` under RFC
    /// 1630 and RFC 1738), and a message reports this.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = component_parser()
    )]
    component: Option<Place>,

    /// Keep escapes in the data instead of escaping their `%`
    #[arg(long, requires = "component")]
    partly: bool,

    /// Convert characters to this character encoding before escaping
    #[arg(long, value_name = "NAME", value_parser = charset_parser(), default_value = "utf-8")]
    charset: Charset,

    /// Encode spaces in a query as `+`, as HTML forms and RFC 1630 do
    #[arg(long, requires = "component")]
    form: bool,

    /// Convert complete IRIs to URIs
    #[arg(long, conflicts_with_all = ["component", "partly", "charset", "form", "standard"])]
    iri: bool,

    /// With --iri, convert hosts to their DNS form (IDNA)
    #[arg(long, requires = "iri", conflicts_with = "component")]
    idna: bool,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,
}

/// Encodes each input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let common = &arguments.common;
    let is_for_any = arguments.component.is_none() && !arguments.iri;
    if is_for_any && !common.wants_records() && !common.reporting.quiet {
        say!("{NOTE}uri: --component{NOTE:#}: not given; the result is valid in any component");
    }
    let options = Options {
        component: arguments.component,
        charset: arguments.charset,
        form: arguments.form,
        partly: arguments.partly,
        is_complete: arguments.iri,
        idna: arguments.idna,
        ..Options::new(Direction::Encode)
    };
    super::run(options, arguments.print0, arguments.common)
}
