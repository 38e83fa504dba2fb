//! The text of requests and responses in the Prospero protocol, version 5.
//!
//! ```text
//! LINK  L FILE two.txt INTERNET-D h.dom(1526) ASCII '/two words' 0      a link of a directory
//! ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 4' bytes'                    of the link, or the object
//! ```
//!
//! Lines end in LF. Spaces and tabs separate words. Apostrophes quote part of a word, which may
//! contain spaces, tabs and line endings. Two apostrophes in a quoted part represent one
//! apostrophe. Parsing is tolerant: unknown lines are returned unchanged, and missing words at the
//! end of a line are empty.
//!
//! ```
//! use urikit_historic::prospero::text::{Lines, Record, quote};
//! let response = b"LINK L FILE two.txt INTERNET-D h.dom(1526) ASCII '/two words' 0\nNONE-FOUND\n";
//! let mut records = Lines::new(response).map(Record::read);
//! let Some(Ok(Record::Link(link))) = records.next() else { panic!() };
//! assert_eq!(link.place.name, &b"/two words"[..]);
//! assert_eq!(quote(&link.place.name), &b"'/two words'"[..]);
//! assert_eq!(records.next(), Some(Ok(Record::NoneFound)));
//! ```

use std::borrow::Cow;
use std::vec::IntoIter;

/// An iterator over the lines of a response, without their line endings. The last line need not
/// have a line ending.
///
/// Only lines with quoted words may contain line endings. All other lines end at the first LF,
/// because apostrophes in error messages are not quotation marks.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
}

impl<'a> Lines<'a> {
    /// Splits a response.
    pub const fn new(response: &'a [u8]) -> Self {
        Self { rest: response }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let has_words = has_quoted_words(self.rest);
        let mut is_quoted = false;
        let end = self.rest.iter().position(|octet| {
            // Two apostrophes in a quoted part do not end it, because the second reverses the
            // effect of the first.
            is_quoted ^= *octet == b'\'' && has_words;
            *octet == b'\n' && !is_quoted
        });
        let end = end.unwrap_or(self.rest.len());
        let line = self.rest.get(..end).unwrap_or_default();
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        Some(line)
    }
}

/// Returns true if a line consists of words, and false if it is a message in plain text.
fn has_quoted_words(line: &[u8]) -> bool {
    let is_end = |octet: &u8| octet.is_ascii_whitespace() || *octet == b'>';
    let keyword = line.split(is_end).next().unwrap_or_default();
    let quoted: [&[u8]; 5] = [b"LINK", b"ATTRIBUTE", b"FORWARDED", b"UNRESOLVED", b"ID"];
    quoted.contains(&keyword)
}

/// A word without quotes.
pub type Word<'a> = Cow<'a, [u8]>;

/// The maximum number of words in a line.
const MAX_WORDS: usize = 4096;

/// The reason why a line cannot be split into words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// A quoted part of a word has no closing apostrophe.
    Unclosed,
    /// The line has more words than any valid line.
    TooMany,
}

/// Splits a line into words.
///
/// # Errors
///
/// Fails if a quoted part has no closing apostrophe, or if the line has more than 4096 words.
pub fn words(line: &[u8]) -> Result<Vec<Word<'_>>, Unreadable> {
    let mut words = Vec::new();
    let mut rest = line;
    loop {
        let blanks = rest.iter().take_while(|octet| is_blank(**octet)).count();
        rest = rest.get(blanks..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(words);
        }
        if words.len() == MAX_WORDS {
            return Err(Unreadable::TooMany);
        }
        let (word, after) = word(rest)?;
        words.push(word);
        rest = after;
    }
}

