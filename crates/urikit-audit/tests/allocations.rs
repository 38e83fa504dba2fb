//! The core's own readers, and those that only split, do not allocate on references as they should
//! be; the exact reader of Java on none.

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
    // The voices, and what the crate `url` takes for itself.
    let taken = measure(|| drop(black_box(agree(url))));
    let of_url = measure(|| drop(black_box(url::Url::parse(url))));
    assert!(
        taken.count_total <= of_url.count_total + 1,
        "{taken:?}, {of_url:?}"
    );
}
