//! Converts strings in a font to text (ISO 32000-2, 9.10), using the font's ToUnicode map or, if it
//! has none, its encoding.

use super::super::Problem;
use super::super::limits::Budget;
use super::caught;
use super::file::File;
use super::glyphs;
use super::object::{Dictionary, Lexer, Object};
use super::widths::Widths;
use core::ops::RangeInclusive;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of ranges of valid codes to compare with each code.
const MAX_SPACES: usize = 256;

/// The maximum number of entries in a map, or of differences from an encoding.
const MAX_ENTRIES: usize = 1 << 17;

/// The maximum number of UTF-16 code units that a code represents.
const MAX_UNITS: usize = 32;

/// The maximum length of a code, in bytes.
const MAX_CODE: usize = 4;

/// The maximum length of a font name, in bytes.
const MAX_FONT_NAME: usize = 127;

/// Words in the names of fonts whose glyphs are pictures rather than characters.
const PICTURES: [&[u8]; 4] = [b"Dingbats", b"Symbol", b"Wingdings", b"Webdings"];

/// Converts strings in a font to text.
#[derive(Default)]
pub(in super::super) struct Font {
    pub(super) name: String,
    map: Map,
    widths: Widths,
    /// The characters for one-byte codes.
    simple: Option<Simple>,
    /// True if strings are UTF-16.
    is_utf16: bool,
    /// True if codes have two bytes unless the map defines other lengths.
    is_composite: bool,
}

impl Font {
    /// Reads the dictionary of a font.
    pub(in super::super) fn read(
        file: &File<'_>,
        budget: &Budget,
        dictionary: &Dictionary,
    ) -> Result<Self, Problem> {
        let name = file.get(dictionary, b"BaseFont")?;
        let name = name.as_deref().and_then(Object::name).unwrap_or_default();
        let name = name.get(..MAX_FONT_NAME).unwrap_or(name);
        let mut font = Self {
            name: String::from_utf8_lossy(name).into_owned(),
            widths: Widths::read(file, budget, dictionary)?,
            ..Self::default()
        };
        let subtype = file.get(dictionary, b"Subtype")?;
        font.is_composite = subtype.as_deref().and_then(Object::name) == Some(b"Type0");
        if let Some(Object::Reference(number)) = dictionary.get(&b"ToUnicode"[..]) {
            let stream = file.load(*number)?;
            if stream.data.is_some() {
                let unpacked = file.unpack(&stream)?;
                font.map = Map::read(&unpacked.bytes, budget)?;
            }
        }
        let encoding = file.get(dictionary, b"Encoding")?;
        if font.is_composite {
            let name = encoding
                .as_deref()
                .and_then(Object::name)
                .unwrap_or_default();
            font.is_utf16 = name.starts_with(b"Uni")
                && [&b"UCS2"[..], b"UTF16"]
                    .iter()
                    .any(|it| memchr::memmem::find(name, it).is_some());
        } else {
            let mut simple = Simple::read(file, budget, encoding.as_deref())?;
            let is_picture = |word: &&[u8]| memchr::memmem::find(name, word).is_some();
            if PICTURES.iter().any(is_picture) {
                simple.unknown.clear();
            }
            // An encoding without characters is treated as unknown.
            font.simple = Some(simple).filter(|it| it.characters.iter().any(Option::is_some));
        }
        Ok(font)
    }

    /// Returns an estimate of the memory that the font uses, in bytes.
    pub(in super::super) fn size(&self) -> usize {
        4096 + 128 * self.map.targets.len() + 64 * self.widths.len()
    }

    /// Returns true if the widths of glyphs are known.
    pub(super) fn has_widths(&self) -> bool {
        self.widths.are_known()
    }

    /// Appends the text of a string.
    pub(super) fn decode(&self, string: &[u8], text: &mut String) -> Shown {
        let mut rest = string;
        let mut shown = Shown::default();
        while !rest.is_empty() {
            let length = self.code_length(rest).min(rest.len());
            let (code, after) = rest.split_at(length);
            rest = after;
            let value = code
                .iter()
                .fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
            shown.codes += 1.0;
            shown.width += self.widths.of(value);
            if code == b" " {
                shown.spaces += 1.0;
            }
            // In the map, some programs write the one-byte codes of simple fonts with two bytes.
            if self.map.push(length, value, text)
                || !self.is_composite && self.map.push(2, value, text)
            {
                continue;
            }
            let simple = self.simple.as_ref().filter(|_| length == 1);
            match (simple, code) {
                // A glyph without a character, such as an ornament, has no text.
                (Some(simple), [byte]) => {
                    if let Some(character) = simple.character(*byte) {
                        glyphs::push(character, text);
                    }
                    shown.unknown += usize::from(simple.unknown.contains(byte));
                }
                (_, [high, low]) if self.is_utf16 => {
                    let unit = u16::from_be_bytes([*high, *low]);
                    text.extend(char::decode_utf16([unit]).flatten());
                }
                _ => shown.unknown += 1,
            }
        }
        shown
    }

