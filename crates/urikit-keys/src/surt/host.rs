//! Converts hosts: numbers to IPv4 addresses as the Internet Archive's programs do, and names to
//! US-ASCII with IDNA 2003 (RFC 3490), which both programs use.
//!
//! The core's IDNA follows UTS #46, which converts some names differently.

use std::fmt;
use std::net::Ipv4Addr;
use stringprep::tables;
use unicode_normalization::UnicodeNormalization as _;

/// Returns the value of decimal digits modulo 2^32.
fn low_bits(digits: &[u8]) -> u32 {
    digits.iter().fold(0_u32, |number, digit| {
        number
            .wrapping_mul(10)
            .wrapping_add(u32::from(digit - b'0'))
    })
}

fn is_digits(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// Returns the address to which Python's `surt` converts a host.
///
/// `surt` parses digits without dots as one number and uses its low 32 bits. For up to four
/// numbers separated by dots, `surt` calls `gethostbyname`, which accepts the addresses of
/// `inet_aton` without asking a server. This function treats all other hosts as names, as `surt`
/// does on a machine whose DNS does not know them.
///
/// # Errors
///
/// Fails if the host has more digits than Python can convert to a number.
pub(super) fn python_address(host: &[u8]) -> Result<Option<Ipv4Addr>, TooManyDigits> {
    const MOST_DIGITS: usize = 4300;
    if is_digits(host) {
        return match host.len() {
            0..=MOST_DIGITS => Ok(Some(low_bits(host).into())),
            _ => Err(TooManyDigits),
        };
    }
    let numbers = host.split(|byte| *byte == b'.');
    if numbers.clone().count() > 4 || !numbers.clone().all(is_digits) {
        return Ok(None);
    }
    // If the first number begins with a zero, all numbers must be octal.
    let is_octal = |number: &[u8]| number.iter().all(|digit| *digit < b'8');
    if host.first() == Some(&b'0') && !numbers.clone().all(is_octal) {
        return Ok(None);
    }
    Ok(aton(numbers))
}

/// Parses an address as `inet_aton` does: the last number fills the remaining octets.
fn aton<'a>(numbers: impl Iterator<Item = &'a [u8]>) -> Option<Ipv4Addr> {
    let (mut address, mut last, mut count) = (0_u32, None, 0_u32);
    for number in numbers {
        if let Some(octet) = last.replace(number) {
            let octet = u8::try_from(value(octet)?).ok()?;
            address = address << 8 | u32::from(octet);
            count += 1;
        }
    }
    let last = value(last?)?;
    let bits = 8 * (4 - count);
    if bits < 32 && last >> bits != 0 {
        return None;
    }
    let address = address.checked_shl(bits).unwrap_or(0) | last;
    Some(address.into())
}

/// Returns the value of a number, which is octal if it begins with a zero.
fn value(digits: &[u8]) -> Option<u32> {
    let text = str::from_utf8(digits).ok()?;
    match text.strip_prefix('0') {
        Some("") => Some(0),
        Some(octal) => u32::from_str_radix(octal, 8).ok(),
        None => text.parse().ok(),
    }
}

/// Returns the address to which the Java program converts a host.
///
/// The program parses digits without dots as a 64-bit number and uses its low 32 bits. Four
/// numbers separated by dots are octets, written in octal if the first begins with a zero, and in
/// decimal otherwise.
pub(super) fn java_address(host: &[u8]) -> Option<Ipv4Addr> {
    let text = str::from_utf8(host).ok()?;
    if is_digits(host) {
        text.parse::<i64>().ok()?;
        return Some(low_bits(host).into());
    }
    let radix = if text.starts_with('0') { 8 } else { 10 };
    let mut octets = [0; 4];
    let mut numbers = text.split('.');
    for octet in &mut octets {
        let digits = numbers.next()?;
        if !is_digits(digits.as_bytes()) {
            return None;
        }
        *octet = u8::from_str_radix(digits, radix).ok()?;
    }
    numbers.next().is_none().then(|| Ipv4Addr::from(octets))
}

/// The error for a host with more digits than Python can convert to a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooManyDigits;

impl fmt::Display for TooManyDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more than 4300 digits")
    }
}

/// The characters that separate labels (RFC 3490, 3.1).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// The implementation of IDNA.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Idna {
    /// Python's `idna` codec, which allows code points that Unicode 3.2 does not define.
    Python,
    /// `java.net.IDN`, which rejects code points that Unicode 3.2 does not define.
    Java,
}

/// Converts a host to US-ASCII. Returns `None` for hosts that the implementation rejects.
pub(super) fn to_ascii(host: &str, by: Idna) -> Option<String> {
    if by == Idna::Python && host.is_ascii() {
        // Only the last label may be empty.
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

fn label_to_ascii(label: &str, by: Idna) -> Option<String> {
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

/// Prepares a label according to RFC 3491 (Nameprep).
fn nameprep(label: &str, by: Idna) -> Option<String> {
    if by == Idna::Java {
        return stringprep::nameprep(label).ok().map(Into::into);
    }
    let kept = label
        .chars()
        .filter(|c| !tables::commonly_mapped_to_nothing(*c));
    let folded: String = kept.flat_map(tables::case_fold_for_nfkc).collect();
    // NFKC in Unicode 3.2 does not change code points that this version does not define.
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

/// Checks the requirements for bidirectional text (RFC 3454, 6).
fn is_bidi(text: &str) -> bool {
    if !text.contains(tables::bidi_r_or_al) {
        return true;
    }
    !text.contains(tables::bidi_l)
        && text.starts_with(tables::bidi_r_or_al)
        && text.ends_with(tables::bidi_r_or_al)
}
