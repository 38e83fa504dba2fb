//! Names of glyphs (Adobe Glyph List Specification, 2), and ligatures.

/// Returns the character of a glyph whose name contains its code (`uni0041`, `u0041`) or is the
/// name of a ligature. A suffix denotes a variant of the glyph (`a.alt`).
pub(super) fn character(name: &[u8]) -> Option<char> {
    let name = base(name)?;
    let ligature = match name {
        "ff" | "f_f" => '\u{FB00}',
        "fi" | "f_i" => '\u{FB01}',
        "fl" | "f_l" => '\u{FB02}',
        "ffi" | "f_f_i" => '\u{FB03}',
        "ffl" | "f_f_l" => '\u{FB04}',
        "longst" | "longs_t" => '\u{FB05}',
        "st" | "s_t" => '\u{FB06}',
        _ => return by_code(name),
    };
    Some(ligature)
}

/// Returns a name without its variant suffix.
pub(super) fn base(name: &[u8]) -> Option<&str> {
    let name = core::str::from_utf8(name).ok()?;
    let end = name.find('.').filter(|end| *end > 0);
    name.get(..end.unwrap_or(name.len()))
}

fn by_code(name: &str) -> Option<char> {
    let code = name
        .strip_prefix("uni")
        .or_else(|| name.strip_prefix('u'))?;
    let is_code = (4..=6).contains(&code.len()) && code.bytes().all(|it| it.is_ascii_hexdigit());
    char::from_u32(u32::from_str_radix(code, 16).ok().filter(|_| is_code)?)
}

/// Appends a character. A Latin ligature is replaced with its letters, because URLs do not contain
/// ligatures.
pub(super) fn push(character: char, text: &mut String) {
    match character {
        '\u{FB00}' => text.push_str("ff"),
        '\u{FB01}' => text.push_str("fi"),
        '\u{FB02}' => text.push_str("fl"),
        '\u{FB03}' => text.push_str("ffi"),
        '\u{FB04}' => text.push_str("ffl"),
        '\u{FB05}' | '\u{FB06}' => text.push_str("st"),
        other => text.push(other),
    }
}
