//! RFC 3986's algorithms as the text has them, against what reads a path from its end.

use crate::sample;
use urikit::component::Encoded;
use urikit::op::Level;
use urikit::{AnyRef, Standard};

/// RFC 3986, 5.2.4, step by step.
fn remove_dot_segments(path: &str) -> String {
    let mut input = path.to_owned();
    let mut output = String::new();
    while !input.is_empty() {
        if let Some(rest) = input.strip_prefix("../").or(input.strip_prefix("./")) {
            input = rest.to_owned(); // A
        } else if input.starts_with("/./") {
            input = input[2..].to_owned(); // B
        } else if input == "/." {
            "/".clone_into(&mut input);
        } else if input.starts_with("/../") || input == "/.." {
            // C
            input = format!("/{}", input.get(4..).unwrap_or_default());
            output.truncate(output.rfind('/').unwrap_or(0));
        } else if input == "." || input == ".." {
            input.clear(); // D
        } else {
            // E
            let end = input[1..].find('/').map_or(input.len(), |at| at + 1);
            output.push_str(&input[..end]);
            input = input[end..].to_owned();
        }
    }
    output
}

/// RFC 3986, 6.2.2.2: an escape at a time.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let byte = u8::from_str_radix(&rest[at + 1..at + 3], 16).unwrap();
        out.push_str(&rest[..at]);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&rest[at..at + 3].to_ascii_uppercase()),
        }
        rest = &rest[at + 3..];
    }
    out + rest
}

/// The whole of 6.2.2, component by component.
fn normalize(reference: AnyRef<'_>) -> String {
    let part = |before: &str, text: Option<&str>| {
        text.map_or(String::new(), |text| format!("{before}{}", unescape(text)))
    };
    let mut out = String::new();
    if let Some(scheme) = reference.scheme() {
        out.push_str(&scheme.to_ascii_lowercase());
        out.push(':');
    }
    if let Some(authority) = reference.authority() {
        out += "//";
        if let Some(userinfo) = authority.userinfo() {
            out.push_str(&unescape(userinfo.as_str()));
            out.push('@');
        }
        // The digits of escapes are the only upper-case letters that stay.
        let host = unescape(authority.host().as_str()).to_ascii_lowercase();
        out += &unescape(&host);
        out += &part(":", authority.port());
    }
    let mut path = unescape(reference.path().as_str());
    // Dots that RFC 1738 has as data: CONFORMANCE, Normal forms, 7.
    let is_data = ["ftp", "gopher", "wais", "prospero"].iter().any(|name| {
        let is_it = |scheme: &str| scheme.eq_ignore_ascii_case(name);
        reference.scheme().is_some_and(is_it)
    });
    if reference.scheme().is_some() && path.starts_with('/') && !is_data {
        path = remove_dot_segments(&path);
        if reference.authority().is_none() && path.starts_with("//") {
            path.insert_str(0, "/.");
        }
    }
    out += &path;
    out += &part("?", reference.query().map(Encoded::as_str));
    out + &part("#", reference.fragment().map(Encoded::as_str))
}

#[test]
fn syntax_based_normalization_is_rfc_3986s() {
    sample::each(Standard::Rfc3986, |reference, _| {
        let normal = reference.normalize(Level::Path);
        assert_eq!(normal, normalize(reference), "{:?}", reference.as_str());
    });
}

/// All paths of up to six of these, with an authority and without.
#[test]
fn every_short_path() {
    const PARTS: [&str; 6] = ["/", ".", "..", "a", "%2e", "%2F"];
    let mut paths = vec![String::new()];
    let mut from = 0;
    for _ in 0..6 {
        let end = paths.len();
        for at in from..end {
            paths.extend(PARTS.map(|part| format!("{}{part}", paths[at])));
        }
        from = end;
    }
    for path in paths {
        for before in ["x:", "x://h", ""] {
            let text = format!("{before}{path}");
            let Ok(reference) = Standard::Rfc3986.parse(&text) else {
                continue;
            };
            let normal = reference.normalize(Level::Path);
            assert_eq!(normal, normalize(reference), "{text:?}");
            let again = Standard::Rfc3986.parse(&normal).unwrap();
            assert!(again.is_normal(Level::Path), "{text:?} to {normal:?}");
            assert_eq!(reference.is_normal(Level::Path), normal == text, "{text:?}");
            assert_eq!(
                again.authority().is_some(),
                reference.authority().is_some(),
                "{text:?}"
            );
        }
    }
}
