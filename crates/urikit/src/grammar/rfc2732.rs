//! RFC 2732, 3: the changes to RFC 2396 that allow IPv6 addresses in a URI.

use super::{ByteSet, Class, Rule, rfc2396};

/// `[` and `]`, which RFC 2732 moves from `unwise` to `reserved`.
const BRACKETS: ByteSet = ByteSet::of(b"[]");

/// `reserved`, now with `[` and `]`.
pub const RESERVED: Class = Class::new(
    "reserved",
    "RFC 2732, 3",
    rfc2396::RESERVED.set().or(BRACKETS),
);
/// `unwise`, now without `[` and `]`.
pub const UNWISE: Class = Class::new(
    "unwise",
    "RFC 2732, 3",
    rfc2396::UNWISE.set().without(BRACKETS),
);
/// `uric = reserved | unreserved | escaped`, with the new `reserved`.
pub const URIC: Class =
    Class::new("uric", "RFC 2396, 2", rfc2396::URIC.set().or(BRACKETS)).or_escape();
/// `query = *uric`
pub const QUERY: Class = Class::new("query", "RFC 2396, 3.4", *URIC.set()).or_escape();
/// `fragment = *uric`
pub const FRAGMENT: Class = Class::new("fragment", "RFC 2396, 4.1", *URIC.set()).or_escape();
/// `opaque_part = uric_no_slash *uric`: the class covers the characters after the first.
pub const OPAQUE_PART: Class = Class::new("opaque_part", "RFC 2396, 3", *URIC.set())
    .or_escape()
    .after_text("a");

/// `ipv6reference = "[" IPv6address "]"`
pub const IPV6REFERENCE: Rule = Rule::new("ipv6reference", "RFC 2732, 3");

/// `IPv6address`, "defined as in RFC 2373": any of the text forms in section 2.2 of that RFC, as in
/// RFC 3986.
pub const IPV6ADDRESS: Rule = Rule::new("IPv6address", "RFC 2732, 3");

/// All character classes in this file. A test compares the classes with `spec/abnf/rfc2732.abnf`.
pub const CLASSES: &[&Class] = &[&RESERVED, &UNWISE, &URIC, &QUERY, &FRAGMENT, &OPAQUE_PART];
/// All other rules that errors can refer to. A test compares the rules with
/// `spec/abnf/rfc2732.abnf`.
pub const RULES: &[&Rule] = &[&IPV6REFERENCE, &IPV6ADDRESS];
