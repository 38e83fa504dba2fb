//! Mailboxes: messages one after another, each after a line that begins with `From ` (RFC 4155).
//!
//! Nothing but that line separates the messages, and a body may contain one like it. Two
//! conventions prevent this, and RFC 4155 prescribes neither: the writer puts `>` before such
//! lines, or says in the header's `Content-Length` how many octets the body has. The count is wrong
//! in many mailboxes that were edited, so it counts only if a message [ends](is_end) there.

/// How many octets after a body [`is_end`] needs to see.
pub const LOOK_AHEAD: usize = 512;

/// Whether a line separates messages: `From `, an address and a date with a time of day.
///
/// RFC 4155, Appendix A, has the date in the form of `asctime`. Other forms are in use, so that
/// any five words are accepted, of which one is a time.
///
/// ```
/// use urikit_mime::mbox::is_from_line;
/// assert!(is_from_line(b"From tim@w3.example Thu Jan  1 00:00:00 1998\n"));
/// assert!(!is_from_line(b"From here on, all is text\n"));
/// assert!(!is_from_line(b">From tim@w3.example Thu Jan  1 00:00:00 1998\n"));
/// ```
pub fn is_from_line(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else {
        return false;
    };
    let words = || {
        let words = rest.split(u8::is_ascii_whitespace);
        words.filter(|word| !word.is_empty()).take(12)
    };
    let is_time = |word: &[u8]| {
        let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b':';
        word.contains(&b':') && word.iter().all(is_part)
    };
    words().count() >= 5 && words().any(is_time)
}

/// The line without the first `>`, if it is quoted: `>From `, `>>From ` and so on.
///
/// ```
/// use urikit_mime::mbox::unquoted;
/// assert_eq!(unquoted(b">From here on"), Some(&b"From here on"[..]));
/// assert_eq!(unquoted(b">>From here on"), Some(&b">From here on"[..]));
/// assert_eq!(unquoted(b"> From here on"), None);
/// ```
pub fn unquoted(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b">")?;
    let quotes = rest.iter().take_while(|octet| **octet == b'>').count();
    let is_from = rest.get(quotes..)?.starts_with(b"From ");
    is_from.then_some(rest)
}

/// The number of octets that a `Content-Length` field gives; `None` if its value is no number.
///
/// ```
/// use urikit_mime::mbox::content_length;
/// assert_eq!(content_length(b"1024"), Some(1024));
/// assert_eq!(content_length(b"-1"), None);
/// assert_eq!(content_length(b"99999999999999999999"), None);
/// ```
pub fn content_length(value: &[u8]) -> Option<u64> {
    let digit = |octet: &u8| octet.is_ascii_digit().then(|| u64::from(octet - b'0'));
    let mut digits = value.trim_ascii().iter();
    let first = digit(digits.next()?)?;
    digits.try_fold(first, |number, octet| {
        number.checked_mul(10)?.checked_add(digit(octet)?)
    })
}

/// Whether a message may end here: `rest` is the first [`LOOK_AHEAD`] octets that follow in the
/// mailbox, or fewer if it ends. Empty lines come first, then a [separator](is_from_line) or
/// nothing.
///
/// ```
/// use urikit_mime::mbox::is_end;
/// assert!(is_end(b"\nFrom tim@w3.example Thu Jan  1 00:00:00 1998\nA: b\n"));
/// assert!(is_end(b"\r\n"));
/// assert!(!is_end(b"\nmore of the body\n"));
/// ```
pub fn is_end(rest: &[u8]) -> bool {
    let blank = rest
        .iter()
        .take_while(|octet| matches!(octet, b'\r' | b'\n'));
    let rest = rest.get(blank.count()..).unwrap_or_default();
    let line = rest.split(|octet| *octet == b'\n').next();
    rest.is_empty() || line.is_some_and(is_from_line)
}
