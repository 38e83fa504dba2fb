//! Field codes in word-processing documents (ISO/IEC 29500-1, 17.16.5.25).

/// Returns the target of a field code ` HYPERLINK "target" \l "place"`. Returns `None` for all
/// other fields, and for links to places in the same document.
pub(super) fn hyperlink(code: &str) -> Option<String> {
    let code = code.trim();
    let (name, rest) = code.split_at_checked("HYPERLINK".len())?;
    if !name.eq_ignore_ascii_case("HYPERLINK") || !rest.starts_with([' ', '\t', '"', '\u{A0}']) {
        return None;
    }
    let mut rest = rest.trim_start();
    loop {
        let (argument, after) = argument(rest)?;
        let after = after.trim_start();
        match argument
            .strip_prefix('\\')
            .filter(|_| !rest.starts_with('"'))
        {
            None => return Some(argument).filter(|target| !target.is_empty()),
            // These switches have a value: the place in the target, a tip or a frame.
            Some("l" | "o" | "t" | "L" | "O" | "T") => rest = self::argument(after)?.1.trim_start(),
            Some(_) => rest = after,
        }
    }
}

/// Splits off one argument. In quotation marks, a backslash escapes the next character.
fn argument(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at_checked(end)?;
        return (!word.is_empty()).then(|| (word.to_owned(), rest));
    };
    let mut found = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((found, quoted.get(at + 1..)?)),
            '\\' => found.extend(characters.next().map(|(_, next)| next)),
            other => found.push(other),
        }
    }
    Some((found, ""))
}

#[cfg(test)]
mod tests {
    use super::hyperlink;

    #[test]
    fn targets() {
        for (code, expected) in [
            (
                r#" HYPERLINK "http://a.example/b" "#,
                Some("http://a.example/b"),
            ),
            (
                r"hyperlink http://a.example/b \h",
                Some("http://a.example/b"),
            ),
            (r#" HYPERLINK "a\\b" \l "c""#, Some(r"a\b")),
            (
                r#" HYPERLINK \o "tip" "http://a.example/" "#,
                Some("http://a.example/"),
            ),
            (r#" HYPERLINK \h \l "_Toc1" "#, None),
            (r#" HYPERLINK "" "#, None),
            (r#" HYPERLINK "open"#, Some("open")),
            (" HYPERLINK ", None),
            (" HYPERLINKS a", None),
            (" PAGEREF _Toc1 \\h ", None),
            ("é", None),
        ] {
            assert_eq!(hyperlink(code).as_deref(), expected, "{code}");
        }
    }
}
