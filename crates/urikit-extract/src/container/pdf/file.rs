//! The structure of a file (ISO 32000-2, 7.5): the position of each object, and the data of
//! streams.
//!
//! Only the objects that pages need are read, and each is counted. A library that reads all objects
//! at once has to trust the file, but in a hostile file, table entries may share an object and
//! streams may overlap. Strings are decrypted when their object is read, and streams when they are
//! unpacked.

use super::super::Problem;
use super::super::limits::Budget;
use super::crypt::{Decryption, Method};
use super::damaged;
use super::filter::decode;
use super::object::{Dictionary, Lexer, Object, is_regular, is_space};
use core::cell::{Cell, OnceCell, RefCell};
use core::ops::{Deref, Range};
use memchr::memmem;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The maximum length of a chain of objects in which reading each object requires the next: a
/// stream, its length, and so on.
const MAX_LOADING: usize = 16;

/// The maximum length of a chain of references.
const MAX_REFERENCES: usize = 32;

/// The maximum memory for cached objects, in bytes.
const MAX_CACHED: usize = 32 << 20;

/// An estimate of the memory used by an object, in bytes.
const OBJECT_SIZE: usize = 64;

/// The header must begin within this many bytes of the start of the file, and the offset of the
/// first table must be within this many bytes of the end.
const NEAR: usize = 1024;

/// A numbered object, and the range of its data if it is a stream.
#[derive(Debug)]
pub(in super::super) struct Indirect {
    pub(in super::super) object: Object,
    pub(in super::super) data: Option<Range<usize>>,
    /// The number and the generation of the object, which determine the encryption key of its
    /// stream.
    id: (u32, u32),
}

/// A direct object, or an indirect object with its number.
pub(in super::super) enum Value<'v> {
    Direct(&'v Object),
    Indirect(Rc<Indirect>),
}

impl Deref for Value<'_> {
    type Target = Object;

    fn deref(&self) -> &Object {
        match self {
            Self::Direct(object) => object,
            Self::Indirect(indirect) => &indirect.object,
        }
    }
}

/// The position of an object.
#[derive(Clone, Copy, Debug)]
enum Location {
    Free,
    Offset(usize),
    /// The number of the object stream that contains the object.
    Within(u32),
}

type Table = BTreeMap<u32, Location>;

/// The unpacked objects of an object stream (7.5.7).
struct ObjectStream {
    bytes: Vec<u8>,
    offsets: HashMap<u32, usize>,
}

#[derive(Default)]
struct Cache {
    objects: HashMap<u32, Rc<Indirect>>,
    streams: HashMap<u32, Rc<ObjectStream>>,
    size: usize,
}

impl Cache {
    /// Makes room for an object in the cache.
    fn reserve(&mut self, size: usize) {
        if self.size.saturating_add(size) > MAX_CACHED {
            *self = Self::default();
        }
        self.size = self.size.saturating_add(size);
    }
}

pub(in super::super) struct File<'a> {
    bytes: &'a [u8],
    budget: &'a Budget,
    table: Table,
    trailer: Dictionary,
    /// The table built by searching the file for objects, if that was necessary.
    searched: OnceCell<Table>,
    cache: RefCell<Cache>,
    loading: Cell<usize>,
    decryption: Option<Decryption>,
}

impl<'a> File<'a> {
    /// Reads the cross-reference tables of a file.
    pub(in super::super) fn open(bytes: &'a [u8], budget: &'a Budget) -> Result<Self, Problem> {
        let start = bytes.get(..bytes.len().min(NEAR)).unwrap_or_default();
        let start = memmem::find(start, b"%PDF-").unwrap_or_default();
        let mut file = File {
            bytes: bytes.get(start..).unwrap_or_default(),
            budget,
            table: Table::new(),
            trailer: Dictionary::new(),
            searched: OnceCell::new(),
            cache: RefCell::default(),
            loading: Cell::new(0),
            decryption: None,
        };
        let read = file.read_tables();
        let is_complete = within(budget, read)?.is_some();
        let is_readable = match file.unlock() {
            Err(problem @ Problem::Unsupported(_)) => return Err(problem),
            unlocked => within(budget, unlocked.map(Some))?.is_some(),
        };
        let pages = file.pages();
        if within(budget, pages)?.is_none() || !is_complete || !is_readable {
            file.rebuild()?;
        }
        Ok(file)
    }

