//! RFC 1738, section 5: the BNF for URL schemes.
//!
//! `[ ]` with an asterisk before it, as in `*[ uchar ]`, means zero or more, like `*( )` in later
//! ABNF. The productions of the schemes differ in which of `;`, `:`, `@`, `?`, `&` and `=` they
//! allow unescaped, so a character that is data in one scheme is a delimiter in another.

use super::{ByteSet, Class, DIGITS, HEX_DIGITS, LETTERS, Rule};

const SECTION: &str = "RFC 1738, 5";

/// `lowalpha`: `a` to `z`.
pub const LOWALPHA: Class = Class::new("lowalpha", SECTION, ByteSet::range(b'a', b'z'));
/// `hialpha`: `A` to `Z`.
pub const HIALPHA: Class = Class::new("hialpha", SECTION, ByteSet::range(b'A', b'Z'));
/// `alpha = lowalpha | hialpha`
pub const ALPHA: Class = Class::new("alpha", SECTION, LETTERS);
/// `digit`: `0` to `9`.
pub const DIGIT: Class = Class::new("digit", SECTION, DIGITS);
/// `alphadigit = alpha | digit`
pub const ALPHADIGIT: Class = Class::new("alphadigit", SECTION, LETTERS.or(DIGITS));
/// `safe = "$" | "-" | "_" | "." | "+"`
pub const SAFE: Class = Class::new("safe", SECTION, ByteSet::of(b"$-_.+"));
/// `extra = "!" | "*" | "'" | "(" | ")" | ","`
pub const EXTRA: Class = Class::new("extra", SECTION, ByteSet::of(b"!*'(),"));
/// ``national = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`"``
pub const NATIONAL: Class = Class::new("national", SECTION, ByteSet::of(b"{}|\\^~[]`"));
/// `punctuation = "<" | ">" | "#" | "%" | <">`
pub const PUNCTUATION: Class = Class::new("punctuation", SECTION, ByteSet::of(b"<>#%\""));
/// `reserved = ";" | "/" | "?" | ":" | "@" | "&" | "="`
pub const RESERVED: Class = Class::new("reserved", SECTION, ByteSet::of(b";/?:@&="));
/// `hex`: hexadecimal digits of either case.
pub const HEX: Class = Class::new("hex", SECTION, HEX_DIGITS);
/// `unreserved = alpha | digit | safe | extra`
pub const UNRESERVED: Class = Class::new(
    "unreserved",
    SECTION,
    LETTERS.or(DIGITS).or(*SAFE.set()).or(*EXTRA.set()),
);
/// `uchar = unreserved | escape`
pub const UCHAR: Class = Class::new("uchar", SECTION, *UNRESERVED.set()).or_escape();
/// `xchar = unreserved | reserved | escape`
pub const XCHAR: Class =
    Class::new("xchar", SECTION, UNRESERVED.set().or(*RESERVED.set())).or_escape();

/// `scheme = 1*[ lowalpha | digit | "+" | "-" | "." ]`; upper case is treated as lower case (2.1).
pub const SCHEME: Class = Class::new(
    "scheme",
    SECTION,
    LETTERS.or(DIGITS).or(ByteSet::of(b"+-.")),
);
/// `user = *[ uchar | ";" | "?" | "&" | "=" ]`
pub const USER: Class =
    Class::new("user", SECTION, UCHAR.set().or(ByteSet::of(b";?&="))).or_escape();
/// `password = *[ uchar | ";" | "?" | "&" | "=" ]`
pub const PASSWORD: Class = Class::new("password", SECTION, *USER.set()).or_escape();
/// `urlpath = *xchar`
pub const URLPATH: Class = Class::new("urlpath", SECTION, *XCHAR.set()).or_escape();
/// The `#fragment` that may follow a URL in context (Appendix), with the characters that RFC 1808
/// allows.
pub const FRAGMENT: Class = Class::new("fragment", "RFC 1738, Appendix", *XCHAR.set()).or_escape();

/// `fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]`
pub const FSEGMENT: Class =
    Class::new("fsegment", SECTION, UCHAR.set().or(ByteSet::of(b"?:@&="))).or_escape();
/// `fpath = fsegment *[ "/" fsegment ]`
pub const FPATH: Class =
    Class::new("fpath", SECTION, FSEGMENT.set().or(ByteSet::of(b"/"))).or_escape();
/// `ftptype = "A" | "I" | "D" | "a" | "i" | "d"`
pub const FTPTYPE: Class = Class::new("ftptype", SECTION, ByteSet::of(b"AIDaid"));
/// `hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]`
pub const HSEGMENT: Class =
    Class::new("hsegment", SECTION, UCHAR.set().or(ByteSet::of(b";:@&="))).or_escape();
/// `hpath = hsegment *[ "/" hsegment ]`
pub const HPATH: Class =
    Class::new("hpath", SECTION, HSEGMENT.set().or(ByteSet::of(b"/"))).or_escape();
/// `search = *[ uchar | ";" | ":" | "@" | "&" | "=" ]`
pub const SEARCH: Class =
    Class::new("search", SECTION, UCHAR.set().or(ByteSet::of(b";:@&="))).or_escape();
/// `selector = *xchar`, which also matches `%09` and the text that follows it.
pub const SELECTOR: Class = Class::new("selector", SECTION, *XCHAR.set()).or_escape();
/// `group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]`: the class covers the characters
/// after the first letter.
pub const GROUP: Class = Class::new(
    "group",
    SECTION,
    LETTERS.or(DIGITS).or(ByteSet::of(b"-.+_")),
)
.after_text("a");
/// `article = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host`: the class covers the
/// characters before the `@`.
pub const ARTICLE: Class = Class::new("article", SECTION, UCHAR.set().or(ByteSet::of(b";/?:&=")))
    .or_escape()
    .before_text("@a");
