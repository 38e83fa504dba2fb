//! RFC 1738, section 5: URLs.
//!
//! ```text
//! url           = httpurl | ftpurl | newsurl | nntpurl | telneturl | gopherurl
//!               | waisurl | mailtourl | fileurl | prosperourl | otherurl
//! otherurl      = genericurl
//! genericurl    = scheme ":" schemepart
//! schemepart    = *xchar | ip-schemepart
//! ip-schemepart = "//" login [ "/" urlpath ]
//! ```
//!
//! Taken literally, `otherurl` matches any URL, even `http:xyz`. Here, a URL must match the
//! production of its scheme if the scheme has one. Callers can also ask for the verdict of the
//! generic production alone.
//!
//! The RFC does not define relative URLs. A `#fragment` is not part of a URL but may follow a URL
//! in context (Appendix), so it is accepted and split off.

use super::fast::{FastGrammar, Prefix, Suffix};
use super::host::kind_of_name;
use super::mail::{Context, addr_spec};
use super::walk::{Parsed, fail, is_at, is_end, is_in, is_word, literal, run, skip, tri};
use crate::error::Expected;
use crate::grammar::{ByteSet, Class, DIGITS, LETTERS, Rule, rfc1738};
use crate::layout::{Delimiter, HostKind, Layout, offset_u32};

const ESCAPE: &Rule = &rfc1738::ESCAPE;

/// The grammar of RFC 1738 for the [fast path](mod@super::fast): URLs with the schemes `http`,
/// which has a production, and `https`, which is generic.
pub(super) struct Fast;

impl FastGrammar for Fast {
    const CHARACTERS: &ByteSet = rfc1738::XCHAR.set();
    const RELATIVE_REFERENCES: bool = false;
    const QUESTION_ENDS_AUTHORITY: bool = false;

    fn has_authority(text: &[u8], colon: usize, has_slashes: bool) -> Option<bool> {
        let is_http = is_word(text, 0, colon, b"http") || is_word(text, 0, colon, b"https");
        (is_http && has_slashes).then_some(true)
    }

    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool {
        hostport(text, start, Expected::SLASH, layout).is_ok_and(|at| at == end)
    }

    fn finish(text: &[u8], prefix: Prefix, suffix: &mut Suffix) -> bool {
        let Some(question) = suffix.query.get() else {
            return true;
        };
        if prefix.scheme().end() != b"http:".len() {
            // `https`: `schemepart` has no query.
            suffix.query = Delimiter::ABSENT;
            return true;
        }
        // `search` allows neither `/` nor `?`.
        let end = suffix.fragment.get().unwrap_or(text.len());
        let search = text.get(question + 1..end).unwrap_or_default();
        !search.iter().any(|byte| matches!(byte, b'/' | b'?'))
    }
}

