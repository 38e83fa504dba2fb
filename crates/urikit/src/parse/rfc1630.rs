//! RFC 1630: URIs as the World-Wide Web first used them.
//!
//! ```text
//! fragmentaddress = uri [ # fragmentid ]
//! uri             = scheme : path [ ? search ]
//! path            = ( void | xpalphas ) [ / path ]      ; the evident meaning
//! search          = xalphas [ + search ]
//! ```
//!
//! A URI must match its scheme's production in the BNF for specific schemes, or the generic
//! production above if that BNF does not define the scheme. The generic BNF omits `=`, `;` and `:`,
//! so some of the RFC's own URIs match only the specific production.
//!
//! A partial form has no production. A partial form consists of a `path`, a search part and a
//! fragment, without a colon. A partial form has no authority, because the RFC merely counts the
//! slashes at its start. The search part and the fragment of a partial form allow the characters of
//! the specific BNF, including `+`, so `http://h/p?a++b#a+b` has partial forms.
//!
//! Scheme names are case-sensitive ("Single letters stand for single letters"): `HTTP` is not
//! `http`. An empty fragment is allowed ("with or without the hash sign"), but an empty search is
//! not.

use super::fast::{FastGrammar, Prefix, Suffix};
use super::host::kind_of_name;
use super::mail::{Context, addr_spec};
use super::walk::{Parsed, fail, is_at, is_end, is_in, literal, one, run, skip, tri};
use crate::error::{Expected, SyntaxError};
use crate::grammar::rfc1630::{self, generic};
use crate::grammar::{ByteSet, Class, DIGITS, LETTERS, Rule, rfc822};
use crate::layout::{Delimiter, HostKind, Layout, offset_u32};

const ESCAPE: &Rule = &rfc1630::ESCAPE;

/// The grammar of RFC 1630 for the [fast path](mod@super::fast): URIs with the schemes `http`,
/// which has a production, and `https`, which the generic production covers (without an authority).
/// Ports and partial forms are excluded.
pub(super) struct Fast;

impl FastGrammar for Fast {
    // The `path` of the specific BNF allows the same characters as the generic `path`.
    const CHARACTERS: &ByteSet = rfc1630::PATH.set();
    const COLONS_AFTER_SCHEME: bool = false;
    const HOST_NAMES_START_WITH_DIGITS: bool = false;
    const RELATIVE_REFERENCES: bool = false;

    fn http_has_authority(is_https: bool) -> bool {
        !is_https
    }

    fn has_authority(text: &[u8], colon: usize, has_slashes: bool) -> Option<bool> {
        match text.get(..colon)? {
            b"http" if has_slashes => Some(true),
            b"https" => Some(false),
            _ => None,
        }
    }

    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool {
        hostport(text, start, layout).is_ok_and(|at| at == end)
    }

    fn finish(text: &[u8], prefix: Prefix, suffix: &mut Suffix) -> bool {
        let is_generic = !prefix.has_authority();
        let has = |part: &[u8], bytes: &[u8]| part.iter().any(|byte| bytes.contains(byte));
        let fragment = suffix.fragment.get().unwrap_or(text.len());
        if let Some(question) = suffix.query.get() {
            let search = text.get(question + 1..fragment).unwrap_or_default();
            if search.is_empty()
                || has(search, b"/?")
                || is_generic && search.split(|byte| *byte == b'+').any(<[u8]>::is_empty)
            {
                return false;
            }
        }
        let fragmentid = text.get(fragment..).unwrap_or_default();
        !has(fragmentid, if is_generic { b"/?+" } else { b"/?" })
    }
}

/// Parses a partial form, or a `fragmentaddress`. If the scheme has its own production, parses the
/// `fragmentaddress` with this production.
pub(super) const fn reference(text: &[u8]) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    let end = if !tri!(scheme(text, &mut layout)) {
        tri!(path_and_search(text, 0, &rfc1630::SEARCH, &mut layout))
    } else if let Some(end) = specific(text, &mut layout) {
        tri!(end)
    } else {
        tri!(generic_rest(text, &mut layout));
        return Ok(layout);
    };
    tri!(fragmentid(
        text,
        end,
        &rfc1630::FRAGMENTID,
        ESCAPE,
        &mut layout
    ));
    Ok(layout)
}

