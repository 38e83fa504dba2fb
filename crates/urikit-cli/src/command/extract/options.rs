//! The options that select what to find (`--as`, `--kinds`, `--in`, `--rel`) and what to print.

use super::context::Around;
use super::output::{Printer, Totals};
use crate::options::Reporting;
use crate::style;
use crate::suggest::did_you_mean;
use std::io::{self, IsTerminal as _};
use urikit_extract::container::Container;
use urikit_extract::document::{Extractor, Format, Place, Syntax};
use urikit_extract::{Detection, Kind};
use urikit_report::position::{Position, PositionError};

/// The values of `--as`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum As {
    Auto,
    Text,
    #[value(alias = "xhtml")]
    Html,
    #[value(alias = "mbox")]
    Mail,
    #[value(aliases = ["mdx", "qmd", "rmd"])]
    Markdown,
    #[value(aliases = ["svg", "rss", "atom", "sitemap"])]
    Xml,
    #[value(aliases = ["scss", "less"])]
    Css,
    Csv,
    Tsv,
    Rst,
    Asciidoc,
    Org,
    #[value(alias = "tex")]
    Latex,
    #[value(alias = "man")]
    Roff,
    #[value(alias = "ipynb")]
    Jupyter,
    #[value(alias = "ics")]
    Icalendar,
    Har,
    #[value(aliases = ["gmi", "gemini"])]
    Gemtext,
    Wat,
    #[value(alias = "gz")]
    Gzip,
    #[value(alias = "zst")]
    Zstd,
    Xz,
    #[value(alias = "bz2")]
    Bzip2,
    Tar,
    #[value(aliases = ["epub", "docx", "xlsx", "pptx", "odt", "ods", "odp"])]
    Zip,
    Warc,
    Arc,
    Pdf,
}

/// The value of `--as`: the parser for a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reads {
    Document(Format),
    Container(Container),
}

impl As {
    /// Returns the parser for all files, or `None` if it depends on the name and content of each
    /// file.
    pub(super) const fn reads(self) -> Option<Reads> {
        Some(match self {
            Self::Auto => return None,
            Self::Text => Reads::Document(Format::Text),
            Self::Html => Reads::Document(Format::Html),
            Self::Mail => Reads::Document(Format::Mail),
            Self::Markdown => Reads::Document(Format::Markdown),
            Self::Xml => Reads::Document(Format::Xml),
            Self::Css => Reads::Document(Format::Css),
            Self::Csv => Reads::Document(Format::Csv),
            Self::Tsv => Reads::Document(Format::Tsv),
            Self::Rst => Reads::Document(Format::Rst),
            Self::Asciidoc => Reads::Document(Format::Asciidoc),
            Self::Org => Reads::Document(Format::Org),
            Self::Latex => Reads::Document(Format::Latex),
            Self::Roff => Reads::Document(Format::Roff),
            Self::Jupyter => Reads::Document(Format::Jupyter),
            Self::Icalendar => Reads::Document(Format::Icalendar),
            Self::Har => Reads::Document(Format::Har),
            Self::Gemtext => Reads::Document(Format::Gemtext),
            Self::Wat => Reads::Document(Format::Wat),
            Self::Gzip => Reads::Container(Container::Gzip),
            Self::Zstd => Reads::Container(Container::Zstd),
            Self::Xz => Reads::Container(Container::Xz),
            Self::Bzip2 => Reads::Container(Container::Bzip2),
            Self::Tar => Reads::Container(Container::Tar),
            Self::Zip => Reads::Container(Container::Zip),
            Self::Warc => Reads::Container(Container::Warc),
            Self::Arc => Reads::Container(Container::Arc),
            Self::Pdf => Reads::Container(Container::Pdf),
        })
    }
}

/// The values of `--kinds`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kinds {
    Wrapped,
    Bare,
    Link,
    Abbreviated,
    Address,
    Defanged,
    All,
}

impl Kinds {
    /// Returns true if the value includes this kind of reference.
    pub(super) fn contains(self, kind: Kind) -> bool {
        match self {
            Self::Wrapped => kind == Kind::Wrapped,
            Self::Bare => kind == Kind::Bare,
            Self::Link => kind == Kind::Link,
            Self::Abbreviated => kind == Kind::Abbreviated,
            Self::Address => kind == Kind::Address,
            Self::Defanged => kind == Kind::Defanged,
            // Defanged indicators may be dangerous, so they need an explicit option.
            Self::All => kind != Kind::Defanged,
        }
    }
}

/// The values of `--detect`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Detect {
    Urikit,
    Uts58,
}

impl Detect {
    pub(super) const fn rules(self) -> Detection {
        match self {
            Self::Urikit => Detection::Urikit,
            Self::Uts58 => Detection::Uts58,
        }
    }
}

/// Checks the value of `--charset`, a label from the Encoding Standard.
pub(super) fn charset(label: &str) -> Result<String, String> {
    match Extractor::new().charset(label) {
        Some(_) => Ok(label.to_owned()),
        None => Err("expected a charset, such as iso-8859-1 or shift_jis".to_owned()),
    }
}

/// Parses a value of `--in`.
fn position(text: &str) -> Result<Position, String> {
    text.parse().map_err(|error| match &error {
        PositionError::UnknownSyntax(name) => {
            let near = did_you_mean(name, Syntax::ALL.map(Syntax::as_str));
            error.to_string().replacen(" (", &format!("{near} ("), 1)
        }
        PositionError::Form => error.to_string(),
    })
}

