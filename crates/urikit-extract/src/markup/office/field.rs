//! Field codes in word-processing documents (ISO/IEC 29500-1, 17.16.5.25).

/// Returns the target of a field code ` HYPERLINK "target" \l "place"`, with the place as its
/// fragment. Returns `None` for all other fields, and for links to places in the same document.
pub(super) fn hyperlink(code: &str) -> Option<String> {
    let code = code.trim();
    let (name, rest) = code.split_at_checked("HYPERLINK".len())?;
    if !name.eq_ignore_ascii_case("HYPERLINK") || !rest.starts_with([' ', '\t', '"', '\u{A0}']) {
        return None;
    }
    let (mut target, mut place) = (None, None);
    let mut rest = rest.trim_start();
    while let Some((argument, after)) = argument(rest) {
        let switch = argument
            .strip_prefix('\\')
            .filter(|_| !rest.starts_with('"'));
        rest = after.trim_start();
        // These switches have a value: the place in the target, a tip or a frame.
        if let Some("l" | "o" | "t" | "L" | "O" | "T") = switch {
            let Some((value, after)) = self::argument(rest) else {
                break;
            };
            rest = after.trim_start();
            if let Some("l" | "L") = switch {
                place.get_or_insert(value);
            }
        } else if switch.is_none() {
            target.get_or_insert(argument);
        }
    }
    let target = target.filter(|target| !target.is_empty())?;
    Some(with_place(target, place.as_deref()))
}

/// Returns the target with a place in it as its fragment, unless the target already has a fragment.
pub(super) fn with_place(mut target: String, place: Option<&str>) -> String {
    if let Some(place) = place.filter(|place| !place.is_empty() && !target.contains('#')) {
        target.push('#');
        target.push_str(place);
    }
    target
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
            (r#" HYPERLINK "a\\b" \l "c""#, Some(r"a\b#c")),
            (
                r#" HYPERLINK \L "d e" \t "_top" http://a.example/ \h"#,
                Some("http://a.example/#d e"),
            ),
            (r#" HYPERLINK "a#b" \l "c""#, Some("a#b")),
            (r#" HYPERLINK "a" \l"#, Some("a")),
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
