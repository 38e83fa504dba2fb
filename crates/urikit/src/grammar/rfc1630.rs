//! RFC 1630: the BNF of generic URI syntax, and the BNF for specific URL schemes.
//!
//! The two BNFs share most names, but differ in `safe`: only the `safe` of the specific BNF
//! contains `+`. [`generic`] contains the productions of the generic BNF.

use super::{ByteSet, Class, DIGITS, HEX_DIGITS, LETTERS, Rule};
use crate::bytes::are_equal;

const SECTION: &str = "RFC 1630, BNF for specific URL schemes";

/// `alpha`: letters of either case.
pub const ALPHA: Class = Class::new("alpha", SECTION, LETTERS);
/// `digit`: `0` to `9`.
pub const DIGIT: Class = Class::new("digit", SECTION, DIGITS);
/// `alphanum = alpha | digit`
pub const ALPHANUM: Class = Class::new("alphanum", SECTION, LETTERS.or(DIGITS));
/// `hex`: hexadecimal digits of either case.
pub const HEX: Class = Class::new("hex", SECTION, HEX_DIGITS);
/// `safe = $ | - | _ | @ | . | & | + | -`
pub const SAFE: Class = Class::new("safe", SECTION, ByteSet::of(b"$-_@.&+"));
/// `extra = ! | * | " | ' | ( | ) | ,`
pub const EXTRA: Class = Class::new("extra", SECTION, ByteSet::of(b"!*\"'(),"));
/// `reserved = = | ; | / | # | ? | : | space`
pub const RESERVED: Class = Class::new("reserved", SECTION, ByteSet::of(b"=;/#?: "));
/// The word `space`: "Spaces are represented by the word space".
pub const SPACE: Class = Class::new("space", SECTION, ByteSet::of(b" "));
/// The word `vline`: "and the vertical line character by vline".
pub const VLINE: Class = Class::new("vline", SECTION, ByteSet::of(b"|"));
/// `national = { | } | vline | [ | ] | \ | ^ | ~`
pub const NATIONAL: Class = Class::new("national", SECTION, ByteSet::of(b"{}|[]\\^~"));
/// `punctuation = < | >`
pub const PUNCTUATION: Class = Class::new("punctuation", SECTION, ByteSet::of(b"<>"));
/// `alphanum2 = alpha | digit | - | _ | . | +`
pub const ALPHANUM2: Class = Class::new(
    "alphanum2",
    SECTION,
    LETTERS.or(DIGITS).or(ByteSet::of(b"-_.+")),
);
/// `xalpha = alpha | digit | safe | extra | escape`
pub const XALPHA: Class = Class::new(
    "xalpha",
    SECTION,
    LETTERS.or(DIGITS).or(*SAFE.set()).or(*EXTRA.set()),
)
.or_escape();
/// `ialpha = alpha [ xalphas ]`: the class covers the characters after the first letter.
pub const IALPHA: Class = Class::new("ialpha", SECTION, *XALPHA.set())
    .or_escape()
    .after_text("a");
/// `hostname = ialpha [ . hostname ]`: the class covers the characters after the first letter. The
/// dot is also in `safe`.
pub const HOSTNAME: Class = Class::new("hostname", SECTION, *XALPHA.set())
    .or_escape()
    .after_text("a");
/// `group = ialpha [ . group ]`: the class covers the characters after the first letter.
pub const GROUP: Class = Class::new("group", SECTION, *XALPHA.set())
    .or_escape()
    .after_text("a");
/// `path = void | segment [ / path ]`, interpreted as `(void | segment) [ / path ]`;
/// `segment = xpalphas`.
pub const PATH: Class =
    Class::new("path", SECTION, XALPHA.set().or(ByteSet::of(b"/+"))).or_escape();
/// `search = xalphas [ + search ]`, where `xalphas` already includes `+`.
pub const SEARCH: Class = Class::new("search", SECTION, *XALPHA.set()).or_escape();
/// `user = alphanum2 [ user ]`
pub const USER: Class = Class::new("user", SECTION, *ALPHANUM2.set());
/// `password = alphanum2 [ password ]`
pub const PASSWORD: Class = Class::new("password", SECTION, *ALPHANUM2.set());
/// `database = xalphas`
pub const DATABASE: Class = Class::new("database", SECTION, *XALPHA.set()).or_escape();
/// `wtype = xalphas`
pub const WTYPE: Class = Class::new("wtype", SECTION, *XALPHA.set()).or_escape();
/// `fragmentid = xalphas`
pub const FRAGMENTID: Class = Class::new("fragmentid", SECTION, *XALPHA.set()).or_escape();
/// `gtype = xalpha`
pub const GTYPE: Class = Class::new("gtype", SECTION, *XALPHA.set()).or_escape();
/// `digits = digit [ digits ]`
pub const DIGITS_RULE: Class = Class::new("digits", SECTION, DIGITS);
/// `formcode = N | T | C`
pub const FORMCODE: Class = Class::new("formcode", SECTION, ByteSet::of(b"NTC"));

