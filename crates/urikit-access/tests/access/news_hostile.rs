//! News, with scripted servers, hostile ones among them.

use crate::support::Rendered as _;
use crate::support::{
    assert_as_planned, client, fails, fetch, fetch_with, memory, plan, policy, sent,
};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_access::listing::Entry;
use urikit_access::policy::Refusal;
use urikit_access::{
    Buffer, Class, Client, Credentials, Error, ErrorKind, Metadata, Prompt, Request, Response,
    Sink, Terminal, Wanted,
};
use urikit_testkit::servers::{Conversation, Scripted};

/// A server that sends a greeting for readers, and then the replies of `answer` until it returns
/// `None`.
fn reader(
    answer: impl Fn(&str, &mut Conversation) -> Option<String> + Send + Sync + 'static,
) -> Scripted {
    Scripted::start(move |client| {
        client.say("200 hello\r\n");
        while let Some(line) = client.line() {
            let reply = match &*line {
                "CAPABILITIES" => {
                    Some("101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\n.\r\n".to_owned())
                }
                _ => answer(&line, client),
            };
            match reply {
                Some(reply) => client.say(reply),
                None => return client.close(),
            };
        }
    })
}

/// Fixed replies. Other commands are unknown.
fn scripted(answers: &'static [(&'static str, &'static str)]) -> Scripted {
    reader(move |line, _| {
        let answer = answers.iter().find(|(command, _)| *command == line);
        Some(
            answer
                .map_or("500 what?\r\n", |(_, answer)| answer)
                .to_owned(),
        )
    })
}

fn url(server: &Scripted, rest: &str) -> String {
    format!("news://127.0.0.1:{}/{rest}", server.port)
}

fn failure(server: &Scripted, rest: &str) -> Error {
    fails(&mut client(), &url(server, rest))
}

#[test]
fn a_server_of_rfc_3977_needs_no_mode_and_supports_over() {
    let server = scripted(&[
        ("GROUP g", "211 1 7 7 g\r\n"),
        (
            "OVER 7-7",
            "224 now\r\n7\ts\tf\t6 Oct 1998 04:38:40 -0500\t<a@b.example>\t\t1234\t17\r\n.\r\n",
        ),
    ]);
    let (response, buffer) = fetch(&mut client(), &url(&server, "g")).unwrap();
    assert_eq!(
        sent(&response.rendered()),
        ["CAPABILITIES", "GROUP g", "OVER 7-7"]
    );
    assert_eq!(
        (buffer.entries[0].size, buffer.entries.len()),
        (Some(1234), 1)
    );
}

#[test]
fn a_range_of_articles() {
    let server = scripted(&[
        ("GROUP g", "211 9 1 9 g\r\n"),
        (
            "OVER 2-3",
            "224 now\r\n2\ts\tf\td\t<a@b.example>\r\n3\ts\tf\td\t<c@b.example>\r\n.\r\n",
        ),
        ("OVER 8-9", "224 now\r\n8\ts\tf\td\t<e@b.example>\r\n.\r\n"),
    ]);
    let url = |range: &str| format!("nntp://127.0.0.1:{}/g/{range}", server.port);
    for (range, command, found) in [
        ("2-3", Some("OVER 2-3"), 2),
        ("8-", Some("OVER 8-9"), 1),
        ("8-20", Some("OVER 8-9"), 1),
        ("20-30", None, 0),
    ] {
        let (response, buffer) = fetch(&mut client(), &url(range)).unwrap();
        assert_eq!(buffer.entries.len(), found, "{range}");
        let steps = response.rendered();
        let commands = sent(&steps);
        let expected: Vec<_> = ["CAPABILITIES", "GROUP g"]
            .into_iter()
            .chain(command)
            .collect();
        assert_eq!(commands, expected, "{range}");
        // The plan does not know which numbers there are.
        let others: Vec<_> = steps
            .iter()
            .filter(|step| !step.starts_with("> OVER"))
            .cloned()
            .collect();
        assert_as_planned(&plan(&client(), &url(range)).unwrap(), &others);
    }
    // RFC 1738 has no ranges.
    let old = fetch_as_rfc1738(&url("2-3"));
    assert_eq!(old.unwrap_err().class(), Class::Invalid);
}

