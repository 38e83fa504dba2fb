//! Links to servers: every status, every kind of redirect, and slow and hostile servers.

use crate::local::{HTML, generate};
use crate::server::{Asked, network, start};
use crate::truth::{Row, assert_counts, assert_equal, found, sources};
use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener};
use std::thread;
use std::time::Duration;
use urikit_check::{Check, OutcomeKind, Rule};
use urikit_testkit::servers::Conversation;

use OutcomeKind::{Broken, NotChecked, Ok, Unverifiable};
use Rule::{
    FragmentMissing, RedirectHome, RedirectOtherDomain, RedirectPermanent, RedirectTemporary,
};

/// The kinds of links to servers. `{port}` is the port of the server.
const WEB: [Row; 58] = [
    ("http://site{host}.test:{port}/ok/{n}", Ok, &[]),
    ("http://site{host}.test:{port}/ok/{n}?query=1", Ok, &[]),
    ("HTTP://Site{host}.TEST:{port}/ok/{n}", Ok, &[]),
    ("http://site{host}.test:{port}/page/{n}", Ok, &[]),
    ("http://site{host}.test:{port}/page/{n}#here", Ok, &[]),
    (
        "http://site{host}.test:{port}/page/{n}#absent",
        Ok,
        &[FragmentMissing],
    ),
    (
        "http://site{host}.test:{port}/page/{n}#:~:text=quick%20brown",
        Ok,
        &[],
    ),
    (
        "http://site{host}.test:{port}/page/{n}#:~:text=purple",
        Ok,
        &[FragmentMissing],
    ),
    (
        "http://site{host}.test:{port}/script/{n}#route",
        Unverifiable,
        &[],
    ),
    ("http://site{host}.test:{port}/400/{n}", Broken, &[]),
    ("http://site{host}.test:{port}/404/{n}", Broken, &[]),
    ("http://site{host}.test:{port}/404/{n}#here", Broken, &[]),
    ("http://site{host}.test:{port}/410/{n}", Broken, &[]),
    ("http://site{host}.test:{port}/418/{n}", Broken, &[]),
    ("http://site{host}.test:{port}/401/{n}", Unverifiable, &[]),
    ("http://site{host}.test:{port}/403/{n}", Unverifiable, &[]),
    ("http://site{host}.test:{port}/407/{n}", Unverifiable, &[]),
    ("http://site{host}.test:{port}/451/{n}", Unverifiable, &[]),
    ("http://site{host}.test:{port}/500/{n}", Unverifiable, &[]),
    ("http://site{host}.test:{port}/503/{n}", Unverifiable, &[]),
    ("http://site{host}.test:{port}/999/{n}", Unverifiable, &[]),
    (
        "http://site{host}.test:{port}/challenge/{n}",
        Unverifiable,
        &[],
    ),
    ("http://site{host}.test:{port}/no-head/{n}", Ok, &[]),
    ("http://site{host}.test:{port}/no-head-501/{n}", Ok, &[]),
    ("http://site{host}.test:{port}/lies/{n}", Ok, &[]),
    ("http://site{host}.test:{port}/flaky/{n}", Ok, &[]),
    ("http://site{host}.test:{port}/flaky-page/{n}#here", Ok, &[]),
    (
        "http://site{host}.test:{port}/moved/{n}",
        Ok,
        &[RedirectPermanent],
    ),
    (
        "http://site{host}.test:{port}/moved-page/{n}#here",
        Ok,
        &[RedirectPermanent],
    ),
    (
        "http://site{host}.test:{port}/moved-page/{n}#absent",
        Ok,
        &[RedirectPermanent, FragmentMissing],
    ),
    (
        "http://site{host}.test:{port}/found/{n}",
        Ok,
        &[RedirectTemporary],
    ),
    (
        "http://site{host}.test:{port}/both/{n}",
        Ok,
        &[RedirectPermanent, RedirectTemporary],
    ),
    (
        "http://site{host}.test:{port}/home/{n}",
        Ok,
        &[RedirectHome, RedirectPermanent],
    ),
    (
        "http://site{host}.test:{port}/away/{n}",
        Ok,
        &[RedirectOtherDomain, RedirectTemporary],
    ),
    ("http://site{host}.test:{port}/lost/{n}", Broken, &[]),
    ("http://site{host}.test:{port}/loop/{n}", Broken, &[]),
    ("http://site{host}.test:{port}/loop-of-two/{n}", Broken, &[]),
    ("http://site{host}.test:{port}/chain/{n}/0", Broken, &[]),
    (
        "http://site{host}.test:{port}/cookie/{n}",
        Ok,
        &[RedirectTemporary],
    ),
    ("http://site{host}.test:{port}/to-file/{n}", NotChecked, &[]),
    ("http://robots{few}.test:{port}/open/{n}", Ok, &[]),
    (
        "http://robots{few}.test:{port}/private/{n}",
        Unverifiable,
        &[],
    ),
    ("http://norobots{few}.test:{port}/{n}", Unverifiable, &[]),
    ("http://missing{host}.test/{n}", Broken, &[]),
    ("http://nodns{host}.test/{n}", Unverifiable, &[]),
    ("http://site{host}.test:{closed}/{n}", Broken, &[]),
    ("http://limited{few}.test:{port}/{n}", Ok, &[]),
    ("http://refusing{few}.test:{port}/{n}", Unverifiable, &[]),
    ("http://slow{few}.test:{port}/{few}", Ok, &[]),
    ("http://silent{few}.test:{port}/", Unverifiable, &[]),
    ("http://hanging{few}.test:{port}/", Unverifiable, &[]),
    ("http://dripping{few}.test:{port}/", Unverifiable, &[]),
    ("http://hostile{few}.test:{port}/closing", Unverifiable, &[]),
    ("http://hostile{few}.test:{port}/garbage", Unverifiable, &[]),
    (
        "http://hostile{few}.test:{port}/endless-head",
        Unverifiable,
        &[],
    ),
    (
        "http://hostile{few}.test:{port}/short#here",
        Unverifiable,
        &[],
    ),
    (
        "http://hostile{few}.test:{port}/endless#here",
        Unverifiable,
        &[],
    ),
    (
        "http://hostile{few}.test:{port}/bomb#here",
        Unverifiable,
        &[],
    ),
];