/// `escape = % hex hex`
pub const ESCAPE: Rule = Rule::new("escape", SECTION);
/// `login = [ user [ : password ] @ ] hostport`
pub const LOGIN: Rule = Rule::new("login", SECTION);
/// `hostport = host [ : port ]`
pub const HOSTPORT: Rule = Rule::new("hostport", SECTION);
/// `host = hostname | hostnumber`
pub const HOST: Rule = Rule::new("host", SECTION);
/// `hostnumber = digits . digits . digits . digits`
pub const HOSTNUMBER: Rule = Rule::new("hostnumber", SECTION);
/// `port = digits`
pub const PORT: Rule = Rule::new("port", SECTION);
/// `httpaddress = h t t p : / / hostport [ / path ] [ ? search ]`
pub const HTTPADDRESS: Rule = Rule::new("httpaddress", SECTION);
/// `ftpaddress = f t p : / / login / path [ ftptype ]`
pub const FTPADDRESS: Rule = Rule::new("ftpaddress", "RFC 1630, FTP");
/// `ftptype`, from the RFC's prose: `;type=` and a type code of RFC 959, without the space that the
/// code contains.
pub const FTPTYPE: Rule = Rule::new("ftptype", "RFC 1630, FTP");
/// `groupart = * | group | article`
pub const GROUPART: Rule = Rule::new("groupart", SECTION);
/// `nntpaddress = n n t p : group / digits`
pub const NNTPADDRESS: Rule = Rule::new("nntpaddress", "RFC 1630, NNTP");
/// `article = xalphas @ host`
pub const ARTICLE: Rule = Rule::new("article", SECTION);
/// `content-identifier`, in `cidaddress`: "similar to mid", so an `addr-spec`.
pub const CONTENT_IDENTIFIER: Rule = Rule::new("content-identifier", "RFC 1630, Content-Id");
/// `mailtoaddress = m a i l t o : xalphas @ hostname`
pub const MAILTOADDRESS: Rule = Rule::new("mailtoaddress", SECTION);
/// `waisaddress = waisindex | waisdoc`
pub const WAISADDRESS: Rule = Rule::new("waisaddress", SECTION);
/// `waisdoc = w a i s : / / hostport / database / wtype / wpath`
pub const WAISDOC: Rule = Rule::new("waisdoc", SECTION);
/// `wpath = digits = path ; [ wpath ]`
pub const WPATH: Rule = Rule::new("wpath", SECTION);
/// `prosperolink`, which is `prosperoaddress`
pub const PROSPEROLINK: Rule = Rule::new("prosperolink", SECTION);
/// `telnetaddress = t e l n e t : / / login`
pub const TELNETADDRESS: Rule = Rule::new("telnetaddress", SECTION);
/// `rlogin` is described in prose but has no production. This rule is `telnetaddress` with another
/// scheme.
pub const RLOGINADDRESS: Rule = Rule::new("rloginaddress", "RFC 1630, Telnet, rlogin, tn3270");
/// `tn3270` is described in prose but has no production. This rule is `telnetaddress` with another
/// scheme.
pub const TN3270ADDRESS: Rule = Rule::new("tn3270address", "RFC 1630, Telnet, rlogin, tn3270");
/// `gopheraddress = g o p h e r : / / hostport [ / gtype [ gcommand ] ]`
pub const GOPHERADDRESS: Rule = Rule::new("gopheraddress", SECTION);
/// `file` is described in prose but has no production: `file://` [ host | `localhost` ] `/` path.
pub const FILEADDRESS: Rule = Rule::new("fileaddress", "RFC 1630, file");

/// The characters that `mid` and `cid` allow unescaped: `xalpha`, and the `reserved` characters
/// except the space and the hash sign. In these URLs, the reserved characters have the meaning that
/// RFC 822 gives them. The RFC does not allow `national` or `punctuation` characters in any URL.
pub(crate) const ADDRESS: Class = XALPHA.with(b"=;/?:");

/// The schemes with a production in the BNF for specific URL schemes, or one that the RFC
/// describes in prose (`file`, `rlogin`, `tn3270`). Names are case-sensitive.
const SCHEMES: [&[u8]; 14] = [
    b"http",
    b"ftp",
    b"news",
    b"nntp",
    b"mid",
    b"cid",
    b"mailto",
    b"wais",
    b"prospero",
    b"telnet",
    b"rlogin",
    b"tn3270",
    b"gopher",
    b"file",
];

