//! RFC 2396, Appendix A, and RFC 2732, which adds IPv6 addresses to it:
//!
//! ```text
//! URI-reference = [ absoluteURI | relativeURI ] [ "#" fragment ]
//! absoluteURI   = scheme ":" ( hier_part | opaque_part )
//! relativeURI   = ( net_path | abs_path | rel_path ) [ "?" query ]
//! hier_part     = ( net_path | abs_path ) [ "?" query ]
//! authority     = server | reg_name
//! server        = [ [ userinfo "@" ] hostport ]
//! ```
//!
//! Two points need interpretation:
//!
//! - The BNF does not allow a reference that is only a query, `?y`. The parser accepts such a
//!   reference, because section 5.2 and Appendix C use one.
//! - `server` takes precedence over `reg_name` where both match. Every `server` without brackets is
//!   a run of `reg_name` characters. Any such run is therefore an authority, and its form decides
//!   whether it is a `server` or a `reg_name`.
//!
//! ```text
//! net_path      = "//" authority [ abs_path ]
//! abs_path      = "/" path_segments
//! rel_path      = rel_segment [ abs_path ]
//! path_segments = segment *( "/" segment )
//! segment       = *pchar *( ";" param )
//! opaque_part   = uric_no_slash *uric
//! hostport      = host [ ":" port ]
//! host          = hostname | IPv4address                  ; RFC 2732: | ipv6reference
//! IPv4address   = 1*digit "." 1*digit "." 1*digit "." 1*digit
//! ```
//!
//! An absolute URI without a slash after its colon is opaque: it has no query, so the `?` of
//! `mailto:a@b?subject=x` is part of its path here, whereas it begins a query in RFC 3986. A scheme
//! without a path, `foo:`, is not valid, because both alternatives require at least one character.

use super::fast::FastGrammar;
use super::host::{self, kind_of_name};
use super::walk::{Parsed, byte_at, fail, is_at, is_end, one, run, scheme, skip, tri};
use crate::error::Expected;
use crate::grammar::{ByteSet, Class, DIGITS, LETTERS, Rule, rfc2396, rfc2732};
use crate::layout::{Delimiter, HostKind, Layout, offset_u32};

/// The differences between RFC 2396 and RFC 2732.
pub(super) struct Syntax {
    query: &'static Class,
    fragment: &'static Class,
    opaque_part: &'static Class,
    /// True if a host may be an `ipv6reference`.
    ipv6: bool,
    /// The largest number of digits in a group of an `IPv4address`.
    ipv4_digits: usize,
}

pub(super) static RFC2396: Syntax = Syntax {
    query: &rfc2396::QUERY,
    fragment: &rfc2396::FRAGMENT,
    opaque_part: &rfc2396::OPAQUE_PART,
    ipv6: false,
    ipv4_digits: usize::MAX,
};

pub(super) static RFC2732: Syntax = Syntax {
    query: &rfc2732::QUERY,
    fragment: &rfc2732::FRAGMENT,
    opaque_part: &rfc2732::OPAQUE_PART,
    ipv6: true,
    ipv4_digits: 3,
};

const ESCAPE: &Rule = &rfc2396::ESCAPED;

const PATH_END: Expected = Expected::SLASH
    .or(Expected::QUESTION)
    .or(Expected::HASH)
    .or(Expected::END);

/// The grammar of RFC 2396 and RFC 2732 for the [fast path](mod@super::fast), except URIs with an
/// `opaque_part`.
///
/// Both standards share this grammar, so it leaves their differences to the byte-by-byte parser:
/// brackets outside a host, which RFC 2732 allows in queries and fragments, and numbers above 255
/// in an IPv4 address, which RFC 2396 allows. The caller excludes IPv6 addresses for RFC 2396.
pub(super) struct Fast;

impl FastGrammar for Fast {
    const CHARACTERS: &ByteSet = rfc2396::URIC.set();
    const ROOTLESS_PATHS: bool = false;
    const USERINFO: bool = true;
    const IP_LITERALS: bool = true;

    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool {
        let authority = text.get(start..end).unwrap_or_default();
        if authority.iter().any(|byte| matches!(byte, b'[' | b']')) {
            return false;
        }
        server_or_reg_name(text, start, end, &RFC2396, layout);
        layout.host_kind != Some(HostKind::Ipv4)
    }
}

