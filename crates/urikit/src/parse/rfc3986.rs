//! RFC 3986, Appendix A, and RFC 3987, 2.2, which renames and extends some of its classes:
//!
//! ```text
//! URI-reference = URI / relative-ref
//! URI           = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
//! relative-ref  = relative-part [ "?" query ] [ "#" fragment ]
//! hier-part     = "//" authority path-abempty
//!               / path-absolute / path-rootless / path-empty
//! relative-part = "//" authority path-abempty
//!               / path-absolute / path-noscheme / path-empty
//! authority     = [ userinfo "@" ] host [ ":" port ]
//! ```
//!
//! A reference that begins with `//` has an authority, because no path may begin that way. The next
//! byte decides everything else, except in an authority: text that looks like a host and a port may
//! still turn out to be a userinfo, as only the rest of the authority shows.
//!
//! ```text
//! userinfo      = *( unreserved / pct-encoded / sub-delims / ":" )
//! host          = IP-literal / IPv4address / reg-name
//! reg-name      = *( unreserved / pct-encoded / sub-delims )
//! port          = *DIGIT
//! path-abempty  = *( "/" segment )
//! path-absolute = "/" [ segment-nz *( "/" segment ) ]
//! path-noscheme = segment-nz-nc *( "/" segment )
//! path-rootless = segment-nz *( "/" segment )
//! segment       = *pchar
//! query         = *( pchar / "/" / "?" )
//! fragment      = *( pchar / "/" / "?" )
//! ```
//!
//! The grammar has three consequences: host, port, query and fragment may be empty (`//:?#`); any
//! text of digits and dots that is not an `IPv4address` is a `reg-name`, so `999.1.1.1` is valid;
//! and a relative path whose first segment has a colon is an error, for which section 4.2 suggests
//! `./a:b`.

use super::fast::FastGrammar;
use super::host::{self, ip_literal, is_ipv4address, kind_of_name};
use super::walk::{Parsed, fail, is_at, is_end, run, scheme, skip, tri};
use crate::error::Expected;
use crate::grammar::{ByteSet, Class, DIGITS, Rule, rfc3986, rfc3987};
use crate::layout::{Delimiter, HostKind, Layout, offset_u32};

/// The differences between RFC 3986 and RFC 3987.
pub(super) struct Syntax {
    userinfo: &'static Class,
    reg_name: &'static Class,
    segment_nz_nc: &'static Class,
    path: &'static Class,
    query: &'static Class,
    fragment: &'static Class,
    authority: &'static Rule,
    segment: &'static Rule,
    path_noscheme: &'static Rule,
    port: &'static Rule,
    escape: &'static Rule,
    pub(super) ip: host::Rules,
}

pub(super) static RFC3986: Syntax = Syntax {
    userinfo: &rfc3986::USERINFO,
    reg_name: &rfc3986::REG_NAME,
    segment_nz_nc: &rfc3986::SEGMENT_NZ_NC,
    path: &rfc3986::PATH_ABEMPTY,
    query: &rfc3986::QUERY,
    fragment: &rfc3986::FRAGMENT,
    authority: &rfc3986::AUTHORITY,
    segment: &rfc3986::SEGMENT,
    path_noscheme: &rfc3986::PATH_NOSCHEME,
    // A copy of the rule, so that a program does not contain the unused class.
    port: &const { *rfc3986::PORT.rule() },
    escape: &rfc3986::PCT_ENCODED,
    ip: host::Rules {
        literal: &rfc3986::IP_LITERAL,
        inner: &rfc3986::IP_LITERAL,
        v6: &rfc3986::IPV6ADDRESS,
        future: Some(&const { *rfc3986::IPVFUTURE.rule() }),
    },
};

pub(super) static RFC3987: Syntax = Syntax {
    userinfo: &rfc3987::IUSERINFO,
    reg_name: &rfc3987::IREG_NAME,
    segment_nz_nc: &rfc3987::ISEGMENT_NZ_NC,
    path: &rfc3987::IPATH_ABEMPTY,
    query: &rfc3987::IQUERY,
    fragment: &rfc3987::IFRAGMENT,
    authority: &rfc3987::IAUTHORITY,
    segment: &rfc3987::ISEGMENT,
    path_noscheme: &rfc3987::IPATH_NOSCHEME,
    port: &rfc3987::PORT,
    escape: &rfc3987::PCT_ENCODED,
    ip: host::Rules {
        literal: &rfc3987::IP_LITERAL,
        inner: &rfc3987::IP_LITERAL,
        v6: &rfc3987::IPV6ADDRESS,
        future: Some(&rfc3987::IPVFUTURE),
    },
};

/// The grammar of RFC 3986, and of US-ASCII references as defined in RFC 3987, for the
/// [fast path](mod@super::fast).
pub(super) struct Fast;

impl FastGrammar for Fast {
    const CHARACTERS: &ByteSet = rfc3986::QUERY.set();
    const USERINFO: bool = true;
    const IP_LITERALS: bool = true;
    const FOR_SPEED: bool = true;

    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool {
        authority(text, start, &RFC3986, layout).is_ok_and(|at| at == end)
    }
}

