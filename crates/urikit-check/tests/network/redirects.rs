//! Redirects to other hosts, whose limits also apply.

use crate::{check, count, network, one, response, rules, server, site};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use urikit_check::{Outcome, Reason, Rule};

/// Redirects all paths but robots.txt to another port.
fn redirecting(port: u16) -> urikit_testkit::servers::Scripted {
    server(move |method, path, number| {
        if path == "/robots.txt" {
            return site(method, path, number);
        }
        let to = format!("Location: http://b.test:{port}{path}#part\r\n");
        Some(response(method, "302 Found", &to, ""))
    })
}

#[test]
fn the_limit_of_the_other_host_is_kept() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let max = Arc::clone(&most);
    let target = server(move |method, path, number| {
        max.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(20));
        running.fetch_sub(1, Ordering::SeqCst);
        site(method, path, number)
    });
    let first = redirecting(target.port);
    let second = redirecting(target.port);
    let urls: Vec<_> = (0..30)
        .map(|n| {
            let port = [first.port, second.port][n % 2];
            format!("http://a.test:{port}/p{n}")
        })
        .collect();
    let (checked, report) = check(&urls, &network().per_host(2));
    for (n, checked) in checked.iter().enumerate() {
        assert_eq!(checked.outcome, Outcome::Ok);
        let to = format!("http://b.test:{}/p{n}#part", target.port);
        assert_eq!(checked.redirected.as_deref(), Some(&*to));
        assert!(rules(checked).contains(&Rule::RedirectOtherDomain));
    }
    assert_eq!(most.load(Ordering::SeqCst), 2);
    // Each target is requested once, and counts as a request to its host, with its robots.txt.
    let name = format!("b.test:{}", target.port);
    let host = report
        .hosts()
        .iter()
        .find(|host| host.host == name)
        .unwrap();
    assert_eq!(host.requests, 31);
}

#[test]
fn the_pause_of_the_other_host_is_kept() {
    let target = server(|method, path, number| match (path, number) {
        ("/busy", 1) => {
            let fields = "Retry-After: 1\r\n";
            Some(response(method, "429 Too Many Requests", fields, ""))
        }
        _ => site(method, path, number),
    });
    let from = redirecting(target.port);
    let mut urls = vec![format!("http://b.test:{}/busy", target.port)];
    urls.extend((0..3).map(|n| format!("http://a.test:{}/p{n}", from.port)));
    let begun = Instant::now();
    let (checked, _) = check(&urls[..1], &network());
    assert_eq!(checked[0].outcome, Outcome::Ok);
    assert!(begun.elapsed() >= Duration::from_secs(1));
    // In one run, the redirected requests wait for the second attempt, too.
    let target = server(|method, path, number| match (path, number) {
        ("/busy", 1) => {
            let fields = "Retry-After: 1\r\n";
            Some(response(method, "429 Too Many Requests", fields, ""))
        }
        ("/robots.txt", _) => site(method, path, number),
        (_, 1) if path != "/busy" => Some(response(method, "200 OK", "", "x")),
        _ => site(method, path, number),
    });
    let from = redirecting(target.port);
    let begun = Instant::now();
    let slow = server(move |method, path, number| {
        std::thread::sleep(Duration::from_millis(300));
        site(method, path, number)
    });
    let urls = [
        format!("http://b.test:{}/busy", target.port),
        format!("http://c.test:{}/p", slow.port),
        format!("http://a.test:{}/p1", from.port),
    ];
    let (checked, report) = check(&urls, &network().per_host(1));
    assert!(checked.iter().all(|checked| checked.outcome == Outcome::Ok));
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let hosts = report.hosts();
    let name = format!("b.test:{}", target.port);
    let waited = hosts.iter().find(|host| host.host == name).unwrap().waited;
    assert_eq!(waited, Duration::from_secs(1));
}

