//! Limits, waits, robots.txt, header fields and tokens.

use crate::{check, count, network, network_of, one, policy, response, server, site};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use urikit_access::Client;
use urikit_check::{Check, Outcome, Reason, Source};
use urikit_testkit::servers::Scripted;

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
    // The robots.txt of the site being checked is ignored, because its rules are for others.
    let own = format!("http://127.0.0.1:{}/docs/", server.port);
    for network in [network().own_site(&own), network().robots(false)] {
        assert_eq!(one(urls[0].clone(), &network).outcome, Outcome::Ok);
    }
    assert_eq!(count(&server.log(), "GET /robots.txt"), 1);
    // A server whose rules are not known must not be asked (RFC 9309, 2.3.1.4).
    let failing = crate::server(|method, path, number| match path {
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
fn a_reached_limit_pauses_its_host() {
    let limited = server(|method, path, _| {
        let fields = match path {
            "/robots.txt" => return Some(response(method, "404 Not Found", "", "")),
            "/first" => "RateLimit-Remaining: 0\r\nRateLimit-Reset: 1\r\n",
            _ => "",
        };
        Some(response(method, "200 OK", fields, "x"))
    });
    let url = |path: &str| format!("http://127.0.0.1:{}{path}", limited.port);
    let begun = Instant::now();
    let (checked, report) = check(&["/first", "/next"].map(url), &network().per_host(1));
    assert!(checked.iter().all(|checked| checked.outcome == Outcome::Ok));
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let host = &report.hosts()[0];
    assert_eq!((host.waited, host.failures), (Duration::from_secs(1), 0));
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
    // All links to the quick server were checked before the second attempts at the other servers
    // ended.
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
    let network = crate::network()
        .field(&format!("http://{own}"), "X-Api-Key", "secret")
        .unwrap();
    let urls = ["a.test", "b.test"].map(|host| format!("http://{host}:{}/ok", server.port));
    check(&urls, &network);
    let log = server.log();
    let sent = log
        .iter()
        .filter(|line| *line == "X-Api-Key: secret")
        .count();
    // The field is sent once with the request for robots.txt, and once with the request for the
    // page.
    assert_eq!(sent, 2, "{log:?}");
    assert!(crate::network().field("a.test", "X\n", "1").is_err());
}

/// Others could read a field that is sent over http.
#[test]
fn header_fields_are_not_sent_in_clear_text() {
    let server = server(site);
    for (host, is_sent) in [("a.test", false), ("127.0.0.1", true)] {
        let own = format!("{host}:{}", server.port);
        let network = crate::network().field(&own, "X-Api-Key", host).unwrap();
        check(&[format!("http://{own}/ok")], &network);
        let field = format!("X-Api-Key: {host}");
        assert_eq!(server.log().contains(&field), is_sent, "{host}");
    }
}

/// A page of another host must not choose the URLs that are requested with a secret.
#[test]
fn header_fields_are_not_sent_after_a_redirect_from_another_host() {
    let server = server(|method, path, number| match path.split_once('?') {
        Some((_, port)) => {
            let location = format!("Location: http://a.test:{port}/ok\r\n");
            Some(response(method, "302 Found", &location, ""))
        }
        None => site(method, path, number),
    });
    let own = format!("http://a.test:{}", server.port);
    let network = crate::network().probing(true);
    let network = network.field(&own, "X-Api-Key", "secret").unwrap();
    check(&[format!("http://b.test:{}/?{0}", server.port)], &network);
    let log = server.log();
    let has = |start: &str| log.iter().any(|line| line.starts_with(start));
    assert!(has("HEAD /ok") && has("GET /urikit-probe-"), "{log:?}");
    assert!(!has("X-Api-Key"), "{log:?}");
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
    // After each failed attempt, the API is queried.
    assert_eq!(
        (count(" Bearer g1"), count(" Bearer g2")),
        (3, 1),
        "{log:?}"
    );
}

#[test]
fn connections_are_used_again() {
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    let server = Scripted::start(move |client| {
        count.fetch_add(1, Ordering::SeqCst);
        while let Some(line) = client.line() {
            while client.line().is_some_and(|field| !field.is_empty()) {}
            let method = line.split(' ').next().unwrap();
            client.say(response(
                method,
                "200 OK",
                "Content-Type: text/html\r\n",
                "<p id=a>",
            ));
        }
    });
    let urls: Vec<_> = (0..40)
        .map(|n| {
            let fragment = if n % 2 == 0 { "#a" } else { "" };
            format!("http://127.0.0.1:{}/{n}{fragment}", server.port)
        })
        .collect();
    let (checked, _) = check(&urls, &network().per_host(1));
    assert!(checked.iter().all(|checked| checked.outcome == Outcome::Ok));
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

/// Threads that wait for work must not keep room for large pages from the others.
#[test]
fn many_large_pages() {
    let server = server(|method, path, number| {
        if path == "/robots.txt" {
            return site(method, path, number);
        }
        let body = format!("{}<p id=end>", "<p>text\n".repeat(100_000));
        let fields = "Content-Type: text/html\r\n";
        Some(response(method, "200 OK", fields, &body))
    });
    let url = |host| format!("http://h{host}.test:{}/#end", server.port);
    let urls: Vec<_> = (0..20).map(url).collect();
    let (checked, _) = check(&urls, &crate::network());
    assert!(
        checked
            .iter()
            .all(|it| it.outcome == Outcome::Ok && it.findings.is_empty())
    );
}

#[test]
fn fields_need_a_host() {
    let field = |host| crate::network().field(host, "X-Api-Key", "secret");
    for host in [
        "a.test",
        "a.test:8080",
        "https://a.test/",
        "http://a.test:80",
    ] {
        assert!(field(host).is_ok(), "{host}");
    }
    for host in ["ftp://a.test", "https://a.test/b", "https://me@a.test"] {
        assert!(field(host).is_err(), "{host}");
    }
}
