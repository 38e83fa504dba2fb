//! Generates strings like those found on the Web. Every run generates the same strings.
//!
//! The proportions (schemes, path lengths, how many have a query, a fragment, a percent-encoded
//! octet, a port) are round figures close to those in public lists of links.

use std::fmt::Write as _;

const COUNT: usize = 5_000;

const WORDS: [&str; 40] = [
    "about", "account", "api", "archive", "article", "assets", "blog", "book", "cart", "catalog",
    "chapter", "contact", "css", "de", "docs", "download", "en", "events", "faq", "files", "forum",
    "help", "home", "images", "index", "js", "library", "login", "news", "page", "product",
    "Research", "search", "static", "store", "Topics", "user", "v1", "video", "wiki",
];
const TOP: [&str; 8] = ["com", "org", "net", "de", "edu", "co.uk", "io", "gov"];
const SUFFIXES: [&str; 8] = [
    ".html", ".htm", ".php", ".js", ".css", ".png", ".jpg", ".aspx",
];
const ESCAPES: [&str; 6] = ["%20", "%2F", "%3A", "%C3%A9", "%26", "%7E"];

/// Pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len() as u64) as usize]
    }

    fn word(&mut self, out: &mut String) {
        out.push_str(self.pick(&WORDS));
        match self.below(10) {
            0 | 1 => {
                out.push('-');
                out.push_str(self.pick(&WORDS));
            }
            2 => out.push_str(&self.below(100_000).to_string()),
            3 if self.chance(20) => out.push_str(self.pick(&ESCAPES)),
            _ => {}
        }
    }

    fn path(&mut self, segments: u64, out: &mut String) {
        for _ in 0..segments {
            self.word(out);
            out.push('/');
        }
        if self.chance(60) {
            self.word(out);
            out.push_str(self.pick(&SUFFIXES));
        }
    }

    fn query(&mut self, escapes: u64, out: &mut String) {
        for pair in 0..=self.below(4) {
            if pair > 0 {
                out.push('&');
            }
            out.push_str(self.pick(&WORDS));
            out.push('=');
            self.word(out);
            while self.chance(escapes) {
                out.push_str(self.pick(&ESCAPES));
                self.word(out);
            }
        }
    }

    fn url(&mut self) -> String {
        let mut out = String::from(if self.chance(60) {
            "https://"
        } else {
            "http://"
        });
        if self.chance(1) {
            out.push_str("user@");
        }
        if self.chance(55) {
            out.push_str("www.");
        }
        if self.chance(2) {
            out.push_str("192.0.2.1");
        } else {
            self.word(&mut out);
            out = out.replace('%', "").to_ascii_lowercase();
            out.push('.');
            out.push_str(self.pick(&TOP));
        }
        if self.chance(1) {
            out.push_str(":8080");
        }
        if self.chance(95) {
            out.push('/');
            let segments = self.below(4);
            self.path(segments, &mut out);
        }
        if self.chance(20) {
            out.push('?');
            self.query(10, &mut out);
        }
        if self.chance(4) {
            out.push('#');
            self.word(&mut out);
        }
        out
    }
}

pub fn urls() -> Vec<String> {
    let mut random = Random(1994);
    (0..COUNT).map(|_| random.url()).collect()
}

pub fn relative() -> Vec<String> {
    let mut random = Random(1995);
    let one = |_| {
        let mut out = String::new();
        match random.below(10) {
            0 => out.push('/'),
            1..=4 => (0..=random.below(3)).for_each(|_| out.push_str("../")),
            5 => out.push_str("./"),
            6 => {
                out.push('#');
                random.word(&mut out);
                return out;
            }
            _ => {}
        }
        let segments = random.below(3);
        random.path(segments, &mut out);
        if random.chance(30) {
            out.push('#');
            random.word(&mut out);
        }
        out
    };
    (0..COUNT).map(one).collect()
}

