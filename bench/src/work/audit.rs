//! Comparing parsers on a string: `agree` asks seven, including the crate `url`.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use std::hint::black_box;
use urikit_audit::java::JavaUri;

pub fn all(texts: Texts) -> Vec<Contestant> {
    vec![
        each("agree", texts, |text| {
            black_box(urikit_audit::agree(text)).is_unanimous()
        }),
        each("audit", texts, |text| {
            black_box(urikit_audit::audit(text)).findings().is_empty()
        }),
        each("java-net-uri", texts, |text| {
            black_box(JavaUri::parse(text)).is_ok()
        }),
        each("url", texts, |text| {
            black_box(url::Url::parse(text)).is_ok()
        }),
    ]
}
