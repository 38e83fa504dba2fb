//! `uri decode`: text with escapes to the data that it stands for; URIs to IRIs.

use super::options::{Asked, Charset, component_parser};
use super::work::{self, Convert};
use crate::cli::Common;
use crate::exit::Exit;
use crate::reading::Failure;
use std::borrow::Cow;
use std::io;
use urikit::op::percent::{self, Place};
use urikit::{Standard, UriRef};

/// Decode the escapes of a text
///
/// The data of each input, and a line end. Nothing but the escapes is looked at; a broken one is an
/// error, and the input then has an empty line. Octets that are no text by the charset are written as
/// they are (on a terminal, U+FFFD stands for each that it could act upon); --json has them as
/// `decoded_base64`. Decode what has been split: in a whole reference, data may look like a delimiter.
///
/// With --iri, an input is a whole URI, and what is printed is the IRI that shows it best and maps back
/// to it (RFC 3987, 3.2).
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "\
Examples:
  uri decode 'a%20b%26c'
  uri decode --form 'two+words'
  uri decode --component query --standard rfc1630 'two+words'
  uri decode --charset latin-1 'r%E9sum%E9.html'
  uri decode --iri 'http://www.example.org/D%C3%BCrst'",
    mut_arg("references", |arg| arg
        .value_name("TEXT")
        .help("Texts with escapes; without any, the lines of -f or of standard input")
        .long_help("Texts with escapes; without any, the lines of -f or of standard input\n\n\
            Texts that begin with `-` come after `--`.")),
)]
pub(crate) struct Arguments {
    /// Where the text is from: in a query of RFC 1630, `+` is a space
    #[arg(short, long, value_name = "NAME", value_parser = component_parser())]
    component: Option<Place>,

    /// Which characters the octets mean
    #[arg(long, value_name = "NAME", value_enum, default_value = "utf-8")]
    charset: Charset,

    /// A `+` is a space, as in the queries that HTML's forms make
    #[arg(long)]
    form: bool,

    /// Show whole URIs as IRIs
    #[arg(long, conflicts_with_all = ["component", "charset", "form", "standard"])]
    iri: bool,

    #[command(flatten)]
    common: Common,
}

/// Decodes every input.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let asked = Asked {
        component: arguments.component,
        charset: arguments.charset,
        form: arguments.form,
        partly: false,
        whole: arguments.iri,
    };
    work::run(Decode, asked, arguments.common)
}

pub(super) struct Decode;

impl Convert for Decode {
    const NAME: &'static str = "decode";
    const KEYS: [&'static str; 2] = ["decoded", "decoded_base64"];
    const WHOLE: Standard = Standard::Rfc3986;

    /// The IRI that shows a URI.
    fn whole(&self, input: &[u8]) -> Result<String, Failure> {
        let uri = Self::WHOLE.parse_bytes(input).map_err(Failure::Rfc)?;
        let uri: UriRef<'_> = uri.try_into().map_err(Failure::Rfc)?;
        let mut iri = String::new();
        uri.to_iri_into(&mut iri);
        Ok(iri)
    }

    fn part<'a>(
        &self,
        input: &'a [u8],
        asked: &Asked,
        standard: Standard,
    ) -> Result<Cow<'a, [u8]>, Failure> {
        // Only in a query can the component make a difference.
        let component = asked.component.unwrap_or(Place::Segment);
        let text = Charset::text(input)?;
        let decoded = percent::decode(text, component, standard).map_err(Failure::Rfc)?;
        let decoded = if asked.form { decoded.form() } else { decoded };
        Ok(match asked.charset {
            Charset::Utf8 | Charset::Bytes => decoded.to_bytes(),
            Charset::Latin1 => match decoded.to_latin1() {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            },
        })
    }
}
