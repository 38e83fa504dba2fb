//! A lenient parser for the kind of text that people type and web pages contain.
//!
//! The parser reports every change. Strict parsing never falls back to this parser.
//!
//! | found | changed to |
//! |---|---|
//! | white space and control characters around the text | nothing |
//! | tabs and line breaks anywhere | nothing |
//! | `\` before the query, if the scheme is http, https, ws, wss, ftp or file | `/` |
//! | a `%` that does not begin an escape | `%25` |
//! | a host with non-ASCII characters | its DNS name (feature `idna`) |
//! | any other character that its component does not allow | its escapes |
//!
//! Browsers make the same changes (WHATWG URL). However, `repair` never guesses which host is
//! meant. The following remain errors: a second `@`, a space or a delimiter in the host, a port
//! that is not a number.

#[cfg(feature = "idna")]
use crate::HostKind;
#[cfg(feature = "idna")]
use crate::component::Host;
use crate::error::SyntaxError;
use crate::grammar::{Class, rfc3986};
use crate::layout::offset_u32;
#[cfg(feature = "idna")]
use crate::octet::has_only_escapes;
use crate::octet::{escape, escaped_octet};
use crate::{AnyRefBuf, ParseError, Standard, Uri, UriRefBuf};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// A repaired reference, and the changes that were made.
///
/// ```
/// use urikit::repair;
/// let repaired = repair(" http://example.com/a b|c\n")?;
/// assert_eq!(repaired.reference, "http://example.com/a%20b%7Cc");
/// let changes = repaired.changes.iter();
/// let changes: Vec<_> = changes.map(|c| (c.offset, &*c.found, &*c.became)).collect();
/// assert_eq!(changes, [(0, " ", ""), (21, " ", "%20"), (23, "|", "%7C"), (25, "\n", "")]);
/// # Ok::<(), urikit::op::RepairError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Repaired {
    /// The valid reference.
    pub reference: UriRefBuf,
    /// The changes, in order. The list is empty if the text was valid.
    pub changes: Vec<Repair>,
}

/// A change that [`repair`] made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Repair {
    /// The offset of the change in the original text, in bytes.
    pub offset: usize,
    /// The original text.
    pub found: String,
    /// The replacement, which may be empty.
    pub became: String,
}

/// The error for text that cannot be repaired.
///
/// ```
/// use urikit::op::RepairError;
/// let error = urikit::repair("http://a:b/").unwrap_err(); // a port is not guessed
/// assert!(matches!(error, RepairError::Parse(error) if error.offset() == 10));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RepairError {
    /// The text is still not a reference after the changes. The offset refers to the original
    /// text.
    Parse(ParseError),
    /// The host has non-ASCII characters and is not an internationalized domain name (RFC 3987,
    /// 3.1). Without the `idna` feature, every non-ASCII host results in this error.
    NotADomainName {
        /// The offset of the host in the original text, in bytes.
        offset: usize,
    },
    /// The text needs too many changes. The limit exists because a change takes much more memory
    /// than the text it replaces.
    TooManyChanges {
        /// The maximum number of changes.
        max: usize,
    },
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse(error) => error.fmt(f),
            Self::NotADomainName { offset } => write!(
                f,
                "expected an internationalized domain name at byte {offset} (RFC 3987, 3.1)"
            ),
            Self::TooManyChanges { max } => {
                write!(f, "the text needs more than {max} changes")
            }
        }
    }
}

impl core::error::Error for RepairError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Parse(error) => Some(error),
            Self::NotADomainName { .. } | Self::TooManyChanges { .. } => None,
        }
    }
}

/// Parses text as a URI reference and repairs the mistakes that people and web pages often make.
/// Takes linear time.
///
/// ```
/// use urikit::{UriRef, repair};
/// assert!(UriRef::parse("https:\\\\example.com\\a?{x}").is_err());
/// assert_eq!(repair("https:\\\\example.com\\a?{x}")?.reference, "https://example.com/a?%7Bx%7D");
/// assert_eq!(repair("100%")?.reference, "100%25");
/// assert!(repair("http://a@b@c/").is_err()); // which host is meant?
/// # Ok::<(), urikit::op::RepairError>(())
/// ```
///
/// # Errors
///
/// Fails if the text is still not a reference after the changes that the [module](self) lists.
pub fn repair(text: &str) -> Result<Repaired, RepairError> {
    Repairer::run(text, None, trimmed(text))
}