/// Fetches a URL that is read by RFC 1738.
fn fetch_as_rfc1738(url: &str) -> Result<(Response, Buffer), Error> {
    let reference = Standard::Rfc3986.parse(url).unwrap();
    let request = Request::new(reference).edition(urikit_schemes::Edition::Original);
    let mut buffer = Buffer::default();
    let response = client().fetch(&request, &mut urikit_access::NoPrompt, &mut buffer)?;
    Ok((response, buffer))
}

#[test]
fn what_comes_with_mode_reader_is_lost() {
    // As with inn2: another process continues the connection.
    let server = Scripted::start(|client| {
        client.say("201 innd\r\n");
        while let Some(line) = client.line() {
            match &*line {
                "CAPABILITIES" => {
                    client.say("101 these\r\nVERSION 2\r\nIHAVE\r\nMODE-READER\r\n.\r\n")
                }
                "MODE READER" => {
                    client.lose(Duration::from_millis(200));
                    client.say("200 nnrpd\r\n")
                }
                "ARTICLE <a@b.example>" => {
                    client.say("220 0 <a@b.example>\r\nA: b\r\n\r\nx\r\n.\r\n")
                }
                _ => client.say("500 what?\r\n"),
            };
        }
    });
    let (_, buffer) = fetch(&mut client(), &url(&server, "a@b.example")).unwrap();
    assert_eq!(buffer.bytes, b"A: b\r\n\r\nx\r\n");
    // A transit server says so.
    let server = Scripted::start(|client| {
        client.say("200 hello\r\n");
        client.line();
        client.say("101 these\r\nVERSION 2\r\nIHAVE\r\nMODE-READER\r\n.\r\n");
        client.line();
        client.say("502 transit only\r\n");
    });
    let error = failure(&server, "a@b.example");
    assert_eq!(
        error.to_string(),
        "switching to reader mode: the server refused the request; sent \"MODE READER\"; \
         received \"502 transit only\""
    );
}

#[test]
fn greetings() {
    for (greeting, is_denied) in [
        ("400 later\r\n", true),
        ("502 not you\r\n", true),
        ("220 smtp.example ESMTP\r\n", false),
        ("SSH-2.0-OpenSSH_9.9\r\n", false),
        ("\r\n", false),
    ] {
        let server = Scripted::start(move |client| {
            client.say(greeting);
            client.hang();
        });
        let error = failure(&server, "g");
        let kind = error.kind();
        assert_eq!(matches!(kind, ErrorKind::Denied), is_denied, "{error}");
        assert_eq!(
            matches!(kind, ErrorKind::Protocol(_)),
            !is_denied,
            "{error}"
        );
        assert!(server.log().is_empty(), "{:?}", server.log());
        assert_eq!(error.class(), Class::Failed);
    }
}

/// A URL cannot contain a second command.
#[test]
fn a_second_command_is_refused_before_connecting() {
    let server = Scripted::start(Conversation::hang);
    let refused = |url: &str| {
        let error = fails(&mut client(), url);
        assert_eq!(error.class(), Class::Invalid, "{url}: {error}");
        assert!(error.rendered().is_empty(), "{url}: {error}");
    };
    for rest in [
        "g%0D%0AQUIT",
        "g%0A",
        "g%00",
        "*%0D",
        "g%20x",
        "g%09x",
        "a%0D%0Ab@c.example",
        "a%3E@b.example",
    ] {
        refused(&url(&server, rest));
    }
    refused(&format!("nntp://127.0.0.1:{}/g%0D%0AQUIT/1", server.port));
    refused(&format!("news://u%0D%0A:p@127.0.0.1:{}/g", server.port));
    refused(&format!("news://u:p%0D%0AQUIT@127.0.0.1:{}/g", server.port));
    let credentials = Credentials {
        user: "u".to_owned(),
        password: "p\r\nQUIT".to_owned(),
    };
    let text = url(&server, "g");
    let reference = Standard::Rfc3986.parse(&text).unwrap();
    let request = Request::new(reference).credentials(&credentials);
    let error = client()
        .fetch(
            &request,
            &mut urikit_access::NoPrompt,
            &mut Buffer::default(),
        )
        .unwrap_err();
    assert_eq!(error.class(), Class::Invalid, "{error}");
    assert!(
        error.rendered().is_empty() && !error.to_string().contains("QUIT"),
        "{error}"
    );
}

