//! Work that grows as the text does.

use std::hint::black_box;
use std::time::{Duration, Instant};
use urikit::grammar::ByteSet;
use urikit::percent::{Place, Reading, decode, encode, plainer, safer};
use urikit::{IriRef, Standard, UriRef};

/// The shortest of several runs.
fn time(work: impl Fn()) -> Duration {
    let once = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..5).map(|_| once()).min().unwrap()
}

#[test]
fn time_is_linear() {
    const REPEATED: [&str; 12] = [
        "a", "%", "%41", "%4", "+", " ", "é", "%C3%A9", "%E2%82", ":", "/", "../",
    ];
    for repeated in REPEATED {
        let work = |times: usize| {
            let text = repeated.repeat(times);
            let path = format!("/{text}");
            time(|| {
                for standard in [Standard::Rfc1630, Standard::Rfc3987] {
                    for component in [Place::Segment, Place::Query] {
                        let escaped = encode(&text, component, standard).unwrap();
                        let partly = escaped.clone().reading(Reading::Partly).form();
                        black_box((escaped.count(), partly.count()));
                        if let Ok(decoded) = decode(&text, component, standard) {
                            let decoded = decoded.form();
                            black_box((
                                decoded.to_bytes(),
                                decoded.to_latin1(),
                                decoded.to_utf8().is_ok(),
                            ));
                        }
                    }
                }
                if let Ok(reference) = Standard::Rfc3986.parse(&path) {
                    let set = ByteSet::range(0, 255);
                    black_box((
                        safer(reference, &set).is_ok(),
                        plainer(reference, &set).is_ok(),
                    ));
                }
                let _ = black_box(UriRef::parse(&path).map(|uri| uri.to_iri()));
                let _ = black_box(IriRef::parse(&path).map(|iri| iri.to_uri()));
            })
        };
        // Four times as much; a square would be sixteen. On a busy machine one measurement says little,
        // so that only a text that is slow each time fails.
        let is_linear = || {
            let (short, long) = (work(20_000), work(80_000));
            long < short.max(Duration::from_micros(200)) * 10
        };
        assert!((0..8).any(|_| is_linear()), "{repeated}: more than linear");
    }
}