/// Repairs a reference that was copied from running text. In addition to the changes of [`repair`]
/// and [`repair_for`], this function removes angle brackets (`<…>`, `<URL:…>`, `‹…›`, `«…»`) and
/// quotation marks around the reference. RFC 3986 (Appendix C) and RFC 1738 (Appendix) recommend
/// delimiters of this kind.
///
/// Browsers do not remove these delimiters, so use [`repair`] or [`repair_for`] for references in
/// web pages.
///
/// ```
/// use urikit::op::repair::repair_pasted;
/// assert_eq!(repair_pasted("<URL: http://a/b c>", None)?.reference, "http://a/b%20c");
/// assert_eq!(repair_pasted("“http://a/”", None)?.reference, "http://a/");
/// # Ok::<(), urikit::op::RepairError>(())
/// ```
///
/// # Errors
///
/// See [`repair`].
pub fn repair_pasted(text: &str, base: Option<Uri<'_>>) -> Result<Repaired, RepairError> {
    let scheme = base.as_ref().map(|base| base.scheme());
    Repairer::run(text, scheme, unwrapped(text))
}

/// Repairs a reference that will be resolved against `base`. If the reference has no scheme, the
/// scheme of the base decides whether a backslash is a slash.
///
/// ```
/// use urikit::{Uri, op::repair::repair_for};
/// let base = Uri::parse("https://example.com/")?;
/// assert_eq!(repair_for("\\a\\b", base)?.reference, "/a/b");
/// assert_eq!(urikit::repair("\\a\\b")?.reference, "%5Ca%5Cb");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// See [`repair`].
pub fn repair_for<'b>(text: &str, base: impl Into<Uri<'b>>) -> Result<Repaired, RepairError> {
    Repairer::run(text, Some(base.into().scheme()), trimmed(text))
}

/// The largest number of changes.
const MAX_CHANGES: usize = 1 << 16;

/// The schemes for which browsers treat a backslash as a slash.
const WEB: [&str; 6] = ["http", "https", "ws", "wss", "ftp", "file"];

/// The text being read, and its repaired form.
struct Repairer<'t> {
    /// The original text.
    given: &'t str,
    /// The text before this offset has been read.
    at: usize,
    out: String,
    changes: Vec<Repair>,
}

impl<'t> Repairer<'t> {
    /// Repairs the `content` of the text, and drops the rest.
    fn run(
        text: &'t str,
        base_scheme: Option<&str>,
        content: Range<usize>,
    ) -> Result<Repaired, RepairError> {
        let mut repairer = Self {
            given: text,
            at: 0,
            out: String::with_capacity(text.len()),
            changes: Vec::new(),
        };
        repairer.drop_to(content.start);
        repairer.reference(content.end, base_scheme)?;
        repairer.drop_to(text.len());
        repairer.finish()
    }

    /// Reads the reference up to `end`, component by component.
    fn reference(&mut self, end: usize, base_scheme: Option<&str>) -> Result<(), RepairError> {
        let scheme = self.scheme_end(end);
        self.keep_to(scheme.unwrap_or(self.at));
        let written = self.out.trim_end_matches(':');
        let scheme = if scheme.is_some() {
            Some(written)
        } else {
            base_scheme
        };
        let is_web =
            scheme.is_some_and(|scheme| WEB.iter().any(|web| web.eq_ignore_ascii_case(scheme)));
        let is_slash = |c: char| c == '/' || is_web && c == '\\';
        if let Some(after) = self.double_slash(end, is_slash) {
            while self.at < after {
                self.character(&rfc3986::PATH_ABEMPTY, is_web);
            }
            let authority_end = self.find(end, |c| is_slash(c) || c == '?' || c == '#');
            self.authority(authority_end)?;
        }
        let path_end = self.find(end, |c| c == '?' || c == '#');
        self.component(path_end, &rfc3986::PATH_ABEMPTY, is_web);
        let query_end = self.find(end, |c| c == '#');
        if query_end > self.at {
            self.keep_to(self.at + 1);
            self.component(query_end, &rfc3986::QUERY, false);
        }
        if end > self.at {
            self.keep_to(self.at + 1);
            self.component(end, &rfc3986::FRAGMENT, false);
        }
        Ok(())
    }

