//! Reads the string under a key from JSON lines, and from CDXJ.
//!
//! CDXJ is a format for indexes of web archives: each line has a sort key, a date and a JSON
//! object. This implementation follows pywb and OpenWayback's CDXJ 1.0, in which lines that begin
//! with `!` or `@` describe the file.

use super::layout::{Layout, LayoutKind};
use super::records::{Cells, Lines, Records, invalid};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};

/// Reads JSON lines.
pub(super) struct JsonLines {
    lines: Lines,
    field: Field,
    /// The keys that will be added, if rows are kept.
    added: Option<Vec<String>>,
    /// True if the current line has been read, but not yet returned.
    is_ahead: bool,
}

impl JsonLines {
    /// Reads the strings under the key `field`, or under a path of keys such as `request.url`, from
    /// lines of at most `max` bytes.
    pub(super) fn new(source: Box<dyn Read + Send>, field: &str, max: usize) -> Self {
        Self {
            lines: Lines::new(source, max),
            field: Field::new(field),
            added: None,
            is_ahead: false,
        }
    }

    /// Makes the reader also return each line as written. The caller will add these keys to the
    /// line.
    pub(super) fn keeping_rows(mut self, added: Option<Vec<String>>) -> Self {
        self.added = added;
        self
    }

    /// Reads the next line that is not empty. Returns `false` at the end.
    fn line(&mut self) -> io::Result<bool> {
        if std::mem::take(&mut self.is_ahead) {
            return Ok(true);
        }
        while self.lines.next()? {
            // Empty lines have no meaning in JSON lines.
            if !self.lines.line.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Records for JsonLines {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        if !self.line()? {
            return Ok(None);
        }
        let (line, number) = (self.lines.line.as_slice(), self.lines.number);
        self.field.take(line, cells);
        if let Some(added) = &self.added {
            if let Ok(Keys(keys)) = serde_json::from_slice(line) {
                if let Some(key) = keys.iter().find(|key| added.contains(key)) {
                    return Err(invalid(format!(
                        "line {number} already has the key `{key}`, so reading stops there"
                    )));
                }
                cells.push_row(line);
            } else {
                cells.replace_last("the line is not a JSON object, and is left out");
                cells.push_row(b"");
            }
        }
        Ok(Some(number))
    }

    fn may_wait(&self) -> bool {
        !self.is_ahead && self.lines.may_wait()
    }

    fn layout(&mut self) -> io::Result<Option<Layout>> {
        let mut names = Vec::new();
        if self.line()? {
            self.is_ahead = true;
            if let Ok(Keys(keys)) = serde_json::from_slice(&self.lines.line) {
                names = keys;
            }
        }
        Ok(Some(Layout {
            kind: LayoutKind::Json,
            names,
            header: Vec::new(),
        }))
    }
}

/// The keys of an object, in order.
struct Keys(Vec<String>);

impl<'de> serde::Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry::<Key<'de>, _>()? {
                    keys.push(key.0.into_owned());
                }
                Ok(Keys(keys))
            }
        }

        json.deserialize_map(Object)
    }
}

/// A key of an object, or a path of keys.
pub(super) struct Field {
    name: String,
    path: Vec<String>,
}

impl Field {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            path: name.split('.').map(str::to_owned).collect(),
        }
    }

    /// Adds the string that a JSON text contains under this key.
    pub(super) fn take(&self, text: &[u8], cells: &mut Cells) {
        let mut json = serde_json::Deserializer::from_slice(text);
        let pick = Pick {
            name: Some(&self.name),
            path: &self.path,
        };
        let found = pick.deserialize(&mut json);
        let found = found.and_then(|found| json.end().map(|()| found));
        let name = &self.name;
        let reason = match found {
            Ok(Found::Text(text)) => return cells.push(text.as_bytes()),
            Ok(Found::Absent) => format!("`{name}` has no value"),
            // Programs disagree on which of two equal keys counts.
            Ok(Found::Twice) => format!("`{name}` occurs more than once"),
            Ok(Found::Other(kind)) => format!("`{name}` is {kind}, not a string"),
            Err(error) => format!("not JSON: {}", without_place(&error)),
        };
        cells.push_broken(reason);
    }
}

/// Returns the message without the position at its end, so that equal errors can be counted.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text.get(..end).unwrap_or_default().to_owned()
}

/// The value at the path.
enum Found<'de> {
    Text(Cow<'de, str>),
    /// Nothing, or `null`.
    Absent,
    /// The description of a value that is not a string, such as "a list".
    Other(&'static str),
    /// The key occurs more than once.
    Twice,
}

/// Finds the value at a path.
struct Pick<'p> {
    /// The entire path as a single key, including its dots.
    name: Option<&'p str>,
    path: &'p [String],
}

impl<'de> DeserializeSeed<'de> for Pick<'_> {
    type Value = Found<'de>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Found<'de>, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Pick<'_> {
    type Value = Found<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found<'de>, A::Error> {
        let Some((first, rest)) = self.path.split_first() else {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Found::Other("an object"));
        };
        let mut found = None;
        while let Some(key) = map.next_key::<Key<'de>>()? {
            let path = if self.name == Some(&*key.0) {
                &[]
            } else if *first == key.0 {
                rest
            } else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let next = map.next_value_seed(Pick { name: None, path })?;
            found = Some(if found.is_none() { next } else { Found::Twice });
        }
        Ok(found.unwrap_or(Found::Absent))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Found<'de>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self.other("a list"))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Found<'de>, E> {
        Ok(self.text(text.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Found<'de>, E> {
        Ok(self.text(text.to_owned().into()))
    }

    fn visit_unit<E>(self) -> Result<Found<'de>, E> {
        Ok(Found::Absent)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Found<'de>, E> {
        Ok(self.other("a boolean"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Found<'de>, E> {
        Ok(self.other("a number"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Found<'de>, E> {
        Ok(self.other("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Found<'de>, E> {
        Ok(self.other("a number"))
    }
}

impl Pick<'_> {
    fn text<'de>(&self, text: Cow<'de, str>) -> Found<'de> {
        if self.path.is_empty() {
            Found::Text(text)
        } else {
            Found::Absent
        }
    }

    fn other<'de>(&self, kind: &'static str) -> Found<'de> {
        if self.path.is_empty() {
            Found::Other(kind)
        } else {
            Found::Absent
        }
    }
}

/// A key, borrowed if it has no escapes.
struct Key<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(text.into()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(text.to_owned().into()))
            }
        }

        json.deserialize_str(Text)
    }
}

