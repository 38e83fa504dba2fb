//! Words and quoting.

use std::borrow::Cow;

/// A word, unquoted.
pub type Word<'a> = Cow<'a, [u8]>;

/// How many words a line may have.
const MAX_WORDS: usize = 4096;

/// Why a line has no words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// A quoted part has no end.
    Unclosed,
    /// There are more words than any line needs.
    TooMany,
}

/// The words of a line.
///
/// # Errors
///
/// If a quoted part has no end, and if there are too many words.
pub fn words(line: &[u8]) -> Result<Vec<Word<'_>>, Unreadable> {
    let mut words = Vec::new();
    let mut rest = line;
    loop {
        let blanks = rest.iter().take_while(|octet| is_blank(**octet)).count();
        rest = rest.get(blanks..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(words);
        }
        if words.len() == MAX_WORDS {
            return Err(Unreadable::TooMany);
        }
        let (word, after) = word(rest)?;
        words.push(word);
        rest = after;
    }
}

/// The first word, and what follows it.
fn word(text: &[u8]) -> Result<(Word<'_>, &[u8]), Unreadable> {
    let plain = text.iter().take_while(|octet| !is_end(**octet)).count();
    let (word, mut rest) = text.split_at_checked(plain).unwrap_or((text, &[]));
    if rest.first() != Some(&b'\'') {
        return Ok((Cow::Borrowed(word), rest));
    }
    let mut word = word.to_vec();
    while let Some((octet, after)) = rest.split_first().filter(|(octet, _)| !is_blank(**octet)) {
        rest = after;
        if *octet != b'\'' {
            word.push(*octet);
            continue;
        }
        loop {
            let quoted = rest.iter().take_while(|octet| **octet != b'\'').count();
            let (quoted, end) = rest.split_at_checked(quoted).unwrap_or((rest, &[]));
            word.extend_from_slice(quoted);
            rest = end.get(1..).ok_or(Unreadable::Unclosed)?;
            // Two apostrophes are one.
            match rest.split_first() {
                Some((b'\'', after)) => rest = after,
                _ => break,
            }
            word.push(b'\'');
        }
    }
    Ok((Cow::Owned(word), rest))
}

const fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

const fn is_end(octet: u8) -> bool {
    is_blank(octet) || octet == b'\''
}

/// A word as it is written in a request: quoted, unless it consists of letters, digits and `-._/`.
pub fn quote(word: &[u8]) -> Cow<'_, [u8]> {
    let is_plain = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._/".contains(octet);
    if !word.is_empty() && word.iter().all(is_plain) {
        return Cow::Borrowed(word);
    }
    let mut quoted = vec![b'\''];
    for octet in word {
        quoted.push(*octet);
        if *octet == b'\'' {
            quoted.push(b'\'');
        }
    }
    quoted.push(b'\'');
    Cow::Owned(quoted)
}

#[cfg(test)]
mod tests {
    use super::{MAX_WORDS, Unreadable, quote, words};

    #[test]
    fn a_quoted_part_begins_anywhere_in_a_word() {
        for (line, expected) in [
            ("LINK  L FILE", &["LINK", "L", "FILE"][..]),
            ("4096' bytes'\tx", &["4096 bytes", "x"]),
            ("AFTP'/pub/two words'.bin", &["AFTP/pub/two words.bin"]),
            ("it'''s here.txt'", &["it's here.txt"]),
            ("'''lead' '' ''''", &["'lead", "", "'"]),
            ("a'b''c'd'e'", &["ab'cde"]),
            ("'two\nlines' end", &["two\nlines", "end"]),
            ("  \t ", &[]),
            ("", &[]),
        ] {
            let read = words(line.as_bytes()).unwrap();
            let expected: Vec<_> = expected.iter().map(|word| word.as_bytes()).collect();
            assert_eq!(read, expected, "{line}");
        }
        for line in ["'", "a 'b", "a'''", "a' "] {
            assert_eq!(words(line.as_bytes()), Err(Unreadable::Unclosed), "{line}");
        }
        let many = "a ".repeat(MAX_WORDS);
        assert_eq!(words(many.as_bytes()).unwrap().len(), MAX_WORDS);
        let many = many + "a";
        assert_eq!(words(many.as_bytes()), Err(Unreadable::TooMany));
    }

    #[test]
    fn what_is_quoted_is_read_back() {
        for (word, quoted) in [
            ("/pros/name", "/pros/name"),
            ("", "''"),
            ("#ALL", "'#ALL'"),
            ("it's", "'it''s'"),
            ("a b;c\u{E9}", "'a b;c\u{E9}'"),
        ] {
            assert_eq!(&*quote(word.as_bytes()), quoted.as_bytes());
        }
        for octet in 0..=u8::MAX {
            for word in [vec![octet], vec![b'a', octet], vec![octet, octet, b'b']] {
                let quoted = quote(&word);
                assert_eq!(words(&quoted).unwrap(), [&word[..]], "{octet}");
            }
        }
    }
}
