//! Links as defined by Unicode's UTS #58 (link detection and formatting), with the data of Unicode
//! 17.0.
//!
//! A link in text has no delimiter. UTS #58 assigns each character a property (Link_Term) that
//! determines whether it ends a link, so that programs agree on where a link ends. With
//! [`Detection::Uts58`](crate::Detection::Uts58), a [`Finder`](crate::Finder) detects links
//! according to UTS #58. [`format()`] is the reverse operation: it writes a URL with as few escapes
//! as possible while detection still finds the complete URL.
//!
//! The rules of this crate are the default. These rules differ from UTS #58 as follows:
//!
//! | text | our rules | UTS #58 |
//! |---|---|---|
//! | `TEST.COM` | none, because names in programs look like this | the name |
//! | `foo.accountants` without a path | none, because file names look like this | the name |
//! | `αβγ@example.com` | none, because most servers reject it | the address |
//! | `普遍适用测试。我爱你` | none | the name |
//! | `<URL:http://example.com⏎/b>` | `http://example.com/b` | `http://example.com` |
//! | `http://localhost/`, `http://127.0.0.1/`, `urn:isbn:0451450523` | the link | none |
//! | `http://jim@example.com/a` | the link | none |
//! | `mailto:jim@example.com?cc=ann@example.com` | the link | two addresses |
//! | `http://example.com/a"b` | ends before the quotation mark | the complete text |
//! | `http://example.com/a[b]` | ends before the bracket | the complete text |
//! | `http://example.com/a(b/c)d` | the complete text | ends before `)` |

mod properties;

use properties::{BRACKETS, EMAIL, TERMS};
use urikit::AnyRef;
use urikit::grammar::rfc3986::RESERVED;
use urikit::octet::{escape, octets};

/// The property Link_Term: the effect of a character on the end of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinkTerm {
    /// Continues a link, and can be its last character.
    Include,
    /// Ends a link.
    Hard,
    /// Continues a link, but cannot be its last character.
    Soft,
    /// Continues a link if it closes a bracket in the link.
    Close,
    /// Opens a bracket.
    Open,
}

/// Returns the property Link_Term of a character.
pub(crate) fn link_term(c: char) -> LinkTerm {
    let after = TERMS.partition_point(|(first, _)| *first <= u32::from(c));
    let range = after.checked_sub(1).and_then(|at| TERMS.get(at));
    range.map_or(LinkTerm::Hard, |(_, term)| *term)
}

/// Returns the property Link_Bracket of a character: the opening bracket that it closes.
pub(crate) fn opening_bracket(close: char) -> Option<char> {
    let at = BRACKETS.binary_search_by_key(&close, |(close, _)| *close);
    at.ok()
        .and_then(|at| BRACKETS.get(at))
        .map(|(_, open)| *open)
}

/// Returns the property Link_Email of a character: true if it may be in the local part of a mail
/// address.
pub(crate) fn is_link_email(c: char) -> bool {
    // The list alternates between the first character with the property and the first without it.
    EMAIL.partition_point(|boundary| *boundary <= u32::from(c)) % 2 == 1
}

/// The components that follow the authority. Each component begins with a specific character, and
/// certain characters separate its parts. A closing bracket matches only an opening bracket in the
/// same part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Component {
    Path,
    Query,
    Fragment,
    /// The part of a fragment after `:~:`, such as `text=…`.
    Directive,
}

/// Determines whether a link may end at a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// The link may end after the character.
    End,
    /// The character is part of the link if a character with [`Effect::End`] follows.
    Continue,
    /// The link ends before the character.
    Stop,
}

/// The rules for the end of a link (UTS #58, 3.3), applied to one character at a time. The first
/// character is the `/`, `?` or `#` after the authority.
#[derive(Debug)]
pub(crate) struct Termination {
    component: Component,
    /// The open brackets in the current part.
    open: Vec<char>,
    /// The last two characters. After `:~`, a colon completes the delimiter `:~:`.
    recent: [char; 2],
}

impl Termination {
    pub(crate) const fn new() -> Self {
        Self {
            component: Component::Path,
            open: Vec::new(),
            recent: ['\0'; 2],
        }
    }

    /// Returns the effect of the next character. A character that ends the link does not change
    /// this state.
    pub(crate) fn next(&mut self, c: char) -> Effect {
        let effect = match link_term(c) {
            LinkTerm::Hard => return Effect::Stop,
            LinkTerm::Close if opening_bracket(c) != self.open.last().copied() => {
                return Effect::Stop;
            }
            LinkTerm::Close => {
                self.open.pop();
                Effect::End
            }
            LinkTerm::Open => {
                self.open.push(c);
                Effect::Continue
            }
            LinkTerm::Soft => Effect::Continue,
            LinkTerm::Include => Effect::End,
        };
        if self.begins_part(c) {
            self.open.clear();
        }
        self.recent = [self.recent[1], c];
        effect
    }

