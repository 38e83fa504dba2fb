//! Finding links in four times as much text takes four times as many instructions, for any text.

use std::hint::black_box;
use urikit_extract::Finder;
use urikit_testkit::instructions::{assert_linear_in_instructions, size_of_work};

/// The number of groups that the pieces are divided into.
const GROUPS: usize = 4;

/// Text in which a careless search would examine the same bytes again and again.
const PIECES: [&str; 72] = [
    "http://a/[",
    "http://a/b[c",
    "http://a/|",
    "|",
    "http://a@b@",
    "http://a:b",
    "http://a:$",
    "<http://a\n# ",
    "%3Dhttp://",
    "\x1b[0mhttp://",
    "stun:a.",
    "http://a/\\_",
    "http://",
    "http:",
    "a:",
    "a://",
    "aa://",
    ":",
    "::",
    "/",
    "://",
    "(",
    ")",
    "http://a(",
    "http://a/(",
    "http://a/(b)",
    "mailto:",
    "mailto:a@",
    "mailto:a@b,",
    "mailto:a",
    "sip:",
    "sip:a",
    "news:a.",
    "tag:a,",
    "<",
    "<URL:",
    "<URL: ",
    "URL:",
    "URL: ",
    "<http://",
    "<http://a ",
    "<http://a\n",
    "<http://a-\n> ",
    "<http:\n",
    "\"http://a\n",
    "\"http://a \n",
    "\"http:\n",
    "http://a,",
    "http://a/,",
    "http://a/",
    "http://a/b?",
    "http://a@",
    "http://a:",
    "http://[",
    "http://[::",
    "http:\\/\\/",
    "http:\\/\\/a\\/",
    "http://a/\\u0026",
    "http:\\u002F\\u002F",
    "http:\\u002F\\u002Fa\\u002F",
    "\\u0026",
    "data:,",
    "data:a/b",
    "urn:a:",
    "urn:a:b",
    "geo:1,",
    "http://a/%4",
    "http://a/&lt",
    "http://a/。",
    "http://aを",
    "http://é.",
    "http",
];

/// Text of the same kind for a search with guesses.
const GUESSES: [&str; 22] = [
    "[.]",
    "a[.]",
    "hxxp://",
    "hxxp://a[.]b/",
    "(dot)",
    "a.rs/b",
    "a[@]",
    "www.é.",
    "www.é",
    "www.a.例",
    "www.",
    "www.a.",
    "a.",
    ".",
    "@",
    "a@",
    "a@a.",
    "a-",
    "a.com",
    "www.a/",
    "ftp.a.b:",
    "_a.b@",
];

/// Returns the texts of a group with their finders. Each text repeats a piece, alone or after a
/// beginning such as `<URL:`.
fn texts(group: usize, size: usize) -> impl Iterator<Item = (Finder, String)> {
    let pieces = PIECES.iter().chain(&GUESSES).skip(group).step_by(GROUPS);
    pieces.flat_map(move |piece| {
        let many = piece.repeat(size / piece.len());
        [
            (
                Finder::new().abbreviated(true).addresses(true).refang(true),
                many.clone(),
            ),
            // These are overlong links.
            (Finder::new().max_length(50), ["http://a/", &many].concat()),
            (Finder::new(), ["<URL:http://a/", &many].concat()),
            (Finder::new(), ["\"http://a/", &many].concat()),
        ]
    })
}

fn iterate(group: usize, size: usize) {
    for (finder, text) in texts(group, size) {
        black_box(finder.links(&text).count());
    }
}

fn stream(group: usize, size: usize) {
    for (finder, text) in texts(group, size) {
        let mut stream = finder.stream();
        let mut count = 0;
        for piece in text.as_bytes().chunks(100) {
            stream.push(piece, |_| count += 1);
        }
        stream.finish(|_| count += 1);
        black_box(count);
    }
}

// One test per group, so that the other texts do not hide one with quadratic work.
macro_rules! linear {
    ($($name:ident = $work:expr;)*) => {$(
        #[test]
        fn $name() {
            if let Some(size) = size_of_work() {
                return ($work)(size);
            }
            let name = stringify!($name);
            match assert_linear_in_instructions(name, 3_000) {
                Some(ratio) => println!("{name}: {ratio:.3} times the instructions for 4 n"),
                None => println!(
                    "SKIPPED {name}: valgrind is not installed; \
                     ./test --install installs it"
                ),
            }
        }
    )*};
}

linear! {
    iterator_0 = |size| iterate(0, size);
    iterator_1 = |size| iterate(1, size);
    iterator_2 = |size| iterate(2, size);
    iterator_3 = |size| iterate(3, size);
    stream_0 = |size| stream(0, size);
    stream_1 = |size| stream(1, size);
    stream_2 = |size| stream(2, size);
    stream_3 = |size| stream(3, size);
}
