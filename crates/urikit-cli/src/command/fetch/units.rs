//! Numbers with units, as options have them.

use std::time::Duration;

/// A number of bytes, with a suffix as in curl.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let shift = match text.get(digits.len()..) {
        Some("") => 0,
        Some("k" | "K") => 10,
        Some("m" | "M") => 20,
        Some("g" | "G") => 30,
        _ => 64,
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.and_then(|number| number.checked_mul(1_u64.checked_shl(shift)?));
    bytes.ok_or_else(|| "expected a number of bytes, such as 500, 20k or 5M".to_owned())
}

/// A time in seconds. 0 means no limit, which is the longest time.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    match seconds.filter(|seconds| seconds.is_finite() && seconds.is_sign_positive()) {
        None => Err("expected a number of seconds, 0 or more".to_owned()),
        Some(0.0) => Ok(Duration::MAX),
        // What is too long for the clock is no limit either.
        Some(seconds) => Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
    }
}
