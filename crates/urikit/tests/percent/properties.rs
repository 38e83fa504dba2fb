//! Properties of all octets, in every component of every standard, and linear time.

use crate::octets;
use crate::rows::{get, put};
use std::hint::black_box;
use std::time::{Duration, Instant};
use urikit::grammar::ByteSet;
use urikit::percent::{
    EncodeError, Place, Reading, decode, encode, escape_unreserved, unescape_unreserved, utf8,
};
use urikit::{AnyRef, IriRef, Standard, UriRef};
use urikit_testkit::Random;
use urikit_testkit::abnf::{Generator, Grammar, Mutator};
use urikit_testkit::data::project_root;

/// Every component of every standard.
fn components() -> impl Iterator<Item = (Standard, Place)> {
    let all = Standard::ALL.into_iter();
    let pairs = all.flat_map(|standard| Place::ALL.map(|component| (standard, component)));
    pairs.filter(|(standard, component)| component.class(*standard).is_some())
}

/// The encodings of data: as data, partly escaped, and each of these as HTML form data.
fn texts(data: &[u8], component: Place, standard: Standard) -> Vec<(String, Reading, bool)> {
    let escaped = match encode(data, component, standard) {
        Ok(escaped) => escaped,
        Err(EncodeError::NoEscapes(error)) => {
            assert!(error.offset() < data.len(), "{error}");
            assert!(!component.class(standard).unwrap().has_escapes());
            return Vec::new();
        }
        Err(EncodeError::InvalidHost(error)) => {
            assert!(error.offset() <= data.len(), "{error}");
            // The text is not a host as written either.
            if let Ok(text) = str::from_utf8(data) {
                let url = format!("http://{text}/");
                let host = standard.parse(&url).ok().and_then(|url| url.host());
                assert!(
                    host.is_none_or(|host| host.as_str() != text),
                    "{url}: {error}"
                );
            }
            return Vec::new();
        }
        Err(error) => panic!("{error}"),
    };
    let mut texts = Vec::new();
    for reading in [Reading::Data, Reading::Partly] {
        let escaped = escaped.clone().reading(reading);
        let pieces: String = escaped.clone().collect();
        assert_eq!(pieces, escaped.to_string());
        texts.push((pieces, reading, false));
        if component.is_query() {
            texts.push((escaped.form().to_string(), reading, true));
        }
    }
    texts
}

/// All short hosts of letters, digits, hyphens, dots and spaces.
#[test]
fn encoded_hosts_are_hosts() {
    let mut all = vec![String::new()];
    for length in 1..=5 {
        let longer = all.iter().filter(|host| host.len() == length - 1);
        let longer: Vec<_> = longer
            .flat_map(|host| ['a', '1', '-', '.', ' '].map(|c| format!("{host}{c}")))
            .collect();
        all.extend(longer);
    }
    all.extend(["1.2.3.4", "1.2.3.4.5", "1.2.3.4a"].map(str::to_owned));
    let mut encoded = [0; Standard::ALL.len()];
    for host in &all {
        for (count, standard) in encoded.iter_mut().zip(Standard::ALL) {
            for (text, _, _) in texts(host.as_bytes(), Place::Host, standard) {
                let Some(url) = put(Place::Host, standard, &text) else {
                    continue;
                };
                let reference = standard.parse(&url).expect(&url);
                assert_eq!(get(Place::Host, reference), Some(text.as_str()), "{url}");
                *count += 1;
            }
        }
    }
    assert!(encoded.iter().all(|count| *count > 100), "{encoded:?}");
}

#[test]
fn encoded_data_parses_in_its_place_and_decodes_to_itself() {
    let mut random = Random::new(1630);
    let mut placed = 0;
    for _ in 0..4_000 {
        let data = octets(&mut random);
        for (standard, component) in components() {
            for (text, reading, form) in texts(&data, component, standard) {
                let place = format!("{standard} {component} {reading:?} {form}: {data:?} {text:?}");
                let decoded = decode(&text, component, standard).expect(&place);
                let decoded = if form { decoded.form() } else { decoded };
                if reading == Reading::Data {
                    assert_eq!(decoded.to_bytes(), data, "{place}");
                    assert!(decoded.octets().eq(data.iter().copied()), "{place}");
                    match decoded.decode_utf8() {
                        Ok(text) => assert_eq!(text.as_bytes(), data, "{place}"),
                        Err(_) => assert!(utf8(&data).is_err(), "{place}"),
                    }
                    let latin1: String = data.iter().copied().map(char::from).collect();
                    assert_eq!(decoded.to_latin1(), latin1, "{place}");
                }
                let Some(whole) = put(component, standard, &text) else {
                    continue;
                };
                let reference = standard.parse(&whole);
                let reference =
                    reference.unwrap_or_else(|error| panic!("{place}: {whole}: {error}"));
                assert_eq!(
                    get(component, reference),
                    Some(text.as_str()),
                    "{place}: {whole}"
                );
                placed += 1;
            }
        }
    }
    assert!(placed > 400_000, "{placed}");
}

#[test]
fn encoding_what_is_partly_encoded_is_done_once() {
    let mut random = Random::new(2396);
    for _ in 0..4_000 {
        let data = octets(&mut random);
        for (standard, component) in components() {
            for (text, reading, form) in texts(&data, component, standard) {
                let again = texts(text.as_bytes(), component, standard);
                let place = format!("{standard} {component} {form}: {text:?}");
                // Encoded text needs no further escapes, however it was encoded.
                let partly = again
                    .iter()
                    .find(|(_, r, f)| *r == Reading::Partly && *f == form);
                assert_eq!(partly.unwrap().0, text, "{place} {reading:?}");
            }
        }
    }
}