    /// Returns the length of the first code in a string, in bytes.
    fn code_length(&self, string: &[u8]) -> usize {
        if !self.is_composite {
            return 1;
        }
        let mut spaces = self.map.spaces.iter();
        let found = spaces.find(|(low, high)| {
            let code = string.get(..low.len()).unwrap_or_default();
            let within = |(byte, (low, high)): (&u8, (&u8, &u8))| (low..=high).contains(&byte);
            code.len() == low.len() && code.iter().zip(low.iter().zip(high)).all(within)
        });
        match found {
            Some((low, _)) => low.len(),
            None => 2,
        }
    }
}

/// The measurements of a string.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// The width of the string's glyphs, as a fraction of the font size.
    pub(super) width: f32,
    /// The number of codes in the string. The spacing between glyphs applies once per code.
    pub(super) codes: f32,
    /// The number of one-byte codes that are spaces.
    pub(super) spaces: f32,
    /// The number of codes whose text is unknown.
    pub(super) unknown: usize,
}

/// A ToUnicode map (9.10.3).
#[derive(Default)]
struct Map {
    /// The first and the last code of each range of valid codes.
    spaces: Vec<(Vec<u8>, Vec<u8>)>,
    /// Maps the length and the first code of each range to its last code and the text of its first
    /// code.
    targets: BTreeMap<(usize, u32), (u32, Vec<u16>)>,
}

impl Map {
    fn read(bytes: &[u8], budget: &Budget) -> Result<Self, Problem> {
        let mut map = Self::default();
        let mut lexer = Lexer::new(bytes, 0, budget);
        let mut operands = Vec::new();
        while let Some(object) = lexer.next()? {
            if map.targets.len() >= MAX_ENTRIES {
                break;
            }
            let Object::Keyword(word) = &object else {
                if operands.len() < MAX_ENTRIES {
                    operands.push(object);
                }
                continue;
            };
            match word.as_slice() {
                b"endcodespacerange" => {
                    for pair in operands.chunks_exact(2) {
                        if let [Object::String(low), Object::String(high)] = pair
                            && (1..=MAX_CODE).contains(&low.len())
                            && low.len() == high.len()
                            && map.spaces.len() < MAX_SPACES
                        {
                            map.spaces.push((low.clone(), high.clone()));
                        }
                    }
                }
                b"endbfchar" => {
                    for pair in operands.chunks_exact(2) {
                        if let [Object::String(code), Object::String(text)] = pair {
                            map.insert(code, code, units(text));
                        }
                    }
                }
                b"endbfrange" => {
                    for entry in operands.chunks_exact(3) {
                        map.range(entry);
                    }
                }
                _ => {}
            }
            operands.clear();
        }
        Ok(map)
    }

    fn range(&mut self, entry: &[Object]) {
        match entry {
            [
                Object::String(low),
                Object::String(high),
                Object::String(text),
            ] => {
                self.insert(low, high, units(text));
            }
            [Object::String(low), Object::String(_), Object::Array(texts)] => {
                let Some((length, first)) = code(low) else {
                    return;
                };
                for (code, text) in (first..).zip(texts) {
                    if let Object::String(text) = text {
                        self.targets.insert((length, code), (code, units(text)));
                    }
                }
            }
            _ => {}
        }
    }

    fn insert(&mut self, low: &[u8], high: &[u8], text: Vec<u16>) {
        if let (Some((length, low)), Some((_, high))) = (code(low), code(high)) {
            self.targets.insert((length, low), (high, text));
        }
    }

    /// Appends the text that a code represents. Returns false if the code is not in the map.
    fn push(&self, length: usize, code: u32, text: &mut String) -> bool {
        let before = self.targets.range(..=(length, code)).next_back();
        let Some(((found, first), (last, units))) = before else {
            return false;
        };
        if *found != length || *last < code {
            return false;
        }
        let Some((end, start)) = units.split_last() else {
            return true;
        };
        // Within a range, the last code unit increases with the code.
        let more = u16::try_from(code - first).unwrap_or(u16::MAX);
        let units = start.iter().copied().chain([end.wrapping_add(more)]);
        for character in char::decode_utf16(units) {
            glyphs::push(character.unwrap_or(char::REPLACEMENT_CHARACTER), text);
        }
        true
    }
}

