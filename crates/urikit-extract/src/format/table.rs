//! What is known of each format: its names, the extensions of its files, its media types.

use super::Format;

/// A format and its names.
pub(super) struct Facts {
    pub(super) format: Format,
    pub(super) name: &'static str,
    extensions: &'static [&'static str],
    /// Media types, of which others with a suffix such as `+xml` are more.
    types: &'static [&'static str],
}

/// One line for each format, in the order of [`Format::ALL`].
pub(super) const TABLE: [Facts; 14] = [
    Facts {
        format: Format::Text,
        name: "text",
        extensions: &["txt", "text", "log"],
        types: &["text/plain"],
    },
    Facts {
        format: Format::Html,
        name: "html",
        extensions: &["html", "htm", "xhtml", "xht", "shtml"],
        types: &["text/html", "application/xhtml+xml"],
    },
    Facts {
        format: Format::Mail,
        name: "mail",
        extensions: &["eml", "mbox", "mbx", "mht", "mhtml", "nws"],
        types: &["message/rfc822", "application/mbox"],
    },
    Facts {
        format: Format::Markdown,
        name: "markdown",
        extensions: &["md", "markdown", "mdown", "mkd", "mkdn", "mdwn"],
        types: &["text/markdown", "text/x-markdown"],
    },
    Facts {
        format: Format::Xml,
        name: "xml",
        extensions: &[
            "xml", "svg", "rss", "atom", "rdf", "opml", "xsl", "xslt", "xsd", "kml", "gpx", "wsdl",
            "opf", "ncx", "plist", "rels",
        ],
        types: &["text/xml", "application/xml", "text/xsl"],
    },
    Facts {
        format: Format::Css,
        name: "css",
        extensions: &["css"],
        types: &["text/css"],
    },
    Facts {
        format: Format::Rst,
        name: "rst",
        extensions: &["rst", "rest"],
        types: &["text/x-rst", "text/prs.fallenstein.rst"],
    },
    Facts {
        format: Format::Asciidoc,
        name: "asciidoc",
        extensions: &["adoc", "asciidoc", "asciidoctor"],
        types: &["text/asciidoc", "text/x-asciidoc"],
    },
    Facts {
        format: Format::Org,
        name: "org",
        extensions: &["org"],
        types: &["text/org", "text/x-org"],
    },
    Facts {
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
    Facts {
        format: Format::Roff,
        name: "roff",
        // Those of manual pages, `.1` to `.9`, may be anything: the content decides.
        extensions: &["man", "mdoc", "roff", "troff"],
        types: &["text/troff", "application/x-troff-man"],
    },
    Facts {
        format: Format::Jupyter,
        name: "jupyter",
        extensions: &["ipynb"],
        types: &["application/x-ipynb+json"],
    },
    Facts {
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
    Facts {
        format: Format::Har,
        name: "har",
        extensions: &["har"],
        types: &["application/har+json"],
    },
];

/// Media types that are text, of no format that is known here.
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

/// The format for a file name extension in lower case.
pub(super) fn by_extension(extension: &str) -> Option<Format> {
    let has = |facts: &&Facts| facts.extensions.contains(&extension);
    TABLE.iter().find(has).map(|facts| facts.format)
}

/// The format for a media type in lower case, without parameters.
pub(super) fn by_type(name: &str) -> Option<Format> {
    let has = |facts: &&Facts| facts.types.contains(&name);
    let known = TABLE.iter().find(has).map(|facts| facts.format);
    let is_text = || name.starts_with("text/") || name.ends_with("+json") || TEXTS.contains(&name);
    known
        .or_else(|| name.ends_with("+xml").then_some(Format::Xml))
        .or_else(|| is_text().then_some(Format::Text))
}