    /// Opens a file encrypted with the empty password. Objects that have already been read are read
    /// again.
    fn unlock(&mut self) -> Result<(), Problem> {
        let Some(encryption) = self.get(&self.trailer, b"Encrypt")? else {
            return Ok(());
        };
        if *encryption == Object::Null && self.trailer.get(&b"Encrypt"[..]) == Some(&Object::Null) {
            return Ok(());
        }
        let Some(dictionary) = encryption.dictionary() else {
            return Err(damaged("the PDF is encrypted, but does not say how"));
        };
        let id = self.get(&self.trailer, b"ID")?;
        let id = match id.as_deref().and_then(Object::array) {
            Some([Object::String(id), ..]) => id.as_slice(),
            _ => &[],
        };
        let decryption = Decryption::read(self, dictionary, id)?;
        self.decryption = Some(decryption);
        self.cache = RefCell::default();
        Ok(())
    }

    /// Returns the number of the root of the page tree (7.7.3).
    pub(in super::super) fn pages(&self) -> Result<Option<u32>, Problem> {
        let Some(catalog) = self.get(&self.trailer, b"Root")? else {
            return Ok(None);
        };
        let catalog = catalog.dictionary();
        let Some(Object::Reference(pages)) = catalog.and_then(|it| it.get(&b"Pages"[..])) else {
            return Ok(None);
        };
        let root = self.load(*pages)?;
        let root = root.object.dictionary();
        Ok(root
            .is_some_and(|root| root.contains_key(&b"Kids"[..]))
            .then_some(*pages))
    }