/// Returns the log of a web server and the log of a program, with one link per line.
pub fn logs() -> [(&'static str, Vec<String>); 2] {
    let mut random = Random(2001);
    let mut server = Vec::new();
    let mut program = Vec::new();
    for url in urls() {
        let [a, b, hour, minute, second] = [256, 256, 24, 60, 60].map(|end| random.below(end));
        let (size, time) = (random.below(100_000), random.below(900));
        server.push(format!(
            "192.0.{a}.{b} - - [01/Nov/2025:{hour:02}:{minute:02}:{second:02} +0000] \"GET /{} \
             HTTP/1.1\" 200 {size} \"{url}\" \"Mozilla/5.0 (X11; Linux x86_64; rv:109.0) \
             Gecko/20100101 Firefox/115.0\"\n",
            random.pick(&WORDS)
        ));
        program.push(format!(
            "2025-11-01T{hour:02}:{minute:02}:{second:02}Z INFO fetched {url} in {time}ms \
             status=200 size={size}\n"
        ));
    }
    [("log_server", server), ("log_program", program)]
}

/// Returns a mailbox. Each message has plain text with a few links, and the same text as HTML.
pub fn mailbox() -> String {
    let mut random = Random(2003);
    let mut mailbox = String::new();
    for (nth, url) in urls().iter().enumerate() {
        let mut text = String::new();
        for _ in 0..3 + random.below(30) {
            let words: Vec<&str> = (0..10).map(|_| random.pick(&WORDS)).collect();
            text += &words.join(" ");
            text += ".\n";
        }
        let quoted = url.replace('=', "=3D");
        let _ = write!(
            mailbox,
            "From a@a.example Thu Jan  1 00:00:00 1970\n\
             Received: from mail.a.example (mail.a.example [192.0.2.1]) by b.example; Thu, 1 Jan 1970\n\
             Message-ID: <{nth}@a.example>\nFrom: =?utf-8?q?J=C3=B6?= <jo@a.example>\n\
             To: list@b.example\nSubject: {subject}\nList-Archive: <http://b.example/archive/>\n\
             MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"b{nth}\"\n\n\
             --b{nth}\nContent-Type: text/plain; charset=utf-8\n\n{text}{url}\n\n\
             --b{nth}\nContent-Type: text/html; charset=utf-8\n\
             Content-Transfer-Encoding: quoted-printable\n\n\
             <html><body><p>{text}<a href=3D\"{quoted}\">here</a>=\n</body></html>\n\n--b{nth}--\n\n",
            subject = random.pick(&WORDS)
        );
    }
    mailbox
}

/// Returns JSON records, few of which contain a link.
pub fn records() -> Vec<String> {
    let mut random = Random(2002);
    let urls = urls();
    let one = |(nth, url): (usize, &String)| {
        let [minute, value] = [60, 1 << 40].map(|end| random.below(end));
        let url = if nth % 50 == 0 { url } else { "" };
        format!(
            "{{\"id\":{nth},\"name\":\"{}\",\"tags\":[\"a\",\"b\"],\"time\":\
             \"2025-01-01T10:{minute:02}:00Z\",\"value\":{value},\"url\":\"{url}\"}}\n",
            random.pick(&WORDS)
        )
    };
    urls.iter().enumerate().map(one).collect()
}

pub fn queries() -> Vec<String> {
    let mut random = Random(1998);
    let one = |_| {
        let mut out = String::new();
        for _ in 0..4 {
            random.query(60, &mut out);
        }
        out
    };
    (0..COUNT / 4).map(one).collect()
}

/// Returns lists of URLs with unusual parts, each with its name.
pub fn authorities() -> Vec<(&'static str, Vec<String>)> {
    let list = |seed: u64, authority: fn(&mut Random) -> String, pairs: u64| {
        let mut random = Random(seed);
        let mut one = || {
            let mut url = format!("https://{}/", authority(&mut random));
            let segments = random.below(4);
            random.path(segments, &mut url);
            for pair in 0..pairs {
                url.push(if pair == 0 { '?' } else { '&' });
                url.push_str(random.pick(&WORDS));
                url.push('=');
                random.word(&mut url);
            }
            url
        };
        (0..COUNT).map(|_| one()).collect()
    };
    vec![
        (
            "ports",
            list(
                1,
                |random| format!("{}:{}", name(random), 1 + random.below(65_535)),
                0,
            ),
        ),
        (
            "userinfo",
            list(
                2,
                |random| format!("{}@{}", random.pick(&WORDS), name(random)),
                0,
            ),
        ),
        ("ipv4", list(3, ipv4, 0)),
        ("ipv6", list(4, ipv6, 0)),
        ("long-queries", list(5, name, 12)),
    ]
}

fn name(random: &mut Random) -> String {
    format!("{}.{}", random.pick(&WORDS), random.pick(&TOP))
}

fn ipv4(random: &mut Random) -> String {
    let octets: Vec<_> = (0..4).map(|_| random.below(256).to_string()).collect();
    octets.join(".")
}

fn ipv6(random: &mut Random) -> String {
    let groups: Vec<_> = (0..6)
        .map(|_| format!("{:x}", random.below(65_536)))
        .collect();
    match random.below(3) {
        0 => format!("[2001:db8::{}]", groups[0]),
        1 => format!("[2001:db8:{}]", groups.join(":")),
        _ => format!("[fd00::{}]", groups[..3].join(":")),
    }
}