/// Sends the answer that the kind of link requires.
fn answer(asked: &Asked, client: &mut Conversation) -> Option<String> {
    if asked.path == "/robots.txt" {
        return match &*asked.host {
            "robots" => Some(asked.response("200 OK", "", "User-agent: *\nDisallow: /private\n")),
            "norobots" => Some(asked.response("500 Internal Server Error", "", "")),
            "silent" => hang(client),
            _ => Some(asked.response("404 Not Found", "", "")),
        };
    }
    match &*asked.host {
        "site" | "away" | "robots" => ordinary(asked),
        "limited" if asked.number_at_host == 1 => {
            Some(asked.response("429 Too Many Requests", "Retry-After: 1\r\n", ""))
        }
        "refusing" => Some(asked.response("429 Too Many Requests", "Retry-After: 3600\r\n", "")),
        "slow" => {
            thread::sleep(Duration::from_millis(300));
            Some(asked.html(PAGE))
        }
        "hanging" => hang(client),
        "dripping" => {
            client.say("HTTP/1.1 200 OK\r\nX-Field: ");
            client.drip("drip", Duration::from_millis(100));
            None
        }
        "hostile" => hostile(asked, client),
        _ => Some(asked.html(PAGE)),
    }
}

fn hang(client: &mut Conversation) -> Option<String> {
    client.hang();
    None
}

const PAGE: &str = "<!DOCTYPE html><title>A</title><p id=here>The quick brown fox";

