//! The characters of each component, as sets of bytes.

/// A set of bytes of US-ASCII: the bit that its members have in [`TABLE`].
#[derive(Clone, Copy)]
pub(super) struct Class(u8);

/// `alpha`
pub(super) const ALPHA: Class = Class(1);
/// `alphanum`
pub(super) const ALPHANUM: Class = Class(1 << 1);
/// `scheme`, after its first letter: `alphanum` and `+-.`
pub(super) const SCHEME: Class = Class(1 << 2);
/// `userinfo`: `unreserved` and `;:&=+$,`
pub(super) const USERINFO: Class = Class(1 << 3);
/// `reg_name`: the same and `@`
pub(super) const REG_NAME: Class = Class(1 << 4);
/// `path`: the same and `/`
pub(super) const PATH: Class = Class(1 << 5);
/// `uric`: the same, `?`, and the brackets of RFC 2732
pub(super) const URIC: Class = Class(1 << 6);
/// The zone of an IPv6 address: `alphanum`, `_` and `.`
pub(super) const ZONE: Class = Class(1 << 7);

/// Which classes each byte belongs to.
const TABLE: [u8; 256] = table();

impl Class {
    #[inline]
    pub(super) fn contains(self, byte: u8) -> bool {
        let bits = TABLE.get(usize::from(byte)).copied().unwrap_or(0);
        bits & self.0 != 0
    }
}

#[allow(clippy::indexing_slicing)] // the index is below 128; `get_mut` is not const
const fn table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = classes(byte);
        byte += 1;
    }
    table
}

/// The classes of a byte of US-ASCII.
const fn classes(byte: u8) -> u8 {
    let alphanum = byte.is_ascii_alphanumeric();
    let mark = matches!(
        byte,
        b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')'
    );
    let userinfo =
        alphanum || mark || matches!(byte, b';' | b':' | b'&' | b'=' | b'+' | b'$' | b',');
    let reg_name = userinfo || byte == b'@';
    let path = reg_name || byte == b'/';
    let uric = path || matches!(byte, b'?' | b'[' | b']');
    ALPHA.when(byte.is_ascii_alphabetic())
        | ALPHANUM.when(alphanum)
        | SCHEME.when(alphanum || matches!(byte, b'+' | b'-' | b'.'))
        | USERINFO.when(userinfo)
        | REG_NAME.when(reg_name)
        | PATH.when(path)
        | URIC.when(uric)
        | ZONE.when(alphanum || matches!(byte, b'_' | b'.'))
}

impl Class {
    const fn when(self, is_member: bool) -> u8 {
        if is_member { self.0 } else { 0 }
    }
}

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

/// How long the run of characters of `class`, of escapes and of other characters at the beginning
/// of `text` is.
///
/// # Errors
///
/// The offset after a `%` that two hexadecimal digits do not follow.
pub(super) fn run(text: &str, class: Class) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let run = rest.iter().position(|byte| !class.contains(*byte));
        let Some(run) = run else {
            return Ok(text.len());
        };
        at += run;
        match rest.get(run..).unwrap_or_default() {
            [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => at += 3,
            [b'%', ..] => return Err(at + 1),
            [0x80..=0xFF, ..] => match text.get(at..).and_then(|text| text.chars().next()) {
                Some(c) if is_other(c) => at += c.len_utf8(),
                _ => return Ok(at),
            },
            _ => return Ok(at),
        }
    }
}
