//! The text of a page (ISO 32000-2, 9.4): the strings that its operators show.
//!
//! Programs write the words of a line, and even parts of a word, with separate operators. The
//! positions of two strings determine how they are joined: the second begins where the first ends,
//! after a gap, or on another line.

use super::super::Problem;
use super::super::limits::Budget;
use super::damaged;
use super::file::File;
use super::filter::MAX_STREAM;
use super::font::Font;
use super::matrix::Matrix;
use super::object::{Dictionary, Lexer, Object};
use core::fmt;
use std::collections::HashMap;
use std::rc::Rc;

/// The number of operands to keep. No operator uses more than the last six operands.
const MAX_OPERANDS: usize = 64;

/// The maximum memory for cached fonts, in bytes.
const MAX_CACHED: usize = 16 << 20;

/// The maximum number of saved graphics states (the limit in Annex C is 28).
const MAX_SAVED: usize = 512;

/// The maximum nesting depth of forms.
const MAX_FORMS: usize = 16;

/// The gap that separates words, as a fraction of the font size. The width of a space is about a
/// quarter of the font size.
const GAP: f32 = 0.1;

/// Fonts that pages share, indexed by their object numbers.
#[derive(Default)]
pub(in super::super) struct Fonts {
    fonts: HashMap<u32, Rc<Font>>,
    size: usize,
}

impl Fonts {
    /// Returns the font with this name.
    fn find(
        &mut self,
        file: &File<'_>,
        budget: &Budget,
        resources: Option<&Dictionary>,
        name: &[u8],
    ) -> Result<Option<Rc<Font>>, Problem> {
        let fonts = resources
            .map(|resources| file.get(resources, b"Font"))
            .transpose()?
            .flatten();
        let Some(object) = fonts
            .as_deref()
            .and_then(Object::dictionary)
            .and_then(|it| it.get(name))
        else {
            return Ok(None);
        };
        let number = match object {
            Object::Reference(number) => Some(*number),
            _ => None,
        };
        if let Some(font) = number.and_then(|number| self.fonts.get(&number)) {
            return Ok(Some(Rc::clone(font)));
        }
        let object = file.resolve(object)?;
        let Some(dictionary) = object.dictionary() else {
            return Ok(None);
        };
        let font = Rc::new(Font::read(file, budget, dictionary)?);
        if let Some(number) = number {
            if self.size.saturating_add(font.size()) > MAX_CACHED {
                *self = Self::default();
            }
            self.size += font.size();
            self.fonts.insert(number, Rc::clone(&font));
        }
        Ok(Some(font))
    }
}

/// The character codes on a page that cannot be mapped to characters.
pub(in super::super) struct Unknown {
    count: usize,
    /// The name of the first font that contains one of these codes.
    font: String,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, font } = self;
        let plural = if *count == 1 { "" } else { "s" };
        write!(f, "the text of {count} glyph{plural} is unknown")?;
        match font.as_str() {
            "" => Ok(()),
            font => write!(f, " (font {font})"),
        }
    }
}

/// The text of a page.
#[derive(Default)]
pub(in super::super) struct Text {
    pub(in super::super) characters: String,
    pub(in super::super) unknown: Option<Unknown>,
    /// The reason why a form was not read.
    pub(in super::super) damage: Option<Problem>,
    /// The name of a font without widths, if a link in that font may have been cut off.
    pub(in super::super) cut_in: Option<String>,
    /// The position at which the last string ends. If the string's font has no widths, only the
    /// vertical position is known.
    end: Option<(f32, f32)>,
    /// The name of the last string's font, if that font has no widths.
    unmeasured: Option<String>,
    /// True if an operator has moved the text position since the last string.
    has_moved: bool,
}

/// Reads the content of a page.
pub(in super::super) fn text(
    file: &File<'_>,
    budget: &Budget,
    fonts: &mut Fonts,
    resources: Option<&Dictionary>,
    content: &[u8],
) -> Result<Text, Problem> {
    let mut reader = Reader {
        file,
        budget,
        fonts,
        text: Text::default(),
        state: State::default(),
        saved: Vec::new(),
        size: content.len(),
        forms: 0,
    };
    reader.read(content, resources)?;
    Ok(reader.text)
}

