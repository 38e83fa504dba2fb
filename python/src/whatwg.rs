//! `WhatwgUrl`: a URL record of the WHATWG URL Standard, with the attributes of JavaScript's `URL`,
//! except `searchParams`.

use crate::errors;
use crate::text::Text;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::borrow::Cow;
use urikit::UriRefBuf;
use urikit_audit::Whatwg;
use url::{Position, Url, quirks};

/// A URL as browsers and Node parse it (WHATWG URL Standard), with the attributes of JavaScript's
/// ``URL``, except ``searchParams``. ``urikit.urllib.parse.parse_qsl(url.search[1:], True)`` returns
/// the pairs of the query.
///
/// ``urikit.parse(text, "whatwg")`` returns a ``WhatwgUrl``. The parser repairs and normalizes its
/// input, so the URL can differ from the text. Attributes can be assigned, as in JavaScript, but an
/// assignment that JavaScript ignores raises ``EditError``.
///
/// >>> import urikit
/// >>> url = urikit.parse("HTTPS:\\\\User@Example.com:443/a/../b c", "whatwg")
/// >>> url.href
/// 'https://User@example.com/b%20c'
/// >>> url.search = "q=ü"
/// >>> url.port = 8080
/// >>> url.join("../x").href, str(url)
/// ('https://User@example.com:8080/x', 'https://User@example.com:8080/b%20c?q=%C3%BC')
#[pyclass(module = "urikit", name = "WhatwgUrl")]
pub(crate) struct PyUrl(Record);

/// A URL record. Parsing with the `url` crate takes several times as long as checking whether the
/// standard would change the string, so a string that would not change is kept as it is until an
/// attribute needs the crate.
#[derive(Clone)]
enum Record {
    Unchanged(UriRefBuf),
    Url(Url),
}

impl Record {
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        match Whatwg.unchanged(text) {
            Some(url) => Ok(Self::Unchanged(url.to_owned())),
            None => url(py, text).map(Self::Url),
        }
    }

    fn href(&self) -> &str {
        match self {
            Self::Unchanged(text) => text.as_str(),
            Self::Url(url) => url.as_str(),
        }
    }

    /// Returns a copy with another query, or `None` if the query must be escaped.
    fn with_query(&self, search: &str) -> Option<Self> {
        let Self::Unchanged(text) = self else {
            return None;
        };
        let query = search.strip_prefix('?').unwrap_or(search);
        if query.is_empty() || query.contains(['\'', '#']) {
            return None;
        }
        let (rest, fragment) = match text.as_str().split_once('#') {
            Some((rest, fragment)) => (rest, Some(fragment)),
            None => (text.as_str(), None),
        };
        let before = rest.split('?').next().unwrap_or_default();
        let mut edited = String::with_capacity(rest.len() + query.len() + 1);
        edited.extend([before, "?", query]);
        if let Some(fragment) = fragment {
            edited.extend(["#", fragment]);
        }
        UriRefBuf::try_from(edited).ok().map(Self::Unchanged)
    }
}

fn url(py: Python<'_>, text: &str) -> PyResult<Url> {
    Whatwg
        .parse(text)
        .map_err(|rejection| errors::other(py, "ParseError", rejection.to_string()))
}

pub(crate) fn parse(py: Python<'_>, text: &str) -> PyResult<PyUrl> {
    Record::parse(py, text).map(PyUrl)
}

impl PyUrl {
    /// Returns the URL as a record of the `url` crate.
    fn url(&self, py: Python<'_>) -> PyResult<Cow<'_, Url>> {
        match &self.0 {
            Record::Unchanged(text) => url(py, text.as_str()).map(Cow::Owned),
            Record::Url(url) => Ok(Cow::Borrowed(url)),
        }
    }

    /// Reads an attribute.
    fn get(&self, py: Python<'_>, read: impl FnOnce(&Url) -> &str) -> PyResult<Py<PyString>> {
        Ok(PyString::new(py, read(self.url(py)?.as_ref())).unbind())
    }

    /// Assigns an attribute. Raises an error if the standard would ignore the assignment.
    fn set(
        &mut self,
        py: Python<'_>,
        (name, value): (&str, &str),
        write: impl FnOnce(&mut Url, &str) -> Result<(), ()>,
    ) -> PyResult<()> {
        let mut url = self.url(py)?.into_owned();
        write(&mut url, value).map_err(|()| {
            let shown = if name == "password" { "***" } else { value };
            let message = format!("the URL cannot have the {name} `{shown}`");
            errors::other(py, "EditError", message)
        })?;
        self.0 = Record::Url(url);
        Ok(())
    }
}

#[pymethods]
impl PyUrl {
    #[new]
    #[pyo3(signature = (text, base = None))]
    fn new(py: Python<'_>, text: Text<'_>, base: Option<Text<'_>>) -> PyResult<Self> {
        match base {
            None => parse(py, &text),
            Some(base) => parse(py, &base)?.join(py, text),
        }
    }

    /// The complete URL. An assignment to this attribute parses a new URL.
    #[getter]
    fn href(&self) -> &str {
        self.0.href()
    }

    #[setter]
    fn set_href(&mut self, py: Python<'_>, href: Text<'_>) -> PyResult<()> {
        *self = parse(py, &href)?;
        Ok(())
    }

    /// The origin: scheme, host and port, or ``'null'`` if it is opaque.
    #[getter]
    fn origin(&self, py: Python<'_>) -> PyResult<String> {
        Ok(quirks::origin(self.url(py)?.as_ref()))
    }

