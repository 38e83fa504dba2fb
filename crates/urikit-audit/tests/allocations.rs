//! Tests that the standards and the splitting readers do not allocate for ordinary references, and
//! that the model of Java never allocates.

use allocation_counter::measure;
use std::hint::black_box;
use urikit::Standard;
use urikit_audit::{Curl, JavaNetUri, LegacyIpv4, Lenient, Reader, Urllib, agree};
use urikit_testkit::rows::audited;

#[test]
fn the_readers_of_the_core_do_not_allocate() {
    let readers: Vec<&dyn Reader> = Standard::ALL
        .iter()
        .map(|standard| standard as &dyn Reader)
        .chain([&LegacyIpv4 as &dyn Reader, &Lenient, &JavaNetUri])
        .collect();
    for (_, row) in audited() {
        for reader in &readers {
            let taken = measure(|| drop(black_box(reader.read(&row.input))));
            assert_eq!(taken.count_total, 0, "{}: {:?}", reader.name(), row.input);
        }
    }
}

#[test]
fn models_do_not_allocate_on_ordinary_urls() {
    let url = "https://user@www.example.com:8443/path/to/page?query=1#fragment";
    for reader in [&Curl as &dyn Reader, &Urllib] {
        let taken = measure(|| drop(black_box(reader.read(url))));
        assert_eq!(taken.count_total, 0, "{}", reader.name());
    }
    // The only allocations are the list of answers and those of the `url` crate.
    let taken = measure(|| drop(black_box(agree(url))));
    let of_url = measure(|| drop(black_box(url::Url::parse(url))));
    assert!(
        taken.count_total <= of_url.count_total + 1,
        "{taken:?}, {of_url:?}"
    );
}