/// Splits off the first word of a line.
fn word(text: &[u8]) -> Result<(Word<'_>, &[u8]), Unreadable> {
    let plain = text.iter().take_while(|octet| !is_end(**octet)).count();
    let (word, mut rest) = text.split_at_checked(plain).unwrap_or((text, &[]));
    if rest.first() != Some(&b'\'') {
        return Ok((Cow::Borrowed(word), rest));
    }
    let mut word = word.to_vec();
    while let Some((octet, after)) = rest.split_first().filter(|(octet, _)| !is_blank(**octet)) {
        rest = after;
        if *octet != b'\'' {
            word.push(*octet);
            continue;
        }
        loop {
            let quoted = rest.iter().take_while(|octet| **octet != b'\'').count();
            let (quoted, end) = rest.split_at_checked(quoted).unwrap_or((rest, &[]));
            word.extend_from_slice(quoted);
            rest = end.get(1..).ok_or(Unreadable::Unclosed)?;
            // Two apostrophes in a quoted part represent one apostrophe.
            match rest.split_first() {
                Some((b'\'', after)) => rest = after,
                _ => break,
            }
            word.push(b'\'');
        }
    }
    Ok((Cow::Owned(word), rest))
}

const fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

const fn is_end(octet: u8) -> bool {
    is_blank(octet) || octet == b'\''
}

/// Quotes a word for a request, unless it consists of letters, digits and `-._/`.
pub fn quote(word: &[u8]) -> Cow<'_, [u8]> {
    let is_plain = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._/".contains(octet);
    if !word.is_empty() && word.iter().all(is_plain) {
        return Cow::Borrowed(word);
    }
    let mut quoted = vec![b'\''];
    for octet in word {
        quoted.push(*octet);
        if *octet == b'\'' {
            quoted.push(b'\'');
        }
    }
    quoted.push(b'\'');
    Cow::Owned(quoted)
}

