//! RFC 1630: `login`, `hostport` and `host` of the BNF for specific schemes.
//!
//! ```text
//! login      = [ user [ : password ] @ ] hostport
//! hostport   = host [ : port ]
//! host       = hostname | hostnumber
//! hostname   = ialpha [ . hostname ]
//! hostnumber = digits . digits . digits . digits
//! ```
//!
//! `ialpha` matches every `xalpha` after its first letter, including the dot and the `@`: `a@b` is
//! a hostname. Where the scheme has a `login`, the RFC's prose decides, and `a` is the user.

use super::super::host_name::kind_of_name;
use super::super::walk::{Parsed, fail, is_at, is_in, literal, run, skip, tri};
use super::ESCAPE;
use crate::error::Expected;
use crate::grammar::{DIGITS, LETTERS, Rule, rfc1630};
use crate::layout::HostKind;
use crate::layout::{Delimiter, Layout};

/// The `//` of an Internet scheme, whose production is `production`.
pub(super) const fn slashes(text: &[u8], at: usize, production: &'static Rule) -> Parsed {
    literal(text, at, b"//", Expected::DOUBLE_SLASH, production)
}

/// `login = [ user [ : password ] @ ] hostport`
///
/// With or without a user, much of the same input matches, so both alternatives are tried. Neither
/// extends past a `/` or `#`, so only the longer match can be continued.
pub(super) const fn login(text: &[u8], start: usize, layout: &mut Layout) -> Parsed {
    let mut without_user = *layout;
    let without = hostport(text, start, &mut without_user);
    let mut with_user = *layout;
    let with = user_and_hostport(text, start, &mut with_user);
    match (with, without) {
        (Ok(with), Ok(without)) => {
            if with >= without {
                *layout = with_user;
                Ok(with)
            } else {
                *layout = without_user;
                Ok(without)
            }
        }
        (Ok(end), Err(error)) => {
            *layout = with_user;
            unless_failed_further(end, error)
        }
        (Err(error), Ok(end)) => {
            *layout = without_user;
            unless_failed_further(end, error)
        }
        (Err(with), Err(without)) => Err(without.furthest(with)),
    }
}

/// `end`, where one alternative ends, unless the other failed only after it.
const fn unless_failed_further(end: usize, other: crate::error::SyntaxError) -> Parsed {
    if other.offset as usize > end {
        Err(other)
    } else {
        Ok(end)
    }
}

/// `user [ : password ] @ hostport`
const fn user_and_hostport(text: &[u8], start: usize, layout: &mut Layout) -> Parsed {
    let mut end = skip(text, start, rfc1630::USER.set());
    if end == start {
        return fail(text, end, Expected::USERINFO_CHAR, rfc1630::USER.rule());
    }
    let mut expected = Expected::USERINFO_CHAR.or(Expected::AT).or(Expected::COLON);
    if is_at(text, end, b':') {
        let password = end + 1;
        end = skip(text, password, rfc1630::PASSWORD.set());
        if end == password {
            return fail(text, end, Expected::USERINFO_CHAR, rfc1630::PASSWORD.rule());
        }
        expected = Expected::USERINFO_CHAR.or(Expected::AT);
    }
    if !is_at(text, end, b'@') {
        return fail(text, end, expected, &rfc1630::LOGIN);
    }
    layout.userinfo = Delimiter::at(end);
    hostport(text, end + 1, layout)
}

/// `hostport = host [ : port ]`
pub(super) const fn hostport(text: &[u8], start: usize, layout: &mut Layout) -> Parsed {
    let (host_end, kind) = tri!(host(text, start));
    let mut end = host_end;
    if is_at(text, end, b':') {
        end = skip(text, end + 1, &DIGITS);
        if end == host_end + 1 {
            return fail(text, end, Expected::DIGIT, &rfc1630::PORT);
        }
    }
    layout.set_host(kind, host_end, end);
    Ok(end)
}

/// `host = hostname | hostnumber`, which differ in their first character.
pub(super) const fn host(text: &[u8], start: usize) -> Parsed<(usize, HostKind)> {
    if is_in(text, start, &LETTERS) {
        let end = tri!(run(text, start, &rfc1630::HOSTNAME, ESCAPE));
        return Ok((end, kind_of_name(text, start, end, false)));
    }
    if !is_in(text, start, &DIGITS) {
        return fail(text, start, Expected::HOST, &rfc1630::HOST);
    }
    let mut at = start;
    let mut groups = 0;
    loop {
        let end = skip(text, at, &DIGITS);
        if end == at {
            return fail(text, end, Expected::DIGIT, &rfc1630::HOSTNUMBER);
        }
        groups += 1;
        if groups == 4 {
            return Ok((end, HostKind::Ipv4));
        }
        if !is_at(text, end, b'.') {
            let expected = Expected::DIGIT.or(Expected::DOT);
            return fail(text, end, expected, &rfc1630::HOSTNUMBER);
        }
        at = end + 1;
    }
}
