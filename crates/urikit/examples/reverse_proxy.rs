//! Translates URLs in a reverse proxy: request URLs for the upstream server, and the URLs of its
//! redirects.
//!
//! `cargo run --example reverse_proxy`

use urikit::{EditError, Uri, UriBuf, UriRef};

/// Returns the URL to request from the upstream server: the requested path, appended to the path of
/// the server, and the query as written.
fn upstream(upstream: Uri<'_>, target: UriRef<'_>) -> Result<UriBuf, EditError> {
    let path = target.path().as_str().trim_start_matches('/');
    upstream
        .to_builder()
        .join_below(path)
        .query(target.query())
        .build()
}

/// Translates a redirect within the upstream server into a redirect to the public address.
fn redirect(upstream: Uri<'_>, public: Uri<'_>, location: &Uri<'_>) -> Result<UriBuf, EditError> {
    if !location.same_origin(upstream) {
        return Ok(location.to_owned());
    }
    location
        .to_builder()
        .scheme(public.scheme())
        .host(public.host())
        .port(public.port())
        .build()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let backend = Uri::parse("http://10.0.0.7:8080/app")?;
    let public = Uri::parse("https://www.example.com")?;
    println!(
        "{}",
        upstream(backend, UriRef::parse("/users/caf%C3%A9?x=1&y")?)?
    );
    if let Err(error) = upstream(backend, UriRef::parse("/../../etc/passwd")?) {
        println!("{error}");
    }
    let location = Uri::parse("http://10.0.0.7:8080/app/login?next=%2F")?;
    println!("{}", redirect(backend, public, &location)?);
    Ok(())
}

#[cfg(test)]
#[test]
fn requests_stay_below_the_prefix_and_redirects_are_public() {
    let backend = Uri::parse("http://10.0.0.7/app").unwrap();
    let target = |text| upstream(backend, UriRef::parse(text).unwrap());
    assert_eq!(
        target("/a%2Fb?c=%20").unwrap(),
        "http://10.0.0.7/app/a%2Fb?c=%20"
    );
    assert!(target("/%2e%2e/b").is_err());
    let public = Uri::parse("https://p.example:8443").unwrap();
    let to = |text| redirect(backend, public, &Uri::parse(text).unwrap()).unwrap();
    assert_eq!(to("http://10.0.0.7:80/x"), "https://p.example:8443/x");
    assert_eq!(to("http://other/x"), "http://other/x");
    main().unwrap();
}
