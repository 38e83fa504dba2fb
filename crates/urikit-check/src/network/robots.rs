//! robots.txt (RFC 9309).
//!
//! The `robotstxt` crate is a port of Google's parser from 2021. This module changes the crate's
//! behaviour in two ways. Lines of other kinds no longer end a group ("Crawlers MAY interpret other
//! records", 2.2.4), and matching takes linear time, which matters because the patterns may come
//! from a hostile server.

use robotstxt::RobotsParseHandler;
use robotstxt::matcher::{RobotsMatchStrategy, RobotsMatcher};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The maximum number of bytes to read from a robots.txt file: "at least 500 kibibytes" (RFC 9309,
/// 2.5).
pub(super) const MAX_LENGTH: usize = 500 << 10;

/// The groups and rules of a robots.txt file, without its other lines.
#[derive(Clone, Debug)]
pub(super) struct Robots(String);

/// Collects groups and rules.
struct Rules(String);

impl Robots {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut rules = Rules(String::new());
        robotstxt::parse_robotstxt(&ascii(text.trim_start_matches('\u{feff}')), &mut rules);
        Self(rules.0)
    }

    /// Returns true if `agent` may request a URL, which must be ASCII.
    pub(super) fn allow(&self, agent: &str, url: &str) -> bool {
        self.0.is_empty()
            || RobotsMatcher::<Linear>::default().one_agent_allowed_by_robots(&self.0, agent, url)
    }
}

impl Rules {
    /// Adds a line, which is never longer than the line of robots.txt that it comes from.
    fn add(&mut self, key: &str, value: &str) {
        self.0.extend([key, ":", value, "\n"]);
    }
}

impl RobotsParseHandler for Rules {
    fn handle_robots_start(&mut self) {}

    fn handle_robots_end(&mut self) {}

    fn handle_user_agent(&mut self, _: u32, user_agent: &str) {
        self.add("user-agent", user_agent);
    }

    fn handle_allow(&mut self, _: u32, value: &str) {
        self.add("allow", value);
    }

    fn handle_disallow(&mut self, _: u32, value: &str) {
        self.add("disallow", value);
    }

    fn handle_sitemap(&mut self, _: u32, _: &str) {}

    fn handle_unknown_action(&mut self, _: u32, _: &str, _: &str) {}
}

/// Escapes non-ASCII characters, as in URLs.
pub(super) fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
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
    ascii.into()
}

/// Matches patterns, and gives each a priority equal to its length, as RFC 9309, 2.2.2 requires.
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

/// Returns true if a pattern matches the beginning of a path. `*` matches any text, and a trailing
/// `$` matches the end.
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
        // The first match is the best one: it leaves the most text for the other parts.
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)] // a test fails by panicking
mod tests {
    use super::Robots;
    use std::time::{Duration, Instant};

    #[test]
    fn cases_of_google() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../testdata/robots/google.tsv"
        );
        let Ok(text) = std::fs::read_to_string(path) else {
            println!("SKIPPED cases_of_google: testdata/ is only in the repository");
            return;
        };
        let mut count = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let [name, verdict, agent, url, robots] = line.split('\t').collect::<Vec<_>>()[..]
            else {
                panic!("{line}");
            };
            let plain = |text: &str| {
                let text = text.replace("\\n", "\n").replace("\\r", "\r");
                text.replace("\\t", "\t")
            };
            let found = Robots::new(plain(robots).as_bytes()).allow(agent, url);
            assert_eq!(found, verdict == "allow", "{name}: {agent} {url}\n{robots}");
            count += 1;
        }
        assert_eq!(count, 140);
    }

    /// `GoogleOnly_LineTooLong`: a line is cut off after 2083 * 8 bytes.
    #[test]
    fn long_lines() {
        let long = |key: &str, letter: &str| {
            let length = 2083 * 8 - "/x/".len() - key.len() + 1;
            format!("/x/{}", letter.repeat(length - "/x/".len()))
        };
        let allows = |robots: &str, path: &str| {
            Robots::new(robots.as_bytes()).allow("FooBot", &format!("http://foo.bar{path}"))
        };
        let path = long("disallow: ", "a");
        let robots = format!("user-agent: FooBot\ndisallow: {path}/qux\n");
        assert!(allows(&robots, "/fux"));
        assert!(!allows(&robots, &format!("{path}/fux")));
        let (a, b) = (long("allow: ", "a"), long("allow: ", "b"));
        let robots = format!("user-agent: FooBot\ndisallow: /\nallow: {a}/qux\nallow: {b}/qux\n");
        assert!(!allows(&robots, "/"));
        assert!(allows(&robots, &format!("{a}/qux")));
        assert!(allows(&robots, &format!("{b}/fux")));
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let robots = Robots::new(b"\xEF\xBB\xBFUser-Agent: foo\nDisallow: /\n");
        assert!(!robots.allow("foo", "http://a.example/x"));
    }

    #[test]
    fn hostile_files_take_little_time() {
        let begun = Instant::now();
        let stars = format!("user-agent: *\ndisallow: /{}b$\n", "*a".repeat(8000));
        let robots = stars.repeat(30);
        let url = format!("http://a.example/{}", "a".repeat(8000));
        assert!(Robots::new(robots.as_bytes()).allow("urikit", &url));
        let bytes: Vec<u8> = (0..=255).cycle().take(500 << 10).collect();
        assert!(Robots::new(&bytes).allow("urikit", &url));
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}
