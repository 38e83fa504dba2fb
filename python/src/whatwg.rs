//! `WhatwgUrl`: a URL record of the WHATWG URL Standard, with the attributes that JavaScript's `URL`
//! has.

use crate::errors;
use crate::text::Text;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use urikit_audit::Whatwg;
use url::{Url, quirks};

/// A URL as browsers and Node parse it (WHATWG URL Standard), with the attributes of JavaScript's
/// ``URL``.
///
/// ``urikit.parse(text, "whatwg")`` returns one. The parser repairs and normalizes what it reads, so
/// the URL can differ from the text. Attributes can be assigned, as in JavaScript, but an assignment
/// that JavaScript ignores raises ``EditError``.
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
pub(crate) struct PyUrl(Url);

pub(crate) fn parse(py: Python<'_>, text: &str) -> PyResult<PyUrl> {
    match Whatwg.parse(text) {
        Ok(url) => Ok(PyUrl(url)),
        Err(rejection) => Err(errors::other(py, "ParseError", rejection.to_string())),
    }
}

/// Raises an error for an assignment that the standard ignores.
fn assigned(py: Python<'_>, name: &str, value: &str, result: Result<(), ()>) -> PyResult<()> {
    result.map_err(|()| {
        let message = format!("the URL cannot have the {name} `{value}`");
        errors::other(py, "EditError", message)
    })
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

    /// The complete URL. Assigning parses another one.
    #[getter]
    fn href(&self) -> &str {
        self.0.as_str()
    }

    #[setter]
    fn set_href(&mut self, py: Python<'_>, href: Text<'_>) -> PyResult<()> {
        *self = parse(py, &href)?;
        Ok(())
    }

    /// The origin: scheme, host and port, or ``'null'`` if it is opaque.
    #[getter]
    fn origin(&self) -> String {
        quirks::origin(&self.0)
    }

    /// The scheme with its colon.
    #[getter]
    fn protocol(&self) -> &str {
        quirks::protocol(&self.0)
    }

    #[setter]
    fn set_protocol(&mut self, py: Python<'_>, protocol: Text<'_>) -> PyResult<()> {
        let result = quirks::set_protocol(&mut self.0, &protocol);
        assigned(py, "scheme", &protocol, result)
    }

    /// The user, escaped, or an empty string.
    #[getter]
    fn username(&self) -> &str {
        quirks::username(&self.0)
    }

    #[setter]
    fn set_username(&mut self, py: Python<'_>, username: Text<'_>) -> PyResult<()> {
        let result = quirks::set_username(&mut self.0, &username);
        assigned(py, "user", &username, result)
    }

    /// The password, escaped, or an empty string.
    #[getter]
    fn password(&self) -> &str {
        quirks::password(&self.0)
    }

    #[setter]
    fn set_password(&mut self, py: Python<'_>, password: Text<'_>) -> PyResult<()> {
        let result = quirks::set_password(&mut self.0, &password);
        assigned(py, "password", "***", result)
    }

    /// The host, with the port if it is not the default port of the scheme.
    #[getter]
    fn host(&self) -> &str {
        quirks::host(&self.0)
    }

    #[setter]
    fn set_host(&mut self, py: Python<'_>, host: Text<'_>) -> PyResult<()> {
        let result = quirks::set_host(&mut self.0, &host);
        assigned(py, "host", &host, result)
    }

    /// The host without the port: a name in lower case, or an address.
    #[getter]
    fn hostname(&self) -> &str {
        quirks::hostname(&self.0)
    }

    #[setter]
    fn set_hostname(&mut self, py: Python<'_>, hostname: Text<'_>) -> PyResult<()> {
        let result = quirks::set_hostname(&mut self.0, &hostname);
        assigned(py, "host", &hostname, result)
    }

    /// The port as a string. It is empty if the URL has the default port of its scheme.
    #[getter]
    fn port(&self) -> &str {
        quirks::port(&self.0)
    }

    #[setter]
    fn set_port(&mut self, port: &Bound<'_, PyAny>) -> PyResult<()> {
        let port = port.str()?;
        let text: Text<'_> = port.as_any().extract()?;
        let result = quirks::set_port(&mut self.0, &text);
        assigned(port.py(), "port", &text, result)
    }

    /// The path, escaped.
    #[getter]
    fn pathname(&self) -> &str {
        quirks::pathname(&self.0)
    }

    #[setter]
    fn set_pathname(&mut self, py: Python<'_>, pathname: Text<'_>) -> PyResult<()> {
        let is_opaque = self.0.cannot_be_a_base();
        quirks::set_pathname(&mut self.0, &pathname);
        let result = if is_opaque { Err(()) } else { Ok(()) };
        assigned(py, "path", &pathname, result)
    }

    /// The query with its question mark, or an empty string.
    #[getter]
    fn search(&self) -> &str {
        quirks::search(&self.0)
    }

    #[setter]
    fn set_search(&mut self, search: Text<'_>) {
        quirks::set_search(&mut self.0, &search);
    }

    /// The fragment with its number sign, or an empty string.
    #[getter]
    fn hash(&self) -> &str {
        quirks::hash(&self.0)
    }

    #[setter]
    fn set_hash(&mut self, hash: Text<'_>) {
        quirks::set_hash(&mut self.0, &hash);
    }

    /// Resolves a reference against this URL, as a browser does with a link on a page.
    ///
    /// >>> import urikit
    /// >>> urikit.parse("https://good.example/login", "whatwg").join("/\\evil.example/").href
    /// 'https://evil.example/'
    fn join(&self, py: Python<'_>, reference: Text<'_>) -> PyResult<Self> {
        match Whatwg.join(&self.0, &reference) {
            Ok(url) => Ok(Self(url)),
            Err(rejection) => Err(errors::other(py, "ParseError", rejection.to_string())),
        }
    }

    fn __str__(&self) -> &str {
        self.0.as_str()
    }

    fn __repr__(&self) -> String {
        let mut shown = self.0.clone();
        if shown.password().is_some() {
            // INVARIANT: a URL with a password can have another one.
            let _ = shown.set_password(Some("***"));
        }
        format!("WhatwgUrl('{}')", shown.as_str().escape_debug())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.borrow().0 == self.0)
    }

    fn __copy__(&self) -> Self {
        Self(self.0.clone())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        Self(self.0.clone())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Bound<'py, PyString>,)) {
        let href = PyString::new(py, self.0.as_str());
        (py.get_type::<Self>(), (href,))
    }
}
