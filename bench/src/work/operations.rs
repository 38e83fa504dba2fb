//! Normalizing, resolving and auditing references.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use iri_string::types::{UriAbsoluteStr, UriReferenceStr, UriStr};
use std::fmt::Write as _;
use std::hint::black_box;
use urikit::UriRef;
use urikit::op::{Level, Options};
use urikit_audit::java::JavaUri;

/// Parses and normalizes a string. The reported count is the number of strings in normal form, if
/// the implementation reports it.
pub fn normalize(texts: Texts) -> Vec<Contestant> {
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
        // The next two crates normalize while parsing.
        each("url", texts, |text| {
            black_box(url::Url::parse(text)).is_ok()
        }),
        each("ada-url", texts, |text| {
            black_box(ada_url::Url::parse(text, None)).is_ok()
        }),
    ]
}

/// Resolves parsed references against a parsed base, into a buffer if the implementation supports
/// this.
pub fn resolve(texts: Texts, base: &'static str) -> Vec<Contestant> {
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

/// Parses strings and resolves them against a parsed base.
pub fn parse_and_resolve(texts: Texts, base: &'static str) -> Vec<Contestant> {
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

/// Compares parsers on a string: `agree` compares seven, including the `url` crate.
pub fn audit(texts: Texts) -> Vec<Contestant> {
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
