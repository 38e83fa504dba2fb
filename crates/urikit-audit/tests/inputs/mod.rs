//! Inputs for comparisons with other parsers: generated from pieces, mutated, and real.

use std::fs;
use std::path::PathBuf;
use urikit_testkit::Random;
use urikit_testkit::data::{project_root, references, rejects};

/// The pieces of generated inputs.
const SCHEMES: &[&str] = &[
    "http:",
    "https:",
    "HTTP:",
    "ftp:",
    "file:",
    "a:",
    "x-y+z.1:",
    "1a:",
    "a_b:",
    ":",
    "",
    "javascript:",
    "mailto:",
    "é:",
    "urn:",
    " http:",
    "http :",
    "ldap:",
];
const SLASHES: &[&str] = &[
    "//", "//", "//", "//", "/", "", "///", "////", "\\\\", "/\\", "//\t",
];
const USERINFOS: &[&str] = &[
    "",
    "",
    "",
    "",
    "u@",
    "u:p@",
    ":@",
    "@",
    "u%40v@",
    "u@v@",
    "é@",
    "u:p:q@",
    "[::1]@",
    "a/b@",
    "%zz@",
    "\\@",
    "u:%00@",
    "%ED%A0%80@",
    "u v@",
];
const HOSTS: &[&str] = &[
    "h",
    "example.com",
    "EXAMPLE.com.",
    "1.2.3.4",
    "01.02.03.004",
    "1.2.3.256",
    "1.2.3",
    "999",
    "1.",
    "a.1",
    "a.b1",
    "a_b",
    "a-b",
    "-a",
    "a-",
    "a..b",
    ".",
    "",
    "[::1]",
    "[1:2:3:4:5:6:7:8]",
    "[1:2:3:4:5:6:7::]",
    "[::1.2.3.4]",
    "[fe80::1%25eth0]",
    "[fe80::1%a_b.c]",
    "[fe80::1%]",
    "[v1.a:b]",
    "[]",
    "[::1",
    "::1",
    "[::1]x",
    "a[b]c",
    "h%41",
    "%65xample",
    "é",
    "ex\u{ad}ample",
    "。",
    "１２７.0.0.1",
    "0x7f.1",
    "2130706433",
    "0300.1",
    "xn--e1afmkfd.com",
    "a\u{85}b",
    "a\u{a0}b",
    "a\u{2028}b",
    "a\u{3000}",
    "[::99999999999.1.1.1]",
    "[::1%é]",
    "a,b",
    "a$b",
    "a%2Fb",
    "a%00b",
    "[1::2:3:4:5:6:7:8]",
    "[::001.2.3.0255]",
    "1.2.3.4a",
    "1.2.3.4.",
    "1.2.3.4.a",
    "a b",
    "a<b",
    "a|b",
    "a\\b",
    "1-a",
    "[fe80::1%25a]",
    "a℀b",
    "K.com",
    "faß.de",
];
const PORTS: &[&str] = &[
    "",
    "",
    "",
    "",
    ":",
    ":80",
    ":0080",
    ":65535",
    ":65536",
    ":2147483647",
    ":2147483648",
    ":99999999999999999999",
    ":+80",
    ":-1",
    ":8a",
    ":80:90",
    ":٨",
    ": 80",
    ":8 0",
    ":%38",
];
const PATHS: &[&str] = &[
    "",
    "/",
    "/a/b",
    "/../a",
    "/./b/%2e%2E/c",
    "/a%20b",
    "/%C3%A9",
    "/%C3",
    "/é",
    "/a b",
    "/[x]",
    "//b",
    "\\c",
    "/a:b",
    "/%",
    "/%4",
    "/%zz",
    "/a;b=c",
    "/%ED%A0%80",
    "/%F0%9F%98%80",
    "/%F0%80%80%80%E0%A0",
    "/\u{e000}",
    "/\u{200b}x",
    "a/b",
    "a:b",
    "/a|b",
    "/\t",
    "/a\n",
    "/%00",
    "?",
    ".",
];
const QUERIES: &[&str] = &[
    "",
    "",
    "",
    "?",
    "?q",
    "?a=b&c=%20",
    "?[%41]%42",
    "?a?b",
    "?é",
    "?%C3[%A9]",
    "?a b",
    "?\"",
    "?'",
    "?/@",
    "?]%41[%42",
];
const FRAGMENTS: &[&str] = &[
    "", "", "", "#", "#f", "#f%41", "#[%41]", "#a#b", "#é", "#%ff", "#a b", "#?/",
];

