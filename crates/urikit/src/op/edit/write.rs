//! Writes the components with the required escapes, and checks the result: parsing it must find
//! each component where it was written.

use super::builder::UriBuilder;
use super::error::{Component, EditError, Invalid};
use super::slot::{Allowed, Slot, allowed, has_type, is_delimiter};
use super::value::{Reading, Value};
use crate::component::port_number;
use crate::grammar::{rfc1630, rfc1738, rfc1808, rfc2396, rfc3986};
use crate::layout::Layout;
use crate::octet::escape as escape_of;
#[cfg(feature = "idna")]
use crate::octet::has_only_escapes;
use crate::parse::Production;
use crate::{ParseError, Rejected, Standard};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

impl UriBuilder<'_> {
    /// Appends the reference to `out`, valid or not, and returns its layout.
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

    /// Finds the delimiter in a value that would end its component too early. Returns `failure` if
    /// there is no such delimiter.
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

    /// Returns the error of a single component if it is more precise than `failure`.
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

    /// Returns true if the path would be parsed as part of the authority: it follows a host and
    /// does not begin with a slash.
    pub(super) fn path_joins_host(&self) -> bool {
        self.host.is_some() && !self.path.text.is_empty() && !self.path.text.starts_with('/')
    }

    /// Returns the scheme as text: it is never escaped.
    pub(super) fn scheme_text(&self) -> Option<&str> {
        self.scheme.as_ref().map(|scheme| &*scheme.text)
    }

    /// Returns true if the path is an opaque part, without segments.
    pub(super) fn is_opaque(&self) -> bool {
        matches!(
            self.standard,
            Standard::Rfc1630 | Standard::Rfc1738 | Standard::Rfc2396 | Standard::Rfc2732
        ) && self.scheme.is_some()
            && self.host.is_none()
            && !self.path.text.starts_with('/')
    }

    /// Appends all components, with their delimiters, to `out`. The reference begins at `start`.
    fn compose(&self, start: usize, out: &mut String) -> Result<Places, EditError> {
        let mut places = Places::default();
        if let Some(scheme) = &self.scheme {
            // Under RFC 1630, the `%` would be parsed as an escape. The grammars of the other
            // standards reject a `%` in a scheme.
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

    /// Appends `//` and the authority, if the reference has one.
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
            let is_parsed = port.reading == Reading::Parsed;
            if !is_parsed && !port.text.is_empty() && port_number(&port.text).is_none() {
                return Err(EditError::PortTooLarge);
            }
            out.push(':');
            out.push_str(&port.text);
        }
        Ok(())
    }
}

/// The offsets of the delimiters that were written between the components.
#[derive(Default)]
pub(super) struct Places {
    pub(super) scheme: Option<usize>,
    pub(super) authority: bool,
    pub(super) userinfo: Option<usize>,
    pub(super) host_end: usize,
    pub(super) path: usize,
    pub(super) params: Option<usize>,
    pub(super) query: Option<usize>,
    pub(super) fragment: Option<usize>,
}

impl Places {
    /// Compares the offsets with those that the parser found. Equal delimiters in the same text
    /// mean equal components.
    pub(super) fn compare(&self, layout: &Layout) -> Result<(), EditError> {
        let authority = layout.host_kind.is_some();
        let host_end = if authority {
            layout.host_end as usize
        } else {
            0
        };
        let pairs = [
            (Component::Scheme, self.scheme == layout.scheme.get()),
            (Component::Host, self.authority == authority),
            (Component::Userinfo, self.userinfo == layout.userinfo.get()),
            (Component::Host, self.host_end == host_end),
            (Component::Path, self.path == layout.path as usize),
            (Component::Params, self.params == layout.params.get()),
            (Component::Query, self.query == layout.query.get()),
            (Component::Fragment, self.fragment == layout.fragment.get()),
        ];
        match pairs.into_iter().find(|(_, same)| !same) {
            Some((component, _)) => Err(EditError::Misread { component }),
            None => Ok(()),
        }
    }

