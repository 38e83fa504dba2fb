//! Iterating over all pairs of a query, in a reference parsed beforehand.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use std::hint::black_box;
use urikit::Uri;

pub fn all(texts: Texts) -> Vec<Contestant> {
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
