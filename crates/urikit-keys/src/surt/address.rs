//! Hosts that are numbers, as the programs convert them.

use std::fmt;
use std::net::Ipv4Addr;

/// The decimal number of a text of digits, modulo 2^32.
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

/// Python's `surt`: digits only are a number, of which the low 32 bits count. One to four numbers
/// between dots are what `gethostbyname` makes of them without asking a server, which is what
/// `inet_aton` reads; anything else stays a name here, as where the DNS does not know it.
///
/// # Errors
///
/// If Python refuses to read so many digits.
pub(super) fn python(host: &[u8]) -> Result<Option<Ipv4Addr>, TooManyDigits> {
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
    // Beginning with a zero, all have to be octal.
    let is_octal = |number: &[u8]| number.iter().all(|digit| *digit < b'8');
    if host.first() == Some(&b'0') && !numbers.clone().all(is_octal) {
        return Ok(None);
    }
    Ok(aton(numbers))
}

/// What `inet_aton` reads: the last number fills the octets that are left.
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

/// A number, octal after a zero.
fn value(digits: &[u8]) -> Option<u32> {
    let text = str::from_utf8(digits).ok()?;
    match text.strip_prefix('0') {
        Some("") => Some(0),
        Some(octal) => u32::from_str_radix(octal, 8).ok(),
        None => text.parse().ok(),
    }
}

/// Java: digits only are a number of 64 bits, of which the low 32 count; four numbers are octets,
/// all octal if the first begins with a zero, and all decimal otherwise.
pub(super) fn java(host: &[u8]) -> Option<Ipv4Addr> {
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

/// More digits than Python reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooManyDigits;

impl fmt::Display for TooManyDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more than 4300 digits")
    }
}
