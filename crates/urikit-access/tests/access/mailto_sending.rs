//! Sending messages to aiosmtpd and to scripted servers, some of them hostile.

use super::mailto::{Answering, compose, fails, sender};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, plan, policy, sent};
use mail_parser::{MessageParser, MimeHeaders as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use urikit::Standard;
use urikit_access::policy::Refusal;
use urikit_access::protocol::MailtoProtocol;
use urikit_access::{Buffer, Class, Client, ErrorKind, Request, Upload, Wanted};
use urikit_testkit::servers::{Aiosmtpd, Conversation, Scripted, skip};

#[test]
fn sending_to_aiosmtpd() {
    let Some(server) = Aiosmtpd::start() else {
        return skip("mailto: sending", "aiosmtpd");
    };
    let url = "mailto:a@b.example?subject=caf%C3%A9&bcc=eve@d.example&cc=bob@c.example,a@b.example\
               &body=.%0D%0A..two%0D%0Aend";
    let mut prompt = Answering(true, vec![]);
    let (response, text) = compose(&mut sender(server.port), url, &mut prompt).unwrap();
    assert!(
        text.starts_with("From: <me@example.org>\r\nTo: <a@b.example>\r\n")
            && text.contains("Bcc: "),
        "{text}"
    );
    // The sender has chosen the recipients, so no question is asked.
    assert!(prompt.1.is_empty(), "{:?}", prompt.1);
    let shown = "sending the message; To: a@b.example; Cc: bob@c.example, a@b.example; Bcc: \
                 eve@d.example";
    let steps = response.rendered();
    let at = |what: &str| steps.iter().position(|step| step.starts_with(what));
    assert!(at(shown).unwrap() < at("connected").unwrap(), "{steps:?}");
    let commands = [
        "EHLO [127.0.0.1]",
        "MAIL FROM:<me@example.org>",
        "RCPT TO:<a@b.example>",
        "RCPT TO:<bob@c.example>",
        "RCPT TO:<eve@d.example>",
        "DATA",
        ".",
        "QUIT",
    ];
    assert_eq!(sent(&response.rendered()), commands);
    assert_as_planned(
        &plan(&sender(server.port), url).unwrap(),
        &response.rendered(),
    );
    let log = server.log();
    for command in &commands[..6] {
        assert!(log.contains(command), "{command}\n{log}");
    }
    let got = server.messages();
    assert!(
        got.contains("From: <me@example.org>\n") && got.contains("\nDate: "),
        "{got}"
    );
    assert!(
        got.contains("\nMessage-ID: <") && got.contains("@example.org>\n"),
        "{got}"
    );
    assert!(got.contains("\n\n.\n..two\nend\n"), "{got}");
    assert!(!got.contains("eve@d.example"), "{got}");
    // The copies are sent even without a user to ask.
    let mut no = Answering(false, vec![]);
    let (response, _) = compose(&mut sender(server.port), url, &mut no).unwrap();
    assert_eq!(sent(&response.rendered()), commands);
}

/// The message has the draft and a file, whose name is only the last segment of its path.
#[test]
fn attachments() {
    let Some(server) = Aiosmtpd::start() else {
        return skip("mailto: attachments", "aiosmtpd");
    };
    let url = "mailto:a@b.example?subject=x&body=see";
    let upload = Upload::new(Standard::Rfc3986.parse(url).unwrap()).name("../secret/report.bin");
    let client = sender(server.port);
    let plan = client.plan_upload(&upload).unwrap();
    assert!(
        plan.to_string()
            .contains("attaches the file \"report.bin\"\n"),
        "{plan}"
    );
    let (mut body, mut buffer) = (&[0_u8, 255, 13, 10, 46][..], Buffer::default());
    let mut nobody = Answering(false, vec![]);
    let uploaded = client
        .upload(&upload, &mut nobody, &mut body, &mut buffer)
        .unwrap();
    assert_as_planned(&plan, &uploaded.rendered());
    let messages = server.messages();
    let text = messages
        .split("MESSAGE FOLLOWS ----------\n")
        .nth(1)
        .unwrap();
    let text = text.replace("X-Peer", "\r\nX-Peer");
    let message = MessageParser::new().parse(text.as_bytes()).unwrap();
    let attachment = message.attachment(0).expect(text.as_str());
    assert_eq!(attachment.attachment_name(), Some("report.bin"));
    assert_eq!(attachment.contents(), [0, 255, 13, 10, 46]);
    assert!(!messages.contains("secret"), "{messages}");
    // The sender sees the message, but only the name and size of the file.
    let shown = String::from_utf8(buffer.bytes).unwrap();
    assert!(shown.contains("To: <a@b.example>\r\n"), "{shown}");
    assert!(
        shown.ends_with("\r\n\r\nsee\r\n\r\n[attachment \"report.bin\", 5 bytes]\r\n"),
        "{shown}"
    );
    assert_eq!(buffer.metadata.media_type.as_deref(), Some("text/plain"));
    let mut buffer = Buffer::default();
    // One message can have several attachments.
    let mailto = MailtoProtocol::new()
        .sender("me@example.org")
        .server(format!("127.0.0.1:{}", server.port))
        .attach("first.txt", b"one".to_vec());
    let client = Client::new(policy()).protocol(mailto);
    let mut body = &b"two"[..];
    client
        .upload(&upload, &mut nobody, &mut body, &mut buffer)
        .unwrap();
    let messages = server.messages();
    assert!(messages.contains("first.txt") && messages.contains("report.bin"));
    let shown = String::from_utf8(buffer.bytes).unwrap();
    let files = "[attachment \"first.txt\", 3 bytes]\r\n[attachment \"report.bin\", 3 bytes]\r\n";
    assert!(shown.ends_with(files), "{shown}");
    // A draft that is not sent contains the complete attachments.
    let mailto = MailtoProtocol::new().attach("first.txt", b"one".to_vec());
    let client = Client::new(policy()).protocol(mailto);
    let mut buffer = Buffer::default();
    let request = Request::new(Standard::Rfc3986.parse(url).unwrap());
    client.fetch(&request, &mut nobody, &mut buffer).unwrap();
    let message = MessageParser::new().parse(&buffer.bytes[..]).unwrap();
    assert_eq!(message.attachment(0).unwrap().contents(), b"one");
}

#[test]
fn nothing_is_sent_unless_enabled() {
    let server = Scripted::start(Conversation::hang);
    let at = format!("127.0.0.1:{}", server.port);
    let url = "mailto:a@b.example?body=x";
    // Everything is configured, but sending is not enabled.
    let mailto = MailtoProtocol::new().sender("me@example.org").server(&at);
    let (response, _) = compose(
        &mut client().protocol(mailto),
        url,
        &mut Answering(true, vec![]),
    )
    .unwrap();
    assert!(response.rendered().is_empty(), "{:?}", response.rendered());
    // Metadata only.
    let reference = Standard::Rfc3986.parse(url).unwrap();
    let request = Request::new(reference).wanted(Wanted::Metadata);
    let mut buffer = Buffer::default();
    let response = sender(server.port)
        .fetch(&request, &mut Answering(true, vec![]), &mut buffer)
        .unwrap();
    assert!(
        response.rendered().is_empty() && buffer.bytes.is_empty() && buffer.metadata.size.is_some()
    );
    // Missing settings are reported before the client connects.
    for (mailto, url) in [
        (MailtoProtocol::new().server(&at).send(true), url),
        (
            MailtoProtocol::new().sender("me@example.org").send(true),
            url,
        ),
        (
            MailtoProtocol::new()
                .sender("me@example.org")
                .server(&at)
                .send(true),
            "mailto:?subject=x",
        ),
        (
            MailtoProtocol::new()
                .sender("me@example.org>")
                .server(&at)
                .send(true),
            url,
        ),
        (
            MailtoProtocol::new()
                .sender("me@example.org")
                .server("u@h:25")
                .send(true),
            url,
        ),
    ] {
        let error = fails(&mut client().protocol(mailto), url);
        assert!(error.rendered().is_empty(), "{error}");
    }
    assert!(server.log().is_empty());
    // If the sink fails, nothing is sent.
    let strict = policy().max_bytes(10);
    let mailto = MailtoProtocol::new()
        .sender("me@example.org")
        .server(&at)
        .send(true);
    let error = fails(&mut Client::new(strict).protocol(mailto), url);
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Bytes { .. })),
        "{error}"
    );
    assert!(error.rendered().is_empty());
}

