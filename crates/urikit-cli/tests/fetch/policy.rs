//! Accesses that the policy refuses, with exit statuses.

use crate::support::uri;
use crate::{fetch, http, request};
use std::time::{Duration, Instant};
use urikit_testkit::servers::{self, Conversation, Scripted};

#[test]
fn this_machine_is_refused_unless_it_is_allowed() {
    let server = http(&[("/", "200 OK\r\nContent-Length: 2", b"ok")]);
    let url = format!("http://127.0.0.1:{}/", server.port);
    let outcome = uri(["fetch", &url]);
    assert_eq!(outcome.status, 4);
    assert_eq!(
        outcome.err,
        format!(
            "uri: argument 1: connecting to 127.0.0.1:{}: refused: \
             127.0.0.1 is a loopback address\n  \
             --allow-private permits connections to this machine and private networks\n",
            server.port
        )
    );
    assert!(server.log().is_empty());
    assert_eq!(fetch([url.as_str()]).out, "ok");
}

/// Advice is given only if it can help.
#[test]
fn advice_names_only_options_that_help() {
    for (url, advice) in [
        ("http://127.0.0.1/", "--allow-private"),
        ("http://10.1.2.3/", "--allow-private"),
        ("http://[fd00::1]/", "--allow-private"),
        ("http://169.254.169.254/latest/", ""),
        ("http://0.0.0.0/", ""),
        ("http://[::]/", ""),
        ("http://[fe80::1]/", ""),
        ("http://224.0.0.1/", ""),
        ("http://255.255.255.255/", ""),
        ("http://127.0.0.1:25/", "--allow-port 25"),
        ("http://127.0.0.1:0/", ""),
    ] {
        let outcome = uri(["fetch", url]);
        assert_eq!(outcome.status, 4, "{url} {outcome:?}");
        let found = outcome.err.lines().nth(1).unwrap_or_default().trim();
        assert_eq!(found.is_empty(), advice.is_empty(), "{url} {outcome:?}");
        assert!(found.starts_with(advice), "{url} {outcome:?}");
    }
}

/// `-m 0` means no limit, and so does 0 for the other times. A tiny limit expires immediately.
#[test]
fn zero_is_no_limit() {
    let server = Scripted::start(|client| {
        request(client);
        std::thread::sleep(Duration::from_millis(300));
        client.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        client.close();
    });
    let url = format!("http://127.0.0.1:{}/", server.port);
    for time in ["0", "0.0", "1e300"] {
        let times = [
            "-m",
            time,
            "--connect-timeout",
            time,
            "--idle-timeout",
            time,
            &url,
        ];
        assert_eq!(fetch(times).out, "ok", "{time}");
    }
    assert_eq!(fetch(["-m", "1e-9", &url]).status, 5);
}

/// The total time also limits computation, even that of a plan.
#[test]
fn the_total_time_limits_plans() {
    let url = format!("mailto:a@h?subject=b{}", "&x-a=b".repeat(10_000));
    for arguments in [&["--plan", "-m", "1e-9"][..], &["-m", "1e-9"]] {
        let outcome = fetch(arguments.iter().copied().chain([url.as_str()]));
        assert_eq!(outcome.status, 5, "{outcome:?}");
        assert!(outcome.err.contains("too long"), "{}", outcome.err);
    }
}

#[test]
fn ports_of_other_protocols_are_refused() {
    for port in [25, 0, 6667] {
        let outcome = fetch([format!("http://127.0.0.1:{port}/").as_str()]);
        assert_eq!(outcome.status, 4, "{outcome:?}");
    }
    let outcome = fetch(["--allow-port", "1", "http://127.0.0.1:1/"]);
    assert_eq!(outcome.status, 5, "{outcome:?}");
}

#[test]
fn a_redirect_to_a_file_is_refused() {
    let server = http(&[(
        "/",
        "302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0",
        b"",
    )]);
    let outcome = fetch([format!("http://127.0.0.1:{}/", server.port).as_str()]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("", 4));
    assert!(
        outcome
            .err
            .contains("a redirect to the scheme `file` is not allowed"),
        "{}",
        outcome.err
    );
}