/// A character is escaped only if it cannot be literal, and literal only if it can be: the class is
/// that of the production, minus at most the standard's reserved characters.
#[test]
fn classes_are_their_productions_without_delimiters() {
    for (standard, component) in components() {
        let class = component.class(standard).unwrap();
        let delimiters: &[u8] = b":;/?@&=+,$*!#[]";
        for byte in 0..=255_u8 {
            let data = [byte];
            let Ok(escaped) = encode(&data, component, standard) else {
                continue;
            };
            let stays = escaped.to_string().as_bytes() == [byte];
            let is_colon = byte == b':' && component == Place::Userinfo;
            assert_eq!(
                stays,
                class.set().contains(byte) || is_colon,
                "{standard} {component} {byte}"
            );
            // An escaped character that would also parse unescaped is a delimiter.
            let raw = char::from(byte).to_string();
            let parses = byte.is_ascii()
                && put(component, standard, &raw).is_some_and(|text| {
                    let read: Result<AnyRef<'_>, _> = standard.parse(&text);
                    read.is_ok_and(|reference| get(component, reference) == Some(&raw))
                });
            assert!(
                !parses || stays || delimiters.contains(&byte),
                "{standard} {component} {raw}"
            );
        }
    }
}

#[test]
fn safer_and_plainer_are_inverse_and_keep_the_meaning() {
    let folder = project_root().join("spec/abnf");
    let mut random = Random::new(7);
    let mut changed = 0;
    for standard in Standard::ALL {
        let grammar = Grammar::load(&folder, standard.name()).unwrap();
        let mut generator = Generator::new(&grammar, 77 + standard as u64);
        let mut mutator = Mutator::new(77 + standard as u64);
        for _ in 0..5_000 {
            let text = generator.generate(grammar.start());
            let text = if random.chance(30) {
                mutator.mutate(&text, "http://a/b?c#d")
            } else {
                text
            };
            let Ok(reference) = standard.parse(&text) else {
                continue;
            };
            let set = match random.below(3) {
                0 => ByteSet::range(0, 255),
                1 => ByteSet::of(b"-._~!*'()$,+"),
                _ => ByteSet::of(octets(&mut random).as_slice()),
            };
            let Ok(safe) = escape_unreserved(reference, &set) else {
                continue;
            };
            let safe = standard.parse(&safe).unwrap();
            changed += usize::from(safe.as_str() != text);
            assert_eq!(
                meaning(safe),
                meaning(reference),
                "{standard}: {text} {safe}"
            );
            assert_eq!(
                escape_unreserved(safe, &set).unwrap(),
                safe.as_str(),
                "{standard}: {text}"
            );
            match (
                unescape_unreserved(safe, &set),
                unescape_unreserved(reference, &set),
            ) {
                (Ok(back), Ok(plain)) => {
                    assert_eq!(back, plain, "{standard}: {text} {safe}");
                    let plain = standard.parse(&plain).unwrap();
                    assert_eq!(meaning(plain), meaning(reference), "{standard}: {text}");
                    assert_eq!(unescape_unreserved(plain, &set).unwrap(), plain.as_str());
                    if !text.contains('%') {
                        assert_eq!(back, text, "{standard}: {safe}");
                    }
                }
                (Err(_), Err(_)) => {}
                (back, plain) => panic!("{standard}: {text} {safe}: {back:?} {plain:?}"),
            }
        }
    }
    assert!(changed > 5_000, "{changed}");
}

/// The parts of a reference, split as written and then decoded.
fn meaning(reference: AnyRef<'_>) -> Vec<Vec<u8>> {
    let mut parts = vec![
        reference.form().to_string().into_bytes(),
        reference.scheme().unwrap_or("").as_bytes().to_vec(),
        reference
            .authority()
            .map_or("", |a| a.as_str())
            .as_bytes()
            .to_vec(),
    ];
    for segment in reference.path().segments() {
        parts.push(segment.encoded().decode().octets().collect());
        parts.extend(segment.parameters().map(|p| p.decode().octets().collect()));
    }
    let rest = [reference.params(), reference.query(), reference.fragment()];
    for part in rest {
        let pieces = part.into_iter().flat_map(|part| part.split('&'));
        parts.extend(pieces.map(|piece| piece.decode().octets().collect()));
        parts.push(Vec::new());
    }
    parts
}

/// The shortest time of several runs.
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
                                decoded.decode_utf8().is_ok(),
                            ));
                        }
                    }
                }
                if let Ok(reference) = Standard::Rfc3986.parse(&path) {
                    let set = ByteSet::range(0, 255);
                    black_box((
                        escape_unreserved(reference, &set).is_ok(),
                        unescape_unreserved(reference, &set).is_ok(),
                    ));
                }
                let _ = black_box(UriRef::parse(&path).map(|uri| uri.to_iri()));
                let _ = black_box(IriRef::parse(&path).map(|iri| iri.to_uri()));
            })
        };
        // The long text is four times as long. Quadratic time would be sixteen times as long. On a
        // busy machine one measurement says little, so only a text that is slow every time fails.
        let is_linear = || {
            let (short, long) = (work(20_000), work(80_000));
            long < short.max(Duration::from_micros(200)) * 10
        };
        assert!((0..8).any(|_| is_linear()), "{repeated}: more than linear");
    }
}