/// Parses `URI-reference = URI / relative-ref`.
pub(super) const fn reference(text: &[u8], syntax: &'static Syntax) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    if let Some(colon) = scheme(text) {
        layout.scheme = Delimiter::at(colon);
        layout.path = offset_u32(colon + 1);
    }
    let start = layout.after_scheme();
    let path = if is_at(text, start, b'/') && is_at(text, start + 1, b'/') {
        tri!(authority(text, start + 2, syntax, &mut layout))
    } else if start == 0 && !is_at(text, 0, b'/') {
        tri!(path_noscheme(text, syntax))
    } else {
        start
    };
    let end = tri!(run(text, path, syntax.path, syntax.escape));
    if !is_at(text, end, b'?') && !is_end(text, end) {
        const EXPECTED: Expected = Expected::PATH_CHAR
            .or(Expected::SLASH)
            .or(Expected::QUESTION)
            .or(Expected::HASH)
            .or(Expected::END);
        return fail(text, end, EXPECTED, syntax.segment);
    }
    tri!(query_and_fragment(text, end, syntax, &mut layout));
    Ok(layout)
}

/// Parses `path-noscheme = segment-nz-nc *( "/" segment )` up to its first slash, or `path-empty`.
///
/// A colon after this run is an error, because the text before it is not a scheme.
const fn path_noscheme(text: &[u8], syntax: &'static Syntax) -> Parsed {
    let end = tri!(run(text, 0, syntax.segment_nz_nc, syntax.escape));
    if is_at(text, end, b':') {
        const EXPECTED: Expected = Expected::PATH_CHAR
            .or(Expected::SLASH)
            .or(Expected::QUESTION)
            .or(Expected::HASH)
            .or(Expected::END);
        let expected = EXPECTED.or(Expected::LETTER.when(end == 0));
        return fail(text, end, expected, syntax.path_noscheme);
    }
    Ok(end)
}

/// Parses `authority = [ userinfo "@" ] host [ ":" port ]`, from after the `//` up to the `/`,
/// `?`, `#` or end that must follow.
const fn authority(
    text: &[u8],
    start: usize,
    syntax: &'static Syntax,
    layout: &mut Layout,
) -> Parsed {
    // Every character of a host and a port may also appear in a userinfo. An `@` after the run
    // shows that the run is a userinfo.
    let run_end = tri!(run(text, start, syntax.userinfo, syntax.escape));
    let host_start = if is_at(text, run_end, b'@') {
        layout.userinfo = Delimiter::at(run_end);
        run_end + 1
    } else {
        start
    };
    let (host_end, kind) = tri!(host(text, host_start, syntax));
    let end = if is_at(text, host_end, b':') {
        skip(text, host_end + 1, &DIGITS)
    } else {
        host_end
    };
    if !is_at(text, end, b'/') && !is_at(text, end, b'?') && !is_end(text, end) {
        return authority_error(text, run_end, host_end, end, syntax, layout);
    }
    layout.set_host(kind, host_end, end);
    Ok(end)
}

/// Parses `host = IP-literal / IPv4address / reg-name`. Returns the end and the kind of the host.
///
/// A `reg-name` may contain every character of an `IPv4address`, so only the complete run shows
/// which of the two productions matches.
#[inline]
const fn host(text: &[u8], start: usize, syntax: &'static Syntax) -> Parsed<(usize, HostKind)> {
    if is_at(text, start, b'[') {
        return ip_literal(text, start, &syntax.ip);
    }
    let end = tri!(run(text, start, syntax.reg_name, syntax.escape));
    let is_ipv4 = is_ipv4address(text, start, end);
    Ok((end, kind_of_name(text, start, end, is_ipv4)))
}

/// Returns the error for an authority that cannot continue at `end`.
#[cold]
const fn authority_error(
    text: &[u8],
    run_end: usize,
    host_end: usize,
    end: usize,
    syntax: &'static Syntax,
    layout: &Layout,
) -> Parsed {
    const DELIMITERS: Expected = Expected::SLASH
        .or(Expected::QUESTION)
        .or(Expected::HASH)
        .or(Expected::END);
    // Without an `@`, everything up to the run's end could still be a userinfo.
    if layout.userinfo.get().is_none() && run_end > end {
        let expected = Expected::USERINFO_CHAR.or(Expected::AT);
        return fail(text, run_end, expected, syntax.userinfo.rule());
    }
    let could_be_userinfo = layout.userinfo.get().is_none() && run_end == end;
    let at_sign = Expected::AT.when(could_be_userinfo);
    if end > host_end {
        let expected = DELIMITERS.or(Expected::DIGIT).or(at_sign);
        return fail(text, end, expected, syntax.port);
    }
    let after_bracket = is_at(text, end - 1, b']');
    let expected = DELIMITERS
        .or(Expected::COLON)
        .or(Expected::HOST_CHAR.when(!after_bracket))
        .or(at_sign);
    fail(text, end, expected, syntax.authority)
}

/// Parses `[ "?" query ] [ "#" fragment ]`, up to the end of the input.
const fn query_and_fragment(
    text: &[u8],
    mut at: usize,
    syntax: &'static Syntax,
    layout: &mut Layout,
) -> Parsed<()> {
    if is_at(text, at, b'?') {
        layout.query = Delimiter::at(at);
        at = tri!(run(text, at + 1, syntax.query, syntax.escape));
        if !is_end(text, at) {
            const EXPECTED: Expected = Expected::QUERY_CHAR.or(Expected::HASH).or(Expected::END);
            return fail(text, at, EXPECTED, syntax.query.rule());
        }
    }
    if is_at(text, at, b'#') {
        layout.fragment = Delimiter::at(at);
        at = tri!(run(text, at + 1, syntax.fragment, syntax.escape));
        if at < text.len() {
            const EXPECTED: Expected = Expected::FRAGMENT_CHAR.or(Expected::END);
            return fail(text, at, EXPECTED, syntax.fragment.rule());
        }
    }
    Ok(())
}
