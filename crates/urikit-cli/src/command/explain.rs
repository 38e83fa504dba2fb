//! `uri explain`: describes a reference on one page.
//!
//! If a reference has the prefix `url:` (RFC 1630, `prefixedurl`), the command removes the prefix
//! and any spaces after it, and prints a note.

#[cfg(feature = "serve")]
use crate::exit::OfInput;
use crate::exit::{Exit, Stop};
use crate::input::{Input, Source, Unparsed};
use crate::options::{Common, Lenient, SchemeText};
use crate::output::{Output, Printed};
use crate::run::Work;
use crate::stdout::Out;
use crate::stdout::{colored, stdout};
use crate::style::unstyled;
use std::io::{self, Write as _};
#[cfg(feature = "serve")]
use std::path::{Path, PathBuf};
use urikit_access::{Client, Policy};
use urikit_report::Reader;
use urikit_report::explain::{self, Explanation, beginning};
use urikit_report::protocols;
use urikit_report::text::Layout;
use urikit_schemes::Edition;

/// Explain a reference: components, verdicts, parsers, risks, and the steps to fetch it
///
/// The page shows the findings of `uri audit`, the reference above a ruler of its components, the
/// pairs of the query, the meaning of the reference under its scheme, and the steps that a client
/// takes to fetch it. The page then shows the normal form, the verdict of every standard, the
/// results of seven parsers with their differences (`≠`), and notes on how to correct the
/// reference. `uri explain` makes no DNS lookups and no connections.
///
/// The page is as wide as the terminal, or as $COLUMNS. If a reference is longer than 64 KiB, the
/// page explains the first 64 KiB and states the total length. The prefix `url:` is removed. The
/// exit status is 0 if the reference is valid under --standard.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri explain 'ftp://foo:@host.dom:21/%2Fetc/motd;type=a'
  uri explain --standard rfc1738 'http://999.1.1.1/~user'
  uri explain 'http://good.example\\@evil.example/'
  uri explain www.example.com/path
  uri explain --html=page.html 'http://good.example\\@evil.example/'
  uri explain --json 'http://[::1]/' | jq -r '.verdicts[] | [.standard, .valid] | @tsv'")]
pub(crate) struct Arguments {
    #[command(flatten)]
    lenient: Lenient,

    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    scheme_text: SchemeText,

    /// Write the page about one reference as HTML to FILE or standard output
    ///
    /// The page is the same as in `uri serve`. The file needs no server, contains no scripts and
    /// loads no other files. Passwords are masked.
    #[cfg(feature = "serve")]
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "-",
        conflicts_with_all = ["json", "show_secrets"]
    )]
    html: Option<PathBuf>,
}

/// Prints a page for each input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    #[cfg(feature = "serve")]
    if arguments.html.is_some() && arguments.common.references.len() > 1 {
        let message = format!("{ONE_PAGE}; to write the page to a file, use --html=FILE");
        return Err(Stop::usage("explain", message));
    }
    let settings = arguments.common.records("explain", &[])?;
    let out: Box<dyn Out> = if settings.output.json {
        Box::new(stdout())
    } else {
        Box::new(colored())
    };
    let work = Explain {
        reader: settings.output.reader,
        edition: arguments.scheme_text.edition(),
        layout: Layout {
            width: settings.page_width(24),
            show_secrets: settings.reporter().show_secrets,
        },
        output: settings.output.clone(),
        client: protocols::client(Policy::permissive()),
        #[cfg(feature = "serve")]
        html: arguments.html,
    };
    settings.run_to("explain", arguments.lenient.into(), out, Box::new(work))
}

#[cfg(feature = "serve")]
const ONE_PAGE: &str = "--html explains only one reference";

/// The settings of the subcommand.
struct Explain {
    reader: Reader,
    /// The edition of the scheme's specification, if one was chosen.
    edition: Option<Edition>,
    layout: Layout,
    output: Output,
    /// Plans accesses.
    client: Client,
    /// The file to which the HTML page is written; `-` for standard output.
    #[cfg(feature = "serve")]
    html: Option<PathBuf>,
}

impl Work for Explain {
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let is_valid = self.reader.read(input).is_valid();
        #[cfg(feature = "serve")]
        if let Some(file) = &self.html {
            self.write_html(file, input, to)?;
            return Ok(if is_valid { Exit::Good } else { Exit::No });
        }
        if self.output.json {
            let explanation = self.explanation(input, input.into());
            let page = is_valid.then(|| unstyled(&self.layout.explain(&explanation)));
            let result = page.as_deref().map(str::as_bytes);
            let record = explanation.record();
            self.output.record_with(&mut to.out, &record, result)?;
        } else {
            let explanation = self.explanation(input, beginning(input.into()));
            let before = if input.index > 0 { "\n" } else { "" };
            write!(to.out, "{before}{}", self.layout.explain(&explanation))?;
        }
        Ok(if is_valid { Exit::Good } else { Exit::No })
    }

    fn prefix(&self, input: &[u8]) -> usize {
        explain::prefix(input)
    }
}

#[cfg(feature = "serve")]
impl Explain {
    /// Writes the page as HTML.
    fn write_html(&self, file: &Path, input: Input<'_>, to: &mut Printed) -> io::Result<()> {
        if input.index > 0 {
            return Err(OfInput::error(file, io::Error::other(ONE_PAGE)));
        }
        let reference = Unparsed::from(input).to_text();
        let page = urikit_serve::page::render_file(&reference, self.reader, self.edition);
        if file == Path::new("-") {
            return to.out.write_all(page.as_bytes());
        }
        std::fs::write(file, page).map_err(|error| OfInput::error(file, error))
    }
}

impl Explain {
    /// Parses a reference with every parser. The explanation covers only `shown`, the beginning of
    /// the reference.
    fn explanation<'a>(&'a self, input: Input<'a>, shown: Unparsed<'a>) -> Explanation<'a> {
        Explanation::new(input.given, shown, self.reader, self.edition)
            .with_client(&self.client)
            .with_length(input.bytes.len())
            .with_argument(match input.source {
                Source::Arguments => input.number,
                _ => 0,
            })
    }
}
