//! The formats of documents: their names, file name extensions and media types.

mod content;

use crate::decode::{Mark, mark};
use core::fmt;
use core::str::FromStr;
use urikit::UnknownName;

/// The format of a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Plain text.
    Text,
    /// HTML of any version, and XHTML.
    Html,
    /// A mail or news message with its MIME parts (RFC 5322, RFC 5536, RFC 2045), or a mailbox of
    /// messages (RFC 4155).
    Mail,
    /// Markdown: CommonMark with tables, footnotes, strikethrough, task lists, heading attributes,
    /// metadata blocks and mathematics.
    Markdown,
    /// XML of any vocabulary, such as RSS, Atom, SVG or sitemaps. Without the `xml` feature, XML
    /// is read as plain text.
    Xml,
    /// A style sheet: CSS, Sass (`.scss`) or Less.
    Css,
    /// Comma-separated values (RFC 4180).
    Csv,
    /// Tab-separated values.
    Tsv,
    /// reStructuredText.
    Rst,
    /// AsciiDoc.
    Asciidoc,
    /// Org, the format of Emacs.
    Org,
    /// LaTeX documents, and BibTeX bibliographies.
    Latex,
    /// roff: manual pages.
    Roff,
    /// A Jupyter notebook.
    Jupyter,
    /// iCalendar (RFC 5545) or vCard (RFC 6350).
    Icalendar,
    /// An HTTP archive (HAR).
    Har,
    /// Gemtext, the format of Gemini.
    Gemtext,
    /// A WAT record: the metadata of a response in a web archive, as JSON.
    Wat,
}

impl Format {
    /// The number of bytes of a file that [`Format::guess`] examines.
    pub const GUESS_LENGTH: usize = 8192;

    /// All formats.
    pub const ALL: [Self; 18] = [
        Self::Text,
        Self::Html,
        Self::Mail,
        Self::Markdown,
        Self::Xml,
        Self::Css,
        Self::Csv,
        Self::Tsv,
        Self::Rst,
        Self::Asciidoc,
        Self::Org,
        Self::Latex,
        Self::Roff,
        Self::Jupyter,
        Self::Icalendar,
        Self::Har,
        Self::Gemtext,
        Self::Wat,
    ];