/// `url [ "#" fragment ]`, with the scheme's own production if it has one.
pub(super) const fn reference(text: &[u8]) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    let at = tri!(scheme(text, &mut layout));
    let colon = at - 1;
    let end = if is_word(text, 0, colon, b"http") {
        tri!(httpurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"ftp") {
        tri!(ftpurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"file") {
        tri!(fileurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"gopher") {
        tri!(gopherurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"mailto") {
        tri!(mailtourl(text, at))
    } else if is_word(text, 0, colon, b"news") {
        tri!(newsurl(text, at))
    } else if is_word(text, 0, colon, b"nntp") {
        tri!(nntpurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"telnet") {
        tri!(telneturl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"wais") {
        tri!(waisurl(text, at, &mut layout))
    } else if is_word(text, 0, colon, b"prospero") {
        tri!(prosperourl(text, at, &mut layout))
    } else {
        tri!(schemepart(text, at, &mut layout))
    };
    tri!(fragment(text, end, &mut layout));
    Ok(layout)
}

/// `genericurl [ "#" fragment ]`
pub(super) const fn generic_reference(text: &[u8]) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    layout.generic = true;
    let at = tri!(scheme(text, &mut layout));
    let end = tri!(schemepart(text, at, &mut layout));
    tri!(fragment(text, end, &mut layout));
    Ok(layout)
}

/// `scheme ":"`
const fn scheme(text: &[u8], layout: &mut Layout) -> Parsed {
    let colon = skip(text, 0, rfc1738::SCHEME.set());
    if colon == 0 {
        return fail(text, 0, Expected::SCHEME_CHAR, rfc1738::SCHEME.rule());
    }
    if !is_at(text, colon, b':') {
        let expected = Expected::SCHEME_CHAR.or(Expected::COLON);
        return fail(text, colon, expected, &rfc1738::GENERICURL);
    }
    layout.scheme = Delimiter::at(colon);
    layout.path = offset_u32(colon + 1);
    Ok(colon + 1)
}

/// `schemepart = *xchar | ip-schemepart`. The first alternative includes the second, and if the
/// second matches, it determines the components.
const fn schemepart(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let end = tri!(run_to_end(text, at, &rfc1738::XCHAR, Expected::OPAQUE_CHAR));
    if is_at(text, at, b'/') && is_at(text, at + 1, b'/') {
        let mut with_login = *layout;
        if let Ok(login_end) = login(text, at + 2, Expected::SLASH, &mut with_login)
            && (login_end == end || is_at(text, login_end, b'/'))
        {
            *layout = with_login;
        }
    }
    Ok(end)
}

/// Parses a run of `class` that must extend to the end or the fragment. `expected` is the set of
/// characters that could have extended the run.
const fn run_to_end(text: &[u8], at: usize, class: &'static Class, expected: Expected) -> Parsed {
    let end = tri!(run(text, at, class, ESCAPE));
    if !is_end(text, end) {
        let expected = expected.or(Expected::HASH).or(Expected::END);
        return fail(text, end, expected, class.rule());
    }
    Ok(end)
}

/// `[ "#" fragment ]`. `at` is the offset of the `#` or of the end of the input.
const fn fragment(text: &[u8], at: usize, layout: &mut Layout) -> Parsed<()> {
    if is_at(text, at, b'#') {
        layout.fragment = Delimiter::at(at);
        let end = tri!(run(text, at + 1, &rfc1738::FRAGMENT, ESCAPE));
        if end < text.len() {
            const EXPECTED: Expected = Expected::FRAGMENT_CHAR.or(Expected::END);
            return fail(text, end, EXPECTED, rfc1738::FRAGMENT.rule());
        }
    }
    Ok(())
}

// The common Internet scheme syntax (3.1):
//
// ```text
// login         = [ user [ ":" password ] "@" ] hostport
// hostport      = host [ ":" port ]
// host          = hostname | hostnumber
// hostname      = *[ domainlabel "." ] toplabel
// domainlabel   = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
// toplabel      = alpha | alpha *[ alphadigit | "-" ] alphadigit
// hostnumber    = digits "." digits "." digits "." digits
// port          = digits
// ```
//
// `hostnumber` does not limit its numbers: `999.1.1.1` matches.

/// Parses the `//` after the colon of an Internet scheme. `production` is the rule that contains
/// it.
const fn slashes(text: &[u8], at: usize, production: &'static Rule) -> Parsed {
    literal(text, at, b"//", Expected::DOUBLE_SLASH, production)
}

/// Parses a `login`, which may be followed by `next`, a fragment or the end of the input.
///
/// Every character of a `hostport` may also be part of a user or a password, so only an `@` shows
/// where the user and the password end. Without an `@`, everything up to the end of the run could
/// still be a user and a password.
const fn login(text: &[u8], start: usize, next: Expected, layout: &mut Layout) -> Parsed {
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

/// Parses a `hostport`, which may be followed by `next`, a fragment or the end of the input.
const fn hostport(text: &[u8], start: usize, next: Expected, layout: &mut Layout) -> Parsed {
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

/// Parses RFC 1738's `host = hostname | hostnumber` at `start`. Returns the end and the kind of
/// the host.
///
/// # Errors
///
/// Fails at the first byte that cannot continue the host.
///
/// ```
/// use urikit::HostKind;
/// use urikit::parse::rfc1738_host;
/// assert_eq!(rfc1738_host(b"news:1@info.cern.ch", 7), Ok((19, HostKind::Name)));
/// assert_eq!(rfc1738_host(b"a_b", 0).map(|host| host.0), Ok(1)); // the underscore ends it
/// ```
pub const fn host(text: &[u8], start: usize) -> Parsed<(usize, HostKind)> {
    const LABEL: &ByteSet = &LETTERS.or(DIGITS).or(ByteSet::of(b"-"));
    let mut label = start;
    let mut labels = 1;
    let mut all_digits = true;
    loop {
        // Four groups of digits are a `hostnumber`. Anything else can only be a `hostname`.
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

/// Records RFC 1808's `net_loc` from `start` to `end` as a `login` if it matches. Otherwise, the
/// complete `net_loc` is the host.
pub(super) const fn login_or_host(text: &[u8], start: usize, end: usize, layout: &mut Layout) {
    let mut with_login = *layout;
    // `login` checks the byte that follows the login. A `/`, a `#` or the end of the input also
    // ends a `net_loc`, so the check passes at `end`.
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

// The productions of the schemes (3.2 to 3.11), each applied to the text from the colon to the end
// or the fragment:
//
// | scheme | production | section | must have |
// |---|---|---|---|
// | `ftp` | `ftpurl` | 3.2 | `//` and a host |
// | `http` | `httpurl` | 3.3 | `//` and a host; no user |
// | `gopher` | `gopherurl` | 3.4 | `//` and a host; no user |
// | `mailto` | `mailtourl` | 3.5 | an `addr-spec` of RFC 822 |
// | `news` | `newsurl` | 3.6 | `*`, a group or an article |
// | `nntp` | `nntpurl` | 3.7 | `//`, a host and a group |
// | `telnet` | `telneturl` | 3.8 | `//` and a host |
// | `wais` | `waisurl` | 3.9 | `//`, a host and a slash |
// | `file` | `fileurl` | 3.10 | `//` and a slash; the host may be empty |
// | `prospero` | `prosperourl` | 3.11 | `//`, a host and a slash |

const END: Expected = Expected::HASH.or(Expected::END);
/// The characters that may follow a host and port if the URL can end after them.
const SLASH_OR_END: Expected = Expected::SLASH.or(END);

/// Fails unless the text ends or the fragment begins at `at`. `next` is the set of characters that
/// could have come next instead.
const fn expect_end(text: &[u8], at: usize, next: Expected, production: &'static Rule) -> Parsed {
    if is_end(text, at) {
        Ok(at)
    } else {
        fail(text, at, next.or(END), production)
    }
}

/// `httpurl = "http://" hostport [ "/" hpath [ "?" search ]]`
const fn httpurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1738::HTTPURL));
    let at = tri!(hostport(text, at, SLASH_OR_END, layout));
    if !is_at(text, at, b'/') {
        return expect_end(text, at, Expected::SLASH, &rfc1738::HTTPURL);
    }
    let at = tri!(run(text, at + 1, &rfc1738::HPATH, ESCAPE));
    if !is_at(text, at, b'?') {
        let next = Expected::PATH_CHAR
            .or(Expected::SLASH)
            .or(Expected::QUESTION);
        return expect_end(text, at, next, rfc1738::HSEGMENT.rule());
    }
    layout.query = Delimiter::at(at);
    run_to_end(text, at + 1, &rfc1738::SEARCH, Expected::QUERY_CHAR)
}

/// `ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]`
const fn ftpurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1738::FTPURL));
    let at = tri!(login(text, at, SLASH_OR_END, layout));
    if !is_at(text, at, b'/') {
        return expect_end(text, at, Expected::SLASH, &rfc1738::FTPURL);
    }
    let at = tri!(run(text, at + 1, &rfc1738::FPATH, ESCAPE));
    if !is_at(text, at, b';') {
        let next = Expected::PATH_CHAR.or(Expected::SLASH).or(Expected::TYPE);
        return expect_end(text, at, next, rfc1738::FSEGMENT.rule());
    }
    let at = tri!(literal(
        text,
        at,
        b";type=",
        Expected::TYPE,
        &rfc1738::FTPURL
    ));
    if !is_in(text, at, rfc1738::FTPTYPE.set()) {
        return fail(text, at, Expected::TYPECODE, rfc1738::FTPTYPE.rule());
    }
    expect_end(text, at + 1, Expected::NOTHING, &rfc1738::FTPURL)
}

/// `fileurl = "file://" [ host | "localhost" ] "/" fpath`
const fn fileurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let start = tri!(slashes(text, at, &rfc1738::FILEURL));
    let mut at = start;
    let mut kind = HostKind::Empty;
    let mut expected = Expected::SLASH.or(Expected::HOST);
    if is_in(text, start, rfc1738::ALPHADIGIT.set()) {
        (at, kind) = tri!(host(text, start));
        expected = Expected::SLASH.or(Expected::HOST_CHAR);
    }
    if !is_at(text, at, b'/') {
        return fail(text, at, expected, &rfc1738::FILEURL);
    }
    layout.set_host(kind, at, at);
    let at = tri!(run(text, at + 1, &rfc1738::FPATH, ESCAPE));
    let next = Expected::PATH_CHAR.or(Expected::SLASH);
    expect_end(text, at, next, rfc1738::FSEGMENT.rule())
}

/// ```text
/// gopherurl = "gopher://" hostport
///             [ / [ gtype [ selector [ "%09" search [ "%09" gopher+_string ]]]]]
/// ```
///
/// `selector` matches any `xchar`, including `%09`, so the search and the Gopher+ string need no
/// check.
const fn gopherurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1738::GOPHERURL));
    let at = tri!(hostport(text, at, SLASH_OR_END, layout));
    if !is_at(text, at, b'/') {
        return expect_end(text, at, Expected::SLASH, &rfc1738::GOPHERURL);
    }
    run_to_end(text, at + 1, &rfc1738::SELECTOR, Expected::PATH_CHAR)
}