/// The filters for positions in markup.
#[derive(clap::Args, Clone, Default, Debug)]
pub(super) struct Places {
    /// Print only references in this position: a@href, img, @src, field=List-Unsubscribe (mail),
    /// syntax=image (Markdown); may be repeated
    #[arg(long = "in", value_name = "PLACE", value_parser = position)]
    places: Vec<Position>,

    /// Print only references whose element has this keyword in its rel attribute; may be repeated
    #[arg(long, value_name = "KEYWORD")]
    rel: Vec<String>,
}

impl Places {
    /// Returns true if a reference in this position passes the filters.
    pub(super) fn contain(&self, place: &Place<'_>) -> bool {
        (self.places.is_empty() || self.places.iter().any(|wanted| wanted.contains(place)))
            && (self.rel.is_empty() || self.rel.iter().any(|keyword| place.has_rel(keyword)))
    }
}

/// Returns the location in an office document, which is printed instead of a line number:
/// `paragraph 3`, `Sheet!B7` or `slide 2`.
pub(super) fn location(place: &Place<'_>) -> Option<String> {
    if let Some(slide) = place.slide() {
        return Some(format!("slide {slide}"));
    }
    match (place.sheet(), place.cell()) {
        (Some(sheet), Some(cell)) => return Some(format!("{sheet}!{cell}")),
        (Some(one), None) | (None, Some(one)) => return Some(one.to_owned()),
        (None, None) => {}
    }
    let paragraph = place.paragraph()?;
    Some(format!("paragraph {paragraph}"))
}

/// The output options. These options have the same names as in ripgrep.
#[derive(clap::Args, Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(super) struct Shown {
    /// Print the line number before each reference, and file names if there are several files
    ///
    /// For references in office documents, the location is `paragraph N`, `SHEET!CELL` or `slide
    /// N`, without a column. Paragraphs are numbered from 1 within their part of the document, and
    /// slides in the order of the presentation. --json reports the location in `place`.
    #[arg(short = 'n', long)]
    line_number: bool,

    /// Print the line and the column, as FILE:LINE:COLUMN:REFERENCE
    ///
    /// Lines and columns are counted from 1, and columns count characters.
    #[arg(long)]
    column: bool,

    /// Print the file name before each reference
    ///
    /// For an archive entry, the name is FILE!ENTRY. Control characters in ENTRY are escaped,
    /// except with -0 and --json.
    #[arg(short = 'H', long)]
    with_filename: bool,

    /// Never print file names before references
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    no_filename: bool,

    /// Print only the names of files that contain references
    #[arg(short = 'l', long, conflicts_with_all = ["json", "count"])]
    files_with_matches: bool,

    /// Print only the number of references, for each file that contains any
    #[arg(short, long, conflicts_with = "json")]
    count: bool,

    /// End file names with NUL instead of `:` or a newline, both in the output and in --files-from
    #[arg(short = '0', long)]
    pub(super) null: bool,

    /// Print the lines that contain references, and N lines after them
    #[arg(short = 'A', long, value_name = "N", conflicts_with_all = NO_CONTEXT)]
    after_context: Option<u64>,

    /// Print the lines that contain references, and N lines before them
    #[arg(short = 'B', long, value_name = "N", conflicts_with_all = NO_CONTEXT)]
    before_context: Option<u64>,

    /// Print the lines that contain references, and N lines before and after them
    ///
    /// Each line is printed as `LINE-TEXT`, followed by its references as `LINE:REFERENCE`.
    #[arg(short = 'C', long, value_name = "N", conflicts_with_all = NO_CONTEXT)]
    context: Option<u64>,
}

/// The options that cannot be combined with context lines.
const NO_CONTEXT: [&str; 6] = [
    "json",
    "count",
    "files_with_matches",
    "unique",
    "quiet",
    "print0",
];

impl Shown {
    /// Returns the number of lines to print around references, if any.
    pub(super) fn around(self) -> Option<Around> {
        let around = Around {
            before: self.before_context.or(self.context).unwrap_or(0),
            after: self.after_context.or(self.context).unwrap_or(0),
        };
        let options = [self.before_context, self.after_context, self.context];
        options.iter().any(Option::is_some).then_some(around)
    }

    /// Returns true if the output needs line numbers.
    pub(super) fn has_lines(self) -> bool {
        self.line_number || self.column || self.around().is_some()
    }

    /// Returns the kind of total to print for each file. `several` is true if more than one file is
    /// read.
    pub(super) const fn totals(self, several: bool, quiet: bool) -> Option<Totals> {
        match (self.files_with_matches, self.count) {
            _ if quiet => None,
            (true, _) => Some(Totals::Names),
            (_, true) if (self.with_filename || several) && !self.no_filename => {
                Some(Totals::NamedCounts)
            }
            (_, true) => Some(Totals::Counts),
            _ => None,
        }
    }

    /// Returns true if only the first reference in each file is needed.
    pub(super) const fn only_first(self) -> bool {
        self.files_with_matches
    }

    /// Returns the format of references.
    pub(super) fn printer(self, several: bool, end: u8, reporting: Reporting) -> Printer {
        let names = self.with_filename || several && self.has_lines();
        Printer {
            json: reporting.json,
            lines: self.has_lines(),
            columns: self.column,
            names: names && !self.no_filename,
            null: self.null,
            counts_only: self.count || self.files_with_matches || reporting.quiet,
            end,
            terminal: io::stdout().is_terminal(),
            is_coloured: style::are_on_stdout(),
            defang: false,
        }
    }
}
