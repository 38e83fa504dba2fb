//! The parser, with one function per production.

use super::uri::{JavaError, JavaExpected, JavaUri};
use crate::split::{ends_authority, split_at, split_once};
use urikit::grammar::rfc3986::is_scheme_char;
use urikit::{HostKind, Standard};

impl<'a> JavaUri<'a> {
    /// Parses text as the constructor `URI(String)` does.
    ///
    /// # Errors
    ///
    /// Fails if the constructor would throw an exception.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, JavaError> {
        match plain_uri(text) {
            Some(uri) => Ok(uri),
            None => uri(text),
        }
    }
}

/// Reads an RFC 3986 URI that Java reads in the same way: its host is a name or an IPv4 address,
/// and its port is absent or a number up to 65535. In all other components, Java allows everything
/// that RFC 3986 allows.
fn plain_uri(text: &str) -> Option<JavaUri<'_>> {
    let reference = Standard::Rfc3986.parse(text).ok()?;
    let scheme = reference.scheme()?;
    let authority = reference.authority()?;
    let host = authority.host();
    if !matches!(host.kind(), HostKind::Name | HostKind::Ipv4) {
        return None;
    }
    let port_digits = authority.port();
    let port = match port_digits {
        None => None,
        Some(_) => Some(u32::from(authority.port_number()?)),
    };
    let fragment = reference.fragment().map(|text| text.as_str());
    let end = text.len() - fragment.map_or(0, |text| text.len() + 1);
    Some(JavaUri {
        scheme: Some(scheme),
        scheme_specific_part: text.get(scheme.len() + 1..end)?,
        authority: Some(Authority {
            text: authority.as_str(),
            server: Some(Server {
                user_info: authority.userinfo().map(|text| text.as_str()),
                host: host.as_str(),
                port,
                port_digits,
            }),
        }),
        path: Some(reference.path().as_str()),
        query: reference.query().map(|text| text.as_str()),
        fragment,
    })
}

/// `URI-reference = [ scheme ":" ] scheme-specific-part [ "#" fragment ]`
fn uri(text: &str) -> Result<JavaUri<'_>, JavaError> {
    let scheme = scheme(text)?;
    let rest = match scheme {
        Some(scheme) => text.get(scheme.len() + 1..).unwrap_or_default(),
        None => text,
    };
    let begin = text.len() - rest.len();
    let uri = if scheme.is_some() && !rest.starts_with('/') {
        opaque(rest, begin)?
    } else {
        hierarchical(rest, begin)?
    };
    Ok(JavaUri { scheme, ..uri })
}

/// Reads a scheme, which ends at a colon before any `/`, `?` or `#`.
fn scheme(text: &str) -> Result<Option<&str>, JavaError> {
    let (scheme, rest) = split_at(text, |byte| !SCHEME.contains(byte));
    let begins = scheme
        .bytes()
        .next()
        .is_some_and(|byte| ALPHA.contains(byte));
    let (before, end) = split_at(rest, |byte| byte == b':' || ends_authority(byte));
    if !end.starts_with(':') {
        Ok(None)
    } else if begins && before.is_empty() {
        Ok(Some(scheme))
    } else {
        Err(JavaError {
            offset: if begins { scheme.len() } else { 0 },
            expected: JavaExpected::Scheme,
        })
    }
}

/// `opaque_part = 1*uric`, except that Java also allows `?` as the first character. `begin` is the
/// offset of `text` in the reference.
fn opaque(text: &str, begin: usize) -> Result<JavaUri<'_>, JavaError> {
    let (part, after) = component(text, begin, URIC, JavaExpected::OpaqueCharacter, b"#")?;
    if part.is_empty() {
        return Err(JavaError {
            offset: begin,
            expected: JavaExpected::SchemeSpecificPart,
        });
    }
    Ok(JavaUri {
        scheme: None,
        scheme_specific_part: part,
        authority: None,
        path: None,
        query: None,
        fragment: fragment(after, begin + part.len())?,
    })
}

