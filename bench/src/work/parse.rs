//! Parsing a string.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use iri_string::types::{UriReferenceStr, UriStr};
use std::hint::black_box;
use urikit::{Standard, UriRef};

/// Absolute URLs.
pub fn all(texts: Texts) -> Vec<Contestant> {
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

/// References, which may be relative.
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

/// One standard after another, RFC 3986 first.
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
