//! Tests of reserved names: `afs`, and names that begin with `x-`.

use urikit::Standard;
use urikit_schemes::{Edition, Experimental, ReadError, Status};

#[test]
fn afs_is_known_but_has_no_urls() {
    let afs = urikit_schemes::find("AFS").unwrap();
    assert_eq!(afs.facts().status, Status::Historical);
    for standard in Standard::ALL {
        let text = "afs://cellname/path"; // RFC 1630, BNF for specific URL schemes
        let reference = standard.parse(text).unwrap();
        for edition in [Edition::Original, Edition::Successor] {
            assert_eq!(afs.check(reference, edition), Err(ReadError::NoSyntax));
            assert!(afs.details(reference, edition).is_err());
        }
        let other = standard.parse("urn:a").unwrap();
        assert_eq!(
            afs.check(other, Edition::Original),
            Err(ReadError::OtherScheme)
        );
    }
}

#[test]
fn experimental_names_begin_with_x_and_a_hyphen() {
    for name in ["x-", "X-a", "x-finger", "x-*"] {
        assert_eq!(
            urikit_schemes::find(name).unwrap().facts().status,
            Status::Experimental
        );
    }
    for name in ["x", "xa", "x+a", "ax-"] {
        assert!(urikit_schemes::find(name).is_none(), "{name}");
    }
    // Case matters under RFC 1630.
    let read =
        |standard: Standard, text| Experimental::read(standard.parse(text).unwrap()).map(drop);
    assert_eq!(
        read(Standard::Rfc1630, "X-a:b"),
        Err(ReadError::OtherScheme)
    );
    assert_eq!(read(Standard::Rfc1630, "x-a:b"), Ok(()));
    assert_eq!(read(Standard::Rfc1738, "X-a:b"), Ok(()));
    assert_eq!(
        read(Standard::Rfc3986, "x/a:b"),
        Err(ReadError::OtherScheme)
    );
}

#[test]
fn built_in_schemes_are_known() {
    for scheme in urikit_schemes::all() {
        let facts = scheme.facts();
        assert_eq!(urikit_schemes::known(facts.name), Some(facts));
    }
}