/// Ports of other protocols are refused.
#[test]
fn ports_of_other_protocols_are_refused() {
    for url in [
        "news://127.0.0.1:25/g",
        "nntp://127.0.0.1:22/g",
        "nntp://127.0.0.1:563/g",
        "snews://127.0.0.1:119/g",
    ] {
        let error = fails(&mut client(), url);
        let is_port = matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. }));
        assert!(is_port, "{url}: {error}");
    }
    let error = fails(&mut client(), "snews://127.0.0.1/g");
    assert!(matches!(error.kind(), ErrorKind::Network(_)), "{error}");
}

/// Every wait times out, at every step.
#[test]
fn ends_and_silence_at_every_step() {
    const STEPS: &[(&str, &str)] = &[
        ("", "200 hello\r\n"),
        ("CAPABILITIES", "101 these\r\nREADER\r\n.\r\n"),
        ("GROUP g", "211 2 1 2 g\r\n"),
        (
            "OVER 1-2",
            "224 now\r\n1\ts\tf\td\t<a@b>\t\t1\t1\r\n2\ts\tf\td\t<a@b>\t\t1\t1\r\n.\r\n",
        ),
    ];
    let whole: usize = STEPS.iter().map(|(_, reply)| reply.len()).sum();
    // The connection ends after each byte of the dialogue.
    for end in 0..whole {
        let server = Scripted::start(move |client| {
            let mut left = end;
            for (command, reply) in STEPS {
                if !command.is_empty() && client.line().is_none() {
                    return;
                }
                client.say(&reply[..left.min(reply.len())]);
                if left < reply.len() {
                    return client.close();
                }
                left -= reply.len();
            }
        });
        let error = failure(&server, "g");
        let is_early = matches!(
            error.kind(),
            ErrorKind::EndedEarly { .. } | ErrorKind::Network(_)
        );
        assert!(is_early, "{end}: {error}");
    }
    let begin = Instant::now();
    for silent in 0..STEPS.len() {
        let server = Scripted::start(move |client| {
            for (number, (command, reply)) in STEPS.iter().enumerate() {
                if !command.is_empty() {
                    client.line();
                }
                if number == silent {
                    return client.hang();
                }
                client.say(reply);
            }
        });
        let mut client = Client::new(policy().idle_timeout(Duration::from_millis(300)));
        let error = fails(&mut client, &url(&server, "g"));
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    }
    assert!(begin.elapsed() < Duration::from_secs(5));
}

/// One byte per second is limited by the total timeout.
#[test]
fn a_byte_at_a_time_is_not_for_ever() {
    let server = reader(|_, client| {
        client.say("220 0 <a@b>\r\n");
        client.drip("x\r\n", Duration::from_millis(100));
        None
    });
    let mut client = Client::new(policy().total_timeout(Duration::from_secs(1)));
    let begin = Instant::now();
    let error = fails(&mut client, &url(&server, "a@b.example"));
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(3));
}

/// Endless lines, listings and bodies.
#[test]
fn endless_replies_are_limited() {
    let endless = |first: &'static str, rest: &'static str| {
        reader(move |line, client| {
            if line == "GROUP g" {
                return Some("211 9 1 4294967295 g\r\n".to_owned());
            }
            client.say(first);
            client.say_forever(rest.repeat(1000));
            None
        })
    };
    let server = endless("215 groups\r\n", "x");
    assert!(matches!(
        failure(&server, "*").kind(),
        ErrorKind::LineTooLong { .. }
    ));
    let server = endless("224 now\r\n", "1\ts\tf\td\t<a@b>\t\t1\t1\r\n");
    let mut few = Client::new(policy().max_items(5000));
    let error = fails(&mut few, &url(&server, "g"));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Items { max: 5000 })
        ),
        "{error}"
    );
    let server = endless("220 0 <a@b>\r\n", "..x\r\n");
    let mut few = Client::new(policy().max_bytes(1 << 20));
    let error = fails(&mut few, &url(&server, "a@b.example"));
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Bytes { .. })),
        "{error}"
    );
    // Capabilities, and a header.
    let server = Scripted::start(|client| {
        client.say("200 hello\r\n");
        client.line();
        client.say("101 these\r\n");
        client.say_forever("X\r\n".repeat(1000));
    });
    assert!(matches!(
        failure(&server, "g").kind(),
        ErrorKind::LineTooLong { .. }
    ));
    let server = reader(|line, client| {
        if line.starts_with("STAT") {
            return Some("223 0 <a@b>\r\n".to_owned());
        }
        client.say("221 0 <a@b>\r\n");
        client.say_forever("A: b\r\n".repeat(1000));
        None
    });
    let error = fetch_with(&mut client(), &url(&server, "a@b.example"), |it| {
        it.wanted(Wanted::Metadata)
    });
    // No setting for the size of a body applies.
    let error = error.unwrap_err();
    let is_header = matches!(error.kind(), ErrorKind::LineTooLong { max: 0x10_0000 });
    assert!(is_header, "{error}");
}

