//! The text of a page (ISO 32000-2, 9.4): the strings that its operators show.

use super::super::Problem;
use super::super::limits::Budget;
use super::damaged;
use super::file::File;
use super::filter::MAX_STREAM;
use super::font::Font;
use super::object::{Dictionary, Lexer, Object};
use std::collections::HashMap;
use std::rc::Rc;

/// The number of operands that are kept. An operator uses at most the last six.
const MAX_OPERANDS: usize = 64;

/// The maximum memory for cached fonts, in bytes.
const MAX_CACHED: usize = 16 << 20;

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

/// The text of a page.
#[derive(Default)]
pub(in super::super) struct Text {
    pub(in super::super) text: String,
    /// True if the characters of some text are unknown.
    pub(in super::super) is_partial: bool,
}

/// Reads the content of a page.
pub(in super::super) fn text(
    file: &File<'_>,
    budget: &Budget,
    fonts: &mut Fonts,
    resources: Option<&Dictionary>,
    content: &[u8],
) -> Result<Text, Problem> {
    let mut text = Text::default();
    let mut lexer = Lexer::new(content, 0, budget);
    let mut operands = Vec::new();
    let mut font = None;
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
                font = fonts.find(file, budget, resources, name)?;
            }
            b"Tj" | b"TJ" => text.show(font.as_deref(), &operands)?,
            // These operators move to the next line, and show their last operand.
            b"'" | b"\"" => {
                text.end_line();
                let shown = operands.len().saturating_sub(1);
                text.show(font.as_deref(), operands.get(shown..).unwrap_or_default())?;
            }
            b"T*" | b"ET" => text.end_line(),
            b"ID" => lexer.skip_image()?,
            _ => {}
        }
        operands.clear();
    }
    Ok(text)
}

impl Text {
    fn end_line(&mut self) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn show(&mut self, font: Option<&Font>, operands: &[Object]) -> Result<(), Problem> {
        for operand in operands {
            match operand {
                Object::String(string) => {
                    // A piece of this length produces at most 128 KiB of text.
                    for piece in string.chunks(1 << 10) {
                        let is_known = font.is_some_and(|it| it.decode(piece, &mut self.text));
                        self.is_partial |= !is_known;
                        if self.text.len() > MAX_STREAM {
                            return Err(damaged("the text of a page has more than 64 MiB"));
                        }
                    }
                }
                Object::Array(items) => {
                    for item in items {
                        match item {
                            Object::String(_) => self.show(font, core::slice::from_ref(item))?,
                            item if item.is_space() => self.text.push(' '),
                            _ => {}
                        }
                    }
                    self.text.push(' ');
                }
                _ => {}
            }
        }
        Ok(())
    }
}
