//! RFC 1630: each scheme's production in the BNF for specific schemes, from after the colon up to
//! the end or the fragment.
//!
//! `file`, `rlogin` and `tn3270` are described in prose and have no production; `urn`, `x-…` and
//! the rest are generic. `afs` is "not a url production", so it is generic as well.

use super::super::addr_spec::{Context, addr_spec};
use super::super::walk::{Parsed, fail, is_at, is_end, is_in, literal, one, run, skip, tri};
use super::ip::{host, hostport, login, slashes};
use super::{ESCAPE, search};
use crate::error::Expected;
use crate::grammar::{ByteSet, DIGITS, LETTERS, Rule, rfc822, rfc1630};
use crate::layout::HostKind;
use crate::layout::{Delimiter, Layout};

const END: Expected = Expected::HASH.or(Expected::END);

/// The production of the scheme; `None` if it has none.
pub(super) const fn specific(text: &[u8], layout: &mut Layout) -> Option<Parsed> {
    let at = layout.after_scheme();
    if is_scheme(text, at, b"http:") {
        Some(httpaddress(text, at, layout))
    } else if is_scheme(text, at, b"ftp:") {
        Some(ftpaddress(text, at, layout))
    } else if is_scheme(text, at, b"news:") {
        Some(newsaddress(text, at))
    } else if is_scheme(text, at, b"nntp:") {
        Some(nntpaddress(text, at, layout))
    } else if is_scheme(text, at, b"mid:") {
        Some(midaddress(text, at, &rfc822::ADDR_SPEC))
    } else if is_scheme(text, at, b"cid:") {
        Some(midaddress(text, at, &rfc1630::CONTENT_IDENTIFIER))
    } else if is_scheme(text, at, b"mailto:") {
        Some(mailtoaddress(text, at))
    } else if is_scheme(text, at, b"wais:") {
        Some(waisaddress(text, at, layout))
    } else if is_scheme(text, at, b"prospero:") {
        Some(prosperolink(text, at, layout))
    } else if is_scheme(text, at, b"telnet:") {
        Some(telnetaddress(text, at, &rfc1630::TELNETADDRESS, layout))
    } else if is_scheme(text, at, b"rlogin:") {
        Some(telnetaddress(text, at, &rfc1630::RLOGINADDRESS, layout))
    } else if is_scheme(text, at, b"tn3270:") {
        Some(telnetaddress(text, at, &rfc1630::TN3270ADDRESS, layout))
    } else if is_scheme(text, at, b"gopher:") {
        Some(gopheraddress(text, at, layout))
    } else if is_scheme(text, at, b"file:") {
        Some(fileaddress(text, at, layout))
    } else {
        None
    }
}

/// Whether the scheme and its colon, which end at `at`, are `word`.
const fn is_scheme(text: &[u8], at: usize, word: &[u8]) -> bool {
    at == word.len() && literal(text, 0, word, Expected::COLON, &rfc1630::generic::URI).is_ok()
}

/// Requires the end or the fragment at `at`. `next` is what else could have been there.
const fn expect_end(text: &[u8], at: usize, next: Expected, production: &'static Rule) -> Parsed {
    if is_end(text, at) {
        Ok(at)
    } else {
        fail(text, at, next.or(END), production)
    }
}

/// Requires a slash at `at`. `next` is what else could have been there.
const fn expect_slash(text: &[u8], at: usize, next: Expected, rule: &'static Rule) -> Parsed {
    if is_at(text, at, b'/') {
        Ok(at + 1)
    } else {
        fail(text, at, next.or(Expected::SLASH), rule)
    }
}