/// Counts bytes and entries, and stores none.
struct Counter(u64);

impl Sink for Counter {
    fn begin(&mut self, _: &Metadata) -> std::io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0 += bytes.len() as u64;
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> std::io::Result<()> {
        self.0 += 1;
        Ok(())
    }
}

/// The articles of a group, and an article, are passed on while they are received.
#[test]
fn memory_is_the_same_for_ten_million_groups_and_for_a_long_line() {
    let count = 10_000_000_u64;
    let server = reader(move |line, client| {
        if line == "LIST" {
            client.say("215 groups\r\n");
            let piece = "a.group 2 1 y\r\n".repeat(10_000);
            for _ in 0..count / 10_000 {
                client.say(&piece);
            }
        } else {
            // An article of one line, longer than the limit for lines.
            client.say("220 0 <a@b>\r\n\r\n");
            let piece = "x".repeat(1 << 20);
            for _ in 0..100 {
                client.say(&piece);
            }
            client.say("\r\n");
        }
        Some(".\r\n".to_owned())
    });
    let get = |rest: &str| {
        let text = url(&server, rest);
        let policy = policy()
            .max_items(count)
            .total_timeout(Duration::from_secs(200));
        let mut counts = Counter(0);
        let request = Request::new(Standard::Rfc3986.parse(&text).unwrap());
        Client::new(policy)
            .fetch(&request, &mut urikit_access::NoPrompt, &mut counts)
            .unwrap();
        counts.0
    };
    for (rest, expected) in [("*", count), ("a@b.example", (100 << 20) + 4)] {
        let (received, memory) = memory(|| get(rest));
        assert_eq!(received, expected);
        assert!(memory < 2 << 20, "{rest}: {memory} bytes");
    }
}

#[test]
fn unexpected_replies_are_errors() {
    for (group, over) in [
        ("211 g\r\n", ""),
        ("211 1 x 7 g\r\n", ""),
        ("281 in\r\n", ""),
        ("211-1 1 1 g\r\n", ""),
        ("211 1 7 7 g\r\n", "224 now\r\nno overview\r\n.\r\n"),
        (
            "211 1 7 7 g\r\n",
            "224 now\r\n8\ts\tf\td\t<a@b>\t\t1\t1\r\n.\r\n",
        ),
        ("211 1 7 7 g\r\n", "220 now\r\n.\r\n"),
    ] {
        let server =
            reader(move |line, _| Some(if line == "GROUP g" { group } else { over }.to_owned()));
        let error = failure(&server, "g");
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{group:?} {over:?}: {error}"
        );
    }
    let server = scripted(&[("LIST", "215 groups\r\ng x y z\r\n.\r\n")]);
    assert!(matches!(
        failure(&server, "*").kind(),
        ErrorKind::Protocol(_)
    ));
    let server = scripted(&[("ARTICLE <a@b.example>", "221 a head\r\n.\r\n")]);
    assert!(matches!(
        failure(&server, "a@b.example").kind(),
        ErrorKind::Protocol(_)
    ));
}

