//! Counts the hosts and query keys in a list of URLs, one per line.
//!
//! `cargo run --release --example log_lines < urls.txt`

use std::collections::HashMap;
use std::io::{self, BufRead, Write as _};
use urikit::Uri;

#[derive(Default)]
struct Counts {
    hosts: HashMap<String, u64>,
    keys: HashMap<String, u64>,
    bad: u64,
}

fn count(counts: &mut HashMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(counts.insert(name.to_owned(), 1)),
    }
}

fn read(mut input: impl BufRead) -> io::Result<Counts> {
    let (mut counts, mut line) = (Counts::default(), String::new());
    while input.read_line(&mut line)? > 0 {
        match Uri::parse(line.trim_ascii_end()) {
            Ok(uri) => {
                count(&mut counts.hosts, uri.host().unwrap_or_default().as_str());
                uri.query_pairs()
                    .for_each(|pair| count(&mut counts.keys, pair.name().as_str()));
            }
            Err(_) => counts.bad += 1,
        }
        line.clear();
    }
    Ok(counts)
}

fn main() -> io::Result<()> {
    let counts = read(io::stdin().lock())?;
    let mut out = io::stdout().lock();
    for (what, counts) in [("host", counts.hosts), ("key", counts.keys)] {
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (name, count) in counts.iter().take(10) {
            writeln!(out, "{what}\t{count}\t{name}")?;
        }
    }
    writeln!(out, "bad\t{}", counts.bad)
}

#[cfg(test)]
#[test]
fn counts_hosts_and_keys() {
    let counts = read(&b"http://a/?x=1&y\nhttps://b.example/?x\r\n::\n"[..]).unwrap();
    assert_eq!(
        (counts.hosts["a"], counts.hosts["b.example"], counts.bad),
        (1, 1, 1)
    );
    assert_eq!((counts.keys["x"], counts.keys["y"]), (2, 1));
}
