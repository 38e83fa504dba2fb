//! Escaping a text for its place.

use super::place::{Allowed, Place, allowed, has_type, is_delimiter};
use super::value::{Reading, Value};
use super::{Edit, EditError};
use alloc::string::String;
use core::fmt::Write as _;

impl Edit<'_> {
    /// Appends `value` to `out` as it must be written in `place`.
    pub(super) fn write(
        &self,
        value: &Value<'_>,
        place: Place,
        out: &mut String,
    ) -> Result<(), EditError> {
        let text: &str = &value.text;
        if value.reading == Reading::Exact {
            out.push_str(text);
            return Ok(());
        }
        let scheme = self.scheme_text();
        let mut allowed = allowed(self.standard, scheme, self.generic, place);
        let raw = value.reading == Reading::Raw;
        if place == Place::Name || place == Place::Value {
            allowed.separator = Some(self.separator);
            allowed.plus_is_space = raw;
        }
        match place {
            Place::Host if text.starts_with('[') => out.push_str(text),
            Place::Host if !raw => {
                let found = |c: &char| is_delimiter(*c) && !allowed.contains(*c);
                if let Some(found) = text.chars().find(found) {
                    return Err(EditError::DelimiterInHost { found });
                }
                escape(text, &allowed, raw, out);
            }
            Place::Path if !raw && has_type(self.standard, scheme) => {
                let (path, code) = split_type(text);
                escape(path, &allowed, raw, out);
                out.push_str(code);
            }
            Place::Query if raw && self.standard == crate::Standard::Rfc1630 => {
                allowed.plus_is_space = true;
                escape(text, &allowed, raw, out);
            }
            _ => escape(text, &allowed, raw, out),
        }
        Ok(())
    }
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

/// Appends `text` with all escaped that is not allowed; escapes in it stay, unless it is `raw`.
fn escape(text: &str, allowed: &Allowed, raw: bool, out: &mut String) {
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let is_escape = c == '%' && !raw && is_escape(text.as_bytes().get(at + 1..));
        if is_escape || allowed.contains(c) {
            continue;
        }
        out.push_str(text.get(from..at).unwrap_or_default());
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            // Writing to a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
        from = at + c.len_utf8();
    }
    out.push_str(text.get(from..).unwrap_or_default());
}

/// Whether what follows a `%` makes it an escape.
pub(super) fn is_escape(rest: Option<&[u8]>) -> bool {
    matches!(rest, Some([high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}
