//! JSON lines.

mod compact;

use crate::safe::is_safe;
use serde::Serialize;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Writes `value` on one line. For a terminal, unsafe characters are written as escapes, which
/// keeps the data exact.
pub(crate) fn line<T: Serialize>(out: &mut Vec<u8>, value: &T, terminal: bool) -> io::Result<()> {
    if terminal {
        value.serialize(&mut serde_json::Serializer::with_formatter(
            &mut *out, Visible,
        ))?;
    } else {
        compact::write(out, value)?;
    }
    out.push(b'\n');
    Ok(())
}

/// Escapes unsafe characters.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        for part in text.split_inclusive(|c| !is_safe(c)) {
            match part.char_indices().next_back() {
                Some((at, c)) if !is_safe(c) => {
                    out.write_all(part.get(..at).unwrap_or_default().as_bytes())?;
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(out, "\\u{unit:04x}")?;
                    }
                }
                _ => out.write_all(part.as_bytes())?,
            }
        }
        Ok(())
    }
}