/// `mailtourl = "mailto:" encoded822addr`: `xchar`s that decode to an `addr-spec`.
const fn mailtourl(text: &[u8], at: usize) -> Parsed {
    addr_spec(
        text,
        at,
        &Context {
            unescaped: rfc1738::XCHAR.set(),
            escape: ESCAPE,
            production: &rfc1738::ENCODED822ADDR,
        },
    )
}

/// `newsurl = "news:" grouppart`, `grouppart = "*" | group | article`
///
/// All three alternatives begin like an `article`, and only an `article` has an `@`.
const fn newsurl(text: &[u8], start: usize) -> Parsed {
    let end = tri!(run(text, start, &rfc1738::ARTICLE, ESCAPE));
    if is_at(text, end, b'@') && end > start {
        let (end, _) = tri!(host(text, end + 1));
        return expect_end(text, end, Expected::HOST_CHAR, &rfc1738::HOST);
    }
    let is_all = is_at(text, start, b'*') && end == start + 1;
    let is_group = is_in(text, start, &LETTERS) && skip(text, start, rfc1738::GROUP.set()) == end;
    if is_end(text, end) && (is_all || is_group) {
        return Ok(end);
    }
    let expected = Expected::ARTICLE_CHAR
        .or(Expected::GROUP.or(Expected::ASTERISK).when(end == start))
        .or(Expected::AT.when(end > start))
        .or(END.when(is_all || is_group));
    let production = if end == start || is_all || is_group {
        &rfc1738::GROUPPART
    } else {
        rfc1738::ARTICLE.rule()
    };
    fail(text, end, expected, production)
}

