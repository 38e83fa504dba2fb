//! Compares the expectations of a row with the results of the library.

use serde_json::Value;
use urikit::component::{Authority, Encoded, Host};
use urikit::{AnyRef, ParseError, Standard};

/// The outcome of a row.
pub(crate) enum Judged {
    /// The library agrees with the row.
    Same,
    /// The library does not agree with the row.
    Differs { expected: String, actual: String },
    /// The row does not test anything that a standard defines. Contains the reason.
    NotThisKind(&'static str),
}

impl Judged {
    /// The first outcome that is not `Same`, for a row that applies to several standards.
    pub(crate) fn by_each(standards: &[Standard], judge: impl Fn(Standard) -> Judged) -> Judged {
        let mut judged = standards.iter().map(|standard| judge(*standard));
        judged
            .find(|judged| !matches!(judged, Self::Same))
            .unwrap_or(Self::Same)
    }

    /// Judges a verdict: whether `text` is a reference that satisfies `also`.
    pub(crate) fn verdict(
        expected: bool,
        read: Result<AnyRef<'_>, ParseError>,
        also: impl Fn(AnyRef<'_>) -> bool,
    ) -> Judged {
        let (actual, why) = match read {
            Ok(reference) => (also(reference), format!("{reference:?}")),
            Err(error) => (false, error.to_string()),
        };
        if actual == expected {
            return Self::Same;
        }
        let word = |valid: bool| if valid { "valid" } else { "not valid" };
        Self::Differs {
            expected: word(expected).to_owned(),
            actual: format!("{}: {why}", word(actual)),
        }
    }

    /// Compares an expectation with a result in the same form.
    pub(crate) fn json(expected: &Value, actual: &Value) -> Judged {
        if expected == actual {
            return Self::Same;
        }
        Self::Differs {
            expected: expected.to_string(),
            actual: actual.to_string(),
        }
    }

    /// Compares the components of a reference: name, expected, actual.
    pub(crate) fn components(
        read: Result<AnyRef<'_>, ParseError>,
        parts: impl Fn(AnyRef<'_>) -> Vec<Part>,
    ) -> Judged {
        let reference = match read {
            Ok(reference) => reference,
            Err(error) => {
                return Self::Differs {
                    expected: "valid, with components".to_owned(),
                    actual: format!("not valid: {error}"),
                };
            }
        };
        let differing: Vec<Part> = parts(reference)
            .into_iter()
            .filter(|part| part.expected != part.actual)
            .collect();
        if differing.is_empty() {
            return Self::Same;
        }
        let list = |side: fn(&Part) -> &Value| {
            let parts = differing
                .iter()
                .map(|part| format!("{}: {}", part.name, side(part)));
            parts.collect::<Vec<_>>().join(", ")
        };
        Self::Differs {
            expected: list(|part| &part.expected),
            actual: list(|part| &part.actual),
        }
    }
}

/// The expected and the actual value of a component, or of a value that a library derives from one.
pub(crate) struct Part {
    name: &'static str,
    expected: Value,
    actual: Value,
}

impl Part {
    pub(crate) fn new(
        name: &'static str,
        expected: impl Into<Value>,
        actual: impl Into<Value>,
    ) -> Self {
        let (expected, actual) = (expected.into(), actual.into());
        Self {
            name,
            expected,
            actual,
        }
    }
}

/// Returns a component as written, by its name. Returns `None` if it is absent.
pub(crate) fn component(reference: AnyRef<'_>, name: &str) -> Option<String> {
    let text = match name {
        "scheme" => reference.scheme(),
        "authority" => reference.authority().map(Authority::as_str),
        "userinfo" => reference.userinfo().map(Encoded::as_str),
        "user" => reference.user().map(Encoded::as_str),
        "password" => reference.password().map(Encoded::as_str),
        "host" => reference.host().map(Host::as_str),
        "port" => reference.port(),
        "path" => Some(reference.path().as_str()),
        "query" => reference.query().map(Encoded::as_str),
        "fragment" => reference.fragment().map(Encoded::as_str),
        _ => panic!("{name} is not a component"),
    };
    text.map(str::to_owned)
}

/// Joins the five components (RFC 3986, 5.3).
pub(crate) fn recompose(component: impl Fn(&str) -> Option<String>) -> String {
    let part = |before: &str, name: &str, after: &str| {
        component(name).map_or(String::new(), |text| format!("{before}{text}{after}"))
    };
    [
        part("", "scheme", ":"),
        part("//", "authority", ""),
        part("", "path", ""),
        part("?", "query", ""),
        part("#", "fragment", ""),
    ]
    .concat()
}

/// Parses and recomposes a string, and compares the result with `expected`.
pub(crate) fn round_trip(standards: &[Standard], text: &str, expected: &str) -> Judged {
    Judged::by_each(standards, |standard| {
        Judged::components(standard.parse(text), |reference| {
            let together = recompose(|name| component(reference, name));
            vec![Part::new("text", expected, together)]
        })
    })
}

/// Removes the brackets of an IP literal.
pub(crate) fn without_brackets(host: &str) -> &str {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    inner.unwrap_or(host)
}
