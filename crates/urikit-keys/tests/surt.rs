//! Compares the `ia-python` profile with PyPI's `surt`, for real and for mutated URLs.
//!
//! Skipped if `target/surt` has no environment with that package; `./test --install` creates it.
//! `testdata/surt/ia_python.toml` lists the URLs whose keys differ, with reasons.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking
#![allow(clippy::string_slice)]

use serde::Deserialize;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, thread};
use urikit_keys::Profile;
use urikit_testkit::Random;
use urikit_testkit::data::project_root;

const COUNT: usize = 200_000;

/// Real URLs, and URLs that show how the programs work.
const SEEDS: &[&str] = &[
    "http://www.archive.org/goo/?a=1&b",
    "https://www2.Example.com:8080/A/../b//c/./?z=1&a=2&a&a=&B=%7E#top",
    "ftp://user:pass@ftp.example.org:21/pub/File.TXT;type=a",
    "http://www.archive.org:80/index.html?",
    "http://example.com/(a(0123456789abcdefghijklmn))/page.aspx?x",
    "http://example.com/x/(0123456789abcdefghijklmn)/y/mixed.aspx",
    "http://example.com/(S(0123456789ABCDEFGHIJKLMN)f(0123456789abcdefghijklmn))/a.ASPX",
    "http://a.example/?jsessionid=0123456789ABCDEF0123456789abcdef&x=1",
    "http://a.example/?x=1&PHPSESSID=0123456789ABCDEF0123456789abcdef",
    "http://a.example/?x=1&sid=0123456789ABCDEF0123456789abcdef&y&ASPSESSIONIDABCDEFGH=abcdefghijklmnopqrstuvwx",
    "http://a.example/?CFID=12&CFTOKEN=34&x&cfid=5&cftoken=6",
    "http://0xa.b/",
    "http://127.1/",
    "http://3279880203/blah",
    "http://0177.0.0.1/",
    "http://08.1/",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://1.2.3.300/",
    "http://99999999999999999999/",
    "http://[::1]:8080/",
    "http://[fe80::1%25eth0]/",
    "http://www3288.com/",
    "http://www.www2.a/",
    "mailto:someone@example.com",
    "dns:www.Example.com",
    "urn:ISBN:0-395",
    "filedesc:x",
    "warcinfo:y",
    "example.com/Path",
    "//example.com/",
    "http:////www.vikings.com/x",
    "http://https://order.1and1.com",
    "http://ex%61mple.com/%25%32%35",
    "http://a/%2525252541%2",
    "http://a/b%00c%7f%c3%A9%ff é",
    "http://bücher.example/ü?é=ß",
    "http://faß.de/",
    "http://xn--bcher-kva.example/",
    "http://日本.jp。x/",
    "http://a..b.../",
    "http://.a./",
    "http://a:b@c@d:80/",
    "http://a:/",
    "http://a:0/",
    "http://a:99999/",
    "http://a:x/",
    "http:a",
    "http:?q",
    "https:",
    "HTTP://WWW.A.B/",
    "httpx://a/?",
    "a+b://c:443/d",
    " \thttp://a/ b\n ",
    "",
    " ",
    "?",
    "#",
    "http://",
    "http://?q",
    "http://.",
    "http://a/?&&b&",
    "x:",
    "http://a/?a=b=c&a=b&=d&e=",
    "https://a:443/x/",
    "https://a:80/x//",
    "http://a/..",
    "http://a/../../b/.",
    "javascript:alert(1)?#x",
    "data:text/plain,%20",
    "http://www./",
    "http://www1.www/",
    "http://u@:80/",
    "http://a\u{3002}b/",
    "http://\u{E9}\u{3002}/",
    "http://%ff/",
    "http://%c3%a9%ff/",
    "http://a%2eb/",
    "http://\u{1F130}\u{E9}.example/",
    "http://\u{1D43}.example/",
    "http://a/\u{2028}x",
    "http://\u{5D0}.com/",
    "http://a\u{AD}b/",
    "http://\u{1F600}.la/",
    "http://É/",
];

/// The pieces that mutations insert.
const PIECES: &[&str] = &[
    "%",
    "%2",
    "%25",
    "%2e",
    "%2F",
    "%3F",
    "%23",
    "%00",
    "%E9",
    "%C3%A9",
    "/",
    "//",
    "/./",
    "/../",
    "?",
    "#",
    "&",
    "=",
    ":",
    "@",
    "[",
    "]",
    ".",
    "..",
    " ",
    "\t",
    "\n",
    "\r",
    "é",
    "ß",
    "\u{3002}",
    "www.",
    "www9.",
    "80",
    ":80",
    ":443",
    "http://",
    "sid=",
    "jsessionid=0123456789ABCDEF0123456789abcdef",
    ".aspx",
    "(",
    ")",
    "\\",
    "\u{7F}",
    "\u{85}",
    "A",
    "Z",
    "0",
    "-",
    "_",
    "~",
    "!",
    "\"",
    "'",
    "<",
    ">",
    "|",
    "^",
    "`",
    "{",
    "}",
    ";",
    ",",
];

