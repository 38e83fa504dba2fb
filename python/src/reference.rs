//! `Reference`: parsing, properties, `replace` through a builder, and repair.

use crate::text::Text;
use crate::whatwg::{self, PyUrl};
use crate::{edit, errors, names};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use urikit::component::Encoded;
use urikit::op::{Component, UriBuilder};
use urikit::{AnyRef, AnyRefBuf, HostKind, ParseError, Standard};

/// Strings of at least this many bytes are parsed without the GIL. For a shorter string, releasing
/// the GIL takes longer than parsing.
const LONG: usize = 1 << 14;

/// An immutable URI, IRI or relative reference, parsed under one standard.
///
/// ``urikit.parse`` returns a ``Reference``. Components are kept as written. Nothing is decoded,
/// and an absent component (``None``) differs from an empty one.
///
/// >>> import urikit
/// >>> url = urikit.parse("https://user@Example.com:8042/over/there?name=fer%20ret#nose")
/// >>> url.host, url.port, url.path, url.query, url.fragment
/// ('Example.com', 8042, '/over/there', 'name=fer%20ret', 'nose')
/// >>> url.query_pairs
/// (('name', 'fer ret'),)
/// >>> str(url.normalize())
/// 'https://user@example.com:8042/over/there?name=fer%20ret#nose'
/// >>> url == urikit.parse(str(url))
/// True
#[pyclass(frozen, module = "urikit", name = "Reference")]
pub(crate) struct PyReference {
    pub(crate) inner: AnyRefBuf,
}

impl PyReference {
    pub(crate) fn view(&self) -> AnyRef<'_> {
        self.inner.as_any_ref()
    }
}

impl From<AnyRefBuf> for PyReference {
    fn from(inner: AnyRefBuf) -> Self {
        Self { inner }
    }
}

/// Runs `work` on `text`, without holding the GIL if the text is long.
pub(crate) fn detached<T: Send>(py: Python<'_>, text: &str, work: impl Send + FnOnce() -> T) -> T {
    if text.len() < LONG {
        work()
    } else {
        py.detach(work)
    }
}

fn parsed(py: Python<'_>, text: &str, standard: Standard) -> Result<AnyRefBuf, ParseError> {
    detached(py, text, || AnyRefBuf::parse(text, standard))
}

/// Parses a string as a reference under a standard (``STANDARDS`` lists the names).
///
/// Raises ``ParseError`` with the offset and the reason.
///
/// >>> import urikit
/// >>> urikit.parse("http://example.com/%7Euser").path
/// '/%7Euser'
/// >>> urikit.parse("http://[::1]/", "rfc2396")
/// Traceback (most recent call last):
/// ...
/// urikit.ParseError: expected a host character, `/`, `?`, `#` or the end, but found `[` at byte 7 (authority, RFC 2396, 3.2)
///
/// With ``"whatwg"``, parses the string as browsers do, and returns a ``WhatwgUrl``.
///
/// >>> urikit.parse("http://0x7f.1\\a", "whatwg").href
/// 'http://127.0.0.1/a'
#[pyfunction]
#[pyo3(signature = (text, standard = "rfc3986"))]
pub(crate) fn parse(py: Python<'_>, text: Text<'_>, standard: &str) -> PyResult<Parsed> {
    match standard {
        "whatwg" => whatwg::parse(py, &text).map(Parsed::Url),
        _ if standard.parse::<Standard>().is_err() => Err(names::unknown_standard(standard)),
        _ => reference(py, text, standard).map(Parsed::Reference),
    }
}

/// The result of `parse`.
#[derive(IntoPyObject)]
pub(crate) enum Parsed {
    Reference(PyReference),
    Url(PyUrl),
}

fn reference(py: Python<'_>, text: Text<'_>, standard: &str) -> PyResult<PyReference> {
    let standard = names::standard(standard)?;
    match parsed(py, &text, standard) {
        Ok(inner) => Ok(inner.into()),
        Err(error) => Err(errors::parse(py, &error, &text)),
    }
}