/// `[ "//" [ authority ] ] path [ "?" query ]`
fn hierarchical(text: &str, begin: usize) -> Result<JavaUri<'_>, JavaError> {
    let (found, path_begin) = match text.strip_prefix("//") {
        None => (None, 0),
        Some("") => {
            return Err(JavaError {
                offset: begin + 2,
                expected: JavaExpected::Authority,
            });
        }
        Some(rest) => {
            let (text, _) = split_at(rest, ends_authority);
            let end = text.len();
            let found = match end {
                0 => None,
                _ => Some(authority(text, begin + 2)?),
            };
            (found, 2 + end)
        }
    };
    let rest = text.get(path_begin..).unwrap_or_default();
    let path_at = begin + path_begin;
    let (path, after) = component(rest, path_at, PATH, JavaExpected::PathCharacter, b"?#")?;
    let (query, after) = match after.strip_prefix('?') {
        None => (None, after),
        Some(rest) => {
            let at = path_at + path.len() + 1;
            let (query, after) = component(rest, at, URIC, JavaExpected::QueryCharacter, b"#")?;
            (Some(query), after)
        }
    };
    let length = text.len() - after.len();
    Ok(JavaUri {
        scheme: None,
        scheme_specific_part: text.get(..length).unwrap_or_default(),
        authority: found,
        path: Some(path),
        query,
        fragment: fragment(after, begin + length)?,
    })
}

/// `"#" fragment`, or nothing.
fn fragment(text: &str, begin: usize) -> Result<Option<&str>, JavaError> {
    let Some(rest) = text.strip_prefix('#') else {
        return Ok(None);
    };
    let expected = JavaExpected::FragmentCharacter;
    let (fragment, _) = component(rest, begin + 1, URIC, expected, b"")?;
    Ok(Some(fragment))
}

/// Splits off a component, which ends at one of the characters in `ends`.
fn component<'a>(
    text: &'a str,
    begin: usize,
    class: Class,
    expected: JavaExpected,
    ends: &[u8],
) -> Result<(&'a str, &'a str), JavaError> {
    let at = run(text, class).map_err(|offset| JavaError {
        offset: begin + offset,
        expected: JavaExpected::HexDigits,
    })?;
    match text.as_bytes().get(at) {
        Some(byte) if !ends.contains(byte) => Err(JavaError {
            offset: begin + at,
            expected,
        }),
        _ => Ok(text.split_at_checked(at).unwrap_or((text, ""))),
    }
}

/// A nonempty authority.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Authority<'a> {
    pub(super) text: &'a str,
    /// The server, or `None` if the authority is registry-based.
    pub(super) server: Option<Server<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Server<'a> {
    pub(super) user_info: Option<&'a str>,
    pub(super) host: &'a str,
    pub(super) port: Option<u32>,
    pub(super) port_digits: Option<&'a str>,
}

/// Reads an authority as a server if possible, otherwise as a registry-based name. `begin` is the
/// offset of `text` in the reference.
pub(super) fn authority(text: &str, begin: usize) -> Result<Authority<'_>, JavaError> {
    let server = server(text);
    if server.is_some() {
        return Ok(Authority { text, server });
    }
    let end = run(text, REG_NAME).map_err(|offset| JavaError {
        offset: begin + offset,
        expected: JavaExpected::HexDigits,
    })?;
    match text.as_bytes().get(end) {
        None => Ok(Authority { text, server: None }),
        Some(byte) => Err(JavaError {
            offset: begin + end,
            expected: match byte {
                b'[' => JavaExpected::Ipv6Address,
                _ => JavaExpected::AuthorityCharacter,
            },
        }),
    }
}