fn real() -> Vec<String> {
    let shared = env::var_os("URIKIT_SHARED").map(PathBuf::from);
    let folder = shared.unwrap_or_else(|| project_root().join("../shared"));
    let file = |name: &str| fs::read_to_string(folder.join("bench-data").join(name));
    let names = ["kasztp.txt", "brave_top500.txt", "mined_md.txt"];
    let texts = names.into_iter().filter_map(|name| file(name).ok());
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

fn mutated(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = places
            .get(random.below(places.len() + 1))
            .copied()
            .unwrap_or(text.len());
        match random.below(4) {
            0 => drop(
                text.char_indices()
                    .find(|(place, _)| *place == at)
                    .map(|(at, c)| {
                        text.replace_range(at..at + c.len_utf8(), "");
                    }),
            ),
            1 => {
                let end = places
                    .get(random.below(places.len() + 1))
                    .copied()
                    .unwrap_or(text.len());
                let copy = text[at.min(end)..at.max(end)].to_owned();
                text.insert_str(
                    at,
                    &copy[..copy.char_indices().nth(40).map_or(copy.len(), |(at, _)| at)],
                );
            }
            _ => text.insert_str(at, PIECES[random.below(PIECES.len())]),
        }
    }
    text
}

fn urls() -> Vec<String> {
    let mut random = Random::new(20);
    let mut urls: Vec<String> = SEEDS.iter().map(|&url| url.to_owned()).collect();
    let known = urls.len();
    urls.extend(real());
    let from = urls.len();
    while urls.len() < COUNT {
        let below = if random.chance(50) { known } else { from };
        let url = urls[random.below(below)].clone();
        urls.push(mutated(&url, &mut random));
    }
    urls
}

/// A URL for which this crate and the package compute different keys.
#[derive(Deserialize)]
struct Row {
    url: String,
    /// The package's key; absent if it raises an exception.
    python: Option<String>,
    here: Option<String>,
    reason: String,
}

#[derive(Deserialize)]
struct Rows {
    #[serde(default)]
    row: Vec<Row>,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(project_root().join("testdata/surt/ia_python.toml")).unwrap();
    toml::from_str::<Rows>(&text).unwrap().row
}

fn keys(python: &Path, urls: &[String]) -> Vec<Option<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/ia_python.py");
    let mut child = Command::new(python)
        .arg(script)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONWARNINGS", "ignore")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to_child = child.stdin.take().unwrap();
    let lines: Vec<String> = urls
        .iter()
        .map(|url| serde_json::to_string(url).unwrap())
        .collect();
    let writer = thread::spawn(move || {
        let _ = to_child.write_all((lines.join("\n") + "\n").as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn ia_python_is_the_package_of_pypi() {
    let python = project_root().join("target/surt/bin/python");
    if !python.exists() {
        println!("SKIPPED surt: the package is not in target/surt; ./test --install installs it");
        return;
    }
    let known = rows();
    let mut urls = urls();
    urls.extend(known.iter().map(|row| row.url.clone()));
    let theirs = keys(&python, &urls);
    assert_eq!(theirs.len(), urls.len());
    let mut different = Vec::new();
    for (url, theirs) in urls.iter().zip(&theirs) {
        let ours = Profile::IaPython.surt(url).ok();
        let row = known.iter().find(|row| row.url == *url);
        if let Some(row) = row {
            assert_eq!(
                (&row.python, &row.here),
                (theirs, &ours),
                "{url:?}: {}",
                row.reason
            );
            assert_ne!(theirs, &ours, "{url:?} no longer differs");
        } else if *theirs != ours {
            different.push(format!("{url:?}\n  surt: {theirs:?}\n  here: {ours:?}"));
        }
    }
    let (differ, count) = (different.len(), urls.len());
    let shown: Vec<_> = different.iter().take(30).map(String::as_str).collect();
    assert!(
        differ == 0,
        "{differ} of {count} differ:\n{}",
        shown.join("\n")
    );
    let without = theirs.iter().filter(|key| key.is_none()).count();
    println!(
        "surt: {count} URLs, {without} without a key; {} known differences",
        known.len()
    );
}

/// Checks the known differences without the package.
#[test]
fn the_rows_are_what_this_crate_gives() {
    for row in rows() {
        assert_eq!(
            Profile::IaPython.surt(&row.url).ok(),
            row.here,
            "{}",
            row.reason
        );
    }
}
