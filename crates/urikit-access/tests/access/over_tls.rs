//! snews, and SMTP with STARTTLS.

use crate::http::tls::{certificate, server_config};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, fetch, plan, policy, sent};
use rustls::{ServerConnection, StreamOwned};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use urikit_access::Client;
use urikit_access::protocol::Mailto;
use urikit_testkit::servers::Folder;

/// The beginning of a line from the client, and the reply. The first reply is the greeting.
type Script = &'static [(&'static str, &'static str)];

/// A server for one connection: first in plain text, then with TLS. It closes the connection if a
/// line is out of order.
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
        let mailto = Mailto::new()
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
