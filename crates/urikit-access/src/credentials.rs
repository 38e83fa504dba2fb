//! A user and a password.

use std::fmt;
use urikit::AnyRef;

/// A user and a password, for one origin: they are dropped if a redirect leads to another scheme,
/// host or port.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user name, not percent-encoded. It is sent as UTF-8.
    pub user: String,
    /// The password, not percent-encoded. It is sent as UTF-8.
    pub password: String,
}

impl Credentials {
    /// Those in an `http` or `https` URL, decoded; `None` if it has none, or some that are not UTF-8.
    pub(crate) fn in_url(reference: AnyRef<'_>) -> Option<Self> {
        let scheme = reference.scheme()?;
        if !["http", "https"]
            .iter()
            .any(|it| it.eq_ignore_ascii_case(scheme))
        {
            return None;
        }
        Self::of(reference)
    }

    /// Those in a URL of any scheme.
    pub(crate) fn of(reference: AnyRef<'_>) -> Option<Self> {
        let user = reference.user().map(|user| user.to_bytes().into_owned());
        let password = reference.password().map(|it| it.to_bytes().into_owned());
        let user = String::from_utf8(user?).ok()?;
        let password = String::from_utf8(password.unwrap_or_default()).ok()?;
        (!user.is_empty() || !password.is_empty()).then_some(Self { user, password })
    }
}

impl fmt::Debug for Credentials {
    /// The password is masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:***", self.user)
    }
}
