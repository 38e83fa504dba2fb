//! RFC 3987, 2.2: the rules that differ from RFC 3986, which each class here extends.

use super::{Beyond, Class, Rule, rfc3986};

/// `ucschar`: the characters beyond US-ASCII that any part of an IRI may have, except its scheme
/// and port.
///
/// `ucschar = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF / %x10000-1FFFD / … / %xE1000-EFFFD`. It
/// excludes the private use characters, the noncharacters and the `specials` block. It includes
/// the controls of bidirectional text, such as U+202E, which 4.1 forbids in prose.
///
/// ```
/// use urikit::grammar::rfc3987::is_ucschar;
/// assert!(is_ucschar('\u{E9}') && is_ucschar('\u{202E}') && is_ucschar('\u{1F600}'));
/// assert!(!is_ucschar('\u{9F}') && !is_ucschar('\u{E000}') && !is_ucschar('\u{FFFD}'));
/// ```
pub const fn is_ucschar(c: char) -> bool {
    matches!(c,
        '\u{A0}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFEF}')
        || (c as u32 >= 0x1_0000 && c as u32 <= 0xE_FFFD && c as u32 & 0xFFFF <= 0xFFFD
            // Plane 14 begins with tag characters, which are not `ucschar`.
            && !(c as u32 >= 0xE_0000 && (c as u32) < 0xE_1000))
}

/// `iprivate = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD`: in queries only.
pub const fn is_iprivate(c: char) -> bool {
    matches!(c,
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}

/// The class of RFC 3986 as RFC 3987 renames and extends it.
const fn extended(class: &Class, name: &'static str, beyond: Beyond) -> Class {
    let extended = Class::new(name, "RFC 3987, 2.2", *class.set())
        .or_beyond(beyond)
        .after_text(class.after());
    if class.has_escapes() {
        extended.or_escape()
    } else {
        extended
    }
}

/// `iunreserved = ALPHA / DIGIT / "-" / "." / "_" / "~" / ucschar`
pub const IUNRESERVED: Class = extended(&rfc3986::UNRESERVED, "iunreserved", Beyond::Ucschar);
/// `ipchar = iunreserved / pct-encoded / sub-delims / ":" / "@"`
pub const IPCHAR: Class = extended(&rfc3986::PCHAR, "ipchar", Beyond::Ucschar);
/// `iuserinfo = *( iunreserved / pct-encoded / sub-delims / ":" )`
pub const IUSERINFO: Class = extended(&rfc3986::USERINFO, "iuserinfo", Beyond::Ucschar);
/// `ireg-name = *( iunreserved / pct-encoded / sub-delims )`
pub const IREG_NAME: Class = extended(&rfc3986::REG_NAME, "ireg-name", Beyond::Ucschar);
/// `isegment-nz-nc = 1*( iunreserved / pct-encoded / sub-delims / "@" )`
pub const ISEGMENT_NZ_NC: Class =
    extended(&rfc3986::SEGMENT_NZ_NC, "isegment-nz-nc", Beyond::Ucschar);
/// `ipath-abempty = *( "/" isegment )`: what follows the first slash.
pub const IPATH_ABEMPTY: Class = extended(&rfc3986::PATH_ABEMPTY, "ipath-abempty", Beyond::Ucschar);
/// `iquery = *( ipchar / iprivate / "/" / "?" )`
pub const IQUERY: Class = extended(&rfc3986::QUERY, "iquery", Beyond::UcscharAndIprivate);
/// `ifragment = *( ipchar / "/" / "?" )`
pub const IFRAGMENT: Class = extended(&rfc3986::FRAGMENT, "ifragment", Beyond::Ucschar);

/// `iauthority = [ iuserinfo "@" ] ihost [ ":" port ]`
pub const IAUTHORITY: Rule = Rule::new("iauthority", "RFC 3987, 2.2");
/// `isegment = *ipchar`
pub const ISEGMENT: Rule = Rule::new("isegment", "RFC 3987, 2.2");
/// `ipath-noscheme = isegment-nz-nc *( "/" isegment )`
pub const IPATH_NOSCHEME: Rule = Rule::new("ipath-noscheme", "RFC 3987, 2.2");

/// `pct-encoded`, one of the rules that section 2.2 repeats from RFC 3986 unchanged.
pub const PCT_ENCODED: Rule = Rule::new("pct-encoded", "RFC 3987, 2.2");
/// `port`, likewise.
pub const PORT: Rule = Rule::new("port", "RFC 3987, 2.2");
/// `IP-literal`, likewise.
pub const IP_LITERAL: Rule = Rule::new("IP-literal", "RFC 3987, 2.2");
/// `IPv6address`, likewise.
pub const IPV6ADDRESS: Rule = Rule::new("IPv6address", "RFC 3987, 2.2");
/// `IPvFuture`, likewise.
pub const IPVFUTURE: Rule = Rule::new("IPvFuture", "RFC 3987, 2.2");

/// Every class of this file, for comparing it with `spec/abnf/rfc3987.abnf`.
pub const CLASSES: &[&Class] = &[
    &IUNRESERVED,
    &IPCHAR,
    &IUSERINFO,
    &IREG_NAME,
    &ISEGMENT_NZ_NC,
    &IPATH_ABEMPTY,
    &IQUERY,
    &IFRAGMENT,
];
/// Every further rule of this file that an error can name, likewise.
pub const RULES: &[&Rule] = &[&IAUTHORITY, &ISEGMENT, &IPATH_NOSCHEME];
/// The rules that are RFC 3986's, under their names there.
pub const REPEATED_RULES: &[&Rule] = &[&PCT_ENCODED, &PORT, &IP_LITERAL, &IPV6ADDRESS, &IPVFUTURE];