#[test]
fn ranges_grow_where_there_are_no_articles() {
    // Articles at both ends of a very large range.
    let server = reader(|line, _| {
        if line == "GROUP g" {
            return Some("211 2 1 2147483647 g\r\n".to_owned());
        }
        let (first, last) = line
            .strip_prefix("OVER ")
            .and_then(|it| it.split_once('-'))?;
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        let mut reply = String::new();
        for number in [1, 2_147_483_647] {
            if (first..=last).contains(&number) {
                let _ = write!(reply, "{number}\ts\tf\td\t<{number}@b.example>\t\t1\t1\r\n");
            }
        }
        Some(if reply.is_empty() {
            "423 none\r\n".to_owned()
        } else {
            format!("224 now\r\n{reply}.\r\n")
        })
    });
    let (response, buffer) = fetch(&mut client(), &url(&server, "g")).unwrap();
    assert_eq!(buffer.entries.len(), 2);
    let ranges = sent(&response.rendered()).len() - 2;
    assert!(ranges <= 23, "{ranges}");
    assert_eq!(
        sent(&response.rendered())[2..4],
        ["OVER 1-1000", "OVER 1001-3000"]
    );
    // Many articles: the ranges do not grow.
    let server = reader(|line, _| {
        if line == "GROUP g" {
            return Some("211 2500 1 2500 g\r\n".to_owned());
        }
        let (first, last) = line
            .strip_prefix("OVER ")
            .and_then(|it| it.split_once('-'))?;
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        let mut reply = "224 now\r\n".to_owned();
        for number in first..=last {
            let _ = write!(reply, "{number}\ts\tf\td\t<{number}@b.example>\t\t1\t1\r\n");
        }
        Some(reply + ".\r\n")
    });
    let (response, buffer) = fetch(&mut client(), &url(&server, "g")).unwrap();
    assert_eq!(buffer.entries.len(), 2500);
    assert_eq!(
        sent(&response.rendered())[2..],
        ["OVER 1-1000", "OVER 1001-2000", "OVER 2001-2500"]
    );
    // The largest possible range: at most 64 requests.
    let server = reader(|line, _| {
        Some(
            if line == "GROUP g" {
                "211 5 0 18446744073709551615 g\r\n"
            } else {
                "423 none\r\n"
            }
            .to_owned(),
        )
    });
    let (response, _) = fetch(&mut client(), &url(&server, "g")).unwrap();
    assert!(
        sent(&response.rendered()).len() < 66,
        "{}",
        sent(&response.rendered()).len()
    );
}

#[test]
fn wildcards_are_also_matched_locally() {
    let groups = "215 groups\r\na.one 2 1 y\r\nb.two 2 1 y\r\n.\r\n";
    // A server that ignores the wildcard, and one that supports no argument.
    let server = reader(move |_, _| Some(groups.to_owned()));
    let (_, buffer) = fetch(&mut client(), &url(&server, "a.*")).unwrap();
    assert_eq!(buffer.entries.len(), 1);
    let server =
        reader(move |line, _| Some(if line == "LIST" { groups } else { "501 no\r\n" }.to_owned()));
    let (response, buffer) = fetch(&mut client(), &url(&server, "b.*")).unwrap();
    assert_eq!(buffer.entries[0].name, "b.two");
    assert_eq!(sent(&response.rendered())[1..], ["LIST ACTIVE b.*", "LIST"]);
}

#[test]
fn identifiers_that_are_invalid_in_news_urls() {
    let server = scripted(&[
        ("GROUP g", "211 3 1 3 g\r\n"),
        (
            "OVER 1-3",
            "224 now\r\n1\ts\tf\td\t<a b>\t\t1\t1\r\n2\ts\tf\td\t<>\t\t1\t1\r\n\
             3\ts\tf\td\t<..@x>\t\t1\t1\r\n.\r\n",
        ),
    ]);
    let (_, buffer) = fetch(&mut client(), &url(&server, "g")).unwrap();
    for (entry, number) in buffer.entries.iter().zip(1..) {
        let expected = format!("nntp://127.0.0.1:{}/g/{number}", server.port);
        assert_eq!(entry.reference.as_deref(), Some(&*expected));
    }
}

/// A server that requires a login for everything.
fn closed() -> Scripted {
    Scripted::start(|client| {
        client.say("200 hello\r\n");
        let mut is_in = false;
        while let Some(line) = client.line() {
            client.say(match &*line {
                "CAPABILITIES" => "101 these\r\nREADER\r\nAUTHINFO USER\r\n.\r\n",
                "AUTHINFO USER tim" => "381 password\r\n",
                "AUTHINFO USER open" | "AUTHINFO PASS s3cret" => {
                    is_in = true;
                    "281 in\r\n"
                }
                line if line.starts_with("AUTHINFO") => "481 no\r\n",
                _ if !is_in => "480 log in\r\n",
                _ => "220 0 <a@b>\r\n\r\nx\r\n.\r\n",
            });
        }
    })
}

