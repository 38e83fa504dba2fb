//! Represents structures of Thrift's compact protocol as trees, so that tests can change the
//! metadata of Parquet files.

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// A byte.
    Byte(u8),
    /// An integer, with its type number, which is 4, 5 or 6 for 16, 32 or 64 bits.
    Integer(u8, i64),
    /// A floating-point number, as encoded.
    Double([u8; 8]),
    /// A string or bytes.
    Binary(Vec<u8>),
    /// A list, with the type number of its elements.
    List(u8, Vec<Value>),
    /// A structure: the number and value of each field.
    Struct(Vec<(i16, Value)>),
}

/// A wrong number to write as the length of a byte string, or as the number of elements in a list.
#[derive(Clone, Copy, Debug)]
pub struct FalseLength {
    /// The index of the length, in the order in which lengths occur in the structure.
    pub nth: usize,
    /// The number to write in place of the correct length.
    pub length: u64,
}

impl Value {
    /// Creates a 32-bit integer.
    pub const fn int32(number: i64) -> Self {
        Self::Integer(5, number)
    }

    /// Creates a 64-bit integer.
    pub const fn int64(number: i64) -> Self {
        Self::Integer(6, number)
    }

    /// Creates a string.
    pub fn text(text: &str) -> Self {
        Self::Binary(text.as_bytes().to_vec())
    }

    /// Reads the structure at the beginning of `bytes`, and returns the structure and its length.
    ///
    /// # Panics
    ///
    /// Panics if the structure is not valid.
    pub fn read(bytes: &[u8]) -> (Self, usize) {
        let mut reader = Reader { bytes, at: 0 };
        let value = reader.value(12);
        (value, reader.at)
    }

    /// Appends the structure to `out`, with at most one wrong length. Returns the number of lengths
    /// written.
    pub fn write(&self, out: &mut Vec<u8>, wrong: Option<FalseLength>) -> usize {
        let mut writer = Writer {
            out,
            wrong,
            lengths: 0,
        };
        writer.value(self);
        writer.lengths
    }

    /// Returns the value of a field.
    ///
    /// # Panics
    ///
    /// Panics if the value is not a structure, or if it does not have the field.
    pub fn field(&mut self, id: i16) -> &mut Self {
        let Self::Struct(fields) = self else {
            panic!("{self:?} is not a structure");
        };
        let found = fields.iter_mut().find(|(number, _)| *number == id);
        &mut found.unwrap_or_else(|| panic!("no field {id}")).1
    }

    /// Returns true if a structure has a field.
    pub fn has(&self, id: i16) -> bool {
        matches!(self, Self::Struct(fields) if fields.iter().any(|(number, _)| *number == id))
    }

    /// Returns the elements of a list.
    ///
    /// # Panics
    ///
    /// Panics if the value is not a list.
    pub fn elements(&mut self) -> &mut Vec<Self> {
        match self {
            Self::List(_, elements) => elements,
            other => panic!("{other:?} is not a list"),
        }
    }

    /// Returns an integer.
    ///
    /// # Panics
    ///
    /// Panics if the value is not an integer.
    pub fn integer(&mut self) -> &mut i64 {
        match self {
            Self::Integer(_, number) => number,
            other => panic!("{other:?} is not an integer"),
        }
    }

