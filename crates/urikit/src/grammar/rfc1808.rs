//! RFC 1808, 2.2: the grammar of relative URLs.
//!
//! `~` is in `national` and needs an escape; `#` and `%` are `punctuation`. A URL may contain the
//! same characters as in RFC 1738, and `params` is a separate component.

use super::{ByteSet, Class, DIGITS, HEX_DIGITS, LETTERS, Rule};

/// `lowalpha`: `a` to `z`.
pub const LOWALPHA: Class = Class::new("lowalpha", "RFC 1808, 2.2", ByteSet::range(b'a', b'z'));
/// `hialpha`: `A` to `Z`.
pub const HIALPHA: Class = Class::new("hialpha", "RFC 1808, 2.2", ByteSet::range(b'A', b'Z'));
/// `alpha = lowalpha | hialpha`
pub const ALPHA: Class = Class::new("alpha", "RFC 1808, 2.2", LETTERS);
/// `digit`: `0` to `9`.
pub const DIGIT: Class = Class::new("digit", "RFC 1808, 2.2", DIGITS);
/// `hex`: hexadecimal digits of either case.
pub const HEX: Class = Class::new("hex", "RFC 1808, 2.2", HEX_DIGITS);
/// `safe = "$" | "-" | "_" | "." | "+"`
pub const SAFE: Class = Class::new("safe", "RFC 1808, 2.2", ByteSet::of(b"$-_.+"));
/// `extra = "!" | "*" | "'" | "(" | ")" | ","`
pub const EXTRA: Class = Class::new("extra", "RFC 1808, 2.2", ByteSet::of(b"!*'(),"));
/// ``national = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`"``
pub const NATIONAL: Class = Class::new("national", "RFC 1808, 2.2", ByteSet::of(b"{}|\\^~[]`"));
/// `reserved = ";" | "/" | "?" | ":" | "@" | "&" | "="`
pub const RESERVED: Class = Class::new("reserved", "RFC 1808, 2.2", ByteSet::of(b";/?:@&="));
/// `punctuation = "<" | ">" | "#" | "%" | <">`
pub const PUNCTUATION: Class = Class::new("punctuation", "RFC 1808, 2.2", ByteSet::of(b"<>#%\""));
/// `unreserved = alpha | digit | safe | extra`
pub const UNRESERVED: Class = Class::new(
    "unreserved",
    "RFC 1808, 2.2",
    LETTERS.or(DIGITS).or(*SAFE.set()).or(*EXTRA.set()),
);
/// `uchar = unreserved | escape`
pub const UCHAR: Class = Class::new("uchar", "RFC 1808, 2.2", *UNRESERVED.set()).or_escape();
/// `pchar = uchar | ":" | "@" | "&" | "="`
pub const PCHAR: Class = Class::new(
    "pchar",
    "RFC 1808, 2.2",
    UCHAR.set().or(ByteSet::of(b":@&=")),
)
.or_escape();

/// `scheme = 1*( alpha | digit | "+" | "-" | "." )`
pub const SCHEME: Class = Class::new(
    "scheme",
    "RFC 1808, 2.2",
    LETTERS.or(DIGITS).or(ByteSet::of(b"+-.")),
);
/// `absoluteURL = generic-RL | ( scheme ":" *( uchar | reserved ) )`: the class covers the
/// characters after the colon.
pub const ABSOLUTE_URL: Class = Class::new(
    "absoluteURL",
    "RFC 1808, 2.2",
    UCHAR.set().or(*RESERVED.set()),
)
.or_escape()
.after_text("a:");
/// `net_loc = *( pchar | ";" | "?" )`
pub const NET_LOC: Class = Class::new(
    "net_loc",
    "RFC 1808, 2.2",
    PCHAR.set().or(ByteSet::of(b";?")),
)
.or_escape();
/// `path = fsegment *( "/" segment )`: the class covers all characters after the first.
pub const PATH: Class = Class::new("path", "RFC 1808, 2.2", PCHAR.set().or(ByteSet::of(b"/")))
    .or_escape()
    .after_text("a");
/// `params = param *( ";" param )`, `param = *( pchar | "/" )`
pub const PARAMS: Class = Class::new(
    "params",
    "RFC 1808, 2.2",
    PCHAR.set().or(ByteSet::of(b"/;")),
)
.or_escape();
/// `query = *( uchar | reserved )`
pub const QUERY: Class =
    Class::new("query", "RFC 1808, 2.2", UCHAR.set().or(*RESERVED.set())).or_escape();
/// `fragment = *( uchar | reserved )`
pub const FRAGMENT: Class =
    Class::new("fragment", "RFC 1808, 2.2", UCHAR.set().or(*RESERVED.set())).or_escape();

/// `escape = "%" hex hex`
pub const ESCAPE: Rule = Rule::new("escape", "RFC 1808, 2.2");
/// `fsegment = 1*pchar`
pub const FSEGMENT: Rule = Rule::new("fsegment", "RFC 1808, 2.2");

/// All character classes in this file. A test compares the classes with `spec/abnf/rfc1808.abnf`.
pub const CLASSES: &[&Class] = &[
    &LOWALPHA,
    &HIALPHA,
    &ALPHA,
    &DIGIT,
    &HEX,
    &SAFE,
    &EXTRA,
    &NATIONAL,
    &RESERVED,
    &PUNCTUATION,
    &UNRESERVED,
    &UCHAR,
    &PCHAR,
    &SCHEME,
    &ABSOLUTE_URL,
    &NET_LOC,
    &PATH,
    &PARAMS,
    &QUERY,
    &FRAGMENT,
];
/// All other rules that errors can refer to. A test compares the rules with
/// `spec/abnf/rfc1808.abnf`.
pub const RULES: &[&Rule] = &[&ESCAPE, &FSEGMENT];