/// `server = [ userinfo "@" ] host [ ":" [ port ] ]`
fn server(text: &str) -> Option<Server<'_>> {
    let (user_info, rest) = match split_once(text, b'@') {
        Some((userinfo, rest)) => (Some(userinfo), rest),
        None => (None, text),
    };
    if user_info.is_some_and(|userinfo| run(userinfo, USERINFO) != Ok(userinfo.len())) {
        return None;
    }
    let end = if rest.starts_with('[') {
        rest.find(']')? + 1
    } else {
        split_at(rest, |byte| byte == b':').0.len()
    };
    let (host, after) = rest.split_at_checked(end)?;
    let bracketed = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let is_host = match bracketed {
        Some(address) => ipv6(address),
        None => hostname(host) || ipv4(host),
    };
    if !is_host {
        return None;
    }
    let port_digits = match after {
        "" => None,
        _ => Some(after.strip_prefix(':')?),
    };
    let port = match port_digits {
        None | Some("") => None,
        Some(digits) => Some(port(digits)?),
    };
    Some(Server {
        user_info,
        host,
        port,
        port_digits,
    })
}

/// `hostname = *( domainlabel "." ) toplabel [ "." ]`, except that a name with only one label may
/// begin with a digit.
fn hostname(text: &str) -> bool {
    let mut labels = 0;
    let mut top_begins_with_letter = false;
    let mut before = b'.';
    for byte in text.bytes() {
        if ALPHANUM.contains(byte) {
            if before == b'.' {
                labels += 1;
                top_begins_with_letter = ALPHA.contains(byte);
            }
        } else if !(byte == b'-' && before != b'.'
            || byte == b'.' && !matches!(before, b'.' | b'-'))
        {
            return false;
        }
        before = byte;
    }
    before != b'-' && (labels == 1 || labels > 1 && top_begins_with_letter)
}

/// Reads a port, which may be up to 2147483647.
fn port(digits: &str) -> Option<u32> {
    digits.bytes().try_fold(0_u32, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'))?;
        let number = number.checked_mul(10)?.checked_add(digit)?;
        i32::try_from(number).ok()?;
        Some(number)
    })
}

/// Returns whether the text consists of four numbers up to 255, each with any number of leading
/// zeros.
pub(super) fn ipv4(text: &str) -> bool {
    text.split('.').count() == 4 && text.split('.').all(is_octet)
}

fn is_octet(text: &str) -> bool {
    let digits = text.trim_start_matches('0').as_bytes();
    let is_small = matches!(
        digits,
        [] | [_] | [_, _] | [b'1', _, _] | [b'2', b'0'..=b'4', _] | [b'2', b'5', b'0'..=b'5']
    );
    !text.is_empty() && is_small && digits.iter().all(u8::is_ascii_digit)
}

/// Returns whether the text is an RFC 2373 IPv6 address with an optional zone: eight groups, or
/// fewer with one `::`. An IPv4 address counts as two groups.
pub(super) fn ipv6(text: &str) -> bool {
    let address = match text.split_once('%') {
        None => text,
        Some((address, zone)) if !zone.is_empty() && zone.bytes().all(|b| ZONE.contains(b)) => {
            address
        }
        Some(_) => return false,
    };
    match address.split_once("::") {
        None => groups(address, true) == Some(8),
        Some((before, after)) => {
            let before = match before {
                "" => Some(0),
                _ => groups(before, false),
            };
            let after = match after {
                "" => Some(0),
                _ => groups(after, true),
            };
            matches!((before, after), (Some(a), Some(b)) if a + b <= 7)
        }
    }
}