/// `httpaddress = h t t p : / / hostport [ / path ] [ ? search ]`
const fn httpaddress(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1630::HTTPADDRESS));
    let mut at = tri!(hostport(text, at, layout));
    let mut next = Expected::SLASH.or(Expected::QUESTION);
    if is_at(text, at, b'/') {
        at = tri!(run(text, at + 1, &rfc1630::PATH, ESCAPE));
        next = next.or(Expected::PATH_CHAR);
    }
    if !is_at(text, at, b'?') {
        return expect_end(text, at, next, &rfc1630::HTTPADDRESS);
    }
    layout.query = Delimiter::at(at);
    search(text, at, &rfc1630::SEARCH, ESCAPE)
}

/// `ftpaddress = f t p : / / login / path [ ftptype ]`
const fn ftpaddress(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1630::FTPADDRESS));
    let at = tri!(login(text, at, layout));
    let at = tri!(expect_slash(
        text,
        at,
        Expected::NOTHING,
        &rfc1630::FTPADDRESS
    ));
    let at = tri!(run(text, at, &rfc1630::PATH, ESCAPE));
    if !is_at(text, at, b';') {
        let next = Expected::PATH_CHAR.or(Expected::SLASH).or(Expected::TYPE);
        return expect_end(text, at, next, &rfc1630::FTPADDRESS);
    }
    let at = tri!(literal(
        text,
        at,
        b";type=",
        Expected::TYPE,
        &rfc1630::FTPTYPE
    ));
    ftptype(text, at)
}

/// The code of `ftptype = A formcode | E formcode | I | L digits`. RFC 959 allows omitting the
/// form code.
const fn ftptype(text: &[u8], at: usize) -> Parsed {
    const RULE: &Rule = &rfc1630::FTPTYPE;
    if is_in(text, at, &ByteSet::of(b"AE")) {
        if is_in(text, at + 1, rfc1630::FORMCODE.set()) {
            return expect_end(text, at + 2, Expected::NOTHING, RULE);
        }
        return expect_end(text, at + 1, Expected::TYPECODE, RULE);
    }
    if is_at(text, at, b'I') {
        return expect_end(text, at + 1, Expected::NOTHING, RULE);
    }
    if !is_at(text, at, b'L') {
        return fail(text, at, Expected::TYPECODE, RULE);
    }
    let end = skip(text, at + 1, &DIGITS);
    if end == at + 1 {
        return fail(text, end, Expected::DIGIT, RULE);
    }
    expect_end(text, end, Expected::DIGIT, RULE)
}

/// `newsaddress = n e w s : groupart`, `groupart = * | group | article`,
/// `article = xalphas @ host`
///
/// All three are runs of `xalpha`. One that begins with a letter is a `group`, even with an `@`.
const fn newsaddress(text: &[u8], start: usize) -> Parsed {
    let end = tri!(run(text, start, &rfc1630::XALPHA, ESCAPE));
    let is_all = is_at(text, start, b'*') && end == start + 1;
    let is_group = is_in(text, start, &LETTERS);
    let is_good = is_all || is_group || is_article(text, start, end);
    if is_end(text, end) && is_good {
        return Ok(end);
    }
    let expected = Expected::ARTICLE_CHAR
        .or(Expected::GROUP.or(Expected::ASTERISK).when(end == start))
        .or(Expected::AT.when(end > start))
        .or(END.when(is_good));
    let production = if end == start || is_good {
        &rfc1630::GROUPART
    } else {
        &rfc1630::ARTICLE
    };
    fail(text, end, expected, production)
}

/// Whether the run of `xalpha` from `start` to `end` is `xalphas @ host`, at any of its `@`.
pub const fn is_article(text: &[u8], start: usize, end: usize) -> bool {
    let mut at = start + 1;
    while at < end {
        if is_at(text, at, b'@') {
            // A hostname matches the rest of the run.
            if is_in(text, at + 1, &LETTERS) {
                return true;
            }
            if let Ok((host_end, _)) = host(text, at + 1)
                && host_end == end
            {
                return true;
            }
        }
        at += 1;
    }
    false
}

