//! `<meta http-equiv=refresh>` (HTML living standard, 4.2.5.3, "shared declarative refresh
//! steps").

use std::ops::Range;

/// The range of the URL of a refresh; `None` if it reloads the same document, and if it is
/// invalid.
pub(crate) fn url(content: &[u8]) -> Option<Range<usize>> {
    let at = |offset: usize| content.get(offset).copied();
    let skip_white_space = |mut offset: usize| {
        while at(offset).is_some_and(|byte| byte.is_ascii_whitespace()) {
            offset += 1;
        }
        offset
    };
    let skip_digits = |mut offset: usize| {
        while at(offset).is_some_and(|byte| byte.is_ascii_digit() || byte == b'.') {
            offset += 1;
        }
        offset
    };
    let begin = skip_white_space(0);
    let time = skip_digits(begin);
    if time == begin {
        return None;
    }
    let mut next = skip_white_space(time);
    match at(next) {
        Some(b';' | b',') => next = skip_white_space(next + 1),
        Some(_) if next > time => {}
        _ => return None,
    }
    let mut start = next;
    let has_name = content
        .get(next..next + 3)
        .is_some_and(|word| word.eq_ignore_ascii_case(b"url"));
    if has_name {
        let equals = skip_white_space(next + 3);
        if at(equals) == Some(b'=') {
            start = skip_white_space(equals + 1);
        }
    }
    let mut end = content.len();
    if let Some(quote @ (b'"' | b'\'')) = at(start) {
        start += 1;
        let rest = content.get(start..).unwrap_or_default();
        end = start + memchr::memchr(quote, rest).unwrap_or(rest.len());
    }
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn follows_the_shared_declarative_refresh_steps() {
        for (content, expected) in [
            ("5; url=http://a/b", Some("http://a/b")),
            ("0;URL='b c'x", Some("b c")),
            ("0;URL=\"b", Some("b")),
            (" 3.5 , Url = b ", Some("b ")),
            ("1 b", Some("b")),
            ("1;b", Some("b")),
            ("1;urls", Some("urls")),
            ("1; url b", Some("url b")),
            ("1b", None),
            ("5", None),
            ("5;", None),
            ("x; url=b", None),
            ("", None),
        ] {
            let found = url(content.as_bytes()).map(|range| content.get(range).unwrap());
            assert_eq!(found, expected, "{content}");
        }
    }
}
