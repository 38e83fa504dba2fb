//! The charset of a document, decided by its beginning.

use crate::decode::{Mark, guess, mark, needs_decoding};
use crate::format::Format;
use crate::html;
use encoding_rs::Encoding;

/// The beginning of a document, until its charset is decided.
#[derive(Debug)]
pub(super) struct Head {
    format: Format,
    /// The charset that the caller gave.
    given: Option<&'static Encoding>,
    pub(super) bytes: Vec<u8>,
    declaration: html::Declaration,
    declared: Option<&'static Encoding>,
}

/// The charset of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Charset {
    /// `None` for UTF-8.
    pub(super) encoding: Option<&'static Encoding>,
    /// The length of the byte order mark of UTF-16, in bytes.
    pub(super) mark: usize,
    pub(super) is_guessed: bool,
}

/// How many bytes are needed for a byte order mark.
const MARK: usize = 4;

impl Head {
    /// For a document of a format; `None` if each part of it has its own charset.
    pub(super) fn new(format: Format, given: Option<&'static Encoding>) -> Option<Self> {
        (format != Format::Mail).then(|| Self {
            format,
            given,
            bytes: Vec::new(),
            declaration: html::Declaration::default(),
            declared: None,
        })
    }

    /// Whether documents of this format declare their charset.
    const fn declares(&self) -> bool {
        matches!(self.format, Format::Html | Format::Xml)
    }

    /// How many bytes may be needed to decide.
    fn limit(&self) -> usize {
        match self.format {
            Format::Html | Format::Xml
                if self.given.is_none() && mark(&self.bytes) == Mark::None =>
            {
                html::CHARSET_HEAD
            }
            _ => MARK,
        }
    }

    /// Takes what is needed of a piece. Returns the rest of it if the charset can be decided.
    pub(super) fn push<'p>(&mut self, mut piece: &'p [u8]) -> Option<&'p [u8]> {
        // Most documents need no more than the first kilobyte.
        for step in [MARK, 1024, usize::MAX] {
            let wanted = self.limit().min(step).saturating_sub(self.bytes.len());
            let (taken, rest) = piece.split_at(wanted.min(piece.len()));
            self.bytes.extend_from_slice(taken);
            piece = rest;
            if self.bytes.len() < MARK {
                return None;
            }
            if self.limit() > MARK {
                self.declared = self.declaration.look(&self.bytes, false);
            }
            if self.declared.is_some() || self.bytes.len() >= self.limit() {
                return Some(piece);
            }
        }
        None
    }

    /// The charset, as far as it can be known.
    pub(super) fn decide(&mut self, is_complete: bool) -> Charset {
        let known = |encoding, mark| Charset {
            encoding,
            mark,
            is_guessed: false,
        };
        match mark(&self.bytes) {
            Mark::Utf8 => return known(None, 0),
            Mark::Utf16(encoding, mark) => return known(Some(encoding), mark),
            Mark::None => {}
        }
        if self.given.is_none() && self.declared.is_none() && self.declares() {
            self.declared = self.declaration.look(&self.bytes, is_complete);
        }
        if let Some(encoding) = self.given.or(self.declared) {
            return known(
                Some(encoding).filter(|encoding| needs_decoding(encoding)),
                0,
            );
        }
        let guessed = match self.format {
            Format::Html => guess(&self.bytes, is_complete),
            _ => None,
        };
        Charset {
            encoding: guessed,
            mark: 0,
            is_guessed: guessed.is_some(),
        }
    }
}
