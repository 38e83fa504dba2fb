//! Resolving a reference against a base.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use iri_string::types::{UriAbsoluteStr, UriReferenceStr};
use std::fmt::Write as _;
use std::hint::black_box;
use urikit::UriRef;
use urikit::op::Options;

/// References and a base that are already parsed; into a buffer if there is such a function.
pub fn parsed(texts: Texts, base: &'static str) -> Vec<Contestant> {
    let base_ours = urikit::Uri::parse(base).expect("a base");
    let ours: Vec<_> = texts
        .iter()
        .filter_map(|text| UriRef::parse(text).ok())
        .collect();
    let base_fluent = fluent_uri::Uri::parse(base).expect("a base");
    let fluent: Vec<_> = texts
        .iter()
        .filter_map(|text| fluent_uri::UriRef::parse(*text).ok())
        .collect();
    let base_oxiri = oxiri::Iri::parse(base).expect("a base");
    let oxiri: Vec<_> = texts
        .iter()
        .filter_map(|text| oxiri::IriRef::parse(*text).ok())
        .collect();
    let base_string = UriAbsoluteStr::new(base).expect("a base");
    let string: Vec<_> = texts
        .iter()
        .filter_map(|text| UriReferenceStr::new(text).ok())
        .collect();
    let base_iref = iref::Uri::new(base).expect("a base");
    let irefs: Vec<_> = texts
        .iter()
        .filter_map(|text| iref::UriRef::new(text).ok())
        .collect();
    let mut out = String::new();
    let mut out_oxiri = String::new();
    let mut out_string = String::new();
    vec![
        over("urikit", ours, move |reference| {
            out.clear();
            let resolved = reference
                .resolve_into(base_ours, Options::default(), &mut out)
                .is_ok();
            black_box(&out);
            resolved
        }),
        over("oxiri resolve_into", oxiri, move |reference| {
            out_oxiri.clear();
            let resolved = base_oxiri.resolve_into(reference, &mut out_oxiri).is_ok();
            black_box(&out_oxiri);
            resolved
        }),
        over("fluent-uri", fluent, move |reference| {
            black_box(reference.resolve_against(&base_fluent)).is_ok()
        }),
        over("iri-string", string, move |reference| {
            out_string.clear();
            let resolved = write!(out_string, "{}", reference.resolve_against(base_string)).is_ok();
            black_box(&out_string);
            resolved
        }),
        over("iref", irefs, move |reference| {
            black_box(reference.resolved(base_iref));
            true
        }),
    ]
}

/// Strings against a base that is already parsed.
pub fn texts(texts: Texts, base: &'static str) -> Vec<Contestant> {
    let base_ours = urikit::Uri::parse(base).expect("a base");
    let base_fluent = fluent_uri::Uri::parse(base).expect("a base");
    let base_oxiri = oxiri::Iri::parse(base).expect("a base");
    let base_url = url::Url::parse(base).expect("a base");
    let mut out = String::new();
    let mut out_oxiri = String::new();
    vec![
        each("urikit", texts, move |text| {
            let Ok(reference) = UriRef::parse(text) else {
                return false;
            };
            out.clear();
            let resolved = reference
                .resolve_into(base_ours, Options::default(), &mut out)
                .is_ok();
            black_box(&out);
            resolved
        }),
        each("oxiri resolve_into", texts, move |text| {
            let Ok(reference) = oxiri::IriRef::parse(text) else {
                return false;
            };
            out_oxiri.clear();
            let resolved = base_oxiri.resolve_into(&reference, &mut out_oxiri).is_ok();
            black_box(&out_oxiri);
            resolved
        }),
        each("fluent-uri", texts, move |text| {
            let Ok(reference) = fluent_uri::UriRef::parse(text) else {
                return false;
            };
            black_box(reference.resolve_against(&base_fluent)).is_ok()
        }),
        each("url", texts, move |text| {
            black_box(base_url.join(text)).is_ok()
        }),
        each("ada-url", texts, move |text| {
            black_box(ada_url::Url::parse(text, Some(base))).is_ok()
        }),
    ]
}

fn over<T: 'static>(
    name: &'static str,
    items: Vec<T>,
    mut work: impl FnMut(&T) -> bool + 'static,
) -> Contestant {
    let run = move || items.iter().filter(|item| work(black_box(item))).count();
    Contestant {
        name,
        run: Box::new(run),
    }
}
