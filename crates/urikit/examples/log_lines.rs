//! Hosts and keys of queries, counted over many lines with a URL each.
//!
//! `cargo run --release --example log_lines < urls.txt`

use std::collections::HashMap;
use std::io::{self, BufRead as _, Write as _};
use urikit::Uri;

fn main() -> io::Result<()> {
    let (mut hosts, mut keys) = (HashMap::<String, u64>::new(), HashMap::<String, u64>::new());
    let count = |counts: &mut HashMap<String, u64>, name: &str| match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(counts.insert(name.to_owned(), 1)),
    };
    let mut bad = 0;
    let (mut input, mut line) = (io::stdin().lock(), String::new());
    while input.read_line(&mut line)? > 0 {
        match Uri::parse(line.trim_ascii_end()) {
            Ok(uri) => {
                count(&mut hosts, uri.host().map_or("", |host| host.as_str()));
                uri.query_pairs()
                    .for_each(|pair| count(&mut keys, pair.name().as_str()));
            }
            Err(_) => bad += 1,
        }
        line.clear();
    }
    let mut out = io::stdout().lock();
    for (what, counts) in [("host", hosts), ("key", keys)] {
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (name, count) in counts.iter().take(10) {
            writeln!(out, "{what}\t{count}\t{name}")?;
        }
    }
    writeln!(out, "bad\t{bad}")
}
