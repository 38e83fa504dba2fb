//! Prints the components of references, or the error if a reference is invalid.
//!
//! `cargo run --example parse -- 'http://jo@example.com:8042/a%20b?c=d#e' 'http://a/b c'`

use urikit::{ParseError, UriRef};

fn print(text: &str) -> Result<(), ParseError> {
    let reference = UriRef::parse(text)?;
    println!("{reference}");
    println!("  scheme    {:?}", reference.scheme());
    println!("  user      {:?}", reference.user()); // `Encoded`, as written
    println!("  host      {:?}", reference.host());
    println!("  port      {:?}", reference.port_number());
    for segment in reference.segments() {
        println!(
            "  segment   {segment}, decoded {:?}",
            segment.decode().decode_utf8_lossy()
        );
    }
    for (name, value) in reference.form_pairs_decoded().flatten() {
        println!("  query     {name} = {value:?}"); // of all pairs that are UTF-8
    }
    println!("  fragment  {:?}", reference.fragment());
    Ok(())
}

fn main() {
    let mut texts: Vec<_> = std::env::args().skip(1).collect();
    if texts.is_empty() {
        texts = [
            "http://jo@example.com:8042/a%20b/c?d=e%26f&g#h",
            "../g?y",
            "http://a/b c",
        ]
        .map(String::from)
        .to_vec();
    }
    for text in texts {
        if let Err(error) = print(&text) {
            println!("{}\n{error}", error.caret(&text));
        }
    }
}
