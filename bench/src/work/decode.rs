//! Percent-decoding.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use std::hint::black_box;
use urikit::Standard;
use urikit::percent::{Place, decode};

pub fn all(texts: Texts) -> Vec<Contestant> {
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
