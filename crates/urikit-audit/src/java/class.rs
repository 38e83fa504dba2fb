//! The characters of each component, as sets of bytes.

/// A set of bytes of US-ASCII.
#[derive(Clone, Copy)]
pub(super) struct Class(u128);

impl Class {
    const fn of(bytes: &[u8]) -> Self {
        let mut bits = 0;
        let mut rest = bytes;
        while let [byte, tail @ ..] = rest {
            bits |= 1 << *byte;
            rest = tail;
        }
        Self(bits)
    }

    const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn contains(self, byte: u8) -> bool {
        byte < 0x80 && self.0 >> byte & 1 == 1
    }
}

/// `digit`
pub(super) const DIGIT: Class = Class::of(b"0123456789");
/// `alpha`
pub(super) const ALPHA: Class = Class::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
/// `alphanum`
pub(super) const ALPHANUM: Class = ALPHA.or(DIGIT);
/// `unreserved`
const UNRESERVED: Class = ALPHANUM.or(Class::of(b"-_.!~*'()"));
/// `scheme`, after its first letter
pub(super) const SCHEME: Class = ALPHANUM.or(Class::of(b"+-."));
/// `userinfo`
pub(super) const USERINFO: Class = UNRESERVED.or(Class::of(b";:&=+$,"));
/// `reg_name`
pub(super) const REG_NAME: Class = USERINFO.or(Class::of(b"@"));
/// `path`
pub(super) const PATH: Class = REG_NAME.or(Class::of(b"/"));
/// `uric`, with the brackets of RFC 2732
pub(super) const URIC: Class = PATH.or(Class::of(b"?[]"));
/// The zone of an IPv6 address.
pub(super) const ZONE: Class = ALPHANUM.or(Class::of(b"_."));

/// A character beyond US-ASCII that the class documentation calls "other": neither a control
/// character nor a space.
pub(super) const fn is_other(c: char) -> bool {
    !matches!(c,
        '\0'..='\u{9F}'
        // Zs
        | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
        // Zl, Zp
        | '\u{2028}' | '\u{2029}')
}
