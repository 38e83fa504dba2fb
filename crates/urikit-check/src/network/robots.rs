//! robots.txt (RFC 9309).
//!
//! The crate `robotstxt` is a port of Google's parser. Only its wildcard matching is replaced: it
//! takes quadratic time and memory, which a hostile server could use.

use robotstxt::matcher::{RobotsMatchStrategy, RobotsMatcher};
use std::fmt::Write as _;

/// The number of bytes of a robots.txt that are read: "at least 500 kibibytes" (RFC 9309, 2.5).
pub(super) const MAX_LENGTH: usize = 500 << 10;

/// The rules of a robots.txt.
#[derive(Clone, Debug)]
pub(super) struct Robots(String);

impl Robots {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        Self(ascii(text.trim_start_matches('\u{feff}')))
    }

    /// Returns true if `agent` may request a URL.
    pub(super) fn allow(&self, agent: &str, url: &str) -> bool {
        let url = ascii(url);
        RobotsMatcher::<Linear>::default().one_agent_allowed_by_robots(&self.0, agent, &url)
    }
}

/// Escapes characters other than ASCII, as in URLs.
fn ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    let mut bytes = [0; 4];
    for c in text.chars() {
        if c.is_ascii() {
            ascii.push(c);
        } else {
            for byte in c.encode_utf8(&mut bytes).bytes() {
                // Writing to a string does not fail.
                let _ = write!(ascii, "%{byte:02X}");
            }
        }
    }
    ascii
}

/// Matches patterns with a priority that is their length, as RFC 9309, 2.2.2 requires.
#[derive(Default)]
struct Linear;

impl RobotsMatchStrategy for Linear {
    fn match_allow(&self, path: &str, pattern: &str) -> i32 {
        priority(path, pattern)
    }

    fn match_disallow(&self, path: &str, pattern: &str) -> i32 {
        priority(path, pattern)
    }
}

/// Returns the length of a pattern that matches the beginning of a path, or -1.
fn priority(path: &str, pattern: &str) -> i32 {
    if is_match(path, pattern) {
        i32::try_from(pattern.len()).unwrap_or(i32::MAX)
    } else {
        -1
    }
}

/// Returns true if a pattern matches the beginning of a path. `*` is any text, and a final `$` is
/// the end.
fn is_match(path: &str, pattern: &str) -> bool {
    let (pattern, is_anchored) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return !is_anchored || rest.is_empty();
    };
    for part in parts {
        // The first place is the best one: it leaves most for the other parts.
        match rest.find(part).and_then(|at| rest.get(at + part.len()..)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    if is_anchored {
        rest.ends_with(last)
    } else {
        rest.contains(last)
    }
}
