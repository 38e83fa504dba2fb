//! Tests for the pairs of a query.

use urikit::component::Encoded;
use urikit_testkit::Random;

/// Iterating over pairs equals splitting at the delimiters, for delimiters at every offset in a
/// word of eight bytes.
#[test]
fn as_splitting_gives_them() {
    const PIECES: [&str; 7] = ["&", "=", "a", "é", "%26", "&&", "%3D="];
    let mut random = Random::new(5);
    for _ in 0..100_000 {
        let count = random.below(24);
        let text: String = (0..count).map(|_| *random.pick(&PIECES)).collect();
        let expected = text.split('&').map(|pair| match pair.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (pair, None),
        });
        let pairs = Encoded::assume_valid(&text).pairs('&');
        let found = pairs.map(|pair| {
            let value = pair.value().map(|value| value.as_str());
            (pair.name().as_str(), value)
        });
        if text.is_empty() {
            assert_eq!(found.count(), 0);
        } else {
            assert!(found.eq(expected), "{text}");
        }
        let one = Encoded::assume_valid(&text).pairs('a').next();
        assert_eq!(one.is_none(), text.is_empty());
        if let Some(one) = one {
            assert_eq!(one.as_str(), text);
        }
    }
}
