//! CSO phone books: the ph protocol (RFC 2378), which items of type `2` name (RFC 1436, 3.8).
//!
//! ```text
//! →  query Roger Rabbit                  ←  102:There was 1 match to your query.
//!                                        ←  -200:1:            name: rabbit roger
//!                                        ←  -200:1:           phone: 555-1212
//!                                        ←  200:Ok.
//! →  quit                                ←  200:Bye!
//! ```
//!
//! A line has a code of three digits, and a hyphen before it if more lines follow. Those of an entry
//! have its number, the name of a field, which is empty if a value goes on, and a value.

use crate::command::{Argument, Command as Sent, Wire};
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::net::Connection;
use crate::output::Output;
use crate::protocol::digits::number;
use crate::sink::Metadata;

/// The most lines that are no part of an entry.
const MAX_OTHERS: usize = 1000;

/// A command to a phone book.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PhoneBook {
    /// `query`: asks for the entries that match these words.
    Query(Argument),
    /// `quit`: ends the session.
    Quit,
}

impl Sent for PhoneBook {
    fn name(&self) -> &'static str {
        match self {
            Self::Query(_) => "query",
            Self::Quit => "quit",
        }
    }

    fn write(&self, wire: &mut Wire) {
        wire.word(self.name());
        if let Self::Query(words) = self {
            wire.word(" ").argument(words);
        }
    }
}

/// A line of a response.
struct Line<'a> {
    code: u16,
    is_last: bool,
    text: &'a [u8],
}

impl<'a> Line<'a> {
    fn read(line: &'a [u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"-");
        let (code, text) = rest.unwrap_or(line).split_at_checked(3)?;
        let code = number(code).filter(|code| (100..600).contains(code))?;
        Some(Self {
            code,
            // A preliminary line is not the last one.
            is_last: rest.is_none() && code >= 200,
            text: text.strip_prefix(b":")?,
        })
    }

    /// The number of the entry, the field and the value.
    fn field(&self) -> Option<(&'a [u8], &'a [u8], &'a [u8])> {
        let mut parts = self.text.splitn(3, |octet| *octet == b':');
        let (entry, name) = (parts.next()?, parts.next()?);
        let value = parts.next()?;
        let value = value.strip_prefix(b" ").unwrap_or(value);
        Some((entry, name.trim_ascii(), value))
    }
}

/// Queries a phone book. The entries are the body: a line for each field, and an empty one between
/// entries.
pub(super) fn query(
    words: Argument,
    (host, port): (&str, u16),
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let mut connection = context.connect(host, port)?;
    connection.send(&PhoneBook::Query(words))?;
    output.begin(Metadata {
        media_type: Some("text/plain".to_owned()),
        ..Metadata::default()
    })?;
    let answered = answer(&mut connection, host, output);
    answered.map_err(|error| error.at("querying the phone book"))?;
    // The reply does not matter.
    let _ = connection.send(&PhoneBook::Quit);
    Ok(())
}

fn answer(connection: &mut Connection, host: &str, output: &mut Output<'_>) -> Result<()> {
    let mut entry: Option<Vec<u8>> = None;
    let mut others = 0;
    loop {
        let text = connection.read_complete_line()?;
        let Some(line) = Line::read(&text) else {
            let expected = "a line of a phone book: three digits and a colon";
            return Err(connection
                .failed(ErrorKind::Protocol(expected))
                .received(&text));
        };
        if line.is_last {
            return match line.code {
                200..300 => Ok(()),
                501 => {
                    let step = format!("searching the phone book at {host}");
                    let error = connection.failed(ErrorKind::NotFound);
                    Err(error.received(&text).at(step))
                }
                _ => Err(connection
                    .failed(ErrorKind::server(line.code, &text))
                    .received(&text)),
            };
        }
        let Some((number, name, value)) = line.field().filter(|_| line.code == 200) else {
            others += 1;
            if others > MAX_OTHERS {
                let expected = "entries of a phone book";
                return Err(connection.failed(ErrorKind::Protocol(expected)));
            }
            continue;
        };
        if entry.as_deref().is_some_and(|entry| entry != number) {
            output.bytes(b"\n")?;
        }
        entry = Some(number.to_vec());
        let name = if name.is_empty() {
            b"\t".to_vec()
        } else {
            [name, b": "].concat()
        };
        output.bytes(&[&name, value, b"\n"].concat())?;
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn lines() {
        let read = |text: &'static str| Line::read(text.as_bytes());
        let line = read("-200:1:            name: rabbit: roger").unwrap();
        assert!(!line.is_last);
        let field = (&b"1"[..], &b"name"[..], &b"rabbit: roger"[..]);
        assert_eq!(line.field(), Some(field));
        assert!(!read("102:There were 2 matches").unwrap().is_last);
        assert!(read("200:Ok.").unwrap().is_last && read("501:No").unwrap().is_last);
        for wrong in ["", "-", "200", "200 Ok", "20:x", "-+20:x", "600:x", "abc:x"] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
    }
}