/// Only SMTP ports are allowed.
#[test]
fn ports_of_other_protocols_are_refused() {
    for (port, is_own) in [
        (25, true),
        (465, true),
        (587, true),
        (22, false),
        (6667, false),
        (993, false),
    ] {
        let error = fails(&mut sender(port), "mailto:a@b.example?body=x");
        let is_refused = matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. }));
        assert_eq!(is_refused, !is_own, "{port}: {error}");
    }
}

/// The commands and their successful replies, in order.
const GOOD: &[(&str, &str)] = &[
    ("", "220-mail.example\r\n220 ready\r\n"),
    (
        "EHLO",
        "250-mail.example\r\n250-8BITMIME\r\n250 SIZE 1000\r\n",
    ),
    ("MAIL", "250 ok\r\n"),
    ("RCPT", "250 ok\r\n"),
    ("DATA", "354 go on\r\n"),
    (".", "250 queued\r\n"),
    ("QUIT", "221 bye\r\n"),
];

/// A server that sends a different reply at one step, and may then close the connection.
fn server_with(step: usize, answer: impl Into<Vec<u8>>, closes: bool) -> Scripted {
    let answer = answer.into();
    Scripted::start(move |client| {
        for (number, (command, good)) in GOOD.iter().enumerate() {
            if !command.is_empty() {
                let mut line = client.line();
                while *command == "." && line.as_deref().is_some_and(|line| line != ".") {
                    line = client.line();
                }
                if line.is_none() {
                    return;
                }
            }
            if number == step {
                client.say(&answer);
                if closes {
                    return client.close();
                }
            } else {
                client.say(good);
            }
        }
    })
}