    /// Returns the error for an invalid result, with the component that contains the invalid byte.
    pub(super) fn invalid(&self, text: &str, error: ParseError) -> EditError {
        let at = error.offset();
        let after_scheme = self.scheme.map_or(0, |colon| colon + 1);
        let host = match self.userinfo {
            _ if !self.authority => None,
            Some(at_sign) => Some(at_sign + 1),
            None => Some(after_scheme + 2),
        };
        let after = |delimiter: Option<usize>| delimiter.map(|delimiter| delimiter + 1);
        let port = (self.authority && self.host_end < self.path).then_some(self.host_end + 1);
        let starts = [
            (Component::Fragment, after(self.fragment)),
            (Component::Query, after(self.query)),
            (Component::Params, after(self.params)),
            (Component::Path, Some(self.path)),
            (Component::Port, port),
            (Component::Host, host),
            (Component::Userinfo, self.userinfo.map(|_| after_scheme + 2)),
        ];
        let mut starts = starts
            .into_iter()
            .filter_map(|(component, start)| Some((component, start?)));
        EditError::Invalid(Box::new(Invalid {
            component: starts.find(|(_, start)| *start <= at),
            result: Rejected::new(String::from(text), error),
        }))
    }
}

impl UriBuilder<'_> {
    /// Appends `value` to `out` with the escapes that `slot` requires.
    pub(super) fn write(
        &self,
        value: &Value<'_>,
        slot: Slot,
        out: &mut String,
    ) -> Result<(), EditError> {
        let reading = match value.reading {
            Reading::ByPlace if slot.leaf().is_some() => Reading::Data,
            Reading::ByPlace | Reading::Parsed => Reading::Encoded,
            reading => reading,
        };
        let text: &str = &value.text;
        let needs_idna = slot == Slot::Host
            && self.standard != Standard::Rfc3987
            && !matches!(value.reading, Reading::Encoded | Reading::Parsed)
            && !text.is_ascii();
        let text = match reading {
            _ if !needs_idna => Cow::Borrowed(text),
            // In data, `%` is literal.
            Reading::Data => domain_name(&text.replace('%', "%25"))?,
            _ => domain_name(text)?,
        };
        let scheme = self.scheme_text();
        let mut allowed = allowed(self.standard, scheme, self.generic, slot);
        let is_checked = !matches!(value.reading, Reading::Data | Reading::Parsed);
        if slot == Slot::Host && !text.starts_with('[') && is_checked {
            let found = |(_, c): &(usize, char)| is_delimiter(*c) && !allowed.contains(*c);
            if let Some((offset, found)) = text.char_indices().find(found) {
                let component = Component::Host;
                return Err(EditError::Delimiter {
                    component,
                    found,
                    offset,
                });
            }
        }
        if reading == Reading::Encoded || slot == Slot::Host && text.starts_with('[') {
            out.push_str(&text);
            return Ok(());
        }
        let is_data = reading == Reading::Data;
        if is_data && let Some(place) = slot.leaf() {
            // Some programs split at characters that the production does not treat as delimiters:
            // at `;` between pairs, and at `;` and `=` for the parameters of a segment.
            allowed.data = place.class(self.standard);
        }
        if slot == Slot::Name || slot == Slot::Value {
            allowed.separator = Some(self.separator);
            // Forms and RFC 1630 write a space as `+`, so a literal plus sign is always escaped.
            allowed.plus_is_space = true;
            // The words of RFC 1630's `search` must not be empty, so `+` could be invalid.
            allowed.space_is_plus = self.form && self.standard != Standard::Rfc1630;
        }
        if slot == Slot::Query && is_data && self.standard == Standard::Rfc1630 {
            allowed.plus_is_space = true;
        }
        if slot == Slot::Path && !is_data && has_type(self.standard, scheme) {
            let (path, code) = split_type(&text);
            escape(path, &allowed, is_data, out);
            out.push_str(code);
        } else {
            escape(&text, &allowed, is_data, out);
        }
        Ok(())
    }
}

