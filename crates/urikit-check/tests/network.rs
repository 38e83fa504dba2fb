//! Links to servers on loopback: every outcome, every finding, limits, waits and robots.txt.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use urikit_access::{Client, Policy, Proxies, Resolver};
use urikit_check::{
    Check, Checked, Network, Outcome, OutcomeKind, Reason, Recursion, Report, Rule, Scope, Source,
};
use urikit_testkit::servers::{Conversation, Daemon, Folder, Scripted, free_port, installed, skip};

/// Resolves the names of the tests.
struct Names;

impl Resolver for Names {
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        match name {
            "missing.test" => Err(io::Error::other("Name or service not known")),
            "busy.test" => Err(io::Error::other("Temporary failure in name resolution")),
            _ => Ok(vec![[127, 0, 0, 1].into()]),
        }
    }
}

fn policy() -> Policy {
    Policy::new()
        .allow_private(true)
        .allow_downgrade(true)
        .total_timeout(Duration::from_secs(1))
}

fn network() -> Network {
    network_of(Client::new(policy()))
}

fn network_of(client: Client) -> Network {
    let delay = Duration::from_millis(50);
    Network::new(client.resolver(Names)).retry_delay(delay)
}

/// Serves HTTP. `answer` takes the method, the path and the number of this request for the path,
/// from 1; `None` never answers.
fn server(
    answer: impl Fn(&str, &str, usize) -> Option<String> + Send + Sync + 'static,
) -> Scripted {
    let seen = std::sync::Mutex::new(std::collections::HashMap::new());
    Scripted::start(move |client: &mut Conversation| {
        while let Some(line) = client.line() {
            while client.line().is_some_and(|field| !field.is_empty()) {}
            let mut words = line.split(' ');
            let (method, path) = (words.next().unwrap(), words.next().unwrap());
            let number = {
                let mut seen = seen.lock().unwrap();
                let count = seen.entry(path.to_owned()).or_insert(0);
                *count += 1;
                *count
            };
            match answer(method, path, number) {
                Some(text) => {
                    client.say(text);
                }
                None => client.hang(),
            }
        }
    })
}

/// Returns a response with a body, which HEAD omits.
fn response(method: &str, status: &str, fields: &str, body: &str) -> String {
    let shown = if method == "HEAD" { "" } else { body };
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\n\r\n{shown}")
}

fn check(urls: &[String], network: &Network) -> (Vec<Checked>, Report) {
    let text = urls.join("\n");
    let check = Check::new().folder("/tmp");
    let report = check.run([Source::text("a.txt", text)], network);
    let document = report.documents().next().unwrap();
    let checked: Vec<_> = document.links().collect();
    assert_eq!(checked.len(), urls.len());
    (checked, report)
}

fn one(url: String, network: &Network) -> Checked {
    check(&[url], network).0.pop().unwrap()
}

fn rules(checked: &Checked) -> Vec<Rule> {
    checked
        .findings
        .iter()
        .map(|finding| finding.rule)
        .collect()
}

/// Counts the requests of a log for a path.
fn count(log: &[String], request: &str) -> usize {
    let prefix = format!("{request} ");
    log.iter().filter(|line| line.starts_with(&prefix)).count()
}

const PAGE: &str = "<!DOCTYPE html><title>A</title><p id=here>text";

