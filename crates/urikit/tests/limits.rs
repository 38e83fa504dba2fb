//! No input causes a panic, more than linear time, a wrapped offset or a lost byte.

#![allow(clippy::unwrap_used, clippy::panic)] // a test fails by panicking

use urikit::error::Found;
use urikit::{
    AnyRef, AnyRefBuf, IriRef, MAX_LEN, ParseError, Standard, Uri, UriBuf, UriRef, UriRefBuf,
};
use urikit_testkit::{Random, assert_linear};

/// This constant is checked at compile time.
const HOME: UriRef<'_> = UriRef::from_static("ldap://[2001:db8::7]/c=GB?objectClass?one#x");
const MOTD: Result<AnyRef<'_>, ParseError> =
    Standard::Rfc1738.parse_const("ftp://myname@host.dom/%2Fetc/motd;type=a");
const IRI: IriRef<'_> = IriRef::from_static("http://résumé.example.org/é?\u{E000}#ü");
const REFUSED: Result<AnyRef<'_>, ParseError> = Standard::Rfc2396.parse_const("http://[::1]/");

#[test]
fn constants_are_references() {
    assert_eq!(HOME.port(), None);
    assert_eq!(HOME.host().unwrap(), "[2001:db8::7]");
    assert_eq!(MOTD.unwrap().user().unwrap(), "myname");
    assert_eq!(IRI.query().unwrap(), "\u{E000}");
    assert_eq!(REFUSED.unwrap_err().offset(), 7);
}

