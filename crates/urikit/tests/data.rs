//! Every row of `testdata/parse/` and `testdata/reject/`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

use urikit::error::Found;
use urikit::{AnyRef, Standard};
use urikit_testkit::data::{self, Parts};

/// Returns the components of `reference`, in the same form as the rows.
fn parts(reference: AnyRef<'_>) -> Parts {
    let owned = |text: &str| text.to_owned();
    Parts {
        form: reference.form().to_string(),
        scheme: reference.scheme().map(owned),
        authority: reference.authority().map(|a| owned(a.as_str())),
        userinfo: reference.userinfo().map(|u| owned(u.as_str())),
        user: reference.user().map(|u| owned(u.as_str())),
        password: reference.password().map(|p| owned(p.as_str())),
        host: reference.host().map(|h| owned(h.as_str())),
        host_kind: reference.host_kind().map(|k| k.to_string()),
        port: reference.port().map(owned),
        path: owned(reference.path().as_str()),
        params: reference.params().map(|p| owned(p.as_str())),
        query: reference.query().map(|q| owned(q.as_str())),
        fragment: reference.fragment().map(|f| owned(f.as_str())),
        opaque: reference.is_opaque(),
    }
}

/// Joins the components to a reference.
fn together(parts: &Parts) -> String {
    let after = |delimiter: &str, part: &Option<String>| {
        part.as_ref()
            .map_or(String::new(), |part| format!("{delimiter}{part}"))
    };
    let scheme = parts
        .scheme
        .as_ref()
        .map_or(String::new(), |s| format!("{s}:"));
    let authority = after("//", &parts.authority);
    let params = after(";", &parts.params);
    let query = after("?", &parts.query);
    let fragment = after("#", &parts.fragment);
    format!("{scheme}{authority}{}{params}{query}{fragment}", parts.path)
}

#[test]
fn every_example_of_the_texts_under_every_standard() {
    let mut wrong = Vec::new();
    for (file, row) in data::references() {
        let named = row.valid.len() + row.invalid.len();
        assert_eq!(named, 7, "{file}: {:?} names all standards", row.input);
        for standard in Standard::ALL {
            let outcome = standard.parse(&row.input);
            let name = standard.name();
            let place = format!("{file}: {:?} under {name}", row.input);
            if let Some(offset) = row.invalid.get(name) {
                match outcome {
                    Ok(_) => wrong.push(format!("{place}: valid, not invalid at {offset}")),
                    Err(error) if error.offset() != *offset => {
                        wrong.push(format!("{place}: not at {offset}: {error}"));
                    }
                    Err(_) => {}
                }
                let generic = row.generic_valid.iter().any(|s| s == name);
                if standard.parse_generic(&row.input).is_ok() != generic {
                    wrong.push(format!("{place}: generic verdict is not {generic}"));
                }
                continue;
            }
            assert!(row.valid.iter().any(|s| s == name), "{place}");
            match outcome {
                Err(error) => wrong.push(format!("{place}: not valid: {error}")),
                Ok(reference) => {
                    let found = parts(reference);
                    // The parser for constants works byte by byte.
                    let by_bytes = standard.parse_const(&row.input).map(parts);
                    assert_eq!(by_bytes.as_ref(), Ok(&found), "{place}");
                    assert_eq!(together(&found), row.input, "{place}");
                    let expected = row.parts_of(name).expect("a valid row has parts");
                    if found != *expected {
                        wrong.push(format!("{place}:\n  {found:?}\n  {expected:?}"));
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_refused_text_at_its_place() {
    let mut wrong = Vec::new();
    for (file, row) in data::rejects() {
        let standard: Standard = file.parse().expect("a file is named after a standard");
        let place = format!("{file}: {:?}", row.input);
        let Err(error) = standard.parse(&row.input) else {
            wrong.push(format!("{place}: valid, not invalid at {}", row.offset));
            continue;
        };
        let found = match error.found() {
            Some(Found::Char(c)) => Some(c),
            _ => None,
        };
        if error.offset() != row.offset || found != row.found {
            wrong.push(format!("{place}: not at {}: {error}", row.offset));
        } else if row.production.is_some()
            && (row.production.as_deref() != error.production()
                || row.section.as_deref() != error.section())
        {
            wrong.push(format!(
                "{place}: not in {:?}, {:?}: {error}",
                row.production, row.section
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