fn site(method: &str, path: &str, number: usize) -> Option<String> {
    let say = |status: &str| Some(response(method, status, "", "x"));
    let to = |status: &str, target: &str| {
        Some(response(
            method,
            status,
            &format!("Location: {target}\r\n"),
            "",
        ))
    };
    match path {
        "/page" => Some(response(
            method,
            "200 OK",
            "Content-Type: text/html\r\n",
            PAGE,
        )),
        "/bytes" => Some(response(
            method,
            "200 OK",
            "Content-Type: image/png\r\n",
            "\x01",
        )),
        "/nohead" if method == "HEAD" => say("405 Method Not Allowed"),
        "/nohead501" if method == "HEAD" => say("501 Not Implemented"),
        "/lies" if method == "HEAD" => say("404 Not Found"),
        "/flaky" if number == 1 => say("503 Service Unavailable"),
        "/challenge" => Some(response(
            method,
            "403 Forbidden",
            "cf-mitigated: challenge\r\n",
            "x",
        )),
        "/moved" => to("301 Moved Permanently", "/page"),
        "/moved308" => to("308 Permanent Redirect", "/page"),
        "/found" => to("302 Found", "/page"),
        "/both" => to("301 Moved Permanently", "/found"),
        "/tohome" => to("301 Moved Permanently", "/"),
        "/loop" => to("302 Found", "/loop"),
        "/to404" => to("302 Found", "/404"),
        "/cookie" if number < 12 => to("302 Found", "/cookie"),
        "/endless" => None,
        "/robots.txt" => say("404 Not Found"),
        _ => match path.trim_start_matches('/').parse::<u16>() {
            Ok(status) => say(&format!("{status} Status")),
            Err(_) => say("200 OK"),
        },
    }
}

#[test]
fn every_outcome_of_http() {
    let server = server(site);
    let url = |path: &str| format!("http://127.0.0.1:{}{path}", server.port);
    let network = network();
    let expected = [
        ("/ok", Outcome::Ok),
        ("/page#here", Outcome::Ok),
        ("/nohead", Outcome::Ok),
        ("/nohead501", Outcome::Ok),
        ("/lies", Outcome::Ok),
        ("/flaky", Outcome::Ok),
        ("/400", Outcome::Broken(Reason::Status(400))),
        ("/404", Outcome::Broken(Reason::Status(404))),
        ("/410", Outcome::Broken(Reason::Status(410))),
        ("/418", Outcome::Broken(Reason::Status(418))),
        ("/to404", Outcome::Broken(Reason::Status(404))),
        ("/loop", Outcome::Broken(Reason::RedirectLoop)),
        ("/401", Outcome::Unverifiable(Reason::Status(401))),
        ("/403", Outcome::Unverifiable(Reason::Status(403))),
        ("/407", Outcome::Unverifiable(Reason::Status(407))),
        ("/451", Outcome::Unverifiable(Reason::Status(451))),
        ("/500", Outcome::Unverifiable(Reason::Status(500))),
        ("/503", Outcome::Unverifiable(Reason::Status(503))),
        ("/999", Outcome::Unverifiable(Reason::Status(999))),
        ("/endless", Outcome::Unverifiable(Reason::Timeout)),
        ("/challenge", Outcome::Unverifiable(Reason::BotWall)),
    ];
    let urls: Vec<_> = expected.iter().map(|(path, _)| url(path)).collect();
    let (checked, report) = check(&urls, &network);
    for ((path, outcome), checked) in expected.iter().zip(&checked) {
        assert_eq!(checked.outcome, *outcome, "{path}");
    }
    let log = server.log();
    assert_eq!(count(&log, "GET /robots.txt"), 1);
    // One retry, with GET; none for answers that would not change.
    for (path, heads, gets) in [
        ("/ok", 1, 0),
        ("/page", 0, 1),
        ("/nohead", 1, 1),
        ("/404", 1, 1),
        ("/500", 1, 1),
        ("/401", 1, 0),
        ("/challenge", 1, 0),
    ] {
        // `/to404` leads to `/404`, twice.
        let more = usize::from(path == "/404");
        assert_eq!(count(&log, &format!("HEAD {path}")), heads + more, "{path}");
        assert_eq!(count(&log, &format!("GET {path}")), gets + more, "{path}");
    }
    let hosts = report.hosts();
    assert_eq!(hosts.len(), 1);
    assert_eq!(hosts[0].host, format!("127.0.0.1:{}", server.port));
    assert!(
        hosts[0].requests >= 30 && hosts[0].failures >= 20,
        "{hosts:?}"
    );
}

