//! Writes JSON lines.
//!
//! The serializer is optimized for typical records: objects with short strings without escapes.
//! `serde_json` examines each byte of each key and string, which took a third of the time of
//! `uri parse --json`. Here, keys of structs must not need escapes, and strings are checked 16
//! bytes at a time. Numbers, and strings that need escapes, are left to `serde_json`. Each member
//! of an object or list is followed by a comma, and closing the object or list removes the last
//! comma.

use crate::safe::is_safe;
use serde::Serialize;
use serde::ser::{
    Error as _, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer,
};
use serde_json::Error;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Writes `value` on one line. For a terminal, unsafe characters are escaped, so the data remains
/// exact.
///
/// # Errors
///
/// Fails if a key is not a string, or a value is an enum with data. Records contain neither.
pub fn line<T: Serialize>(out: &mut Vec<u8>, value: &T, terminal: bool) -> io::Result<()> {
    if terminal {
        value.serialize(&mut serde_json::Serializer::with_formatter(
            &mut *out, Visible,
        ))?;
    } else {
        write(out, value)?;
    }
    out.push(b'\n');
    Ok(())
}

/// Formats JSON for terminals: escapes unsafe characters.
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

/// Writes `value` to `out`.
///
/// # Errors
///
/// Fails if a key is not a string, or a value is an enum with data. Records contain neither.
fn write<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<(), Error> {
    value.serialize(Compact { out })
}

struct Compact<'a> {
    out: &'a mut Vec<u8>,
}

/// The members of an object or list.
struct Members<'a> {
    out: &'a mut Vec<u8>,
    /// The closing bracket or brace.
    end: u8,
}

impl<'a> Compact<'a> {
    fn open(self, begin: u8, end: u8) -> Members<'a> {
        self.out.push(begin);
        Members { out: self.out, end }
    }
}

impl Members<'_> {
    #[inline]
    fn member<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        write(self.out, value)?;
        self.out.push(b',');
        Ok(())
    }

    #[inline]
    fn close(self) {
        if self.out.last() == Some(&b',') {
            self.out.pop();
        }
        self.out.push(self.end);
    }
}

/// Returns true if none of these bytes needs an escape in JSON.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    let (sixteens, _) = bytes.as_chunks::<16>();
    match bytes.len() {
        0..4 => bytes.iter().all(|byte| is_escaped(*byte) == 0),
        4..8 => ends::<4>(bytes),
        8..16 => ends::<8>(bytes),
        _ => sixteens.iter().all(all) && ends::<16>(bytes),
    }
}

/// Returns true if the first and last `N` bytes need no escapes. They may overlap.
#[inline]
fn ends<const N: usize>(bytes: &[u8]) -> bool {
    bytes.first_chunk::<N>().is_some_and(all) && bytes.last_chunk::<N>().is_some_and(all)
}

/// Returns true if no byte needs an escape.
// The loop has no early exit, so the compiler can vectorize it.
#[inline]
fn all<const N: usize>(bytes: &[u8; N]) -> bool {
    bytes.iter().fold(0, |odd, byte| odd | is_escaped(*byte)) == 0
}

/// Returns 1 for a byte that JSON escapes, otherwise 0.
#[inline]
fn is_escaped(byte: u8) -> u8 {
    u8::from(byte < b' ') | u8::from(byte == b'"') | u8::from(byte == b'\\')
}

/// Implements the methods for values that `serde_json` writes.
macro_rules! delegate {
    ($($name:ident($type:ty))*) => {
        $(fn $name(self, value: $type) -> Result<(), Error> {
            serde_json::to_writer(self.out, &value)
        })*
    };
}

impl<'a> Serializer for Compact<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Members<'a>;
    type SerializeTuple = Members<'a>;
    type SerializeMap = Members<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    delegate! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_f32(f32) serialize_f64(f64) serialize_char(char) serialize_bytes(&[u8])
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<(), Error> {
        if !is_plain(text.as_bytes()) {
            return serde_json::to_writer(self.out, text);
        }
        self.out.push(b'"');
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'"');
        Ok(())
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        let text: &[u8] = if value { b"true" } else { b"false" };
        self.out.extend_from_slice(text);
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Error> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_none()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(unsupported())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'a>, Error> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'a>, Error> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'a>, Error> {
        Ok(self.open(b'{', b'}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'a>, Error> {
        Ok(self.open(b'{', b'}'))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(unsupported())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(unsupported())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(unsupported())
    }
}

fn unsupported() -> Error {
    Error::custom("expected an object, a list, a string, a number or a Boolean")
}

impl SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        debug_assert!(is_plain(key.as_bytes()), "{key}");
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.member(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let start = self.out.len();
        write(self.out, key)?;
        if self.out.get(start) != Some(&b'"') {
            return Err(Error::custom("expected a string as a key"));
        }
        self.out.push(b':');
        Ok(())
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.member(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeSeq for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.member(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeTuple for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.member(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::write;
    use serde::ser::{Serialize, SerializeStruct as _, Serializer};
    use std::collections::BTreeMap;

    fn check(value: &(impl Serialize + ?Sized)) {
        let mut out = Vec::new();
        write(&mut out, value).unwrap();
        let expected = serde_json::to_string(value).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    /// Each character at each position, in strings of all lengths that take different code paths.
    #[test]
    fn strings_are_written_like_serde_json() {
        let ascii = (0..=u8::MAX).map(char::from);
        for c in ascii.chain(['\u{2028}', '\u{FFFD}', '例', '\u{10FFFF}']) {
            for length in 0..50 {
                for place in 0..=length {
                    let mut text = "a".repeat(length);
                    text.insert(place, c);
                    check(text.as_str());
                }
            }
            check(&c);
        }
        check("");
        check("\"\\\u{0}\u{1f}\u{7f}");
    }

    struct Record<'a> {
        name: &'a str,
        empty: [(); 0],
    }

    impl Serialize for Record<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut object = serializer.serialize_struct("Record", 4)?;
            object.serialize_field("name", self.name)?;
            object.serialize_field("none", &None::<u8>)?;
            object.serialize_field("number", &Some(u64::MAX))?;
            object.serialize_field("list", &(1.5, -7, true, false, ()))?;
            object.serialize_field("empty", &self.empty)?;
            object.end()
        }
    }

    struct Empty;

    impl Serialize for Empty {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_struct("Empty", 0)?.end()
        }
    }

    #[test]
    fn records_are_written_like_serde_json() {
        let name = "ends in a comma,";
        let record = Record { name, empty: [] };
        check(&record);
        check(&Empty);
        check(&[&record, &record]);
        check(&BTreeMap::from([("a\"b", vec![1, 2]), ("", vec![])]));
        check(&BTreeMap::<&str, &str>::new());
        check(&Some(vec![None, Some("x")]));
    }

    #[test]
    fn unsupported_values_are_errors() {
        let number_as_key = BTreeMap::from([(1, 2)]);
        assert!(write(&mut Vec::new(), &number_as_key).is_err());
    }
}
