//! Host names: letters that look like others (UTS #39), and Punycode.

use super::shape::Shape;
use crate::escape::decoded;
use crate::finding::{Code, Findings};
use unicode_security::{MixedScript as _, skeleton};

/// The longest name and the longest label of the DNS, in octets (RFC 1035, 2.3.4; without the
/// length octets of the wire).
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

pub(super) fn find(shape: &Shape<'_>, found: &mut Findings) {
    let at = shape.host_offset();
    if shape.host.is_empty() || shape.host.starts_with('[') {
        return;
    }
    let host = decoded(shape.host);
    let host = host.strip_suffix('.').unwrap_or(&host);
    let mut labels = host.split('.');
    if host.len() > LONGEST_NAME || labels.any(|label| label.len() > LONGEST_LABEL) {
        found.add(Code::OverlongName, at);
    }
    if !host.is_ascii() {
        let lower = host.to_lowercase();
        let mapped = idna::domain_to_unicode(&lower).0;
        let to_ascii = |c: char| !c.is_ascii() && c.to_lowercase().all(|lower| lower.is_ascii());
        if mapped != lower || host.chars().any(to_ascii) {
            found.add(Code::MappedName, at);
        }
    }
    // IDNA takes other full stops for `.` too.
    for label in host.split(['.', '\u{3002}', '\u{FF0E}', '\u{FF61}']) {
        let ace = label
            .get(..4)
            .filter(|begin| begin.eq_ignore_ascii_case("xn--"));
        if ace.is_some() {
            punycode(label, at, found);
        } else if !label.is_ascii() {
            unicode(label, at, found);
        }
    }
}

/// A label that begins with `xn--`.
fn punycode(label: &str, at: usize, found: &mut Findings) {
    let lower = label.to_ascii_lowercase();
    let (unicode_label, outcome) = idna::domain_to_unicode(&lower);
    let again = idna::domain_to_ascii(&unicode_label);
    let is_same =
        outcome.is_ok() && !unicode_label.is_ascii() && again.is_ok_and(|again| again == lower);
    if is_same {
        unicode(&unicode_label, at, found);
    } else {
        found.add(Code::Punycode, at);
    }
}

/// A label with characters beyond US-ASCII.
fn unicode(label: &str, at: usize, found: &mut Findings) {
    if !label.is_single_script() {
        found.add(Code::MixedScript, at);
    }
    if skeleton(label).all(|c| c.is_ascii()) {
        found.add(Code::LookAlike, at);
    }
}