#[test]
fn fragments_and_one_request_for_each_url() {
    let server = server(site);
    let url = |path: &str| format!("http://127.0.0.1:{}{path}", server.port);
    let urls = ["/page#here", "/page#gone", "/page", "/bytes#x"].map(url);
    let (checked, _) = check(&urls, &network());
    assert_eq!(checked[0].outcome, Outcome::Ok);
    assert_eq!(rules(&checked[0]), []);
    assert_eq!(rules(&checked[1]), [Rule::FragmentMissing]);
    assert_eq!(rules(&checked[2]), []);
    assert_ne!(rules(&checked[3]), [Rule::FragmentMissing]);
    let log = server.log();
    assert_eq!(count(&log, "GET /page") + count(&log, "HEAD /page"), 1);
}

#[test]
fn redirects() {
    use Rule::{RedirectHome, RedirectOtherDomain, RedirectPermanent, RedirectTemporary};
    let port = server(site).port;
    let away = self::server(move |method, path, number| match path {
        "/away" => {
            let to = format!("Location: http://b.test:{port}/page\r\n");
            Some(response(method, "302 Found", &to, ""))
        }
        "/within" => {
            let to = format!("Location: http://www.a.test:{port}/page\r\n");
            Some(response(method, "301 Moved Permanently", &to, ""))
        }
        _ => site(method, path, number),
    });
    let url = |path: &str| format!("http://a.test:{}{path}", away.port);
    for (path, expected, suggestion) in [
        ("/moved", &[RedirectPermanent][..], Some(("/page", true))),
        (
            "/moved308#here",
            &[RedirectPermanent],
            Some(("/page#here", true)),
        ),
        ("/found", &[RedirectTemporary], None),
        (
            "/both",
            &[RedirectPermanent, RedirectTemporary],
            Some(("/found", false)),
        ),
        (
            "/tohome",
            &[RedirectHome, RedirectPermanent],
            Some(("/", false)),
        ),
        ("/away", &[RedirectOtherDomain, RedirectTemporary], None),
        ("/ok", &[], None),
    ] {
        let checked = one(url(path), &network());
        assert_eq!(checked.outcome, Outcome::Ok, "{path}");
        assert_eq!(rules(&checked), expected, "{path}");
        assert_eq!(checked.redirected.is_some(), !expected.is_empty(), "{path}");
        let found = checked
            .findings
            .iter()
            .find_map(|finding| finding.suggestion.clone());
        let found = found.map(|it| (it.reference, it.is_certain));
        assert_eq!(
            found,
            suggestion.map(|(to, certain)| (url(to), certain)),
            "{path}"
        );
    }
    let checked = one(url("/within"), &network());
    assert_eq!(rules(&checked), [RedirectPermanent]);
}

#[test]
fn hosts_without_an_answer() {
    let silent = server(|_, _, _| None);
    let closed = free_port();
    let network = network();
    let urls = [
        "http://missing.test/".to_owned(),
        "http://busy.test/".to_owned(),
        format!("http://127.0.0.1:{closed}/"),
        format!("http://127.0.0.1:{}/", silent.port),
        format!("ftp://127.0.0.1:{closed}/a"),
    ];
    let (checked, _) = check(&urls, &network);
    let outcomes: Vec<_> = checked.into_iter().map(|checked| checked.outcome).collect();
    let expected = [
        Outcome::Broken(Reason::NoSuchHost),
        Outcome::Unverifiable(Reason::DnsFailure),
        Outcome::Broken(Reason::ConnectionRefused),
        Outcome::Unverifiable(Reason::Timeout),
        Outcome::Broken(Reason::ConnectionRefused),
    ];
    assert_eq!(outcomes, expected);
}

#[test]
fn the_policy_refuses_private_addresses() {
    let server = server(site);
    let strict = Network::new(Client::new(Policy::new()));
    let checked = one(format!("http://127.0.0.1:{}/", server.port), &strict);
    let reason = "127.0.0.1 is a loopback address".to_owned();
    assert_eq!(
        checked.outcome,
        Outcome::NotChecked(Reason::Refused(reason))
    );
    assert!(server.log().is_empty());
}

