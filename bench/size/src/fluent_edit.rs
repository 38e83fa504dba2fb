//! Like `edit`, with fluent-uri.

use fluent_uri::{Uri, UriRef};

fn main() {
    let texts: Vec<String> = std::env::args().skip(1).collect();
    let Some(base) = texts.first().and_then(|text| Uri::parse(text.as_str()).ok()) else {
        return;
    };
    for text in &texts {
        let Ok(reference) = UriRef::parse(text.as_str()) else {
            continue;
        };
        match reference.resolve_against(&base) {
            Ok(uri) => {
                println!("{}", uri.normalize());
                println!("{} {}", uri.scheme().as_str(), uri.path().as_str());
                if let Some(authority) = uri.authority() {
                    println!("{}", authority.host());
                }
                for pair in uri.query().into_iter().flat_map(|query| query.split('&')) {
                    let (name, value) = pair.split_once('=').unwrap_or((pair, Default::default()));
                    println!("{}", name.decode().to_string_lossy());
                    println!("{}", value.decode().to_string_lossy());
                }
            }
            Err(error) => println!("{error}"),
        }
    }
}
