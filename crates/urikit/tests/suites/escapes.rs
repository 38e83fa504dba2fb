//! Escaping and unescaping, and mapping IRIs to URIs and back. Rows with a host converted by IDNA
//! need the `idna` feature.

use crate::judged::{Judged, recompose};
use crate::row::Row;
use serde_json::Value;
use urikit::percent::{Place, decode, encode};
use urikit::{IriRef, Standard, UriRef};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let judged = match row.op.as_str() {
        "rfc3986py:encode" => python(row),
        "perl:as_iri" => shown(row, |iri| Some(iri.as_str().to_owned())),
        "perl:ihost" => shown(row, |iri| {
            let host = iri.host()?.as_str();
            Some(host.trim_matches(['[', ']']).to_owned())
        }),
        "py:quote_from_bytes" => quote(row),
        "py:unquote_to_bytes" => unquote(row),
        _ => return None,
    };
    Some(judged)
}

fn compare(expected: &str, actual: &str) -> Judged {
    if expected == actual {
        Judged::Same
    } else {
        Judged::Differs {
            expected: expected.to_owned(),
            actual: actual.to_owned(),
        }
    }
}

/// `IRIReference.encode` returns a URI with its host converted by IDNA, and `URIBuilder` encodes to
/// bytes.
fn python(row: &Row) -> Judged {
    let parts = &row.field("args")["self"];
    let text = of_parts(parts);
    let read = match IriRef::parse(&text) {
        Ok(read) => read,
        Err(error) => {
            return Judged::Differs {
                expected: "an IRI".to_owned(),
                actual: format!("{text}: {error}"),
            };
        }
    };
    let Some(mapped) = by_idna(read) else {
        return Judged::NotThisKind("a host converted by IDNA, without the feature `idna`");
    };
    match (row.expect("raises") == true, mapped) {
        (true, Err(_)) => Judged::Same,
        (true, Ok(_)) => Judged::NotThisKind(
            "rejected by IDNA 2008; RFC 3987 refers to RFC 3490, and this library implements UTS 46",
        ),
        (false, Ok(uri)) => compare(&of_parts(row.expect("result")), &uri),
        (false, Err(error)) => compare("a URI", &error),
    }
}

#[cfg(feature = "idna")]
#[allow(clippy::unnecessary_wraps)] // the function below needs the `Option`
fn by_idna(iri: IriRef<'_>) -> Option<Result<String, String>> {
    let mapped = iri.to_uri_idna();
    Some(mapped.map_or_else(|error| Err(error.to_string()), |uri| Ok(uri.into())))
}

#[cfg(not(feature = "idna"))]
fn by_idna(iri: IriRef<'_>) -> Option<Result<String, String>> {
    let plain = iri.host().is_none_or(|host| host.as_str().is_ascii());
    plain.then(|| Ok(iri.as_uri().to_string()))
}

/// Joins the components: an authority or its parts, as text or bytes.
fn of_parts(parts: &Value) -> String {
    let part = |name: &str| {
        let part = &parts[name];
        let text = part["bytes"].as_str().or(part.as_str());
        text.map(str::to_owned)
            .or_else(|| part.as_u64().map(|number| number.to_string()))
    };
    let authority = || {
        let host = part("host")?;
        let userinfo = part("userinfo").map_or(String::new(), |text| text + "@");
        let after = part("port").map_or(String::new(), |port| format!(":{port}"));
        Some(userinfo + &host + &after)
    };
    recompose(|name| match name {
        "authority" => part(name).or_else(authority),
        _ => part(name),
    })
}

/// The results of `URI::as_iri` and `ihost`.
fn shown(row: &Row, view: impl Fn(IriRef<'_>) -> Option<String>) -> Judged {
    if row.input().contains("xn--") {
        return Judged::NotThisKind(
            "displays decoded Punycode, which RFC 3987, 3.2.1, leaves to implementations",
        );
    }
    let expected = row.expect("result").as_str().expect("a text");
    match UriRef::parse(row.input()) {
        Ok(uri) => compare(
            expected,
            &view(uri.to_iri().as_iri_ref()).unwrap_or_default(),
        ),
        Err(error) => compare(expected, &error.to_string()),
    }
}

/// `quote_from_bytes`, with the slash safe, as in a path.
fn quote(row: &Row) -> Judged {
    let args = row.field("args");
    assert_eq!(args["safe"], "/", "only the slash is safe");
    let data = args["bs"].as_str().expect("a text");
    let escaped = encode(data, Place::Path, Standard::Rfc3986).expect("a path has escapes");
    compare(
        row.expect("result").as_str().expect("a text"),
        &escaped.to_string(),
    )
}

fn unquote(row: &Row) -> Judged {
    let text = row.field("args")["string"].as_str().expect("a text");
    let decoded = decode(text, Place::Path, Standard::Rfc3986).expect("no broken escape");
    let octets = decoded.to_bytes();
    compare(
        row.expect("result").as_str().expect("a text"),
        &String::from_utf8_lossy(&octets),
    )
}
