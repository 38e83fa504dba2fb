//! RFC 822: the characters of an `addr-spec` (6.1), which RFC 1630 and RFC 1738 refer to.

use super::{ByteSet, Class, DIGITS, LETTERS, Rule};

/// `CHAR`: US-ASCII, 0 to 127.
pub const CHAR: Class = Class::new("CHAR", "RFC 822, 3.3", ByteSet::range(0, 127));
/// `ALPHA`: letters of either case.
pub const ALPHA: Class = Class::new("ALPHA", "RFC 822, 3.3", LETTERS);
/// `DIGIT`: `0` to `9`.
pub const DIGIT: Class = Class::new("DIGIT", "RFC 822, 3.3", DIGITS);
/// `CTL`: 0 to 31 and 127.
pub const CTL: Class = Class::new(
    "CTL",
    "RFC 822, 3.3",
    ByteSet::range(0, 31).or(ByteSet::of(b"\x7F")),
);
/// `specials`: the characters that must be quoted in a word.
pub const SPECIALS: Class = Class::new("specials", "RFC 822, 3.3", ByteSet::of(b"()<>@,;:\\\".[]"));
/// `atom = 1*<any CHAR except specials, SPACE and CTLs>`
pub const ATOM: Class = Class::new(
    "atom",
    "RFC 822, 3.3",
    CHAR.set()
        .without(*SPECIALS.set())
        .without(*CTL.set())
        .without(ByteSet::of(b" ")),
);

/// `addr-spec = local-part "@" domain`
pub const ADDR_SPEC: Rule = Rule::new("addr-spec", "RFC 822, 6.1");

/// All character classes in this file. A test compares the classes with `spec/abnf/rfc822.abnf`.
pub const CLASSES: &[&Class] = &[&CHAR, &ALPHA, &DIGIT, &CTL, &SPECIALS, &ATOM];
/// All other rules that errors can refer to. A test compares the rules with
/// `spec/abnf/rfc822.abnf`.
pub const RULES: &[&Rule] = &[&ADDR_SPEC];