/// Reads CDXJ.
pub(super) struct Cdxj {
    lines: Lines,
    field: Field,
}

impl Cdxj {
    /// Reads the strings under the key `field` of each object.
    pub(super) fn new(source: Box<dyn Read + Send>, field: &str, max: usize) -> Self {
        Self {
            lines: Lines::new(source, max),
            field: Field::new(field),
        }
    }
}

/// Returns true if a file that begins with these bytes is CDXJ. CDXJ lines contain spaces, but
/// references do not, so a list of references is never mistaken for CDXJ.
pub(super) fn is_cdxj(begin: &[u8]) -> bool {
    let lines = begin.split(|byte| *byte == b'\n');
    let mut lines = lines.skip_while(|line| describes_file(line));
    lines.next().is_some_and(|line| {
        let mut parts = line.splitn(3, |byte| *byte == b' ');
        let [Some(key), Some(date), Some(rest)] = [parts.next(), parts.next(), parts.next()] else {
            return false;
        };
        let is_date = date.len() == 14 && date.iter().all(u8::is_ascii_digit);
        !key.is_empty() && is_date && rest.starts_with(b"{")
    })
}

fn describes_file(line: &[u8]) -> bool {
    line.starts_with(b"!") || line.starts_with(b"@")
}

impl Records for Cdxj {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        while self.lines.next()? {
            let line = self.lines.line.as_slice();
            if line.trim_ascii().is_empty() || describes_file(line) {
                continue;
            }
            match memchr::memmem::find(line, b" {").and_then(|at| line.get(at + 1..)) {
                Some(object) => self.field.take(object, cells),
                None => cells.push_broken("expected a JSON object"),
            }
            return Ok(Some(self.lines.number));
        }
        Ok(None)
    }

    fn may_wait(&self) -> bool {
        self.lines.may_wait()
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, is_cdxj};
    use crate::input::table::Cells;

    #[test]
    fn the_string_under_a_key() {
        for (field, text, expected) in [
            ("u", r#"{"a":[1,{"u":2}],"u":"x","b":{}}"#, Ok("x")),
            ("u", r#"{"u":"a\u0000\n\"b"}"#, Ok("a\0\n\"b")),
            ("u", r#"{"\u0075":"x"}"#, Ok("x")),
            (
                "u",
                r#"{"u":"x","u":"y"}"#,
                Err("`u` occurs more than once"),
            ),
            (
                "a.b",
                r#"{"a":{},"c":1,"a":{"b":"x"}}"#,
                Err("`a.b` occurs more than once"),
            ),
            (
                "a.b",
                r#"{"a.b":"x","a":{"b":"y"}}"#,
                Err("`a.b` occurs more than once"),
            ),
            (
                "a.b",
                r#"{"a":{"b":"x","b":"x"}}"#,
                Err("`a.b` occurs more than once"),
            ),
            ("u", r#"{"u":"x","v":1,"v":2}"#, Ok("x")),
            ("a.b", r#"{"a":{"b":"x"}}"#, Ok("x")),
            ("a.b", r#"{"a.b":"x"}"#, Ok("x")),
            ("a.b", r#"{"a":"x"}"#, Err("`a.b` has no value")),
            ("u", r#"{"u":null}"#, Err("`u` has no value")),
            ("u", r#"{"v":"x"}"#, Err("`u` has no value")),
            ("u", r#"{"u":1.5}"#, Err("`u` is a number, not a string")),
            ("u", r#"{"u":["x"]}"#, Err("`u` is a list, not a string")),
            ("u", r#"{"u":{}}"#, Err("`u` is an object, not a string")),
            ("u", r#"["x"]"#, Err("`u` has no value")),
            ("u", r#""x""#, Err("`u` has no value")),
            ("u", r#"{"u":"x"} y"#, Err("not JSON: trailing characters")),
            (
                "u",
                r#"{"u":"x""#,
                Err("not JSON: EOF while parsing an object"),
            ),
        ] {
            let mut cells = Cells::default();
            Field::new(field).take(text.as_bytes(), &mut cells);
            assert_eq!(cells.len(), 1, "{text}");
            let found = match cells.broken.first() {
                Some((_, why)) => Err(&**why),
                None => Ok(std::str::from_utf8(&cells.data).unwrap()),
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let mut cells = Cells::default();
        Field::new("u").take(&b"[".repeat(1 << 20), &mut cells);
        assert_eq!(cells.broken.len(), 1);
    }

    #[test]
    fn the_first_line_decides() {
        assert!(is_cdxj(
            b"com,example)/ 20200101000000 {\"url\": \"http://example.com/\"}\n"
        ));
        assert!(is_cdxj(
            b"!meta {\"a\": 1}\ncom,example)/ 20200101000000 {}"
        ));
        assert!(!is_cdxj(b"http://example.com/ 20200101000000 x"));
        assert!(!is_cdxj(b"http://example.com/"));
        assert!(!is_cdxj(b""));
    }
}
