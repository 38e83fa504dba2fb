//! Editing: a reference is taken apart, changed, put together and read again.
//!
//! Parts that are not changed go over byte for byte. The result is parsed by the same standard and must have each of
//! its components just where it was put: otherwise the edit is refused, and whatever is edited stays as it was. So the
//! traps of syntax need no list here: a path `//x` without an authority, a first segment with a colon, a relative path
//! behind an authority, a query behind an opaque part (RFC 3986, 3.3, 4.2 and 5.3; RFC 2396, 3 and 5.2).

mod error;
mod escape;
mod leaving;
mod owned;
mod path;
mod place;
mod query;
mod scheme;
mod value;

pub use error::{Component, EditError};
pub use value::{Change, Value};

use super::any::AnyRef;
use super::owned::RejectedText;
use crate::Standard;
use crate::component::Encoded;
use crate::parse::{Parts, Production};
use crate::scan::cut::Cut;
use alloc::boxed::Box;
use alloc::string::String;
use place::Place;

/// Changes to a reference, made together: only the result must be valid, and no step on the way.
///
/// From [`AnyRef::edit`], or [`Edit::new`] for the empty reference. Each method takes what the component becomes and
/// gives the edit back; what goes wrong is told at the end by [`write_into`](Self::write_into). Text is escaped as
/// [`Value`] says.
///
/// ```
/// use urikit::{Standard, Value};
/// let url = Standard::Rfc2396.parse("ftp://foo:@host.dom:21/%2Fetc/motd;type=a")?;
/// let mut out = String::new();
/// url.edit().scheme("http").userinfo(None).port(8080).write_into(&mut out)?;
/// assert_eq!(out, "http://host.dom:8080/%2Fetc/motd;type=a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Edit<'a> {
    standard: Standard,
    generic: bool,
    scheme: Option<Value<'a>>,
    /// There is a userinfo when there is a user.
    user: Option<Value<'a>>,
    password: Option<Value<'a>>,
    /// There is an authority when there is a host.
    host: Option<Value<'a>>,
    port: Option<Value<'a>>,
    path: Value<'a>,
    params: Option<Value<'a>>,
    query: Option<Value<'a>>,
    fragment: Option<Value<'a>>,
    separator: char,
    /// The first thing that went wrong.
    failure: Option<EditError>,
}

impl<'a> AnyRef<'a> {
    /// Begins an edit of this reference, which itself stays as it is.
    pub fn edit(self) -> Edit<'a> {
        let kept = |text: Encoded<'a>| Value::exact(text.as_str());
        Edit {
            standard: self.standard(),
            generic: self.is_generic(),
            scheme: self.scheme().map(Value::exact),
            user: self.user().map(kept),
            password: self.password().map(kept),
            host: self.host().map(|host| kept(host.encoded())),
            port: self.port().map(Value::exact),
            path: kept(self.path().encoded()),
            params: self.params().map(kept),
            query: self.query().map(kept),
            fragment: self.fragment().map(kept),
            separator: crate::component::AMPERSAND,
            failure: None,
        }
    }
}

/// Setters that replace a value, which is escaped at the end, when the scheme is known.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, change: impl Into<Change<'a>>) -> Self {
            self.$name = change.into().into_option();
            self
        }
    )*};
}