#[test]
fn every_reply_is_checked() {
    let url = "mailto:a@b.example?body=x";
    let steps = [
        "reading the greeting",
        "saying hello",
        "sending the envelope",
        "sending the envelope",
        "sending the envelope",
        "sending the message",
    ];
    for (step, at) in steps.into_iter().enumerate() {
        for (answer, is_denied) in [
            ("451 later\r\n", true),
            ("550-no\r\n550 no\r\n", true),
            ("199 what\r\n", false),
            ("250-one\r\n251 two\r\n", false),
            ("25 ok\r\n", false),
            ("250_ok\r\n", false),
            ("\r\n", false),
            ("HTTP/1.1 400 Bad Request\r\n", false),
        ] {
            let server = server_with(step, answer, false);
            let error = fails(&mut sender(server.port), url);
            let kind = error.kind();
            assert_eq!(kind.is_denial(), is_denied, "{step} {answer:?}: {error}");
            assert_eq!(
                matches!(kind, ErrorKind::Protocol(_)),
                !is_denied,
                "{step} {answer:?}: {error}"
            );
            assert!(
                error.to_string().starts_with(at),
                "{step} {answer:?}: {error}"
            );
        }
        // The connection ends before a reply or in the middle of one.
        for (answer, closes) in [("", true), ("250 o", true), ("250-more\r\n", true)] {
            let server = server_with(step, answer, closes);
            let error = fails(&mut sender(server.port), url);
            let is_early = matches!(
                error.kind(),
                ErrorKind::EndedEarly { .. } | ErrorKind::Network(_)
            );
            assert!(is_early, "{step} {answer:?}: {error}");
        }
    }
    // The reply to QUIT does not matter.
    for answer in ["", "500 what\r\n"] {
        let server = server_with(6, answer, true);
        compose(&mut sender(server.port), url, &mut Answering(true, vec![])).unwrap();
    }
    // If one of two recipients is refused, nothing is sent.
    let server = server_with(3, "550 no such user\r\n", false);
    let error = fails(
        &mut sender(server.port),
        "mailto:a@b.example,c@d.example?body=x",
    );
    assert!(
        error.to_string().contains("RCPT TO:<a@b.example>"),
        "{error}"
    );
    assert!(
        !server.log().contains(&"DATA".to_owned()),
        "{:?}",
        server.log()
    );
    // A server that does not support EHLO.
    let server = Scripted::start(|client| {
        client.say("220 old\r\n");
        while let Some(line) = client.line() {
            let answer = match &line[..4.min(line.len())] {
                "EHLO" => "500 what?\r\n",
                "DATA" => {
                    client.say("354 go on\r\n");
                    while client.line().is_some_and(|line| line != ".") {}
                    "250 ok\r\n"
                }
                _ => "250 ok\r\n",
            };
            client.say(answer);
        }
    });
    let (response, _) =
        compose(&mut sender(server.port), url, &mut Answering(true, vec![])).unwrap();
    assert_eq!(
        sent(&response.rendered())[..2],
        ["EHLO [127.0.0.1]", "HELO [127.0.0.1]"]
    );
    assert_as_planned(
        &plan(&sender(server.port), url).unwrap(),
        &response.rendered(),
    );
}

