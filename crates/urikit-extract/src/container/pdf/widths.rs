//! The widths of the glyphs in a font (ISO 32000-2, 9.2.4, 9.7.4.3), as fractions of the font size.

use super::super::Problem;
use super::super::limits::Budget;
use super::file::File;
use super::object::{Dictionary, Object};
use super::standard;
use std::collections::BTreeMap;

/// The maximum number of ranges with separate widths. A composite font has up to 65,536 glyphs.
const MAX_RANGES: usize = 1 << 16;

#[derive(Default)]
pub(super) struct Widths {
    /// Maps the first code of each range to its last code and its width.
    ranges: BTreeMap<u32, (u32, f32)>,
    /// The width of all other glyphs; `None` if no widths are known.
    default: Option<f32>,
}

impl Widths {
    /// Reads the widths in the dictionary of a font.
    pub(super) fn read(
        file: &File<'_>,
        budget: &Budget,
        font: &Dictionary,
    ) -> Result<Self, Problem> {
        let kind = file.get(font, b"Subtype")?;
        match kind.as_deref().and_then(Object::name) {
            Some(b"Type0") => Self::composite(file, budget, font),
            kind => Self::simple(file, budget, font, kind == Some(b"Type3")),
        }
    }

    fn simple(
        file: &File<'_>,
        budget: &Budget,
        font: &Dictionary,
        is_type3: bool,
    ) -> Result<Self, Problem> {
        let mut found = Self::default();
        let Some(widths) = file.get(font, b"Widths")? else {
            let name = file.get(font, b"BaseFont")?;
            let name = name.as_deref().and_then(Object::name).unwrap_or_default();
            let Some(widths) = standard::widths(name) else {
                return Ok(found);
            };
            for (code, width) in (u32::from(b' ')..).zip(widths) {
                let width = f32::from(*width) / 1000.0;
                found.ranges.insert(code, (code, width));
            }
            // Other characters are about as wide as an `n`.
            found.default = Some(found.of(u32::from(b'n')));
            return Ok(found);
        };
        let mut unit = 0.001;
        if is_type3 {
            let matrix = file.get(font, b"FontMatrix")?;
            let first = matrix.as_deref().and_then(Object::array);
            let first = first.and_then(|it| it.first()).and_then(Object::number);
            unit = first.unwrap_or(unit);
        }
        let first = file.get(font, b"FirstChar")?;
        let first = first.and_then(|it| it.index()).unwrap_or_default();
        let first = u32::try_from(first).unwrap_or_default();
        for (code, width) in (first..256).zip(widths.array().unwrap_or_default()) {
            budget.objects(1)?;
            let width = file.resolve(width)?.number().unwrap_or_default();
            found.ranges.insert(code, (code, width * unit));
        }
        found.default = Some(match file.get(font, b"FontDescriptor")? {
            Some(descriptor) => match descriptor.dictionary() {
                Some(descriptor) => {
                    let missing = file.get(descriptor, b"MissingWidth")?;
                    missing.and_then(|it| it.number()).unwrap_or_default() * unit
                }
                None => 0.0,
            },
            None => 0.0,
        });
        Ok(found)
    }

    /// Reads the widths of a composite font whose codes are its glyph numbers.
    fn composite(file: &File<'_>, budget: &Budget, font: &Dictionary) -> Result<Self, Problem> {
        let mut found = Self::default();
        let encoding = file.get(font, b"Encoding")?;
        let encoding = encoding.as_deref().and_then(Object::name);
        let descendants = file.get(font, b"DescendantFonts")?;
        let descendants = descendants.as_deref().and_then(Object::array);
        let (Some(b"Identity-H"), Some([descendant, ..])) = (encoding, descendants) else {
            return Ok(found);
        };
        let descendant = file.resolve(descendant)?;
        let Some(descendant) = descendant.dictionary() else {
            return Ok(found);
        };
        let default = file.get(descendant, b"DW")?;
        let default = default.and_then(|it| it.number()).unwrap_or(1000.0);
        found.default = Some(default / 1000.0);
        let widths = file.get(descendant, b"W")?;
        let mut rest = widths
            .as_deref()
            .and_then(Object::array)
            .unwrap_or_default();
        while let [first, second, after @ ..] = rest {
            budget.objects(1)?;
            let code = |object: &Object| {
                let index = object.index();
                index.and_then(|it| u32::try_from(it).ok())
            };
            let first = code(first).unwrap_or_default();
            let second = file.resolve(second)?;
            if let Some(list) = second.array() {
                budget.objects(list.len())?;
                for (code, width) in (first..).zip(list) {
                    found.add(code, code, width);
                }
                rest = after;
            } else if let ([width, after @ ..], Some(last)) = (after, code(&second)) {
                found.add(first, last, width);
                rest = after;
            } else {
                break;
            }
        }
        Ok(found)
    }

    fn add(&mut self, first: u32, last: u32, width: &Object) {
        if let Some(width) = width.number()
            && self.ranges.len() < MAX_RANGES
        {
            self.ranges.insert(first, (last, width / 1000.0));
        }
    }

    /// Returns the number of ranges.
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    pub(super) const fn are_known(&self) -> bool {
        self.default.is_some()
    }

    /// Returns the width of a glyph.
    pub(super) fn of(&self, code: u32) -> f32 {
        let range = self.ranges.range(..=code).next_back();
        match range.filter(|(_, (last, _))| code <= *last) {
            Some((_, (_, width))) => *width,
            None => self.default.unwrap_or_default(),
        }
    }
}
