//! Writing a value to its slot, with the required escapes.

use super::builder::UriBuilder;
use super::error::{Component, EditError};
use super::slot::{Allowed, Slot, allowed, has_type, is_delimiter};
use super::value::{Reading, Value};
use crate::Standard;
use crate::octet::escape as escape_of;
#[cfg(feature = "idna")]
use crate::octet::has_only_escapes;
use alloc::borrow::Cow;
use alloc::string::String;

impl UriBuilder<'_> {
    /// Appends `value` to `out` as it must be written in `slot`.
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
            // What looks like an escape is data.
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
            // Readers take more for delimiters than the production does: `;` between pairs, `;`
            // and `=` for parameters of a segment.
            allowed.data = place.class(self.standard);
        }
        if slot == Slot::Name || slot == Slot::Value {
            allowed.separator = Some(self.separator);
            allowed.plus_is_space = is_data;
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

/// The name in the DNS of a host with characters beyond US-ASCII (RFC 3987, 3.1).
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

/// Without IDNA there is no such name.
#[cfg(not(feature = "idna"))]
fn domain_name(_: &str) -> Result<Cow<'static, str>, EditError> {
    Err(EditError::NotADomainName)
}

/// The path and its `;type=` with the code, which may be empty.
fn split_type(path: &str) -> (&str, &str) {
    let is_code = |code: &str| code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match path.rfind(";type=") {
        Some(at) if is_code(path.get(at + 6..).unwrap_or_default()) => {
            path.split_at_checked(at).unwrap_or((path, ""))
        }
        _ => (path, ""),
    }
}

/// Appends `text` with escapes for everything that is not allowed. Escapes in it are kept, unless
/// it is data.
fn escape(text: &str, allowed: &Allowed, is_data: bool, out: &mut String) {
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let is_escape = c == '%' && !is_data && is_escape(text.as_bytes().get(at + 1..));
        if is_escape || allowed.contains(c) {
            continue;
        }
        out.push_str(text.get(from..at).unwrap_or_default());
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            out.push_str(escape_of(byte));
        }
        from = at + c.len_utf8();
    }
    out.push_str(text.get(from..).unwrap_or_default());
}

/// Whether the bytes after a `%` make it an escape.
pub(super) fn is_escape(rest: Option<&[u8]>) -> bool {
    matches!(rest, Some([high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}
