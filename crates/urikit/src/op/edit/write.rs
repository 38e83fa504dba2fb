//! Writing the components, and checking what was written: it is parsed, and each component must be
//! where it was put.

use super::builder::UriBuilder;
use super::error::{Component, EditError};
use super::places::Places;
use super::slot::Slot;
use super::value::{Reading, Value};
use crate::Standard;
use crate::layout::Layout;
use crate::parse::Production;
use alloc::string::String;

impl UriBuilder<'_> {
    /// Appends the result to `out`, valid or not, and returns its layout.
    pub(super) fn append(&self, out: &mut String) -> Result<Layout, EditError> {
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
            Ok(layout) => match meant.compare(&layout) {
                Ok(()) => return Ok(layout),
                Err(error) => self.delimiter_in(error),
            },
            Err(error) => meant.invalid(text, error),
        };
        Err(self.explained(failure))
    }

    /// The delimiter in a value because of which a component is misread, if there is one.
    fn delimiter_in(&self, failure: EditError) -> EditError {
        let pairs: [(Component, Option<&Value<'_>>, &[char]); 2] = [
            (Component::Path, Some(&self.path), &['?', '#']),
            (Component::Query, self.query.as_ref(), &['#']),
        ];
        for (component, value, delimiters) in pairs {
            let Some(value) = value.filter(|value| value.is_written()) else {
                continue;
            };
            if let Some(offset) = value.text.find(delimiters) {
                let found = value
                    .text
                    .get(offset..)
                    .and_then(|rest| rest.chars().next());
                let found = found.unwrap_or_default();
                return EditError::Delimiter {
                    component,
                    found,
                    offset,
                };
            }
        }
        failure
    }

    /// The error of a component, if it is more precise than that of the result.
    fn explained(&self, failure: EditError) -> EditError {
        let component = Component::Query;
        if let Some(error) = self.bad_scheme() {
            error
        } else if self.path_joins_host() {
            EditError::NeedsSlash
        } else if self.is_opaque() && failure == (EditError::Misread { component }) {
            EditError::Opaque { component }
        } else {
            failure
        }
    }

    /// Whether nothing would separate the path from the authority.
    pub(super) fn path_joins_host(&self) -> bool {
        self.host.is_some() && !self.path.text.is_empty() && !self.path.text.starts_with('/')
    }

    /// The scheme, which is never escaped.
    pub(super) fn scheme_text(&self) -> Option<&str> {
        self.scheme.as_ref().map(|scheme| &*scheme.text)
    }

    /// Whether the path is an opaque part, without segments.
    pub(super) fn is_opaque(&self) -> bool {
        matches!(
            self.standard,
            Standard::Rfc1630 | Standard::Rfc1738 | Standard::Rfc2396 | Standard::Rfc2732
        ) && self.scheme.is_some()
            && self.host.is_none()
            && !self.path.text.starts_with('/')
    }

    /// Appends all components, with their delimiters, to `out`, where the reference begins at
    /// `start`.
    fn compose(&self, start: usize, out: &mut String) -> Result<Places, EditError> {
        let mut places = Places::default();
        if let Some(scheme) = &self.scheme {
            // The others reject a `%` here; RFC 1630 would read it as an escape.
            if self.standard == Standard::Rfc1630
                && scheme.reading == Reading::Data
                && scheme.text.contains('%')
            {
                let component = Component::Scheme;
                return Err(EditError::Misread { component });
            }
            out.push_str(&scheme.text);
            places.scheme = Some(out.len() - start);
            out.push(':');
        }
        self.authority(start, out, &mut places)?;
        places.path = out.len() - start;
        let place = if self.is_opaque() {
            Slot::Opaque
        } else {
            Slot::Path
        };
        self.write(&self.path, place, out)?;
        if let Some(params) = &self.params {
            if self.standard != Standard::Rfc1808 {
                return Err(EditError::NoSuchComponent {
                    component: Component::Params,
                    standard: self.standard,
                });
            }
            places.params = Some(out.len() - start);
            out.push(';');
            self.write(params, Slot::Params, out)?;
        }
        if let Some(query) = &self.query {
            places.query = Some(out.len() - start);
            out.push('?');
            self.write(query, Slot::Query, out)?;
        }
        if let Some(fragment) = &self.fragment {
            places.fragment = Some(out.len() - start);
            out.push('#');
            self.write(fragment, Slot::Fragment, out)?;
        }
        Ok(places)
    }

    /// Appends `//` and the authority, if there is one.
    fn authority(
        &self,
        start: usize,
        out: &mut String,
        places: &mut Places,
    ) -> Result<(), EditError> {
        let needs_host = |component| Err(EditError::NeedsHost { component });
        let Some(host) = &self.host else {
            return match (&self.user, &self.password, &self.port) {
                (None, None, None) => Ok(()),
                (None, None, Some(_)) => needs_host(Component::Port),
                _ => needs_host(Component::Userinfo),
            };
        };
        places.authority = true;
        out.push_str("//");
        if let Some(user) = &self.user {
            let from = out.len();
            self.write(user, Slot::User, out)?;
            if out.get(from..).unwrap_or_default().contains(':') {
                return Err(EditError::Misread {
                    component: Component::Userinfo,
                });
            }
            if let Some(password) = &self.password {
                out.push(':');
                self.write(password, Slot::Password, out)?;
            }
            places.userinfo = Some(out.len() - start);
            out.push('@');
        } else if self.password.is_some() {
            return Err(EditError::NeedsUser);
        }
        self.write(host, Slot::Host, out)?;
        places.host_end = out.len() - start;
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