/// A user who answers.
struct Answering {
    user: Option<&'static str>,
    password: Option<&'static str>,
    agrees: bool,
    asked: Vec<String>,
}

impl Prompt for Answering {
    fn password(&mut self, user: &str, host: &str) -> Option<String> {
        self.asked.push(format!("password of {user} at {host}"));
        self.password.map(str::to_owned)
    }

    fn confirm(&mut self, question: &str) -> bool {
        self.asked.push(question.to_owned());
        self.agrees
    }

    fn input(&mut self, question: &str, _: &str) -> Option<String> {
        self.asked.push(question.to_owned());
        self.user.map(str::to_owned)
    }

    fn notify(&mut self, _: &str) {}

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

fn fetch_as(
    client: &mut Client,
    text: &str,
    credentials: Option<&Credentials>,
    prompt: &mut Answering,
) -> urikit_access::Result<(Response, Buffer)> {
    let reference = Standard::Rfc3986.parse(text).unwrap();
    let mut request = Request::new(reference);
    if let Some(credentials) = credentials {
        request = request.credentials(credentials);
    }
    let mut buffer = Buffer::default();
    let response = client.fetch(&request, prompt, &mut buffer)?;
    Ok((response, buffer))
}

const fn somebody() -> Answering {
    Answering {
        user: Some("tim"),
        password: Some("s3cret"),
        agrees: true,
        asked: Vec::new(),
    }
}

#[test]
fn logging_in() {
    let server = closed();
    let with_user = |user: &str| format!("news://{user}@127.0.0.1:{}/a@b.example", server.port);
    // From the URL, at once.
    let text = with_user("tim:s3cret");
    let (response, _) = fetch(&mut client(), &text).unwrap();
    let commands = [
        "CAPABILITIES",
        "AUTHINFO USER tim",
        "AUTHINFO PASS ***",
        "ARTICLE <a@b.example>",
    ];
    assert_eq!(sent(&response.rendered()), commands);
    crate::support::assert_as_planned(&plan(&client(), &text).unwrap(), &response.rendered());
    assert!(!response.rendered().concat().contains("s3cret"));
    fetch(&mut client(), &with_user("open:x")).unwrap();
    // From the request.
    let credentials = Credentials {
        user: "tim".to_owned(),
        password: "s3cret".to_owned(),
    };
    let text = url(&server, "a@b.example");
    let mut nobody = Answering {
        user: None,
        password: None,
        ..somebody()
    };
    let (response, _) = fetch_as(&mut client(), &text, Some(&credentials), &mut nobody).unwrap();
    assert_eq!(sent(&response.rendered()), commands);
    assert!(nobody.asked.is_empty());
    // From the user, when the server asks.
    let mut prompt = somebody();
    let mut kept = client();
    let (response, buffer) = fetch_as(&mut kept, &text, None, &mut prompt).unwrap();
    assert_eq!(buffer.bytes, b"\r\nx\r\n");
    assert_eq!(
        sent(&response.rendered())[1..],
        [
            "ARTICLE <a@b.example>",
            "AUTHINFO USER tim",
            "AUTHINFO PASS ***",
            "ARTICLE <a@b.example>"
        ]
    );
    assert_eq!(
        prompt.asked,
        [
            "User at 127.0.0.1",
            "password of tim at 127.0.0.1",
            "Send the password to 127.0.0.1 unencrypted?"
        ]
    );
    // A typed login is not reused.
    let error = fails(&mut kept, &text);
    assert!(matches!(error.kind(), ErrorKind::NoPassword), "{error}");
    let (response, _) = fetch_as(&mut client(), &with_user("tim"), None, &mut somebody()).unwrap();
    assert_eq!(sent(&response.rendered()), commands);
    // A server that repeats the password: in a reply, in an invalid reply, and cut off.
    for answer in [
        "481 wrong: AUTHINFO PASS hunter2 (hunter2)\r\n",
        "381 hunter2\r\n",
        "what is hunter2?\r\n",
        "281 welcome, hunter2\r\n",
        "481 hunter2",
    ] {
        let server = reader(move |line, client| match line {
            "AUTHINFO USER tim" => Some("381 go on\r\n".to_owned()),
            "AUTHINFO PASS hunter2" => {
                client.say(answer);
                answer.ends_with('\n').then(String::new)
            }
            _ => Some("430 none\r\n".to_owned()),
        });
        let port = server.port;
        let error = fails(
            &mut client(),
            &format!("news://tim:hunter2@127.0.0.1:{port}/a@b.example"),
        );
        let told = format!("{error} {error:?} {:?}", error.rendered());
        assert!(!told.contains("hunter2"), "{answer:?}: {told}");
        if let Some(answer) = answer.strip_suffix("\r\n") {
            let masked = format!("< {}", answer.replace("hunter2", "***"));
            assert!(error.rendered().contains(&masked), "{answer:?}: {told}");
        }
    }
}

/// A password is only sent for its own user.
/// RFC 4643, 3.1: `user-pass-char` includes the space.
#[test]
fn credentials_with_spaces() {
    let server = scripted(&[
        ("AUTHINFO USER tim b l", "381 go on\r\n"),
        ("AUTHINFO PASS my s3cret ", "281 welcome\r\n"),
        (
            "ARTICLE <a@b.example>",
            "220 0 <a@b.example>\r\n\r\nx\r\n.\r\n",
        ),
    ]);
    let text = format!(
        "news://tim%20b%20l:my%20s3cret%20@127.0.0.1:{}/a@b.example",
        server.port
    );
    let (_, buffer) = fetch(&mut client(), &text).unwrap();
    assert_eq!(buffer.bytes, b"\r\nx\r\n");
    for control in ["%0D%0AQUIT", "%00", "%09"] {
        let text = format!(
            "news://tim{control}:x@127.0.0.1:{}/a@b.example",
            server.port
        );
        assert_eq!(fails(&mut client(), &text).class(), Class::Invalid);
    }
}

#[test]
fn the_password_of_the_request_is_for_its_own_user() {
    let server = reader(|line, _| {
        let answer = match line.split_at_checked(13) {
            Some(("AUTHINFO USER", _)) => "381 go on\r\n",
            Some(("AUTHINFO PASS", _)) => "281 in\r\n",
            _ => "430 none\r\n",
        };
        Some(answer.to_owned())
    });
    let credentials = Credentials {
        user: "tim".to_owned(),
        password: "s3cret".to_owned(),
    };
    let users = [
        ("tim", true),
        ("t%69m", true),
        ("alice", false),
        ("ti", false),
    ];
    for (user, is_same) in users {
        let nntp = format!("nntp://{user}@127.0.0.1:{}/g/1", server.port);
        let news = format!("news://{user}@127.0.0.1:{}/a@b.example", server.port);
        for text in [news, nntp] {
            let mut nobody = Answering {
                password: None,
                ..somebody()
            };
            let before = server.log().len();
            let fetched = fetch_as(&mut client(), &text, Some(&credentials), &mut nobody);
            let log = server.log().split_off(before);
            let names = |line: &String| line.starts_with("AUTHINFO USER");
            let user = user.replace("%69", "i");
            assert_eq!(
                log.iter().find(|line| names(line)),
                Some(&format!("AUTHINFO USER {user}")),
                "{text}: {fetched:?}"
            );
            let is_sent = log.iter().any(|line| line.contains("s3cret"));
            assert_eq!(is_sent, is_same, "{text}: {log:?}");
            // For another user, the user is asked.
            assert_eq!(nobody.asked.is_empty(), is_same, "{text}");
        }
    }
}

#[test]
fn no_login() {
    let server = closed();
    let text = url(&server, "a@b.example");
    let error = fails(&mut client(), &text);
    assert!(matches!(error.kind(), ErrorKind::NoPassword), "{error}");
    assert!(error.to_string().contains("480 log in"), "{error}");
    let before = server.log().len();
    let mut prompt = Answering {
        agrees: false,
        ..somebody()
    };
    let error = fetch_as(&mut client(), &text, None, &mut prompt).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::NoConsent)),
        "{error}"
    );
    assert!(
        !server.log()[before..]
            .iter()
            .any(|line| line.contains("PASS"))
    );
    let wrong = format!("news://tim:wrong@127.0.0.1:{}/a@b.example", server.port);
    let error = fails(&mut client(), &wrong);
    assert!(matches!(error.kind(), ErrorKind::Denied), "{error}");
    assert_eq!(
        error.to_string(),
        "logging in: the server refused the request; sent \"AUTHINFO PASS ***\"; \
         received \"481 no\""
    );
    // A server that requires a login after the login.
    let server = reader(|line, _| {
        Some(
            if line.starts_with("AUTHINFO") {
                "281 in\r\n"
            } else {
                "480 log in\r\n"
            }
            .to_owned(),
        )
    });
    let error = fails(
        &mut client(),
        &format!("news://u:p@127.0.0.1:{}/g", server.port),
    );
    assert!(matches!(error.kind(), ErrorKind::Denied), "{error}");
    let mut prompt = somebody();
    let error = fetch_as(&mut client(), &url(&server, "g"), None, &mut prompt).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Denied), "{error}");
}

