//! The parameters of the operations, which have the same names as the options of the command.

use urikit::op::Level;
use urikit::percent::Place;
use urikit_audit::Keep;
use urikit_extract::container::Container;
use urikit_extract::document::Format;
use urikit_keys::Step;
use urikit_report::Reader;
use urikit_report::compare::Ignored;
use urikit_report::percent::Charset;

/// A parameter.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// A description in one sentence.
    pub(crate) about: &'static str,
    pub(crate) kind: Kind,
}

/// The values that a parameter accepts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Any text.
    Text,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// A list of arbitrary names.
    Names,
    /// A list of some of these words.
    Words(fn() -> Vec<&'static str>),
}

impl Parameter {
    const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, about, kind }
    }

    /// Returns true if the parameter may be repeated.
    pub(crate) const fn is_list(&self) -> bool {
        matches!(self.kind, Kind::Names | Kind::Words(_))
    }
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $id:ident = $name:literal, $kind:expr, $about:literal;)*) => {
        $(pub(super) static $id: Parameter = Parameter::new($name, $kind, $about);)*
    };
}

parameters! {
    URL = "url", Kind::Text, "The reference.";
    A = "a", Kind::Text, "The first reference.";
    B = "b", Kind::Text, "The second reference.";
    BASE = "base", Kind::Text, "The base, which must have a scheme.";
    PAGE = "base", Kind::Text, "The page that contains the reference: an absolute http or https URL.";
    DOCUMENT_BASE = "base", Kind::Text, "The base of a document that does not define one.";
    TEXT = "text", Kind::Text, "The text.";
    DOCUMENT = "text", Kind::Text,
        "The document. A body of any type other than JSON is also treated as a document.";
    NAME = "name", Kind::Text,
        "The name of a scheme. If no name is given, all known schemes are returned.";
    STANDARD = "standard", Kind::Word(standards), "The standard to follow.";
    RFC = "standard", Kind::Word(rfcs), "The RFC to follow.";
    SCHEME_TEXT = "scheme-text", Kind::Word(|| vec!["original", "successor"]),
        "The edition of the scheme's specification.";
    LENIENT = "lenient", Kind::Flag, "Repair a reference that is not valid.";
    GUESS = "guess", Kind::Flag, "Guess a missing scheme.";
    ABOVE_ROOT = "above-root", Kind::Word(|| vec!["keep", "drop", "refuse"]),
        "Keep, drop or refuse `..` above the root.";
    SAME_SCHEME = "same-scheme", Kind::Word(|| vec!["strict", "inherit"]),
        "Treat a reference with the scheme of the base as absolute (strict) or relative (inherit).";
    SLASH_RULE = "slash-rule", Kind::Word(|| vec!["examples", "text"]),
        "Match the slashes of a partial form (RFC 1630) as the RFC's examples do, or as its text \
        says.";
    LEVEL = "level", Kind::Word(|| Level::ALL.map(Level::name).to_vec()), "Normalize up to this level.";
    KEY = "key", Kind::Text, "Return a web archive key: surt:urikit, surt:ia-python, surt:ia-java or surt:cdxj.";
    STEP = "step", Kind::Words(|| Step::ALL.map(Step::name).to_vec()), "Steps to apply after normalization.";
    IGNORE = "ignore", Kind::Words(|| Ignored::ALL.map(Ignored::name).to_vec()), "Differences to ignore.";
    DIFF = "diff", Kind::Flag, "List the components that differ.";
    SAME = "same", Kind::Word(|| Keep::NAMES.to_vec()), "The part of the base that a target must share.";
    COMPONENT = "component", Kind::Word(|| Place::ALL.map(Place::as_str).to_vec()), "The component that contains the text.";
    CHARSET = "charset", Kind::Word(|| Charset::ALL.map(Charset::name).to_vec()), "The character encoding of escaped octets.";
    FORM = "form", Kind::Flag, "Write a space in a query as `+`, as HTML forms do.";
    PARTLY = "partly", Kind::Flag, "Keep escapes in the text instead of escaping their `%`.";
    IRI = "iri", Kind::Flag, "Convert a complete IRI to a URI, or a URI to an IRI.";
    IDNA = "idna", Kind::Flag, "With `iri`, convert the host to its DNS form.";
    LONE_PERCENT = "lenient", Kind::Flag, "Keep a `%` that does not begin an escape.";
    TEXT_PAGE = "page", Kind::Flag, "Add the key `result`: the page that the command prints.";
    AS = "as", Kind::Word(formats), "The format of the document; `auto` detects it.";
    KINDS = "kinds", Kind::Words(|| KIND_NAMES.to_vec()), "The kinds of references to find.";
    REFANG = "refang", Kind::Flag, "Find defanged indicators too.";
    DEFANG = "defang", Kind::Flag, "Add the defanged form of each reference.";
    TEMPLATES = "templates", Kind::Flag, "Find links with placeholders too.";
    DETECT = "detect", Kind::Word(|| vec!["urikit", "uts58"]), "The rules for links in text.";
    SCHEME = "scheme", Kind::Names, "Return only references with one of these schemes.";
    IN = "in", Kind::Names, "Return only references in one of these positions, such as `a@href`, \
        `img`, `@src`, `field=List-Unsubscribe` or `syntax=image`.";
    REL = "rel", Kind::Names, "Return only references whose element has one of these keywords in its rel attribute.";
    UNIQUE = "unique", Kind::Flag, "Return each reference only once.";
    DOCUMENT_CHARSET = "charset", Kind::Text, "The charset of the document, overriding its declaration.";
    DEEP = "deep", Kind::Flag,
        "Also find links in scripts, JSON, comments and unknown HTML attributes.";
}

/// The values of `kinds`.
pub(super) const KIND_NAMES: [&str; 7] = [
    "wrapped",
    "bare",
    "link",
    "abbreviated",
    "address",
    "defanged",
    "all",
];

fn standards() -> Vec<&'static str> {
    Reader::ALL.map(Reader::name).to_vec()
}

fn rfcs() -> Vec<&'static str> {
    let rfcs = Reader::ALL
        .into_iter()
        .filter(|reader| *reader != Reader::Whatwg);
    rfcs.map(Reader::name).collect()
}

fn formats() -> Vec<&'static str> {
    let documents = Format::ALL.map(Format::as_str);
    let containers = Container::ALL.map(Container::as_str);
    ["auto"]
        .into_iter()
        .chain(documents)
        .chain(containers)
        .collect()
}
