//! PDF objects (ISO 32000-2, 7.2 and 7.3): in the file, in object streams and, between operators,
//! in the content of pages.

use super::super::Problem;
use super::super::limits::Budget;
use super::damaged;
use std::collections::BTreeMap;

/// The maximum number of objects within an object, such as the items of an array.
const MAX_PARTS: usize = 1 << 20;

/// The maximum nesting of arrays and dictionaries.
const MAX_DEPTH: usize = 64;

/// The number of bytes in a long string, name or comment that count as one object.
const BYTES_PER_OBJECT: usize = 16;

pub(in super::super) type Dictionary = BTreeMap<Vec<u8>, Object>;

/// An object, or a keyword between objects.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) enum Object {
    Null,
    Integer(i64),
    Real(f32),
    Name(Vec<u8>),
    String(Vec<u8>),
    Array(Vec<Object>),
    Dictionary(Dictionary),
    /// A reference to the indirect object with this number. Files use each number once, so the
    /// generation does not matter.
    Reference(u32),
    /// A keyword such as `endobj`, an operator in a page, `true` or `false`.
    Keyword(Vec<u8>),
}

impl Object {
    pub(in super::super) const fn dictionary(&self) -> Option<&Dictionary> {
        match self {
            Self::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    pub(in super::super) fn array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(in super::super) fn name(&self) -> Option<&[u8]> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Returns a number that is not negative, such as an offset.
    pub(in super::super) fn index(&self) -> Option<usize> {
        match self {
            Self::Integer(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Returns a number, such as a coordinate.
    pub(in super::super) const fn number(&self) -> Option<f32> {
        match self {
            #[allow(clippy::cast_precision_loss)] // no page is that large
            Self::Integer(number) => Some(*number as f32),
            Self::Real(number) => Some(*number),
            _ => None,
        }
    }

    fn is_keyword(&self, word: &[u8]) -> bool {
        matches!(self, Self::Keyword(found) if found == word)
    }
}

enum Token {
    Object(Object),
    OpenArray,
    CloseArray,
    OpenDictionary,
    CloseDictionary,
}

/// Reads objects, and counts them against the limits of the file.
pub(in super::super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    budget: &'a Budget,
    /// The number of objects that the current object may still contain.
    left: usize,
}

impl<'a> Lexer<'a> {
    pub(in super::super) const fn new(bytes: &'a [u8], at: usize, budget: &'a Budget) -> Self {
        Self {
            bytes,
            at,
            budget,
            left: MAX_PARTS,
        }
    }

    /// Returns the offset after the last object.
    pub(in super::super) const fn offset(&self) -> usize {
        self.at
    }

    /// Returns the number of objects in the last object, including the object itself.
    pub(in super::super) const fn parts(&self) -> usize {
        MAX_PARTS - self.left
    }

    /// Returns the next object or keyword, or `None` at the end.
    pub(in super::super) fn next(&mut self) -> Result<Option<Object>, Problem> {
        self.left = MAX_PARTS;
        loop {
            match self.token()? {
                None => return Ok(None),
                // An unmatched closing bracket is ignored.
                Some(Token::CloseArray | Token::CloseDictionary) => {}
                Some(token) => return self.complete(token, 0).map(Some),
            }
        }
    }

    /// Returns the next object if it is a keyword.
    pub(in super::super) fn keyword(&mut self, word: &[u8]) -> Result<bool, Problem> {
        let object = self.next()?;
        Ok(object.is_some_and(|object| object.is_keyword(word)))
    }

    fn complete(&mut self, token: Token, depth: usize) -> Result<Object, Problem> {
        let is_array = match token {
            Token::Object(object) => return Ok(object),
            Token::OpenArray => true,
            _ => false,
        };
        if depth == MAX_DEPTH {
            return Err(damaged("objects are nested too deeply"));
        }
        let mut items = Vec::new();
        loop {
            let object = match self.token()? {
                None => break,
                Some(Token::CloseArray) if is_array => break,
                Some(Token::CloseDictionary) if !is_array => break,
                Some(Token::CloseArray | Token::CloseDictionary) => continue,
                Some(token) => self.complete(token, depth + 1)?,
            };
            if object.is_keyword(b"endobj") {
                return Err(damaged("an object has no end"));
            }
            match (object.is_keyword(b"R"), items.as_slice()) {
                (true, [.., Object::Integer(number), Object::Integer(_)]) => {
                    let number = u32::try_from(*number).ok();
                    items.truncate(items.len() - 2);
                    items.push(number.map_or(Object::Null, Object::Reference));
                }
                _ => items.push(object),
            }
        }
        if is_array {
            return Ok(Object::Array(items));
        }
        let mut dictionary = Dictionary::new();
        let mut items = items.into_iter().peekable();
        while let Some(key) = items.next() {
            if let Object::Name(key) = key
                && let Some(value) = items.next()
            {
                dictionary.insert(key, value);
            }
        }
        Ok(Object::Dictionary(dictionary))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Reads the next token, and counts it.
    fn token(&mut self) -> Result<Option<Token>, Problem> {
        let start = self.at;
        self.skip_space();
        let token = self.uncounted_token();
        let objects = 1 + (self.at - start) / BYTES_PER_OBJECT;
        self.budget.objects(objects)?;
        let left = self.left.checked_sub(1);
        self.left = left.ok_or_else(|| damaged("an object contains more than 2^20 others"))?;
        Ok(token)
    }

    fn uncounted_token(&mut self) -> Option<Token> {
        let byte = self.peek()?;
        self.at += 1;
        let next = self.peek();
        let token = match byte {
            b'[' | b'{' => Token::OpenArray,
            b']' | b'}' => Token::CloseArray,
            b'<' if next == Some(b'<') => {
                self.at += 1;
                Token::OpenDictionary
            }
            b'>' => {
                self.at += usize::from(next == Some(b'>'));
                Token::CloseDictionary
            }
            b'<' => Token::Object(Object::String(self.hexadecimal_string())),
            b'(' => Token::Object(Object::String(self.literal_string())),
            b'/' => Token::Object(Object::Name(self.name())),
            // Outside a string, a closing parenthesis is ignored.
            b')' => Token::Object(Object::Null),
            _ => {
                self.at -= 1;
                Token::Object(number_or_keyword(self.regular()))
            }
        };
        Some(token)
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'%' => {
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    self.at += memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
                }
                byte if is_space(byte) => self.at += 1,
                _ => break,
            }
        }
    }

    /// Reads regular characters (7.2.3).
    fn regular(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| is_regular(**byte)).count();
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Reads a name after its slash (7.3.5).
    fn name(&mut self) -> Vec<u8> {
        let written = self.regular();
        let mut name = Vec::with_capacity(written.len());
        let mut rest = written;
        while let Some((byte, after)) = rest.split_first() {
            rest = after;
            let escaped = match (byte, after) {
                (b'#', [high, low, ..]) => digit(*high).zip(digit(*low)),
                _ => None,
            };
            match escaped {
                Some((high, low)) => {
                    name.push(high << 4 | low);
                    rest = after.get(2..).unwrap_or_default();
                }
                None => name.push(*byte),
            }
        }
        name
    }

    /// Reads a string in parentheses, after the opening parenthesis (7.3.4.2).
    fn literal_string(&mut self) -> Vec<u8> {
        let mut string = Vec::new();
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break,
                },
                b'\\' => {
                    self.escape(&mut string);
                    continue;
                }
                _ => {}
            }
            string.push(byte);
        }
        string
    }

    /// Reads an escape sequence after its backslash.
    fn escape(&mut self, string: &mut Vec<u8>) {
        let Some(byte) = self.peek() else {
            return;
        };
        self.at += 1;
        match byte {
            b'n' => string.push(b'\n'),
            b'r' => string.push(b'\r'),
            b't' => string.push(b'\t'),
            b'b' => string.push(8),
            b'f' => string.push(12),
            b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
            b'\n' => {}
            b'0'..=b'7' => {
                let mut code = byte - b'0';
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else {
                        break;
                    };
                    self.at += 1;
                    // High-order overflow is ignored (Table 3).
                    code = code << 3 | (digit - b'0');
                }
                string.push(code);
            }
            other => string.push(other),
        }
    }

