//! `uri decode`: text with escapes to the data that it stands for; URIs to IRIs.

use super::percent::{Charset, Key, Printer, component_parser, standard};
use crate::answers::Answers;
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::Input;
use crate::reading::Failure;
use crate::run::Work;
use crate::standard::Reader;
use std::borrow::Cow;
use std::io::{self, Write};
use urikit::op::percent::{self, Component};
use urikit::{Rfc3986, Standard, UriRef};

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
    component: Option<Component>,

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
    let common = arguments.common;
    let reader = if arguments.iri {
        Reader::Rfc(Standard::Rfc3986)
    } else {
        common.standard
    };
    let standard = match standard("decode", reader, arguments.component, arguments.form) {
        Ok(standard) => standard,
        Err(exit) => return Ok(exit),
    };
    let work = Decode {
        standard,
        charset: arguments.charset,
        form: arguments.form,
        iri: arguments.iri,
        printer: Printer {
            key: Key::Decoded,
            component: arguments.component,
            answers: Answers {
                reader,
                ..common.answers()
            },
        },
    };
    common.run("decode", work)
}

struct Decode {
    standard: Standard,
    charset: Charset,
    form: bool,
    iri: bool,
    printer: Printer,
}

impl Decode {
    fn decode<'a>(&self, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>, Failure> {
        if self.iri {
            return self.shown(bytes).map(|iri| Cow::Owned(iri.into_bytes()));
        }
        // Only in a query can the component make a difference.
        let component = self.printer.component.unwrap_or(Component::Segment);
        let text = percent::utf8(bytes).map_err(Failure::Rfc)?;
        let decoded = percent::decode(text, component, self.standard).map_err(Failure::Rfc)?;
        let decoded = if self.form { decoded.form() } else { decoded };
        Ok(match self.charset {
            Charset::Utf8 | Charset::Bytes => decoded.to_bytes(),
            Charset::Latin1 => match decoded.to_latin1() {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            },
        })
    }

    /// The IRI that shows a URI.
    fn shown(&self, bytes: &[u8]) -> Result<String, Failure> {
        let uri = self.standard.parse_bytes(bytes).map_err(Failure::Rfc)?;
        let uri: UriRef<'_, Rfc3986> = uri.try_into().map_err(Failure::Rfc)?;
        let mut iri = String::new();
        uri.to_iri_into(&mut iri);
        Ok(iri)
    }
}

impl Work for Decode {
    fn input<W: Write>(
        &self,
        input: Input<'_>,
        out: &mut W,
        messages: &mut String,
    ) -> io::Result<Exit> {
        self.printer
            .print(input, &self.decode(input.bytes), out, messages)
    }
}