#[test]
fn robots() {
    let server = server(|method, path, number| match path {
        "/robots.txt" => {
            let rules = "User-agent: urikit\nDisallow: /private\n";
            Some(response(method, "200 OK", "", rules))
        }
        _ => site(method, path, number),
    });
    let urls = ["/private/a", "/ok"].map(|path| format!("http://127.0.0.1:{}{path}", server.port));
    let (checked, _) = check(&urls, &network());
    assert_eq!(checked[0].outcome, Outcome::Unverifiable(Reason::Robots));
    assert_eq!(checked[1].outcome, Outcome::Ok);
    let log = server.log();
    assert_eq!(count(&log, "HEAD /private/a"), 0);
    assert_eq!(count(&log, "GET /robots.txt"), 1);
    // The site's own rules are for others.
    let own = format!("http://127.0.0.1:{}/docs/", server.port);
    for network in [network().own_site(&own), network().robots(false)] {
        assert_eq!(one(urls[0].clone(), &network).outcome, Outcome::Ok);
    }
    assert_eq!(count(&server.log(), "GET /robots.txt"), 1);
    // A server whose rules are not known must not be asked (RFC 9309, 2.3.1.4).
    let failing = self::server(|method, path, number| match path {
        "/robots.txt" => Some(response(method, "500 Internal Server Error", "", "")),
        _ => site(method, path, number),
    });
    let checked = one(format!("http://127.0.0.1:{}/ok", failing.port), &network());
    let why = "robots.txt is not available: 500 Internal Server Error".to_owned();
    assert_eq!(checked.outcome, Outcome::Unverifiable(Reason::Failed(why)));
    assert_eq!(count(&failing.log(), "GET /robots.txt"), 2);
}

#[test]
fn a_host_that_asks_to_wait_does_not_delay_others() {
    let limited = server(|method, path, number| match (path, number) {
        ("/busy", 1) => Some(response(
            method,
            "429 Too Many Requests",
            "Retry-After: 1\r\n",
            "",
        )),
        _ => site(method, path, number),
    });
    let other = server(site);
    let mut urls = vec![format!("http://127.0.0.1:{}/busy", limited.port)];
    urls.extend((0..20).map(|n| format!("http://127.0.0.1:{}/p{n}", limited.port)));
    urls.extend((0..20).map(|n| format!("http://127.0.0.1:{}/p{n}", other.port)));
    let network = network().per_host(1).jobs(2);
    let begun = Instant::now();
    let (checked, report) = check(&urls, &network);
    assert!(checked.iter().all(|checked| checked.outcome == Outcome::Ok));
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let hosts = report.hosts();
    let waited = |port| {
        let name = format!("127.0.0.1:{port}");
        hosts.iter().find(|host| host.host == name).unwrap().waited
    };
    assert_eq!(waited(limited.port), Duration::from_secs(1));
    assert_eq!(waited(other.port), Duration::ZERO);
}

#[test]
fn a_host_that_asks_for_too_much_is_given_up() {
    let limited = server(|method, path, number| match path {
        "/robots.txt" => site(method, path, number),
        _ => Some(response(
            method,
            "429 Too Many Requests",
            "Retry-After: 3600\r\n",
            "",
        )),
    });
    let urls: Vec<_> = (0..20)
        .map(|n| format!("http://127.0.0.1:{}/p{n}", limited.port))
        .collect();
    let (checked, _) = check(&urls, &network().per_host(1));
    let expected = Outcome::Unverifiable(Reason::Status(429));
    assert!(checked.iter().all(|checked| checked.outcome == expected));
    assert_eq!(
        limited
            .log()
            .iter()
            .filter(|line| line.starts_with("HEAD"))
            .count(),
        1
    );
}