    /// Reads a string in angle brackets, after the opening bracket (7.3.4.3).
    fn hexadecimal_string(&mut self) -> Vec<u8> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        self.at += (length + 1).min(rest.len());
        let written = rest.get(..length).unwrap_or_default();
        let digits: Vec<_> = written.iter().filter_map(|byte| digit(*byte)).collect();
        let octet = |pair: &[u8]| match pair {
            [high, low] => high << 4 | low,
            [high] => high << 4,
            _ => 0,
        };
        digits.chunks(2).map(octet).collect()
    }

    /// Skips the data of an inline image, after its keyword `ID` (8.9.7).
    pub(in super::super) fn skip_image(&mut self) -> Result<(), Problem> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let is_end = |at: &usize| {
            let before = at.checked_sub(1).and_then(|at| rest.get(at));
            let after = rest.get(at + 2);
            before.is_some_and(|byte| is_space(*byte)) && !after.is_some_and(|it| is_regular(*it))
        };
        let end = memchr::memmem::find_iter(rest, b"EI").find(is_end);
        self.at += end.map_or(rest.len(), |at| at + 2);
        self.budget.objects((self.at - start) / BYTES_PER_OBJECT)?;
        Ok(())
    }
}

/// Returns true for white space (7.2.3, Table 1).
pub(in super::super) const fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

/// Returns true for characters that are neither white space nor delimiters (7.2.3).
pub(in super::super) const fn is_regular(byte: u8) -> bool {
    !is_space(byte)
        && !matches!(
            byte,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%'
        )
}

const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

fn number_or_keyword(word: &[u8]) -> Object {
    let is_number = word
        .iter()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.'));
    if is_number {
        let text = core::str::from_utf8(word).unwrap_or_default();
        if let Ok(number) = text.parse() {
            return Object::Integer(number);
        }
        // PDF readers interpret a malformed number as zero.
        return Object::Real(text.parse().unwrap_or(0.0));
    }
    match word {
        b"null" => Object::Null,
        word => Object::Keyword(word.to_vec()),
    }
}
