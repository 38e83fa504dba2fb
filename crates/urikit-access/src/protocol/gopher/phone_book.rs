//! Queries CSO phone books with the ph protocol (RFC 2378), for items of type `2` (RFC 1436, 3.8).
//!
//! ```text
//! →  query Roger Rabbit                  ←  102:There was 1 match to your query.
//!                                        ←  -200:1:            name: rabbit roger
//!                                        ←  -200:1:           phone: 555-1212
//!                                        ←  200:Ok.
//! →  quit                                ←  200:Bye!
//! ```
//!
//! A line begins with a three-digit code, which is preceded by a hyphen if more lines follow. Each
//! line of an entry contains the entry's number, the name of a field, and a value. The name is
//! empty if the line continues the value in the previous line.

use super::access::Access;
use crate::command::{Argument, Command as Sent, Wire};
use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::output::{Metadata, Output};
use crate::protocol::Outcome;
use crate::protocol::parse::number;

/// The maximum number of response lines that do not belong to an entry.
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

/// A field of an entry.
#[derive(PartialEq, Eq, Debug)]
struct Field<'a> {
    /// The number of the entry.
    entry: &'a [u8],
    name: &'a [u8],
    value: &'a [u8],
}

/// A line of a response.
struct Line<'a> {
    code: u16,
    is_last: bool,
    text: &'a [u8],
}

impl<'a> Line<'a> {
    /// Parses a line. Returns `None` if the line has no code.
    fn parse(line: &'a [u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"-");
        let (code, text) = rest.unwrap_or(line).split_at_checked(3)?;
        let code = number(code).filter(|code| (100..600).contains(code))?;
        Some(Self {
            code,
            // After a preliminary code (1yz), more lines follow.
            is_last: rest.is_none() && code >= 200,
            text: text.strip_prefix(b":")?,
        })
    }

    /// Splits the text of an entry line.
    fn field(&self) -> Option<Field<'a>> {
        let mut parts = self.text.splitn(3, |octet| *octet == b':');
        let (entry, name) = (parts.next()?, parts.next()?);
        let value = parts.next()?;
        let value = value.strip_prefix(b" ").unwrap_or(value);
        Some(Field {
            entry,
            name: name.trim_ascii(),
            value,
        })
    }
}

impl Access<'_, '_, '_> {
    /// Queries a phone book. The body contains a line for each field, and an empty line between
    /// entries.
    pub(super) fn query_phone_book(&mut self) -> Result<Outcome> {
        if !self.output.wants_body() {
            let what = "a phone book has no metadata";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let (host, port) = self.target.server()?;
        let words = self.target.words()?;
        let mut connection = self.context.connect(&host, port)?;
        connection.send(&PhoneBook::Query(words))?;
        self.output.begin(Metadata {
            media_type: Some("text/plain".to_owned()),
            ..Metadata::default()
        })?;
        let received = receive(&mut connection, &host, self.output);
        received.map_err(|error| error.with_step("querying the phone book"))?;
        // All entries have been received, so an error while sending `quit` is ignored.
        let _ = connection.send(&PhoneBook::Quit);
        Ok(Outcome::Done)
    }
}

/// Receives the response to a query.
fn receive(connection: &mut Connection, host: &str, output: &mut Output<'_>) -> Result<()> {
    let mut entry: Option<Vec<u8>> = None;
    let mut others = 0;
    loop {
        let text = connection.read_complete_line()?;
        let Some(line) = Line::parse(&text) else {
            let expected = "a line from a phone book: three digits and a colon";
            return Err(connection
                .failed(ErrorKind::Protocol(expected))
                .with_received(&text));
        };
        if line.is_last {
            return match line.code {
                200..300 => Ok(()),
                501 => {
                    let step = format!("searching the phone book at {host}");
                    let error = connection.failed(ErrorKind::NotFound);
                    Err(error.with_received(&text).with_step(step))
                }
                _ => Err(connection
                    .failed(ErrorKind::server(line.code, &text))
                    .with_received(&text)),
            };
        }
        let Some(field) = line.field().filter(|_| line.code == 200) else {
            others += 1;
            if others > MAX_OTHERS {
                let expected = "entries of a phone book";
                return Err(connection.failed(ErrorKind::Protocol(expected)));
            }
            continue;
        };
        if entry.as_deref().is_some_and(|entry| entry != field.entry) {
            output.bytes(b"\n")?;
        }
        entry = Some(field.entry.to_vec());
        let name = if field.name.is_empty() {
            b"\t".to_vec()
        } else {
            [field.name, b": "].concat()
        };
        output.bytes(&[&name, field.value, b"\n"].concat())?;
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Line};

    #[test]
    fn lines() {
        let parse = |text: &'static str| Line::parse(text.as_bytes());
        let line = parse("-200:1:            name: rabbit: roger").unwrap();
        assert!(!line.is_last);
        let field = Field {
            entry: b"1",
            name: b"name",
            value: b"rabbit: roger",
        };
        assert_eq!(line.field(), Some(field));
        assert!(!parse("102:There were 2 matches").unwrap().is_last);
        assert!(parse("200:Ok.").unwrap().is_last && parse("501:No").unwrap().is_last);
        for wrong in ["", "-", "200", "200 Ok", "20:x", "-+20:x", "600:x", "abc:x"] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
    }
}
