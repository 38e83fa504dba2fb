//! The lines of an answer.

/// The lines of an answer, in order, without their ends. The last one may lack its end.
///
/// Only a line with quoted words may contain line ends. An error message may contain apostrophes
/// that quote nothing, so that it ends at the first LF.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
}

impl<'a> Lines<'a> {
    /// The lines of `answer`.
    pub const fn new(answer: &'a [u8]) -> Self {
        Self { rest: answer }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let is_text = is_text(self.rest);
        let mut is_quoted = false;
        let end = self.rest.iter().position(|octet| {
            // Two apostrophes in a quoted part change nothing.
            is_quoted ^= *octet == b'\'' && !is_text;
            *octet == b'\n' && !is_quoted
        });
        let end = end.unwrap_or(self.rest.len());
        let line = self.rest.get(..end).unwrap_or_default();
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        Some(line)
    }
}

/// Whether a line is text for people.
fn is_text(line: &[u8]) -> bool {
    let is_end = |octet: &u8| octet.is_ascii_whitespace() || *octet == b'>';
    let keyword = line.split(is_end).next().unwrap_or_default();
    let quoted: [&[u8]; 5] = [b"LINK", b"ATTRIBUTE", b"FORWARDED", b"UNRESOLVED", b"ID"];
    !quoted.contains(&keyword)
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines() {
        for (answer, expected) in [
            ("LINK a\nLINK b", &["LINK a", "LINK b"][..]),
            (
                "ATTRIBUTE 'a\nb''\nc'\nLINK b\n",
                &["ATTRIBUTE 'a\nb''\nc'", "LINK b"],
            ),
            ("ATTRIBUTE> 'a\nb'\n", &["ATTRIBUTE> 'a\nb'"]),
            ("ERROR can't\nLINK b\n", &["ERROR can't", "LINK b"]),
            ("LINK 'a\nb", &["LINK 'a\nb"]),
            ("\n\n", &["", ""]),
            ("", &[]),
        ] {
            let lines: Vec<_> = Lines::new(answer.as_bytes()).collect();
            let expected: Vec<_> = expected.iter().map(|line| line.as_bytes()).collect();
            assert_eq!(lines, expected, "{answer}");
        }
    }
}