/// Generates a host from a few characters that matter for its syntax.
fn random_host(random: &mut Random) -> String {
    let (alphabet, begin, end) = match random.below(3) {
        0 => ("0123456789abcdefABCDEF::::::::::....%25", "[", "]"),
        1 => ("0012345678999.......x", "", ""),
        _ => ("ab19-_.~%41", "", ""),
    };
    let alphabet = alphabet.as_bytes();
    let count = 1 + random.below(20);
    let inner: String = (0..count)
        .map(|_| char::from(*random.pick(alphabet)))
        .collect();
    format!("{begin}{inner}{end}")
}

/// Generates a reference from pieces.
fn assembled(random: &mut Random) -> String {
    let parts = [
        SCHEMES, SLASHES, USERINFOS, HOSTS, PORTS, PATHS, QUERIES, FRAGMENTS,
    ];
    // Most pieces are ordinary, because one odd piece can hide another.
    let mut parts = parts.map(|pieces| {
        if random.chance(65) {
            pieces[0]
        } else {
            random.pick(pieces)
        }
    });
    let host = random_host(random);
    if random.chance(15) {
        parts[3] = &host;
    }
    parts.concat()
}

/// The characters that mutations insert.
const CHARACTERS: &str = "/?#:@[]%.-_~\\ \t\r\n\0\u{7f}\u{85}\u{a0}\u{ad}é\u{661}\u{200b}\u{2028}\u{3000}\u{e000}\
    \u{fffd}\u{ffff}😀\u{e0001}<>\"{}|^`'();,+=&$!*09afAFzZ";

/// Inserts, removes, doubles or escapes a few characters, or inserts part of another string.
fn mutated(text: &str, other: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let characters: Vec<char> = CHARACTERS.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(chars.len() + 1);
        match random.below(7) {
            0 | 1 => chars.insert(at, *random.pick(&characters)),
            2 if at < chars.len() => drop(chars.remove(at)),
            3 if at < chars.len() => chars.insert(at, chars[at]),
            4 if at < chars.len() => {
                let mut buffer = [0; 4];
                let octets = chars[at].encode_utf8(&mut buffer).bytes();
                let escaped: Vec<_> = octets.map(|octet| format!("%{octet:02X}")).collect();
                chars.splice(at..=at, escaped.concat().chars());
            }
            5 => {
                let escape = format!("%{:02x}", random.below(256));
                chars.splice(at..at, escape.chars());
            }
            6 => {
                let other: Vec<char> = other.chars().collect();
                let begin = random.below(other.len());
                let end = (begin + random.below(12)).min(other.len());
                chars.splice(at..at, other[begin..end].iter().copied());
            }
            _ => {}
        }
    }
    chars.into_iter().collect()
}

/// Returns the inputs of the project's data, and a tenth of the public lists of URLs and suites.
fn real() -> Vec<String> {
    let data = references().into_iter().map(|(_, row)| row.input);
    let mut inputs: Vec<_> = data
        .chain(rejects().into_iter().map(|(_, row)| row.input))
        .collect();
    let shared = std::env::var_os("URIKIT_SHARED").map(PathBuf::from);
    let vectors = shared
        .unwrap_or_else(|| project_root().join("../shared"))
        .join("vectors");
    for list in ["kasztp", "node_files", "isaacs_files"] {
        let file = vectors.join(format!("corpora/url_lists/{list}.txt"));
        let text = fs::read(file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        inputs.extend(text.lines().step_by(10).map(str::to_owned));
    }
    if let Ok(text) = fs::read_to_string(vectors.join("wpt/urltestdata.json")) {
        let rows: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        let texts = rows.iter().filter_map(|row| row.get("input")?.as_str());
        inputs.extend(texts.map(str::to_owned));
    }
    inputs
}

/// Returns the real inputs, then generated and mutated ones: at least `count` in total.
pub(crate) fn inputs(count: usize, seed: u64) -> impl Iterator<Item = String> {
    let real = real();
    let mut random = Random::new(seed);
    let more = count.saturating_sub(real.len());
    let texts = real.clone();
    let made = (0..more).map(move |_| {
        let text = assembled(&mut random);
        match random.below(10) {
            0..4 => text,
            4..8 => mutated(&text, &assembled(&mut random), &mut random),
            _ => {
                let (one, two) = (random.pick(&real).clone(), random.pick(&real).clone());
                mutated(&one, &two, &mut random)
            }
        }
    });
    texts.into_iter().chain(made)
}