    /// Returns the value of a key, following references.
    pub(in super::super) fn get<'v>(
        &self,
        dictionary: &'v Dictionary,
        key: &[u8],
    ) -> Result<Option<Value<'v>>, Problem> {
        match dictionary.get(key) {
            None => Ok(None),
            Some(object) => self.resolve(object).map(Some),
        }
    }

    /// Resolves an object that may be a reference.
    pub(in super::super) fn resolve<'v>(&self, object: &'v Object) -> Result<Value<'v>, Problem> {
        let Object::Reference(number) = object else {
            return Ok(Value::Direct(object));
        };
        let mut number = *number;
        for _ in 0..MAX_REFERENCES {
            let indirect = self.load(number)?;
            match indirect.object {
                Object::Reference(next) => number = next,
                _ => return Ok(Value::Indirect(indirect)),
            }
        }
        Err(damaged("references form a loop"))
    }

    /// Returns the object with this number. An object that does not exist is treated as null.
    pub(in super::super) fn load(&self, number: u32) -> Result<Rc<Indirect>, Problem> {
        if let Some(found) = self.cache.borrow().objects.get(&number) {
            return Ok(Rc::clone(found));
        }
        self.budget.objects(1)?;
        if self.loading.get() >= MAX_LOADING {
            return Err(damaged("objects depend on each other"));
        }
        self.loading.set(self.loading.get() + 1);
        let read = self.read(number);
        self.loading.set(self.loading.get() - 1);
        let (indirect, size) = read?;
        let indirect = Rc::new(indirect);
        let mut cache = self.cache.borrow_mut();
        cache.reserve(size);
        cache.objects.insert(number, Rc::clone(&indirect));
        Ok(indirect)
    }

    /// Reads the object with this number. Also returns the approximate memory used by the object.
    fn read(&self, number: u32) -> Result<(Indirect, usize), Problem> {
        let at = |table: &Table| table.get(&number).copied().unwrap_or(Location::Free);
        match at(&self.table) {
            Location::Free => {}
            Location::Within(container) => return self.read_within(container, number),
            Location::Offset(offset) => {
                let read = self.read_at(number, offset);
                if let Some(found) = within(self.budget, read.map(Some))? {
                    return Ok(found);
                }
                // The table may be wrong for part of the file.
                if let Location::Offset(offset) = at(self.searched()?) {
                    return self.read_at(number, offset);
                }
            }
        }
        Ok((null(), OBJECT_SIZE))
    }

    /// Reads the object at an offset in the file (7.3.10).
    fn read_at(&self, number: u32, offset: usize) -> Result<(Indirect, usize), Problem> {
        let mut lexer = Lexer::new(self.bytes, offset, self.budget);
        let found = lexer.next()?.and_then(|object| object.index());
        let generation = lexer.next()?.and_then(|object| object.index());
        let is_object = found.is_some_and(|found| u32::try_from(found) == Ok(number));
        if !is_object || generation.is_none() || !lexer.keyword(b"obj")? {
            return Err(damaged("an object is not at its listed offset"));
        }
        let start = lexer.offset();
        let mut object = lexer.next()?.unwrap_or(Object::Null);
        let size = OBJECT_SIZE * lexer.parts() + (lexer.offset() - start);
        let is_stream = object.dictionary().is_some() && lexer.keyword(b"stream")?;
        let data = match object.dictionary() {
            Some(dictionary) if is_stream => Some(self.data(dictionary, lexer.offset())?),
            _ => None,
        };
        let generation = generation.and_then(|it| u32::try_from(it).ok());
        let id = (number, generation.unwrap_or_default());
        if let Some(decryption) = &self.decryption {
            decryption.decrypt_strings(id, &mut object);
        }
        Ok((Indirect { object, data, id }, size))
    }

    /// Returns the range of a stream's data, given the offset after the keyword `stream` (7.3.8).
    fn data(&self, dictionary: &Dictionary, at: usize) -> Result<Range<usize>, Problem> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let start = at
            + match rest {
                [b'\r', b'\n', ..] => 2,
                [b'\r' | b'\n', ..] => 1,
                _ => 0,
            };
        let length = self.get(dictionary, b"Length");
        let length = within(self.budget, length)?.and_then(|length| length.index());
        if let Some(end) = length.and_then(|length| start.checked_add(length))
            && let Some(rest) = self.bytes.get(end..)
        {
            let rest = rest.get(..rest.len().min(16)).unwrap_or_default();
            if rest.trim_ascii_start().starts_with(b"endstream") {
                return Ok(start..end);
            }
        }
        let rest = self.bytes.get(start..).unwrap_or_default();
        let length = memmem::find(rest, b"endstream").unwrap_or(rest.len());
        self.budget.objects(length / 16)?;
        Ok(start..start + length)
    }

    /// Returns the unpacked data of a stream.
    pub(in super::super) fn unpack(&self, indirect: &Indirect) -> Result<Unpacked, Problem> {
        let (Some(dictionary), Some(range)) = (indirect.object.dictionary(), &indirect.data) else {
            return Err(damaged("a stream is missing"));
        };
        let data = self.bytes.get(range.clone()).unwrap_or_default();
        let data = match &self.decryption {
            None => Cow::Borrowed(data),
            Some(decryption) => match self.method(decryption, dictionary)? {
                Method::None => Cow::Borrowed(data),
                method => Cow::Owned(decryption.decrypt(method, indirect.id, data)),
            },
        };
        decode(self, self.budget, dictionary, data)
    }

    /// Returns the method used to encrypt a stream (7.6.3, 7.4.10).
    fn method(&self, decryption: &Decryption, stream: &Dictionary) -> Result<Method, Problem> {
        if stream.get(&b"Type"[..]).and_then(Object::name) == Some(b"XRef") {
            return Ok(Method::None);
        }
        let first = |key| {
            let value = self.get(stream, key)?;
            Ok::<_, Problem>(match value.as_deref() {
                Some(Object::Array(items)) => items.first().cloned(),
                Some(other) => Some(other.clone()),
                None => None,
            })
        };
        if first(b"Filter")?.as_ref().and_then(Object::name) != Some(b"Crypt") {
            return Ok(decryption.streams);
        }
        let parameters = first(b"DecodeParms")?;
        let name = match parameters.as_ref().and_then(Object::dictionary) {
            Some(parameters) => self.get(parameters, b"Name")?,
            None => None,
        };
        decryption.named(name.as_deref().and_then(Object::name))
    }

    fn read_within(&self, container: u32, number: u32) -> Result<(Indirect, usize), Problem> {
        let cached = self.cache.borrow().streams.get(&container).cloned();
        let stream = match cached {
            Some(stream) => stream,
            None => self.object_stream(container)?,
        };
        let Some(offset) = stream.offsets.get(&number) else {
            return Ok((null(), OBJECT_SIZE));
        };
        let mut lexer = Lexer::new(&stream.bytes, *offset, self.budget);
        let object = lexer.next()?.unwrap_or(Object::Null);
        let size = OBJECT_SIZE * lexer.parts() + lexer.offset().saturating_sub(*offset);
        let indirect = Indirect { object, ..null() };
        Ok((indirect, size))
    }

    /// Unpacks an object stream (7.5.7), and reads its index.
    fn object_stream(&self, container: u32) -> Result<Rc<ObjectStream>, Problem> {
        // An object stream cannot contain another object stream.
        if !matches!(self.table.get(&container), Some(Location::Offset(_))) {
            return Err(damaged("an object stream is missing"));
        }
        let indirect = self.load(container)?;
        let unpacked = self.unpack(&indirect)?;
        unpacked.complete()?;
        let bytes = unpacked.bytes;
        let number = |key| {
            let dictionary = indirect.object.dictionary();
            let value = dictionary
                .map(|dictionary| self.get(dictionary, key))
                .transpose()?;
            let value = value.flatten().and_then(|value| value.index());
            value.ok_or_else(|| damaged("an object stream has no index"))
        };
        let (count, first) = (number(b"N")?, number(b"First")?);
        let mut offsets = HashMap::new();
        let mut lexer = Lexer::new(bytes.get(..first).unwrap_or_default(), 0, self.budget);
        for _ in 0..count {
            let number = lexer.next()?.and_then(|object| object.index());
            let offset = lexer.next()?.and_then(|object| object.index());
            let (Some(number), Some(offset)) = (number, offset) else {
                break;
            };
            if let Ok(number) = u32::try_from(number) {
                offsets.insert(number, first.saturating_add(offset));
            }
        }
        let size = bytes.len() + offsets.len() * OBJECT_SIZE;
        let stream = Rc::new(ObjectStream { bytes, offsets });
        let mut cache = self.cache.borrow_mut();
        cache.reserve(size);
        cache.streams.insert(container, Rc::clone(&stream));
        Ok(stream)
    }

    /// Reads the cross-reference tables, from the last to the first (7.5.4, 7.5.8).
    fn read_tables(&mut self) -> Result<Option<()>, Problem> {
        let near = self.bytes.len().saturating_sub(NEAR);
        let end = self.bytes.get(near..).unwrap_or_default();
        let Some(start) = memmem::rfind(end, b"startxref") else {
            return Ok(None);
        };
        let mut lexer = Lexer::new(end, start + b"startxref".len(), self.budget);
        let mut next = lexer.next()?.and_then(|object| object.index());
        let mut seen = BTreeSet::new();
        while let Some(offset) = next.filter(|offset| seen.insert(*offset)) {
            let trailer = self.read_table(offset)?;
            // A table and a stream may describe the same version of a file (7.5.8.4).
            let also = trailer.get(&b"XRefStm"[..]).and_then(Object::index);
            if let Some(also) = also.filter(|also| seen.insert(*also)) {
                self.read_table(also)?;
            }
            next = trailer.get(&b"Prev"[..]).and_then(Object::index);
            if self.trailer.is_empty() {
                self.trailer = trailer;
            }
        }
        Ok(Some(()))
    }

    /// Adds the entries of a table, unless a later table contains them. Returns the trailer.
    fn read_table(&mut self, offset: usize) -> Result<Dictionary, Problem> {
        let mut lexer = Lexer::new(self.bytes, offset, self.budget);
        match lexer.next()? {
            Some(Object::Keyword(word)) if word == b"xref" => {}
            Some(Object::Integer(number)) => {
                let number = u32::try_from(number).map_err(|_| damaged("a table is missing"))?;
                return self.read_stream_table(number, offset);
            }
            _ => return Err(damaged("a table is missing")),
        }
        loop {
            let start = match lexer.next()? {
                Some(Object::Keyword(word)) if word == b"trailer" => break,
                Some(object) => object.index(),
                None => None,
            };
            let count = lexer.next()?.and_then(|object| object.index());
            let (Some(start), Some(count)) = (start, count) else {
                return Err(damaged("a table is damaged"));
            };
            for number in (start..).take(count) {
                let offset = lexer.next()?.and_then(|object| object.index());
                lexer.next()?;
                let is_used = match lexer.next()? {
                    Some(Object::Keyword(word)) => word == b"n",
                    _ => return Err(damaged("a table is damaged")),
                };
                let location = match offset.filter(|_| is_used) {
                    Some(offset) => Location::Offset(offset),
                    None => Location::Free,
                };
                if let Ok(number) = u32::try_from(number) {
                    self.table.entry(number).or_insert(location);
                }
            }
        }
        match lexer.next()? {
            Some(Object::Dictionary(trailer)) => Ok(trailer),
            _ => Err(damaged("a trailer is missing")),
        }
    }

    /// Adds the entries of a table in a stream (7.5.8).
    fn read_stream_table(&mut self, number: u32, offset: usize) -> Result<Dictionary, Problem> {
        let (indirect, _) = self.read_at(number, offset)?;
        let unpacked = self.unpack(&indirect)?;
        unpacked.complete()?;
        let Object::Dictionary(dictionary) = indirect.object else {
            return Err(damaged("a table is missing"));
        };
        let numbers = |key: &[u8]| {
            let array = dictionary.get(key).and_then(Object::array)?;
            array.iter().map(Object::index).collect::<Option<Vec<_>>>()
        };
        let widths = numbers(b"W").filter(|widths| widths.iter().all(|width| *width <= 8));
        let Some([kind, first, second]) = widths.as_deref() else {
            return Err(damaged("a table is damaged"));
        };
        let (kind, first, second) = (*kind, *first, *second);
        let size = dictionary.get(&b"Size"[..]).and_then(Object::index);
        let sections = numbers(b"Index").unwrap_or_else(|| vec![0, size.unwrap_or_default()]);
        let mut entries = unpacked.bytes.chunks_exact((kind + first + second).max(1));
        for section in sections.chunks_exact(2) {
            let [start, count] = *section else { continue };
            for (number, entry) in (start..).zip(entries.by_ref().take(count)) {
                self.budget.objects(1)?;
                let field = |range: Range<usize>| {
                    let bytes = entry.get(range).unwrap_or_default();
                    bytes
                        .iter()
                        .fold(0_u64, |value, byte| value << 8 | u64::from(*byte))
                };
                let value = field(kind..kind + first);
                let location = match if kind == 0 { 1 } else { field(0..kind) } {
                    1 => usize::try_from(value).map_or(Location::Free, Location::Offset),
                    2 => u32::try_from(value).map_or(Location::Free, Location::Within),
                    _ => Location::Free,
                };
                if let Ok(number) = u32::try_from(number) {
                    self.table.entry(number).or_insert(location);
                }
            }
        }
        Ok(dictionary)
    }

    /// Searches the file for objects, and returns their positions. If several objects have the same
    /// number, uses the last one.
    fn searched(&self) -> Result<&Table, Problem> {
        if let Some(table) = self.searched.get() {
            return Ok(table);
        }
        self.budget.objects(self.bytes.len() / 16)?;
        let mut table = Table::new();
        for at in memmem::find_iter(self.bytes, b"obj") {
            let before = self.bytes.get(..at).unwrap_or_default();
            let after = self.bytes.get(at + 3);
            if after.is_some_and(|byte| is_regular(*byte)) {
                continue;
            }
            let Some((before, _)) = number_before(before) else {
                continue;
            };
            let Some((before, number)) = number_before(before) else {
                continue;
            };
            self.budget.objects(1)?;
            table.insert(number, Location::Offset(before.len()));
        }
        Ok(self.searched.get_or_init(|| table))
    }

    /// Builds a table from the objects found in the file, because the table in the file is
    /// unusable.
    fn rebuild(&mut self) -> Result<(), Problem> {
        self.table = self.searched()?.clone();
        self.cache = RefCell::default();
        self.decryption = None;
        for at in memmem::find_iter(self.bytes, b"trailer") {
            let mut lexer = Lexer::new(self.bytes, at + b"trailer".len(), self.budget);
            let trailer = lexer.next();
            if let Some(Object::Dictionary(trailer)) = within(self.budget, trailer)? {
                self.trailer = trailer;
            }
        }
        let mut object_streams = Vec::new();
        let mut encrypted = None;
        let mut root = None;
        for number in self.table.keys() {
            let indirect = self.load(*number);
            let Some(indirect) = within(self.budget, indirect.map(Some))? else {
                continue;
            };
            let Some(dictionary) = indirect.object.dictionary() else {
                continue;
            };
            match dictionary.get(&b"Type"[..]).and_then(Object::name) {
                Some(b"Catalog") => root = Some(*number),
                Some(b"ObjStm") => object_streams.push(*number),
                _ => {}
            }
            if dictionary.contains_key(&b"Encrypt"[..]) {
                encrypted = Some(dictionary.clone());
            }
        }
        if let Some(trailer) = encrypted {
            self.trailer = trailer;
        }
        self.unlock()?;
        let mut within_streams = Vec::new();
        for number in object_streams {
            let stream = self.object_stream(number);
            if let Some(stream) = within(self.budget, stream.map(Some))? {
                self.budget.objects(stream.offsets.len())?;
                let members = stream.offsets.keys();
                within_streams.extend(members.map(|member| (*member, number)));
            }
        }
        for (member, container) in within_streams {
            let location = Location::Within(container);
            self.table.entry(member).or_insert(location);
            if root.is_none() {
                let indirect = self.load(member);
                let indirect = within(self.budget, indirect.map(Some))?;
                let is_catalog = indirect.is_some_and(|indirect| {
                    let kind = indirect
                        .object
                        .dictionary()
                        .and_then(|it| it.get(&b"Type"[..]));
                    kind.and_then(Object::name) == Some(b"Catalog")
                });
                root = is_catalog.then_some(member);
            }
        }
        if let Some(root) = root {
            self.trailer
                .insert(b"Root".to_vec(), Object::Reference(root));
        }
        Ok(())
    }
}