/// Time and memory are limited.
#[test]
fn time_and_memory_are_limited() {
    let url = "mailto:a@b.example?body=x";
    for step in 0..6 {
        let endless: Vec<u8> = "250-x\r\n".repeat(100_000).into();
        let server = server_with(step, endless, false);
        assert!(matches!(
            fails(&mut sender(server.port), url).kind(),
            ErrorKind::Protocol(_)
        ));
        let server = server_with(step, "2".repeat(100_000), false);
        assert!(matches!(
            fails(&mut sender(server.port), url).kind(),
            ErrorKind::LineTooLong { .. }
        ));
    }
    let quick = |port: u16| {
        let mailto = MailtoProtocol::new()
            .sender("me@example.org")
            .server(format!("127.0.0.1:{port}"))
            .send(true);
        Client::new(
            policy()
                .idle_timeout(Duration::from_millis(200))
                .total_timeout(Duration::from_secs(1)),
        )
        .protocol(mailto)
    };
    for step in 0..6 {
        let server = server_with(step, "", false);
        let error = fails(&mut quick(server.port), url);
        assert!(
            matches!(error.kind(), ErrorKind::Timeout(_)),
            "{step}: {error}"
        );
    }
    let server = Scripted::start(|client| client.drip("220-x\r\n", Duration::from_millis(50)));
    let error = fails(&mut quick(server.port), url);
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
}

#[test]
fn starttls_is_required_and_verified() {
    let at = |port: u16| {
        let mailto = MailtoProtocol::new()
            .sender("me@example.org")
            .server(format!("127.0.0.1:{port}"))
            .send(true);
        client().protocol(mailto.starttls(true))
    };
    let url = "mailto:a@b.example?body=x";
    // STARTTLS is not offered or is refused, unencrypted data follows the reply, or the TLS
    // handshake fails.
    let heard = Arc::new(Mutex::new(Vec::new()));
    for (hello, answer) in [
        ("250 mail.example\r\n", ""),
        ("250-mail.example\r\n250 STARTTLS\r\n", "454 not now\r\n"),
        (
            "250-mail.example\r\n250 STARTTLS\r\n",
            "220 go\r\n250 evil\r\n",
        ),
        ("250-mail.example\r\n250 starttls\r\n", "220 go\r\n"),
    ] {
        let to = Arc::clone(&heard);
        let server = Scripted::start(move |client| {
            client.say("220 ready\r\n");
            client.line();
            client.say(hello);
            if client.line().is_some() {
                client.say(answer);
                let first = client.bytes(1);
                to.lock().unwrap().extend(first);
                client.say("250 in plain text\r\n");
            }
        });
        let error = fails(&mut at(server.port), url);
        assert_eq!(error.class(), Class::Failed, "{error}");
        let log = server.log();
        assert!(!log.iter().any(|line| line.contains("MAIL")), "{log:?}");
        let planned = plan(&at(server.port), url).unwrap().to_string();
        assert!(
            planned.contains("send     \"STARTTLS\"\nthen     starts TLS\nsend     \"EHLO"),
            "{planned}"
        );
    }
    std::thread::sleep(Duration::from_millis(100));
    // The client sent only TLS handshake records, whose type is 22 (RFC 8446, 5.1).
    assert!(heard.lock().unwrap().iter().all(|octet| *octet == 22));
    let planned = plan(&sender(465), url).unwrap().to_string();
    assert!(
        planned.contains("connect  127.0.0.1:465\nthen     starts TLS\nsend     \"EHLO"),
        "{planned}"
    );
}
