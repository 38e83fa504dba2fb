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

/// Translates a redirect to a path below that of the upstream server into a redirect to the public
/// address: removes the prefix that `upstream` adds. Other redirects are unchanged.
fn redirect(upstream: Uri<'_>, public: Uri<'_>, location: &Uri<'_>) -> Result<UriBuf, EditError> {
    let prefix = upstream.path().as_str().trim_end_matches('/');
    let path = location.path().as_str();
    let below = path
        .strip_prefix(prefix)
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        .filter(|_| location.same_origin(upstream));
    let Some(below) = below else {
        return Ok(location.to_owned());
    };
    let public_prefix = public.path().as_str().trim_end_matches('/');
    location
        .to_builder()
        .scheme(public.scheme())
        .host(public.host())
        .port(public.port())
        .path(format!("{public_prefix}{below}"))
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
    let login = to("http://10.0.0.7:80/app/login?next=%2F");
    assert_eq!(login, "https://p.example:8443/login?next=%2F");
    let next = target("/login?next=%2F").unwrap(); // the request that follows the redirect
    assert_eq!(next, "http://10.0.0.7/app/login?next=%2F");
    assert_eq!(to("http://10.0.0.7/app"), "https://p.example:8443");
    // These are not below the prefix, so no public URL leads to them.
    assert_eq!(to("http://10.0.0.7/apple"), "http://10.0.0.7/apple");
    assert_eq!(to("http://10.0.0.7/x"), "http://10.0.0.7/x");
    assert_eq!(to("http://other/x"), "http://other/x");
    main().unwrap();
}
