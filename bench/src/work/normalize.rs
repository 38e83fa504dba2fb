//! Parsing and normalizing a string. The count is how many are in normal form already, where the
//! implementation reports it.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use iri_string::types::UriStr;
use std::fmt::Write as _;
use std::hint::black_box;
use urikit::UriRef;
use urikit::op::Level;

pub fn all(texts: Texts) -> Vec<Contestant> {
    let mut out = String::new();
    let mut out_string = String::new();
    vec![
        each("urikit", texts, |text| {
            let Ok(uri) = UriRef::parse(text) else {
                return false;
            };
            matches!(black_box(uri.normalize()), urikit::op::CowRef::Borrowed(_))
        }),
        each("urikit into a buffer", texts, move |text| {
            let Ok(uri) = UriRef::parse(text) else {
                return false;
            };
            out.clear();
            let changed = uri.normalize_into(Level::Scheme, &mut out);
            black_box(&out);
            !changed
        }),
        each("fluent-uri", texts, |text| {
            let Ok(uri) = fluent_uri::Uri::parse(text) else {
                return false;
            };
            black_box(uri.normalize());
            true
        }),
        each("iri-string", texts, move |text| {
            let Ok(uri) = UriStr::new(text) else {
                return false;
            };
            out_string.clear();
            let written = write!(out_string, "{}", uri.normalize()).is_ok();
            black_box(&out_string);
            written
        }),
        each("uriparse", texts, |text| {
            let Ok(mut uri) = uriparse::URI::try_from(text) else {
                return false;
            };
            uri.normalize();
            black_box(uri.to_string());
            true
        }),
        // The next two normalize as they parse.
        each("url", texts, |text| {
            black_box(url::Url::parse(text)).is_ok()
        }),
        each("ada-url", texts, |text| {
            black_box(ada_url::Url::parse(text, None)).is_ok()
        }),
    ]
}
