//! News from scripted servers: the order of the commands, and the results.

use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan, sent};
use std::fmt::Write as _;
use std::time::Duration;
use urikit::Standard;
use urikit_access::{Buffer, Class, Error, ErrorKind, Request, Response};
use urikit_testkit::servers::{Conversation, Scripted};

/// Starts a server that sends a greeting for readers, and then the replies that `answer` returns,
/// until it returns `None`.
pub(super) fn reader(
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

/// Starts a server with fixed replies to some commands. The server refuses all other commands as
/// unknown.
pub(super) fn scripted(answers: &'static [(&'static str, &'static str)]) -> Scripted {
    reader(move |line, _| {
        let answer = answers.iter().find(|(command, _)| *command == line);
        Some(
            answer
                .map_or("500 what?\r\n", |(_, answer)| answer)
                .to_owned(),
        )
    })
}

pub(super) fn url(server: &Scripted, rest: &str) -> String {
    format!("news://127.0.0.1:{}/{rest}", server.port)
}

pub(super) fn failure(server: &Scripted, rest: &str) -> Error {
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
        // The numbers of the articles are not known when the plan is made.
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

/// Fetches a URL, interpreted according to RFC 1738.
fn fetch_as_rfc1738(url: &str) -> Result<(Response, Buffer), Error> {
    let reference = Standard::Rfc3986.parse(url).unwrap();
    let request = Request::new(reference).edition(urikit_schemes::Edition::Original);
    let mut buffer = Buffer::default();
    let response = client().fetch(&request, &mut urikit_access::NoPrompt, &mut buffer)?;
    Ok((response, buffer))
}

#[test]
fn what_comes_with_mode_reader_is_lost() {
    // inn2 loses such data, because another process takes over the connection.
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
    // A transit server announces its mode.
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
        "switching to reader mode: the server denied access; sent \"MODE READER\"; \
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
        assert_eq!(kind.is_denial(), is_denied, "{error}");
        assert_eq!(
            matches!(kind, ErrorKind::Protocol(_)),
            !is_denied,
            "{error}"
        );
        assert!(server.log().is_empty(), "{:?}", server.log());
        assert_eq!(error.class(), Class::Failed);
    }
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
    // With many articles, the ranges do not grow.
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
    // One server ignores the wildcard, and the other does not accept an argument.
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
    // Unexpected data is not mistaken for the reply to the next command.
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
