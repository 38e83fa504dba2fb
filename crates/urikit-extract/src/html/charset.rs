//! Finds the charset that a document declares (HTML living standard, 13.2.3.2 and 4.2.5.4).

use super::attributes::Value;
use super::token::{Sink, Tag, Text, Tokenizer};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252, X_USER_DEFINED};

/// The number of bytes to search for a declaration. Browsers prescan 1024 bytes, and start over if
/// they find a declaration later (HTML living standard, 13.2.3.5).
pub(crate) const HEAD: usize = 1 << 20;

/// Returns the charset that a document declares.
pub(crate) fn charset(document: &[u8]) -> Option<&'static Encoding> {
    let mut declaration = Declaration::default();
    declaration.look(document.get(..HEAD).unwrap_or(document), true)
}

/// Looks for a charset declaration at the start of a document. Each call must pass the start of the
/// document again, with more bytes.
#[derive(Debug, Default)]
pub(crate) struct Declaration {
    /// The number of bytes already searched for the word `charset`.
    searched: usize,
    /// The tokenizer and the number of bytes it has read. The tokenizer starts once the word
    /// `charset` has been seen.
    tokenizer: Option<(Tokenizer, usize)>,
    declared: Declared,
}

impl Declaration {
    /// Returns the declared charset once it is known. Each `head` must begin with the bytes of the
    /// previous `head`.
    pub(crate) fn look(&mut self, head: &[u8], is_complete: bool) -> Option<&'static Encoding> {
        if b"<?xml".starts_with(head.get(..5).unwrap_or(head)) && !(is_complete || head.len() > 4) {
            return None;
        }
        if head.starts_with(b"<?xml") {
            return xml(head);
        }
        if self.tokenizer.is_none() && has_word(head.get(self.searched..).unwrap_or_default()) {
            self.tokenizer = Some((Tokenizer::new(), 0));
        }
        self.searched = head.len().saturating_sub(6);
        if let Some((mut tokenizer, read)) = self.tokenizer.take() {
            tokenizer.push(head.get(read..).unwrap_or_default(), &mut self.declared);
            // The tokenizer holds back an incomplete tag.
            if is_complete || head.len() >= HEAD {
                tokenizer.finish(&mut self.declared);
            } else {
                self.tokenizer = Some((tokenizer, head.len()));
            }
        }
        self.declared.0
    }
}

/// Returns the charset of an XML declaration.
fn xml(head: &[u8]) -> Option<&'static Encoding> {
    // Browsers prescan this many bytes, and a declaration is shorter.
    let head = head.get(..1024).unwrap_or(head);
    let end = memchr::memchr(b'>', head)?;
    let declaration = head.get(..end)?;
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = declaration.get(at + 8..)?.trim_ascii_start();
    by_label(quoted(value.strip_prefix(b"=")?.trim_ascii_start()))
}

/// Returns true if the text contains the word `charset`.
fn has_word(text: &[u8]) -> bool {
    memchr::memchr2_iter(b'c', b'C', text).any(|at| {
        let word = text.get(at..at + 7);
        word.is_some_and(|word| word.eq_ignore_ascii_case(b"charset"))
    })
}

/// The first charset that a `meta` element declares.
#[derive(Debug, Default)]
struct Declared(Option<&'static Encoding>);

impl Sink for Declared {
    fn wants(&self, name: &[u8]) -> bool {
        [&b"charset"[..], b"http-equiv", b"content"]
            .iter()
            .any(|other| name.eq_ignore_ascii_case(other))
    }

    fn start_tag(&mut self, tag: Tag<'_>) {
        if self.0.is_none() {
            self.0 = from_meta(tag);
        }
    }

    fn end_tag(&mut self) {}

    fn text(&mut self, _: Text<'_>) {}
}

/// Returns the charset that a `meta` element declares.
pub(crate) fn from_meta(tag: Tag<'_>) -> Option<&'static Encoding> {
    if !tag.name.eq_ignore_ascii_case(b"meta") {
        return None;
    }
    let value = |name: &str| tag.attribute(name).map(Value::new);
    if let Some(label) = value("charset") {
        return by_label(label.decoded());
    }
    let pragma = value("http-equiv")?;
    if !pragma
        .decoded()
        .trim_ascii()
        .eq_ignore_ascii_case(b"content-type")
    {
        return None;
    }
    let content = value("content")?;
    let content = content.decoded();
    let is_word = |word: &[u8]| word.eq_ignore_ascii_case(b"charset");
    let mut from = 0;
    while let Some(at) = content.get(from..)?.windows(7).position(is_word) {
        from += at + 7;
        let rest = content.get(from..)?.trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            return by_label(quoted(value.trim_ascii_start()));
        }
    }
    None
}

/// Returns the value without its quotation marks. An unquoted value ends at white space or a
/// semicolon.
fn quoted(value: &[u8]) -> &[u8] {
    let (rest, end) = if let [quote @ (b'"' | b'\''), rest @ ..] = value {
        (rest, memchr::memchr(*quote, rest))
    } else {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
        (value, value.iter().position(is_end))
    };
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

/// Returns the charset for a label. If the declaration could be read as US-ASCII, the document is
/// not in UTF-16, so a label for UTF-16 means UTF-8.
fn by_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if !encoding.is_ascii_compatible() && encoding != encoding_rs::ISO_2022_JP {
        return Some(UTF_8);
    }
    Some(if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

#[cfg(test)]
mod tests {
    use super::{Declaration, charset};

    #[test]
    fn reads_declarations_in_pieces() {
        let long = "x".repeat(100);
        for head in [
            "<a href=b><p>x</p><meta charset=latin2><a href=c>",
            &format!("<p>{long}<meta charset=latin2 content={long}>"),
            &format!("<a title='charset' href={long}{long}><meta charset=latin2><p>"),
        ] {
            for length in 1..head.len() {
                let mut declaration = Declaration::default();
                let found = (1..=head.len()).filter(|end| end % length == 0 || *end == head.len());
                let mut found = found.map(|end| {
                    let is_complete = end == head.len();
                    declaration.look(&head.as_bytes()[..end], is_complete)
                });
                let name = found.find_map(|one| one).map(encoding_rs::Encoding::name);
                assert_eq!(name, Some("ISO-8859-2"), "{head} in pieces of {length}");
            }
        }
    }

    #[test]
    fn reads_declarations() {
        let far = format!("{}<meta charset=latin1>", " ".repeat(1024));
        for (head, expected) in [
            ("<META CHARSET=Shift_JIS>", Some("Shift_JIS")),
            (
                "<meta http-equiv=Content-Type content='text/html; charset = \"iso-8859-2\"'>",
                Some("ISO-8859-2"),
            ),
            (
                "<meta content='text/html;charset=koi8-r;x' http-equiv='content-type'>",
                Some("KOI8-R"),
            ),
            ("<meta content='text/html;charset=koi8-r'>", None),
            (
                "<!-- <meta charset=koi8-r> --><meta charset=utf-8>",
                Some("UTF-8"),
            ),
            ("<meta charset=none><meta charset=gbk>", Some("GBK")),
            ("<meta charset=utf-16le>", Some("UTF-8")),
            (
                "<?xml version='1.0' encoding='euc-jp'?><html>",
                Some("EUC-JP"),
            ),
            ("<?xml version='1.0'?><meta charset=gbk>", None),
            ("<p>charset=gbk", None),
            (&far, Some("windows-1252")),
        ] {
            let found = charset(head.as_bytes()).map(encoding_rs::Encoding::name);
            assert_eq!(found, expected, "{head}");
        }
    }
}
