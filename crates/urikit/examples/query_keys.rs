//! Appends, reads and removes query keys that may occur several times.
//!
//! `cargo run --example query_keys`

use urikit::UriBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut url = UriBuf::parse("https://shop.example/search?q=tea&page=2")?;
    url.query_append("tag", "green & black")?; // data: `&` and the spaces are escaped
    url.query_append("tag", "50% off")?;
    url.query_append("limit", 20)?;
    println!("{url}");

    for pair in url.query_get_all_raw("tag") {
        println!("tag: {}", pair.value().unwrap_or_default().decode_utf8()?);
    }
    let page = url.query_get_raw("page").and_then(|pair| pair.value());
    println!(
        "page: {:?}",
        page.and_then(|page| page.as_str().parse::<u32>().ok())
    );

    url.query_remove("tag")?;
    url.query_set("page", 3)?;
    println!("{url}");
    Ok(())
}

#[cfg(test)]
#[test]
fn runs() {
    main().unwrap();
}
