//! The grammar of RFC 3966, 3: a number, and its parameters.

use super::super::ReadError;
use super::super::shape::Shape;
use super::Tel;
use core::cmp::Ordering;
use urikit::component::Encoded;
use urikit::grammar::{ByteSet, DIGITS, LETTERS, Rule};

const GLOBAL: Rule = Rule::new("global-number-digits", "RFC 3966, 3");
const LOCAL: Rule = Rule::new("local-number-digits", "RFC 3966, 3");
const CONTEXT: Rule = Rule::new("context", "RFC 3966, 3");
const DOMAINNAME: Rule = Rule::new("domainname", "RFC 3966, 3");
const EXTENSION: Rule = Rule::new("extension", "RFC 3966, 3");
const ISUB: Rule = Rule::new("isdn-subaddress", "RFC 3966, 3");
const PARAMETER: Rule = Rule::new("parameter", "RFC 3966, 3");

/// The characters of `unreserved = alphanum / mark`.
const UNRESERVED: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"-_.!~*'()"));
/// The characters allowed in `paramchar`, other than escapes.
static PARAMCHAR: ByteSet = UNRESERVED.or(ByteSet::of(b"[]/:&+$"));
/// The characters allowed in `uric`, other than escapes and characters that must be escaped in
/// values.
static ISUB_CHAR: ByteSet = UNRESERVED.or(ByteSet::of(b"/:@&+$,"));
/// The characters of `pname`.
static PNAME: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"-"));

/// The largest number of parameters that may be in any order. Searching unsorted parameters for
/// duplicates takes quadratic time.
pub(super) const UNORDERED_MAX: usize = 100;

/// The parameters that RFC 3966 defines, each as written in the URI.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known<'a> {
    pub(super) ext: Option<&'a str>,
    pub(super) isub: Option<Encoded<'a>>,
    pub(super) context: Option<&'a str>,
}

/// The kind of a parameter, which its name determines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Ext,
    Isub,
    Context,
    Other,
}

impl Name {
    pub(super) fn of(name: &str) -> Self {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is("ext") {
            Self::Ext
        } else if is("isub") {
            Self::Isub
        } else if is("phone-context") {
            Self::Context
        } else {
            Self::Other
        }
    }
}

const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'-' | b'.' | b'(' | b')')
}

/// Returns the characters of a number without visual separators.
pub(super) fn digits(number: &str) -> impl Iterator<Item = char> + use<'_> {
    // INVARIANT: the only escape in a number is `%23`.
    let mut skip = 0_u8;
    number.chars().filter_map(move |c| {
        if skip > 0 {
            skip -= 1;
            None
        } else if c == '%' {
            skip = 2;
            Some('#')
        } else {
            (!matches!(c, '-' | '.' | '(' | ')')).then_some(c)
        }
    })
}

/// Reads `global-number-digits / local-number-digits`, and returns the number with the text after
/// its semicolon.
pub(super) fn number<'a>(shape: &Shape<'a>) -> Result<(&'a str, Option<Encoded<'a>>), ReadError> {
    let part = shape.scheme_part();
    let text = part.as_str();
    let end = match text.strip_prefix('+') {
        Some(after) => 1 + global(shape, after, "a digit, `;` or the end")?,
        None => local(shape, text)?,
    };
    let number = text.get(..end).unwrap_or_default();
    let parameters = text.get(end..).and_then(|rest| rest.strip_prefix(';'));
    Ok((number, parameters.map(Encoded::assume_valid)))
}

/// Returns the length of `*phonedigit DIGIT *phonedigit`, up to a semicolon or the end.
fn global(shape: &Shape<'_>, text: &str, expected: &'static str) -> Result<usize, ReadError> {
    let is_other = |byte: u8| !byte.is_ascii_digit() && !is_separator(byte);
    let end = text.bytes().position(is_other).unwrap_or(text.len());
    let refuse = |expected| Err(shape.mismatch_in(shape.offset(text) + end, expected, GLOBAL));
    if !text.bytes().take(end).any(|byte| byte.is_ascii_digit()) {
        return refuse("a digit");
    }
    match text.as_bytes().get(end) {
        None | Some(b';') => Ok(end),
        Some(_) => refuse(expected),
    }
}

/// Returns the length of `*phonedigit-hex (HEXDIG / "*" / "#") *phonedigit-hex`, up to a semicolon.
fn local(shape: &Shape<'_>, text: &str) -> Result<usize, ReadError> {
    let start = shape.offset(text);
    let refuse = |at, expected, rule| Err(shape.mismatch_in(start + at, expected, rule));
    let mut at = 0;
    let mut has_digit = false;
    loop {
        match text.as_bytes().get(at..).unwrap_or_default() {
            [b'%', b'2', b'3', ..] => {
                has_digit = true;
                at += 3;
            }
            [b'%', b'2', ..] => return refuse(at + 2, "`%23`, which is `#`", LOCAL),
            [b'%', ..] => return refuse(at + 1, "`%23`, which is `#`", LOCAL),
            [byte, ..] if byte.is_ascii_hexdigit() || *byte == b'*' => {
                has_digit = true;
                at += 1;
            }
            [byte, ..] if is_separator(*byte) => at += 1,
            [b';', ..] if has_digit => return Ok(at),
            [] if has_digit => {
                return refuse(at, "`;phone-context=` after a local number", CONTEXT);
            }
            _ if has_digit => return refuse(at, "a digit or `;`", LOCAL),
            _ => return refuse(at, "a number", LOCAL),
        }
    }
}

