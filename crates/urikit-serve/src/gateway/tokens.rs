//! Tokens of forms. A token is bound to the page with the form and to the client, and expires.

use ring::hmac;
use ring::rand::SystemRandom;
use std::fmt::Write as _;
use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time within which a form must be sent.
const LIFETIME: Duration = Duration::from_secs(3600);

/// Makes and checks tokens, with a key that exists only in this process.
pub(super) struct Tokens(hmac::Key);

impl Tokens {
    /// Returns `None` if the system cannot provide random numbers.
    pub(super) fn new() -> Option<Self> {
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new());
        Some(Self(key.ok()?))
    }

    pub(super) fn make(&self, url: &str, client: IpAddr) -> String {
        let end = now().saturating_add(LIFETIME.as_secs());
        let tag = hmac::sign(&self.0, message(url, client, end).as_bytes());
        let mut token = format!("{end:x}-");
        for byte in tag.as_ref() {
            let _ = write!(token, "{byte:02x}");
        }
        token
    }

    pub(super) fn check(&self, token: &str, url: &str, client: IpAddr) -> bool {
        let Some((end, tag)) = token.split_once('-') else {
            return false;
        };
        let Ok(end) = u64::from_str_radix(end, 16) else {
            return false;
        };
        let (pairs, rest) = tag.as_bytes().as_chunks::<2>();
        let octet = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let tag: Option<Vec<u8>> = pairs.iter().map(octet).collect();
        let message = message(url, client, end);
        let is_ours =
            tag.is_some_and(|tag| hmac::verify(&self.0, message.as_bytes(), &tag).is_ok());
        is_ours && rest.is_empty() && now() <= end
    }
}

fn message(url: &str, client: IpAddr, end: u64) -> String {
    format!("{end:x} {client} {url}")
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

#[cfg(test)]
mod tests {
    use super::Tokens;

    #[test]
    fn a_token_is_valid_for_one_page_and_client() {
        let tokens = Tokens::new().unwrap();
        let [a, b] = ["127.0.0.1", "::1"].map(|text| text.parse().unwrap());
        let token = tokens.make("gopher://h/", a);
        assert!(tokens.check(&token, "gopher://h/", a));
        assert!(!tokens.check(&token, "gopher://h/x", a));
        assert!(!tokens.check(&token, "gopher://h/", b));
        let later = token.replacen(|_: char| true, "f", 1);
        let other = Tokens::new().unwrap();
        assert!(!other.check(&token, "gopher://h/", a));
        for wrong in [
            "",
            "-",
            "0-",
            &token.chars().rev().skip(2).collect::<String>(),
            &later,
            &format!("{token}0"),
        ] {
            assert!(!tokens.check(wrong, "gopher://h/", a), "{wrong}");
        }
    }
}
