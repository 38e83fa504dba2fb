//! How a field is inserted: the modifiers before or after its name.

use super::spelling::Spelling;

/// The modifiers of a field.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is a separate modifier
pub(super) struct How {
    pub(super) decode: Decode,
    pub(super) spelling: Spelling,
    pub(super) lower: bool,
    pub(super) normal: bool,
    pub(super) must: bool,
    pub(super) strict: bool,
    pub(super) default: bool,
    pub(super) private: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Decode {
    /// As written.
    #[default]
    Not,
    /// Escapes only.
    Escapes,
    /// Escapes, and `+` as a space.
    Form,
}

impl How {
    /// Adds the modifier of this name; `false` if there is none.
    pub(super) fn add(&mut self, modifier: &str) -> bool {
        match modifier {
            "decode" => self.decode = Decode::Escapes,
            "form" => self.decode = Decode::Form,
            "puny" => self.spelling = Spelling::Puny,
            "idn" => self.spelling = Spelling::Idn,
            "lower" => self.lower = true,
            "normal" => self.normal = true,
            "must" => self.must = true,
            "strict" => self.strict = true,
            "default" => self.default = true,
            "private" => self.private = true,
            _ => return false,
        }
        true
    }

    /// The lower case of what was inserted after `start`, except the digits of escapes.
    pub(super) fn lower_case(self, out: &mut [u8], start: usize) {
        let Some(filled) = out.get_mut(start..).filter(|_| self.lower) else {
            return;
        };
        let mut digits = 0;
        for byte in filled {
            match *byte {
                _ if digits > 0 => digits -= 1,
                b'%' if self.decode == Decode::Not => digits = 2,
                _ => byte.make_ascii_lowercase(),
            }
        }
    }
}
