//! Guards against server-side request forgery by deciding what a server may fetch for a user.
//!
//! A host name is not enough to decide: also check the address that you then connect to.
//!
//! `cargo run --example ssrf_guard`

use urikit::Uri;
use urikit::component::AddressKind;

fn check(text: &str) -> Result<Uri<'_>, String> {
    let url = Uri::parse(text).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("scheme {}", url.scheme()));
    }
    if url.userinfo().is_some() {
        return Err("a userinfo".to_owned());
    }
    if !matches!(url.port_or_default(), Some(80 | 443)) {
        return Err(format!("port {:?}", url.port()));
    }
    let host = url
        .host()
        .filter(|host| !host.as_str().is_empty())
        .ok_or("no host")?;
    // Some programs decode escapes or non-ASCII characters to an address.
    if !host.as_str().is_ascii() || host.as_str().contains('%') {
        return Err(format!("some clients interpret {host} as another host"));
    }
    if let Some(address) = host.legacy_ipv4() {
        return Err(format!("some clients interpret {host} as {address}"));
    }
    match host.to_ip().map(AddressKind::of) {
        Some(kind) if !kind.is_public() => Err(format!("{host} is {kind}")),
        _ => Ok(url),
    }
}

fn main() {
    for text in [
        "https://example.com/",
        "http://127.0.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2130706433/",
        "http://example.com:22/",
        "http://user@example.com/",
        "file:///etc/passwd",
        "http://example.com\\@127.0.0.1/",
    ] {
        match check(text) {
            Ok(url) => println!("ok       {url}"),
            Err(why) => println!("refused  {text}: {why}"),
        }
    }
}

#[cfg(test)]
#[test]
fn only_public_web_servers_pass() {
    assert!(check("https://example.com/a?b").is_ok() && check("http://8.8.8.8:80/").is_ok());
    for text in [
        "http://localhost:8080/",
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://[64:ff9b::a00:1]/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://127%E3%80%820.0.1/", // an ideographic full stop
        "http://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1/", // fullwidth digits
        "http:///a",
        "//example.com/",
        "gopher://example.com:80/",
        "http://a@example.com/",
    ] {
        assert!(check(text).is_err(), "{text}");
    }
    main();
}