#[test]
fn servers_that_never_answer_do_not_delay_others() {
    let silent = server(|_, _, _| None);
    let quick = server(site);
    let last = Arc::new(AtomicUsize::new(0));
    let mut urls: Vec<_> = (0..20)
        .map(|n| format!("http://h{n}.test:{}/x", silent.port))
        .collect();
    urls.extend((0..200).map(|n| format!("http://127.0.0.1:{}/p{n}", quick.port)));
    let begun = Instant::now();
    let (when, seen) = (begun, Arc::clone(&last));
    let network = network().progress(move |progress| {
        if progress.done == 200 {
            let elapsed = usize::try_from(when.elapsed().as_millis()).unwrap();
            let _ = seen.compare_exchange(0, elapsed, Ordering::Relaxed, Ordering::Relaxed);
            assert!(
                progress
                    .host
                    .as_ref()
                    .is_none_or(|host| host.contains(".test:"))
            );
        }
    });
    let (checked, _) = check(&urls, &network);
    let timeout = Outcome::Unverifiable(Reason::Timeout);
    assert!(
        checked[..20]
            .iter()
            .all(|checked| checked.outcome == timeout)
    );
    assert!(
        checked[20..]
            .iter()
            .all(|checked| checked.outcome == Outcome::Ok)
    );
    // The quick server was done before the second attempts of the others ended.
    let last = last.load(Ordering::Relaxed);
    assert!(last > 0 && last < 2000, "{last}");
}

#[test]
fn the_limit_for_each_host_is_kept() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (now, max) = (Arc::clone(&running), Arc::clone(&most));
    let server = server(move |method, path, number| {
        max.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(10));
        now.fetch_sub(1, Ordering::SeqCst);
        site(method, path, number)
    });
    let urls: Vec<_> = (0..60)
        .map(|n| format!("http://127.0.0.1:{}/p{n}", server.port))
        .collect();
    check(&urls, &network().per_host(3));
    assert_eq!(most.load(Ordering::SeqCst), 3);
}

#[test]
fn an_interrupted_run_reports_what_it_found() {
    let server = server(|method, path, number| match path {
        "/wait" => None,
        _ => site(method, path, number),
    });
    let check = Check::new().folder("/tmp");
    let stop = check.stop();
    let client = Client::new(policy().total_timeout(Duration::from_secs(60)));
    let network = network_of(client)
        .stop(Arc::clone(&stop))
        .progress(move |progress| {
            if progress.done == 3 {
                stop.store(true, Ordering::Relaxed);
            }
        });
    let paths = ["/ok", "/page", "/wait", "/401"];
    let urls = paths.map(|path| format!("http://127.0.0.1:{}{path}", server.port));
    let begun = Instant::now();
    let report = check.run([Source::text("a.txt", urls.join("\n"))], &network);
    assert!(begun.elapsed() < Duration::from_secs(30));
    let document = report.documents().next().unwrap();
    let outcomes: Vec<_> = document.links().map(|checked| checked.outcome).collect();
    let expected = [
        Outcome::Ok,
        Outcome::Ok,
        Outcome::NotChecked(Reason::Interrupted),
        Outcome::Unverifiable(Reason::Status(401)),
    ];
    assert_eq!(outcomes, expected);
}

#[test]
fn header_fields_go_to_their_host_only() {
    let server = server(site);
    let own = format!("a.test:{}", server.port);
    let network = self::network().field(&own, "X-Api-Key", "secret").unwrap();
    let urls = ["a.test", "b.test"].map(|host| format!("http://{host}:{}/ok", server.port));
    check(&urls, &network);
    let log = server.log();
    let sent = log
        .iter()
        .filter(|line| *line == "X-Api-Key: secret")
        .count();
    // One for robots.txt, and one for the page.
    assert_eq!(sent, 2, "{log:?}");
    assert!(self::network().field("a.test", "X\n", "1").is_err());
}