impl<'a> Edit<'a> {
    /// Begins with the empty reference.
    ///
    /// ```
    /// use urikit::{Edit, Standard};
    /// let mut out = String::new();
    /// // RFC 3986, 1.1.2
    /// let edit = Edit::new(Standard::Rfc3986).scheme("tel").path("+1-816-555-1212");
    /// assert_eq!(edit.write_into(&mut out)?.as_str(), "tel:+1-816-555-1212");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    pub fn new(standard: Standard) -> Self {
        Self {
            standard,
            generic: false,
            scheme: None,
            user: None,
            password: None,
            host: None,
            port: None,
            path: Value::exact(""),
            params: None,
            query: None,
            fragment: None,
            separator: crate::component::AMPERSAND,
            failure: None,
        }
    }

    setters! {
        /// The scheme, without its colon.
        scheme;
        /// What stands before the userinfo's first colon. Without a user there is no userinfo, and so no password.
        user;
        /// What stands behind the userinfo's first colon. It needs a user, if an empty one.
        password;
        /// The host. Without a host there is no authority, and so no userinfo and no port. An address in brackets is
        /// taken as it is.
        host;
        /// The digits of the port, without the colon: text or a number.
        port;
        /// RFC 1808's params, without the semicolon; no other standard has them.
        params;
        /// The query, without the question mark.
        query;
        /// The fragment, without the number sign.
        fragment;
    }

    /// The whole userinfo, without its `@`: the user, and the password behind the first colon.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("ftp://foo:@host.com/")?; // RFC 1738, 3.1
    /// let mut out = String::new();
    /// let edited = url.edit().userinfo("a@b:c:d").write_into(&mut out)?;
    /// assert_eq!(edited.as_str(), "ftp://a%40b:c:d@host.com/");
    /// assert_eq!(edited.password().unwrap(), "c:d");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn userinfo(mut self, change: impl Into<Change<'a>>) -> Self {
        let userinfo = change.into().into_option();
        let part = |value: &Value<'a>, text: &str| Value {
            text: String::from(text).into(),
            reading: value.reading,
        };
        self.password = userinfo.as_ref().and_then(|value| {
            let (_, password) = value.text.split_once(':')?;
            Some(part(value, password))
        });
        self.user = userinfo.map(|value| match value.text.split_once(':') {
            Some((user, _)) => part(&value, user),
            None => value,
        });
        self
    }

    /// Removes the whole authority: userinfo, host and port.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("file://localhost/etc/fstab")?; // RFC 8089, 2
    /// let mut out = String::new();
    /// assert_eq!(url.edit().without_authority().write_into(&mut out)?.as_str(), "file:/etc/fstab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without_authority(self) -> Self {
        self.userinfo(None).host(None).port(None)
    }

    /// The path, with its first slash; its segments are what stands between slashes.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("ldap://[2001:db8::7]/c=GB?objectClass?one")?; // RFC 3986, 1.1.2
    /// let mut out = String::new();
    /// url.edit().path("/c=GB,l=Great Yarmouth").write_into(&mut out)?;
    /// assert_eq!(out, "ldap://[2001:db8::7]/c=GB,l=Great%20Yarmouth?objectClass?one");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn path(mut self, path: impl Into<Value<'a>>) -> Self {
        self.path = path.into();
        self
    }

    /// Appends the result to `out` and gives a view of it.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let url = UriRef::parse("http://a/b")?;
    /// let mut out = String::from("before ");
    /// // RFC 3986, 3.3: without an authority, no path begins with `//`.
    /// assert!(url.edit().without_authority().path("//b").write_into(&mut out).is_err());
    /// assert_eq!(out, "before ");
    /// url.edit().fragment("s").write_into(&mut out)?;
    /// assert_eq!(out, "before http://a/b#s");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the result is no reference, or not the one that is meant; `out` is then as it was.
    pub fn write_into(self, out: &mut String) -> Result<AnyRef<'_>, EditError> {
        let start = out.len();
        match self.append(out) {
            Ok(parts) => {
                let text = out.get(start..).unwrap_or_default();
                Ok(AnyRef::from_cut(Cut::new(text, parts), self.standard))
            }
            Err(error) => {
                out.truncate(start);
                Err(error)
            }
        }
    }

    /// The parts of the result, which is appended to `out`, whatever comes of it.
    pub(super) fn append(&self, out: &mut String) -> Result<Parts, EditError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let start = out.len();
        let meant = self.compose(start, out)?;
        let text = out.get(start..).unwrap_or_default();
        let production = if self.generic {
            Production::Generic
        } else {
            Production::Own
        };
        let failure = match crate::parse::reference(text.as_bytes(), self.standard, production) {
            Ok(parts) => match meant.compare(&parts) {
                Ok(()) => return Ok(parts),
                Err(error) => error,
            },
            Err(error) => {
                let text = String::from(text);
                EditError::Refused(Box::new(RejectedText::new(text, error)))
            }
        };
        Err(self.explained(failure))
    }

    /// What is wrong with a component that was given, where that is known; else what was found in the result.
    fn explained(&self, failure: EditError) -> EditError {
        let component = Component::Query;
        if let Some(error) = self.bad_scheme() {
            error
        } else if self.path_joins_host() {
            // The text joins the host, whatever else comes of that.
            EditError::NeedsSlash
        } else if self.is_opaque() && failure == (EditError::Misread { component }) {
            EditError::Opaque { component }
        } else {
            failure
        }
    }

    /// Whether nothing would part the path from the authority.
    fn path_joins_host(&self) -> bool {
        self.host.is_some() && !self.path.text.is_empty() && !self.path.text.starts_with('/')
    }

    /// The scheme, which needs no escaping to be known.
    fn scheme_text(&self) -> Option<&str> {
        self.scheme.as_ref().map(|scheme| &*scheme.text)
    }

    /// Whether the path is all that follows the scheme's colon, and no path with segments.
    fn is_opaque(&self) -> bool {
        matches!(
            self.standard,
            Standard::Rfc1630 | Standard::Rfc1738 | Standard::Rfc2396 | Standard::Rfc2732
        ) && self.scheme.is_some()
            && self.host.is_none()
            && !self.path.text.starts_with('/')
    }

    /// Appends all components, with their delimiters, to `out`, where the reference begins at `start`.
    fn compose(&self, start: usize, out: &mut String) -> Result<Layout, EditError> {
        let mut layout = Layout::default();
        if let Some(scheme) = &self.scheme {
            out.push_str(&scheme.text);
            layout.scheme = Some(out.len() - start);
            out.push(':');
        }
        self.authority(start, out, &mut layout)?;
        layout.path = out.len() - start;
        let place = if self.is_opaque() {
            Place::Opaque
        } else {
            Place::Path
        };
        self.write(&self.path, place, out)?;
        if let Some(params) = &self.params {
            if self.standard != Standard::Rfc1808 {
                return Err(EditError::NoSuchComponent {
                    component: Component::Params,
                    standard: self.standard,
                });
            }
            layout.params = Some(out.len() - start);
            out.push(';');
            self.write(params, Place::Params, out)?;
        }
        if let Some(query) = &self.query {
            layout.query = Some(out.len() - start);
            out.push('?');
            self.write(query, Place::Query, out)?;
        }
        if let Some(fragment) = &self.fragment {
            layout.fragment = Some(out.len() - start);
            out.push('#');
            self.write(fragment, Place::Fragment, out)?;
        }
        Ok(layout)
    }

    /// Appends `//` and the authority, where there is one.
    fn authority(
        &self,
        start: usize,
        out: &mut String,
        layout: &mut Layout,
    ) -> Result<(), EditError> {
        let needs_host = |component| Err(EditError::NeedsHost { component });
        let Some(host) = &self.host else {
            return match (&self.user, &self.password, &self.port) {
                (None, None, None) => Ok(()),
                (None, None, Some(_)) => needs_host(Component::Port),
                _ => needs_host(Component::Userinfo),
            };
        };
        layout.authority = true;
        out.push_str("//");
        if let Some(user) = &self.user {
            let from = out.len();
            self.write(user, Place::User, out)?;
            if out.get(from..).unwrap_or_default().contains(':') {
                return Err(EditError::Misread {
                    component: Component::Userinfo,
                });
            }
            if let Some(password) = &self.password {
                out.push(':');
                self.write(password, Place::Password, out)?;
            }
            layout.userinfo = Some(out.len() - start);
            out.push('@');
        } else if self.password.is_some() {
            return Err(EditError::NeedsUser);
        }
        self.write(host, Place::Host, out)?;
        layout.host_end = out.len() - start;
        if let Some(port) = &self.port {
            if let Some(found) = port.text.chars().find(|c| !c.is_ascii_digit()) {
                return Err(EditError::NotAPort { found });
            }
            out.push(':');
            out.push_str(&port.text);
        }
        Ok(())
    }
}

/// Where the components are meant to be.
#[derive(Default)]
struct Layout {
    scheme: Option<usize>,
    authority: bool,
    userinfo: Option<usize>,
    host_end: usize,
    path: usize,
    params: Option<usize>,
    query: Option<usize>,
    fragment: Option<usize>,
}

impl Layout {
    /// Whether the components are there: the text being the same, its delimiters tell all.
    fn compare(&self, parts: &Parts) -> Result<(), EditError> {
        let authority = parts.host_kind.is_some();
        let host_end = if authority {
            parts.host_end as usize
        } else {
            0
        };
        let pairs = [
            (Component::Scheme, self.scheme == parts.scheme.get()),
            (Component::Host, self.authority == authority),
            (Component::Userinfo, self.userinfo == parts.userinfo.get()),
            (Component::Host, self.host_end == host_end),
            (Component::Path, self.path == parts.path as usize),
            (Component::Params, self.params == parts.params.get()),
            (Component::Query, self.query == parts.query.get()),
            (Component::Fragment, self.fragment == parts.fragment.get()),
        ];
        match pairs.into_iter().find(|(_, same)| !same) {
            Some((component, _)) => Err(EditError::Misread { component }),
            None => Ok(()),
        }
    }
}
