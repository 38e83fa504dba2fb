//! Resolves references against a base, makes them relative again, and normalizes them.
//!
//! `cargo run --example resolve`

use urikit::op::{AboveRoot, Options};
use urikit::{Uri, UriRef};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = Uri::parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4
    for reference in [
        "g",
        "./g/",
        "/g",
        "//g",
        "?y",
        "#s",
        "..",
        "../../../g",
        "mailto:jo@a",
    ] {
        let target = base.join(reference)?;
        // The shortest reference that resolves to the target, which may differ from `reference`.
        let back = target.relative_to(base)?;
        println!("{reference:12} {target:25} {back}");
    }

    // RFC 3986, 5.2.4 drops `..` above the root. With this option, `..` above the root is an
    // error.
    let options = Options {
        above_root: Some(AboveRoot::Refuse),
        ..Options::default()
    };
    if let Err(error) = UriRef::parse("../../../g")?.resolve_with(base, options) {
        println!("{error}");
    }

    // Two URIs that differ as text but identify the same resource.
    let (one, other) = (Uri::parse("HTTP://A:80/%62")?, base.join("/b")?);
    println!(
        "{} = {}: {:?}",
        one.normalize(),
        other.normalize(),
        one.compare(&other)
    );
    Ok(())
}
