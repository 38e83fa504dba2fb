//! RFC 3986, Appendix A: the collected grammar of URIs.
//!
//! The names are those used in the RFC. If a production allows different characters at its start or
//! end than in its middle, the constant covers the middle, as its comment says. Literals in ABNF
//! match in either case (RFC 5234, 2.3), so `IPvFuture` may begin with `V`.

use super::{ByteSet, Class, DIGITS, HEX_DIGITS, LETTERS, Rule};

/// `ALPHA` (RFC 5234, B.1).
pub const ALPHA: Class = Class::new("ALPHA", "RFC 5234, B.1", LETTERS);
/// `DIGIT` (RFC 5234, B.1).
pub const DIGIT: Class = Class::new("DIGIT", "RFC 5234, B.1", DIGITS);
/// `HEXDIG` (RFC 5234, B.1), in either case.
pub const HEXDIG: Class = Class::new("HEXDIG", "RFC 5234, B.1", HEX_DIGITS);

/// `gen-delims = ":" / "/" / "?" / "#" / "[" / "]" / "@"`
pub const GEN_DELIMS: Class = Class::new("gen-delims", "RFC 3986, 2.2", ByteSet::of(b":/?#[]@"));
/// `sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="`
pub const SUB_DELIMS: Class =
    Class::new("sub-delims", "RFC 3986, 2.2", ByteSet::of(b"!$&'()*+,;="));
/// `reserved = gen-delims / sub-delims`
pub const RESERVED: Class = Class::new(
    "reserved",
    "RFC 3986, 2.2",
    GEN_DELIMS.set().or(*SUB_DELIMS.set()),
);
/// `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"`
pub const UNRESERVED: Class = Class::new(
    "unreserved",
    "RFC 3986, 2.3",
    LETTERS.or(DIGITS).or(ByteSet::of(b"-._~")),
);
/// `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`
pub const PCHAR: Class = Class::new(
    "pchar",
    "RFC 3986, 3.3",
    UNRESERVED
        .set()
        .or(*SUB_DELIMS.set())
        .or(ByteSet::of(b":@")),
)
.or_escape();

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`: the class covers the characters after the
/// first.
pub const SCHEME: Class = Class::new(
    "scheme",
    "RFC 3986, 3.1",
    LETTERS.or(DIGITS).or(ByteSet::of(b"+-.")),
)
.after_text("a");

/// Returns whether a byte may appear in a scheme: a letter, a digit, `+`, `-` or `.`.
///
/// ```
/// use urikit::grammar::rfc3986::is_scheme_char;
/// assert!(b"svn+ssh".iter().all(|byte| is_scheme_char(*byte)) && !is_scheme_char(b':'));
/// ```
#[inline]
pub const fn is_scheme_char(byte: u8) -> bool {
    const CHARACTERS: &ByteSet = SCHEME.set();
    CHARACTERS.contains(byte)
}

/// Returns whether the text is a `scheme`: a letter, followed by characters that are allowed in a
/// scheme.
///
/// ```
/// use urikit::grammar::rfc3986::is_scheme;
/// assert!(is_scheme(b"svn+ssh") && !is_scheme(b"1a") && !is_scheme(b""));
/// ```
pub const fn is_scheme(text: &[u8]) -> bool {
    let [first, rest @ ..] = text else {
        return false;
    };
    let mut rest = rest;
    while let [byte, tail @ ..] = rest {
        if !is_scheme_char(*byte) {
            return false;
        }
        rest = tail;
    }
    first.is_ascii_alphabetic()
}

/// `userinfo = *( unreserved / pct-encoded / sub-delims / ":" )`
pub const USERINFO: Class = Class::new(
    "userinfo",
    "RFC 3986, 3.2.1",
    UNRESERVED.set().or(*SUB_DELIMS.set()).or(ByteSet::of(b":")),
)
.or_escape();
/// `reg-name = *( unreserved / pct-encoded / sub-delims )`
pub const REG_NAME: Class = Class::new(
    "reg-name",
    "RFC 3986, 3.2.2",
    UNRESERVED.set().or(*SUB_DELIMS.set()),
)
.or_escape();
/// `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`: the class covers the
/// characters after the dot.
pub const IPVFUTURE: Class = Class::new(
    "IPvFuture",
    "RFC 3986, 3.2.2",
    UNRESERVED.set().or(*SUB_DELIMS.set()).or(ByteSet::of(b":")),
)
.after_text("v1.");
/// `port = *DIGIT`
pub const PORT: Class = Class::new("port", "RFC 3986, 3.2.3", DIGITS);
/// `segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )`
pub const SEGMENT_NZ_NC: Class = Class::new(
    "segment-nz-nc",
    "RFC 3986, 3.3",
    UNRESERVED.set().or(*SUB_DELIMS.set()).or(ByteSet::of(b"@")),
)
.or_escape();
/// `path-abempty = *( "/" segment )`, `segment = *pchar`: the class covers the characters after the
/// first slash.
pub const PATH_ABEMPTY: Class = Class::new(
    "path-abempty",
    "RFC 3986, 3.3",
    PCHAR.set().or(ByteSet::of(b"/")),
)
.or_escape()
.after_text("/");
/// `query = *( pchar / "/" / "?" )`
pub const QUERY: Class =
    Class::new("query", "RFC 3986, 3.4", PCHAR.set().or(ByteSet::of(b"/?"))).or_escape();
/// `fragment = *( pchar / "/" / "?" )`
pub const FRAGMENT: Class = Class::new(
    "fragment",
    "RFC 3986, 3.5",
    PCHAR.set().or(ByteSet::of(b"/?")),
)
.or_escape();

/// `pct-encoded = "%" HEXDIG HEXDIG`
pub const PCT_ENCODED: Rule = Rule::new("pct-encoded", "RFC 3986, 2.1");
/// `authority = [ userinfo "@" ] host [ ":" port ]`
pub const AUTHORITY: Rule = Rule::new("authority", "RFC 3986, 3.2");
/// `IP-literal = "[" ( IPv6address / IPvFuture ) "]"`
pub const IP_LITERAL: Rule = Rule::new("IP-literal", "RFC 3986, 3.2.2");
/// `IPv6address`, which has nine alternatives.
pub const IPV6ADDRESS: Rule = Rule::new("IPv6address", "RFC 3986, 3.2.2");
/// `segment = *pchar`
pub const SEGMENT: Rule = Rule::new("segment", "RFC 3986, 3.3");
/// `path-noscheme = segment-nz-nc *( "/" segment )`
pub const PATH_NOSCHEME: Rule = Rule::new("path-noscheme", "RFC 3986, 3.3");

/// All character classes in this file. A test compares the classes with `spec/abnf/rfc3986.abnf`.
pub const CLASSES: &[&Class] = &[
    &ALPHA,
    &DIGIT,
    &HEXDIG,
    &GEN_DELIMS,
    &SUB_DELIMS,
    &RESERVED,
    &UNRESERVED,
    &PCHAR,
    &SCHEME,
    &USERINFO,
    &REG_NAME,
    &IPVFUTURE,
    &PORT,
    &SEGMENT_NZ_NC,
    &PATH_ABEMPTY,
    &QUERY,
    &FRAGMENT,
];
/// All other rules that errors can refer to. A test compares the rules with
/// `spec/abnf/rfc3986.abnf`.
pub const RULES: &[&Rule] = &[
    &PCT_ENCODED,
    &AUTHORITY,
    &IP_LITERAL,
    &IPV6ADDRESS,
    &SEGMENT,
    &PATH_NOSCHEME,
];
