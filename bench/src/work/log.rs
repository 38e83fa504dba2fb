//! Reading a log: finding the host and the query keys of each URL, with and without counting.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hint::black_box;

/// Finds the host and the keys.
pub fn uris(texts: Texts) -> Vec<Contestant> {
    vec![
        each("urikit", texts, |text| urikit(text, see, see)),
        each("fluent-uri", texts, |text| fluent_uri(text, see, see)),
    ]
}

fn see(text: &str) {
    black_box(text);
}

/// Counts the hosts and the keys in two tables.
pub fn counted(texts: Texts) -> Vec<Contestant> {
    let (ours, theirs) = (Counts::default(), Counts::default());
    vec![
        each("urikit", texts, move |text| {
            urikit(text, |host| ours.host(host), |key| ours.key(key))
        }),
        each("fluent-uri", texts, move |text| {
            fluent_uri(text, |host| theirs.host(host), |key| theirs.key(key))
        }),
    ]
}

fn urikit<'t>(text: &'t str, host: impl FnOnce(&'t str), mut key: impl FnMut(&'t str)) -> bool {
    let Ok(uri) = urikit::Uri::parse(text) else {
        return false;
    };
    host(uri.host().unwrap_or_default().as_str());
    for pair in uri.query_pairs() {
        key(pair.name().as_str());
    }
    true
}

/// fluent-uri has no pairs of queries, so they are split here, as its users do it.
fn fluent_uri<'t>(text: &'t str, host: impl FnOnce(&'t str), mut key: impl FnMut(&'t str)) -> bool {
    let Ok(uri) = fluent_uri::Uri::parse(text) else {
        return false;
    };
    host(
        uri.authority()
            .map(|authority| authority.host())
            .unwrap_or_default(),
    );
    if let Some(query) = uri.query() {
        for pair in query.split('&') {
            let name = pair.split_once('=').map_or(pair, |(name, _)| name);
            key(name.as_str());
        }
    }
    true
}

#[derive(Default)]
struct Counts {
    hosts: RefCell<HashMap<&'static str, u64>>,
    keys: RefCell<HashMap<&'static str, u64>>,
}

impl Counts {
    fn host(&self, host: &'static str) {
        *self.hosts.borrow_mut().entry(host).or_default() += 1;
    }

    fn key(&self, key: &'static str) {
        *self.keys.borrow_mut().entry(key).or_default() += 1;
    }
}