/// Returns the error that ``parse`` would raise, or ``None``.
///
/// >>> import urikit
/// >>> urikit.validate("http://example.com/")
/// >>> urikit.validate("http://a/b|c").offset
/// 10
#[pyfunction]
#[pyo3(signature = (text, standard = "rfc3986"))]
pub(crate) fn validate(
    py: Python<'_>,
    text: &Bound<'_, PyString>,
    standard: &str,
) -> PyResult<Option<PyErr>> {
    let standard = names::standard(standard)?;
    let text = match text.to_str() {
        Ok(text) => text,
        Err(error) => return Ok(Some(errors::surrogate(text, &error))),
    };
    let result = detached(py, text, || standard.parse(text).map(|_| ()));
    Ok(result.err().map(|error| errors::parse(py, &error, text)))
}

/// Returns the text of a component, or `None` if it is absent.
fn text(part: Option<Encoded<'_>>) -> Option<&str> {
    part.map(Encoded::as_str)
}

/// Decodes a string, or returns it as written if the decoded bytes are not UTF-8.
fn decoded<'py>(py: Python<'py>, part: Encoded<'_>) -> Bound<'py, PyString> {
    match part.decode_utf8() {
        Ok(text) => PyString::new(py, &text),
        Err(_) => PyString::new(py, part.as_str()),
    }
}

