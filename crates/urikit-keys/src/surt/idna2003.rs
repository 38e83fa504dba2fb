//! Names in the DNS by IDNA of 2003 (RFC 3490), which both programs use. The core's IDNA is today's
//! (UTS #46), which converts some names to others.

use stringprep::tables;
use unicode_normalization::UnicodeNormalization as _;

/// What separates labels (RFC 3490, 3.1).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// Who converts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// Python's codec `idna`, which allows code points that Unicode 3.2 does not have.
    Python,
    /// `java.net.IDN`, which does not.
    Java,
}

/// The name in the DNS; `None` if there is none, and the host stays as it is then.
pub(super) fn to_ascii(host: &str, by: By) -> Option<String> {
    if by == By::Python && host.is_ascii() {
        // An empty label is allowed at the end only.
        let mut labels = host.split('.').rev();
        let is_last = labels.next().is_some_and(|label| label.len() < 64);
        return (is_last && labels.all(is_length)).then(|| host.to_owned());
    }
    let mut out = String::new();
    let name = host.strip_suffix(DOTS).unwrap_or(host);
    for (number, label) in name.split(DOTS).enumerate() {
        if number > 0 {
            out.push('.');
        }
        out.push_str(&label_to_ascii(label, by)?);
    }
    if name.len() < host.len() {
        out.push('.');
    }
    Some(out)
}

fn is_length(label: &str) -> bool {
    (1..64).contains(&label.len())
}

fn label_to_ascii(label: &str, by: By) -> Option<String> {
    let prepared = if label.is_ascii() {
        label.to_owned()
    } else {
        let prepared = nameprep(label, by)?;
        if prepared.is_ascii() {
            prepared
        } else if prepared.starts_with("xn--") {
            return None;
        } else {
            format!("xn--{}", idna::punycode::encode_str(&prepared)?)
        }
    };
    is_length(&prepared).then_some(prepared)
}

/// RFC 3491.
fn nameprep(label: &str, by: By) -> Option<String> {
    if by == By::Java {
        return stringprep::nameprep(label).ok().map(Into::into);
    }
    let kept = label
        .chars()
        .filter(|c| !tables::commonly_mapped_to_nothing(*c));
    let folded: String = kept.flat_map(tables::case_fold_for_nfkc).collect();
    // What Unicode 3.2 does not have is neither decomposed nor composed.
    let mut text = String::with_capacity(folded.len());
    for run in folded.split_inclusive(tables::unassigned_code_point) {
        let last = run.chars().next_back();
        let new = last.filter(|c| tables::unassigned_code_point(*c));
        let known = run.len() - new.map_or(0, char::len_utf8);
        text.extend(run.get(..known).unwrap_or_default().nfkc());
        text.extend(new);
    }
    (!text.chars().any(is_prohibited) && is_bidi(&text)).then_some(text)
}

fn is_prohibited(c: char) -> bool {
    tables::non_ascii_space_character(c)
        || tables::non_ascii_control_character(c)
        || tables::private_use(c)
        || tables::non_character_code_point(c)
        || tables::inappropriate_for_plain_text(c)
        || tables::inappropriate_for_canonical_representation(c)
        || tables::change_display_properties_or_deprecated(c)
        || tables::tagging_character(c)
}

/// RFC 3454, 6.
fn is_bidi(text: &str) -> bool {
    if !text.contains(tables::bidi_r_or_al) {
        return true;
    }
    !text.contains(tables::bidi_l)
        && text.starts_with(tables::bidi_r_or_al)
        && text.ends_with(tables::bidi_r_or_al)
}
