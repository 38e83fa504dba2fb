//! The schema: a tree of groups and columns, written in depth-first order.

use super::thrift::{Fault, Kind, Reader};
use crate::error::{Count, Error, Invalid, Part};
use std::sync::Arc;

/// The number of groups that may enclose a column.
pub const MAX_DEPTH: usize = 64;

/// The number of the physical type of strings and byte strings.
pub(crate) const BYTE_ARRAY: i64 = 6;

/// The repetition types: required, optional and repeated.
const REPETITIONS: std::ops::RangeInclusive<i64> = 0..=2;

/// The columns of a schema.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    columns: Vec<Leaf>,
}

/// A group, with its name and its parent.
#[derive(Debug)]
struct Group {
    name: Box<[u8]>,
    parent: Option<Arc<Group>>,
}

/// A column.
#[derive(Clone, Debug)]
struct Leaf {
    name: Box<[u8]>,
    /// The group that contains the column, or `None` for the root.
    group: Option<Arc<Group>>,
    is_text: bool,
    physical: i64,
    /// The length of each value, if it is fixed.
    length: Option<i64>,
    /// The definition level of a value that is present.
    level: u8,
    /// The repetition level of a value that continues the innermost list.
    repetition: u8,
}

/// A column of a file.
#[derive(Clone, Copy, Debug)]
pub struct Column<'s> {
    leaf: &'s Leaf,
}

impl Column<'_> {
    /// Returns the names of the groups that contain the column and the name of the column,
    /// separated by dots. Bytes that are not UTF-8 become U+FFFD.
    pub fn path(&self) -> String {
        let mut names = vec![String::from_utf8_lossy(&self.leaf.name)];
        let mut group = &self.leaf.group;
        while let Some(inner) = group {
            names.push(String::from_utf8_lossy(&inner.name));
            group = &inner.parent;
        }
        names.reverse();
        names.join(".")
    }

    /// Returns true if `path` equals the result of [`path`](Self::path), without building that
    /// string.
    pub fn is_named(&self, path: &str) -> bool {
        let mut rest = path.strip_suffix(&*String::from_utf8_lossy(&self.leaf.name));
        let mut group = &self.leaf.group;
        while let Some(inner) = group {
            let before = rest.and_then(|rest| rest.strip_suffix('.'));
            rest = before.and_then(|it| it.strip_suffix(&*String::from_utf8_lossy(&inner.name)));
            if rest.is_none() {
                return false;
            }
            group = &inner.parent;
        }
        rest == Some("")
    }

    /// Returns the name of the outermost group that contains the column, or the column's own name
    /// if it is not in a group. Bytes that are not UTF-8 become U+FFFD.
    pub fn outermost(&self) -> String {
        let mut name = &self.leaf.name;
        let mut group = &self.leaf.group;
        while let Some(inner) = group {
            name = &inner.name;
            group = &inner.parent;
        }
        String::from_utf8_lossy(name).into_owned()
    }

    /// Returns the physical type of the column.
    ///
    /// # Errors
    ///
    /// Fails if the format does not define the type.
    pub(crate) fn physical(self) -> Result<Physical, Error> {
        let length = || {
            let length = self.leaf.length.and_then(|it| usize::try_from(it).ok());
            length.ok_or(Invalid::Missing(Part::Footer, "type_length"))
        };
        Ok(match self.leaf.physical {
            0 => Physical::Boolean,
            1 | 4 => Physical::Fixed(4),
            2 | 5 => Physical::Fixed(8),
            3 => Physical::Fixed(12),
            BYTE_ARRAY => Physical::Bytes,
            7 => Physical::Fixed(length()?),
            _ => return Err(Invalid::Missing(Part::Footer, "type").into()),
        })
    }

    /// Returns the highest repetition level and definition level.
    pub(crate) const fn levels(self) -> (u8, u8) {
        (self.leaf.repetition, self.leaf.level)
    }

    /// Returns the number by which the format identifies the physical type.
    pub(crate) const fn physical_number(self) -> i64 {
        self.leaf.physical
    }

    /// Returns true if the column has at most one string or byte string for each row.
    pub fn is_text(&self) -> bool {
        self.leaf.is_text
    }
}

