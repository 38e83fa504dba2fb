//! The options of a call: the reader, rejected rows, threads, and decoding.

use crate::cells::Text;
use crate::error::Reason;
use std::fmt;
use std::str::FromStr;
use urikit::octet;
use urikit::{Standard, UnknownName, names_of_all};

/// The parser that reads the rows of a column.
///
/// ```
/// use urikit::Standard;
/// use urikit_columns::Reader;
/// assert_eq!("java-net-uri".parse(), Ok(Reader::JavaNetUri));
/// assert_eq!(Reader::default(), Reader::Standard(Standard::Rfc3986));
/// let names = Reader::ALL.map(Reader::name);
/// assert_eq!(names.join(" "), "rfc1630 rfc1738 rfc1808 rfc2396 rfc2732 rfc3986 rfc3987 \
///     whatwg java-net-uri urllib lenient");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reader {
    /// A standard. References may be relative, and components are returned as written.
    Standard(Standard),
    /// The WHATWG URL Standard, which browsers follow: see [`Whatwg`](urikit_audit::Whatwg). The
    /// parser, the `url` crate, allocates for each row.
    Whatwg,
    /// `java.net.URI`, which Spark uses: see [`java`](urikit_audit::java). Components are raw, and
    /// null where Java returns null.
    JavaNetUri,
    /// Python's `urlsplit`: see [`urllib`](urikit_audit::urllib).
    Urllib,
    /// The regular expression of RFC 3986, Appendix B, which accepts any text: see
    /// [`Lenient`](urikit_audit::Lenient).
    Lenient,
}

impl Reader {
    /// All readers: the standards, oldest first, and then the other parsers.
    pub const ALL: [Self; 11] = [
        Self::Standard(Standard::Rfc1630),
        Self::Standard(Standard::Rfc1738),
        Self::Standard(Standard::Rfc1808),
        Self::Standard(Standard::Rfc2396),
        Self::Standard(Standard::Rfc2732),
        Self::Standard(Standard::Rfc3986),
        Self::Standard(Standard::Rfc3987),
        Self::Whatwg,
        Self::JavaNetUri,
        Self::Urllib,
        Self::Lenient,
    ];

    /// Returns the name, such as `rfc3986`. [`FromStr`] accepts it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard(standard) => standard.name(),
            Self::Whatwg => "whatwg",
            Self::JavaNetUri => "java-net-uri",
            Self::Urllib => "urllib",
            Self::Lenient => "lenient",
        }
    }
}

impl Default for Reader {
    /// Returns the reader for RFC 3986.
    fn default() -> Self {
        Self::Standard(Standard::Rfc3986)
    }
}

impl From<Standard> for Reader {
    fn from(standard: Standard) -> Self {
        Self::Standard(standard)
    }
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Reader {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Reader, name);
        let is_it = |reader: &Self| reader.name().eq_ignore_ascii_case(text);
        let error = UnknownName::new("reader", NAMES);
        Self::ALL.into_iter().find(is_it).ok_or(error)
    }
}

/// How to treat rows that the reader rejects.
///
/// ```
/// use urikit_columns::OnError;
/// assert_eq!("raise".parse(), Ok(OnError::Raise));
/// assert_eq!(OnError::default(), OnError::Null);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum OnError {
    /// The result is null. [`diagnose`](crate::diagnose) returns the reasons.
    #[default]
    Null,
    /// The call fails with [`ColumnError::Row`](crate::ColumnError::Row) for the first rejected
    /// row.
    Raise,
    /// The result is the row's text. `Keep` works only for `normalize`, `resolve`, `encode`,
    /// `decode`, `surt` and `canonicalize`, whose results are complete references or complete
    /// strings.
    Keep,
}

impl OnError {
    /// All treatments.
    pub const ALL: [Self; 3] = [Self::Null, Self::Raise, Self::Keep];

    /// Returns the name: `null`, `raise` or `keep`. [`FromStr`] accepts it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Raise => "raise",
            Self::Keep => "keep",
        }
    }
}

impl fmt::Display for OnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for OnError {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(OnError, name);
        let is_it = |choice: &Self| choice.name().eq_ignore_ascii_case(text);
        let error = UnknownName::new("treatment of rejected rows", NAMES);
        Self::ALL.into_iter().find(is_it).ok_or(error)
    }
}

/// The options of a call.
///
/// ```
/// use urikit_columns::{OnError, Options, Reader};
/// let options = Options::new().reader(Reader::Whatwg).on_error(OnError::Raise).threads(1);
/// assert_eq!((options.reader, options.threads), (Reader::Whatwg, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// The parser that reads the rows.
    pub reader: Reader,
    /// How to treat rows that the reader rejects.
    pub on_error: OnError,
    /// The number of threads, or 0 for one per core. The results do not depend on this number.
    /// Small columns use only the calling thread.
    pub threads: usize,
}