/// Parses `URI-reference = [ absoluteURI | relativeURI ] [ "#" fragment ]`.
pub(super) const fn reference(text: &[u8], syntax: &'static Syntax) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    if let Some(colon) = scheme(text) {
        layout.scheme = Delimiter::at(colon);
        layout.path = offset_u32(colon + 1);
    }
    let start = layout.after_scheme();
    let end = if start > 0 && !is_at(text, start, b'/') {
        tri!(opaque_part(text, start, syntax))
    } else {
        let path = if is_at(text, start, b'/') && is_at(text, start + 1, b'/') {
            tri!(authority(text, start + 2, syntax, &mut layout))
        } else if is_at(text, start, b'/') {
            start
        } else {
            tri!(rel_segment(text))
        };
        tri!(path_and_query(text, path, syntax, &mut layout))
    };
    if is_at(text, end, b'#') {
        layout.fragment = Delimiter::at(end);
        let end = tri!(run(text, end + 1, syntax.fragment, ESCAPE));
        if end < text.len() {
            const EXPECTED: Expected = Expected::FRAGMENT_CHAR.or(Expected::END);
            return fail(text, end, EXPECTED, syntax.fragment.rule());
        }
    }
    Ok(layout)
}

/// Parses `opaque_part = uric_no_slash *uric`.
const fn opaque_part(text: &[u8], at: usize, syntax: &'static Syntax) -> Parsed {
    let Some(at) = tri!(one(text, at, &rfc2396::URIC_NO_SLASH, ESCAPE)) else {
        const EXPECTED: Expected = Expected::OPAQUE_CHAR.or(Expected::SLASH);
        return fail(text, at, EXPECTED, syntax.opaque_part.rule());
    };
    let end = tri!(run(text, at, syntax.opaque_part, ESCAPE));
    if !is_end(text, end) {
        const EXPECTED: Expected = Expected::OPAQUE_CHAR.or(Expected::HASH).or(Expected::END);
        return fail(text, end, EXPECTED, syntax.opaque_part.rule());
    }
    Ok(end)
}

/// Parses `rel_segment`, or nothing, at the start of a relative reference. A colon after the
/// segment is an error, because the text before it is not a scheme.
const fn rel_segment(text: &[u8]) -> Parsed {
    let end = tri!(run(text, 0, &rfc2396::REL_SEGMENT, ESCAPE));
    if is_at(text, end, b':') {
        let expected = Expected::PATH_CHAR.or(PATH_END);
        let expected = expected.or(Expected::LETTER.when(end == 0));
        return fail(text, end, expected, rfc2396::REL_SEGMENT.rule());
    }
    Ok(end)
}

/// Parses the rest of a path and `[ "?" query ]`, up to the end or the fragment.
const fn path_and_query(
    text: &[u8],
    at: usize,
    syntax: &'static Syntax,
    layout: &mut Layout,
) -> Parsed {
    let end = tri!(run(text, at, &rfc2396::ABS_PATH, ESCAPE));
    if is_end(text, end) {
        return Ok(end);
    }
    if !is_at(text, end, b'?') {
        let expected = Expected::PATH_CHAR.or(PATH_END);
        return fail(text, end, expected, &rfc2396::SEGMENT);
    }
    layout.query = Delimiter::at(end);
    let end = tri!(run(text, end + 1, syntax.query, ESCAPE));
    if !is_end(text, end) {
        const EXPECTED: Expected = Expected::QUERY_CHAR.or(Expected::HASH).or(Expected::END);
        return fail(text, end, EXPECTED, syntax.query.rule());
    }
    Ok(end)
}

