//! What the lines of an answer say.

use super::words::{Unreadable, Word, words};
use std::borrow::Cow;
use std::vec::IntoIter;

/// A line of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Record<'a> {
    /// `LINK`: a link of a directory.
    Link(Link<'a>),
    /// `ATTRIBUTE`: of the link before it, or else of the object.
    Attribute(Attribute<'a>),
    /// `ID`: an identifier of the link before it, such as `REMOTE 5`.
    Id(Vec<Word<'a>>),
    /// `FORWARDED`: the object is in another place.
    Forwarded(Place<'a>),
    /// `UNRESOLVED`: components that were not looked up.
    Unresolved(Vec<Word<'a>>),
    /// `NONE-FOUND`: no links, or no attributes.
    NoneFound,
    /// `FAILURE`, `ERROR`, `VERSION-NOT-SUPPORTED`, `UNAUTHORIZED`: the whole line.
    Failure(&'a [u8]),
    /// `WARNING`: the whole line.
    Warning(&'a [u8]),
    /// A line that is part of the value of an attribute.
    Nested(&'a [u8]),
    /// Another line.
    Other(&'a [u8]),
}

/// A link of a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link<'a> {
    /// Whether the links of the target belong to the directory: a union link.
    pub is_union: bool,
    /// The type of the target, such as `FILE`.
    pub target: Word<'a>,
    /// The name of the link.
    pub name: Word<'a>,
    /// Where the target is.
    pub place: Place<'a>,
}

/// Where an object is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// The type of the host, such as `INTERNET-D`.
    pub host_type: Word<'a>,
    /// The host, with a port in parentheses if it is not the default.
    pub host: Word<'a>,
    /// The type of the name, such as `ASCII`.
    pub name_type: Word<'a>,
    /// The host-specific object name.
    pub name: Word<'a>,
    /// The version; 0 for the current one.
    pub version: Word<'a>,
    /// What follows: `DEST-EXP` and a time, `ID`, a type and a value, or a number.
    pub rest: Vec<Word<'a>>,
}

/// An attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute<'a> {
    /// Whose it is, such as `OBJECT`.
    pub precedence: Word<'a>,
    /// `FIELD`, `APPLICATION` or `INTRINSIC`.
    pub nature: Word<'a>,
    /// Its name.
    pub name: Word<'a>,
    /// The type of its value. Servers leave it out for some fields.
    pub value_type: Option<ValueType>,
    /// The words of its value.
    pub value: Vec<Word<'a>>,
}

/// The type of the value of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// Words.
    Sequence,
    /// A link.
    Link,
    /// A filter.
    Filter,
}

impl<'a> Record<'a> {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// If a line with quoted words cannot be read.
    pub fn read(line: &'a [u8]) -> Result<Self, Unreadable> {
        let keyword = line.split(u8::is_ascii_whitespace).next();
        let keyword = keyword.unwrap_or_default();
        let words = || {
            let words = words(line)?;
            let mut words = words.into_iter();
            words.next();
            Ok(words)
        };
        Ok(match keyword {
            b"LINK" => Self::Link(Link::read(&mut words()?)),
            b"ATTRIBUTE" => Self::Attribute(Attribute::read(&mut words()?)),
            b"ID" => Self::Id(words()?.collect()),
            b"FORWARDED" => Self::Forwarded(Place::read(&mut words()?)),
            b"UNRESOLVED" => Self::Unresolved(words()?.collect()),
            b"NONE-FOUND" => Self::NoneFound,
            b"FAILURE" | b"ERROR" | b"VERSION-NOT-SUPPORTED" | b"UNAUTHORIZED" => {
                Self::Failure(line)
            }
            b"WARNING" => Self::Warning(line),
            keyword if keyword.ends_with(b">") => Self::Nested(line),
            _ => Self::Other(line),
        })
    }
}

impl<'a> Link<'a> {
    /// Reads the words that follow `LINK`.
    fn read(words: &mut IntoIter<Word<'a>>) -> Self {
        Self {
            is_union: next(words) == Cow::Borrowed(b"U"),
            target: next(words),
            name: next(words),
            place: Place::read(words),
        }
    }

    /// Reads the value of an attribute whose type is `LINK`.
    pub fn of_attribute(attribute: &Attribute<'a>) -> Option<Self> {
        let is_link = attribute.value_type == Some(ValueType::Link);
        is_link.then(|| Self::read(&mut attribute.value.clone().into_iter()))
    }
}

impl<'a> Place<'a> {
    /// Reads the words from a host type on.
    pub fn read(words: &mut IntoIter<Word<'a>>) -> Self {
        Self {
            host_type: next(words),
            host: next(words),
            name_type: next(words),
            name: next(words),
            version: next(words),
            rest: words.collect(),
        }
    }

    /// The identifier of the object that its host gave it, called its magic number.
    pub fn remote_id(&self) -> Option<&[u8]> {
        let is_id = |words: &[Word<'a>]| match words {
            [id, kind, _] => **id == *b"ID" && **kind == *b"REMOTE",
            _ => false,
        };
        let named = self.rest.windows(3).find(|words| is_id(words));
        // Old servers write the number alone.
        let alone = self.rest.first().filter(|_| self.rest.len() == 1);
        let id: &[u8] = named.and_then(|words| words.last()).or(alone)?;
        let is_number = !id.is_empty() && id.iter().all(u8::is_ascii_digit);
        (is_number && id.iter().any(|digit| *digit != b'0')).then_some(id)
    }
}

impl<'a> Attribute<'a> {
    /// Reads the words that follow `ATTRIBUTE`.
    fn read(words: &mut IntoIter<Word<'a>>) -> Self {
        let (precedence, nature, name) = (next(words), next(words), next(words));
        let value_type = match words.as_slice().first().map(|word| &**word) {
            Some(b"SEQUENCE") => Some(ValueType::Sequence),
            Some(b"LINK") => Some(ValueType::Link),
            Some(b"FILTER") => Some(ValueType::Filter),
            _ => None,
        };
        if value_type.is_some() {
            words.next();
        }
        Self {
            precedence,
            nature,
            name,
            value_type,
            value: words.collect(),
        }
    }
}

fn next<'a>(words: &mut IntoIter<Word<'a>>) -> Word<'a> {
    words.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Link, Record, ValueType};
    use crate::protocol::prospero::text::Unreadable;

    fn link(line: &str) -> Link<'_> {
        match Record::read(line.as_bytes()) {
            Ok(Record::Link(link)) => link,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn links() {
        let read = link("LINK  U DIRECTORY a'''b' INTERNET-D h.dom(191) ASCII '/a b' 2");
        assert!(read.is_union);
        assert_eq!(
            (&*read.target, &*read.name),
            (&b"DIRECTORY"[..], &b"a'b"[..])
        );
        assert_eq!(
            (&*read.place.host, &*read.place.name),
            (&b"h.dom(191)"[..], &b"/a b"[..])
        );
        assert_eq!(&*read.place.version, b"2");
        assert_eq!(link("LINK").place.version, &b""[..]);
    }

    #[test]
    fn magic_numbers() {
        for (rest, id) in [
            ("", None),
            (" 0", None),
            (" 17", Some(&b"17"[..])),
            (" ID REMOTE 5", Some(b"5")),
            (" DEST-EXP 19941201120000Z ID REMOTE 5", Some(b"5")),
            (" ID OTHER 5", None),
            (" ID REMOTE x", None),
            (" ID REMOTE 000", None),
        ] {
            let line = format!("LINK L FILE a INTERNET-D h ASCII /a 0{rest}");
            assert_eq!(link(&line).place.remote_id(), id, "{rest}");
        }
    }

    #[test]
    fn attributes_with_and_without_a_type() {
        for (line, value_type, value) in [
            (
                "OBJECT INTRINSIC SIZE SEQUENCE 4' bytes'",
                Some(ValueType::Sequence),
                "4 bytes",
            ),
            ("LINK FIELD ACCESS-METHOD AFTP", None, "AFTP"),
            (
                "OBJECT INTRINSIC FORWARDING-POINTER LINK L",
                Some(ValueType::Link),
                "L",
            ),
            (
                "LINK FIELD FILTER FILTER PREDEFINED",
                Some(ValueType::Filter),
                "PREDEFINED",
            ),
        ] {
            let line = format!("ATTRIBUTE {line}");
            let Ok(Record::Attribute(attribute)) = Record::read(line.as_bytes()) else {
                panic!("{line}")
            };
            assert_eq!(attribute.value_type, value_type);
            assert_eq!(attribute.value, [value.as_bytes()]);
        }
    }

    #[test]
    fn other_lines() {
        let text = b"ERROR can't";
        assert_eq!(Record::read(text), Ok(Record::Failure(text)));
        assert_eq!(Record::read(b"NONE-FOUND"), Ok(Record::NoneFound));
        assert_eq!(
            Record::read(b"ATTRIBUTE> x"),
            Ok(Record::Nested(b"ATTRIBUTE> x"))
        );
        assert_eq!(Record::read(b"SUCCESS"), Ok(Record::Other(b"SUCCESS")));
        assert_eq!(Record::read(b""), Ok(Record::Other(b"")));
        assert_eq!(Record::read(b"LINK 'a"), Err(Unreadable::Unclosed));
    }
}