impl Options {
    /// Returns the default options: RFC 3986, null for rejected rows, one thread per core.
    pub const fn new() -> Self {
        Self {
            reader: Reader::Standard(Standard::Rfc3986),
            on_error: OnError::Null,
            threads: 0,
        }
    }

    /// Sets the reader.
    #[must_use]
    pub fn reader(mut self, reader: impl Into<Reader>) -> Self {
        self.reader = reader.into();
        self
    }

    /// Sets how rejected rows are treated.
    #[must_use]
    pub const fn on_error(mut self, on_error: OnError) -> Self {
        self.on_error = on_error;
        self
    }

    /// Sets the number of threads.
    #[must_use]
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}

impl From<Reader> for Options {
    fn from(reader: Reader) -> Self {
        Self::new().reader(reader)
    }
}

impl From<Standard> for Options {
    fn from(standard: Standard) -> Self {
        Self::new().reader(standard)
    }
}

/// The form in which functions return the pieces of a query or a path.
///
/// ```
/// use urikit_columns::Decoding;
/// assert_eq!("form".parse(), Ok(Decoding::Form));
/// assert_eq!(Decoding::default(), Decoding::Written);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Decoding {
    /// The piece as written.
    #[default]
    Written,
    /// The piece with its escapes decoded. Rejects rows with octets that are not UTF-8. Keeps a `%`
    /// that does not begin an escape, because some readers accept it.
    Decoded,
    /// The piece decoded as the data of an HTML form. Differs from [`Decoded`](Self::Decoded) in
    /// that `+` becomes a space, empty pairs are skipped, and a pair without `=` has an empty value
    /// (WHATWG URL Standard, 5.1). Rejects rows with octets that are not UTF-8.
    Form,
}

impl Decoding {
    /// All decodings.
    pub const ALL: [Self; 3] = [Self::Written, Self::Decoded, Self::Form];

    /// Returns the name: `written`, `decoded` or `form`. [`FromStr`] accepts it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Decoded => "decoded",
            Self::Form => "form",
        }
    }

    /// Splits a query at its ampersands, as [`Pairs`](urikit::component::Pairs) does: an empty
    /// query has no pairs, and a pair may be empty. A form has no empty pairs, and no pairs without
    /// a value.
    pub(crate) fn pairs(self, query: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
        let is_form = self == Self::Form;
        let pairs = (!query.is_empty()).then(|| query.split('&'));
        let pairs = pairs.into_iter().flatten();
        let pairs = pairs.filter(move |pair| !is_form || !pair.is_empty());
        pairs.map(move |pair| match pair.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (pair, is_form.then_some("")),
        })
    }

    /// Appends a piece of a row in this form.
    pub(crate) fn push(self, piece: &str, row: &str, cells: &mut Text) -> Result<(), Reason> {
        let is_plain = match self {
            Self::Written => true,
            Self::Decoded => !piece.contains('%'),
            Self::Form => !piece.contains(['%', '+']),
        };
        if is_plain {
            cells.push(piece);
            return Ok(());
        }
        let octets = octets(piece, self == Self::Form);
        cells.push_octets(octets).map_err(|nth| Reason::NotUtf8 {
            offset: start(piece, row) + offset(piece, nth),
        })
    }

    /// Returns whether a name decodes to `name`. Names are always decoded, even with
    /// [`Written`](Self::Written).
    pub(crate) fn is_named(self, written: &str, name: &str) -> bool {
        written == name && !written.contains(['%', '+'])
            || octets(written, self == Self::Form).eq(name.bytes())
    }
}

/// Decodes the escapes in text. A `%` without two hexadecimal digits is literal.
fn octets(text: &str, plus: bool) -> impl Iterator<Item = u8> {
    octet::octets(text.as_bytes()).map(move |octet| match octet.value {
        b'+' if plus && !octet.is_escaped => b' ',
        value => value,
    })
}

/// Returns the offset of a piece in its row, or 0 if the reader has changed the row.
#[cold]
fn start(piece: &str, row: &str) -> usize {
    let start = piece.as_ptr().addr().checked_sub(row.as_ptr().addr());
    let is_within = |start: &usize| {
        row.get(*start..)
            .is_some_and(|rest| rest.starts_with(piece))
    };
    start.filter(is_within).unwrap_or_default()
}

/// Returns the offset, in the text, of the decoded octet with this index.
#[cold]
fn offset(text: &str, nth: usize) -> usize {
    let octet = octet::octets(text.as_bytes()).nth(nth);
    octet.map_or(text.len(), |octet| octet.offset)
}

impl fmt::Display for Decoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Decoding {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Decoding, name);
        let is_it = |choice: &Self| choice.name().eq_ignore_ascii_case(text);
        let error = UnknownName::new("decoding", NAMES);
        Self::ALL.into_iter().find(is_it).ok_or(error)
    }
}