#[test]
fn other_protocols() {
    let gopher = Scripted::start(|client| {
        let selector = client.line().unwrap_or_default();
        client.say(match selector.as_str() {
            "/here" => "text\r\n.\r\n",
            _ => "3not found\t\terror.host\t1\r\n.\r\n",
        });
        client.close();
    });
    let ftp = Scripted::start(|client| {
        client.say("220 ready\r\n");
        while let Some(line) = client.line() {
            client.say(match line.split(' ').next().unwrap_or_default() {
                "USER" => "331 password\r\n",
                "PASS" => "230 in\r\n",
                "SIZE" | "MDTM" | "MLST" if line.contains("gone") => "550 no such file\r\n",
                "SIZE" => "213 12\r\n",
                "MDTM" => "213 20260101000000\r\n",
                "CWD" if line.contains("gone") => "550 no such folder\r\n",
                "TYPE" | "CWD" => "200 ok\r\n",
                _ => "502 not implemented\r\n",
            });
        }
    });
    let network = network();
    let gopher_at = |path: &str| format!("gopher://127.0.0.1:{}/0{path}", gopher.port);
    let ftp_at = |path: &str| format!("ftp://127.0.0.1:{}/{path}", ftp.port);
    let urls = [
        gopher_at("/here"),
        gopher_at("/gone"),
        ftp_at("here"),
        ftp_at("gone"),
    ];
    let (checked, _) = check(&urls, &network);
    let is_missing =
        |checked: &Checked| matches!(checked.outcome, Outcome::Broken(Reason::NotFound(_)));
    assert_eq!(checked[0].outcome, Outcome::Ok);
    assert!(is_missing(&checked[1]), "{:?}", checked[1].outcome);
    assert_eq!(checked[2].outcome, Outcome::Ok);
    assert!(is_missing(&checked[3]), "{:?}", checked[3].outcome);
    // Neither file was transferred.
    assert!(!ftp.log().iter().any(|line| line.starts_with("RETR")));
}

#[test]
fn tokens_of_forges() {
    let server = server(|method, path, number| match path {
        "/robots.txt" => site(method, path, number),
        "/api/repos/me/secret" | "/api/projects/me%2Fsecret" => {
            Some(response(method, "200 OK", "", "{}"))
        }
        _ => Some(response(method, "404 Not Found", "", "")),
    });
    let url = |host: &str, path: &str| format!("http://{host}:{}{path}", server.port);
    let api = url("127.0.0.1", "/api");
    let network = network().github(&api, "g1").gitlab(&api, "g2");
    let urls = [
        url("github.com", "/me/secret"),
        url("github.com", "/me/gone"),
        url("gitlab.com", "/me/secret"),
        url("other.test", "/me/secret"),
    ];
    let (checked, _) = check(&urls, &network);
    let outcomes: Vec<_> = checked.into_iter().map(|checked| checked.outcome).collect();
    let broken = || Outcome::Broken(Reason::Status(404));
    assert_eq!(outcomes, [Outcome::Ok, broken(), Outcome::Ok, broken()]);
    let log = server.log();
    let count = |token: &str| log.iter().filter(|line| line.ends_with(token)).count();
    // Each failed attempt asks the API.
    assert_eq!(
        (count(" Bearer g1"), count(" Bearer g2")),
        (3, 1),
        "{log:?}"
    );
}

