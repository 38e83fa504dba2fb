//! Operations that need no memory do not allocate. Counts every allocation while references of
//! every standard are parsed, iterated, compared, and written into buffers that are large enough.
//!
//! `allocation-counter` provides the allocator, which counts per thread.

#![allow(clippy::unwrap_used, clippy::panic)] // a test fails by panicking

use allocation_counter::measure;
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;
use urikit::component::Encoded;
use urikit::op::{
    AboveRoot, CowRef, Level, NormalKey, Options, RelativeOptions, SameScheme, SlashRule,
};
use urikit::{AnyRef, Standard};
use urikit_testkit::abnf::{Generator, Grammar, dir};
use urikit_testkit::data::{references, rejects};

/// The number of references generated from each standard's grammar.
const GENERATED: usize = 2_000;

/// Fails if `work` allocates.
fn none(what: &str, on: &dyn fmt::Display, work: impl FnOnce()) {
    let taken = measure(work);
    assert_eq!(taken.count_total, 0, "{what}: {on}: {taken:?}");
}

/// Returns the references in `testdata/`, and some generated from the standard's grammar.
fn texts(standard: Standard) -> Vec<String> {
    let grammar = Grammar::load(&dir(), standard.name()).unwrap();
    let mut generator = Generator::new(&grammar, 71);
    let generated = (0..GENERATED).map(|_| generator.generate(grammar.start()));
    let valid = references().into_iter().map(|(_, row)| row.input);
    let refused = rejects().into_iter().map(|(_, row)| row.input);
    generated.chain(valid).chain(refused).collect()
}

/// Passes every reference of every standard to `work`, also parsed with the generic production.
fn each(work: impl Fn(AnyRef<'_>)) {
    for standard in Standard::ALL {
        let mut count = 0;
        for text in texts(standard) {
            let read = [standard.parse(&text), standard.parse_generic(&text)];
            for reference in read.into_iter().flatten() {
                work(reference);
                count += 1;
            }
        }
        assert!(count > GENERATED, "{standard}: {count} references");
    }
}

/// A writer that discards its text.
struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        black_box(text);
        Ok(())
    }
}

#[test]
fn what_allocates_is_counted() {
    let reference = Standard::Rfc3986
        .parse("http://EXAMPLE.com/%7euser")
        .unwrap();
    let taken = measure(|| {
        black_box(reference.normalize_to(Level::Scheme));
    });
    assert_eq!(taken.count_total, 1, "a normal form that differs is owned");
    let taken = measure(|| {
        let mut out = String::new();
        reference.normalize_into(Level::Scheme, &mut out);
        black_box(out);
    });
    assert!(taken.count_total > 0, "a buffer that grows");
}

#[test]
fn parsing() {
    for standard in Standard::ALL {
        for text in &texts(standard) {
            none("parse", text, || {
                for outcome in [standard.parse(text), standard.parse_generic(text)] {
                    if let Err(error) = black_box(outcome) {
                        write!(Nowhere, "{error}").unwrap();
                    }
                }
                let _ = black_box(standard.parse_bytes(text.as_bytes()));
            });
        }
    }
}

#[test]
fn components_and_what_they_stand_for() {
    fn octets(part: Encoded<'_>) {
        let data = part.decode();
        data.octets().chain(data.form()).for_each(|octet| {
            black_box(octet);
        });
    }
    each(|reference| {
        none("components", &reference, || {
            black_box((reference.form(), reference.is_opaque(), reference.port()));
            if let Some(host) = reference.host() {
                black_box((host.kind(), host.to_ipv4(), host.to_ipv6()));
                octets(host.encoded());
            }
            let parts = [
                reference.userinfo(),
                reference.user(),
                reference.password(),
                reference.params(),
                reference.query(),
                reference.fragment(),
            ];
            parts.into_iter().flatten().for_each(octets);
        });
        none("segments", &reference, || {
            for segment in reference.path().segments() {
                octets(segment.encoded());
                octets(segment.name());
                segment.parameters().for_each(octets);
            }
        });
        none("query pairs", &reference, || {
            for pair in reference.query_pairs() {
                octets(pair.name());
                pair.value().into_iter().for_each(octets);
            }
            black_box(reference.query_get_raw("name"));
        });
        none("decoded", &reference, || {
            let path = reference.path().decode();
            black_box((path == "/a", path == b"/\xE9"));
            if let Some(query) = reference.query() {
                let data = query.decode();
                black_box(data.octets().chain(data.form().octets()).count());
            }
        });
    });
}

