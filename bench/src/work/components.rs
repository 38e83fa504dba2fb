//! Parsing a string, and reading each component.

use super::each;
use crate::Contestant;
use crate::data::Texts;
use iri_string::types::UriStr;
use std::hint::black_box;
use urikit::UriRef;

pub fn all(texts: Texts) -> Vec<Contestant> {
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
