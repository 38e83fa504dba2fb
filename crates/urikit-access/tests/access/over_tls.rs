//! `snews`, and SMTP with STARTTLS.

use crate::http::tls::{certificate, server_config};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, fetch, fetch_with, plan, policy, sent};
use rustls::{ServerConnection, StreamOwned};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use urikit_access::protocol::MailtoProtocol;
use urikit_access::{Client, Credentials};
use urikit_testkit::servers::{Exim, Folder, skip};

/// Pairs of a prefix that the client's line must have, and the reply. The first reply is the
/// greeting.
type Script = &'static [(&'static str, &'static str)];

/// A server for one connection: first in plain text, then with TLS. The server closes the
/// connection if a line is out of order.
fn serve(folder: &Folder, plain: Script, secured: Script) -> u16 {
    let config = Arc::new(server_config(folder));
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream);
        if play(&mut reader, plain).is_some() {
            let connection = ServerConnection::new(config).unwrap();
            let secure = StreamOwned::new(connection, reader.into_inner());
            play(&mut BufReader::new(secure), secured);
        }
    });
    port
}

fn play<S: Read + Write>(reader: &mut BufReader<S>, script: Script) -> Option<()> {
    for (begins, answer) in script {
        let mut line = String::new();
        while !begins.is_empty() && !line.starts_with(begins) {
            let is_text = *begins == ".";
            if !line.is_empty() && !is_text {
                return None;
            }
            line.clear();
            reader
                .read_line(&mut line)
                .ok()
                .filter(|count| *count > 0)?;
        }
        reader.get_mut().write_all(answer.as_bytes()).ok()?;
        reader.get_mut().flush().ok()?;
    }
    Some(())
}

#[test]
fn snews() {
    let folder = Folder::new("snews");
    let Some(pem) = certificate("snews", &folder) else {
        return;
    };
    let port = serve(
        &folder,
        &[],
        &[
            ("", "200 hello\r\n"),
            ("CAPABILITIES", "101 these\r\nREADER\r\n.\r\n"),
            ("GROUP g", "211 1 7 7 g\r\n"),
            (
                "OVER 7-7",
                "224 now\r\n7\ts\tf\td\t<a@b.example>\t\t1\t1\r\n.\r\n",
            ),
            ("LIST", "215 groups\r\ng 7 7 y\r\n.\r\n"),
        ],
    );
    let mut client = Client::new(policy()).root_certificates(&pem).unwrap();
    let (response, buffer) = fetch(&mut client, &format!("snews://127.0.0.1:{port}/g")).unwrap();
    assert!(
        response.rendered().contains(&"secured by TLS".to_owned()),
        "{:?}",
        response.rendered()
    );
    let reference = format!("snews://127.0.0.1:{port}/a@b.example");
    assert_eq!(buffer.entries[0].reference.as_deref(), Some(&*reference));
    // On the pooled connection.
    let (_, buffer) = fetch(&mut client, &format!("snews://127.0.0.1:{port}/*")).unwrap();
    let reference = format!("snews://127.0.0.1:{port}/g");
    assert_eq!(buffer.entries[0].reference.as_deref(), Some(&*reference));
}

/// `AUTH` is sent only over TLS, with a mechanism that the server offers over TLS (RFC 4954).
#[test]
#[allow(clippy::too_many_lines, clippy::items_after_statements)] // mostly scripts
fn mail_with_a_login() {
    let folder = Folder::new("smtp-auth");
    let Some(pem) = certificate("mail_with_a_login", &folder) else {
        return;
    };
    const PLAIN: Script = &[
        ("", "220 ready\r\n"),
        // Capabilities offered in clear text do not count.
        (
            "EHLO",
            "250-mail.example\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN XOAUTH2\r\n",
        ),
        ("STARTTLS", "220 go on\r\n"),
    ];
    const REST: Script = &[
        ("MAIL FROM:<me@example.org>", "250 ok\r\n"),
        ("RCPT TO:<a@b.example>", "250 ok\r\n"),
        ("DATA", "354 go on\r\n"),
        (".", "250 queued\r\n"),
        ("QUIT", "221 bye\r\n"),
    ];
    let secured: [(bool, bool, Script); 7] = [
        (
            false,
            true,
            &[
                ("EHLO", "250-mail.example\r\n250 AUTH LOGIN PLAIN\r\n"),
                ("AUTH PLAIN AHRpbQBvcGVuIHNlc2FtZQ==", "235 in\r\n"),
            ],
        ),
        (
            false,
            true,
            &[
                ("EHLO", "250-mail.example\r\n250 AUTH LOGIN\r\n"),
                ("AUTH LOGIN", "334 VXNlcm5hbWU6\r\n"),
                ("dGlt", "334 UGFzc3dvcmQ6\r\n"),
                ("b3BlbiBzZXNhbWU=", "235 in\r\n"),
            ],
        ),
        (
            true,
            true,
            &[
                ("EHLO", "250-mail.example\r\n250 AUTH PLAIN XOAUTH2\r\n"),
                (
                    "AUTH XOAUTH2 dXNlcj10aW0BYXV0aD1CZWFyZXIgb3BlbiBzZXNhbWUBAQ==",
                    "235 in\r\n",
                ),
            ],
        ),
        // A token is not sent as a password.
        (
            true,
            false,
            &[("EHLO", "250-mail.example\r\n250 AUTH PLAIN LOGIN\r\n")],
        ),
        (false, false, &[("EHLO", "250 mail.example\r\n")]),
        (
            false,
            false,
            &[
                ("EHLO", "250-mail.example\r\n250 AUTH PLAIN\r\n"),
                ("AUTH PLAIN", "535 no: open sesame\r\n"),
            ],
        ),
        (
            true,
            false,
            &[
                ("EHLO", "250-mail.example\r\n250 AUTH XOAUTH2\r\n"),
                ("AUTH XOAUTH2", "334 eyJzdGF0dXMiOiI0MDAifQ==\r\n"),
                ("\r\n", "535 no\r\n"),
            ],
        ),
    ];
    let credentials: &'static Credentials = Box::leak(Box::new(Credentials {
        user: "tim".to_owned(),
        password: "open sesame".to_owned(),
    }));
    for (is_token, is_right, begin) in secured {
        let all: Script = Box::leak([begin, REST].concat().into_boxed_slice());
        let port = serve(&folder, PLAIN, all);
        let mailto = MailtoProtocol::new()
            .sender("me@example.org")
            .send(true)
            .oauth2(is_token)
            .server(format!("127.0.0.1:{port}"));
        let client = Client::new(policy()).root_certificates(&pem).unwrap();
        let mut client = client.protocol(mailto);
        let sent = fetch_with(&mut client, "mailto:a@b.example?body=y", |request| {
            request.credentials(credentials)
        });
        assert_eq!(sent.is_ok(), is_right, "{begin:?} {sent:?}");
        let text = format!("{sent:?}");
        assert!(
            !text.contains("sesame") && !text.contains("b3Blbi"),
            "{text}"
        );
    }
    // A server without TLS receives neither the password nor the message.
    for offer in ["250 AUTH PLAIN LOGIN\r\n", "250 STARTTLS\r\n"] {
        let script: Script = Box::leak(Box::new([
            ("", "220 ready\r\n"),
            ("EHLO", offer),
            ("STARTTLS", "454 no\r\n"),
        ]));
        let port = serve(&folder, script, &[]);
        let mailto = MailtoProtocol::new()
            .sender("me@example.org")
            .send(true)
            .server(format!("127.0.0.1:{port}"));
        let mut client = Client::new(policy()).protocol(mailto);
        let error = fetch_with(&mut client, "mailto:a@b.example?body=y", |request| {
            request.credentials(credentials)
        });
        let steps = error.unwrap_err().rendered();
        let sends = |step: &String| step.starts_with("> AUTH") || step.starts_with("> MAIL");
        assert!(!steps.iter().any(sends), "{steps:?}");
    }
}

