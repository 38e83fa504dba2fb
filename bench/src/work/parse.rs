//! Parsing strings, reading their components and pairs, and decoding.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use iri_string::types::{UriReferenceStr, UriStr};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hint::black_box;
use urikit::percent::{Place, decode};
use urikit::{Standard, Uri, UriRef};

/// Parses absolute URLs.
pub fn urls(texts: Texts) -> Vec<Contestant> {
    vec![
        each("urikit", texts, |text| {
            black_box(UriRef::parse(text)).is_ok()
        }),
        each("fluent-uri", texts, |text| {
            black_box(fluent_uri::Uri::parse(text)).is_ok()
        }),
        each("oxiri", texts, |text| {
            black_box(oxiri::Iri::parse(text)).is_ok()
        }),
        each("iri-string", texts, |text| {
            black_box(UriStr::new(text)).is_ok()
        }),
        each("iref", texts, |text| {
            black_box(iref::Uri::new(text)).is_ok()
        }),
        each("uriparse", texts, |text| {
            black_box(uriparse::URI::try_from(text)).is_ok()
        }),
        each("http", texts, |text| {
            black_box(http::Uri::try_from(text)).is_ok()
        }),
        each("url", texts, |text| {
            black_box(url::Url::parse(text)).is_ok()
        }),
        each("ada-url", texts, |text| {
            black_box(ada_url::Url::parse(text, None)).is_ok()
        }),
        each("ada-url can_parse", texts, |text| {
            black_box(ada_url::Url::can_parse(text, None))
        }),
    ]
}

/// Parses references, which may be relative.
pub fn references(texts: Texts) -> Vec<Contestant> {
    vec![
        each("urikit", texts, |text| {
            black_box(UriRef::parse(text)).is_ok()
        }),
        each("fluent-uri", texts, |text| {
            black_box(fluent_uri::UriRef::parse(text)).is_ok()
        }),
        each("oxiri", texts, |text| {
            black_box(oxiri::IriRef::parse(text)).is_ok()
        }),
        each("iri-string", texts, |text| {
            black_box(UriReferenceStr::new(text)).is_ok()
        }),
        each("iref", texts, |text| {
            black_box(iref::UriRef::new(text)).is_ok()
        }),
        each("uriparse", texts, |text| {
            black_box(uriparse::URIReference::try_from(text)).is_ok()
        }),
    ]
}

/// Parses under one standard after another, beginning with RFC 3986.
pub fn standards(texts: Texts) -> Vec<Contestant> {
    let mut standards = Standard::ALL;
    standards.sort_by_key(|standard| *standard != Standard::Rfc3986);
    let one = |standard: Standard| {
        each(standard.name(), texts, move |text| {
            black_box(standard.parse(text)).is_ok()
        })
    };
    standards.into_iter().map(one).collect()
}

