//! Tests of `file`: builder, conversion of paths, and comparison with both grammars of RFC 8089.

use crate::oracle::{agree, assert_agreement_on_any_uri};
use urikit::{Standard, UriRef};
use urikit_schemes::{BuildError, Edition, File, PathError, ReadError};
use urikit_testkit::Random;

#[test]
fn readings_agree_with_the_grammar_of_rfc8089() {
    assert_agreement_on_any_uri("rfc8089", Edition::Successor);
}

#[test]
fn nonstandard_readings_agree_with_appendix_f() {
    agree("rfc8089-f", true, |text| {
        let updated = File::update(text);
        let Ok(url) = UriRef::parse(&updated) else {
            return Some(Err(ReadError::Generic));
        };
        if url.fragment().is_some() {
            return None;
        }
        let read = File::read_nonstandard(url);
        // The nonstandard rules interpret standard URLs as the standard rules do.
        if let Ok(standard) = File::read(url) {
            let nonstandard = read.unwrap();
            assert_eq!(standard.host(), nonstandard.host(), "{text}");
            assert_eq!(standard.path(), nonstandard.path(), "{text}");
        }
        Some(read.map(drop))
    });
}

fn read_nonstandard(text: &str) -> File<'_> {
    File::read_nonstandard(Standard::Rfc3986.parse(text).unwrap()).unwrap()
}

#[test]
fn the_forms_of_appendix_f_are_read() {
    // RFC 8089, F, in the order of the RFC.
    let windows = |text: &str| {
        let updated = File::update(text);
        let path = read_nonstandard(&updated).to_windows_path().unwrap();
        String::from_utf8(path).unwrap()
    };
    for text in ["file:///path/to/file", "file:/path/to/file"] {
        let path = read_nonstandard(text).to_unix_path().unwrap();
        assert_eq!(path, b"/path/to/file", "{text}");
    }
    for text in [
        "file:c:/path/to/file",
        "file:///c|/path/to/file",
        "file:/c|/path/to/file",
        "file:c|/path/to/file",
    ] {
        assert_eq!(windows(text), r"c:\path\to\file", "{text}");
    }
    for text in [
        "file://host.example.com/path/to/file",
        "file:////host.example.com/path/to/file",
        "file://///host.example.com/path/to/file",
    ] {
        assert_eq!(windows(text), r"\\host.example.com\path\to\file", "{text}");
        assert!(!read_nonstandard(text).is_local(), "{text}");
    }
    let file = read_nonstandard("file:////%5B::1%5D/a");
    assert_eq!(file.host().unwrap(), "%5B::1%5D");
    assert_eq!(file.to_windows_path(), Err(PathError::Host));
    // E.1
    let file = read_nonstandard("file://node:secret@host/a");
    assert_eq!(
        (file.user().unwrap().as_str(), file.host().unwrap().as_str()),
        ("node", "host")
    );
    assert_eq!(file.password().unwrap(), "secret");
    // Unix has no drive before the path. A drive inside the path is an ordinary name.
    assert_eq!(
        read_nonstandard("file:c:/a").to_unix_path(),
        Err(PathError::Drive)
    );
    // A UNC string is never local (E.3.2), even with the host `localhost`.
    assert!(!read_nonstandard("file:////localhost/a/b").is_local());
}

/// Generates up to five octets, half of them delimiters.
fn octets(random: &mut Random) -> Vec<u8> {
    let octet = |random: &mut Random| match random.below(2) {
        0 => *b"/;?:@&=%.~\\|".get(random.below(12)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    (0..random.below(6)).map(|_| octet(random)).collect()
}

#[test]
fn unix_paths_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(8089);
    for _ in 0..2_000 {
        let mut path = b"/a".to_vec();
        path.extend((0..random.below(4)).flat_map(|_| octets(&mut random)));
        path.retain(|octet| *octet != 0);
        let builder = File::from_unix_path(&path).unwrap();
        let text = builder.clone().build().unwrap().into_string();
        let rfc1738 = builder.clone().build_any(Standard::Rfc1738).unwrap();
        assert_eq!(rfc1738.as_str(), text);
        let rfc2396 = builder.clone().build_any(Standard::Rfc2396).unwrap();
        assert_eq!(rfc2396.as_str(), text);
        let rfc1630 = builder.build_any(Standard::Rfc1630).unwrap();
        let read = File::read(rfc1630.as_any_ref()).unwrap();
        assert_eq!(read.to_unix_path().unwrap(), path);
        for standard in Standard::ALL.into_iter().skip(1) {
            let read = File::read(standard.parse(&text).unwrap()).unwrap();
            assert_eq!(read.to_unix_path().unwrap(), path, "{text}");
        }
    }
}

#[test]
fn windows_paths_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(8089);
    for round in 0..2_000 {
        let mut path = [&br"C:\a"[..], br"\\host.dom\a"][round % 2].to_vec();
        path.extend((0..random.below(4)).flat_map(|_| octets(&mut random)));
        path.retain(|octet| *octet != 0);
        let url = File::from_windows_path(&path).unwrap().build().unwrap();
        let text = url.as_str();
        let expected: Vec<u8> = path
            .iter()
            .map(|octet| if *octet == b'/' { b'\\' } else { *octet })
            .collect();
        for standard in Standard::ALL.into_iter().skip(1) {
            let read = File::read(standard.parse(text).unwrap()).unwrap();
            assert_eq!(read.to_windows_path().unwrap(), expected, "{text}");
        }
    }
}

