//! Known secrets, in all encodings in which a server might repeat them.

use super::masked;
use super::unescaped;
use super::{disjoint, passwords_in_line};
use memchr::memmem;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use urikit_mime::base64;

/// Secrets with fewer octets are masked only in known positions, because they may occur within
/// ordinary words.
const LEAST: usize = 4;

/// The number of times that escapes are decoded. `%2540` becomes `@` after two rounds.
const LEVELS: u8 = 4;

/// The secrets of one access.
///
/// A secret of four octets or more is masked wherever it occurs: in upper or lower case,
/// percent-encoded up to four times, with `+` for a space (as in forms), and in base64. A shorter
/// secret is masked only in known positions: after its user (`tim:abc`), after the command that it
/// was sent with (`PASS abc`), in the token of the `Basic` scheme, and in the userinfo component
/// of a URL.
///
/// ```
/// use urikit_access::mask::Secrets;
/// let mut secrets = Secrets::new();
/// secrets.add_login(b"bob", b"hunter2");
/// let text = b"no hunter2, no h%75nter2, no Basic Ym9iOmh1bnRlcjI=";
/// assert_eq!(&*secrets.mask(text), b"no ***, no ***, no Basic ***");
/// ```
#[derive(Clone, Default)]
pub struct Secrets {
    patterns: Vec<Pattern>,
}

/// A pattern that finds a secret.
#[derive(Clone, PartialEq, Eq)]
struct Pattern {
    /// The octets after [`folded`].
    octets: Vec<u8>,
    /// The offset in the pattern at which the secret to mask begins.
    from: usize,
    /// True if the match must not be followed by a letter or digit.
    is_word: bool,
}

impl Secrets {
    /// Creates an empty set of secrets. Passwords in URLs are masked even if the set is empty.
    pub const fn new() -> Self {
        Self {
            patterns: Vec::new(),
        }
    }

    /// Adds a secret of four octets or more. Ignores shorter secrets, which could occur anywhere
    /// in ordinary text.
    pub fn add(&mut self, secret: &[u8]) {
        if secret.len() >= LEAST {
            self.find(secret, 0, false);
            self.find_base64(secret);
        }
    }

    /// Adds the password of a user, and the token of the "Basic" authentication scheme (RFC 7617)
    /// that encodes the user and the password.
    pub fn add_login(&mut self, user: &[u8], password: &[u8]) {
        if password.is_empty() {
            return;
        }
        self.add(password);
        let login = [user, b":", password].concat();
        self.find(&login, user.len() + 1, true);
        self.find_base64(&login);
    }

    /// Adds the secret at `range` in an outgoing line, because a server may repeat the line.
    pub(crate) fn add_sent(&mut self, line: &[u8], range: Range<usize>) {
        let Some(secret) = line.get(range.clone()).filter(|secret| !secret.is_empty()) else {
            return;
        };
        self.add(secret);
        if secret.len() < LEAST && range.start > 0 {
            let line = line.get(..range.end).unwrap_or_default();
            self.find(line, range.start, true);
        }
    }

    fn find_base64(&mut self, octets: &[u8]) {
        let token = base64::encode(octets).to_string();
        self.find(token.as_bytes(), 0, false);
        self.find(token.trim_end_matches('=').as_bytes(), 0, false);
    }

    fn find(&mut self, octets: &[u8], from: usize, is_word: bool) {
        let octets = folded(octets.iter().copied());
        let pattern = Pattern {
            octets,
            from,
            is_word,
        };
        if !self.patterns.contains(&pattern) {
            self.patterns.push(pattern);
        }
    }

    /// Replaces each secret, and each password in a URL, with three asterisks.
    pub fn mask<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let mut found = passwords_in_line(text);
        found.extend(self.known(text));
        masked(text, &disjoint(found))
    }

    /// Masks a string, as [`mask`](Self::mask) does.
    pub(crate) fn mask_text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.mask(text.as_bytes())).into_owned()
    }

    /// Returns the byte ranges of known secrets.
    fn known(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if self.patterns.is_empty() {
            return found;
        }
        // The octets after a number of decoding rounds, each with its original offset.
        let mut octets = folded(text.iter().copied());
        let mut places: Vec<usize> = (0..=text.len()).collect();
        for _ in 0..=LEVELS {
            let place = |at: usize| places.get(at).copied().unwrap_or(text.len());
            let ranges = self
                .patterns
                .iter()
                .flat_map(|pattern| pattern.find(&octets));
            found.extend(ranges.map(|range| place(range.start)..place(range.end)));
            let decoded: Vec<(usize, u8)> = unescaped(&octets).collect();
            if decoded.len() == octets.len() {
                break;
            }
            let mut next: Vec<usize> = decoded.iter().map(|(at, _)| place(*at)).collect();
            next.push(text.len());
            octets = folded(decoded.iter().map(|(_, octet)| *octet));
            places = next;
        }
        found
    }
}