#[test]
fn recursion() {
    let server = server(|method, path, number| {
        let html = |body: String| {
            let fields = "Content-Type: text/html\r\n";
            Some(response(method, "200 OK", fields, &body))
        };
        match path {
            "/docs/" => {
                html("<a href=a> <a href=/blog> <a href=cal/1> <a href=r> <a href=x>".into())
            }
            "/docs/a" => html("<a href=b> <a href=404> <p id=in-a>".to_owned()),
            "/docs/b" => {
                html("<a href=a#in-a> <a href=a#not> <a href=b#own> <p id=own>".to_owned())
            }
            "/docs/r" => {
                let fields = "Location: /docs/a\r\n";
                Some(response(method, "302 Found", fields, ""))
            }
            "/docs/x" => {
                let fields = "Location: /blog\r\n";
                Some(response(method, "302 Found", fields, ""))
            }
            "/blog" => html("<a href=/blog/404>".to_owned()),
            "/docs/404" => site(method, "/404", number),
            _ => match path
                .strip_prefix("/docs/cal/")
                .and_then(|day| day.parse::<u32>().ok())
            {
                Some(day) => html(format!("<a href={}>", day + 1)),
                None => site(method, path, number),
            },
        }
    });
    let url = |path: &str| format!("http://127.0.0.1:{}{path}", server.port);
    let run = |recursion: Recursion| {
        let check = Check::new().recursion(Some(recursion));
        let report = check.run([Source::url(url("/docs/"))], &network());
        let mut found = BTreeMap::new();
        for document in report.documents() {
            for checked in document.links() {
                let from = document.name().rsplit_once("/docs/").unwrap().1.to_owned();
                let link = (from, checked.link.reference.clone());
                assert!(
                    found
                        .insert(link, (checked.outcome.kind(), rules(&checked)))
                        .is_none()
                );
            }
        }
        (found, report)
    };
    let scope = || Recursion::new().scope(Scope::Prefix(url("/docs/")));
    let (found, report) = run(scope().max_similar(20));
    let is = |from: &str, to: &str| found.get(&(from.to_owned(), to.to_owned())).cloned();
    let ok = |rules: &[Rule]| Some((OutcomeKind::Ok, rules.to_vec()));
    assert_eq!(is("a", "b"), ok(&[]));
    assert_eq!(is("a", "404"), Some((OutcomeKind::Broken, Vec::new())));
    // The content of `a` was requested before these fragments were known.
    assert_eq!(is("b", "a#in-a"), ok(&[]));
    assert_eq!(is("b", "a#not"), ok(&[Rule::FragmentMissing]));
    assert_eq!(is("b", "b#own"), ok(&[]));
    // Neither the blog nor a redirect to it is read, and `a` is read once.
    assert!(!found.keys().any(|(_, to)| to == "/blog/404"));
    assert_eq!(found.keys().filter(|(_, to)| to == "404").count(), 1);
    assert_eq!(is("cal/20", "21"), ok(&[]));
    assert_eq!(is("cal/21", "22"), None);
    assert_eq!(report.failures(), []);
    let messages: Vec<_> = report
        .findings()
        .iter()
        .map(|it| it.message.clone())
        .collect();
    let cut = url("/docs/cal/21");
    let why = "more than 20 URLs differ only in numbers";
    assert_eq!(
        messages,
        [format!("pages not read: 1, such as {cut}: {why}")]
    );
    let (found, _) = run(scope().depth(1));
    assert!(found.contains_key(&("a".to_owned(), "b".to_owned())));
    assert!(!found.keys().any(|(from, _)| from == "b"));
}

/// A certificate authority of one certificate, which it signs itself.
const AUTHORITY: &str = "\
[req]
distinguished_name = name
prompt = no
[name]
CN = test
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = extensions
[any]
commonName = supplied
[extensions]
basicConstraints = critical,CA:FALSE
subjectAltName = DNS:a.test
";

