//! The status and the responses of a transfer: `--json`, `-I`, `-i` and `-w`.

use crate::support::{Folder, Outcome, uri};
use crate::{fetch, http};
use serde_json::{Value, json};
use urikit_testkit::servers::Scripted;

/// A server with a page, a redirect to it, a missing page, and a loop.
fn server() -> Scripted {
    http(&[
        (
            "/",
            "200 OK\r\nContent-Type: text/plain\r\nX-A: b\r\nContent-Length: 5",
            b"hello",
        ),
        (
            "/a",
            "301 Moved Permanently\r\nLocation: /#top\r\nContent-Length: 0",
            b"",
        ),
        (
            "/b",
            "302 Found\r\nLocation: /a\r\nContent-Length: 3",
            b"see",
        ),
        ("/none", "404 Not Found\r\nContent-Length: 4", b"none"),
        (
            "/to-none",
            "307 Temporary Redirect\r\nLocation: /none\r\nContent-Length: 0",
            b"",
        ),
        (
            "/loop1",
            "302 Found\r\nLocation: /loop2\r\nContent-Length: 0",
            b"",
        ),
        (
            "/loop2",
            "302 Found\r\nLocation: /loop1\r\nContent-Length: 0",
            b"",
        ),
    ])
}

fn url(server: &Scripted, path: &str) -> String {
    format!("http://127.0.0.1:{}{path}", server.port)
}

fn record(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{outcome:?}"))
}

#[test]
fn json_has_the_status_and_every_response() {
    let (server, folder) = (server(), Folder::new());
    let file = folder.path().join("file").display().to_string();
    let outcome = fetch(["--json", "-o", &file, &url(&server, "/b")]);
    let found = record(&outcome);
    assert_eq!(
        (&found["status"], &found["reason"]),
        (&json!(200), &json!("OK"))
    );
    let hops = found["hops"].as_array().unwrap();
    let row = |hop: &Value| {
        (
            hop["uri"].clone(),
            hop["status"].clone(),
            hop["location"].clone(),
        )
    };
    let expected = [
        ("/b", 302, json!(url(&server, "/a"))),
        ("/a", 301, json!(url(&server, "/#top"))),
        ("/", 200, Value::Null),
    ];
    let expected =
        expected.map(|(path, status, to)| (json!(url(&server, path)), json!(status), to));
    assert!(hops.iter().map(row).eq(expected), "{hops:?}");
    assert!(
        hops.iter()
            .all(|hop| hop["seconds"].as_f64().is_some_and(|it| it > 0.0))
    );
    assert_eq!(
        hops[0]["attributes"][0],
        json!({"name": "Location", "value": "/a"})
    );
    assert_eq!(hops[2]["attributes"], found["attributes"]);
    // The keys are also set after an error.
    let outcome = fetch(["--json", "-I", &url(&server, "/to-none")]);
    let found = record(&outcome);
    assert_eq!(outcome.status, 5);
    assert_eq!(
        (&found["status"], &found["reason"]),
        (&json!(404), &json!("Not Found"))
    );
    assert_eq!(found["hops"][1]["uri"], json!(url(&server, "/none")));
    assert!(found["error"]["class"].is_string());
    let refused = fetch(["--json", "-I", "http://127.0.0.1:1/"]);
    let found = record(&refused);
    assert_eq!(
        (&found["status"], &found["hops"][0]["status"]),
        (&Value::Null, &Value::Null)
    );
    // A protocol without codes has no status, and an invalid reference no responses.
    let found = record(&uri(["fetch", "--json", "-I", "data:,a"]));
    assert_eq!(
        (&found["status"], found["hops"].as_array().unwrap().len()),
        (&Value::Null, 1)
    );
    let found = record(&uri(["fetch", "--json", "-I", "^"]));
    assert_eq!(
        (&found["status"], &found["hops"]),
        (&Value::Null, &json!([]))
    );
}

#[test]
fn attributes_begin_with_redirects_and_the_status() {
    let server = server();
    let outcome = fetch(["-I", &url(&server, "/b")]);
    let begin = format!(
        "uri\t{}\nredirect\t302 Found to {}\nredirect\t301 Moved Permanently to {}\n\
         status\t200 OK\nfinal_uri\t{}\n",
        url(&server, "/b"),
        url(&server, "/a"),
        url(&server, "/#top"),
        url(&server, "/"),
    );
    assert!(outcome.out.starts_with(&begin), "{outcome:?}");
    let outcome = fetch(["-I", &url(&server, "/none")]);
    let missing = url(&server, "/none");
    assert_eq!(
        outcome.out,
        format!("uri\t{missing}\nstatus\t404 Not Found\n")
    );
    assert_eq!(outcome.status, 5);
}

