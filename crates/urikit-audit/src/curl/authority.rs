//! Userinfo, host and port.

use super::error::CurlError;
use super::host::{ipv6, name};
use crate::reading::Reading;
use crate::split::split_once;
use std::borrow::Cow;

/// Reads an authority; the path of the reading is empty.
pub(super) fn authority(text: &str) -> Result<Reading<'_>, CurlError> {
    let (userinfo, rest) = match split_once(text, b'@') {
        Some((userinfo, rest)) => (Some(Cow::Borrowed(userinfo)), rest),
        None => (None, text),
    };
    let end = if rest.starts_with('[') {
        rest.find(']').ok_or(CurlError::Ipv6Address)? + 1
    } else {
        rest.bytes()
            .position(|byte| byte == b':')
            .unwrap_or(rest.len())
    };
    let (host, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let port = match after.strip_prefix(':') {
        Some(digits) => port(digits)?,
        None if after.is_empty() => None,
        None => return Err(CurlError::Port),
    };
    let (host, address) = match host.strip_prefix('[') {
        Some(_) => ipv6(host)?,
        None => name(host)?,
    };
    Ok(Reading {
        userinfo,
        host: Some(host),
        address,
        port,
        ..Reading::default()
    })
}

/// The digits without leading zeros.
fn port(digits: &str) -> Result<Option<Cow<'_, str>>, CurlError> {
    if digits.is_empty() {
        return Ok(None);
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CurlError::Port);
    }
    let number = digits.trim_start_matches('0');
    match number {
        "" => Ok(Some(Cow::Borrowed("0"))),
        number if number.parse::<u16>().is_ok() => Ok(Some(Cow::Borrowed(number))),
        _ => Err(CurlError::Port),
    }
}
