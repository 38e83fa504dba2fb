//! RFC 3987, 2.2: the rules that differ from RFC 3986. Each class extends a class of RFC 3986.

pub use super::class::{is_iprivate, is_ucschar};
use super::{Beyond, Class, Rule, rfc3986};

/// Returns a class of RFC 3986 with the name and the additional characters that RFC 3987 defines.
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
/// `ipath-abempty = *( "/" isegment )`: the class covers the characters after the first slash.
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

/// `pct-encoded`, unchanged from RFC 3986. Section 2.2 repeats this rule and the next four.
pub const PCT_ENCODED: Rule = Rule::new("pct-encoded", "RFC 3987, 2.2");
/// `port`, unchanged from RFC 3986.
pub const PORT: Rule = Rule::new("port", "RFC 3987, 2.2");
/// `IP-literal`, unchanged from RFC 3986.
pub const IP_LITERAL: Rule = Rule::new("IP-literal", "RFC 3987, 2.2");
/// `IPv6address`, unchanged from RFC 3986.
pub const IPV6ADDRESS: Rule = Rule::new("IPv6address", "RFC 3987, 2.2");
/// `IPvFuture`, unchanged from RFC 3986.
pub const IPVFUTURE: Rule = Rule::new("IPvFuture", "RFC 3987, 2.2");

/// All character classes in this file. A test compares the classes with `spec/abnf/rfc3987.abnf`.
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
/// All other rules in this file that errors can refer to. A test compares the rules with
/// `spec/abnf/rfc3987.abnf`.
pub const RULES: &[&Rule] = &[&IAUTHORITY, &ISEGMENT, &IPATH_NOSCHEME];
/// The rules that RFC 3987 adopts from RFC 3986 under the same names.
pub const REPEATED_RULES: &[&Rule] = &[&PCT_ENCODED, &PORT, &IP_LITERAL, &IPV6ADDRESS, &IPVFUTURE];