/// `nntpaddress = n n t p : group / digits`. The RFC's prose adds the server: `//hostport/`
/// before.
const fn nntpaddress(text: &[u8], mut at: usize, layout: &mut Layout) -> Parsed {
    const RULE: &Rule = &rfc1630::NNTPADDRESS;
    if is_at(text, at, b'/') {
        at = tri!(slashes(text, at, RULE));
        at = tri!(hostport(text, at, layout));
        at = tri!(expect_slash(text, at, Expected::NOTHING, RULE));
    } else if !is_in(text, at, &LETTERS) {
        let expected = Expected::GROUP.or(Expected::DOUBLE_SLASH);
        return fail(text, at, expected, RULE);
    }
    if !is_in(text, at, &LETTERS) {
        return fail(text, at, Expected::GROUP, rfc1630::GROUP.rule());
    }
    let at = tri!(run(text, at, &rfc1630::GROUP, ESCAPE));
    let at = tri!(expect_slash(
        text,
        at,
        Expected::GROUP_CHAR,
        rfc1630::GROUP.rule()
    ));
    let end = skip(text, at, &DIGITS);
    if end == at {
        return fail(text, end, Expected::DIGIT, rfc1630::DIGITS_RULE.rule());
    }
    expect_end(text, end, Expected::DIGIT, RULE)
}

/// `midaddress = m i d : addr-spec`, `cidaddress = c i d : content-identifier`
const fn midaddress(text: &[u8], at: usize, production: &'static Rule) -> Parsed {
    /// What the RFC allows without an escape: the `reserved` characters, which have their meaning
    /// of RFC 822 here, except the space and the hash sign. `national` and `punctuation`
    /// characters are not allowed in any URL.
    const UNESCAPED: &ByteSet = &rfc1630::XALPHA.set().or(ByteSet::of(b"=;/?:"));
    addr_spec(
        text,
        at,
        &Context {
            unescaped: UNESCAPED,
            escape: ESCAPE,
            production,
        },
    )
}

/// `mailtoaddress = m a i l t o : xalphas @ hostname`
const fn mailtoaddress(text: &[u8], start: usize) -> Parsed {
    let end = tri!(run(text, start, &rfc1630::XALPHA, ESCAPE));
    let mut at = start + 1;
    while at < end {
        if is_at(text, at, b'@') && is_in(text, at + 1, &LETTERS) {
            return expect_end(text, end, Expected::HOST_CHAR, &rfc1630::MAILTOADDRESS);
        }
        at += 1;
    }
    let expected = if end > start && is_at(text, end - 1, b'@') {
        Expected::ADDRESS_CHAR.or(Expected::HOST)
    } else {
        Expected::ADDRESS_CHAR.or(Expected::AT)
    };
    fail(text, end, expected, &rfc1630::MAILTOADDRESS)
}

/// `waisaddress = waisindex | waisdoc`: a database, with or without a search, or with a type and a
/// path of numbered fields.
const fn waisaddress(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    let at = tri!(slashes(text, at, &rfc1630::WAISADDRESS));
    let at = tri!(hostport(text, at, layout));
    let database = tri!(expect_slash(
        text,
        at,
        Expected::NOTHING,
        &rfc1630::WAISADDRESS
    ));
    let at = tri!(run(text, database, &rfc1630::DATABASE, ESCAPE));
    if at == database {
        return fail(text, at, Expected::DATABASE_CHAR, rfc1630::DATABASE.rule());
    }
    if is_at(text, at, b'?') {
        layout.query = Delimiter::at(at);
        return search(text, at, &rfc1630::SEARCH, ESCAPE);
    }
    if !is_at(text, at, b'/') {
        let next = Expected::DATABASE_CHAR
            .or(Expected::SLASH)
            .or(Expected::QUESTION);
        return expect_end(text, at, next, &rfc1630::WAISADDRESS);
    }
    let wtype = at + 1;
    let at = tri!(run(text, wtype, &rfc1630::WTYPE, ESCAPE));
    if at == wtype {
        return fail(text, at, Expected::TYPE_CHAR, rfc1630::WTYPE.rule());
    }
    let at = tri!(expect_slash(
        text,
        at,
        Expected::TYPE_CHAR,
        &rfc1630::WAISDOC
    ));
    wpath(text, at)
}

