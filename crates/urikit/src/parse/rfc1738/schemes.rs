//! RFC 1738, 3.2 to 3.11: each scheme's production, from after the colon up to the end or the
//! fragment.
//!
//! | scheme | production | section | must have |
//! |---|---|---|---|
//! | `ftp` | `ftpurl` | 3.2 | `//` and a host |
//! | `http` | `httpurl` | 3.3 | `//` and a host; no user |
//! | `gopher` | `gopherurl` | 3.4 | `//` and a host; no user |
//! | `mailto` | `mailtourl` | 3.5 | an `addr-spec` of RFC 822 |
//! | `news` | `newsurl` | 3.6 | `*`, a group or an article |
//! | `nntp` | `nntpurl` | 3.7 | `//`, a host and a group |
//! | `telnet` | `telneturl` | 3.8 | `//` and a host |
//! | `wais` | `waisurl` | 3.9 | `//`, a host and a slash |
//! | `file` | `fileurl` | 3.10 | `//` and a slash; the host may be empty |
//! | `prospero` | `prosperourl` | 3.11 | `//`, a host and a slash |

use super::super::addr_spec::{self, Context};
use super::super::walk::{Parsed, fail, is_at, is_end, is_in, literal, run, skip, tri};
use super::ip::{host, hostport, login, slashes};
use super::{ESCAPE, run_to_end};
use crate::error::Expected;
use crate::grammar::{DIGITS, LETTERS, Rule, rfc1738};
use crate::layout::{Delimiter, Layout};

const END: Expected = Expected::HASH.or(Expected::END);
/// What may follow a host and port at which a URL can end.
const SLASH_OR_END: Expected = Expected::SLASH.or(END);

/// Requires the end or the fragment at `at`. `next` is what else could have been there.
const fn expect_end(text: &[u8], at: usize, next: Expected, production: &'static Rule) -> Parsed {
    if is_end(text, at) {
        Ok(at)
    } else {
        fail(text, at, next.or(END), production)
    }
}

/// `httpurl = "http://" hostport [ "/" hpath [ "?" search ]]`
pub(super) const fn httpurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
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
pub(super) const fn ftpurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
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
pub(super) const fn fileurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let start = tri!(slashes(text, at, &rfc1738::FILEURL));
    let mut at = start;
    let mut kind = crate::layout::HostKind::Empty;
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
/// `selector` matches any `xchar`, including `%09`, so the rest adds nothing to what is valid.
pub(super) const fn gopherurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1738::GOPHERURL));
    let at = tri!(hostport(text, at, SLASH_OR_END, layout));
    if !is_at(text, at, b'/') {
        return expect_end(text, at, Expected::SLASH, &rfc1738::GOPHERURL);
    }
    run_to_end(text, at + 1, &rfc1738::SELECTOR, Expected::PATH_CHAR)
}

/// `mailtourl = "mailto:" encoded822addr`: `xchar`s that decode to an `addr-spec`.
pub(super) const fn mailtourl(text: &[u8], at: usize) -> Parsed {
    addr_spec::addr_spec(
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
/// Each of the three begins like an `article`; the `@` distinguishes an `article`.
pub(super) const fn newsurl(text: &[u8], start: usize) -> Parsed {
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
pub(super) const fn nntpurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
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
pub(super) const fn telneturl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1738::TELNETURL));
    let at = tri!(login(text, at, SLASH_OR_END, layout));
    if is_at(text, at, b'/') {
        return expect_end(text, at + 1, Expected::NOTHING, &rfc1738::TELNETURL);
    }
    expect_end(text, at, Expected::SLASH, &rfc1738::TELNETURL)
}

/// `waisurl = waisdatabase | waisindex | waisdoc`: a database alone, or with a search, or with a
/// type and a path.
pub(super) const fn waisurl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
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
pub(super) const fn prosperourl(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
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

/// The slash that must follow a `hostport`.
const fn expect_slash(text: &[u8], at: usize, production: &'static Rule) -> Parsed {
    if is_at(text, at, b'/') {
        Ok(at + 1)
    } else {
        fail(text, at, Expected::SLASH, production)
    }
}