    /// Returns all integers in the value.
    pub fn integers(&mut self) -> Vec<&mut i64> {
        match self {
            Self::Integer(_, number) => vec![number],
            Self::List(_, elements) => elements.iter_mut().flat_map(Self::integers).collect(),
            Self::Struct(fields) => {
                let fields = fields.iter_mut();
                fields.flat_map(|(_, value)| value.integers()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the type number of the value. For a Boolean, the number depends on whether the value
    /// is true.
    const fn kind(&self) -> u8 {
        match self {
            Self::Bool(true) => 1,
            Self::Bool(false) => 2,
            Self::Byte(_) => 3,
            Self::Integer(kind, _) => *kind,
            Self::Double(_) => 7,
            Self::Binary(_) => 8,
            Self::List(..) => 9,
            Self::Struct(_) => 12,
        }
    }
}

/// Appends a LEB128 number.
pub fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a LEB128 number whose least significant bit is the sign.
pub fn zigzag(out: &mut Vec<u8>, number: i64) {
    varint(out, ((number << 1) ^ (number >> 63)).cast_unsigned());
}

struct Writer<'o> {
    out: &'o mut Vec<u8>,
    wrong: Option<FalseLength>,
    lengths: usize,
}

impl Writer<'_> {
    /// Returns the length to write, which may be the wrong one.
    fn length(&mut self, length: usize) -> u64 {
        let nth = self.lengths;
        self.lengths += 1;
        match self.wrong {
            Some(wrong) if wrong.nth == nth => wrong.length,
            _ => length as u64,
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Bool(_) => self.out.push(value.kind()),
            Value::Byte(byte) => self.out.push(*byte),
            Value::Integer(_, number) => zigzag(self.out, *number),
            Value::Double(bytes) => self.out.extend_from_slice(bytes),
            Value::Binary(bytes) => {
                let length = self.length(bytes.len());
                varint(self.out, length);
                self.out.extend_from_slice(bytes);
            }
            Value::List(kind, elements) => {
                let length = self.length(elements.len());
                if length < 15 {
                    self.out.push(u8::try_from(length).unwrap() << 4 | kind);
                } else {
                    self.out.push(0xF0 | kind);
                    varint(self.out, length);
                }
                for element in elements {
                    self.value(element);
                }
            }
            Value::Struct(fields) => {
                let mut last = 0;
                for (id, value) in fields {
                    if let Ok(delta @ 1..=15) = u8::try_from(id - last) {
                        self.out.push(delta << 4 | value.kind());
                    } else {
                        self.out.push(value.kind());
                        zigzag(self.out, i64::from(*id));
                    }
                    last = *id;
                    if !matches!(value, Value::Bool(_)) {
                        self.value(value);
                    }
                }
                self.out.push(0);
            }
        }
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn varint(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    fn zigzag(&mut self) -> i64 {
        let number = self.varint();
        (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
    }

    fn value(&mut self, kind: u8) -> Value {
        match kind {
            1 | 2 => Value::Bool(self.byte() == 1),
            3 => Value::Byte(self.byte()),
            4..=6 => Value::Integer(kind, self.zigzag()),
            7 => Value::Double(std::array::from_fn(|_| self.byte())),
            8 => {
                let length = usize::try_from(self.varint()).unwrap();
                Value::Binary((0..length).map(|_| self.byte()).collect())
            }
            9 => {
                let header = self.byte();
                let size = match header >> 4 {
                    15 => self.varint(),
                    size => size.into(),
                };
                let kind = header & 0x0F;
                Value::List(kind, (0..size).map(|_| self.value(kind)).collect())
            }
            12 => {
                let mut fields = Vec::new();
                let mut last = 0;
                loop {
                    let header = self.byte();
                    if header == 0 {
                        return Value::Struct(fields);
                    }
                    last = match header >> 4 {
                        0 => i16::try_from(self.zigzag()).unwrap(),
                        delta => last + i16::from(delta),
                    };
                    let value = match header & 0x0F {
                        1 => Value::Bool(true),
                        2 => Value::Bool(false),
                        kind => self.value(kind),
                    };
                    fields.push((last, value));
                }
            }
            other => panic!("the type {other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FalseLength, Value};

    #[test]
    fn structures_are_read_as_written() {
        let value = Value::Struct(vec![
            (1, Value::int32(-1)),
            (3, Value::List(8, vec![Value::text("a"); 20])),
            (40, Value::Bool(false)),
            (41, Value::Struct(vec![(2, Value::int64(i64::MAX))])),
        ]);
        let mut out = Vec::new();
        assert_eq!(value.write(&mut out, None), 21);
        assert_eq!(Value::read(&out), (value.clone(), out.len()));
        let wrong = FalseLength { nth: 0, length: 3 };
        let mut short = Vec::new();
        value.write(&mut short, Some(wrong));
        assert_eq!(short.len(), out.len() - 1, "the size fits the header");
    }
}
