//! Links to servers on loopback: every outcome, every finding, limits, waits and robots.txt.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod manners;
mod outcomes;
mod probing;
mod recursion;
mod redirects;
mod state;
mod tls;
mod validators;

use std::io;
use std::net::IpAddr;
use std::time::Duration;
use urikit_access::{Client, Policy, Resolver};
use urikit_check::{Check, Checked, Network, Report, Rule, Source};
use urikit_testkit::servers::{Conversation, Scripted};

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

/// Serves HTTP. `answer` takes the method, the path, and the number of this request for the path,
/// counting from 1. If `answer` returns `None`, the server never responds.
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