    /// Returns the offset after the scheme's colon. Tabs and line breaks in the scheme are dropped
    /// later.
    fn scheme_end(&self, end: usize) -> Option<usize> {
        let rest = self.given.get(self.at..end)?;
        let colon = rest.find(':')?;
        let mut name = rest
            .get(..colon)?
            .bytes()
            .filter(|byte| !is_dropped(char::from(*byte)));
        let is_scheme = name.next().is_some_and(|byte| byte.is_ascii_alphabetic())
            && name.all(|byte| rfc3986::SCHEME.set().contains(byte));
        is_scheme.then_some(self.at + colon + 1)
    }

    /// Returns the offset after two slashes, or `None` if two slashes do not come next.
    fn double_slash(&self, end: usize, is_slash: impl Fn(char) -> bool) -> Option<usize> {
        let rest = self.given.get(self.at..end)?;
        let mut characters = rest.char_indices().filter(|(_, c)| !is_dropped(*c));
        let (_, first) = characters.next()?;
        let (at, second) = characters.next()?;
        (is_slash(first) && is_slash(second)).then_some(self.at + at + 1)
    }

    /// Returns the offset of the first character that matches, or `end` if none does.
    fn find(&self, end: usize, is_it: impl Fn(char) -> bool) -> usize {
        let rest = self.given.get(self.at..end).unwrap_or_default();
        rest.find(is_it).map_or(end, |at| self.at + at)
    }

    fn authority(&mut self, end: usize) -> Result<(), RepairError> {
        let text = self.given.get(self.at..end).unwrap_or_default();
        // If the text has two `@`, either could end the userinfo. Both are kept, so parsing
        // then fails.
        if let Some(at_sign) = text.find('@') {
            let at_sign = self.at + at_sign;
            self.component(at_sign, &rfc3986::USERINFO, false);
            self.keep_to(at_sign + 1);
        }
        let offset = self.at;
        let host = self.given.get(offset..end).unwrap_or_default();
        let host = host
            .rsplit_once(':')
            .filter(|_| !host.ends_with(']'))
            .map_or(host, |(host, _)| host);
        if !host.is_ascii() {
            let written: String = host.chars().filter(|c| !is_dropped(*c)).collect();
            let name = domain_name(&written).ok_or(RepairError::NotADomainName { offset })?;
            self.replace_to(offset + host.len(), &name);
        }
        self.keep_to(end);
        Ok(())
    }

    /// Reads a component up to `end`, and replaces characters that its class does not allow.
    fn component(&mut self, end: usize, class: &Class, is_web: bool) {
        while self.at < end {
            self.character(class, is_web);
        }
    }

    /// Reads a character and keeps it, or replaces it with text that the class allows.
    fn character(&mut self, class: &Class, is_web: bool) {
        let rest = self.given.get(self.at..).unwrap_or_default();
        let Some(c) = rest.chars().next() else {
            self.at = self.given.len();
            return;
        };
        let end = self.at + c.len_utf8();
        let is_allowed =
            u8::try_from(c).is_ok_and(|byte| byte.is_ascii() && class.set().contains(byte));
        if is_allowed || c == '%' && self.begins_escape() {
            self.keep_to(end);
        } else if is_dropped(c) {
            self.drop_to(end);
        } else if c == '\\' && is_web {
            self.replace_to(end, "/");
        } else {
            let mut escapes = String::new();
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                escapes.push_str(escape(byte));
            }
            self.replace_to(end, &escapes);
        }
    }

    /// Returns true if two hexadecimal digits follow the `%`, ignoring tabs and line breaks.
    fn begins_escape(&self) -> bool {
        let rest = self.given.get(self.at..).unwrap_or_default();
        let mut bytes = [0; 3];
        let kept = rest.bytes().filter(|byte| !is_dropped(char::from(*byte)));
        for (place, byte) in bytes.iter_mut().zip(kept.take(3)) {
            *place = byte;
        }
        escaped_octet(&bytes).is_some()
    }

    /// Keeps the text up to `end`, except tabs and line breaks.
    fn keep_to(&mut self, end: usize) {
        while self.at < end {
            let rest = self.given.get(self.at..end).unwrap_or_default();
            let kept = rest.find(is_dropped).unwrap_or(rest.len());
            self.out.push_str(rest.get(..kept).unwrap_or_default());
            self.at += kept;
            if self.at < end {
                self.drop_to(self.at + 1);
            }
        }
    }

    /// Drops the text up to `end`.
    fn drop_to(&mut self, end: usize) {
        self.replace_to(end, "");
    }

    /// Replaces the text up to `end`. Joins adjacent changes.
    fn replace_to(&mut self, end: usize, became: &str) {
        let found = self.given.get(self.at..end).unwrap_or_default();
        if found.is_empty() {
            return;
        }
        let is_full = self.changes.len() > MAX_CHANGES;
        match self.changes.last_mut() {
            Some(last) if last.offset + last.found.len() == self.at => {
                last.found.push_str(found);
                last.became.push_str(became);
            }
            // `finish` reports that the limit is exceeded.
            _ if is_full => {}
            _ => self.changes.push(Repair {
                offset: self.at,
                found: String::from(found),
                became: String::from(became),
            }),
        }
        self.out.push_str(became);
        self.at = end;
    }

    fn finish(self) -> Result<Repaired, RepairError> {
        if self.changes.len() > MAX_CHANGES {
            return Err(RepairError::TooManyChanges { max: MAX_CHANGES });
        }
        match AnyRefBuf::from_string(self.out, Standard::Rfc3986) {
            Ok(reference) => Ok(Repaired {
                reference: UriRefBuf::from_any(reference),
                changes: self.changes,
            }),
            Err(rejected) => Err(RepairError::Parse(given_offset(
                rejected.error(),
                &self.changes,
            ))),
        }
    }
}

