//! Every outcome and finding of single links.

use crate::{check, count, network, one, response, rules, server, site};
use urikit_access::{Client, Policy};
use urikit_check::{Check, Checked, Network, Outcome, Reason, Rule, Source};
use urikit_testkit::servers::{
    CERTIFICATE, Folder, Jetforce, Scripted, certificate, free_port, skip,
};

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
        // `/to404` redirects to `/404`, and is requested twice.
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
    let away = crate::server(move |method, path, number| match path {
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
fn the_small_web() {
    let scripted = Scripted::start(|client| {
        let line = client.line().unwrap_or_default();
        client.say(match line.as_str() {
            "127.0.0.1 /here 0" => "2 text/gemini\r\n# Here\r\n",
            "127.0.0.1 /gone 0" => "4 Not found\r\n",
            "127.0.0.1 /busy 0" => "5 Try later\r\n",
            "here.txt" | "timbl" => "Hello\r\n",
            _ => "",
        });
    });
    let port = scripted.port;
    let network = network();
    let urls = [
        format!("spartan://127.0.0.1:{port}/here"),
        format!("spartan://127.0.0.1:{port}/gone"),
        format!("spartan://127.0.0.1:{port}/busy"),
        format!("nex://127.0.0.1:{port}/here.txt"),
        format!("nex://127.0.0.1:{port}/gone.txt"),
        format!("finger://127.0.0.1:{port}/timbl"),
    ];
    let (checked, _) = check(&urls, &network);
    let outcomes = checked.iter().map(|checked| match &checked.outcome {
        Outcome::Ok => "ok",
        Outcome::Broken(Reason::NotFound(_)) => "missing",
        Outcome::Unverifiable(_) => "unverifiable",
        other => panic!("{other:?}"),
    });
    let expected = ["ok", "missing", "unverifiable", "ok", "unverifiable", "ok"];
    assert!(outcomes.eq(expected), "{checked:?}");
}

#[test]
fn gemini() {
    let test = "gemini";
    let (root, folder) = (Folder::new("check-gemini"), Folder::new("check-gemini-tls"));
    root.write("index.gmi", "# Here\n");
    let echo = "#!/bin/sh\nprintf '10 Say what?\\r\\n'\n";
    root.program("cgi-bin/ask", echo);
    root.program("cgi-bin/busy", "#!/bin/sh\nprintf '41 Busy\\r\\n'\n");
    root.program("cgi-bin/never", "#!/bin/sh\nprintf '50 Never\\r\\n'\n");
    root.program("cgi-bin/login", "#!/bin/sh\nprintf '60 Who?\\r\\n'\n");
    if certificate(&folder, CERTIFICATE).is_none() {
        return skip(test, "openssl");
    }
    let Some(server) = Jetforce::start(&root, &folder) else {
        return skip(test, "jetforce");
    };
    let at = |path: &str| format!("gemini://127.0.0.1:{}{path}", server.port);
    let expected = [
        ("/", Outcome::Ok),
        ("/cgi-bin/ask", Outcome::Ok),
        (
            "/cgi-bin/login",
            Outcome::Unverifiable(Reason::LoginRequired),
        ),
    ];
    let urls: Vec<_> = expected.iter().map(|(path, _)| at(path)).collect();
    for (checked, (path, outcome)) in check(&urls, &network()).0.iter().zip(&expected) {
        assert_eq!(checked.outcome, *outcome, "{path}");
    }
    for path in ["/gone", "/cgi-bin/never"] {
        let outcome = one(at(path), &network()).outcome;
        let is_missing = matches!(outcome, Outcome::Broken(Reason::NotFound(_)));
        assert!(is_missing, "{path}: {outcome:?}");
    }
    let outcome = one(at("/cgi-bin/busy"), &network()).outcome;
    assert!(matches!(outcome, Outcome::Unverifiable(_)), "{outcome:?}");
}

/// The charset of the server takes precedence over the one that the page declares, for fragments
/// and for links.
#[test]
fn charsets() {
    let server = server(|method, path, number| {
        let page = "<meta charset=iso-8859-1><p id=\u{fc}ber><a href=/\u{e9}>";
        match path {
            "/declared" => Some(response(
                method,
                "200 OK",
                "Content-Type: text/html; charset=\"UTF-8\"\r\n",
                page,
            )),
            "/%C3%A9" => Some(response(method, "404 Not Found", "", "")),
            _ => site(method, path, number),
        }
    });
    let url = format!("http://a.test:{}/declared", server.port);
    let checked = one(format!("{url}#%C3%BCber"), &network());
    assert_eq!(rules(&checked), []);
    let report = Check::new().run([Source::url(url)], &network());
    let document = report.documents().next().unwrap();
    let link = document.links().next().unwrap();
    assert_eq!(link.outcome, Outcome::Broken(Reason::Status(404)));
}