#[test]
fn time_and_size_are_limited() {
    let silent = Scripted::start(Conversation::hang);
    let begin = Instant::now();
    let outcome = fetch([
        "-m",
        "0.5",
        format!("http://127.0.0.1:{}/", silent.port).as_str(),
    ]);
    assert_eq!(outcome.status, 5, "{outcome:?}");
    assert!(begin.elapsed() < Duration::from_secs(5));
    let endless = Scripted::start(|client| {
        request(client);
        client.say("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        client.say_forever([b'a'; 4096]);
    });
    let outcome = fetch([
        "--max-filesize",
        "5000",
        format!("http://127.0.0.1:{}/", endless.port).as_str(),
    ]);
    assert_eq!(outcome.status, 4);
    assert!(outcome.out.len() <= 5000, "{}", outcome.out.len());
    assert!(outcome.err.contains("--max-filesize"), "{}", outcome.err);
}

#[test]
fn credentials_go_only_to_their_server_and_are_never_shown() {
    let seen = |client: &mut Conversation, answer: &str| {
        let (_, fields) = request(client).unwrap();
        let has = fields
            .iter()
            .any(|field| field.to_lowercase().starts_with("authorization:"));
        let body = if has { "yes" } else { "no" };
        client.say(format!(
            "HTTP/1.1 {answer}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ));
        client.close();
    };
    let other = Scripted::start(move |client| seen(client, "200 OK"));
    let port = other.port;
    let first = Scripted::start(move |client| {
        seen(
            client,
            &format!("302 Found\r\nLocation: http://127.0.0.1:{port}/"),
        );
    });
    let to_other = format!("http://127.0.0.1:{}/", other.port);
    assert_eq!(fetch(["-u", "me:hunter2", &to_other]).out, "yes");
    let outcome = fetch([
        "-v",
        "-u",
        "me:hunter2",
        &format!("http://127.0.0.1:{}/", first.port),
    ]);
    assert_eq!(outcome.out, "no");
    assert!(
        !outcome.err.contains("hunter2") && !outcome.err.contains("bWU6aHVudGVyMg"),
        "{}",
        outcome.err
    );
}

#[test]
fn gateways_come_from_the_command_line_or_the_environment() {
    let server = Scripted::start(|client| {
        let (first, _) = request(client).unwrap();
        let body = first.split(' ').nth(1).unwrap().to_owned();
        client.say(format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ));
        client.close();
    });
    let prefix = format!("wais=http://127.0.0.1:{}/get?uri=", server.port);
    assert_eq!(
        fetch(["--gateway", &prefix, "wais://h/db?a+b#c"]).out,
        "/get?uri=wais://h/db?a%2Bb"
    );
    let proxy = format!("prospero=proxy:http://127.0.0.1:{}", server.port);
    let mut command = crate::support::command();
    command.env("URI_GATEWAYS", format!("{prefix} {proxy}"));
    command.args(["fetch", "--allow-private", "prospero://h/obj"]);
    assert_eq!(
        crate::support::run_with(command, b"").out,
        "prospero://h/obj"
    );
}

#[test]
fn a_plan_masks_secrets_and_does_not_connect() {
    // No server is running, and none is needed.
    let outcome = uri(["fetch", "--plan", "ftp://me:hunter2@h.example/a"]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert!(
        outcome.out.contains("PASS ***") && !outcome.out.contains("hunter2"),
        "{}",
        outcome.out
    );
    let outcome = uri([
        "fetch",
        "--plan",
        "--show-secrets",
        "ftp://me:hunter2@h.example/a",
    ]);
    assert!(outcome.out.contains("PASS hunter2"), "{}", outcome.out);
    let outcome = uri(["fetch", "--plan", "--json", "ftp://me:hunter2@h.example/a"]);
    let record = &outcome.json()[0];
    let steps = record["plan"].as_array().unwrap();
    assert_eq!(
        steps[0],
        serde_json::json!({"action": "connect", "host": "h.example", "port": 21, "when": null})
    );
    assert!(
        steps.contains(&serde_json::json!({
            "action": "send", "text": "PASS hunter2", "when": "if the server asks for a password"
        })),
        "{steps:?}"
    );
}

/// Like the access itself, a plan checks the addresses and ports that need no DNS lookup.
#[test]
fn a_plan_shows_a_refusal() {
    let gateway = ["--gateway", "wais=http://gate.example/"];
    for (arguments, reason) in [
        (&["http://127.1/"][..], "127.0.0.1 is a loopback address"),
        (&["http://localhost./"], "127.0.0.1 is a loopback address"),
        (
            &["ftp://0xA9FEA9FE/a"],
            "169.254.169.254 is a link-local address",
        ),
        (&["rlogin://[::1]/"], "::1 is a loopback address"),
        (
            &[gateway[0], gateway[1], "wais://10.1/a"],
            "10.0.0.1 is a private address",
        ),
        (
            &["http://a.example:25/"],
            "port 25 belongs to another protocol",
        ),
    ] {
        let plan = ["fetch", "--plan"];
        let outcome = uri(plan.into_iter().chain(arguments.iter().copied()));
        assert_eq!(outcome.out, format!("refused: {reason}\n"), "{arguments:?}");
        assert!(outcome.err.contains(reason), "{}", outcome.err);
        assert_eq!(outcome.status, 4, "{arguments:?}");
        let allowed = ["--allow-private", "--allow-port", "25"];
        let outcome = uri(plan
            .into_iter()
            .chain(allowed)
            .chain(arguments.iter().copied()));
        let is_link_local = reason.contains("link-local");
        assert_eq!(
            outcome.status,
            if is_link_local { 4 } else { 0 },
            "{arguments:?}"
        );
    }
    let outcome = uri(["send", "--plan", "Cargo.toml", "ftp://127.1/a"]);
    assert_eq!(outcome.out, "refused: 127.0.0.1 is a loopback address\n");
    assert_eq!(outcome.status, 4);
}

#[test]
fn plans_depend_on_the_options() {
    let outcome = uri(["fetch", "--plan", "-I", "http://h/a"]);
    assert!(outcome.out.contains("HEAD /a HTTP/1.1"), "{outcome:?}");
    let outcome = uri(["fetch", "--plan", "-C", "7", "http://h/a"]);
    assert!(outcome.out.contains("Range: bytes=7-"), "{outcome:?}");
    let outcome = uri(["fetch", "--plan", "-C", "7", "ftp://h/a;type=i"]);
    assert!(outcome.out.contains("REST 7"), "{outcome:?}");
}

/// curl and browsers behave the same way.
#[test]
fn a_location_with_a_space_is_followed() {
    let server = http(&[
        (
            "/",
            "302 Found\r\nLocation: /a b.txt\r\nContent-Length: 0",
            b"",
        ),
        ("/a%20b.txt", "200 OK\r\nContent-Length: 2", b"ok"),
    ]);
    let outcome = fetch([format!("http://127.0.0.1:{}/", server.port).as_str()]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("ok", 0),
        "{outcome:?}"
    );
}

/// The most common kind of certificate on test servers, made with `openssl req -x509`.
#[test]
fn a_self_signed_certificate_is_named_and_can_be_trusted() {
    let test = "a_self_signed_certificate_is_named_and_can_be_trusted";
    let Some(openssl) = servers::installed("openssl") else {
        return servers::skip(test, "openssl");
    };
    let folder = servers::Folder::new("tls");
    let made = std::process::Command::new(openssl)
        .current_dir(folder.path())
        .args("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test".split(' '))
        .args("-addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem".split(' '))
        .stderr(std::process::Stdio::null())
        .status();
    assert!(made.unwrap().success());
    let port = servers::free_port();
    let server = format!(
        "server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {{dir}}/cert.pem; \
         ssl_certificate_key {{dir}}/key.pem; location / {{ return 200 ok; }} }}"
    );
    let Some(nginx) = servers::Nginx::start(folder, "", &server) else {
        return servers::skip(test, "nginx");
    };
    let url = format!("https://127.0.0.1:{port}/");
    let outcome = fetch([url.as_str()]);
    assert_eq!(
        outcome.err,
        "uri: argument 1: securing 127.0.0.1 by TLS: the server's certificate is self-signed, and \
         not trusted\n  --cacert FILE trusts this certificate, or the CA that signed it\n"
    );
    assert_eq!(outcome.status, 5);
    let outcome = fetch(["--json", "-I", &url]);
    assert_eq!(outcome.json()[0]["error"]["class"], "network");
    let pem = nginx.path().join("cert.pem");
    let outcome = fetch(["--cacert", pem.to_str().unwrap(), &url]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("ok", 0));
}