#[test]
fn segments_read_back_unchanged() {
    let mut random = Random::new(1738);
    for _ in 0..2_000 {
        let name = octets(&mut random);
        let url = File::on("host.dom").segment("a").segment(&name);
        let url = url.build().unwrap();
        let read = File::read(url.as_uri()).unwrap();
        assert_eq!(*read.segments().nth(1).unwrap().to_bytes(), *name);
        let is_name = !name.contains(&b'/') && !name.contains(&0);
        let is_path = File::read_as(url.as_uri(), Edition::Original)
            .unwrap()
            .to_windows_path()
            .is_ok();
        assert_eq!(
            is_path,
            is_name && !name.contains(&b'\\'),
            "{}",
            url.as_str()
        );
    }
}

#[test]
fn invalid_paths_and_urls_are_refused() {
    let unix = |path: &[u8]| File::from_unix_path(path).map(drop);
    assert_eq!(unix(b"a/b"), Err(PathError::Relative));
    assert_eq!(unix(b""), Err(PathError::Relative));
    assert_eq!(unix(b"/a\0"), Err(PathError::Nul));
    // RFC 1738 allows paths that begin with two slashes, but RFC 8089 does not.
    let slashes = File::from_unix_path("//a").unwrap();
    assert!(matches!(
        slashes.clone().build(),
        Err(BuildError::Scheme(_))
    ));
    assert_eq!(
        slashes.build_any(Standard::Rfc1738).unwrap().as_str(),
        "file:////a"
    );
    for (path, error) in [
        (r"\a", PathError::Relative),
        (r"C:a", PathError::Relative),
        (r"C:", PathError::Relative),
        (r"1:\a", PathError::Relative),
        (r"a\b", PathError::Relative),
        (r"\\?\C:\a", PathError::Host),
        (r"\\.\pipe", PathError::Host),
        (r"//./pipe", PathError::Host),
        (r"\\\a", PathError::Host),
        (r"\\host", PathError::NoRoot),
        (r"\\host\\a", PathError::NoRoot),
        ("C:\\\0", PathError::Nul),
    ] {
        assert_eq!(
            File::from_windows_path(path).map(drop),
            Err(error),
            "{path}"
        );
    }
    for (text, error) in [
        ("file:///a", PathError::NoRoot),
        ("file:///c:", PathError::NoRoot),
        ("file:///1:/a", PathError::NoRoot),
        ("file://host/", PathError::NoRoot),
        ("file://./C:/a", PathError::Host),
        ("file://%3F/C:/a", PathError::Host),
        ("file://[::1]/a/b", PathError::Host),
        ("file://a%5Cb/c/d", PathError::Separator { octet: b'\\' }),
        ("file:///c:/%2F", PathError::Separator { octet: b'/' }),
        ("file:///c:/%00", PathError::Nul),
    ] {
        let read = File::read(Standard::Rfc3986.parse(text).unwrap()).unwrap();
        assert_eq!(read.to_windows_path(), Err(error), "{text}");
    }
    let read = File::read(Standard::Rfc3986.parse("file://host/a").unwrap()).unwrap();
    assert_eq!(read.to_unix_path(), Err(PathError::OtherHost));
    let on = |host| File::on(host).segment("a").build().map(drop);
    assert!(matches!(on("a b"), Err(BuildError::Syntax(_))));
    assert!(matches!(on("h:80"), Err(BuildError::Scheme(_))));
    assert!(matches!(on("u@h"), Err(BuildError::Scheme(_))));
    assert_eq!(on("h/x"), Err(BuildError::Misread { part: "host" }));
    // RFC 8089, 2: file-auth = "localhost" / host
    for host in ["localhost", "LocalHost"] {
        let url = File::on(host).segment("a").build().unwrap();
        assert_eq!(url.as_str(), format!("file://{host}/a"));
        assert!(File::read(url.as_uri()).unwrap().is_local());
    }
    let url = File::on("localhost").build_any(Standard::Rfc1738).unwrap();
    assert_eq!(url.as_str(), "file://localhost/");
    assert_eq!(File::here().build().unwrap().as_str(), "file:///");
    assert!(File::on("[::1]").build().is_ok());
}