/// `nntpurl = "nntp://" hostport "/" group [ "/" digits ]`
const fn nntpurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1738::NNTPURL));
    let at = tri!(hostport(text, at, Expected::SLASH, layout));
    let group = tri!(expect_slash(text, at, &rfc1738::NNTPURL));
    if !is_in(text, group, &LETTERS) {
        return fail(text, group, Expected::GROUP, rfc1738::GROUP.rule());
    }
    let at = skip(text, group, rfc1738::GROUP.set());
    if !is_at(text, at, b'/') {
        let next = Expected::GROUP_CHAR.or(Expected::SLASH);
        return expect_end(text, at, next, rfc1738::GROUP.rule());
    }
    let end = skip(text, at + 1, &DIGITS);
    if end == at + 1 {
        return fail(text, end, Expected::DIGIT, &rfc1738::DIGITS_RULE);
    }
    expect_end(text, end, Expected::DIGIT, &rfc1738::NNTPURL)
}

/// `telneturl = "telnet://" login [ "/" ]`
const fn telneturl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1738::TELNETURL));
    let at = tri!(login(text, at, SLASH_OR_END, layout));
    if is_at(text, at, b'/') {
        return expect_end(text, at + 1, Expected::NOTHING, &rfc1738::TELNETURL);
    }
    expect_end(text, at, Expected::SLASH, &rfc1738::TELNETURL)
}