/// Reads `*par`, and the context of a local number.
pub(super) fn parameters<'a>(
    shape: &Shape<'a>,
    number: &str,
    parameters: Option<Encoded<'a>>,
) -> Result<Known<'a>, ReadError> {
    let mut known = Known::default();
    for parameter in parameters.into_iter().flat_map(|all| all.split(';')) {
        let start = shape.offset(parameter.as_str());
        let (name, value) = match parameter.split_once('=') {
            Some((name, value)) => (name.as_str(), Some(value)),
            None => (parameter.as_str(), None),
        };
        let kind = Name::of(name);
        let is_second = match kind {
            Name::Ext | Name::Isub => known.ext.is_some() || known.isub.is_some(),
            Name::Context => known.context.is_some(),
            Name::Other => false,
        };
        if is_second {
            let expected = "a parameter of another kind (`ext` and `isub` are mutually exclusive)";
            return Err(shape.mismatch_in(start, expected, PARAMETER));
        }
        if kind == Name::Other {
            check_chars(shape, name, &PNAME, "the name of a parameter", PARAMETER)?;
            if let Some(value) = value {
                let expected = "a character of a value (escape all others)";
                check_chars(shape, value.as_str(), &PARAMCHAR, expected, PARAMETER)?;
            }
            continue;
        }
        let Some(value) = value else {
            let end = start + name.len();
            return Err(shape.mismatch_in(end, "`=` and a value", PARAMETER));
        };
        match kind {
            Name::Ext => {
                check_chars(shape, value.as_str(), &PHONEDIGIT, "a digit", EXTENSION)?;
                known.ext = Some(value.as_str());
            }
            Name::Isub => {
                let expected = "a character of a subaddress (escape all others)";
                check_chars(shape, value.as_str(), &ISUB_CHAR, expected, ISUB)?;
                known.isub = Some(value);
            }
            Name::Context | Name::Other => {
                descriptor(shape, value.as_str())?;
                known.context = Some(value.as_str());
            }
        }
    }
    if known.context.is_none() && !number.starts_with('+') {
        let expected = "`;phone-context=` after a local number";
        return Err(shape.mismatch_in(shape.reference.as_str().len(), expected, CONTEXT));
    }
    Ok(known)
}

/// The characters of `phonedigit`.
static PHONEDIGIT: ByteSet = DIGITS.or(ByteSet::of(b"-.()"));

/// Checks that the text is not empty and contains only characters in the set. Escapes are allowed
/// if the set contains the characters of RFC 3966's `mark`.
fn check_chars(
    shape: &Shape<'_>,
    text: &str,
    set: &ByteSet,
    expected: &'static str,
    rule: Rule,
) -> Result<(), ReadError> {
    let has_escapes = set.contains(b'_');
    let is_other = |byte: u8| !(set.contains(byte) || has_escapes && byte == b'%');
    let at = match text.bytes().position(is_other) {
        None if text.is_empty() => 0,
        None => return Ok(()),
        Some(at) => at,
    };
    Err(shape.mismatch_in(shape.offset(text) + at, expected, rule))
}

/// Reads `domainname / global-number-digits`.
fn descriptor(shape: &Shape<'_>, text: &str) -> Result<(), ReadError> {
    if let Some(after) = text.strip_prefix('+') {
        return global(shape, after, "a digit").map(drop);
    }
    let refuse =
        |at, expected| Err(shape.mismatch_in(shape.offset(text) + at, expected, DOMAINNAME));
    // The first and the last character of the label. `is_top` is true if the preceding label may be
    // a `toplabel`.
    let mut label: Option<(u8, u8)> = None;
    let mut is_top = false;
    for (at, byte) in text.bytes().enumerate() {
        label = match (byte, label) {
            (b'.', Some((first, last))) if last != b'-' => {
                is_top = first.is_ascii_alphabetic();
                None
            }
            (b'-', Some((first, _))) => Some((first, byte)),
            (_, Some((first, _))) if byte.is_ascii_alphanumeric() => Some((first, byte)),
            (_, None) if byte.is_ascii_alphanumeric() => Some((byte, byte)),
            _ => return refuse(at, "a domain name, or `+` and digits"),
        };
    }
    let is_good = match label {
        Some((first, last)) => first.is_ascii_alphabetic() && last != b'-',
        None => is_top,
    };
    if is_good {
        Ok(())
    } else {
        refuse(text.len(), "a last label that begins with a letter")
    }
}

/// Compares two names, ignoring case.
pub(super) fn order(a: &str, b: &str) -> Ordering {
    a.bytes()
        .map(|byte| byte.to_ascii_lowercase())
        .cmp(b.bytes().map(|byte| byte.to_ascii_lowercase()))
}

/// Checks that no name is repeated among the parameters that RFC 3966 does not define.
pub(super) fn check_unique(shape: &Shape<'_>, tel: &Tel<'_>) -> Result<(), ReadError> {
    let names = || tel.parameters().map(|(name, _)| name);
    let mut pairs = names().zip(names().skip(1));
    let Some((_, unordered)) = pairs.find(|(a, b)| order(a, b) != Ordering::Less) else {
        return Ok(());
    };
    let refuse = |name, expected| Err(shape.mismatch_in(shape.offset(name), expected, PARAMETER));
    if names().count() > UNORDERED_MAX {
        return refuse(
            unordered,
            "parameters in sorted order, because the URL has more than 100 of them",
        );
    }
    for (count, name) in names().enumerate() {
        if names()
            .take(count)
            .any(|before| before.eq_ignore_ascii_case(name))
        {
            return refuse(name, "a parameter that does not repeat an earlier one");
        }
    }
    Ok(())
}
