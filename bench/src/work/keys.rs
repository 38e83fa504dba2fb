//! Finding the distinct references in a long list.

use crate::Contestant;
use crate::data::List;
use crate::rounds::Group;
use std::collections::HashSet;
use std::hint::black_box;
use urikit::op::{Level, NormalKey};
use urikit::{UriRef, UriRefBuf};

/// The number of distinct references. Each of them appears four times in the list.
const DISTINCT: usize = 250_000;

/// Creates a benchmark that finds the distinct references among a million references, which are
/// made from those in `list`.
pub fn group(list: &List) -> Group {
    let texts: Vec<String> = (0..4 * DISTINCT)
        .map(|at| {
            let number = at * 7919 % DISTINCT;
            let base = list.texts[number % list.texts.len()];
            let base = base.split('#').next().unwrap_or_default();
            let separator = if base.contains('?') { '&' } else { '?' };
            format!("{base}{separator}{number}")
        })
        .collect();
    let (count, bytes) = (texts.len(), texts.iter().map(String::len).sum());
    let texts: &'static [String] = texts.leak();
    Group {
        work: "keys",
        data: list.name,
        texts: count,
        bytes,
        contestants: vec![
            Contestant {
                name: "urikit NormalKey",
                run: Box::new(|| keys(texts)),
            },
            Contestant {
                name: "urikit into a HashSet<String>",
                run: Box::new(|| strings(texts)),
            },
        ],
    }
}

/// Counts the distinct references, and copies only the first of several equal ones.
fn keys(texts: &[String]) -> usize {
    let mut seen: HashSet<NormalKey<UriRefBuf>> = HashSet::new();
    for text in texts {
        if let Ok(uri) = UriRef::parse(text)
            && !seen.contains(NormalKey(uri).as_key())
        {
            seen.insert(NormalKey(uri.to_owned()));
        }
    }
    black_box(&seen).len()
}

fn strings(texts: &[String]) -> usize {
    let mut seen: HashSet<String> = HashSet::new();
    let mut out = String::new();
    for text in texts {
        let Ok(uri) = UriRef::parse(text) else {
            continue;
        };
        out.clear();
        uri.normalize_into(Level::Scheme, &mut out);
        if !seen.contains(&out) {
            seen.insert(out.clone());
        }
    }
    black_box(&seen).len()
}