/// `waisurl = waisdatabase | waisindex | waisdoc`: a database, optionally followed by a search or
/// by a type and a path.
const fn waisurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1738::WAISURL));
    let at = tri!(hostport(text, at, Expected::SLASH, layout));
    let at = tri!(expect_slash(text, at, &rfc1738::WAISURL));
    let at = tri!(run(text, at, &rfc1738::DATABASE, ESCAPE));
    if is_at(text, at, b'?') {
        layout.query = Delimiter::at(at);
        return run_to_end(text, at + 1, &rfc1738::SEARCH, Expected::QUERY_CHAR);
    }
    if !is_at(text, at, b'/') {
        let next = Expected::DATABASE_CHAR
            .or(Expected::SLASH)
            .or(Expected::QUESTION);
        return expect_end(text, at, next, rfc1738::DATABASE.rule());
    }
    let at = tri!(run(text, at + 1, &rfc1738::WTYPE, ESCAPE));
    if !is_at(text, at, b'/') {
        let expected = Expected::TYPE_CHAR.or(Expected::SLASH);
        return fail(text, at, expected, &rfc1738::WAISDOC);
    }
    run_to_end(text, at + 1, &rfc1738::WPATH, Expected::PATH_CHAR)
}

/// `prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]`,
/// `fieldspec = ";" fieldname "=" fieldvalue`
const fn prosperourl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1738::PROSPEROURL));
    let at = tri!(hostport(text, at, Expected::SLASH, layout));
    let at = tri!(expect_slash(text, at, &rfc1738::PROSPEROURL));
    let mut at = tri!(run(text, at, &rfc1738::PPATH, ESCAPE));
    let mut class = &rfc1738::PSEGMENT;
    let mut next = Expected::PATH_CHAR.or(Expected::SLASH);
    while is_at(text, at, b';') {
        let equals = tri!(run(text, at + 1, &rfc1738::FIELDNAME, ESCAPE));
        if !is_at(text, equals, b'=') {
            let expected = Expected::FIELD_CHAR.or(Expected::EQUALS);
            return fail(text, equals, expected, &rfc1738::FIELDSPEC);
        }
        at = tri!(run(text, equals + 1, &rfc1738::FIELDVALUE, ESCAPE));
        class = &rfc1738::FIELDVALUE;
        next = Expected::FIELD_CHAR;
    }
    expect_end(text, at, next.or(Expected::SEMICOLON), class.rule())
}

/// Requires the slash after a `hostport`.
const fn expect_slash(text: &[u8], at: usize, production: &'static Rule) -> Parsed {
    if is_at(text, at, b'/') {
        Ok(at + 1)
    } else {
        fail(text, at, Expected::SLASH, production)
    }
}
