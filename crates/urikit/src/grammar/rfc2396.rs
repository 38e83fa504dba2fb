//! RFC 2396, Appendix A: the collected grammar of URIs before RFC 3986.
//!
//! `mark` is unreserved and includes `!`, `*`, `'`, `(` and `)`, which RFC 3986 reserves. `[` and
//! `]` are in `unwise` and need escapes everywhere. Names have underscores, as in the RFC.

use super::{ByteSet, Class, DIGITS, HEX_DIGITS, LETTERS, Rule};

/// `lowalpha`: `a` to `z`.
pub const LOWALPHA: Class = Class::new("lowalpha", "RFC 2396, 1.6", ByteSet::range(b'a', b'z'));
/// `upalpha`: `A` to `Z`.
pub const UPALPHA: Class = Class::new("upalpha", "RFC 2396, 1.6", ByteSet::range(b'A', b'Z'));
/// `alpha = lowalpha | upalpha`
pub const ALPHA: Class = Class::new("alpha", "RFC 2396, 1.6", LETTERS);
/// `digit`: `0` to `9`.
pub const DIGIT: Class = Class::new("digit", "RFC 2396, 1.6", DIGITS);
/// `alphanum = alpha | digit`
pub const ALPHANUM: Class = Class::new("alphanum", "RFC 2396, 1.6", LETTERS.or(DIGITS));
/// `hex`: hexadecimal digits of either case.
pub const HEX: Class = Class::new("hex", "RFC 2396, 2.4.1", HEX_DIGITS);

/// `reserved = ";" | "/" | "?" | ":" | "@" | "&" | "=" | "+" | "$" | ","`
pub const RESERVED: Class = Class::new("reserved", "RFC 2396, 2.2", ByteSet::of(b";/?:@&=+$,"));
/// `mark = "-" | "_" | "." | "!" | "~" | "*" | "'" | "(" | ")"`
pub const MARK: Class = Class::new("mark", "RFC 2396, 2.3", ByteSet::of(b"-_.!~*'()"));
/// `unreserved = alphanum | mark`
pub const UNRESERVED: Class = Class::new(
    "unreserved",
    "RFC 2396, 2.3",
    ALPHANUM.set().or(*MARK.set()),
);
/// `control`: US-ASCII 00-1F and 7F.
pub const CONTROL: Class = Class::new(
    "control",
    "RFC 2396, 2.4.3",
    ByteSet::range(0, 0x1F).or(ByteSet::of(b"\x7F")),
);
/// `space`: US-ASCII 20.
pub const SPACE: Class = Class::new("space", "RFC 2396, 2.4.3", ByteSet::of(b" "));
/// `delims = "<" | ">" | "#" | "%" | <">`
pub const DELIMS: Class = Class::new("delims", "RFC 2396, 2.4.3", ByteSet::of(b"<>#%\""));
/// ``unwise = "{" | "}" | "|" | "\" | "^" | "[" | "]" | "`"``
pub const UNWISE: Class = Class::new("unwise", "RFC 2396, 2.4.3", ByteSet::of(b"{}|\\^[]`"));
/// `uric = reserved | unreserved | escaped`
pub const URIC: Class =
    Class::new("uric", "RFC 2396, 2", RESERVED.set().or(*UNRESERVED.set())).or_escape();
/// `uric_no_slash = unreserved | escaped | ";" | "?" | ":" | "@" | "&" | "=" | "+" | "$" | ","`
pub const URIC_NO_SLASH: Class = Class::new(
    "uric_no_slash",
    "RFC 2396, 3",
    UNRESERVED.set().or(ByteSet::of(b";?:@&=+$,")),
)
.or_escape();
/// `pchar = unreserved | escaped | ":" | "@" | "&" | "=" | "+" | "$" | ","`
pub const PCHAR: Class = Class::new(
    "pchar",
    "RFC 2396, 3.3",
    UNRESERVED.set().or(ByteSet::of(b":@&=+$,")),
)
.or_escape();