/// The unpacked data of a stream.
pub(in super::super) struct Unpacked {
    pub(in super::super) bytes: Vec<u8>,
    /// The reason why the data ends early, or is wrong.
    pub(in super::super) damage: Option<Problem>,
}

impl Unpacked {
    /// Fails if the data is damaged.
    fn complete(&self) -> Result<(), Problem> {
        match self.damage {
            None => Ok(()),
            Some(_) => Err(damaged("an object stream is damaged")),
        }
    }
}

const fn null() -> Indirect {
    Indirect {
        object: Object::Null,
        data: None,
        id: (0, 0),
    }
}

/// Replaces an error with `None` if the file is damaged, but keeps the error if a limit was
/// exceeded.
fn within<T>(budget: &Budget, read: Result<Option<T>, Problem>) -> Result<Option<T>, Problem> {
    match (read, budget.exceeded()) {
        (Err(_), Some(limit)) => Err(limit.into()),
        (Err(_), None) => Ok(None),
        (Ok(value), _) => Ok(value),
    }
}

/// Reads a number and the white space after it, backwards from the end.
fn number_before(bytes: &[u8]) -> Option<(&[u8], u32)> {
    let spaces = bytes
        .iter()
        .rev()
        .take_while(|byte| is_space(**byte))
        .take(64)
        .count();
    let bytes = bytes.get(..bytes.len() - spaces)?;
    let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let start = bytes.len() - digits.take(11).count();
    let number = core::str::from_utf8(bytes.get(start..)?)
        .ok()?
        .parse()
        .ok()?;
    (spaces > 0).then_some((bytes.get(..start)?, number))
}