    /// Returns the name in lower case, such as `html`. The [`FromStr`] implementation parses this
    /// name.
    pub fn as_str(self) -> &'static str {
        let mut table = TABLE.iter();
        let names = table.find(|names| names.format == self);
        names.map_or("", |names| names.name)
    }

    /// Returns the format of a media type, with or without parameters. Returns `None` for types
    /// that are not text.
    ///
    /// ```
    /// use urikit_extract::document::Format;
    /// let format = |name: &str| Format::of_media_type(name.as_bytes());
    /// assert_eq!(format("text/html; charset=utf-8"), Some(Format::Html));
    /// assert_eq!(format("image/svg+xml"), Some(Format::Xml));
    /// assert_eq!(format("application/json"), Some(Format::Text));
    /// assert_eq!(format("image/png"), None);
    /// ```
    pub fn of_media_type(name: &[u8]) -> Option<Self> {
        let name = name.split(|byte| *byte == b';').next()?.trim_ascii();
        let name = core::str::from_utf8(name).ok()?;
        by_type(&name.to_ascii_lowercase())
    }

    /// Returns true if documents of this format may have any length. Text, tables and HTML are read
    /// in constant memory. Markdown requires memory for its longest block, and a mailbox for its
    /// largest message. Documents in other formats are buffered in memory until they end.
    pub const fn is_streamed(self) -> bool {
        matches!(
            self,
            Self::Text | Self::Html | Self::Markdown | Self::Mail | Self::Csv | Self::Tsv
        )
    }

    /// Guesses the format of a file from its name and its first bytes;
    /// [`GUESS_LENGTH`](Self::GUESS_LENGTH) bytes are enough. Returns `None` if the file is binary:
    /// it has a NUL among these bytes, and no UTF-16 byte order mark at the beginning.
    ///
    /// A known file name extension takes precedence over the content. Otherwise the beginning of
    /// the content determines the format, for example an HTML document type or element, the `From `
    /// line of a mailbox, or the header fields of a message.
    ///
    /// ```
    /// use urikit_extract::document::Format;
    /// assert_eq!(Format::guess("index.html", b""), Some(Format::Html));
    /// assert_eq!(Format::guess("-", b"<!DOCTYPE html><title>"), Some(Format::Html));
    /// assert_eq!(Format::guess("1", b"Received: from a\r\nFrom: b@c\r\n"), Some(Format::Mail));
    /// assert_eq!(Format::guess("notes", b"see http://a.example/"), Some(Format::Text));
    /// assert_eq!(Format::guess("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\r"), None);
    /// ```
    pub fn guess(name: &str, content: &[u8]) -> Option<Self> {
        let content = content.get(..Self::GUESS_LENGTH).unwrap_or(content);
        let decoded = match mark(content) {
            Mark::Utf16(encoding, mark) => Some((encoding, mark)),
            Mark::None | Mark::Utf8 => None,
        };
        let decoded = decoded.map(|(encoding, mark)| {
            let text = content.get(mark..).unwrap_or_default();
            encoding.decode_without_bom_handling(text).0
        });
        let content = decoded.as_deref().map_or(content, str::as_bytes);
        if memchr::memchr(0, content).is_some() {
            return None;
        }
        let extension = extension(name);
        let known = extension.and_then(|extension| by_extension(&extension.to_ascii_lowercase()));
        Some(known.unwrap_or_else(|| content::guess(content, extension.is_some_and(is_section))))
    }
}

/// Returns the extension of a file name.
fn extension(name: &str) -> Option<&str> {
    let file = name.rsplit(['/', '\\']).next()?;
    Some(file.rsplit_once('.')?.1)
}

/// Returns true if a file name extension is a section of the manual, such as `1`, `3pm`,
/// `7ssl` or `n`.
fn is_section(extension: &str) -> bool {
    let is_suffix = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    matches!(extension, "l" | "n")
        || extension.starts_with(|c: char| c.is_ascii_digit())
            && extension.get(1..).is_some_and(is_suffix)
}

/// The names of a format.
struct FormatNames {
    format: Format,
    name: &'static str,
    extensions: &'static [&'static str],
    /// Media types. Media types with the `+xml` suffix are XML too.
    types: &'static [&'static str],
}