#[pymethods]
impl PyReference {
    /// The five components defined in RFC 3986, 3, in the order in which `match` uses them.
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&str, &str, &str, &str, &str) =
        ("scheme", "authority", "path", "query", "fragment");

    #[new]
    #[pyo3(signature = (text, standard = "rfc3986"))]
    fn new(py: Python<'_>, text: Text<'_>, standard: &str) -> PyResult<Self> {
        reference(py, text, standard)
    }

    /// The standard under which the text was parsed, for example ``'rfc3986'``.
    #[getter]
    fn standard(&self) -> &'static str {
        self.inner.standard().name()
    }

    /// The form of the reference: ``'absolute'``, ``'network-path'``, ``'absolute-path'``,
    /// ``'relative-path'``, ``'query-only'``, ``'fragment-only'`` or ``'empty'``.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("//example.com/a").form
    /// 'network-path'
    #[getter]
    fn form(&self) -> &'static str {
        self.view().form().as_str()
    }

    /// The scheme as written, without its colon.
    #[getter]
    fn scheme(&self) -> Option<&str> {
        self.inner.scheme()
    }

    /// The authority, which is the text between ``//`` and the path.
    #[getter]
    fn authority(&self) -> Option<&str> {
        self.view().authority().map(|authority| authority.as_str())
    }

    /// The userinfo, which is the text before the ``@``: the user, and the password after the first
    /// colon.
    #[getter]
    fn userinfo(&self) -> Option<&str> {
        text(self.view().userinfo())
    }

    /// The user: the userinfo up to its first colon.
    #[getter]
    fn user(&self) -> Option<&str> {
        text(self.view().user())
    }

    /// The password: the userinfo after its first colon.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("ftp://foo:@host.com/").password  # RFC 1738, 3.1: empty, not absent
    /// ''
    #[getter]
    fn password(&self) -> Option<&str> {
        text(self.view().password())
    }

    /// The host as written; an IPv6 address includes its brackets.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.view().host().map(|host| host.as_str())
    }

    /// The kind of the host: ``'name'``, ``'ipv4'``, ``'ipv6'``, ``'ipvfuture'``, ``'reg-name'``
    /// (any other host) or ``'empty'``. The kind is ``None`` if there is no authority.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("ldap://[2001:db8::7]/c=GB?objectClass?one").host_kind
    /// 'ipv6'
    #[getter]
    fn host_kind(&self) -> Option<&'static str> {
        self.inner.host_kind().map(HostKind::as_str)
    }

    /// The port as a number, or ``None`` if it is absent, empty or above 65535.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("http://a:0080/").port
    /// 80
    #[getter]
    fn port(&self) -> Option<u16> {
        self.inner.port_number()
    }

    /// The port as written, or ``None`` if it is absent.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("http://a:0080/").port_text
    /// '0080'
    #[getter]
    fn port_text(&self) -> Option<&str> {
        self.inner.port()
    }

    /// The port, or the default port of the scheme.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("https://example.com/").port_or_default
    /// 443
    #[getter]
    fn port_or_default(&self) -> Option<u16> {
        self.view().port_or_default()
    }

    /// The path. The path may be empty, but is never absent.
    #[getter]
    fn path(&self) -> &str {
        self.view().path().as_str()
    }

    /// The segments of the path, as written.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("http://a/b%2Fc/d/").segments
    /// ('b%2Fc', 'd', '')
    #[getter]
    fn segments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let segments: Vec<_> = self.view().segments().map(|one| one.as_str()).collect();
        PyTuple::new(py, segments)
    }

    /// The query, without its ``?``.
    #[getter]
    fn query(&self) -> Option<&str> {
        text(self.view().query())
    }

    /// The decoded names and values of the query. A ``+`` remains a ``+``. If a pair has no ``=``,
    /// its value is ``None``. A name or value that does not decode to UTF-8 is returned as written.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("/?a=1%2B1&b&c=").query_pairs
    /// (('a', '1+1'), ('b', None), ('c', ''))
    #[getter]
    fn query_pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let view = self.view();
        let pairs: Vec<_> = view
            .query_pairs()
            .map(|pair| {
                (
                    decoded(py, pair.name()),
                    pair.value().map(|value| decoded(py, value)),
                )
            })
            .collect();
        PyTuple::new(py, pairs)
    }

    /// The pairs of the query, decoded like those of an HTML form: a ``+`` is a space, and a pair
    /// without ``=`` has an empty value.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("/?q=fer+ret&x").form_pairs
    /// (('q', 'fer ret'), ('x', ''))
    #[getter]
    fn form_pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let view = self.view();
        let text = self.inner.as_str();
        // INVARIANT: the query follows the first question mark.
        let mut start = text.find('?').map_or(0, |at| at + 1);
        let mut pairs = Vec::new();
        for pair in view.query_pairs() {
            let decode = |part: Encoded<'_>, start| match part.decode_form_utf8() {
                Ok(text) => Ok(text.into_owned()),
                Err(error) => Err(errors::not_utf8(py, error, start, text)),
            };
            let (name, value) = (pair.name(), pair.value());
            let value_start = start + name.as_str().len() + 1;
            if !pair.is_empty() {
                let name = decode(name, start)?;
                let value = value.map(|value| decode(value, value_start)).transpose()?;
                pairs.push((name, value.unwrap_or_default()));
            }
            start = value.map_or(value_start, |value| value_start + value.as_str().len() + 1);
        }
        PyTuple::new(py, pairs)
    }

    /// The origin: scheme, host and port (RFC 6454, 6.2). The value is ``None`` if the origin is
    /// opaque, because the reference has no scheme or no host.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("HTTPS://Example.com:443/a").origin
    /// 'https://example.com'
    /// >>> urikit.parse("data:,x").origin
    #[getter]
    fn origin(&self) -> Option<String> {
        let origin = self.view().origin().ok()?;
        Some(origin.to_string())
    }

    /// The params under RFC 1808, or ``None`` under all other standards.
    #[getter]
    fn params(&self) -> Option<&str> {
        text(self.inner.params())
    }

    /// The fragment, without its ``#``.
    #[getter]
    fn fragment(&self) -> Option<&str> {
        text(self.view().fragment())
    }

    /// True if the reference has a scheme.
    #[getter]
    fn is_absolute(&self) -> bool {
        self.inner.scheme().is_some()
    }

    /// True if the URI is opaque. Under the standards before RFC 3986, a URI is opaque if it has
    /// no authority and its path does not start with ``/``.
    #[getter]
    fn is_opaque(&self) -> bool {
        self.inner.is_opaque()
    }

    /// Resolves this reference against a base (RFC 3986, 5.2).
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("../g").resolve("http://a/b/c/d;p?q"))
    /// 'http://a/b/g'
    fn resolve(&self, py: Python<'_>, base: &Bound<'_, PyAny>) -> PyResult<Self> {
        let base = self.other(base)?;
        match self.view().resolve_against(base.view()) {
            Ok(target) => Ok(target.into()),
            Err(error) => Err(errors::resolve(py, &error, self.inner.as_str())),
        }
    }

    /// Resolves another reference against this one, as a browser resolves a link on a page.
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("http://a/b/c/d;p?q").join("../g"))
    /// 'http://a/b/g'
    fn join(&self, py: Python<'_>, reference: &Bound<'_, PyAny>) -> PyResult<Self> {
        let reference = self.other(reference)?;
        match reference.view().resolve_against(self.view()) {
            Ok(target) => Ok(target.into()),
            Err(error) => Err(errors::resolve(py, &error, reference.inner.as_str())),
        }
    }

    /// Returns the shortest reference that resolves to this one against a base.
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("http://a/b/g").relative_to("http://a/b/c/d;p?q"))
    /// '../g'
    fn relative_to(&self, py: Python<'_>, base: &Bound<'_, PyAny>) -> PyResult<Self> {
        let base = self.other(base)?;
        match self.view().relative_to(base.view()) {
            Ok(reference) => Ok(reference.into()),
            Err(error) => Err(errors::relativize(py, error)),
        }
    }

    /// Returns the normal form at a level of RFC 3986, 6.2: ``'case'``, ``'escapes'``, ``'path'``
    /// or ``'scheme'``.
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("HTTP://Example.com:80/%7Efoo/./x").normalize())
    /// 'http://example.com/~foo/x'
    #[pyo3(signature = (level = "scheme"))]
    fn normalize(&self, py: Python<'_>, level: &str) -> PyResult<Self> {
        let level = names::level(level)?;
        let normalize = || self.inner.clone().into_normalized_to(level);
        Ok(detached(py, self.inner.as_str(), normalize).into())
    }

    /// Returns true if the reference is in normal form at the given level.
    #[pyo3(signature = (level = "scheme"))]
    fn is_normal(&self, level: &str) -> PyResult<bool> {
        Ok(self.view().is_normal(names::level(level)?))
    }

    /// Returns the first step in RFC 3986, 6.2 at which the two references are equivalent:
    /// ``'identical'``, ``'case'``, ``'escapes'``, ``'path'`` or ``'scheme'``. Returns ``None`` if
    /// they are not equivalent.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("http://example.com/").compare("http://example.com:80")
    /// 'scheme'
    fn compare(&self, other: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        let other = self.other(other)?;
        Ok(self.view().compare(other.view()).map(|step| step.name()))
    }

    /// Returns a copy with changed components.
    ///
    /// ``scheme``, ``userinfo``, ``host``, ``port``, ``path``, ``query`` and ``fragment`` accept
    /// text that is already escaped, or a ``urikit.Data``, which this method escapes. ``user``,
    /// ``password``, ``segments`` and ``query_pairs`` accept data. ``None`` removes a component.
    ///
    /// ``segments`` are joined with slashes, even if some are empty. An absolute path stays
    /// absolute. An empty list of segments leaves an empty path, and an empty list of pairs removes
    /// the query. A ``%`` is data, so decode the segments of another reference first. Raises
    /// ``TypeError`` if two arguments set the same component, such as ``path`` and ``segments``.
    ///
    /// >>> import urikit
    /// >>> url = urikit.parse("http://example.com/a?x=1")
    /// >>> str(url.replace(scheme="https", query_pairs=[("q", "50% off"), ("n", None)]))
    /// 'https://example.com/a?q=50%25%20off&n'
    /// >>> str(url.replace(path=urikit.Data("/a b"), query=None, port=8080))
    /// 'http://example.com:8080/a%20b'
    /// >>> str(url.replace(segments=["b", "", "c/d"]))
    /// 'http://example.com/b//c%2Fd?x=1'
    #[pyo3(signature = (**changes))]
    fn replace(&self, py: Python<'_>, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let builder = edit::builder(self.view(), changes)?;
        built(py, builder, |component| {
            let value = changes?.get_item(component.as_str()).ok()??;
            value.extract().ok()
        })
    }

    /// Returns a copy with another scheme; ``None`` removes the scheme.
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("http://example.com/a").with_scheme("https"))
    /// 'https://example.com/a'
    fn with_scheme(&self, scheme: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with("scheme", scheme)
    }

    /// Returns a copy with another host; ``None`` removes the authority.
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("http://me@example.com:81/a").with_host("example.org"))
    /// 'http://me@example.org:81/a'
    fn with_host(&self, host: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with("host", host)
    }

    /// Returns a copy with another port; ``None`` removes the port.
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("http://example.com/a").with_port(8080))
    /// 'http://example.com:8080/a'
    fn with_port(&self, port: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with("port", port)
    }

    /// Returns a copy with another path, which is text that is already escaped or a
    /// ``urikit.Data``. The query and the fragment are kept.
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("http://example.com/a?x").with_path(urikit.Data("/a b")))
    /// 'http://example.com/a%20b?x'
    fn with_path(&self, path: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with("path", path)
    }

    /// Returns a copy with another query: text that is already escaped, a ``urikit.Data``, or
    /// pairs of data (a mapping, or an iterable of tuples or lists). ``None`` removes the query.
    ///
    /// >>> import urikit
    /// >>> url = urikit.parse("http://example.com/a")
    /// >>> str(url.with_query("x=%41"))
    /// 'http://example.com/a?x=%41'
    /// >>> str(url.with_query({"q": "50% off", "n": None}))
    /// 'http://example.com/a?q=50%25%20off&n'
    fn with_query(&self, query: &Bound<'_, PyAny>) -> PyResult<Self> {
        let is_text = query.is_none() || query.is_instance_of::<PyString>();
        self.with(if is_text { "query" } else { "query_pairs" }, query)
    }

    /// Returns a copy with another fragment, which is text that is already escaped or a
    /// ``urikit.Data``. ``None`` removes the fragment.
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("http://example.com/a#b").with_fragment(None))
    /// 'http://example.com/a'
    fn with_fragment(&self, fragment: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with("fragment", fragment)
    }

    /// Appends a segment to the path. The segment is data: a slash in it is escaped. If the last
    /// segment is empty, the new segment replaces it. The query and the fragment are kept.
    ///
    /// >>> import urikit
    /// >>> str(urikit.parse("http://example.com/a/?x") / "b c" / "d/e")
    /// 'http://example.com/a/b%20c/d%2Fe?x'
    fn __truediv__(&self, segment: &Bound<'_, PyString>) -> PyResult<Self> {
        // If the argument had the type `Text`, an error would be turned into `NotImplemented`.
        let text: Text<'_> = segment.extract()?;
        let builder = self.view().to_builder().push_segment(text.as_str());
        built(segment.py(), builder, |_| None)
    }

    /// Returns the text with its password masked, for display and logs.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("ftp://user:secret@host.dom/").redact()
    /// 'ftp://user:***@host.dom/'
    fn redact(&self) -> String {
        self.view().display_redacted().to_string()
    }

    /// Converts the reference to a URI (RFC 3987, 3.1). Escapes non-ASCII characters. With
    /// ``idna``, converts the host to a DNS name.
    ///
    /// >>> import urikit
    /// >>> iri = urikit.parse("http://résumé.example.org/é", "rfc3987")
    /// >>> str(iri.to_uri(idna=True))
    /// 'http://xn--rsum-bpad.example.org/%C3%A9'
    #[pyo3(signature = (*, idna = false))]
    fn to_uri(&self, py: Python<'_>, idna: bool) -> PyResult<Self> {
        let view = self.view();
        if !view.as_str().is_ascii() || view.standard() == Standard::Rfc3987 {
            let iri = urikit::IriRef::parse(view.as_str())
                .map_err(|error| errors::parse(py, &error, view.as_str()))?;
            let uri = if idna {
                iri.to_uri_idna()
                    .map_err(|error| errors::other(py, "ResolveError", error.to_string()))?
            } else {
                iri.to_uri()
            };
            return Ok(AnyRefBuf::from(uri).into());
        }
        Ok(self.inner.clone().into())
    }

    fn __str__(&self) -> &str {
        self.inner.as_str()
    }

    fn __repr__(&self) -> String {
        let text = self.redact();
        match self.inner.standard() {
            Standard::Rfc3986 => format!("Reference('{}')", text.escape_debug()),
            standard => format!("Reference('{}', '{standard}')", text.escape_debug()),
        }
    }

    /// Formats the reference as the string that ``str`` returns.
    ///
    /// >>> import urikit
    /// >>> f"{urikit.parse('http://a/'):>12}|"
    /// '   http://a/|'
    fn __format__<'py>(&self, py: Python<'py>, spec: &str) -> PyResult<Bound<'py, PyAny>> {
        PyString::new(py, self.inner.as_str()).call_method1("__format__", (spec,))
    }

    /// Compares the references as strings, character by character.
    ///
    /// >>> import urikit
    /// >>> [str(url) for url in sorted(map(urikit.parse, ["http://b/", "http://a/"]))]
    /// ['http://a/', 'http://b/']
    fn __lt__(&self, other: &Self) -> bool {
        self.order() < other.order()
    }

    fn __le__(&self, other: &Self) -> bool {
        self.order() <= other.order()
    }

    fn __gt__(&self, other: &Self) -> bool {
        self.order() > other.order()
    }

    fn __ge__(&self, other: &Self) -> bool {
        self.order() >= other.order()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().inner == self.inner)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, &'static str)) {
        let arguments = (self.inner.as_str().to_owned(), self.standard());
        (py.get_type::<Self>(), arguments)
    }
}

