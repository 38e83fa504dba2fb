//! Builds a URL and edits it. The example also shows edits that fail.
//!
//! `cargo run --example edit`

use urikit::{Uri, UriBuilder, Value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Segments, and the names and values of a query, are data: they are escaped as needed.
    let mut url = UriBuilder::new()
        .scheme("https")
        .host("example.com")
        .push_segment("reports")
        .push_segment("2024/Q1")
        .query_append("title", "profit & loss")
        .build()?;
    println!("{url}");

    url.set_port(8443)?;
    url.query_set("title", Value::encoded("caf%C3%A9"))?; // escaped already
    url.query_append("page", 2)?;
    url.set_fragment("top")?;
    println!("{url}");

    // Complete components must already be escaped. An edit that fails changes nothing.
    if let Err(error) = url.set_path("/a b") {
        println!("{error}");
    }
    url.set_path(Value::data("/a b"))?;
    println!("{url}");

    // Components taken from another URL need no escaping. `None` removes a component.
    let other = Uri::parse("http://other.example/%7Ejo?x#y")?;
    let copy = url
        .to_builder()
        .path(other.path())
        .query(other.query())
        .port(other.port())
        .build()?;
    println!("{copy}");

    url.remove_query()?;
    url.remove_fragment();
    println!("{url}");
    Ok(())
}