#[test]
fn connections_of_users_are_not_shared() {
    let server = closed();
    let mut client = client();
    let at = |user: &str| format!("news://{user}127.0.0.1:{}/a@b.example", server.port);
    fetch(&mut client, &at("tim:s3cret@")).unwrap();
    fetch(&mut client, &at("tim:s3cret@")).unwrap();
    assert_eq!(
        server
            .log()
            .iter()
            .filter(|line| *line == "CAPABILITIES")
            .count(),
        1
    );
    assert!(matches!(
        fails(&mut client, &at("")).kind(),
        ErrorKind::NoPassword
    ));
    assert!(matches!(
        fails(&mut client, &at("tim:x@")).kind(),
        ErrorKind::Denied
    ));
}

#[test]
fn closed_connections_are_replaced() {
    for farewell in ["", "400 too long idle\r\n"] {
        let server = Scripted::start(move |client| {
            client.say("200 hello\r\n");
            let mut left = 1;
            while let Some(line) = client.line() {
                if line == "CAPABILITIES" {
                    client.say("101 these\r\nREADER\r\n.\r\n");
                } else if left == 0 {
                    client.say(farewell);
                    return client.close();
                } else {
                    left -= 1;
                    client.say("220 0 <a@b>\r\n\r\nx\r\n.\r\n");
                }
            }
        });
        let mut client = client();
        for _ in 0..3 {
            let (_, buffer) = fetch(&mut client, &url(&server, "a@b.example")).unwrap();
            assert_eq!(buffer.bytes, b"\r\nx\r\n");
        }
    }
    // Unexpected data is not taken for the reply to the next command.
    let server = reader(|_, _| {
        Some("220 0 <a@b>\r\n\r\nx\r\n.\r\n220 0 <c@d>\r\n\r\nevil\r\n.\r\n".to_owned())
    });
    let mut client = client();
    for _ in 0..2 {
        let (_, buffer) = fetch(&mut client, &url(&server, "a@b.example")).unwrap();
        assert_eq!(buffer.bytes, b"\r\nx\r\n");
    }
    assert_eq!(
        server
            .log()
            .iter()
            .filter(|line| *line == "CAPABILITIES")
            .count(),
        2
    );
}

#[test]
fn nothing_is_sent_in_plain_text_if_tls_is_required() {
    let heard = Arc::new(AtomicBool::new(false));
    let to = Arc::clone(&heard);
    let server = Scripted::start(move |client| {
        client.say("200 hello\r\n");
        let first = client.bytes(1);
        // 22: a handshake record (RFC 8446, 5.1).
        to.store(first == [22], Ordering::SeqCst);
    });
    let url = format!("snews://u:p@127.0.0.1:{}/g", server.port);
    let error = fails(&mut client(), &url);
    assert!(
        error.to_string().starts_with("securing 127.0.0.1 by TLS"),
        "{error}"
    );
    assert!(sent(&error.rendered()).is_empty());
    std::thread::sleep(Duration::from_millis(100));
    assert!(heard.load(Ordering::SeqCst));
}

#[test]
fn transfers_cannot_be_resumed() {
    let server = Scripted::start(Conversation::hang);
    let error = fetch_with(&mut client(), &url(&server, "a@b.example"), |it| {
        it.resume(5)
    })
    .unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::CannotResume) && error.rendered().is_empty(),
        "{error}"
    );
}
