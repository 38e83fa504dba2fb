//! Recursion.

use crate::{network, response, rules, server, site};
use std::collections::BTreeMap;
use std::time::Duration;
use urikit_check::{Check, OutcomeKind, Recursion, Report, Rule, Scope, Source};
use urikit_testkit::servers::{CERTIFICATE, Folder, Jetforce, Scripted, certificate, skip};

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

/// `/d` is two links away from the first page through a slow page, and three through fast ones.
#[test]
fn a_page_is_as_deep_as_the_shortest_way_to_it() {
    let server = server(|method, path, _| {
        let body = match path {
            "/" => "<a href=a><a href=b>",
            "/a" => {
                std::thread::sleep(Duration::from_millis(300));
                "<a href=d>"
            }
            "/b" => "<a href=c>",
            "/c" => "<a href=d>",
            "/d" => "<a href=e>",
            _ => "",
        };
        let fields = "Content-Type: text/html\r\n";
        Some(response(method, "200 OK", fields, body))
    });
    let prefix = format!("http://127.0.0.1:{}", server.port);
    let check = Check::new().recursion(Some(Recursion::new().depth(2)));
    let report = check.run([Source::url(format!("{prefix}/"))], &network());
    let found = links(&report, &prefix);
    let found: Vec<_> = found.iter().map(|(from, to, _)| (&**from, &**to)).collect();
    let expected = [
        ("/", "a"),
        ("/", "b"),
        ("/a", "d"),
        ("/b", "c"),
        ("/c", "d"),
        ("/d", "e"),
    ];
    assert_eq!(found, expected);
}

/// Returns the links of a report: the document, the reference and the outcome.
fn links(report: &Report, prefix: &str) -> Vec<(String, String, OutcomeKind)> {
    let mut found = Vec::new();
    for document in report.documents() {
        let name = document.name().strip_prefix(prefix).unwrap().to_owned();
        for checked in document.links() {
            let reference = checked.link.reference.replace(prefix, "");
            found.push((name.clone(), reference, checked.outcome.kind()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_capsule() {
    let test = "a_capsule";
    let (root, folder) = (Folder::new("check-gemini"), Folder::new("check-gemini-tls"));
    root.write(
        "index.gmi",
        "# Here\n=> log/ Log\n=> cgi-bin/ask Ask\n=> a.txt\n=> gone\n",
    );
    root.write(
        "log/index.gmi",
        "=> ../ Up\n=> old.gmi Old\n```\n=> not-a-link\n```\n",
    );
    root.write(
        "log/old.gmi",
        "=> missing.gmi\n=> gemini://missing.test/ Other\n",
    );
    root.write("a.txt", "Text\n");
    root.program("cgi-bin/ask", "#!/bin/sh\nprintf '10 Say what?\\r\\n'\n");
    if certificate(&folder, CERTIFICATE).is_none() {
        return skip(test, "openssl");
    }
    let Some(server) = Jetforce::start(&root, &folder) else {
        return skip(test, "jetforce");
    };
    let prefix = format!("gemini://127.0.0.1:{}", server.port);
    let run = |recursion: Recursion| {
        let check = Check::new().recursion(Some(recursion));
        let report = check.run([Source::url(format!("{prefix}/"))], &network());
        assert_eq!(report.failures(), []);
        links(&report, &prefix)
    };
    let (ok, broken) = (OutcomeKind::Ok, OutcomeKind::Broken);
    let expected = [
        ("/", "a.txt", ok),
        ("/", "cgi-bin/ask", ok),
        ("/", "gone", broken),
        ("/", "log/", ok),
        ("/log/", "../", ok),
        ("/log/", "old.gmi", ok),
        ("/log/old.gmi", "gemini://missing.test/", broken),
        ("/log/old.gmi", "missing.gmi", broken),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(from, to, outcome)| ((*from).to_owned(), (*to).to_owned(), *outcome))
        .collect();
    assert_eq!(run(Recursion::new()), expected);
    assert_eq!(run(Recursion::new().depth(1)), expected[..6]);
    let scope = Scope::Prefix(format!("{prefix}/log"));
    assert_eq!(run(Recursion::new().scope(scope)), expected);
}

#[test]
fn pages_of_spartan() {
    let server = Scripted::start(|client| {
        let line = client.line().unwrap_or_default();
        client.say(match line.split(' ').nth(1).unwrap_or_default() {
            "/" => "2 text/gemini\r\n=> a/ A\n=: /guests Sign\n=> //missing.test/\n",
            "/a/" => "2 text/gemini\r\n=> b\n",
            "/guests" => "2 text/gemini\r\n=> c\n",
            _ => "4 Not found\r\n",
        });
    });
    let prefix = format!("spartan://127.0.0.1:{}", server.port);
    let check = Check::new().recursion(Some(Recursion::new()));
    let report = check.run([Source::url(format!("{prefix}/"))], &network());
    let found = links(&report, &prefix);
    let found: Vec<_> = found
        .iter()
        .map(|(from, to, it)| (&**from, &**to, *it))
        .collect();
    let (ok, broken) = (OutcomeKind::Ok, OutcomeKind::Broken);
    let expected = [
        ("/", "//missing.test/", broken),
        ("/", "/guests", ok),
        ("/", "a/", ok),
        ("/a/", "b", broken),
        ("/guests", "c", broken),
    ];
    assert_eq!(found, expected);
}
