//! Like `parse`, with fluent-uri.

use fluent_uri::Uri;

fn main() {
    for text in std::env::args().skip(1) {
        match Uri::parse(text.as_str()) {
            Ok(uri) => {
                println!("{} {}", uri.scheme().as_str(), uri.path().as_str());
                if let Some(authority) = uri.authority() {
                    println!("{}", authority.host());
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