    /// The scheme with its colon.
    #[getter]
    fn protocol(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.get(py, quirks::protocol)
    }

    #[setter]
    fn set_protocol(&mut self, py: Python<'_>, protocol: Text<'_>) -> PyResult<()> {
        self.set(py, ("scheme", &protocol), quirks::set_protocol)
    }

    /// The user, escaped, or an empty string.
    #[getter]
    fn username(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.get(py, quirks::username)
    }

    #[setter]
    fn set_username(&mut self, py: Python<'_>, username: Text<'_>) -> PyResult<()> {
        self.set(py, ("user", &username), quirks::set_username)
    }

    /// The password, escaped, or an empty string.
    #[getter]
    fn password(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.get(py, quirks::password)
    }

    #[setter]
    fn set_password(&mut self, py: Python<'_>, password: Text<'_>) -> PyResult<()> {
        self.set(py, ("password", &password), quirks::set_password)
    }

    /// The host, with the port if it is not the default port of the scheme.
    #[getter]
    fn host(&self) -> &str {
        match &self.0 {
            Record::Unchanged(text) => text.authority().map_or("", |authority| authority.as_str()),
            Record::Url(url) => quirks::host(url),
        }
    }

    #[setter]
    fn set_host(&mut self, py: Python<'_>, host: Text<'_>) -> PyResult<()> {
        self.set(py, ("host", &host), quirks::set_host)
    }

    /// The host without the port: a name in lower case, or an address.
    #[getter]
    fn hostname(&self) -> &str {
        match &self.0 {
            Record::Unchanged(text) => text.host().map_or("", |host| host.as_str()),
            Record::Url(url) => quirks::hostname(url),
        }
    }

    #[setter]
    fn set_hostname(&mut self, py: Python<'_>, hostname: Text<'_>) -> PyResult<()> {
        self.set(py, ("host", &hostname), quirks::set_hostname)
    }

    /// The port as a string. The string is empty if the port is the default port of the scheme.
    #[getter]
    fn port(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.get(py, quirks::port)
    }

    #[setter]
    fn set_port(&mut self, port: &Bound<'_, PyAny>) -> PyResult<()> {
        let port = port.str()?;
        let text: Text<'_> = port.as_any().extract()?;
        self.set(port.py(), ("port", &text), quirks::set_port)
    }

    /// The path, escaped. It can be empty only if the scheme is not special (``http``, ``file`` …).
    #[getter]
    fn pathname(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.get(py, quirks::pathname)
    }

    #[setter]
    fn set_pathname(&mut self, py: Python<'_>, pathname: Text<'_>) -> PyResult<()> {
        self.set(py, ("path", &pathname), |url, path| {
            // The path start state adds a slash only if the host is null (4.4), but the crate
            // always does.
            let is_empty = path.trim_matches(['\t', '\n', '\r']).is_empty();
            if is_empty && url.has_authority() && !url.is_special() {
                let (before, after) = (&url[..Position::BeforePath], &url[Position::AfterPath..]);
                *url = Url::parse(&format!("{before}{after}")).map_err(drop)?;
                return Ok(());
            }
            quirks::set_pathname(url, path);
            if url.cannot_be_a_base() {
                Err(())
            } else {
                Ok(())
            }
        })
    }

    /// The query with its question mark, or an empty string.
    #[getter]
    fn search(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.get(py, quirks::search)
    }

    #[setter]
    fn set_search(&mut self, py: Python<'_>, search: Text<'_>) -> PyResult<()> {
        if let Some(edited) = self.0.with_query(&search) {
            self.0 = edited;
            return Ok(());
        }
        self.set(py, ("query", &search), |url, search| {
            quirks::set_search(url, search);
            Ok(())
        })
    }

    /// The fragment with its number sign, or an empty string.
    #[getter]
    fn hash(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.get(py, quirks::hash)
    }

    #[setter]
    fn set_hash(&mut self, py: Python<'_>, hash: Text<'_>) -> PyResult<()> {
        self.set(py, ("fragment", &hash), |url, hash| {
            quirks::set_hash(url, hash);
            Ok(())
        })
    }

    /// Resolves a reference against this URL, as a browser does with a link on a page.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("https://good.example/login", "whatwg").join("/\\evil.example/").href
    /// 'https://evil.example/'
    fn join(&self, py: Python<'_>, reference: Text<'_>) -> PyResult<Self> {
        match Whatwg.join(self.url(py)?.as_ref(), &reference) {
            Ok(url) => Ok(Self(Record::Url(url))),
            Err(rejection) => Err(errors::other(py, "ParseError", rejection.to_string())),
        }
    }

    fn __str__(&self) -> &str {
        self.0.href()
    }

    fn __repr__(&self) -> String {
        let mut shown = self.0.clone();
        if let Record::Url(url) = &mut shown
            && url.password().is_some()
        {
            // INVARIANT: the password of a URL that has one can be replaced.
            let _ = url.set_password(Some("***"));
        }
        format!("WhatwgUrl('{}')", shown.href().escape_debug())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.borrow().0.href() == self.0.href())
    }

    fn __copy__(&self) -> Self {
        Self(self.0.clone())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        Self(self.0.clone())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Bound<'py, PyString>,)) {
        let href = PyString::new(py, self.0.href());
        (py.get_type::<Self>(), (href,))
    }
}