#[test]
fn the_robots_of_the_other_host_are_obeyed() {
    let target = server(|method, path, number| match path {
        "/robots.txt" => {
            let rules = "User-agent: *\nDisallow: /secret\n";
            Some(response(method, "200 OK", "", rules))
        }
        _ => site(method, path, number),
    });
    let from = redirecting(target.port);
    let checked = one(format!("http://a.test:{}/secret", from.port), &network());
    assert_eq!(checked.outcome, Outcome::Unverifiable(Reason::Robots));
    let to = format!("http://b.test:{}/secret", target.port);
    assert_eq!(checked.redirected, Some(to));
    assert_eq!(count(&target.log(), "HEAD /secret"), 0);
}

#[test]
fn failures_after_a_redirect_are_retried_from_the_first_url() {
    let target = server(|method, path, number| match (path, number) {
        ("/flaky", 1) => Some(response(method, "503 Service Unavailable", "", "")),
        _ => site(method, path, number),
    });
    let from = redirecting(target.port);
    let url = |path: &str| format!("http://a.test:{}{path}", from.port);
    let (checked, _) = check(&[url("/flaky"), url("/404")], &network());
    assert_eq!(checked[0].outcome, Outcome::Ok);
    assert_eq!(checked[1].outcome, Outcome::Broken(Reason::Status(404)));
    let log = from.log();
    let counts = ["HEAD /flaky", "GET /flaky"].map(|request| count(&log, request));
    assert_eq!(counts, [1, 1]);
}

#[test]
fn redirects_between_hosts_form_a_loop() {
    let port = Arc::new(AtomicUsize::new(0));
    let to = Arc::clone(&port);
    let one_way = server(move |method, path, number| {
        if path == "/robots.txt" {
            return site(method, path, number);
        }
        let to = format!(
            "Location: http://b.test:{}/x\r\n",
            to.load(Ordering::SeqCst)
        );
        Some(response(method, "302 Found", &to, ""))
    });
    let back = one_way.port;
    let other_way = server(move |method, path, number| {
        if path == "/robots.txt" {
            return site(method, path, number);
        }
        let to = format!("Location: http://a.test:{back}/x\r\n");
        Some(response(method, "302 Found", &to, ""))
    });
    port.store(usize::from(other_way.port), Ordering::SeqCst);
    let checked = one(format!("http://a.test:{back}/x"), &network());
    assert_eq!(checked.outcome, Outcome::Broken(Reason::RedirectLoop));
}

/// The fragment of a redirect takes the place of that of the link (RFC 9110, 10.2.2).
#[test]
fn fragments_of_redirects() {
    let server = server(|method, path, number| {
        let to = |target: &str| {
            let field = format!("Location: {target}\r\n");
            Some(response(method, "301 Moved Permanently", &field, ""))
        };
        match path {
            "/part" => to("/page#here"),
            "/absent" => to("/page#absent"),
            "/twice" => to("/moved#here"),
            _ => site(method, path, number),
        }
    });
    let url = |path: &str| format!("http://a.test:{}{path}", server.port);
    let no_part = "a redirect leads to #absent, which the page does not have";
    for (path, to, message) in [
        ("/part", "/page#here", None),
        ("/part#other", "/page#here", None),
        ("/twice#other", "/page#here", None),
        ("/moved#here", "/page#here", None),
        ("/absent#here", "/page#absent", Some(no_part)),
    ] {
        let checked = one(url(path), &network());
        assert_eq!(checked.outcome, Outcome::Ok, "{path}");
        let find = |rule| {
            let mut findings = checked.findings.iter();
            findings.find(|finding| finding.rule == rule)
        };
        let moved = find(Rule::RedirectPermanent).unwrap();
        let suggested = moved.suggestion.as_ref().unwrap();
        assert_eq!(suggested.reference, url(to), "{path}");
        let missing = find(Rule::FragmentMissing).map(|finding| &*finding.message);
        assert_eq!(missing, message, "{path}");
    }
}