/// The physical type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Physical {
    Boolean,
    /// Values that all have the given number of bytes.
    Fixed(usize),
    /// Text and byte strings.
    Bytes,
}

/// A schema element, as encoded in the file.
#[derive(Default)]
struct Element<'t> {
    physical: Option<i64>,
    length: Option<i64>,
    repetition: i64,
    name: &'t [u8],
    children: Option<i64>,
}

impl<'t> Element<'t> {
    fn read(reader: &mut Reader<'t>) -> Result<Self, Fault> {
        let mut element = Self::default();
        let mut last = 0;
        while let Some((id, kind)) = reader.field(&mut last)? {
            match (id, kind) {
                (1, Kind::Integer) => element.physical = Some(reader.integer()?),
                (2, Kind::Integer) => element.length = Some(reader.integer()?),
                (3, Kind::Integer) => element.repetition = reader.integer()?,
                (4, Kind::Binary) => element.name = reader.binary()?,
                (5, Kind::Integer) => element.children = Some(reader.integer()?),
                _ => reader.skip(kind)?,
            }
        }
        Ok(element)
    }
}

/// A group whose children are being read.
struct Open {
    group: Option<Arc<Group>>,
    declared: u64,
    left: u64,
    level: u8,
    repetition: u8,
}

impl Schema {
    /// Reads a schema that has the given number of elements.
    pub(crate) fn read(reader: &mut Reader<'_>, elements: u64) -> Result<Self, Error> {
        let mut columns = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for nth in 0..elements {
            let element = Element::read(reader).map_err(|it| it.of(Part::Footer))?;
            if !REPETITIONS.contains(&element.repetition) {
                return Err(Invalid::Missing(Part::Footer, "repetition_type").into());
            }
            let (level, repetition, group) = match open.last_mut() {
                None if nth == 0 => (0, 0, None),
                None => return Err(Count::Children.differs(nth - 1, elements - 1).into()),
                Some(parent) => {
                    parent.left -= 1;
                    let level = parent.level + u8::from(element.repetition != 0);
                    let repetition = parent.repetition + u8::from(element.repetition == 2);
                    (level, repetition, parent.group.clone())
                }
            };
            let name = element.name.into();
            match (element.physical, element.children.unwrap_or(0)) {
                (Some(physical), 0) if nth > 0 => columns.push(Leaf {
                    name,
                    group,
                    is_text: physical == BYTE_ARRAY && repetition == 0,
                    physical,
                    length: element.length,
                    level,
                    repetition,
                }),
                (_, children) => {
                    let missing = Invalid::Missing(Part::Footer, "num_children");
                    let left = u64::try_from(children).map_err(|_| missing)?;
                    if left > elements - 1 - nth {
                        return Err(Count::Children.differs(left, elements - 1 - nth).into());
                    }
                    if open.len() > MAX_DEPTH {
                        return Err(Invalid::Deep { limit: MAX_DEPTH }.into());
                    }
                    let this = Group {
                        name,
                        parent: group,
                    };
                    open.push(Open {
                        group: (nth > 0).then(|| Arc::new(this)),
                        declared: left,
                        left,
                        level,
                        repetition,
                    });
                }
            }
            open.truncate(
                open.iter()
                    .rposition(|it| it.left > 0)
                    .map_or(0, |nth| nth + 1),
            );
        }
        match open.last() {
            None if elements > 0 => Ok(Self { columns }),
            None => Err(Invalid::Missing(Part::Footer, "schema").into()),
            Some(group) => Err(Count::Children
                .differs(group.declared, group.declared - group.left)
                .into()),
        }
    }

    pub(crate) fn columns(&self) -> impl ExactSizeIterator<Item = Column<'_>> {
        self.columns.iter().map(|leaf| Column { leaf })
    }

    /// Returns the definition level of a value that is present in the text column with this index.
    /// Returns `None` if no text column has this index.
    pub(crate) fn level(&self, column: usize) -> Option<u8> {
        let leaf = self.columns.get(column).filter(|leaf| leaf.is_text)?;
        Some(leaf.level)
    }
}