/// Counts the groups between colons. Returns `None` if the text between two colons is not a group.
/// If `ends` is true, the text is the end of the address, and its last group may be an IPv4
/// address.
fn groups(text: &str, ends: bool) -> Option<usize> {
    let is_group =
        |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    let (rest, last) = text
        .rsplit_once(':')
        .map_or((None, text), |(a, b)| (Some(a), b));
    let last = match last {
        _ if is_group(last) => 1,
        _ if ends && ipv4(last) => 2,
        _ => return None,
    };
    let Some(rest) = rest else { return Some(last) };
    let mut count = last;
    for group in rest.split(':') {
        if !is_group(group) {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// A class of US-ASCII characters, represented by a bit in [`TABLE`].
#[derive(Clone, Copy)]
pub(super) struct Class(u8);

/// `alpha`
pub(super) const ALPHA: Class = Class(1);
/// `alphanum`
pub(super) const ALPHANUM: Class = Class(1 << 1);
/// `scheme`, after its first letter: `alphanum` and `+-.`
pub(super) const SCHEME: Class = Class(1 << 2);
/// `userinfo`: `unreserved` and `;:&=+$,`
pub(super) const USERINFO: Class = Class(1 << 3);
/// `reg_name`: `userinfo` and `@`
pub(super) const REG_NAME: Class = Class(1 << 4);
/// `path`: `reg_name` and `/`
pub(super) const PATH: Class = Class(1 << 5);
/// `uric`: `path`, `?`, and the brackets of RFC 2732
pub(super) const URIC: Class = Class(1 << 6);
/// The zone of an IPv6 address: `alphanum`, `_` and `.`
pub(super) const ZONE: Class = Class(1 << 7);

/// The classes of each byte.
const TABLE: [u8; 256] = table();

impl Class {
    #[inline]
    pub(super) fn contains(self, byte: u8) -> bool {
        let bits = TABLE.get(usize::from(byte)).copied().unwrap_or(0);
        bits & self.0 != 0
    }
}

#[allow(clippy::indexing_slicing)] // the index is below 128; `get_mut` is not const
const fn table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = classes(byte);
        byte += 1;
    }
    table
}

/// Returns the classes of a US-ASCII byte.
const fn classes(byte: u8) -> u8 {
    let alphanum = byte.is_ascii_alphanumeric();
    let mark = matches!(
        byte,
        b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')'
    );
    let userinfo =
        alphanum || mark || matches!(byte, b';' | b':' | b'&' | b'=' | b'+' | b'$' | b',');
    let reg_name = userinfo || byte == b'@';
    let path = reg_name || byte == b'/';
    let uric = path || matches!(byte, b'?' | b'[' | b']');
    ALPHA.when(byte.is_ascii_alphabetic())
        | ALPHANUM.when(alphanum)
        | SCHEME.when(is_scheme_char(byte))
        | USERINFO.when(userinfo)
        | REG_NAME.when(reg_name)
        | PATH.when(path)
        | URIC.when(uric)
        | ZONE.when(alphanum || matches!(byte, b'_' | b'.'))
}

impl Class {
    const fn when(self, is_member: bool) -> u8 {
        if is_member { self.0 } else { 0 }
    }
}

/// Returns whether a character belongs to the category "other" in the documentation of the class:
/// non-ASCII characters that are neither control characters nor spaces.
pub(super) const fn is_other(c: char) -> bool {
    !matches!(c,
        '\0'..='\u{9F}'
        // Zs
        | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
        // Zl, Zp
        | '\u{2028}' | '\u{2029}')
}

/// Returns the length of the longest prefix that consists of escapes, "other" characters and
/// characters of `class`.
///
/// # Errors
///
/// Fails if a `%` is not followed by two hexadecimal digits. Returns the offset after the `%`.
pub(super) fn run(text: &str, class: Class) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let run = rest.iter().position(|byte| !class.contains(*byte));
        let Some(run) = run else {
            return Ok(text.len());
        };
        at += run;
        match rest.get(run..).unwrap_or_default() {
            [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => at += 3,
            [b'%', ..] => return Err(at + 1),
            [0x80..=0xFF, ..] => match text.get(at..).and_then(|text| text.chars().next()) {
                Some(c) if is_other(c) => at += c.len_utf8(),
                _ => return Ok(at),
            },
            _ => return Ok(at),
        }
    }
}