/// Parses a `fragmentaddress` with the generic production, regardless of its scheme.
pub(super) const fn generic_reference(text: &[u8]) -> Parsed<Layout> {
    let mut layout = Layout::EMPTY;
    layout.generic = true;
    if !is_in(text, 0, &LETTERS) {
        return fail(text, 0, Expected::LETTER, generic::SCHEME.rule());
    }
    let colon = tri!(run(text, 0, &generic::SCHEME, &generic::ESCAPE));
    if !is_at(text, colon, b':') {
        let expected = Expected::SCHEME_CHAR.or(Expected::COLON);
        return fail(text, colon, expected, &generic::URI);
    }
    layout.scheme = Delimiter::at(colon);
    layout.path = offset_u32(colon + 1);
    tri!(generic_rest(text, &mut layout));
    Ok(layout)
}

/// `path [ ? search ] [ # fragmentid ]` of the generic BNF, after the scheme.
const fn generic_rest(text: &[u8], layout: &mut Layout) -> Parsed<()> {
    let (start, words) = (layout.after_scheme(), &generic::SEARCH);
    let end = tri!(path_and_search(text, start, words, layout));
    let (class, escape) = (&generic::FRAGMENTID, &generic::ESCAPE);
    fragmentid(text, end, class, escape, layout)
}

/// Returns whether the input begins with a `scheme` and its colon, and records them in `layout`.
///
/// A colon that follows anything else is an error, because partial forms have no colon.
const fn scheme(text: &[u8], layout: &mut Layout) -> Parsed<bool> {
    let end = tri!(run(text, 0, &generic::XPALPHA, &generic::ESCAPE));
    if !is_at(text, end, b':') {
        return Ok(false);
    }
    let plus = skip(
        text,
        0,
        &ByteSet::range(0, 0xFF).without(ByteSet::of(b"+:")),
    );
    if !is_in(text, 0, &LETTERS) || plus < end {
        let expected = Expected::PATH_CHAR
            .or(Expected::SLASH)
            .or(Expected::QUESTION)
            .or(Expected::HASH)
            .or(Expected::END);
        let expected = expected.or(Expected::LETTER.when(end == 0));
        return fail(text, end, expected, generic::PATH.rule());
    }
    layout.scheme = Delimiter::at(end);
    layout.path = offset_u32(end + 1);
    Ok(true)
}

/// `path [ ? search ]` of the generic BNF, up to the end or the fragment. The search consists of
/// `words`.
const fn path_and_search(
    text: &[u8],
    at: usize,
    words: &'static Class,
    layout: &mut Layout,
) -> Parsed {
    let at = tri!(run(text, at, &generic::PATH, &generic::ESCAPE));
    if is_end(text, at) {
        return Ok(at);
    }
    if !is_at(text, at, b'?') {
        let expected = Expected::PATH_CHAR
            .or(Expected::SLASH)
            .or(Expected::QUESTION)
            .or(Expected::HASH)
            .or(Expected::END);
        return fail(text, at, expected, generic::PATH.rule());
    }
    layout.query = Delimiter::at(at);
    search(text, at, words, &generic::ESCAPE)
}

/// Parses `? search`: words of at least one character, separated by `+`. The `?` is at `at`.
///
/// In the specific BNF, `xalphas` include `+`, so any run of them is one word.
const fn search(
    text: &[u8],
    mut at: usize,
    class: &'static Class,
    escape: &'static Rule,
) -> Parsed {
    loop {
        let end = tri!(run(text, at + 1, class, escape));
        if end == at + 1 {
            return fail(text, end, Expected::QUERY_CHAR, class.rule());
        }
        if is_end(text, end) {
            return Ok(end);
        }
        if !is_at(text, end, b'+') {
            let expected = Expected::QUERY_CHAR.or(Expected::HASH).or(Expected::END);
            return fail(text, end, expected, class.rule());
        }
        at = end;
    }
}