/// Returns the length and the value of a code.
fn code(bytes: &[u8]) -> Option<(usize, u32)> {
    let value = bytes
        .iter()
        .fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
    (1..=MAX_CODE)
        .contains(&bytes.len())
        .then_some((bytes.len(), value))
}

/// Returns the UTF-16 code units of a string.
fn units(bytes: &[u8]) -> Vec<u16> {
    let unit = |pair: &[u8]| match pair {
        [high, low] => u16::from_be_bytes([*high, *low]),
        [low] => u16::from(*low),
        _ => 0,
    };
    bytes.chunks(2).take(MAX_UNITS).map(unit).collect()
}

/// A simple font's encoding (9.6.5).
struct Simple {
    characters: Vec<Option<char>>,
    /// The codes of glyphs whose names are numbers, if the font has no other glyphs.
    unknown: BTreeSet<u8>,
}

impl Simple {
    fn read(file: &File<'_>, budget: &Budget, encoding: Option<&Object>) -> Result<Self, Problem> {
        let mut base = encoding.and_then(Object::name).map(<[u8]>::to_vec);
        let dictionary = encoding.and_then(Object::dictionary);
        if let Some(dictionary) = dictionary {
            let name = file.get(dictionary, b"BaseEncoding")?;
            base = name.as_deref().and_then(Object::name).map(<[u8]>::to_vec);
        }
        let base = base.unwrap_or_else(|| b"StandardEncoding".to_vec());
        let ligatures: &[(u8, char)] = match base.as_slice() {
            b"StandardEncoding" => &[(0xAE, '\u{FB01}'), (0xAF, '\u{FB02}')],
            b"MacRomanEncoding" => &[(0xDE, '\u{FB01}'), (0xDF, '\u{FB02}')],
            _ => &[],
        };
        let mut characters = characters(lopdf::Object::Name(base), 0..=u8::MAX);
        characters.resize(256, None);
        let differences = dictionary
            .map(|it| file.get(it, b"Differences"))
            .transpose()?
            .flatten();
        let differences = differences
            .as_deref()
            .and_then(Object::array)
            .unwrap_or_default();
        for (code, ligature) in ligatures {
            if let Some(character) = characters.get_mut(usize::from(*code)) {
                *character = Some(*ligature);
            }
        }
        let mut unknown = BTreeSet::new();
        let mut has_known = false;
        let mut code = 0_u8;
        for difference in differences.iter().take(2 * 256) {
            budget.objects(1)?;
            match difference {
                Object::Integer(number) => code = u8::try_from(*number).unwrap_or_default(),
                Object::Name(name) => {
                    let found = glyphs::character(name).or_else(|| named(name, code));
                    if let Some(character) = characters.get_mut(usize::from(code)) {
                        *character = found;
                    }
                    has_known |= found.is_some();
                    if found.is_none() && name.iter().any(u8::is_ascii_digit) {
                        unknown.insert(code);
                    }
                    code = code.wrapping_add(1);
                }
                _ => {}
            }
        }
        if has_known {
            unknown.clear();
        }
        Ok(Self {
            characters,
            unknown,
        })
    }

    fn character(&self, code: u8) -> Option<char> {
        self.characters.get(usize::from(code)).copied().flatten()
    }
}

/// Returns the character of a glyph with this name and code. The table comes from `lopdf`.
fn named(name: &[u8], code: u8) -> Option<char> {
    let name = glyphs::base(name)?.as_bytes().to_vec();
    let mut glyph = lopdf::Dictionary::new();
    let difference = [i64::from(code).into(), lopdf::Object::Name(name)];
    glyph.set("Differences", difference.to_vec());
    let glyph = lopdf::Object::Dictionary(glyph);
    characters(glyph, code..=code).first().copied().flatten()
}

/// Returns the characters that the codes represent in an encoding. The tables come from `lopdf`.
fn characters(encoding: lopdf::Object, codes: RangeInclusive<u8>) -> Vec<Option<char>> {
    let mut font = lopdf::Dictionary::new();
    font.set("Type", lopdf::Object::Name(b"Font".to_vec()));
    font.set("Encoding", encoding);
    let document = lopdf::Document::new();
    let decode = || {
        let encoding = font.get_font_encoding_with_limit(&document, 0)?;
        let character = |code| lopdf::Document::decode_text(&encoding, &[code]);
        let character = |code| character(code).ok()?.chars().next();
        Ok(codes.map(character).collect())
    };
    caught(decode).unwrap_or_default()
}
