//! Parses a URL, and shows the contents of an error. The README contains this program.
#![allow(clippy::unwrap_used)] // the example may panic

use urikit::component::NotUtf8;
use urikit::{Standard, Uri};

fn main() -> Result<(), NotUtf8> {
    let url = Uri::parse("https://jo@example.com:8042/over%20there?name=ferret#nose").unwrap();
    assert_eq!(url.host().unwrap(), "example.com");
    assert_eq!(url.port_number(), Some(8042));
    assert_eq!(url.path(), "/over%20there"); // as written
    assert_eq!(url.segments().next().unwrap().decode_utf8()?, "over there");

    // An error contains the offset, the expected characters, the production and its section.
    let error = Uri::parse("http://[::1]:80x/").unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a digit, `/`, `?`, `#` or the end, but found `x` at byte 15 \
         (port, RFC 3986, 3.2.3)",
    );

    // RFC 2396 had no IPv6 addresses.
    assert!(Standard::Rfc2396.parse("http://[::1]/").is_err());
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_runs() {
        super::main().unwrap();
    }
}
