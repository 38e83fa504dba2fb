//! Passwords that servers repeat, in each output: messages, `--verbose`, `--meta` and `--json`. The
//! protocols and encodings are in the tests of `urikit-access`.

use crate::support::{Folder, uri};
use crate::{fetch, request};
use urikit_testkit::servers::Scripted;

/// The token of `bob:hunter2secret`.
const TOKEN: &str = "Ym9iOmh1bnRlcjJzZWNyZXQ=";

fn assert_hidden(text: &str) {
    for secret in [
        "hunter2secret",
        "Ym9iOmh1bnRlcjJz",
        "h%75nter",
        "hunter2%73ecret",
    ] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(text.contains("***"), "{text}");
}

#[test]
fn no_output_repeats_a_secret() {
    let http = Scripted::start(|client| {
        let Some((first, fields)) = request(client) else {
            return;
        };
        let sent = fields
            .iter()
            .find(|field| field.starts_with("Authorization"));
        let sent = sent.map_or("", |field| field.as_str());
        client.say(
            match first.split(' ').nth(1).unwrap() {
                "/denied" => {
                    format!("HTTP/1.1 401 {sent} h%75nter2secret\r\nContent-Length: 0\r\n")
                }
                "/moved" => {
                    format!("HTTP/1.1 302 F\r\nLocation: /{TOKEN}\r\nContent-Length: 0\r\n")
                }
                _ => "HTTP/1.1 404 hunter2%73ecret\r\nContent-Length: 0\r\n".to_owned(),
            } + "Connection: close\r\n\r\n",
        );
        client.close();
    });
    let ftp = Scripted::start(|client| {
        client.say("220 hello\r\n");
        while let Some(line) = client.line() {
            client.say(match line.split(' ').next().unwrap() {
                "CWD" => "550 CWD denied for bob/hunter2secret\r\n".to_owned(),
                "USER" => "331 password?\r\n".to_owned(),
                _ => format!("230 {line} is right\r\n"),
            });
        }
    });
    let news = Scripted::start(|client| {
        client.say("200 hello\r\n");
        while let Some(line) = client.line() {
            client.say(match line.split(' ').next().unwrap() {
                "CAPABILITIES" => "101 these\r\nREADER\r\n.\r\n".to_owned(),
                "AUTHINFO" => "281 hello bob:hunter2secret\r\n".to_owned(),
                _ => "430 nothing for hunter2secret\r\n".to_owned(),
            });
        }
    });
    let folder = Folder::new();
    let meta = folder.path().join("meta");
    let meta = meta.to_str().unwrap();
    for url in [
        format!("http://127.0.0.1:{}/denied", http.port),
        format!("http://127.0.0.1:{}/moved", http.port),
        format!("ftp://127.0.0.1:{}/a/b", ftp.port),
        format!("news://127.0.0.1:{}/a@h", news.port),
    ] {
        let login = ["-u", "bob:hunter2secret"];
        for more in [
            &["-v", "--meta", meta][..],
            &["--meta", meta],
            &["--json", "-I"],
        ] {
            let arguments = login.into_iter().chain(more.iter().copied());
            let outcome = fetch(arguments.chain([url.as_str()]));
            assert_eq!(outcome.status, 5, "{outcome:?}");
            assert_hidden(&format!("{}{}", outcome.err, outcome.out));
            if more.contains(&"--meta") {
                assert_hidden(&std::fs::read_to_string(meta).unwrap());
            }
        }
    }
    // The password is in the URL, which is input. `--meta` contains the password unchanged.
    let url = format!("ftp://bob:hunter2secret@127.0.0.1:{}/a/b", ftp.port);
    assert_hidden(&fetch(["-v", &url]).err);
    let outcome = uri(["fetch", "--allow-private", "--json", "-I", &url]);
    let record = &outcome.json()[0];
    assert_hidden(&format!("{} {}", record["steps"], record["error"]));
}

/// Bodies and attributes are data, so they are not masked.
#[test]
fn data_is_exact() {
    let server = Scripted::start(|client| {
        request(client);
        client.say(
            "HTTP/1.1 200 OK\r\nX-Echo: hunter2secret\r\nContent-Length: 13\r\n\
             Connection: close\r\n\r\nhunter2secret",
        );
        client.close();
    });
    let url = format!("http://127.0.0.1:{}/", server.port);
    assert_eq!(
        fetch(["-u", "bob:hunter2secret", &url]).out,
        "hunter2secret"
    );
    let outcome = fetch(["-u", "bob:hunter2secret", "-I", &url]);
    assert!(
        outcome.out.contains("X-Echo\thunter2secret\n"),
        "{}",
        outcome.out
    );
}
