//! The search for colons that may end a scheme.

#![allow(clippy::indexing_slicing)] // a test fails by panicking

use urikit_extract::internal::Colons;
use urikit_testkit::Random;

/// Returns true for a colon that the search must find. This definition is independent of the
/// search.
fn is_one(bytes: &[u8], at: usize) -> bool {
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let continues = |byte: &u8| byte.is_ascii_alphanumeric() || b"/\\+*?,%-_\n\r".contains(byte);
    at > 0
        && bytes[at] == b':'
        && is_scheme(bytes[at - 1])
        && bytes.get(at + 1).is_none_or(continues)
}

#[test]
fn agrees_with_a_byte_by_byte_search() {
    let mut random = Random::new(1);
    for _ in 0..4_000 {
        let longest = *random.pick(&[20, 300, 10_000]);
        let length = random.below(longest);
        let rare = *random.pick(&[2, 10, 60, 100]);
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                if random.chance(100 / rare) {
                    *random.pick(b":: ;\x01\x3B\xBA")
                } else {
                    *random.pick(b"ab \xFF9")
                }
            })
            .collect();
        let far = *random.pick(&[1, 70, 5_000]);
        let mut colons = Colons::default();
        let mut at = 0;
        loop {
            let found = colons.next(&bytes, at);
            let expected = (at..bytes.len()).find(|at| is_one(&bytes, *at));
            assert_eq!(found, expected, "{bytes:?} {at}");
            let Some(found) = found else { break };
            at = found + 1 + random.below(far);
        }
    }
}
