//! Reads the rows of `testdata/schemes/` with the library. The tests of `urikit-access` check the
//! client's commands.

use serde_json::{Map, Value as Json};
use urikit::Standard;
use urikit_schemes::{Detail, Details, Edition, ReadError};
use urikit_testkit::rows::{no_urls, urls};

fn edition(name: Option<&str>, standard: Standard) -> Edition {
    match name {
        None => Edition::of(standard),
        Some("original") => Edition::Original,
        Some("successor") => Edition::Successor,
        Some(other) => panic!("{other} is not an edition"),
    }
}

/// Converts a value to the form of the rows, which omit absent values.
fn json(value: &Detail<'_>) -> Option<Json> {
    Some(match value {
        Detail::Absent => return None,
        Detail::Flag(flag) => Json::from(*flag),
        Detail::Number(number) => Json::from(*number),
        Detail::Text(text) | Detail::Secret(text) => Json::from(text.as_ref()),
        Detail::List(values) => values.iter().filter_map(json).collect(),
        Detail::Fields(fields) => Json::Object(object(fields)),
        other => panic!("{other:?}"),
    })
}

fn object(fields: &[(&'static str, Detail<'_>)]) -> Map<String, Json> {
    let fields = fields.iter();
    fields
        .filter_map(|(name, value)| Some(((*name).to_owned(), json(value)?)))
        .collect()
}

#[test]
fn every_url_of_the_rfcs_has_its_meaning() {
    let mut wrong = Vec::new();
    for (file, row) in urls() {
        for name in &row.standards {
            let standard: Standard = name.parse().unwrap();
            let place = format!("{file}: {:?} under {name}", row.text);
            let reference = match standard.parse(&row.text) {
                Ok(reference) => reference,
                Err(error) => {
                    wrong.push(format!("{place}: {error}"));
                    continue;
                }
            };
            let scheme = urikit_schemes::find(reference.scheme().unwrap()).expect("a known scheme");
            let edition = edition(row.edition.as_deref(), standard);
            let details: Details<'_> = match scheme.details(reference, edition) {
                Ok(details) => details,
                Err(error) => {
                    wrong.push(format!("{place}: {error}"));
                    continue;
                }
            };
            let found = object(&details.fields);
            if found != row.details || details.specification != row.by {
                wrong.push(format!(
                    "{place}: by {}\n  found    {}\n  expected {}",
                    details.specification,
                    Json::from(found),
                    Json::from(row.details.clone())
                ));
            }
            let name = scheme.facts().name;
            let is_name = match name.strip_suffix('*') {
                Some(prefix) => details.scheme.starts_with(prefix),
                None => details.scheme == name,
            };
            assert!(is_name, "{place}: {}", details.scheme);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn invalid_urls_are_refused_at_the_right_offset() {
    let mut wrong = Vec::new();
    for (file, row) in no_urls() {
        for name in &row.standards {
            let standard: Standard = name.parse().unwrap();
            let place = format!("{file}: {:?} under {name}", row.text);
            let offset = match standard.parse(&row.text) {
                Err(error) => error.offset(),
                Ok(reference) => {
                    let scheme =
                        urikit_schemes::find(reference.scheme().unwrap()).expect("a known scheme");
                    let edition = edition(row.edition.as_deref(), standard);
                    match scheme.check(reference, edition) {
                        Ok(()) => {
                            wrong.push(format!("{place}: expected an error, but it is a URL"));
                            continue;
                        }
                        Err(ReadError::Mismatch(mismatch)) => mismatch.offset(),
                        Err(error) => {
                            wrong.push(format!("{place}: {error}"));
                            continue;
                        }
                    }
                }
            };
            if offset != row.offset {
                wrong.push(format!("{place}: error at {offset}, not at {}", row.offset));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
