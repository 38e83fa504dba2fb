//! Parses its arguments, resolves each against the first, normalizes the result, and prints the
//! pairs of its query.

use urikit::Uri;

fn main() {
    let texts: Vec<String> = std::env::args().skip(1).collect();
    let Some(base) = texts.first().and_then(|text| Uri::parse(text).ok()) else {
        return;
    };
    for text in &texts {
        match base.join(text) {
            Ok(uri) => {
                println!("{}", uri.normalize());
                println!("{} {}", uri.scheme(), uri.path().as_str());
                if let Some(authority) = uri.authority() {
                    println!("{}", authority.host().as_str());
                }
                for pair in uri.query_pairs() {
                    println!("{}", pair.name().decode_utf8().unwrap_or_default());
                    if let Some(value) = pair.value() {
                        println!("{}", value.decode_utf8().unwrap_or_default());
                    }
                }
            }
            Err(error) => println!("{error}"),
        }
    }
}
