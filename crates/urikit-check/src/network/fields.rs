//! The header fields that a server sends to ask clients to slow down.

use std::time::Duration;
use urikit_access::Hop;

/// Returns the time until the server accepts requests again, if its header fields say that the
/// limit is reached: `RateLimit` (draft-ietf-httpapi-ratelimit-headers), and the older fields
/// `RateLimit-Remaining` and `X-RateLimit-Remaining`. `now` is in seconds since 1970.
pub(super) fn rate_limit(hop: &Hop, now: u64) -> Option<Duration> {
    for field in hop.values("RateLimit") {
        let parameter = |names: [&str; 2]| {
            let parts = field.split([';', ',']).map(str::trim);
            let mut pairs = parts.filter_map(|part| part.split_once('='));
            let found = pairs.find(|(name, _)| names.contains(name))?;
            found.1.trim().parse::<u64>().ok()
        };
        if parameter(["r", "remaining"]) == Some(0) {
            return parameter(["t", "reset"]).map(Duration::from_secs);
        }
    }
    let number = |name: &'static str| hop.values(name).next()?.trim().parse::<u64>().ok();
    for (remaining, reset) in [
        ("RateLimit-Remaining", "RateLimit-Reset"),
        ("X-RateLimit-Remaining", "X-RateLimit-Reset"),
    ] {
        if number(remaining) == Some(0) {
            // GitHub sends a point in time, and other servers send a number of seconds.
            let reset = number(reset)?;
            let left = if reset > 1_000_000_000 {
                reset.saturating_sub(now)
            } else {
                reset
            };
            return Some(Duration::from_secs(left));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::rate_limit;
    use std::time::Duration;
    use urikit_access::Hop;

    #[test]
    fn limits() {
        for (fields, seconds) in [
            (&[("RateLimit", "\"default\";r=0;t=30")][..], Some(30)),
            (&[("RateLimit", "\"default\";r=50;t=30")], None),
            (&[("ratelimit", "limit=100, remaining=0, reset=7")], Some(7)),
            (
                &[("RateLimit-Remaining", "0"), ("RateLimit-Reset", "9")],
                Some(9),
            ),
            (
                &[
                    ("X-RateLimit-Remaining", "0"),
                    ("X-RateLimit-Reset", "1800000012"),
                ],
                Some(12),
            ),
            (
                &[("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "5")],
                None,
            ),
            (&[("X-RateLimit-Remaining", "0")], None),
        ] {
            let mut hop = Hop::default();
            let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            hop.attributes = fields.iter().map(owned).collect();
            let expected = seconds.map(Duration::from_secs);
            assert_eq!(rate_limit(&hop, 1_800_000_000), expected, "{fields:?}");
        }
    }
}