/// Parses `authority = server | reg_name`, from after the `//` up to the `/`, `?`, `#` or end.
const fn authority(
    text: &[u8],
    start: usize,
    syntax: &'static Syntax,
    layout: &mut Layout,
) -> Parsed {
    let end = tri!(run(text, start, &rfc2396::REG_NAME, ESCAPE));
    if syntax.ipv6 && is_at(text, end, b'[') && is_userinfo_and_at(text, start, end) {
        if end > start {
            layout.userinfo = Delimiter::at(end - 1);
        }
        return bracketed_hostport(text, end, layout);
    }
    if !is_at(text, end, b'/') && !is_at(text, end, b'?') && !is_end(text, end) {
        let bracket = Expected::BRACKET.when(syntax.ipv6 && is_userinfo_and_at(text, start, end));
        let expected = Expected::HOST_CHAR.or(PATH_END).or(bracket);
        return fail(text, end, expected, &rfc2396::AUTHORITY);
    }
    server_or_reg_name(text, start, end, syntax, layout);
    Ok(end)
}

/// Returns whether the bytes before a bracket at `end` are empty, or a userinfo and its `@`.
const fn is_userinfo_and_at(text: &[u8], start: usize, end: usize) -> bool {
    end == start || find(text, start, end, b'@') + 1 == end
}

/// The rules of `ipv6reference`.
pub(super) const IPV6: host::Rules = host::Rules {
    literal: &rfc2732::IPV6REFERENCE,
    inner: &rfc2732::IPV6ADDRESS,
    v6: &rfc2732::IPV6ADDRESS,
    future: None,
};

/// Parses `ipv6reference [ ":" port ]`.
const fn bracketed_hostport(text: &[u8], bracket: usize, layout: &mut Layout) -> Parsed {
    let (host_end, kind) = tri!(host::ip_literal(text, bracket, &IPV6));
    let (end, expected, production) = if is_at(text, host_end, b':') {
        let end = skip(text, host_end + 1, &DIGITS);
        (end, Expected::DIGIT.or(PATH_END), rfc2396::PORT.rule())
    } else {
        (
            host_end,
            Expected::COLON.or(PATH_END),
            &rfc2732::IPV6REFERENCE,
        )
    };
    if !is_at(text, end, b'/') && !is_at(text, end, b'?') && !is_end(text, end) {
        return fail(text, end, expected, production);
    }
    layout.set_host(kind, host_end, end);
    Ok(end)
}

/// Records the authority from `start` to `end`: the parts of a `server` if it is one, and
/// otherwise a `reg_name`, which has no parts.
const fn server_or_reg_name(
    text: &[u8],
    start: usize,
    end: usize,
    syntax: &'static Syntax,
    layout: &mut Layout,
) {
    let at_sign = find(text, start, end, b'@');
    let host = if at_sign < end { at_sign + 1 } else { start };
    // A host contains no colon and a port only digits, so the first colon separates them.
    let host_end = find(text, host, end, b':');
    let port_is_good = host_end == end || skip(text, host_end + 1, &DIGITS) == end;
    let ipv4 = host::is_dotted_digits(text, host, host_end, syntax.ipv4_digits);
    let is_server = port_is_good && (ipv4 || is_hostname(text, host, host_end));
    if end > start && !is_server {
        layout.registry = true;
        layout.set_host(HostKind::RegName, end, end);
        return;
    }
    if at_sign < end {
        layout.userinfo = Delimiter::at(at_sign);
    }
    layout.set_host(kind_of_name(text, host, host_end, ipv4), host_end, end);
}

/// Returns the offset of the first `byte` at or after `start`, or `end` if it does not occur.
const fn find(text: &[u8], start: usize, end: usize, byte: u8) -> usize {
    let mut at = start;
    while at < end && !is_at(text, at, byte) {
        at += 1;
    }
    at
}

/// Returns whether the bytes are `hostname = *( domainlabel "." ) toplabel [ "." ]`, of any
/// length. Labels consist of letters, digits and inner hyphens, and the last one begins with a
/// letter.
const fn is_hostname(text: &[u8], start: usize, mut end: usize) -> bool {
    const LABEL: &ByteSet = &LETTERS.or(DIGITS).or(ByteSet::of(b"-"));
    if end > start && is_at(text, end - 1, b'.') {
        end -= 1;
    }
    let mut label = start;
    loop {
        let at = skip(text, label, LABEL);
        if at == label || at > end || is_at(text, label, b'-') || is_at(text, at - 1, b'-') {
            return false;
        }
        if at == end {
            return matches!(byte_at(text, label), Some(first) if LETTERS.contains(first));
        }
        if !is_at(text, at, b'.') {
            return false;
        }
        label = at + 1;
    }
}