/// Builds a reference. `value` returns the new value of a component, for errors.
fn built(
    py: Python<'_>,
    builder: UriBuilder<'_>,
    value: impl FnOnce(Component) -> Option<String>,
) -> PyResult<PyReference> {
    match builder.build_any() {
        Ok(inner) => Ok(inner.into()),
        Err(error) => Err(errors::edit(py, error, value)),
    }
}

/// A reference, or a string to parse under the same standard.
enum Other<'a, 'py> {
    Reference(&'a Bound<'py, PyReference>),
    Text(AnyRefBuf),
}

impl PyReference {
    /// The sort key: the text, and then the standard, which orders references with equal text.
    fn order(&self) -> (&str, Standard) {
        (self.inner.as_str(), self.inner.standard())
    }

    /// Returns a copy with one component changed.
    fn with(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let builder = edit::change(self.view().to_builder(), name, value)?;
        built(value.py(), builder, |_| value.extract().ok())
    }

    fn other(&self, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let other = match value.cast::<Self>() {
            Ok(reference) => Other::Reference(reference),
            Err(_) => {
                let text: Text<'_> = value.extract()?;
                let parsed = parsed(value.py(), &text, self.inner.standard());
                Other::Text(parsed.map_err(|error| errors::parse(value.py(), &error, &text))?)
            }
        };
        Ok(match other {
            Other::Reference(reference) => reference.get().inner.clone().into(),
            Other::Text(inner) => inner.into(),
        })
    }
}

/// The repaired reference, and for each change its byte offset, the text found, and its
/// replacement.
type Repaired = (PyReference, Vec<(usize, String, String)>);

#[pyfunction]
pub(crate) fn repair(py: Python<'_>, text: Text<'_>) -> PyResult<Repaired> {
    let repaired = py
        .detach(|| urikit::repair(&text))
        .map_err(|error| errors::repair(py, &error, &text))?;
    let changes = repaired.changes.into_iter();
    let changes = changes.map(|one| (one.offset, one.found, one.became));
    let reference = AnyRefBuf::from(repaired.reference);
    Ok((reference.into(), changes.collect()))
}