#[test]
fn normal_forms() {
    each(|reference| {
        for level in Level::ALL {
            none("is_normal", &reference, || {
                black_box(reference.is_normal(level));
            });
            let text = String::from(reference.normalize_to(level));
            let normal = if reference.is_generic() {
                reference.standard().parse_generic(&text).unwrap()
            } else {
                reference.standard().parse(&text).unwrap()
            };
            none("normalize", &normal, || {
                let form = black_box(normal.normalize_to(level));
                assert!(matches!(form, CowRef::Borrowed(_)));
            });
            let mut buffer = String::with_capacity(text.len());
            none("normalize_into", &reference, || {
                reference.normalize_into(level, &mut buffer);
            });
            assert_eq!(buffer, text);
        }
    });
}

#[test]
fn comparing_and_hashing() {
    each(|reference| {
        let text = String::from(reference.normalize_to(Level::Scheme));
        let Ok(normal) = reference.standard().parse(&text) else {
            return;
        };
        let other = reference.standard().parse("http://a/b%7Ec").unwrap();
        none("compare", &reference, || {
            black_box(reference.compare(normal));
            black_box(reference.compare(other));
            for level in Level::ALL {
                black_box(reference.is_equivalent(normal, level));
                black_box(reference.is_equivalent(other, level));
            }
        });
        none("Normal", &reference, || {
            let (a, b) = (NormalKey(reference), NormalKey(normal));
            black_box(a == b);
            let mut hasher = DefaultHasher::new();
            a.hash(&mut hasher);
            black_box(hasher.finish());
        });
    });
}

#[test]
fn resolving_into_a_buffer() {
    const BASES: [&str; 4] = [
        "http://a/b/c/d",
        "x:/a//b///c/../d",
        "mailto:a@b",
        "news:a.b",
    ];
    let default = Options::default();
    let choices = [
        default,
        Options {
            same_scheme: SameScheme::Inherit,
            slash_rule: SlashRule::Text,
            above_root: Some(AboveRoot::Drop),
        },
        Options {
            above_root: Some(AboveRoot::Refuse),
            ..default
        },
    ];
    each(|reference| {
        for base in BASES {
            let base = reference.standard().parse(base).unwrap();
            // The target is at most as long as the base, the reference, and a slash between them.
            let enough = base.as_str().len() + reference.as_str().len() + 1;
            let mut buffer = String::with_capacity(enough);
            for options in choices {
                buffer.clear();
                none("resolve_into", &reference, || {
                    let _ = black_box(reference.resolve_into(base, options, &mut buffer));
                });
            }
        }
    });
}

#[test]
fn relativizing_takes_memory_in_proportion() {
    // Runs of slashes of many lengths, which RFC 1630 counts, and many `..` segments.
    let runs: Vec<String> = (1..400).map(|length| "/".repeat(length)).collect();
    let runs = format!("x:{}a", runs.join("a"));
    let longer = format!("{runs}{}", "b".repeat(1 << 20));
    let deep = format!("x:/{}", "b/".repeat(1 << 19));
    for standard in Standard::ALL {
        for (base, target) in [(&runs, &longer), (&longer, &runs), (&deep, &longer)] {
            let (Ok(base), Ok(target)) = (standard.parse(base), standard.parse(target)) else {
                continue;
            };
            let taken = measure(|| {
                let options = RelativeOptions::default();
                let _ = black_box(target.relative_to_into(base, options, &mut String::new()));
            });
            // The buffers contain the reference, its target, and the directory of the base. Each
            // buffer doubles, and exists twice while it does.
            let enough = 6 * (base.as_str().len() + target.as_str().len());
            let enough = u64::try_from(enough).unwrap();
            assert!(taken.bytes_max < enough, "{standard}: {taken:?}");
        }
    }
}
