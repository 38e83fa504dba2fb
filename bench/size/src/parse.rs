//! Parses its arguments, and prints their components.

use urikit::Uri;

fn main() {
    for text in std::env::args().skip(1) {
        match Uri::parse(&text) {
            Ok(uri) => {
                println!("{} {}", uri.scheme(), uri.path().as_str());
                if let Some(authority) = uri.authority() {
                    println!("{}", authority.host().as_str());
                }
                if let Some(query) = uri.query() {
                    println!("{}", query.as_str());
                }
                if let Some(fragment) = uri.fragment() {
                    println!("{}", fragment.as_str());
                }
            }
            Err(error) => println!("{error}"),
        }
    }
}