/// Starts a TLS server with a self-signed certificate for `a.test` that is valid until `end`.
/// Returns its port, and the certificate.
fn tls_server(folder: &Folder, end: &str) -> Option<(Daemon, Vec<u8>)> {
    let openssl = installed("openssl")?;
    folder.write("openssl.conf", AUTHORITY);
    folder.write("index.txt", "");
    folder.write("serial", "01");
    let run = |arguments: &str| {
        let mut command = Command::new(&openssl);
        command
            .args(arguments.split(' '))
            .current_dir(folder.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let request = "req -new -newkey rsa:2048 -nodes -config openssl.conf -keyout key.pem -out csr";
    assert!(run(request).status().unwrap().success());
    let sign = format!(
        "ca -batch -selfsign -notext -config openssl.conf -keyfile key.pem -in csr \
         -startdate 20200101000000Z -enddate {end} -out certificate.pem"
    );
    assert!(run(&sign).status().unwrap().success());
    let port = free_port();
    let serve = format!("s_server -quiet -www -accept 127.0.0.1:{port} -key key.pem");
    let daemon = Daemon::start(run(&serve).args(["-cert", "certificate.pem"]), port);
    let pem = std::fs::read(folder.path().join("certificate.pem")).unwrap();
    Some((daemon, pem))
}

#[test]
fn certificates() {
    let (valid, old) = (Folder::new("valid"), Folder::new("old"));
    let valid = tls_server(&valid, "20991231000000Z");
    let old = tls_server(&old, "20200201000000Z");
    let (Some((server, pem)), Some((expired, old_pem))) = (valid, old) else {
        return skip("certificates", "openssl");
    };
    let trusting = |pem: &[u8]| network_of(Client::new(policy()).root_certificates(pem).unwrap());
    let a = |port| format!("https://a.test:{port}/");
    assert_eq!(one(a(server.port), &trusting(&pem)).outcome, Outcome::Ok);
    for (url, network, reason) in [
        (
            a(server.port),
            network(),
            "the server's certificate is self-signed, and not trusted",
        ),
        (
            format!("https://b.test:{}/", server.port),
            trusting(&pem),
            "b.test",
        ),
        (
            a(expired.port),
            trusting(&old_pem),
            "the certificate expired at 2020-02-01T00:00:00Z",
        ),
    ] {
        let checked = one(url, &network);
        let Outcome::Broken(Reason::Tls(why)) = &checked.outcome else {
            panic!("{reason}: {:?}", checked.outcome);
        };
        assert!(why.contains(reason), "{why}");
        assert_eq!(rules(&checked), [Rule::Tls]);
    }
}

/// Starts a proxy: it answers http requests itself, and connects every tunnel to one port.
fn proxy(to: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || serve_proxy(stream, to));
        }
    });
    port
}

fn serve_proxy(mut stream: TcpStream, to: u16) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).unwrap_or(0) == 0 {
            return;
        }
        head.push(byte[0]);
    }
    if !head.starts_with(b"CONNECT") {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n";
        let _ = stream.write_all(format!("{head}<p id=top>").as_bytes());
        return;
    }
    let Ok(mut server) = TcpStream::connect(("127.0.0.1", to)) else {
        return;
    };
    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
    let (mut from, mut back) = (server.try_clone().unwrap(), stream.try_clone().unwrap());
    std::thread::spawn(move || io::copy(&mut from, &mut back));
    let _ = io::copy(&mut stream, &mut server);
}

#[test]
fn https_in_place_of_http() {
    let folder = Folder::new("secure");
    let Some((server, pem)) = tls_server(&folder, "20991231000000Z") else {
        return skip("https_in_place_of_http", "openssl");
    };
    let client = |to| {
        let proxy = format!("127.0.0.1:{}", proxy(to)).parse().unwrap();
        let client = Client::new(policy()).proxies(Proxies::new().all(proxy));
        client.root_certificates(&pem).unwrap()
    };
    let urls = ["http://a.test/x", "http://a.test/y#top"].map(str::to_owned);
    let network = network_of(client(server.port)).https(true);
    let (checked, report) = check(&urls, &network);
    for (checked, to) in checked
        .iter()
        .zip(["https://a.test/x", "https://a.test/y#top"])
    {
        assert_eq!(checked.outcome, Outcome::Ok);
        assert_eq!(rules(checked), [Rule::Insecure]);
        let suggestion = checked.findings[0].suggestion.clone().unwrap();
        assert_eq!(
            (suggestion.reference.as_str(), suggestion.is_certain),
            (to, true)
        );
    }
    // robots.txt, two pages, and https once.
    assert_eq!(report.hosts()[0].requests, 4);
    // Nothing is reported if the host does not answer by https, or if nobody asks.
    for network in [
        network_of(client(free_port())).https(true),
        network_of(client(server.port)),
    ] {
        assert_eq!(rules(&one(urls[0].clone(), &network)), []);
    }
}
