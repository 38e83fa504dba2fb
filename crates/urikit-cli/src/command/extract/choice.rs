//! The values of `--as` and `--kinds`.

use urikit_extract::Kind;
use urikit_extract::container::Container;
use urikit_extract::document::{Extractor, Format};

/// The values of `--as`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum As {
    Auto,
    Text,
    #[value(alias = "xhtml")]
    Html,
    #[value(alias = "mbox")]
    Mail,
    Markdown,
    #[value(aliases = ["svg", "rss", "atom", "sitemap"])]
    Xml,
    Css,
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
    #[value(alias = "gz")]
    Gzip,
    #[value(alias = "zst")]
    Zstd,
    Tar,
    #[value(aliases = ["epub", "docx", "odt"])]
    Zip,
    Warc,
    Pdf,
}

/// How a file is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reads {
    Document(Format),
    Container(Container),
}

impl As {
    /// How files are read; `None` if each file's name and content decide.
    pub(super) const fn reads(self) -> Option<Reads> {
        Some(match self {
            Self::Auto => return None,
            Self::Text => Reads::Document(Format::Text),
            Self::Html => Reads::Document(Format::Html),
            Self::Mail => Reads::Document(Format::Mail),
            Self::Markdown => Reads::Document(Format::Markdown),
            Self::Xml => Reads::Document(Format::Xml),
            Self::Css => Reads::Document(Format::Css),
            Self::Rst => Reads::Document(Format::Rst),
            Self::Asciidoc => Reads::Document(Format::Asciidoc),
            Self::Org => Reads::Document(Format::Org),
            Self::Latex => Reads::Document(Format::Latex),
            Self::Roff => Reads::Document(Format::Roff),
            Self::Jupyter => Reads::Document(Format::Jupyter),
            Self::Icalendar => Reads::Document(Format::Icalendar),
            Self::Har => Reads::Document(Format::Har),
            Self::Gzip => Reads::Container(Container::Gzip),
            Self::Zstd => Reads::Container(Container::Zstd),
            Self::Tar => Reads::Container(Container::Tar),
            Self::Zip => Reads::Container(Container::Zip),
            Self::Warc => Reads::Container(Container::Warc),
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
    All,
}

impl Kinds {
    /// Whether it includes this kind of reference.
    pub(super) fn contains(self, kind: Kind) -> bool {
        match self {
            Self::Wrapped => kind == Kind::Wrapped,
            Self::Bare => kind == Kind::Bare,
            Self::Link => kind == Kind::Link,
            Self::Abbreviated => kind == Kind::Abbreviated,
            Self::Address => kind == Kind::Address,
            Self::All => true,
        }
    }
}

/// The value of `--charset`: a label of the Encoding standard.
pub(super) fn charset(label: &str) -> Result<String, String> {
    match Extractor::new().charset(label) {
        Some(_) => Ok(label.to_owned()),
        None => Err("expected a charset, such as iso-8859-1 or shift_jis".to_owned()),
    }
}