/// Returns the range of the text without the white space around it.
fn trimmed(text: &str) -> Range<usize> {
    place(text, text.trim_matches(is_around))
}

/// Returns the range of `part`, which is a slice of `text`.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    start..start + part.len()
}

/// Returns true if the character is removed at the start and the end of the text.
fn is_around(c: char) -> bool {
    c <= ' ' || c.is_whitespace()
}

/// Returns the range of the text without the white space, brackets and quotation marks around it.
fn unwrapped(text: &str) -> Range<usize> {
    const WRAPPERS: [(char, &[char]); 12] = [
        ('<', &['>']),
        ('‹', &['›']),
        ('›', &['‹']),
        ('«', &['»']),
        ('»', &['«']),
        ('"', &['"']),
        ('\'', &['\'']),
        ('`', &['`', '\'']),
        ('“', &['”']),
        ('‘', &['’']),
        ('„', &['“', '”']),
        ('‚', &['‘', '’']),
    ];
    let mut content = text.trim_matches(is_around);
    loop {
        let mut chars = content.chars();
        let (first, last) = (chars.next(), chars.next_back());
        let wrapper = WRAPPERS.iter().find(|(open, close)| {
            first == Some(*open) && last.is_some_and(|last| close.contains(&last))
        });
        if wrapper.is_none() {
            break;
        }
        content = chars.as_str().trim_matches(is_around);
        if first == Some('<')
            && let Some(rest) = content
                .get(..4)
                .filter(|begin| begin.eq_ignore_ascii_case("URL:"))
        {
            content = content
                .get(rest.len()..)
                .unwrap_or_default()
                .trim_matches(is_around);
        }
    }
    place(text, content)
}

/// Returns true if browsers drop the character everywhere.
fn is_dropped(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r')
}

/// Converts the offset of an error to an offset in the original text.
fn given_offset(error: ParseError, changes: &[Repair]) -> ParseError {
    let ParseError::Syntax(error) = error else {
        return error;
    };
    let mut at = error.offset as usize;
    for change in changes {
        if at < change.offset {
            break;
        }
        if at < change.offset + change.became.len() {
            at = change.offset; // within what a character became
            break;
        }
        at = at + change.found.len() - change.became.len();
    }
    ParseError::Syntax(SyntaxError {
        offset: offset_u32(at),
        ..error
    })
}

/// Converts a host to its DNS name (RFC 3987, 3.1).
#[cfg(feature = "idna")]
fn domain_name(host: &str) -> Option<Cow<'_, str>> {
    has_only_escapes(host).then_some(())?;
    Host::new(host, HostKind::RegName).to_ascii().ok()
}

#[cfg(not(feature = "idna"))]
fn domain_name(_: &str) -> Option<Cow<'_, str>> {
    None
}