/// A line in a response.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Record<'a> {
    /// `LINK`: a link in a directory.
    Link(Link<'a>),
    /// `ATTRIBUTE`: an attribute of the preceding link, or of the object.
    Attribute(Attribute<'a>),
    /// `ID`: an identifier of the preceding link, such as `REMOTE 5`.
    Id(Vec<Word<'a>>),
    /// `FORWARDED`: the object has moved to another location.
    Forwarded(Place<'a>),
    /// `UNRESOLVED`: components that the server did not look up.
    Unresolved(Vec<Word<'a>>),
    /// `NONE-FOUND`: the server found no links or attributes.
    NoneFound,
    /// `FAILURE`, `ERROR`, `VERSION-NOT-SUPPORTED` or `UNAUTHORIZED`, with the complete line.
    Failure(&'a [u8]),
    /// `WARNING`, with the complete line.
    Warning(&'a [u8]),
    /// A line that belongs to the value of an attribute.
    Nested(&'a [u8]),
    /// Another line.
    Other(&'a [u8]),
}

/// A link in a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link<'a> {
    /// True for a union link, which adds the links of its target to the directory.
    pub is_union: bool,
    /// The type of the target, such as `FILE`.
    pub target: Word<'a>,
    /// The name of the link.
    pub name: Word<'a>,
    /// The location of the target.
    pub place: Place<'a>,
}

/// The location of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// The type of the host, such as `INTERNET-D`.
    pub host_type: Word<'a>,
    /// The host, followed by the port in parentheses unless it is the default port.
    pub host: Word<'a>,
    /// The type of the name, such as `ASCII`.
    pub name_type: Word<'a>,
    /// The host-specific object name.
    pub name: Word<'a>,
    /// The version of the object, or 0 for the current version.
    pub version: Word<'a>,
    /// The words after the version: `DEST-EXP` and a time; `ID`, a type and a value; or a number.
    pub rest: Vec<Word<'a>>,
}

/// An attribute of an object or a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute<'a> {
    /// The kind of thing that the attribute belongs to, such as `OBJECT`.
    pub precedence: Word<'a>,
    /// `FIELD`, `APPLICATION` or `INTRINSIC`.
    pub nature: Word<'a>,
    /// The name.
    pub name: Word<'a>,
    /// The type of the value. Servers omit the type for some fields.
    pub value_type: Option<ValueType>,
    /// The words of the value.
    pub value: Vec<Word<'a>>,
}

/// The type of an attribute's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// The value is a sequence of words.
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
    /// Fails if a line with quoted words cannot be split.
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

    /// Reads the value of an attribute whose type is `LINK`. Returns `None` if the attribute has
    /// another type.
    pub fn of_attribute(attribute: &Attribute<'a>) -> Option<Self> {
        let is_link = attribute.value_type == Some(ValueType::Link);
        is_link.then(|| Self::read(&mut attribute.value.clone().into_iter()))
    }
}

impl<'a> Place<'a> {
    /// Reads the words of a location, which begins with the type of the host.
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

    /// Returns the "magic number" that the host uses to identify the object.
    pub fn remote_id(&self) -> Option<&[u8]> {
        let is_id = |words: &[Word<'a>]| match words {
            [id, kind, _] => **id == *b"ID" && **kind == *b"REMOTE",
            _ => false,
        };
        let named = self.rest.windows(3).find(|words| is_id(words));
        // Old servers write only the number.
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
    use super::{Lines, Link, MAX_WORDS, Record, Unreadable, ValueType, quote, words};

    #[test]
    fn lines() {
        for (answer, expected) in [
            ("LINK a\nLINK b", &["LINK a", "LINK b"][..]),
            (
                "ATTRIBUTE 'a\nb''\nc'\nLINK b\n",
                &["ATTRIBUTE 'a\nb''\nc'", "LINK b"],
            ),
            ("ATTRIBUTE> 'a\nb'\n", &["ATTRIBUTE> 'a\nb'"]),
            ("ERROR can't\nLINK b\n", &["ERROR can't", "LINK b"]),
            ("LINK 'a\nb", &["LINK 'a\nb"]),
            ("\n\n", &["", ""]),
            ("", &[]),
        ] {
            let lines: Vec<_> = Lines::new(answer.as_bytes()).collect();
            let expected: Vec<_> = expected.iter().map(|line| line.as_bytes()).collect();
            assert_eq!(lines, expected, "{answer}");
        }
    }

    #[test]
    fn a_quoted_part_begins_anywhere_in_a_word() {
        for (line, expected) in [
            ("LINK  L FILE", &["LINK", "L", "FILE"][..]),
            ("4096' bytes'\tx", &["4096 bytes", "x"]),
            ("AFTP'/pub/two words'.bin", &["AFTP/pub/two words.bin"]),
            ("it'''s here.txt'", &["it's here.txt"]),
            ("'''lead' '' ''''", &["'lead", "", "'"]),
            ("a'b''c'd'e'", &["ab'cde"]),
            ("'two\nlines' end", &["two\nlines", "end"]),
            ("  \t ", &[]),
            ("", &[]),
        ] {
            let read = words(line.as_bytes()).unwrap();
            let expected: Vec<_> = expected.iter().map(|word| word.as_bytes()).collect();
            assert_eq!(read, expected, "{line}");
        }
        for line in ["'", "a 'b", "a'''", "a' "] {
            assert_eq!(words(line.as_bytes()), Err(Unreadable::Unclosed), "{line}");
        }
        let many = "a ".repeat(MAX_WORDS);
        assert_eq!(words(many.as_bytes()).unwrap().len(), MAX_WORDS);
        let many = many + "a";
        assert_eq!(words(many.as_bytes()), Err(Unreadable::TooMany));
    }

    #[test]
    fn quoted_words_read_back() {
        for (word, quoted) in [
            ("/pros/name", "/pros/name"),
            ("", "''"),
            ("#ALL", "'#ALL'"),
            ("it's", "'it''s'"),
            ("a b;c\u{E9}", "'a b;c\u{E9}'"),
        ] {
            assert_eq!(&*quote(word.as_bytes()), quoted.as_bytes());
        }
        for octet in 0..=u8::MAX {
            for word in [vec![octet], vec![b'a', octet], vec![octet, octet, b'b']] {
                let quoted = quote(&word);
                assert_eq!(words(&quoted).unwrap(), [&word[..]], "{octet}");
            }
        }
    }

    fn link(line: &str) -> Link<'_> {
        match Record::read(line.as_bytes()) {
            Ok(Record::Link(read)) => read,
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