/// Exim, which accepts mail after a login over TLS only.
#[test]
fn a_login_to_exim() {
    let keys = Folder::new("exim-keys");
    let Some(pem) = certificate("a_login_to_exim", &keys) else {
        return;
    };
    for is_login in [false, true] {
        let Some(server) = Exim::start(&keys, is_login) else {
            return skip("a_login_to_exim", "exim4-daemon-light");
        };
        let send = |password: &str| {
            let mailto = MailtoProtocol::new()
                .sender("me@example.org")
                .send(true)
                .server(format!("127.0.0.1:{}", server.port()));
            let client = Client::new(policy()).root_certificates(&pem).unwrap();
            let credentials: &'static Credentials = Box::leak(Box::new(Credentials {
                user: "tim".to_owned(),
                password: password.to_owned(),
            }));
            let url = "mailto:a@b.example?cc=c@d.example&bcc=e@f.example&subject=x&body=hello";
            fetch_with(&mut client.protocol(mailto), url, |request| {
                request.credentials(credentials)
            })
        };
        let error = send("wrong").unwrap_err();
        assert!(error.to_string().starts_with("logging in: "), "{error}");
        send("open sesame").unwrap();
        let (log, messages) = (server.log(), server.messages());
        let mechanism = if is_login {
            "A=login:tim"
        } else {
            "A=plain:tim"
        };
        assert!(
            log.contains(mechanism) && log.contains("P=esmtpsa"),
            "{log}"
        );
        for recipient in ["a@b.example", "c@d.example", "e@f.example"] {
            assert!(messages.contains(recipient), "{messages}");
        }
        // The address is only in the envelope, not in the header or the body.
        assert_eq!(messages.matches("e@f.example").count(), 1, "{messages}");
    }
}

#[test]
fn mail_over_starttls() {
    let folder = Folder::new("starttls");
    let Some(pem) = certificate("mail_over_starttls", &folder) else {
        return;
    };
    let port = serve(
        &folder,
        &[
            ("", "220 ready\r\n"),
            (
                "EHLO",
                "250-mail.example\r\n250-starttls\r\n250 SIZE 1000\r\n",
            ),
            ("STARTTLS", "220 go on\r\n"),
        ],
        &[
            ("EHLO", "250 mail.example\r\n"),
            ("MAIL FROM:<me@example.org>", "250 ok\r\n"),
            ("RCPT TO:<a@b.example>", "250 ok\r\n"),
            ("DATA", "354 go on\r\n"),
            (".", "250 queued\r\n"),
            ("QUIT", "221 bye\r\n"),
        ],
    );
    let client = || {
        let mailto = MailtoProtocol::new()
            .sender("me@example.org")
            .send(true)
            .starttls(true);
        let client = Client::new(policy()).root_certificates(&pem).unwrap();
        client.protocol(mailto.server(format!("127.0.0.1:{port}")))
    };
    let url = "mailto:a@b.example?subject=x&body=y";
    let (response, _) = fetch(&mut client(), url).unwrap();
    assert_as_planned(&plan(&client(), url).unwrap(), &response.rendered());
    let tls = response
        .rendered()
        .iter()
        .position(|step| step == "secured by TLS")
        .unwrap();
    assert!(
        sent(&response.rendered()[..tls]).ends_with(&["STARTTLS"]),
        "{:?}",
        response.rendered()
    );
    assert_eq!(sent(&response.rendered()[tls..])[0], "EHLO [127.0.0.1]");
}
