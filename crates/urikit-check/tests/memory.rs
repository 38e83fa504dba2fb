//! The memory used by a recursion: a million pages take less than 1 GB, with and without a state
//! file. `URIKIT_LONG=1` reads a million pages.

#![allow(clippy::unwrap_used)] // a test fails by panicking
#![cfg(target_os = "linux")]

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs;
use urikit_check::{
    Check, Content, Outcome, Probed, Prober, Recursion, Request, RequestId, Source, State,
};
use urikit_extract::document::Format;

/// The number of links on each page.
const LINKS: u32 = 10;

/// A site with this number of pages. Each page leads to ten others, so that most pages wait in the
/// queue at one time.
struct Site {
    pages: u32,
}

impl Site {
    fn page(&self, url: &str) -> Content {
        let digits = url.rsplit('-').next().unwrap_or_default();
        let number: u32 = digits.parse().unwrap_or(0);
        let mut page = "<title>Page</title><p>Text of the page.".to_owned();
        for link in 1..=LINKS {
            let next = number.wrapping_mul(LINKS).wrapping_add(link) % self.pages;
            write!(page, "<a href=page-{next}>{next}</a> ").unwrap();
        }
        Content {
            format: Some(Format::Html),
            charset: None,
            bytes: page.into_bytes(),
        }
    }
}

impl Prober for Site {
    fn probe(
        &self,
        requests: Vec<Request>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    ) {
        let mut waiting = VecDeque::from(requests);
        while let Some(request) = waiting.pop_front() {
            let content = request.needs_content.then(|| self.page(&request.url));
            let probed = Probed {
                content,
                ..Probed::from(Outcome::Ok)
            };
            waiting.extend(done(request.id, probed));
        }
    }
}

/// Returns the current and the peak memory in bytes.
fn memory() -> [usize; 2] {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    ["VmRSS:", "VmHWM:"].map(|name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes: usize = line
            .unwrap()
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .unwrap();
        kilobytes << 10
    })
}

#[test]
fn a_million_pages_take_less_than_a_gigabyte() {
    // Tables grow by doubling, so they are less full after 20,000 pages than after a million.
    let (pages, limit) = if std::env::var_os("URIKIT_LONG").is_some() {
        (1_000_000, 1000)
    } else {
        (20_000, 1300)
    };
    let site = Site { pages };
    let path = std::env::temp_dir().join(format!("urikit-memory-{}", std::process::id()));
    let state = State::open(&path, "memory").unwrap();
    let [before, _] = memory();
    let recursion = Recursion::new().max_similar(u32::MAX);
    let check = Check::new().recursion(Some(recursion));
    let start = Source::url("https://www.a.example/docs/reference/page-0");
    let report = check.run([start], &state.prober(&site, Check::new().stop()));
    let [_, peak] = memory();
    let summary = report.summary();
    assert_eq!(summary.documents, pages as usize);
    assert_eq!(summary.links, (pages * LINKS) as usize);
    let each = peak.saturating_sub(before) / pages as usize;
    let written = fs::metadata(&path).unwrap().len() / u64::from(pages);
    println!("{each} bytes of memory for each page, and {written} bytes in the state");
    state.remove().unwrap();
    assert!(each < limit, "{each}");
}