/// The parts of the graphics state (8.4, 9.3) that affect text.
#[derive(Clone)]
struct State {
    /// The current transformation matrix.
    page: Matrix,
    /// The text matrix.
    text: Matrix,
    /// The text line matrix.
    line: Matrix,
    font: Option<Rc<Font>>,
    size: f32,
    character_spacing: f32,
    word_spacing: f32,
    /// The horizontal scaling, as a factor.
    scale: f32,
    leading: f32,
    rise: f32,
}

impl Default for State {
    fn default() -> Self {
        Self {
            page: Matrix::IDENTITY,
            text: Matrix::IDENTITY,
            line: Matrix::IDENTITY,
            font: None,
            size: 0.0,
            character_spacing: 0.0,
            word_spacing: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        }
    }
}

impl State {
    /// Moves to the start of a line, relative to the start of the current line (9.4.2).
    fn move_line(&mut self, x: f32, y: f32) {
        self.line = Matrix::translation(x, y).then(self.line);
        self.text = self.line;
    }

    /// Moves right by this distance, in units of text space.
    fn advance(&mut self, distance: f32) {
        self.text = Matrix::translation(distance, 0.0).then(self.text);
    }

    /// Returns the matrix of glyphs, for a font of size 1 (9.4.4).
    fn rendering(&self) -> Matrix {
        Matrix([self.size * self.scale, 0.0, 0.0, self.size, 0.0, self.rise])
            .then(self.text)
            .then(self.page)
    }
}

/// Runs the operators of a page and of the forms that it paints.
struct Reader<'r, 'f> {
    file: &'r File<'f>,
    budget: &'r Budget,
    fonts: &'r mut Fonts,
    text: Text,
    state: State,
    saved: Vec<State>,
    /// The memory that the contents of the page and of the open forms occupy, in bytes.
    size: usize,
    /// The number of open forms.
    forms: usize,
}

impl Reader<'_, '_> {
    fn read(&mut self, content: &[u8], resources: Option<&Dictionary>) -> Result<(), Problem> {
        let mut lexer = Lexer::new(content, 0, self.budget);
        let mut operands = Vec::new();
        while let Some(object) = lexer.next()? {
            let Object::Keyword(operator) = object else {
                if operands.len() < MAX_OPERANDS {
                    operands.push(object);
                }
                continue;
            };
            match operator.as_slice() {
                b"Tf" => {
                    let name = operands.iter().find_map(Object::name).unwrap_or_default();
                    let found = self.fonts.find(self.file, self.budget, resources, name)?;
                    self.state.font = found;
                    self.state.size = last(&operands).unwrap_or_default();
                }
                b"Do" => {
                    let name = operands.iter().find_map(Object::name).unwrap_or_default();
                    self.form(name, resources)?;
                }
                b"ID" => lexer.skip_image()?,
                operator => self.operator(operator, &operands)?,
            }
            operands.clear();
        }
        Ok(())
    }