/// The password of a URL is for the server, not for the screen.
#[test]
fn attributes_do_not_show_passwords() {
    let ftp = Scripted::start(|client| {
        client.say("220 hi\r\n");
        while let Some(line) = client.line() {
            client.say(match line.split(' ').next().unwrap_or_default() {
                "USER" => "331 password\r\n",
                "PASS" => "230 in\r\n",
                "SIZE" => "213 5\r\n",
                "MDTM" => "213 19941106084937\r\n",
                _ => "200 ok\r\n",
            });
        }
    });
    let from = format!("ftp://tim:hunter2@127.0.0.1:{}/a", ftp.port);
    let outcome = fetch(["-I", &from]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert!(
        outcome.out.starts_with("uri\tftp://tim:***@"),
        "{outcome:?}"
    );
    assert!(outcome.out.contains("\nstatus\t2"), "{outcome:?}");
    assert!(!outcome.out.contains("hunter2"), "{outcome:?}");
    assert!(
        fetch(["-I", "--show-secrets", &from])
            .out
            .contains("hunter2")
    );
}

#[test]
fn heads_precede_the_body() {
    let (server, folder) = (server(), Folder::new());
    let expected = "HTTP/1.1 301 Moved Permanently\r\nLocation: /#top\r\nContent-Length: 0\r\n\
        Connection: close\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-A: b\r\n\
        Content-Length: 5\r\nConnection: close\r\n\r\nhello";
    let outcome = fetch(["-i", &url(&server, "/a")]);
    assert_eq!(outcome.out, expected);
    let file = folder.path().join("file").display().to_string();
    assert_eq!(fetch(["-i", "-o", &file, &url(&server, "/a")]).status, 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
    let outcome = fetch(["-j2", "-i", &url(&server, "/"), &url(&server, "/none")]);
    assert!(
        outcome.out.contains("helloHTTP/1.1 404 Not Found\r\n"),
        "{outcome:?}"
    );
    assert_eq!(fetch(["-i", "-I", &url(&server, "/")]).status, 2);
}

#[test]
fn templates_are_filled_as_in_curl() {
    let (server, folder) = (server(), Folder::new());
    let from = url(&server, "/b");
    let template = "\n%{http_code} %{response_code} %{num_redirects} %{size_download} \
        %{content_type} %header{x-a} %{url_effective} [%{redirect_url}] %{exitcode} %{urlnum}%%\\n";
    let expected = format!(
        "hello\n200 200 2 5 text/plain b {} [] 0 0%\n",
        url(&server, "/")
    );
    assert_eq!(fetch(["-w", template, &from]).out, expected);
    let file = folder.path().join("template");
    std::fs::write(&file, template).unwrap();
    assert_eq!(
        fetch(["-w", &format!("@{}", file.display()), &from]).out,
        expected
    );
    // The template also works for a failed transfer.
    let outcome = fetch([
        "-w",
        "%{http_code} %{exitcode} %{errormsg}",
        &url(&server, "/none"),
    ]);
    assert!(
        outcome.out.starts_with("404 5 asking 127.0.0.1:"),
        "{outcome:?}"
    );
    assert_eq!(
        fetch(["-w", "%{http_code}", "http://127.0.0.1:1/"]).out,
        "000"
    );
    let outcome = fetch(["-w", "%{time_total}", "-o", "/dev/null", &from]);
    assert!(outcome.out.parse::<f64>().unwrap() > 0.0);
    for wrong in ["%{code}", "%{json}", "@/nowhere/at/all"] {
        let outcome = fetch(["-w", wrong, &from]);
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("", 2),
            "{outcome:?}"
        );
    }
}

#[test]
fn too_many_redirects_show_the_status_the_target_and_the_loop() {
    let server = server();
    let outcome = fetch(["--max-redirs", "1", &url(&server, "/b")]);
    assert_eq!(outcome.status, 4);
    let expected = "refused: more than 1 redirects; received \"301 Moved Permanently, to /#top\"\n";
    assert!(outcome.err.ends_with(expected), "{outcome:?}");
    let outcome = fetch([&*url(&server, "/loop1")]);
    let expected =
        "redirect loop: /loop1 → /loop2 → /loop1 (stopped after 10); received \"302 Found, to ";
    assert!(outcome.err.contains(expected), "{outcome:?}");
    assert_eq!(outcome.status, 4);
}
