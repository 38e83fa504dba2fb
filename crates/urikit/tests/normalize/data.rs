//! The rows of `testdata/normalize/` and `testdata/compare/`, the limits of normalizing, and the
//! references that the other tests try: valid ones of every standard, and others that may be
//! equivalent to them.

use std::fmt::Write as _;
use std::hash::Hash as _;
use std::hint::black_box;
use urikit::op::{Equivalence, Level, NormalKey};
use urikit::{AnyRef, Standard};
use urikit_testkit::abnf::{Generator, Grammar};
use urikit_testkit::data::project_root;
use urikit_testkit::rows::{comparisons, normalizations};
use urikit_testkit::{Random, assert_linear};

#[test]
fn every_normal_form() {
    let mut wrong = Vec::new();
    for row in normalizations() {
        for standard in &row.standards {
            let standard: Standard = standard.parse().unwrap();
            let reference = match standard.parse(&row.input) {
                Ok(reference) => reference,
                Err(error) => {
                    wrong.push(format!("{standard}: {:?}: {error}", row.input));
                    continue;
                }
            };
            for (level, expected) in row.levels() {
                let level: Level = level.parse().unwrap();
                let normal = reference.normalize_to(level);
                if normal != expected {
                    wrong.push(format!(
                        "{standard} {level}: {:?} to {normal:?}, not {expected:?}",
                        row.input
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_comparison() {
    let mut wrong = Vec::new();
    for row in comparisons() {
        for standard in &row.standards {
            let standard: Standard = standard.parse().unwrap();
            let place = format!("{standard}: {:?} and {:?}", row.a, row.b);
            let (Ok(a), Ok(b)) = (standard.parse(&row.a), standard.parse(&row.b)) else {
                wrong.push(format!("{place}: not valid"));
                continue;
            };
            for by in [a.compare(b), b.compare(a)] {
                if by.map_or("different", Equivalence::name) != row.by {
                    wrong.push(format!("{place}: by {by:?}, not {}", row.by));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn time_is_linear() {
    const REPEATED: [(&str, &str); 14] = [
        ("a/", ""),
        ("../", ""),
        ("a/", "../"),
        ("a/../", ""),
        ("./", ""),
        ("/", ""),
        ("/", "../"),
        ("%2e%2e/", ""),
        ("%2E%2f", ""),
        ("%41", ""),
        ("%C3%A9", ""),
        ("%F0%90%80", ""),
        ("@", ""),
        ("a:", ""),
    ];
    // Each pair repeats an address in a list, or a header field.
    const LISTS: [(&str, &str); 2] = [("mailto:a@b", ",a@B"), ("mailto:?a=b", "&A=b")];
    let befores = ["http://a/", "x:/", "mailto:", "urn:", "", "//", "x://a@"];
    let texts = befores
        .into_iter()
        .flat_map(|before| REPEATED.map(|(first, second)| (before, first, second)));
    let lists = LISTS.map(|(before, first)| (before, first, ""));
    for (before, first, second) in texts.chain(lists) {
        let text = |n: usize| format!("{before}{}{}", first.repeat(n), second.repeat(n));
        let other = |n: usize| format!("{}x", text(n));
        let name = format!("{before}{first}{second}…");
        assert_linear(&name, 10_000, |size| {
            let (text, other) = (text(size), other(size));
            move || {
                for standard in Standard::ALL {
                    let (Ok(a), Ok(b)) = (standard.parse(&text), standard.parse(&other)) else {
                        continue;
                    };
                    black_box((a.normalize_to(Level::Scheme), a.compare(b), b.compare(a)));
                    NormalKey(a).hash(&mut std::hash::DefaultHasher::new());
                }
            }
        });
    }
}

/// The number of references generated from each standard's grammar.
pub(crate) const GENERATED: usize = 25_000;

/// Schemes that have their own rules or grammars.
const SCHEMES: [&str; 16] = [
    "http", "https", "ftp", "gopher", "telnet", "ws", "nntp", "wais", "prospero", "ldap", "file",
    "mailto", "urn", "news", "HTTP", "x-y",
];

/// Passes valid references of `standard` to `take`, each also parsed with the generic production.
pub(crate) fn each(standard: Standard, mut take: impl FnMut(AnyRef<'_>, &mut Random)) -> usize {
    let folder = project_root().join("spec/abnf");
    let grammar = Grammar::load(&folder, standard.name()).unwrap();
    let mut random = Random::new(61 + standard as u64);
    let mut generator = Generator::new(&grammar, 6_220 + standard as u64);
    let mut count = 0;
    for _ in 0..GENERATED {
        let text = generator.generate(grammar.start());
        take(standard.parse(&text).unwrap(), &mut random);
        count += 1;
        // Also tries the same text under a scheme with rules.
        let rest = text.split_once(':').map_or(text.as_str(), |(_, rest)| rest);
        let text = format!("{}:{rest}", random.pick(&SCHEMES));
        let read = [standard.parse(&text), standard.parse_generic(&text)];
        for reference in read.into_iter().flatten() {
            take(reference, &mut random);
            count += 1;
        }
        // Also tries the same text with dots, ports and escapes.
        let text = alias(&text, &mut random);
        if let Ok(reference) = standard.parse(&text) {
            take(reference, &mut random);
            count += 1;
        }
    }
    // Also tries lists of addresses and header fields, which the other generators rarely produce.
    let mailto = Grammar::load(&folder, "rfc6068").unwrap();
    let mut generator = Generator::new(&mailto, 6_068);
    for _ in 0..GENERATED / 5 {
        let text = generator.generate(mailto.start());
        for text in [alias(&text, &mut random), text] {
            if let Ok(reference) = standard.parse(&text) {
                take(reference, &mut random);
                count += 1;
            }
        }
    }
    count
}

/// Changes a string at one to four places, mostly in ways that some level undoes.
pub(crate) fn alias(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(4) {
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        if chars.is_empty() {
            break;
        }
        let (at, c) = *random.pick(&chars);
        let change = |new: &str| format!("{}{new}{}", &text[..at], &text[at + c.len_utf8()..]);
        text = match random.below(9) {
            0 | 1 => change(&escaped(c, random)),
            2 => change(&c.to_ascii_uppercase().to_string()),
            3 => change(&c.to_ascii_lowercase().to_string()),
            4 => insert(&text, path_start(&text), random.pick::<&str>(&DOTS)),
            5 => insert(&text, path_start(&text), random.pick::<&str>(&PORTS)),
            6 => change(&format!("{c}{}", random.pick(&ESCAPES))),
            7 if text.starts_with("http://") => text.trim_end_matches('/').to_owned(),
            _ => unescape_first(&text),
        };
    }
    text
}

const DOTS: [&str; 9] = [
    "/.", "/..", "/x/..", "/%2E", "/.%2e", "/", "/%2e%2E/", "//", "./",
];
const PORTS: [&str; 9] = [
    ":80", ":", ":21", ":443", ":0080", ":70", ":23", ":389", ":81",
];
const ESCAPES: [&str; 14] = [
    "%2F",
    "%2f",
    "%25",
    "%3A",
    "%3b",
    "%40",
    "%2a",
    "%2B",
    "%7e",
    "%E2%80%8E",
    "%C3%A9",
    "%c3",
    "%EE%80%80",
    "%F0%90%80%80",
];

fn escaped(c: char, random: &mut Random) -> String {
    let mut escaped = String::new();
    for byte in c.to_string().bytes() {
        let _ = if random.chance(50) {
            write!(escaped, "%{byte:02x}")
        } else {
            write!(escaped, "%{byte:02X}")
        };
    }
    escaped
}

/// The approximate start of the path: after the authority, or at the first slash.
fn path_start(text: &str) -> Option<usize> {
    let Some(authority) = text.find("//") else {
        return text.find('/');
    };
    let from = authority + 2;
    let end = text[from..].find('/').map(|at| from + at);
    Some(end.unwrap_or(text.len()))
}

fn insert(text: &str, at: Option<usize>, part: &str) -> String {
    at.map_or(text.to_owned(), |at| {
        format!("{}{part}{}", &text[..at], &text[at..])
    })
}

fn unescape_first(text: &str) -> String {
    let escape = text
        .find('%')
        .and_then(|at| Some((at, text.get(at + 1..at + 3)?)));
    let byte = |digits| u8::from_str_radix(digits, 16).ok().filter(u8::is_ascii);
    match escape.and_then(|(at, digits)| Some((at, byte(digits)?))) {
        Some((at, byte)) => format!("{}{}{}", &text[..at], char::from(byte), &text[at + 3..]),
        None => text.to_owned(),
    }
}