impl Pattern {
    fn find<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        let length = self.octets.len();
        memmem::find_iter(text, &self.octets)
            .filter(move |at| {
                let after = text.get(at + length).is_some_and(u8::is_ascii_alphanumeric);
                !(self.is_word && after)
            })
            .map(move |at| at + self.from..at + length)
    }
}

/// Folds octets for comparison: letters to lower case, and `+` to a space, as in forms.
fn folded(octets: impl Iterator<Item = u8>) -> Vec<u8> {
    let fold = |octet: u8| match octet {
        b'+' => b' ',
        octet => octet.to_ascii_lowercase(),
    };
    octets.map(fold).collect()
}

impl fmt::Debug for Secrets {
    /// Displays only the number of secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets")
            .field("patterns", &self.patterns.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Secrets;

    fn shown(user: &str, password: &str, text: &str) -> String {
        let mut secrets = Secrets::new();
        secrets.add_login(user.as_bytes(), password.as_bytes());
        secrets.mask_text(text)
    }

    #[test]
    fn a_secret_is_masked_in_every_encoding() {
        for (password, text, masked) in [
            (
                "hunter2",
                "550 CWD denied for bob/hunter2",
                "550 CWD denied for bob/***",
            ),
            ("hunter2", "PASS HUNTER2: unknown", "PASS ***: unknown"),
            ("hunter2", "hunter2hunter2", "***"),
            ("hunter2", "?t=%68unte%72%32.", "?t=***."),
            ("hunter2", "%2568unter2 %25252568unter2", "*** ***"),
            ("p@ss w:/d", "pw=p%40ss+w%3a%2Fd&x", "pw=***&x"),
            ("p@ss w:/d", "p@ss%20w:/d", "***"),
            ("hun%74er", "a hun%74er b", "a *** b"),
            ("hun%74er", "a hun%2574er b", "a *** b"),
            ("hunter2", "Basic Ym9iOmh1bnRlcjI=", "Basic ***"),
            ("hunter2", "/?t=Ym9iOmh1bnRlcjI%3D&a", "/?t=***&a"),
            ("hunter2", "/Ym9iOmh1bnRlcjI/", "/***/"),
            ("hunter2", "aHVudGVyMg==", "***"),
            ("hunter2", "hunter 2", "hunter 2"),
            ("h\u{fc}nter", "h%C3%BCnter", "***"),
        ] {
            assert_eq!(shown("bob", password, text), masked, "{text}");
        }
    }

    #[test]
    fn a_short_secret_is_masked_in_known_positions_only() {
        for (text, masked) in [
            ("530 abc", "530 abc"),
            ("tim:abc is wrong", "tim:*** is wrong"),
            ("tim:abcdef", "tim:abcdef"),
            ("tim%3Aabc", "tim%3A***"),
            ("dGltOmFiYw==", "***"),
            ("ftp://tim:abc@h/", "ftp://tim:***@h/"),
            ("ftp://other:abc@h/", "ftp://other:***@h/"),
            ("YWJj", "YWJj"),
        ] {
            assert_eq!(shown("tim", "abc", text), masked, "{text}");
        }
        let mut secrets = Secrets::new();
        secrets.add_sent(b"PASS a", 5..6);
        assert_eq!(secrets.mask_text("530 PASS a: no"), "530 PASS ***: no");
        assert_eq!(secrets.mask_text("230 PASS accepted"), "230 PASS accepted");
        secrets.add_sent(b"PASS ", 5..5);
        secrets.add_login(b"tim", b"");
        assert_eq!(secrets.mask_text("530 PASS tim:"), "530 PASS tim:");
    }

    #[test]
    fn passwords_of_urls_are_masked() {
        for (text, masked) in [
            (
                "Location: http://u:hunter2@h/a",
                "Location: http://u:***@h/a",
            ),
            ("//u:p@h //v:q@i", "//u:***@h //v:***@i"),
            (
                "GET /ftp://u:p:q@r@h/a HTTP/1.1",
                "GET /ftp://u:***@h/a HTTP/1.1",
            ),
            ("http://u@h:80/a:b@c", "http://u@h:80/a:b@c"),
            ("ftp://u:@h/", "ftp://u:@h/"),
            ("///u:p@h", "///u:***@h"),
            ("From: bob@example.org", "From: bob@example.org"),
            ("220 host: mail tim@host", "220 host: mail tim@host"),
            ("a//", "a//"),
            ("", ""),
        ] {
            assert_eq!(Secrets::new().mask_text(text), masked);
        }
    }
}