/// `wpath = digits = path ; [ wpath ]`
const fn wpath(text: &[u8], mut at: usize) -> Parsed {
    const RULE: &Rule = &rfc1630::WPATH;
    loop {
        let equals = skip(text, at, &DIGITS);
        if equals == at {
            return fail(text, at, Expected::DIGIT, RULE);
        }
        if !is_at(text, equals, b'=') {
            return fail(text, equals, Expected::DIGIT.or(Expected::EQUALS), RULE);
        }
        let semicolon = tri!(run(text, equals + 1, &rfc1630::PATH, ESCAPE));
        if !is_at(text, semicolon, b';') {
            let expected = Expected::PATH_CHAR
                .or(Expected::SLASH)
                .or(Expected::SEMICOLON);
            return fail(text, semicolon, expected, RULE);
        }
        at = semicolon + 1;
        if !is_in(text, at, &DIGITS) {
            return expect_end(text, at, Expected::DIGIT, RULE);
        }
    }
}

/// `prosperolink = p r o s p e r o : / / hostport / hsoname [ % 0 0 version [ attributes ] ]`
///
/// `hsoname` is a `path`, which matches `%00` and what follows it too.
const fn prosperolink(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    const RULE: &Rule = &rfc1630::PROSPEROLINK;
    let at = tri!(slashes(text, at, RULE));
    let at = tri!(hostport(text, at, layout));
    let at = tri!(expect_slash(text, at, Expected::NOTHING, RULE));
    let at = tri!(run(text, at, &rfc1630::PATH, ESCAPE));
    expect_end(text, at, Expected::PATH_CHAR.or(Expected::SLASH), RULE)
}

/// `telnetaddress = t e l n e t : / / login`; `rlogin` and `tn3270` have the same form.
const fn telnetaddress(
    text: &[u8],
    at: usize,
    production: &'static Rule,
    layout: &mut Layout,
) -> Parsed {
    let at = tri!(slashes(text, at, production));
    let at = tri!(login(text, at, layout));
    expect_end(text, at, Expected::NOTHING, production)
}

/// `gopheraddress = g o p h e r : / / hostport [ / gtype [ gcommand ] ]`, `gcommand = path`
const fn gopheraddress(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    const RULE: &Rule = &rfc1630::GOPHERADDRESS;
    let at = tri!(slashes(text, at, RULE));
    let at = tri!(hostport(text, at, layout));
    if !is_at(text, at, b'/') {
        return expect_end(text, at, Expected::SLASH, RULE);
    }
    let Some(at) = tri!(one(text, at + 1, &rfc1630::GTYPE, ESCAPE)) else {
        return fail(text, at + 1, Expected::TYPE_CHAR, rfc1630::GTYPE.rule());
    };
    let at = tri!(run(text, at, &rfc1630::PATH, ESCAPE));
    expect_end(text, at, Expected::PATH_CHAR.or(Expected::SLASH), RULE)
}

/// `file://` [ host | `localhost` ] `/` path: "similar to the ftp syntax", "a void host field is
/// equivalent to localhost".
const fn fileaddress(text: &[u8], at: usize, layout: &mut Layout) -> Parsed {
    const RULE: &Rule = &rfc1630::FILEADDRESS;
    let at = tri!(slashes(text, at, RULE));
    if is_at(text, at, b'/') {
        layout.set_host(HostKind::Empty, at, at);
    } else {
        let (end, kind) = tri!(host(text, at));
        layout.set_host(kind, end, end);
    }
    let at = layout.path as usize;
    let at = tri!(expect_slash(text, at, Expected::NOTHING, RULE));
    let at = tri!(run(text, at, &rfc1630::PATH, ESCAPE));
    expect_end(text, at, Expected::PATH_CHAR.or(Expected::SLASH), RULE)
}
