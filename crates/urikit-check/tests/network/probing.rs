//! `--probe`: parked domains and soft 404s.

use crate::{check, network, response, rules, server, site};
use urikit_check::{Outcome, Rule};

#[allow(clippy::unnecessary_wraps)] // the type of an answer
fn html(method: &str, status: &str, body: &str) -> Option<String> {
    let fields = "Content-Type: text/html\r\n";
    Some(response(method, status, fields, body))
}

fn found(port: u16, paths: &[&str], is_probed: bool) -> Vec<Vec<Rule>> {
    let urls: Vec<_> = paths
        .iter()
        .map(|path| format!("http://a.test:{port}{path}"))
        .collect();
    let (checked, _) = check(&urls, &network().probing(is_probed));
    assert!(checked.iter().all(|checked| checked.outcome == Outcome::Ok));
    checked.iter().map(rules).collect()
}

fn probes(log: &[String]) -> usize {
    let probes = log
        .iter()
        .filter(|line| line.starts_with("GET /urikit-probe-"));
    probes.count()
}

#[test]
fn soft_404() {
    let menu = "products about contact imprint search login basket help news jobs ".repeat(3);
    let server = server(move |method, path, number| match path {
        "/robots.txt" => site(method, path, number),
        "/" => html(method, "200 OK", "<title>Shop</title><p>Welcome"),
        "/real" => html(
            method,
            "200 OK",
            &format!("<title>Shoes</title><p>{menu} shoes"),
        ),
        "/image" => Some(response(
            method,
            "200 OK",
            "Content-Type: image/png\r\n",
            "x",
        )),
        _ => {
            let body = format!("<title>Shop</title><p>{menu} {path} is lost, {number}");
            html(method, "200 OK", &body)
        }
    });
    let paths = ["/gone", "/real", "/", "/image", "/gone/2"];
    let soft = || vec![Rule::Soft404];
    let expected = [soft(), vec![], vec![], vec![], soft()];
    assert_eq!(found(server.port, &paths, true), expected);
    assert_eq!(probes(&server.log()), 1);
    assert!(found(server.port, &paths, false).iter().all(Vec::is_empty));
    assert_eq!(probes(&server.log()), 1);
}

#[test]
fn servers_that_answer_404_are_probed_once() {
    let server = server(|method, path, number| match path {
        path if path.starts_with("/urikit-probe-") => html(method, "404 Not Found", "x"),
        _ => site(method, path, number),
    });
    assert_eq!(
        found(server.port, &["/page", "/ok", "/b"], true),
        vec![vec![]; 3]
    );
    let log = server.log();
    assert_eq!(probes(&log), 1);
    // The pages themselves are not read.
    assert!(
        !log.iter().any(|line| line.starts_with("GET /page")),
        "{log:?}"
    );
}

#[test]
fn parked_domains() {
    let shown = server(|method, path, number| {
        if path == "/robots.txt" {
            return site(method, path, number);
        }
        let page = "<html><script src='//img.sedoparking.com/x.js'></script><p>Ads";
        html(method, "200 OK", page)
    });
    assert_eq!(found(shown.port, &["/x"], true), [[Rule::Parked]]);
    let redirects = server(|method, path, number| match path {
        "/robots.txt" | "/ok" => site(method, path, number),
        _ => {
            let to = "Location: http://www.dan.com/buy-domain/a.test\r\n";
            Some(response(method, "302 Found", to, ""))
        }
    });
    assert_eq!(found(redirects.port, &["/ok"], true), [[Rule::Parked]]);
    // An ordinary page that writes about the service.
    let about = server(|method, path, number| match path {
        "/robots.txt" => site(method, path, number),
        _ => html(
            method,
            "200 OK",
            &format!("<a href=http://sedo.com/>Sedo</a> {path}"),
        ),
    });
    assert_eq!(found(about.port, &["/"], true), [[]]);
}

#[test]
fn robots_forbid_the_probe() {
    let server = server(|method, path, _| match path {
        "/robots.txt" => {
            let rules = "User-agent: *\nDisallow: /\nAllow: /page$\n";
            Some(response(method, "200 OK", "", rules))
        }
        _ => html(method, "200 OK", "<p>same"),
    });
    assert_eq!(found(server.port, &["/page"], true), [[]]);
    assert_eq!(probes(&server.log()), 0);
}

/// Redirects may lead to another host. The probe then asks that host, without the fields of the
/// first one.
#[test]
fn the_final_host_is_probed() {
    let server = server(|method, path, number| {
        let to = |target: &str| {
            let fields = format!("Location: {target}\r\n");
            Some(response(method, "302 Found", &fields, ""))
        };
        match path.split_once('?') {
            // A loop until cookies are kept, which is when redirects to other hosts are followed.
            Some((_, port)) if number >= 12 => to(&format!("http://b.test:{port}/page")),
            Some(_) => to(path),
            None if path == "/robots.txt" => site(method, path, number),
            None => html(method, "200 OK", "<p>same"),
        }
    });
    let own = format!("a.test:{}", server.port);
    let network = network().probing(true);
    let network = network.field(&format!("http://{own}"), "X-Api-Key", "secret");
    let url = format!("http://{own}/loop?{}", server.port);
    let (checked, _) = check(&[url], &network.unwrap());
    assert_eq!(checked[0].outcome, Outcome::Ok);
    let log = server.log();
    let probe = log
        .iter()
        .position(|line| line.starts_with("GET /urikit-probe-"));
    let probe = &log[probe.unwrap()..];
    assert!(probe.contains(&format!("Host: b.test:{}", server.port)));
    assert!(!probe.iter().any(|line| line.starts_with("X-Api-Key")));
}