/// Returns whether a scheme has its own production. The generic production applies to all other
/// schemes.
pub(crate) const fn has_production(scheme: &[u8]) -> bool {
    let mut rest: &[&[u8]] = &SCHEMES;
    while let [name, others @ ..] = rest {
        if are_equal(name, scheme) {
            return true;
        }
        rest = others;
    }
    false
}

/// All character classes of the BNF for specific URL schemes. A test compares the classes with
/// `spec/abnf/rfc1630.abnf`.
pub const CLASSES: &[&Class] = &[
    &ALPHA,
    &DIGIT,
    &ALPHANUM,
    &HEX,
    &SAFE,
    &EXTRA,
    &RESERVED,
    &SPACE,
    &VLINE,
    &NATIONAL,
    &PUNCTUATION,
    &ALPHANUM2,
    &XALPHA,
    &IALPHA,
    &HOSTNAME,
    &GROUP,
    &PATH,
    &SEARCH,
    &USER,
    &PASSWORD,
    &DATABASE,
    &WTYPE,
    &FRAGMENTID,
    &GTYPE,
    &DIGITS_RULE,
    &FORMCODE,
];
/// All other rules that errors can refer to. A test compares the rules with
/// `spec/abnf/rfc1630.abnf`.
pub const RULES: &[&Rule] = &[
    &ESCAPE,
    &LOGIN,
    &HOSTPORT,
    &HOST,
    &HOSTNUMBER,
    &PORT,
    &HTTPADDRESS,
    &FTPADDRESS,
    &FTPTYPE,
    &GROUPART,
    &NNTPADDRESS,
    &ARTICLE,
    &CONTENT_IDENTIFIER,
    &MAILTOADDRESS,
    &WAISADDRESS,
    &WAISDOC,
    &WPATH,
    &PROSPEROLINK,
    &TELNETADDRESS,
    &RLOGINADDRESS,
    &TN3270ADDRESS,
    &GOPHERADDRESS,
    &FILEADDRESS,
];

/// The BNF of generic URI syntax: schemes without a production, and partial forms.
///
/// `spec/abnf/rfc1630.abnf` puts `generic-` before a name that the two BNFs define differently.
pub mod generic {
    use super::{ByteSet, Class, DIGITS, LETTERS, Rule};

    const SECTION: &str = "RFC 1630, BNF of Generic URI Syntax";

    /// `safe = $ | - | _ | @ | . | &`
    pub const SAFE: Class = Class::new("safe", SECTION, ByteSet::of(b"$-_@.&"));
    /// `xalpha = alpha | digit | safe | extra | escape`
    pub const XALPHA: Class = Class::new(
        "xalpha",
        SECTION,
        LETTERS.or(DIGITS).or(*SAFE.set()).or(*super::EXTRA.set()),
    )
    .or_escape();
    /// `xpalpha = xalpha | +`
    pub const XPALPHA: Class =
        Class::new("xpalpha", SECTION, XALPHA.set().or(ByteSet::of(b"+"))).or_escape();
    /// `scheme = ialpha`, `ialpha = alpha [ xalphas ]`: the class covers the characters after the
    /// first letter.
    pub const SCHEME: Class = Class::new("scheme", SECTION, *XALPHA.set())
        .or_escape()
        .after_text("a");
    /// `path = void | xpalphas [ / path ]`, interpreted as `(void | xpalphas) [ / path ]`.
    pub const PATH: Class =
        Class::new("path", SECTION, XPALPHA.set().or(ByteSet::of(b"/"))).or_escape();
    /// `search = xalphas [ + search ]`: words, separated by `+`.
    pub const SEARCH: Class = Class::new("search", SECTION, *XALPHA.set()).or_escape();
    /// `fragmentid = xalphas`
    pub const FRAGMENTID: Class = Class::new("fragmentid", SECTION, *XALPHA.set()).or_escape();

    /// `escape = % hex hex`
    pub const ESCAPE: Rule = Rule::new("escape", SECTION);
    /// `uri = scheme : path [ ? search ]`
    pub const URI: Rule = Rule::new("uri", SECTION);

    /// All character classes of the generic BNF.
    pub const CLASSES: &[&Class] = &[
        &SAFE,
        &XALPHA,
        &XPALPHA,
        &SCHEME,
        &PATH,
        &SEARCH,
        &FRAGMENTID,
    ];
    /// All other rules of the generic BNF that errors can refer to.
    pub const RULES: &[&Rule] = &[&ESCAPE, &URI];
}