/// The names of each format, in the order of [`Format::ALL`].
const TABLE: [FormatNames; 18] = [
    FormatNames {
        format: Format::Text,
        name: "text",
        extensions: &["txt", "text", "log"],
        types: &["text/plain"],
    },
    FormatNames {
        format: Format::Html,
        name: "html",
        extensions: &["html", "htm", "xhtml", "xht", "shtml"],
        types: &["text/html", "application/xhtml+xml"],
    },
    FormatNames {
        format: Format::Mail,
        name: "mail",
        extensions: &["eml", "mbox", "mbx", "mht", "mhtml", "nws"],
        types: &["message/rfc822", "application/mbox"],
    },
    FormatNames {
        format: Format::Markdown,
        name: "markdown",
        // Markdown with JavaScript components (`.mdx`) or with R or Python code.
        extensions: &[
            "md", "markdown", "mdown", "mkd", "mkdn", "mdwn", "mdx", "qmd", "rmd",
        ],
        types: &["text/markdown", "text/x-markdown"],
    },
    FormatNames {
        format: Format::Xml,
        name: "xml",
        extensions: &[
            "xml", "svg", "rss", "atom", "rdf", "opml", "xsl", "xslt", "xsd", "kml", "gpx", "wsdl",
            "opf", "ncx", "plist", "rels",
        ],
        types: &["text/xml", "application/xml", "text/xsl"],
    },
    FormatNames {
        format: Format::Css,
        name: "css",
        extensions: &["css", "scss", "less"],
        types: &["text/css", "text/x-scss", "text/x-less"],
    },
    FormatNames {
        format: Format::Csv,
        name: "csv",
        extensions: &["csv"],
        types: &["text/csv", "text/comma-separated-values"],
    },
    FormatNames {
        format: Format::Tsv,
        name: "tsv",
        extensions: &["tsv", "tab"],
        types: &["text/tab-separated-values"],
    },
    FormatNames {
        format: Format::Rst,
        name: "rst",
        extensions: &["rst", "rest"],
        types: &["text/x-rst", "text/prs.fallenstein.rst"],
    },
    FormatNames {
        format: Format::Asciidoc,
        name: "asciidoc",
        extensions: &["adoc", "asciidoc", "asciidoctor"],
        types: &["text/asciidoc", "text/x-asciidoc"],
    },
    FormatNames {
        format: Format::Org,
        name: "org",
        extensions: &["org"],
        types: &["text/org", "text/x-org"],
    },
    FormatNames {
        format: Format::Latex,
        name: "latex",
        extensions: &["tex", "latex", "ltx", "sty", "cls", "bib", "dtx"],
        types: &[
            "text/x-tex",
            "text/latex",
            "application/x-tex",
            "application/x-latex",
        ],
    },
    FormatNames {
        format: Format::Roff,
        name: "roff",
        // Files whose extension is a section of the manual (`.1`) may be logs, so their format is
        // detected from the content.
        extensions: &["man", "mdoc", "roff", "troff"],
        types: &["text/troff", "application/x-troff-man"],
    },
    FormatNames {
        format: Format::Jupyter,
        name: "jupyter",
        extensions: &["ipynb"],
        types: &["application/x-ipynb+json"],
    },
    FormatNames {
        format: Format::Icalendar,
        name: "icalendar",
        extensions: &["ics", "ical", "ifb", "vcf", "vcard"],
        types: &[
            "text/calendar",
            "text/vcard",
            "text/x-vcard",
            "text/directory",
        ],
    },
    FormatNames {
        format: Format::Har,
        name: "har",
        extensions: &["har"],
        types: &["application/har+json"],
    },
    FormatNames {
        format: Format::Gemtext,
        name: "gemtext",
        extensions: &["gmi", "gemini"],
        types: &["text/gemini"],
    },
    FormatNames {
        format: Format::Wat,
        name: "wat",
        // A `.wat` file is a web archive of WAT records.
        extensions: &[],
        types: &[],
    },
];

/// Media types of text that is not in any of the other formats.
const TEXTS: [&str; 8] = [
    "application/json",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/x-ndjson",
    "application/yaml",
    "application/toml",
    "application/x-sh",
];

/// Returns the format for a file name extension in lower case.
fn by_extension(extension: &str) -> Option<Format> {
    let has = |names: &&FormatNames| names.extensions.contains(&extension);
    TABLE.iter().find(has).map(|names| names.format)
}

/// Returns the format for a media type in lower case, without parameters.
fn by_type(name: &str) -> Option<Format> {
    let has = |names: &&FormatNames| names.types.contains(&name);
    let known = TABLE.iter().find(has).map(|names| names.format);
    let is_text = || name.starts_with("text/") || name.ends_with("+json") || TEXTS.contains(&name);
    known
        .or_else(|| name.ends_with("+xml").then_some(Format::Xml))
        .or_else(|| is_text().then_some(Format::Text))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The names of all formats.
#[allow(clippy::indexing_slicing)] // in a constant, where an invalid index does not compile
const NAMES: [&str; TABLE.len()] = {
    let mut names = [""; TABLE.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = TABLE[index].name;
        index += 1;
    }
    names
};

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == name)
            .ok_or(UnknownName::new("format", &NAMES))
    }
}