    /// Returns true if a part begins after this character. Sets the component if the character
    /// begins a new one.
    fn begins_part(&mut self, c: char) -> bool {
        let component = match (self.component, c) {
            (Component::Path, '?') => Component::Query,
            (Component::Path | Component::Query, '#') => Component::Fragment,
            (Component::Fragment, ':') if self.recent == [':', '~'] => Component::Directive,
            (Component::Path, '/')
            | (Component::Query, '&' | '=')
            | (Component::Directive, '&' | ',') => self.component,
            (Component::Directive, ':') if self.recent == [':', '~'] => self.component,
            _ => return false,
        };
        self.component = component;
        true
    }
}

/// The context for which [`format()`] writes a URL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In text, where link detection must find the end of the URL: a trailing full stop becomes
    /// `%2E`.
    Text,
    /// Between delimiters, such as the quotation marks of an attribute. Trailing punctuation stays.
    Delimited,
}

/// Writes a URL for human readers, with as few escapes as possible (UTS #58, 4).
///
/// Escapes of non-ASCII characters, of unreserved characters and of `%` are decoded. Escapes remain
/// for octets that are not UTF-8, for reserved characters (RFC 3986, 2.2), and where a character
/// would end the link: white space, invisible characters, and unmatched brackets. The scheme and
/// the authority are copied unchanged. The result is not always valid under RFC 3987, because
/// UTS #58 keeps a `%` that does not begin an escape, but browsers interpret it as the same URL.
///
/// ```
/// use urikit::UriRef;
/// use urikit_extract::uts58::{Place, format};
/// // after UTS #58, LinkFormattingTest.txt
/// let url = UriRef::parse("https://example.com/%CE%B1(%CE%B2)?%CE%B3%20%CE%B4.")?;
/// let written = format(url, Place::Text);
/// assert_eq!(written, "https://example.com/α(β)?γ%20δ%2E");
/// # Ok::<(), urikit::ParseError>(())
/// ```
pub fn format<'a>(url: impl Into<AnyRef<'a>>, place: Place) -> String {
    let url = url.into();
    let text = url.as_str();
    let scheme = url.scheme().map_or(0, |scheme| scheme.len() + 1);
    let authority = url
        .authority()
        .map_or(0, |authority| authority.as_str().len() + 2);
    let start = scheme + authority;
    let (start, rest) = text.split_at_checked(start).unwrap_or((text, ""));
    let tokens = tokens(rest);
    let mut rules = Termination::new();
    let mut out = start.to_owned();
    // The start of the trailing characters that belong to the link only if more of the link
    // follows.
    let mut pending = out.len();
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            Token::Octet(octet) => out.push_str(escape(octet)),
            Token::Char('%') if is_followed_by_digits(&tokens, at) => out.push_str("%25"),
            Token::Char(c) => match rules.next(c) {
                Effect::End => out.push(c),
                Effect::Continue => {
                    out.push(c);
                    continue;
                }
                Effect::Stop => encode(c, &mut out),
            },
        }
        pending = out.len();
    }
    if place == Place::Text
        && out.len() > pending
        && let Some(last) = out.pop()
    {
        encode(last, &mut out);
    }
    out
}

/// A part of a URL that is written in one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Char(char),
    /// An octet that stays escaped.
    Octet(u8),
}

/// Decodes all escapes except those of reserved characters and of octets that are not UTF-8.
fn tokens(text: &str) -> Vec<Token> {
    let (values, are_escaped): (Vec<u8>, Vec<bool>) = octets(text.as_bytes())
        .map(|octet| (octet.value, octet.is_escaped))
        .unzip();
    let mut tokens = Vec::new();
    let mut at = 0;
    for chunk in values.utf8_chunks() {
        for c in chunk.valid().chars() {
            let is_escaped = are_escaped.get(at).copied().unwrap_or_default();
            at += c.len_utf8();
            tokens.push(match u8::try_from(c) {
                Ok(octet) if is_escaped && RESERVED.set().contains(octet) => Token::Octet(octet),
                _ => Token::Char(c),
            });
        }
        at += chunk.invalid().len();
        tokens.extend(chunk.invalid().iter().copied().map(Token::Octet));
    }
    tokens
}

/// Returns true if the character at this index is followed by two hexadecimal digits.
fn is_followed_by_digits(tokens: &[Token], at: usize) -> bool {
    let is_digit = |token: &Token| matches!(token, Token::Char(c) if c.is_ascii_hexdigit());
    let next = tokens.get(at + 1..at + 3);
    next.is_some_and(|next| next.iter().all(is_digit))
}

/// Writes a character as the escapes of its UTF-8 octets.
fn encode(c: char, out: &mut String) {
    out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(escape));
}
