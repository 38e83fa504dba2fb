//! `uri encode`: data to text that may stand in a component; IRIs to URIs.

use super::options::{Asked, Charset, component_parser};
use super::work::{self, Convert};
use crate::cli::Common;
use crate::exit::Exit;
use crate::reading::Failure;
use std::borrow::Cow;
use std::io;
use urikit::op::percent::{self, EncodeError, Place, Reading};
use urikit::{IriRef, Standard};

/// Percent-encode data for a component of a reference
///
/// One text a line. What the standard lets stand for itself in that component stays, and all else is
/// escaped, what delimits there too: a piece such as `segment` or `query-value` is data throughout,
/// and a whole such as `path` or `query` keeps its delimiters. A `%` is data and is escaped, unless
/// --partly is given. A host that is an address in brackets stays as it is. Dots stand for themselves, so that the segments `.` and `..`
/// come out as they are, which resolving takes for steps: no escape keeps them from that (RFC 3986, 6.2.2). An input that cannot be encoded has an empty line, so that the lines still count.
///
/// With --iri, an input is a whole IRI, and what is printed is the URI that it maps to (RFC 3987, 3.1).
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "\
Examples:
  uri encode --component query-value 'a b&c'
  uri encode --component segment --standard rfc2396 'AC/DC'
  uri encode --component segment --charset latin-1 'résumé.html'
  uri encode --component query --form 'two words'
  uri encode --component host '[2001:db8::7]'
  uri encode --component path --partly '/100%25 sure'
  uri encode --iri 'http://résumé.example.org/ü'",
    mut_arg("references", |arg| arg
        .value_name("DATA")
        .help("The data; without any, the lines of -f or of standard input")
        .long_help("The data; without any, the lines of -f or of standard input\n\n\
            Data that begins with `-` comes after `--`.")),
)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub(crate) struct Arguments {
    /// Where the data is to stand
    #[arg(short, long, value_name = "NAME", value_parser = component_parser(), required_unless_present = "iri")]
    component: Option<Place>,

    /// Escapes in the data stay, so that nothing is escaped twice
    #[arg(long)]
    partly: bool,

    /// Which octets the characters of the data become
    #[arg(long, value_name = "NAME", value_enum, default_value = "utf-8")]
    charset: Charset,

    /// In a query, a space becomes `+`, as HTML's forms and RFC 1630 have it
    #[arg(long)]
    form: bool,

    /// Map whole IRIs to URIs
    #[arg(long, conflicts_with_all = ["component", "partly", "charset", "form", "standard"])]
    iri: bool,

    /// With --iri, write hosts as the DNS has them (IDNA)
    #[arg(long, requires = "iri", conflicts_with = "component")]
    idna: bool,

    #[command(flatten)]
    common: Common,
}

/// Encodes every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let encode = Encode {
        reading: if arguments.partly {
            Reading::Partly
        } else {
            Reading::Data
        },
        idna: arguments.idna,
    };
    let asked = Asked {
        component: arguments.component,
        charset: arguments.charset,
        form: arguments.form,
        partly: arguments.partly,
        whole: arguments.iri,
    };
    work::run(encode, asked, arguments.common)
}

struct Encode {
    reading: Reading,
    idna: bool,
}

impl Convert for Encode {
    const NAME: &'static str = "encode";
    const KEYS: [&'static str; 2] = ["encoded", "encoded_base64"];
    const WHOLE: Standard = Standard::Rfc3987;

    /// The URI that an IRI maps to.
    fn whole(&self, input: &[u8]) -> Result<String, Failure> {
        let iri = Self::WHOLE.parse_bytes(input).map_err(Failure::Rfc)?;
        let iri: IriRef<'_> = iri.try_into().map_err(Failure::Rfc)?;
        let mut uri = String::new();
        if self.idna {
            let mapped = iri.to_uri_idna_into(&mut uri);
            mapped.map_err(Failure::Idna)?;
        } else {
            iri.to_uri_into(&mut uri);
        }
        Ok(uri)
    }

    fn part<'a>(
        &self,
        input: &'a [u8],
        asked: &Asked,
        standard: Standard,
    ) -> Result<Cow<'a, [u8]>, Failure> {
        // INVARIANT: without --iri, the command line has a component.
        let component = asked.component.unwrap_or(Place::Segment);
        let octets = asked.charset.octets(input)?;
        let escaped = percent::encode(&octets, component, standard);
        let escaped = escaped.map_err(|error| match error {
            EncodeError::NoEscapes(error) => Failure::Rfc(error),
            error => Failure::Operation(error.to_string()),
        })?;
        let escaped = escaped.reading(self.reading);
        let escaped = if asked.form { escaped.form() } else { escaped };
        Ok(Cow::Owned(escaped.collect::<String>().into_bytes()))
    }
}