/// Converts a non-ASCII host to its DNS name (RFC 3987, 3.1).
#[cfg(feature = "idna")]
fn domain_name(host: &str) -> Result<Cow<'static, str>, EditError> {
    if !has_only_escapes(host) {
        return Err(EditError::NotADomainName);
    }
    let host = crate::component::Host::new(host, crate::HostKind::RegName);
    match host.to_ascii() {
        Ok(name) => Ok(Cow::Owned(name.into_owned())),
        Err(_) => Err(EditError::NotADomainName),
    }
}

/// Always fails, because the conversion needs the `idna` feature.
#[cfg(not(feature = "idna"))]
fn domain_name(_: &str) -> Result<Cow<'static, str>, EditError> {
    Err(EditError::NotADomainName)
}

/// Splits off `;type=` and its code, which may be empty.
fn split_type(path: &str) -> (&str, &str) {
    let is_code = |code: &str| code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match path.rfind(";type=") {
        Some(at) if is_code(path.get(at + 6..).unwrap_or_default()) => {
            path.split_at_checked(at).unwrap_or((path, ""))
        }
        _ => (path, ""),
    }
}

/// Appends `text` and escapes the characters that are not allowed. Keeps escapes, unless the text
/// is data.
fn escape(text: &str, allowed: &Allowed, is_data: bool, out: &mut String) {
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let is_escape = c == '%' && !is_data && is_escape(text.as_bytes().get(at + 1..));
        if is_escape || allowed.contains(c) {
            continue;
        }
        out.push_str(text.get(from..at).unwrap_or_default());
        if c == ' ' && allowed.space_is_plus {
            out.push('+');
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                out.push_str(escape_of(byte));
            }
        }
        from = at + c.len_utf8();
    }
    out.push_str(text.get(from..).unwrap_or_default());
}

/// Returns true if `rest`, the bytes after a `%`, complete an escape.
pub(super) fn is_escape(rest: Option<&[u8]>) -> bool {
    matches!(rest, Some([high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

impl UriBuilder<'_> {
    /// Returns the error for an invalid scheme.
    ///
    /// The parser treats an invalid scheme as the beginning of a path, so its error would be about
    /// the path.
    pub(super) fn bad_scheme(&self) -> Option<EditError> {
        let scheme = self.scheme_text()?;
        if scheme.is_empty() {
            return Some(EditError::NotAScheme { found: None });
        }
        let mut characters = scheme.char_indices();
        let stray = characters.find(|(at, c)| {
            let after = scheme.as_bytes().get(at + 1..);
            !self.may_be_in_scheme(*c, *at == 0, after)
        });
        stray.map(|(_, found)| EditError::NotAScheme { found: Some(found) })
    }

    fn may_be_in_scheme(&self, c: char, is_first: bool, after: Option<&[u8]>) -> bool {
        let class = match self.standard {
            Standard::Rfc1630 => &rfc1630::generic::SCHEME,
            Standard::Rfc1738 => &rfc1738::SCHEME,
            Standard::Rfc1808 => &rfc1808::SCHEME,
            Standard::Rfc2396 | Standard::Rfc2732 => &rfc2396::SCHEME,
            Standard::Rfc3986 | Standard::Rfc3987 => &rfc3986::SCHEME,
        };
        // The class covers only the characters after the first one, which must be a letter.
        if is_first && !class.after().is_empty() {
            return c.is_ascii_alphabetic();
        }
        let is_in = |octet: u8| class.set().contains(octet);
        u8::try_from(c).is_ok_and(|octet| octet.is_ascii() && is_in(octet))
            || c == '%' && class.has_escapes() && is_escape(after)
    }
}