/// `scheme = alpha *( alpha | digit | "+" | "-" | "." )`: the class covers the characters after the
/// first.
pub const SCHEME: Class = Class::new(
    "scheme",
    "RFC 2396, 3.1",
    ALPHANUM.set().or(ByteSet::of(b"+-.")),
)
.after_text("a");
/// `reg_name = 1*( unreserved | escaped | "$" | "," | ";" | ":" | "@" | "&" | "=" | "+" )`
pub const REG_NAME: Class = Class::new(
    "reg_name",
    "RFC 2396, 3.2.1",
    UNRESERVED.set().or(ByteSet::of(b"$,;:@&=+")),
)
.or_escape();
/// `userinfo = *( unreserved | escaped | ";" | ":" | "&" | "=" | "+" | "$" | "," )`
pub const USERINFO: Class = Class::new(
    "userinfo",
    "RFC 2396, 3.2.2",
    UNRESERVED.set().or(ByteSet::of(b";:&=+$,")),
)
.or_escape();
/// `port = *digit`
pub const PORT: Class = Class::new("port", "RFC 2396, 3.2.2", DIGITS);
/// `rel_segment = 1*( unreserved | escaped | ";" | "@" | "&" | "=" | "+" | "$" | "," )`
pub const REL_SEGMENT: Class = Class::new(
    "rel_segment",
    "RFC 2396, 5",
    UNRESERVED.set().or(ByteSet::of(b";@&=+$,")),
)
.or_escape();
/// `param = *pchar`
pub const PARAM: Class = Class::new("param", "RFC 2396, 3.3", *PCHAR.set()).or_escape();
/// `abs_path = "/" path_segments`, `segment = *pchar *( ";" param )`: the class covers the
/// characters after the first slash.
pub const ABS_PATH: Class = Class::new(
    "abs_path",
    "RFC 2396, 3",
    PCHAR.set().or(ByteSet::of(b";/")),
)
.or_escape()
.after_text("/");
/// `query = *uric`
pub const QUERY: Class = Class::new("query", "RFC 2396, 3.4", *URIC.set()).or_escape();
/// `fragment = *uric`
pub const FRAGMENT: Class = Class::new("fragment", "RFC 2396, 4.1", *URIC.set()).or_escape();
/// `opaque_part = uric_no_slash *uric`: the class covers the characters after the first.
pub const OPAQUE_PART: Class = Class::new("opaque_part", "RFC 2396, 3", *URIC.set())
    .or_escape()
    .after_text("a");

/// `escaped = "%" hex hex`
pub const ESCAPED: Rule = Rule::new("escaped", "RFC 2396, 2.4.1");
/// `authority = server | reg_name`
pub const AUTHORITY: Rule = Rule::new("authority", "RFC 2396, 3.2");
/// `segment = *pchar *( ";" param )`
pub const SEGMENT: Rule = Rule::new("segment", "RFC 2396, 3.3");

/// All character classes in this file. A test compares the classes with `spec/abnf/rfc2396.abnf`.
pub const CLASSES: &[&Class] = &[
    &LOWALPHA,
    &UPALPHA,
    &ALPHA,
    &DIGIT,
    &ALPHANUM,
    &HEX,
    &RESERVED,
    &MARK,
    &UNRESERVED,
    &CONTROL,
    &SPACE,
    &DELIMS,
    &UNWISE,
    &URIC,
    &URIC_NO_SLASH,
    &PCHAR,
    &SCHEME,
    &REG_NAME,
    &USERINFO,
    &PORT,
    &REL_SEGMENT,
    &PARAM,
    &ABS_PATH,
    &QUERY,
    &FRAGMENT,
    &OPAQUE_PART,
];
/// All other rules that errors can refer to. A test compares the rules with
/// `spec/abnf/rfc2396.abnf`.
pub const RULES: &[&Rule] = &[&ESCAPED, &AUTHORITY, &SEGMENT];
