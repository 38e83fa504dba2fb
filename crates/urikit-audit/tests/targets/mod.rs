//! Generated bases and targets.

use urikit_testkit::Random;

const BASES: &[&str] = &[
    "https://good.example/a/b?c#d",
    "https://good.example/",
    "http://good.example",
    "https://good.example:8443/a/b/c",
    "https://good.example?c/d",
    "http://good.example/a//b/../c#d/e",
    "https://good.example./a",
    "https://www.good.co.uk/",
    "http://127.0.0.1/a",
    "https://[::1]:443/a/",
];

/// The pieces of a target, in order. The first of each list is the most frequent.
const PIECES: &[&[&str]] = &[
    &["", " ", "\t", "\n", "\u{1}", "\u{a0}", "\\", "."],
    &[
        "",
        "https:",
        "http:",
        "HTTPS:",
        "ftp:",
        "x:",
        "javascript:",
        "data:",
        "ht\ttps:",
        "http:/",
    ],
    &[
        "//", "", "/", "///", "////", "\\\\", "/\\", "\\/", "/\t/", "\t//", "/..//", "/.//", "./",
        "../", "../../", "..//", "?", "#", "a/", ";", "/%2f", "//\\/",
    ],
    &[
        "",
        "",
        "a@",
        "good.example@",
        "a:b@",
        "@",
        "good.example:80@",
        "e\\@",
        "a@b@",
        "%40",
    ],
    &[
        "evil.example",
        "good.example",
        "GOOD.Example",
        "www.good.example",
        "good.example.",
        "good%2Eexample",
        "good.example%2F.evil.example",
        "good.example\\.evil.example",
        "good.example.evil.example",
        "ｇood.example",
        "good。example",
        "good.example\u{ad}",
        "é.example",
        "xn--9ca.example",
        "a_b",
        "127.0.0.1",
        "127.1",
        "0x7f.1",
        "2130706433",
        "0127.0.0.1",
        "%31%32%37.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::1",
        "a:b",
        "..",
        "",
    ],
    &[
        "", "", "", ":443", ":80", ":8443", ":", ":0443", ":99999", ":x",
    ],
    &[
        "", "/", "/x", "/a/../b", "/../..", "/a//b", "/.", "\\x", "/a b", "/é", "/a;b", "/..;b/c",
        "/%zz", "/[x]", "/a:b", "x/./y",
    ],
    &["", "", "?", "?x", "?a b", "?é?ü", "?//evil.example", "?[x]"],
    &["", "", "#", "#x", "#a#b", "#é f"],
];

/// The characters that mutations insert.
const CHARACTERS: &str = "/\\?#:@[]%. \t\r\n\0\u{7f}\u{a0}é\u{3002}\u{200b};a0";

/// Inserts or removes a character.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let characters: Vec<char> = CHARACTERS.chars().collect();
    let at = random.below(chars.len() + 1);
    if random.chance(30) && at < chars.len() {
        chars.remove(at);
    } else {
        chars.insert(at, *random.pick(&characters));
    }
    chars.into_iter().collect()
}

/// Returns bases and targets, most of which are dangerous.
pub(crate) fn targets(count: usize, seed: u64) -> impl Iterator<Item = (String, String)> {
    let mut random = Random::new(seed);
    (0..count).map(move |_| {
        let mut target = String::new();
        for pieces in PIECES {
            let piece = if random.chance(40) {
                pieces[0]
            } else {
                random.pick(pieces)
            };
            target.push_str(piece);
        }
        if random.chance(30) {
            target = mutated(&target, &mut random);
        }
        (random.pick(BASES).to_string(), target)
    })
}

/// Returns bases and targets that are ordinary, except for an occasional character.
pub(crate) fn plain(count: usize, seed: u64) -> impl Iterator<Item = (String, String)> {
    const HOSTS: [&str; 8] = [
        "good.example",
        "www.good.example",
        "a.github.io",
        "b.github.io",
        "localhost",
        "a.b-c.d1",
        "good.co.uk",
        "good",
    ];
    const RESTS: [&str; 8] = [
        "",
        "/",
        "/a/b?c=d&e#f",
        "/%7Ea/(b)!",
        "?c",
        "#d",
        "/../..//a",
        "/a:b@c;d=e,f",
    ];
    const PORTS: [&str; 5] = ["", ":443", ":80", ":8443", ":1"];
    let mut random = Random::new(seed);
    (0..count).map(move |_| {
        let mut url = || {
            let scheme = random.pick(&["https", "http"]);
            let (host, port) = (random.pick(&HOSTS), random.pick(&PORTS));
            format!("{scheme}://{host}{port}{}", random.pick(&RESTS))
        };
        let (base, mut target) = (url(), url());
        if random.chance(40) {
            let begin = random.pick(&["", "/", "x", "../", "x/", "x:"]);
            target = format!("{begin}{}", random.pick(&RESTS));
        }
        if random.chance(20) {
            target = mutated(&target, &mut random);
        }
        (base, target)
    })
}
