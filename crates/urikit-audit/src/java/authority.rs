//! `authority = server | reg_name`

use super::address::{ipv4, ipv6};
use super::class::{ALPHA, ALPHANUM, REG_NAME, USERINFO, run};
use super::error::{JavaError, JavaExpected};
use crate::split::{split_at, split_once};

/// An authority that is not empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Authority<'a> {
    pub(super) text: &'a str,
    /// Absent where the authority is registry-based.
    pub(super) server: Option<Server<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Server<'a> {
    pub(super) user_info: Option<&'a str>,
    pub(super) host: &'a str,
    pub(super) port: Option<u32>,
    pub(super) port_digits: Option<&'a str>,
}

/// A server where it matches, else a registry-based name. `begin` is the offset of `text` in the
/// reference.
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

/// `hostname = *( domainlabel "." ) toplabel [ "." ]`, where `toplabel` may begin with a digit if
/// it is the only label.
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

/// At most 2147483647.
fn port(digits: &str) -> Option<u32> {
    digits.bytes().try_fold(0_u32, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'))?;
        let number = number.checked_mul(10)?.checked_add(digit)?;
        i32::try_from(number).ok()?;
        Some(number)
    })
}