/// Parses a string and reads each component.
pub fn components(texts: Texts) -> Vec<Contestant> {
    vec![
        each("urikit", texts, |text| {
            let Ok(uri) = UriRef::parse(text) else {
                return false;
            };
            let authority = uri.authority();
            black_box((
                uri.scheme(),
                authority.and_then(|a| a.userinfo()),
                authority.map(|a| a.host().as_str()),
                authority.and_then(|a| a.port()),
                uri.path().as_str(),
                uri.query().map(|q| q.as_str()),
                uri.fragment().map(|f| f.as_str()),
            ));
            true
        }),
        each("fluent-uri", texts, |text| {
            let Ok(uri) = fluent_uri::Uri::parse(text) else {
                return false;
            };
            let authority = uri.authority();
            black_box((
                uri.scheme().as_str(),
                authority.and_then(|a| a.userinfo()).map(|u| u.as_str()),
                authority.map(|a| a.host()),
                authority.and_then(|a| a.port()).map(|p| p.as_str()),
                uri.path().as_str(),
                uri.query().map(|q| q.as_str()),
                uri.fragment().map(|f| f.as_str()),
            ));
            true
        }),
        each("oxiri", texts, |text| {
            let Ok(iri) = oxiri::Iri::parse(text) else {
                return false;
            };
            // oxiri does not split the authority.
            black_box((
                iri.scheme(),
                iri.authority(),
                iri.path(),
                iri.query(),
                iri.fragment(),
            ));
            true
        }),
        each("iri-string", texts, |text| {
            let Ok(uri) = UriStr::new(text) else {
                return false;
            };
            let authority = uri.authority_components();
            black_box((
                uri.scheme_str(),
                authority.and_then(|a| a.userinfo()),
                authority.map(|a| a.host()),
                authority.and_then(|a| a.port()),
                uri.path_str(),
                uri.query_str(),
                uri.fragment_str(),
            ));
            true
        }),
        each("iref", texts, |text| {
            let Ok(uri) = iref::Uri::new(text) else {
                return false;
            };
            let parts = uri.parts();
            let authority = parts.authority.map(|a| a.parts());
            black_box((
                parts.scheme.as_str(),
                authority
                    .as_ref()
                    .and_then(|a| a.user_info)
                    .map(|u| u.as_str()),
                authority.as_ref().map(|a| a.host.as_str()),
                authority.as_ref().and_then(|a| a.port).map(|p| p.as_str()),
                parts.path.as_str(),
                parts.query.map(|q| q.as_str()),
                parts.fragment.map(|f| f.as_str()),
            ));
            true
        }),
        each("uriparse", texts, |text| {
            let Ok(uri) = uriparse::URI::try_from(text) else {
                return false;
            };
            black_box((
                uri.scheme(),
                uri.username(),
                uri.password(),
                uri.host(),
                uri.port(),
                uri.path(),
                uri.query(),
                uri.fragment(),
            ));
            true
        }),
        each("http", texts, |text| {
            let Ok(uri) = http::Uri::try_from(text) else {
                return false;
            };
            black_box((
                uri.scheme_str(),
                uri.host(),
                uri.port(),
                uri.path(),
                uri.query(),
            ));
            true
        }),
        each("url", texts, |text| {
            let Ok(url) = url::Url::parse(text) else {
                return false;
            };
            black_box((
                url.scheme(),
                url.username(),
                url.password(),
                url.host_str(),
                url.port(),
                url.path(),
                url.query(),
                url.fragment(),
            ));
            true
        }),
        each("ada-url", texts, |text| {
            let Ok(url) = ada_url::Url::parse(text, None) else {
                return false;
            };
            black_box((
                url.protocol(),
                url.username(),
                url.password(),
                url.hostname(),
                url.port(),
                url.pathname(),
                url.search(),
                url.hash(),
            ));
            true
        }),
    ]
}

/// Iterates over all pairs in a query, with and without parsing the reference.
pub fn pairs(texts: Texts) -> Vec<Contestant> {
    vec![
        each("urikit, with parsing", texts, |text| {
            let Ok(uri) = Uri::parse(text) else {
                return false;
            };
            for pair in uri.query_pairs() {
                black_box((
                    pair.name().as_str(),
                    pair.value().map(|value| value.as_str()),
                ));
            }
            true
        }),
        each("urikit, parsing alone", texts, |text| {
            black_box(Uri::parse(text)).is_ok()
        }),
        each("split by hand", texts, |text| {
            let Some((_, query)) = text.split_once('?') else {
                return false;
            };
            for pair in query.split('&') {
                black_box(pair.split_once('='));
            }
            true
        }),
    ]
}

/// Decodes the escapes of a query.
pub fn decoding(texts: Texts) -> Vec<Contestant> {
    vec![
        each("urikit", texts, |text| {
            let Ok(data) = decode(text, Place::Query, Standard::Rfc3986) else {
                return false;
            };
            black_box(data.decode_utf8()).is_ok()
        }),
        each("urlencoding", texts, |text| {
            black_box(urlencoding::decode(text)).is_ok()
        }),
        each("percent-encoding", texts, |text| {
            black_box(percent_encoding::percent_decode_str(text).decode_utf8()).is_ok()
        }),
        each("urikit, octets", texts, |text| {
            let Ok(data) = decode(text, Place::Query, Standard::Rfc3986) else {
                return false;
            };
            black_box(data.to_bytes());
            true
        }),
        each("urlencoding, octets", texts, |text| {
            black_box(urlencoding::decode_binary(text.as_bytes()));
            true
        }),
    ]
}

/// Finds the host and the query keys of each URL.
pub fn uris(texts: Texts) -> Vec<Contestant> {
    vec![
        each("urikit", texts, |text| urikit(text, see, see)),
        each("fluent-uri", texts, |text| fluent_uri(text, see, see)),
    ]
}

fn see(text: &str) {
    black_box(text);
}

/// Counts the hosts and the query keys in two tables.
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

/// fluent-uri does not split queries into pairs, so this function splits them, as users of that
/// crate would.
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