/// `database = *uchar`
pub const DATABASE: Class = Class::new("database", SECTION, *UCHAR.set()).or_escape();
/// `wtype = *uchar`
pub const WTYPE: Class = Class::new("wtype", SECTION, *UCHAR.set()).or_escape();
/// `wpath = *uchar`
pub const WPATH: Class = Class::new("wpath", SECTION, *UCHAR.set()).or_escape();
/// `psegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]`
pub const PSEGMENT: Class =
    Class::new("psegment", SECTION, UCHAR.set().or(ByteSet::of(b"?:@&="))).or_escape();
/// `ppath = psegment *[ "/" psegment ]`
pub const PPATH: Class =
    Class::new("ppath", SECTION, PSEGMENT.set().or(ByteSet::of(b"/"))).or_escape();
/// `fieldname = *[ uchar | "?" | ":" | "@" | "&" ]`
pub const FIELDNAME: Class =
    Class::new("fieldname", SECTION, UCHAR.set().or(ByteSet::of(b"?:@&"))).or_escape();
/// `fieldvalue = *[ uchar | "?" | ":" | "@" | "&" ]`
pub const FIELDVALUE: Class = Class::new("fieldvalue", SECTION, *FIELDNAME.set()).or_escape();

/// `escape = "%" hex hex`
pub const ESCAPE: Rule = Rule::new("escape", SECTION);
/// `genericurl = scheme ":" schemepart`
pub const GENERICURL: Rule = Rule::new("genericurl", SECTION);
/// `login = [ user [ ":" password ] "@" ] hostport`
pub const LOGIN: Rule = Rule::new("login", SECTION);
/// `hostport = host [ ":" port ]`
pub const HOSTPORT: Rule = Rule::new("hostport", SECTION);
/// `host = hostname | hostnumber`
pub const HOST: Rule = Rule::new("host", SECTION);
/// `hostname = *[ domainlabel "." ] toplabel`
pub const HOSTNAME: Rule = Rule::new("hostname", SECTION);
/// `digits = 1*digit`
pub const DIGITS_RULE: Rule = Rule::new("digits", SECTION);
/// `port = digits`
pub const PORT: Rule = Rule::new("port", SECTION);
/// `ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]`
pub const FTPURL: Rule = Rule::new("ftpurl", SECTION);
/// `fileurl = "file://" [ host | "localhost" ] "/" fpath`
pub const FILEURL: Rule = Rule::new("fileurl", SECTION);
/// `httpurl = "http://" hostport [ "/" hpath [ "?" search ]]`
pub const HTTPURL: Rule = Rule::new("httpurl", SECTION);
/// `gopherurl = "gopher://" hostport [ / [ gtype [ selector [ … ] ] ] ]`
pub const GOPHERURL: Rule = Rule::new("gopherurl", SECTION);
/// `encoded822addr = 1*xchar`, further defined in RFC 822
pub const ENCODED822ADDR: Rule = Rule::new("encoded822addr", SECTION);
/// `grouppart = "*" | group | article`
pub const GROUPPART: Rule = Rule::new("grouppart", SECTION);
/// `nntpurl = "nntp://" hostport "/" group [ "/" digits ]`
pub const NNTPURL: Rule = Rule::new("nntpurl", SECTION);
/// `telneturl = "telnet://" login [ "/" ]`
pub const TELNETURL: Rule = Rule::new("telneturl", SECTION);
/// `waisurl = waisdatabase | waisindex | waisdoc`
pub const WAISURL: Rule = Rule::new("waisurl", SECTION);
/// `waisdoc = "wais://" hostport "/" database "/" wtype "/" wpath`
pub const WAISDOC: Rule = Rule::new("waisdoc", SECTION);
/// `prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]`
pub const PROSPEROURL: Rule = Rule::new("prosperourl", SECTION);
/// `fieldspec = ";" fieldname "=" fieldvalue`
pub const FIELDSPEC: Rule = Rule::new("fieldspec", SECTION);

/// All character classes in this file. A test compares the classes with `spec/abnf/rfc1738.abnf`.
pub const CLASSES: &[&Class] = &[
    &LOWALPHA,
    &HIALPHA,
    &ALPHA,
    &DIGIT,
    &ALPHADIGIT,
    &SAFE,
    &EXTRA,
    &NATIONAL,
    &PUNCTUATION,
    &RESERVED,
    &HEX,
    &UNRESERVED,
    &UCHAR,
    &XCHAR,
    &SCHEME,
    &USER,
    &PASSWORD,
    &URLPATH,
    &FRAGMENT,
    &FSEGMENT,
    &FPATH,
    &FTPTYPE,
    &HSEGMENT,
    &HPATH,
    &SEARCH,
    &SELECTOR,
    &GROUP,
    &ARTICLE,
    &DATABASE,
    &WTYPE,
    &WPATH,
    &PSEGMENT,
    &PPATH,
    &FIELDNAME,
    &FIELDVALUE,
];
/// All other rules that errors can refer to. A test compares the rules with
/// `spec/abnf/rfc1738.abnf`.
pub const RULES: &[&Rule] = &[
    &ESCAPE,
    &GENERICURL,
    &LOGIN,
    &HOSTPORT,
    &HOST,
    &HOSTNAME,
    &DIGITS_RULE,
    &PORT,
    &FTPURL,
    &FILEURL,
    &HTTPURL,
    &GOPHERURL,
    &ENCODED822ADDR,
    &GROUPPART,
    &NNTPURL,
    &TELNETURL,
    &WAISURL,
    &WAISDOC,
    &PROSPEROURL,
    &FIELDSPEC,
];
