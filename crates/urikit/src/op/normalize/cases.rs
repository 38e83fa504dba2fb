//! Which parts of a component are case-insensitive by a rule of the scheme.

use super::caseless::Caseless;
use super::mailto;
use super::piece::{How, Piece};

/// A component of which some parts are converted to lower case.
///
/// INVARIANT: each part is found again in the normal form. The delimiters of names and of the
/// addresses in a list are never unescaped there (RFC 3986, 2.2); the single address of RFC 1738
/// is read from the decoded text.
#[derive(Clone, Copy)]
pub(super) struct Cases<'a> {
    pub(super) text: &'a str,
    pub(super) how: How,
    caseless: Caseless,
}

impl<'a> Cases<'a> {
    pub(super) const fn new(text: &'a str, how: How, caseless: Caseless) -> Self {
        Self {
            text,
            how,
            caseless,
        }
    }

    /// All of it as one piece, with its case unchanged.
    pub(super) const fn whole(self) -> Piece<'a> {
        Piece::new(self.text, self.how)
    }

    const fn pieces(self) -> Pieces<'a> {
        Pieces {
            cases: self,
            at: 0,
            is_caseless: matches!(self.caseless, Caseless::Names),
        }
    }

    /// Whether the normal form is the text as written.
    pub(super) fn is_as_written(self) -> bool {
        self.pieces().all(Piece::is_as_written)
    }

    /// The bytes of the normal form.
    pub(super) fn bytes(self) -> impl Iterator<Item = u8> + use<'a> {
        self.pieces().flat_map(Piece::bytes)
    }

    /// Appends the normal form.
    #[cfg(feature = "alloc")]
    pub(super) fn write(self, out: &mut alloc::string::String) {
        self.pieces().for_each(|piece| piece.write(out));
    }
}

/// The case-sensitive and case-insensitive parts, in turn.
struct Pieces<'a> {
    cases: Cases<'a>,
    /// Where the next one begins.
    at: usize,
    is_caseless: bool,
}

impl Pieces<'_> {
    /// Where the next one ends; `None` for the end of the component.
    fn end(&self) -> Option<usize> {
        let rest = self.cases.text.get(self.at..)?;
        match (self.cases.caseless, self.is_caseless) {
            (Caseless::Range(start, _), false) if self.at == 0 => Some(start),
            (Caseless::Nowhere, _) | (Caseless::Range(..), false) => None,
            (Caseless::Range(_, end), true) => Some(end),
            (Caseless::Domains, false) => mailto::next_domain(rest).map(|end| self.at + end),
            (Caseless::Domains, true) => rest.find(',').map(|end| self.at + end),
            (Caseless::Names, false) => rest.find('&').map(|end| self.at + end + 1),
            (Caseless::Names, true) => rest.find('=').map(|end| self.at + end),
        }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        while self.at < self.cases.text.len() {
            let end = self.end().unwrap_or(self.cases.text.len());
            let text = self.cases.text.get(self.at..end)?;
            let how = if self.is_caseless {
                self.cases.how.lower()
            } else {
                self.cases.how
            };
            self.at = end;
            self.is_caseless = !self.is_caseless;
            if !text.is_empty() {
                return Some(Piece::new(text, how));
            }
        }
        None
    }
}
