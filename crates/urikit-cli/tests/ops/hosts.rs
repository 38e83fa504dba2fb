//! Non-ASCII hosts: one rule for editing, explaining, planning and fetching.

use crate::support::uri;
use urikit_testkit::servers::Scripted;

const NAME: &str = "xn--mnchen-3ya.de";

#[test]
fn edit_writes_the_name_in_the_dns() {
    for (host, expected) in [("münchen.de", NAME), ("faß.de", "xn--fa-hia.de")] {
        let outcome = uri(["edit", "-s", &format!("host={host}"), "http://a/"]);
        assert_eq!(
            (outcome.out, outcome.status),
            (format!("http://{expected}/\n"), 0)
        );
    }
    // An IRI contains the name itself, and remains as written.
    let iri = [
        "edit",
        "--standard",
        "rfc3987",
        "-s",
        "host=münchen.de",
        "http://a/",
    ];
    assert_eq!(uri(iri).out, "http://münchen.de/\n");
    let kept = ["edit", "-s", "path=/b", "http://m%C3%BCnchen.de/"];
    assert_eq!(uri(kept).out, "http://m%C3%BCnchen.de/b\n");
}

#[test]
fn explain_and_plan_send_the_same() {
    for (standard, url) in [
        ("rfc3987", "http://münchen.de/"),
        ("rfc3987", "http://m%C3%BCnchen.de/"),
        ("rfc3986", "http://m%C3%BCnchen.de/"),
        ("rfc3986", "http://%6D%c3%bcnchen.de/"),
        ("rfc3986", "http://xn--mnchen-3ya.de/"),
        ("rfc3986", "http://xn--mnchen-3ya.%64e/"),
    ] {
        let plan = uri(["fetch", "--plan", "--standard", standard, url]).out;
        assert!(
            plan.starts_with(&format!("connect  {NAME}:80\n")),
            "{url}: {plan}"
        );
        assert!(
            plan.contains(&format!("send     \"Host: {NAME}\"\n")),
            "{url}: {plan}"
        );
        let page = uri(["explain", "--standard", standard, url]).out;
        assert!(
            page.contains(&format!("connects to {NAME}, port 80\n")),
            "{url}: {page}"
        );
        assert!(
            page.contains(&format!("sends \"Host: {NAME}\"\n")),
            "{url}: {page}"
        );
    }
    for scheme in ["ftp", "gopher", "wais", "telnet", "ws"] {
        let path = if scheme == "telnet" { "" } else { "/x" };
        let url = format!("{scheme}://m%C3%BCnchen.de{path}");
        let page = uri(["explain", &url]).out;
        assert!(
            page.contains(&format!("connects to {NAME}, port ")),
            "{page}"
        );
    }
}

/// Fetches through a proxy, which avoids DNS lookups.
#[test]
fn fetch_sends_the_name() {
    let server = Scripted::start(|client| {
        while client.line().is_some_and(|line| !line.is_empty()) {}
        client.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        client.close();
    });
    let gateway = format!("http=proxy:http://127.0.0.1:{}/", server.port);
    let url = "http://m%C3%BCnchen.de/a";
    let outcome = uri(["fetch", "--allow-private", "--gateway", &gateway, url]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("ok", 0),
        "{outcome:?}"
    );
    let log = server.log();
    assert_eq!(
        log.first().unwrap(),
        &format!("GET http://{NAME}/a HTTP/1.1")
    );
    assert!(log.contains(&format!("Host: {NAME}")), "{log:?}");
}
