//! What a caller chooses for a column.

use std::fmt;
use std::str::FromStr;
use urikit::Standard;

/// The rules by which the rows of a column are read.
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
    /// A standard; references may be relative, and components are as written.
    Standard(Standard),
    /// The WHATWG URL Standard, as browsers read: see [`Whatwg`](urikit_audit::Whatwg). The crate
    /// `url` allocates for each row.
    Whatwg,
    /// `java.net.URI`, as Spark reads: see [`java`](urikit_audit::java). Components are the raw
    /// ones, with Java's nulls.
    JavaNetUri,
    /// Python's `urlsplit`: see [`urllib`](urikit_audit::urllib).
    Urllib,
    /// The regular expression of RFC 3986, Appendix B, which rejects nothing: see
    /// [`Lenient`](urikit_audit::Lenient).
    Lenient,
}

impl Reader {
    /// All readers: the standards, oldest first, then the parsers.
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

    /// The name, such as `rfc3986`: what [`FromStr`] takes.
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
    /// RFC 3986.
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

    /// Reads a [`name`](Self::name), in any case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let is_it = |reader: &Self| reader.name().eq_ignore_ascii_case(text);
        let names = "a reader: rfc1630, rfc1738, rfc1808, rfc2396, rfc2732, rfc3986, rfc3987, \
                     whatwg, java-net-uri, urllib or lenient";
        Self::ALL
            .into_iter()
            .find(is_it)
            .ok_or(UnknownName { expected: names })
    }
}

/// What becomes of a row that the reader rejects.
///
/// ```
/// use urikit_columns::OnError;
/// assert_eq!("raise".parse(), Ok(OnError::Raise));
/// assert_eq!(OnError::default(), OnError::Null);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum OnError {
    /// It is null; [`diagnose`](crate::diagnose) says why.
    #[default]
    Null,
    /// The call fails with [`ColumnError::Row`](crate::ColumnError::Row), for the first such row.
    Raise,
    /// It keeps its text. For the functions whose results are complete references or texts:
    /// `normalize`, `resolve`, `encode`, `decode`, `surt` and `canonicalize`.
    Keep,
}

impl OnError {
    /// The name: `null`, `raise` or `keep`; what [`FromStr`] takes.
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

    /// Reads a [`name`](Self::name), in any case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let all = [Self::Null, Self::Raise, Self::Keep];
        let is_it = |choice: &Self| choice.name().eq_ignore_ascii_case(text);
        all.into_iter().find(is_it).ok_or(UnknownName {
            expected: "null, raise or keep",
        })
    }
}

/// How a column is read.
///
/// ```
/// use urikit_columns::{OnError, Options, Reader};
/// let options = Options::new().reader(Reader::Whatwg).on_error(OnError::Raise).threads(1);
/// assert_eq!(options, Options { threads: 1, ..Options::from(Reader::Whatwg).on_error(OnError::Raise) });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// The rules by which rows are read.
    pub reader: Reader,
    /// What becomes of a row that the reader rejects.
    pub on_error: OnError,
    /// How many threads work on the column; 0 for as many as there are cores. The results do not
    /// depend on it. Small columns are read by the calling thread alone.
    pub threads: usize,
}

impl Options {
    /// RFC 3986; a rejected row is null; all cores.
    pub const fn new() -> Self {
        Self {
            reader: Reader::Standard(Standard::Rfc3986),
            on_error: OnError::Null,
            threads: 0,
        }
    }

    /// The same with this reader.
    #[must_use]
    pub fn reader(mut self, reader: impl Into<Reader>) -> Self {
        self.reader = reader.into();
        self
    }

    /// The same with this choice for rejected rows.
    #[must_use]
    pub const fn on_error(mut self, on_error: OnError) -> Self {
        self.on_error = on_error;
        self
    }

    /// The same with this number of threads.
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

/// The error for a name that is not one of those that are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownName {
    pub(crate) expected: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl std::error::Error for UnknownName {}