    fn operator(&mut self, operator: &[u8], operands: &[Object]) -> Result<(), Problem> {
        let state = &mut self.state;
        let number = last(operands);
        match operator {
            b"q" if self.saved.len() < MAX_SAVED => self.saved.push(state.clone()),
            b"Q" => {
                // Restoring the saved state also restores the text matrices, which are not part of
                // the graphics state. Restoring the text matrices is harmless, because `BT` resets
                // them before they are used.
                if let Some(saved) = self.saved.pop() {
                    *state = saved;
                }
            }
            b"cm" => {
                if let Some(matrix) = Matrix::of(operands) {
                    state.page = matrix.then(state.page);
                }
            }
            b"BT" => {
                (state.text, state.line) = (Matrix::IDENTITY, Matrix::IDENTITY);
                self.text.has_moved = true;
            }
            b"Tm" => {
                if let Some(matrix) = Matrix::of(operands) {
                    (state.text, state.line) = (matrix, matrix);
                }
                self.text.has_moved = true;
            }
            b"Td" | b"TD" => {
                if let [.., x, y] = operands
                    && let (Some(x), Some(y)) = (x.number(), y.number())
                {
                    if operator == b"TD" {
                        state.leading = -y;
                    }
                    state.move_line(x, y);
                }
                self.text.has_moved = true;
            }
            b"T*" => self.next_line(),
            b"TL" => state.leading = number.unwrap_or_default(),
            b"Tc" => state.character_spacing = number.unwrap_or_default(),
            b"Tw" => state.word_spacing = number.unwrap_or_default(),
            b"Tz" => state.scale = number.unwrap_or(100.0) / 100.0,
            b"Ts" => state.rise = number.unwrap_or_default(),
            b"Tj" | b"TJ" => self.show(operands)?,
            b"'" => {
                self.next_line();
                self.show(operands)?;
            }
            b"\"" => {
                if let [.., word, character, _] = operands {
                    state.word_spacing = word.number().unwrap_or_default();
                    state.character_spacing = character.number().unwrap_or_default();
                }
                self.next_line();
                self.show(operands.last().map_or(&[], core::slice::from_ref))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn next_line(&mut self) {
        let leading = self.state.leading;
        self.state.move_line(0.0, -leading);
        self.text.has_moved = true;
        if leading == 0.0 {
            self.text.end_line();
        }
    }

    /// Shows strings, or the strings in arrays with their adjustments.
    fn show(&mut self, operands: &[Object]) -> Result<(), Problem> {
        for operand in operands {
            match operand {
                Object::String(string) => self.string(string)?,
                Object::Array(items) => {
                    for item in items {
                        match item {
                            Object::String(string) => self.string(string)?,
                            item => self.adjust(item.number().unwrap_or_default()),
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Moves left by this number of thousandths of the font size (9.4.3, Table 107).
    fn adjust(&mut self, number: f32) {
        let state = &mut self.state;
        state.advance(-number / 1000.0 * state.size * state.scale);
        if number < -1000.0 * GAP {
            self.text.characters.push(' ');
        }
        if let Some(end) = &mut self.text.end {
            *end = state.rendering().origin();
        }
    }

    fn string(&mut self, string: &[u8]) -> Result<(), Problem> {
        if string.is_empty() {
            return Ok(());
        }
        if core::mem::take(&mut self.text.has_moved) {
            self.text.continue_at(self.state.rendering());
        }
        let Some(font) = self.state.font.clone() else {
            self.text.end = None;
            self.text.add_unknown(string.len(), "");
            return Ok(());
        };
        let state = &mut self.state;
        // A piece of this length produces at most 128 KiB of text.
        for piece in string.chunks(1 << 10) {
            let shown = font.decode(piece, &mut self.text.characters);
            state.advance(
                state.scale
                    * (shown.width * state.size
                        + shown.codes * state.character_spacing
                        + shown.spaces * state.word_spacing),
            );
            if shown.unknown > 0 {
                self.text.add_unknown(shown.unknown, &font.name);
            }
            if self.text.characters.len() > MAX_STREAM {
                return Err(damaged("the text of a page is larger than 64 MiB"));
            }
        }
        self.text.end = Some(state.rendering().origin());
        self.text.unmeasured = (!font.has_widths()).then(|| font.name.clone());
        Ok(())
    }

    /// Reads a form (8.10). Other external objects have no text.
    fn form(&mut self, name: &[u8], resources: Option<&Dictionary>) -> Result<(), Problem> {
        let objects = resources
            .map(|resources| self.file.get(resources, b"XObject"))
            .transpose()?
            .flatten();
        let object = objects.as_deref().and_then(Object::dictionary);
        let Some(Object::Reference(number)) = object.and_then(|it| it.get(name)) else {
            return Ok(());
        };
        let form = self.file.load(*number)?;
        let Some(dictionary) = form.object.dictionary() else {
            return Ok(());
        };
        let kind = self.file.get(dictionary, b"Subtype")?;
        if kind.as_deref().and_then(Object::name) != Some(b"Form") {
            return Ok(());
        }
        if self.forms == MAX_FORMS {
            return Err(damaged("forms are nested too deeply"));
        }
        let unpacked = match self.file.unpack(&form) {
            Ok(unpacked) => unpacked,
            Err(problem) if self.budget.exceeded().is_some() => return Err(problem),
            Err(problem) => {
                self.text.damage.get_or_insert(problem);
                return Ok(());
            }
        };
        if let Some(problem) = unpacked.damage {
            self.text.damage.get_or_insert(problem);
        }
        let content = unpacked.bytes;
        if self.size + content.len() > MAX_STREAM {
            return Err(damaged("the content of a page is larger than 64 MiB"));
        }
        let own = self.file.get(dictionary, b"Resources")?;
        let own = own.as_deref().and_then(Object::dictionary);
        let matrix = self.file.get(dictionary, b"Matrix")?;
        let matrix = matrix
            .as_deref()
            .and_then(Object::array)
            .and_then(Matrix::of);
        let outer = self.state.clone();
        let saved = core::mem::take(&mut self.saved);
        if let Some(matrix) = matrix {
            self.state.page = matrix.then(outer.page);
        }
        (self.size, self.forms) = (self.size + content.len(), self.forms + 1);
        self.read(&content, own.or(resources))?;
        (self.size, self.forms) = (self.size - content.len(), self.forms - 1);
        (self.state, self.saved) = (outer, saved);
        self.text.has_moved = true;
        Ok(())
    }
}

/// Returns the last operand.
fn last(operands: &[Object]) -> Option<f32> {
    operands.last().and_then(Object::number)
}

impl Text {
    fn end_line(&mut self) {
        if !self.characters.ends_with('\n') {
            self.characters.push('\n');
        }
    }

    /// Counts codes whose characters are not known.
    fn add_unknown(&mut self, count: usize, font: &str) {
        let unknown = self.unknown.get_or_insert_with(|| Unknown {
            count: 0,
            font: font.to_owned(),
        });
        unknown.count = unknown.count.saturating_add(count);
    }

    /// Prepares for a string at a new position: adds nothing if the string continues the previous
    /// one, a space after a gap, and a line break otherwise.
    fn continue_at(&mut self, glyphs: Matrix) {
        if self.characters.is_empty() || self.characters.ends_with('\n') {
            return;
        }
        let Some(end) = self.end else {
            self.characters.push('\n');
            return;
        };
        let (right, up) = glyphs.distance(end);
        if let Some(font) = &self.unmeasured {
            let may_continue = up.abs() < 0.5 && ends_in_url(&self.characters);
            if may_continue && self.cut_in.is_none() {
                self.cut_in = Some(font.clone());
            }
            self.characters.push('\n');
            return;
        }
        if up.abs() < 0.5 && (-0.5..GAP).contains(&right) {
            return;
        }
        if up.abs() < 0.5 && right >= GAP {
            self.characters.push(' ');
            return;
        }
        // A URL continues after a hyphen at the end of a line. A soft hyphen or U+2010 was added
        // when the line was broken, but a `-` belongs to the URL, because programs that break URLs
        // do not add a `-`.
        let is_next_line = (-3.0..-0.5).contains(&up);
        match self.characters.chars().next_back() {
            Some('\u{AD}' | '\u{2010}') if is_next_line => {
                self.characters.pop();
            }
            Some('-') if is_next_line && ends_in_url(&self.characters) => {}
            _ => self.end_line(),
        }
    }
}

/// Returns true if the last word of the text is a URL or the beginning of one.
fn ends_in_url(text: &str) -> bool {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let www = word
        .get(..4)
        .is_some_and(|it| it.eq_ignore_ascii_case("www."));
    www || word.contains("://")
}
