//! The components of a reference under their public names.

use urikit::component::{Authority, Encoded};
use urikit::{AnyRef, Form, HostKind};

/// The components of a reference, as written; for `whatwg`, as its URL record holds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Components<'a> {
    pub(crate) form: Form,
    pub(crate) scheme: Option<&'a str>,
    pub(crate) authority: Option<&'a str>,
    pub(crate) userinfo: Option<&'a str>,
    pub(crate) user: Option<&'a str>,
    pub(crate) password: Option<&'a str>,
    pub(crate) host: Option<&'a str>,
    pub(crate) host_kind: Option<HostKind>,
    pub(crate) port: Option<&'a str>,
    pub(crate) path: &'a str,
    pub(crate) params: Option<&'a str>,
    pub(crate) query: Option<&'a str>,
    pub(crate) fragment: Option<&'a str>,
    pub(crate) opaque: bool,
}

impl<'a> Components<'a> {
    /// The components of the core's reference.
    pub(super) fn of(reference: AnyRef<'a>) -> Self {
        let authority = reference.authority();
        Self {
            form: reference.form(),
            scheme: reference.scheme(),
            authority: authority.map(Authority::as_str),
            userinfo: authority.and_then(|a| Some(a.userinfo()?.as_str())),
            user: authority.and_then(|a| Some(a.user()?.as_str())),
            password: authority.and_then(|a| Some(a.password()?.as_str())),
            host: authority.map(|a| a.host().as_str()),
            host_kind: reference.host_kind(),
            port: authority.and_then(Authority::port),
            path: reference.path().as_str(),
            params: reference.params().map(Encoded::as_str),
            query: reference.query().map(Encoded::as_str),
            fragment: reference.fragment().map(Encoded::as_str),
            opaque: reference.is_opaque(),
        }
    }

    /// The port as a number; `None` if it is absent, empty or above 65535.
    pub(crate) fn port_number(&self) -> Option<u16> {
        self.port?.parse().ok()
    }

    /// The keys of [`texts`](Self::texts).
    pub(crate) const KEYS: [&'static str; 13] = [
        "form",
        "scheme",
        "authority",
        "userinfo",
        "user",
        "password",
        "host",
        "host_kind",
        "port",
        "path",
        "params",
        "query",
        "fragment",
    ];

    /// All components that are text, by key, in the order of `--json`.
    pub(crate) fn texts(&self) -> [(&'static str, Option<&'a str>); 13] {
        [
            ("form", Some(self.form.as_str())),
            ("scheme", self.scheme),
            ("authority", self.authority),
            ("userinfo", self.userinfo),
            ("user", self.user),
            ("password", self.password),
            ("host", self.host),
            ("host_kind", self.host_kind.map(HostKind::as_str)),
            ("port", self.port),
            ("path", Some(self.path)),
            ("params", self.params),
            ("query", self.query),
            ("fragment", self.fragment),
        ]
    }
}