/// Answers a request to an ordinary site.
fn ordinary(asked: &Asked) -> Option<String> {
    let mut segments = asked.path.split('/').skip(1);
    let (kind, n) = (segments.next()?, segments.next().unwrap_or_default());
    let is_head = asked.method == "HEAD";
    let permanent = |to: &str| asked.redirect("301 Moved Permanently", to);
    let temporary = |to: &str| asked.redirect("302 Found", to);
    Some(match kind {
        "script" => asked.html("<!DOCTYPE html><div id=app></div><script src=app.js></script>"),
        "challenge" => asked.response("403 Forbidden", "cf-mitigated: challenge\r\n", ""),
        "no-head" if is_head => asked.response("405 Method Not Allowed", "Allow: GET\r\n", ""),
        "no-head-501" if is_head => asked.response("501 Not Implemented", "", ""),
        "lies" if is_head => asked.response("404 Not Found", "", ""),
        "flaky" | "flaky-page" if asked.number == 1 => {
            asked.response("503 Service Unavailable", "", "")
        }
        "moved" => permanent(&format!("/ok/{n}")),
        "moved-page" => asked.redirect("308 Permanent Redirect", &format!("/page/{n}")),
        "found" => temporary(&format!("/ok/{n}")),
        "both" => permanent(&format!("/found/{n}")),
        "home" => permanent("/"),
        "away" => {
            let (_, port) = asked.authority.rsplit_once(':')?;
            temporary(&format!("http://away.test:{port}/ok/{n}"))
        }
        "lost" => temporary(&format!("/404/{n}")),
        "loop" => temporary(&asked.path),
        "loop-of-two" => permanent(&format!("/loop-back/{n}")),
        "loop-back" => permanent(&format!("/loop-of-two/{n}")),
        "chain" => {
            let link: usize = segments.next()?.parse().ok()?;
            temporary(&format!("/chain/{n}/{}", link + 1))
        }
        "cookie" if !asked.has_cookie => {
            let fields = format!("Set-Cookie: seen=1\r\nLocation: {}\r\n", asked.path);
            asked.response("302 Found", &fields, "")
        }
        "to-file" => temporary("file:///etc/passwd"),
        _ if kind.parse::<u16>().is_ok() => asked.response(&format!("{kind} Status"), "", ""),
        _ => asked.html(PAGE),
    })
}

/// Misbehaves.
fn hostile(asked: &Asked, client: &mut Conversation) -> Option<String> {
    let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    match &*asked.path {
        "/garbage" => {
            client.say("\0\u{1}\u{2}garbage\r\n\r\n");
        }
        "/endless-head" => {
            client.say(html);
            client.say_forever("X-Field: value\r\n".repeat(1000));
        }
        "/short" => {
            client.say(format!("{html}Content-Length: 1000\r\n\r\n{PAGE}"));
        }
        "/endless" => {
            client.say(format!("{html}\r\n{PAGE}"));
            client.say_forever("endless ".repeat(8 << 10));
        }
        "/bomb" => {
            let zeros = vec![b' '; 64 << 20];
            let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            bomb.write_all(&zeros).unwrap();
            let bomb = bomb.finish().unwrap();
            let length = bomb.len();
            client.say(format!(
                "{html}Content-Encoding: gzip\r\nContent-Length: {length}\r\n\r\n"
            ));
            client.say(bomb);
        }
        _ => {}
    }
    None
}

/// Returns a port on which no server listens. Linux gives clients the ports from 32768 on, and a
/// client whose own port is that of the server would connect to itself.
fn closed_port() -> u16 {
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    (20_000..30_000).find(is_free).unwrap()
}

#[test]
fn every_outcome_of_servers_equals_the_truth() {
    let server = start(answer);
    let (port, closed) = (server.port.to_string(), closed_port().to_string());
    let place = |reference: &str| {
        reference
            .replace("{port}", &port)
            .replace("{closed}", &closed)
    };
    let rows: Vec<Row> = HTML.iter().chain(&WEB).copied().collect();
    let generated = generate("web", crate::size(), &rows, &place);
    let folder = generated.root.join("site");
    let report = Check::new().run(sources(&folder), &network(3));
    assert!(report.failures().is_empty());
    assert_equal(&found(&report), &generated.documents);
    assert_counts(&report, &generated.documents);
}
