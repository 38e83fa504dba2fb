//! Compares the algorithms of RFC 3986, written out literally, with the library, which reads a path
//! from its end.

use crate::data;
use urikit::component::Encoded;
use urikit::op::{Equivalence, Level};
use urikit::{AnyRef, HostKind, Standard};
use urikit_testkit::abnf::{Generator, Grammar};
use urikit_testkit::data::project_root;

/// Implements RFC 3986, 5.2.4, step by step.
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

/// Implements RFC 3986, 6.2.2.2, one escape at a time.
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

/// Implements all of RFC 3986, 6.2.2, component by component.
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
        // Only the digits of escapes stay in upper case.
        let host = unescape(authority.host().as_str()).to_ascii_lowercase();
        out += &unescape(&host);
        out += &part(":", authority.port());
    }
    let mut path = unescape(reference.path().as_str());
    // Under RFC 1738, these dots are data: CONFORMANCE, Normal forms, 7.
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
    data::each(Standard::Rfc3986, |reference, _| {
        let normal = reference.normalize_to(Level::Path);
        assert_eq!(normal, normalize(reference), "{:?}", reference.as_str());
    });
}

/// All paths of up to six of these parts, with and without an authority.
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
            let normal = reference.normalize_to(Level::Path);
            assert_eq!(normal, normalize(reference), "{text:?}");
            let again = Standard::Rfc3986.parse(normal.as_str()).unwrap();
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

/// The eight fields of an address as RFC 3986, 3.2.2 writes it: `::` fills in the missing zeros.
fn fields(address: &str) -> Vec<u16> {
    let list = |text: &str| -> Vec<u16> {
        let fields = text.split(':').filter(|field| !field.is_empty());
        let parsed = fields.flat_map(|field| {
            if !field.contains('.') {
                return vec![u16::from_str_radix(field, 16).unwrap()];
            }
            let octets: Vec<u16> = field
                .split('.')
                .map(|octet| octet.parse().unwrap())
                .collect();
            vec![octets[0] << 8 | octets[1], octets[2] << 8 | octets[3]]
        });
        parsed.collect()
    };
    let Some((before, after)) = address.split_once("::") else {
        return list(address);
    };
    let (before, after) = (list(before), list(after));
    let missing = 8 - before.len() - after.len();
    [before, vec![0; missing], after].concat()
}

/// Implements RFC 5952, 4 and 5, rule by rule.
fn canonical(fields: &[u16]) -> String {
    let hex = |fields: &[u16]| {
        // 4.1 and 4.3: no leading zeros, lower case.
        let fields: Vec<String> = fields.iter().map(|field| format!("{field:x}")).collect();
        fields.join(":")
    };
    // 5: mixed notation, if the prefix shows that an IPv4 address follows.
    if let [0, 0, 0, 0, 0, 0xFFFF, high, low] = *fields {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        return format!("::ffff:{a}.{b}.{c}.{d}");
    }
    // 4.2: `::` replaces the longest run of zeros (the first of several), and never a single field.
    let mut longest = 0..0;
    for from in 0..8 {
        let zeros = fields[from..].iter().take_while(|field| **field == 0);
        let run = from..from + zeros.count();
        if run.len() > longest.len().max(1) {
            longest = run;
        }
    }
    if longest.is_empty() {
        hex(fields)
    } else {
        let (before, after) = (&fields[..longest.start], &fields[longest.end..]);
        format!("{}::{}", hex(before), hex(after))
    }
}

#[test]
fn addresses_are_written_as_rfc_5952_recommends() {
    let grammar = Grammar::load(&project_root().join("spec/abnf"), "rfc3986").unwrap();
    let mut generator = Generator::new(&grammar, 5_952);
    let mut changed = 0;
    for nth in 0..20_000 {
        let mut address = generator.generate("IPv6address");
        match nth % 4 {
            0 => address = address.replace(|c: char| c.is_ascii_hexdigit(), "0"),
            1 => address = address.replace(|c: char| matches!(c, '1'..='9'), "0"),
            _ => {}
        }
        if Standard::Rfc3986.parse(&format!("//[{address}]")).is_err() {
            continue; // an octet of an IPv4 address that begins with zeros
        }
        let fields = fields(&address);
        let canonical = canonical(&fields);
        let whole = fields.iter().map(|field| format!("{field:04X}"));
        let whole = whole.collect::<Vec<String>>().join(":");
        for standard in [Standard::Rfc2732, Standard::Rfc3986, Standard::Rfc3987] {
            for (before, after) in [("http://", "/"), ("x://u@", ":1?q"), ("//", "")] {
                let text = |address: &str| format!("{before}[{address}]{after}");
                let written = text(&address);
                let reference = match standard.parse(&written) {
                    Ok(reference) => reference,
                    // RFC 2732 uses the grammar of RFC 2373, which does not allow an IPv4 address
                    // after `::`.
                    Err(_) if standard == Standard::Rfc2732 => continue,
                    Err(error) => panic!("{standard}: {written}: {error}"),
                };
                assert_eq!(reference.host_kind(), Some(HostKind::Ipv6), "{written}");
                let normal = reference.normalize();
                assert_eq!(normal, text(&canonical), "{standard}: {written}");
                assert_eq!(reference.is_normal(Level::Scheme), address == canonical);
                // Below the last level, only the case of letters changes.
                let lower = text(&address.to_ascii_lowercase());
                assert_eq!(reference.normalize_to(Level::Path), lower, "{standard}");
                // All spellings are equivalent.
                let whole = text(&whole);
                let whole = standard.parse(&whole).unwrap();
                let by = reference.compare(whole);
                let is_case = lower == whole.as_str().to_ascii_lowercase();
                if written != whole.as_str() && !is_case {
                    assert_eq!(by, Some(Equivalence::Scheme), "{written} and {whole}");
                }
                assert!(by.is_some(), "{written} and {whole}");
                changed += usize::from(normal != written);
            }
        }
    }
    assert!(changed > 50_000, "{changed}");
}