#[test]
fn a_view_is_small_and_an_owned_one_round_trips() {
    assert_eq!(size_of::<UriRef<'_>>(), 56);
    assert_eq!(size_of::<Uri<'_>>(), 56);
    assert_eq!(size_of::<AnyRef<'_>>(), 56);
    let text = "http://u:p@h:1/a;b/c?d#e".to_owned();
    let owned = UriRefBuf::try_from(text.clone()).unwrap();
    assert_eq!(owned.as_uri_ref().as_str(), text);
    assert_eq!(owned.as_uri_ref().fragment().unwrap(), "e");
    assert_eq!(owned.into_string(), text);
    let rejected = UriRefBuf::try_from("a b".to_owned()).unwrap_err();
    assert_eq!(
        (rejected.error().offset(), rejected.into_value().as_str()),
        (1, "a b")
    );
    let rejected = UriBuf::try_from("a/b".to_owned()).unwrap_err();
    assert_eq!(rejected.into_value(), "a/b");
    let rejected = AnyRefBuf::from_string("a~b".to_owned(), Standard::Rfc1738).unwrap_err();
    assert_eq!(rejected.into_value(), "a~b");
}

#[test]
fn debug_masks_the_password() {
    for text in [
        "ftp://foo:secret@host.com/",
        "http://foo:secret@a_b:80/x",
        "http://foo:secret@a@b/",
        "//foo:secret@a_b",
        "http:foo:secret@host/x",
    ] {
        for standard in Standard::ALL {
            for reference in [standard.parse(text), standard.parse_generic(text)] {
                let Ok(reference) = reference else { continue };
                let shown = format!("{reference:?} {:?}", reference.authority());
                assert!(!shown.contains("secret"), "{standard}: {shown}");
                assert!(reference.to_string().contains("secret"));
            }
        }
    }
    let shown = |text: &str| {
        let reference = UriRefBuf::parse(text).unwrap();
        let any = reference.to_builder().build_any().unwrap();
        let normal = format!("{:?}", reference.normalize());
        assert_eq!(normal, format!("{reference:?}"));
        let builder = format!("{:?}", reference.to_builder());
        assert_eq!(builder, format!("UriBuilder({any:?})"));
        format!("{reference:?} {any:?}")
    };
    let masked = "http://foo:***@h/?a:b@c#x";
    let expected = format!("\"{masked}\" rfc3986(\"{masked}\")");
    assert_eq!(shown("http://foo:secret@h/?a:b@c#x"), expected);
    // An empty password is not secret.
    assert_eq!(shown("//foo:@h/"), "\"//foo:@h/\" rfc3986(\"//foo:@h/\")");
    let builder = urikit::UriBuilder::new().user("foo").password("secret");
    assert_eq!(
        format!("{builder:?}"),
        "UriBuilder(NeedsHost { component: Userinfo })"
    );
    let rejected = UriRefBuf::try_from("http://foo:secret@a b/".to_owned()).unwrap_err();
    assert!(!format!("{rejected:?} {rejected}").contains("secret"));
}

/// Arbitrary bytes never make the parser, a component or an error panic.
#[test]
fn random_bytes_never_panic() {
    const BYTES: &[u8] =
        b":/?#[]@!$&'()*+,;=%%%%azAZ09.-_~ \\\"<>^`{|}\x00\x0A\x7F\xC3\xA9\xEE\x80\xFFvV";
    let mut random = Random::new(1);
    for _ in 0..200_000 {
        let length = random.below(24);
        let bytes: Vec<u8> = (0..length).map(|_| *random.pick(BYTES)).collect();
        for standard in Standard::ALL {
            match standard.parse_bytes(&bytes) {
                Ok(reference) => {
                    assert_eq!(reference.as_str().as_bytes(), bytes);
                    let _ = (
                        format!("{reference:?}"),
                        reference.form(),
                        reference.is_opaque(),
                    );
                    for segment in reference.path().segments() {
                        let _ = (segment.name(), segment.parameters().count());
                        let _ = segment.encoded().decode_utf8();
                    }
                }
                Err(error) => {
                    assert!(error.offset() <= bytes.len());
                    let text = String::from_utf8_lossy(&bytes);
                    let _ = (error.to_string(), error.caret(&text).to_string());
                }
            }
        }
    }
}

#[test]
fn a_byte_that_is_no_utf_8_is_an_error_at_its_place() {
    for standard in Standard::ALL {
        let error = standard.parse_bytes(b"http://a/b\xFFc").unwrap_err();
        assert_eq!(error.offset(), 10, "{standard}");
        assert_eq!(error.found(), Some(Found::Byte(0xFF)), "{standard}");
        // An earlier error is reported first.
        let error = standard.parse_bytes(b"http://a/ b\xFF").unwrap_err();
        assert_eq!(error.offset(), 9, "{standard}");
    }
}

/// Strings for which a careless parser would read the same bytes again and again.
#[test]
fn time_is_linear() {
    const BEGINNINGS: [&str; 12] = [
        "",
        "http://",
        "ftp://",
        "news:",
        "mailto:",
        "//[",
        "wais://a/b/c/",
        "prospero://a/",
        "mid:",
        "nntp:",
        "x:",
        "//",
    ];
    const REPEATED: [&str; 14] = [
        "a", "/", "../", "a@", "@", "1@", ":", "a:", "a.", "1.", "%41", ";a=", "1=;", "é",
    ];
    for beginning in BEGINNINGS {
        for repeated in REPEATED {
            assert_linear(&format!("{beginning}{repeated}…"), 20_000, |size| {
                let text = format!("{beginning}{}", repeated.repeat(size));
                move || {
                    for standard in Standard::ALL {
                        let _ = std::hint::black_box(standard.parse(&text));
                    }
                }
            });
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn four_gib_less_one_is_read_and_one_byte_more_is_refused() {
    let free = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kib = free
        .lines()
        .find_map(|line| {
            line.strip_prefix("MemAvailable:")?
                .trim()
                .strip_suffix(" kB")
        })
        .and_then(|kib| kib.parse::<u64>().ok());
    if kib.is_none_or(|kib| kib < 8 << 20) {
        println!("SKIPPED four GiB: less than 8 GiB of memory is free");
        return;
    }
    let text = "a".repeat(MAX_LEN + 1);
    let error = UriRef::parse(&text).unwrap_err();
    assert_eq!(
        error,
        ParseError::TooLong {
            length: MAX_LEN + 1
        }
    );
    assert_eq!(error.offset(), MAX_LEN);
    let longest = text.get(1..).unwrap();
    let reference = UriRef::parse(longest).unwrap();
    assert_eq!(reference.path().as_str().len(), MAX_LEN);
    drop(text);
}
