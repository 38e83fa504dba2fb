//! Patterns in which `*` matches any text.

/// A pattern: the pieces between its asterisks, in lower case.
#[derive(Clone, Debug)]
pub(super) struct Glob {
    first: Vec<u8>,
    /// What follows each asterisk.
    others: Vec<Vec<u8>>,
}

impl Glob {
    /// Parses a pattern; `\*` is an asterisk.
    pub(super) fn new(pattern: &str) -> Self {
        let mut pieces = vec![Vec::new()];
        let mut bytes = pattern
            .to_ascii_lowercase()
            .into_bytes()
            .into_iter()
            .peekable();
        while let Some(byte) = bytes.next() {
            if byte == b'*' {
                pieces.push(Vec::new());
                continue;
            }
            let is_escape = byte == b'\\' && bytes.peek() == Some(&b'*');
            let byte = if is_escape { bytes.next() } else { Some(byte) };
            if let Some(last) = pieces.last_mut() {
                last.extend(byte);
            }
        }
        let mut pieces = pieces.into_iter();
        Self {
            first: pieces.next().unwrap_or_default(),
            others: pieces.collect(),
        }
    }

    /// Whether it matches all of `text`, without regard to ASCII case.
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let text = text.to_ascii_lowercase();
        let Some((last, middle)) = self.others.split_last() else {
            return text == self.first;
        };
        let Some(mut rest) = text.strip_prefix(self.first.as_slice()) else {
            return false;
        };
        for piece in middle {
            match memchr::memmem::find(rest, piece) {
                Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn an_asterisk_matches_any_text() {
        for (pattern, text, is_match) in [
            ("a", "A", true),
            ("a", "ab", false),
            ("*.Example.com", "a.b.example.COM", true),
            ("*.example.com", "example.com", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*", "", true),
            ("", "a", false),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
        ] {
            let found = Glob::new(pattern).matches(text.as_bytes());
            assert_eq!(found, is_match, "{pattern} {text}");
        }
    }
}
