//! RFC 1738, 3.1: the common Internet scheme syntax.
//!
//! ```text
//! login         = [ user [ ":" password ] "@" ] hostport
//! hostport      = host [ ":" port ]
//! host          = hostname | hostnumber
//! hostname      = *[ domainlabel "." ] toplabel
//! domainlabel   = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
//! toplabel      = alpha | alpha *[ alphadigit | "-" ] alphadigit
//! hostnumber    = digits "." digits "." digits "." digits
//! port          = digits
//! ```
//!
//! `hostnumber` has no upper limit: `999.1.1.1` matches.

use super::super::host_name::kind_of_name;
use super::super::walk::{Parsed, fail, is_at, is_end, is_in, literal, run, skip, tri};
use super::ESCAPE;
use crate::error::Expected;
use crate::grammar::{ByteSet, DIGITS, LETTERS, Rule, rfc1738};
use crate::layout::HostKind;
use crate::layout::{Delimiter, Layout};

/// The `//` of an Internet scheme, whose production is `production`.
pub(super) const fn slashes(text: &[u8], at: usize, production: &'static Rule) -> Parsed {
    literal(text, at, b"//", Expected::DOUBLE_SLASH, production)
}

/// `login`. `next` is what may follow it besides the end and a fragment.
///
/// Every character of a `hostport` may be in a user or a password, so only an `@` decides. Without
/// one, everything up to the end of that run could still have become a user and a password.
pub(super) const fn login(
    text: &[u8],
    start: usize,
    next: Expected,
    layout: &mut Layout,
) -> Parsed {
    let mut end = tri!(run(text, start, &rfc1738::USER, ESCAPE));
    if is_at(text, end, b':') {
        end = tri!(run(text, end + 1, &rfc1738::PASSWORD, ESCAPE));
    }
    if is_at(text, end, b'@') {
        layout.userinfo = Delimiter::at(end);
        return hostport(text, end + 1, next, layout);
    }
    match hostport(text, start, next, layout) {
        Ok(hostport_end) if hostport_end == end => Ok(end),
        Err(error) if error.offset as usize > end => Err(error),
        _ => {
            let expected = Expected::USERINFO_CHAR.or(Expected::AT);
            fail(text, end, expected, &rfc1738::LOGIN)
        }
    }
}

/// `hostport`. `next` is what may follow it besides the end and a fragment.
pub(super) const fn hostport(
    text: &[u8],
    start: usize,
    next: Expected,
    layout: &mut Layout,
) -> Parsed {
    let (host_end, kind) = tri!(host(text, start));
    let mut end = host_end;
    let mut expected = Expected::HOST_CHAR.or(Expected::COLON);
    if is_at(text, end, b':') {
        expected = Expected::DIGIT;
        end = skip(text, end + 1, &DIGITS);
        if end == host_end + 1 {
            return fail(text, end, expected, &rfc1738::PORT);
        }
    }
    if !is_at(text, end, b'/') && !is_end(text, end) {
        return fail(text, end, expected.or(next), &rfc1738::HOSTPORT);
    }
    layout.set_host(kind, host_end, end);
    Ok(end)
}

/// `host = hostname | hostnumber`: where it ends, and its kind.
///
/// # Errors
///
/// At the first byte that cannot continue it.
pub const fn host(text: &[u8], start: usize) -> Parsed<(usize, HostKind)> {
    const LABEL: &ByteSet = &LETTERS.or(DIGITS).or(ByteSet::of(b"-"));
    let mut label = start;
    let mut labels = 1;
    let mut all_digits = true;
    loop {
        // Four groups of digits are a `hostnumber`; with anything else it can only be a
        // `hostname`.
        let production = if all_digits && labels <= 4 {
            &rfc1738::HOST
        } else {
            &rfc1738::HOSTNAME
        };
        if !is_in(text, label, rfc1738::ALPHADIGIT.set()) {
            let expected = if label == start {
                Expected::HOST
            } else {
                Expected::LETTER_OR_DIGIT
            };
            return fail(text, label, expected, production);
        }
        let end = skip(text, label, LABEL);
        all_digits = all_digits && skip(text, label, &DIGITS) == end;
        let production = if all_digits && labels <= 4 {
            &rfc1738::HOST
        } else {
            &rfc1738::HOSTNAME
        };
        if is_at(text, end - 1, b'-') {
            return fail(text, end, Expected::LETTER_OR_DIGIT, production);
        }
        if is_at(text, end, b'.') {
            label = end + 1;
            labels += 1;
            continue;
        }
        let ipv4 = all_digits && labels == 4;
        if !ipv4 && !is_in(text, label, &LETTERS) {
            // The last label of a name begins with a letter, so another label must follow.
            let expected = Expected::HOST_CHAR.or(Expected::DOT);
            return fail(text, end, expected, production);
        }
        return Ok((end, kind_of_name(text, start, end, ipv4)));
    }
}

/// RFC 1808's `net_loc`, from `start` to `end`: a `login` if it matches, else all of it is the
/// host.
pub(in super::super) const fn login_or_host(
    text: &[u8],
    start: usize,
    end: usize,
    layout: &mut Layout,
) {
    let mut with_login = *layout;
    // `login` looks at the byte after it. At `end` that is the `/`, `#` or end that a `net_loc`
    // ends at too.
    if let Ok(login_end) = login(text, start, Expected::SLASH, &mut with_login)
        && login_end == end
    {
        *layout = with_login;
        return;
    }
    let kind = if start == end {
        HostKind::Empty
    } else {
        HostKind::RegName
    };
    layout.set_host(kind, end, end);
}
