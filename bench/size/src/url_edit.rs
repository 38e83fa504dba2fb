//! Like `edit`, but uses the `url` crate, which always normalizes.

use url::Url;

fn main() {
    let texts: Vec<String> = std::env::args().skip(1).collect();
    let Some(base) = texts.first().and_then(|text| Url::parse(text).ok()) else {
        return;
    };
    for text in &texts {
        match base.join(text) {
            Ok(url) => {
                println!("{url}");
                println!("{} {}", url.scheme(), url.path());
                println!("{}", url.host_str().unwrap_or_default());
                for (name, value) in url.query_pairs() {
                    println!("{name}");
                    println!("{value}");
                }
            }
            Err(error) => println!("{error}"),
        }
    }
}