/// `[ # fragmentid ]`. `at` is the offset of the hash sign or of the end of the input.
const fn fragmentid(
    text: &[u8],
    at: usize,
    class: &'static Class,
    escape: &'static Rule,
    layout: &mut Layout,
) -> Parsed<()> {
    if is_at(text, at, b'#') {
        layout.fragment = Delimiter::at(at);
        let end = tri!(run(text, at + 1, class, escape));
        if end < text.len() {
            const EXPECTED: Expected = Expected::FRAGMENT_CHAR.or(Expected::END);
            return fail(text, end, EXPECTED, class.rule());
        }
    }
    Ok(())
}

// `login`, `hostport` and `host` of the BNF for specific schemes:
//
// ```text
// login      = [ user [ : password ] @ ] hostport
// hostport   = host [ : port ]
// host       = hostname | hostnumber
// hostname   = ialpha [ . hostname ]
// hostnumber = digits . digits . digits . digits
// ```
//
// `ialpha` matches every `xalpha` after its first letter, including the dot and the `@`, so `a@b`
// is a hostname. If the scheme has a `login`, the RFC's prose decides, and `a` is the user.

/// Parses the `//` that begins an Internet scheme's `production` after the colon.
const fn slashes(text: &[u8], at: usize, production: &'static Rule) -> Parsed {
    literal(text, at, b"//", Expected::DOUBLE_SLASH, production)
}

/// `login = [ user [ : password ] @ ] hostport`
///
/// Much input matches both with and without a user, so the function tries both alternatives.
/// Neither match extends past a `/` or `#`, so parsing can continue only after the longer one.
const fn login(text: &[u8], start: usize, layout: &mut Layout) -> Parsed {
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

/// Returns the end of one alternative, unless the other alternative failed later in the text.
const fn unless_failed_further(end: usize, other: SyntaxError) -> Parsed {
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
const fn hostport(text: &[u8], start: usize, layout: &mut Layout) -> Parsed {
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
pub(crate) const fn host(text: &[u8], start: usize) -> Parsed<(usize, HostKind)> {
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

// The productions of the BNF for specific schemes. Each function parses the text after the colon,
// up to the fragment or the end. The RFC describes `file`, `rlogin` and `tn3270` only in prose. All
// other schemes are generic, including `afs`, which is "not a url production".

const END: Expected = Expected::HASH.or(Expected::END);

/// Parses the production of the scheme. Returns `None` if the scheme has no production.
const fn specific(text: &[u8], layout: &mut Layout) -> Option<Parsed> {
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

/// Returns whether the text up to `at`, a scheme and its colon, equals `word`.
const fn is_scheme(text: &[u8], at: usize, word: &[u8]) -> bool {
    at == word.len() && literal(text, 0, word, Expected::COLON, &rfc1630::generic::URI).is_ok()
}

/// Fails unless the text ends or the fragment begins at `at`. `next` is the set of characters that
/// could have continued the text instead.
const fn expect_end(text: &[u8], at: usize, next: Expected, production: &'static Rule) -> Parsed {
    if is_end(text, at) {
        Ok(at)
    } else {
        fail(text, at, next.or(END), production)
    }
}

/// Requires a slash at `at`. `next` is the set of characters that could have continued the text
/// instead.
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

/// Returns the code of `ftptype = A formcode | E formcode | I | L digits`. RFC 959 allows omitting
/// the form code.
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
/// All three alternatives are runs of `xalpha`. A run that begins with a letter is a `group`, even
/// with an `@`.
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

/// Returns whether the run of RFC 1630's `xalpha` from `start` to `end` is an `article = xalphas @
/// host`. Any `@` in the run may be the delimiter.
///
/// ```
/// use urikit::parse::is_article;
/// assert!(is_article(b"12@info.cern.ch", 0, 15));
/// assert!(!is_article(b"alt.hypertext", 0, 13));
/// ```
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

/// `nntpaddress = n n t p : group / digits`. The RFC's prose adds the server as `//hostport/`
/// before the group.
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
    addr_spec(
        text,
        at,
        &Context {
            unescaped: rfc1630::ADDRESS.set(),
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

/// `waisaddress = waisindex | waisdoc`: a database and perhaps a search, or a database with a type
/// and a path of numbered fields.
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
/// `hsoname` is a `path`, which also matches `%00` and the text that follows it.
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
