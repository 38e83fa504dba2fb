//! Matches the `redirect_uri` of an OAuth request against those that a client has registered (RFC
//! 6749, 3.1.2; RFC 9700, 4.1.3): exact comparison, except for the port of a loopback address (RFC
//! 8252, 7.3).
//!
//! `cargo run --example redirect_uri`

use urikit::component::AddressKind;
use urikit::{Uri, UriBuf};

fn is_allowed(registered: &[UriBuf], requested: &str) -> bool {
    let Ok(requested) = Uri::parse(requested) else {
        return false;
    };
    if requested.fragment().is_some() {
        return false; // RFC 6749, 3.1.2
    }
    registered
        .iter()
        .any(|registered| *registered == requested || is_same_loopback(registered, requested))
}

fn is_same_loopback(registered: &UriBuf, requested: Uri<'_>) -> bool {
    let address = requested.host().and_then(|host| host.to_ip());
    let mut requested = requested.to_owned();
    address.map(AddressKind::of) == Some(AddressKind::Loopback)
        && registered.scheme() == "http"
        && requested.set_port(registered.port()).is_ok()
        && requested == *registered
}

fn main() -> Result<(), urikit::ParseError> {
    let registered = [
        "https://client.example/cb?x=1".parse()?,
        "http://127.0.0.1/cb".parse()?,
    ];
    for requested in [
        "https://client.example/cb?x=1",
        "https://client.example/cb",
        "https://client.example.evil.example/cb?x=1",
        "https://client.example/cb?x=1#f",
        "http://127.0.0.1:51004/cb",
        "http://127.0.0.1:51004/other",
    ] {
        println!("{:5}  {requested}", is_allowed(&registered, requested));
    }
    Ok(())
}

#[cfg(test)]
#[test]
fn only_the_port_of_a_loopback_address_may_differ() {
    let registered: Vec<UriBuf> = ["https://c.example/cb", "http://[::1]/cb"]
        .map(|text| text.parse().unwrap())
        .into();
    assert!(is_allowed(&registered, "https://c.example/cb"));
    assert!(is_allowed(&registered, "http://[::1]:5000/cb"));
    for text in [
        "https://c.example/cb/",
        "https://c.example:443/cb",
        "http://[::2]:5000/cb",
        "/cb",
        "https://c.example/cb#",
    ] {
        assert!(!is_allowed(&registered, text), "{text}");
    }
    main().unwrap();
}
