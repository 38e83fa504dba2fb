//! Servers that misbehave: wrong and huge lengths, and responses that are truncated at every octet,
//! repeated or random. Each response is an error, which the client finds in bounded time and
//! memory.

use super::{header, server, text, url};
use crate::support::{client, client_with, fetch, policy};
use std::time::{Duration, Instant};
use urikit_access::{Class, Error, ErrorKind};
use urikit_testkit::Random;
use urikit_testkit::servers::Scripted;
use urikit_testkit::wais::{
    Request, diagnostic, init_response, message, number, receive, search_response,
};

/// Paths of URLs, each with a correct response.
fn ways() -> [(&'static str, Vec<u8>); 3] {
    let record = header("one", "TEXT", b"\x03\x01a", 5);
    [
        ("db?a", search_response(&record)),
        ("db/TEXT/5/3=a;", search_response(&text(b"hello"))),
        ("db?b", search_response(&diagnostic("S1", "no"))),
    ]
}

/// Starts a server that sends the same response to every request after Init.
fn sends(answer: Vec<u8>) -> Scripted {
    server(move |_| Some(answer.clone()))
}

/// Starts a server that sends octets in place of the Init response.
fn sends_first(answer: Vec<u8>) -> Scripted {
    Scripted::start(move |client| {
        receive(client);
        client.say(&answer);
        client.close();
    })
}

fn fails(server: &Scripted, rest: &str) -> Error {
    match fetch(&mut client(), &url(server, rest)) {
        Ok((response, buffer)) => panic!("{rest}: {response:?} {buffer:?}"),
        Err(error) => {
            assert_eq!(error.class(), Class::Failed, "{error}");
            error
        }
    }
}

#[test]
fn an_answer_that_is_cut_off_is_an_error() {
    for (rest, answer) in ways() {
        for end in 0..answer.len() {
            let cut = answer[..end].to_vec();
            let server = server_that_closes(cut);
            let error = fails(&server, rest);
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::EndedEarly { .. } | ErrorKind::Network(_)
                ),
                "{rest} {end}: {error}"
            );
        }
        // Truncates the APDU, with a message header that states the shorter length.
        let apdu = &answer[25..];
        for end in 0..apdu.len() {
            // A response without records is valid.
            if end == 16 && rest != "db/TEXT/5/3=a;" {
                continue;
            }
            let error = fails(&sends(message(&apdu[..end])), rest);
            let kind = error.kind();
            assert!(
                matches!(kind, ErrorKind::Protocol(_)),
                "{rest} {end}: {error}"
            );
        }
    }
    let init = init_response(&number(6, 1 << 16));
    for end in 1..init.len() {
        let error = fails(&sends_first(init[..end].to_vec()), "db?a");
        assert!(
            matches!(
                error.kind(),
                ErrorKind::EndedEarly { .. } | ErrorKind::Network(_)
            ),
            "{end}: {error}"
        );
    }
}

fn server_that_closes(octets: Vec<u8>) -> Scripted {
    Scripted::start(move |client| {
        while let Some(request) = receive(client) {
            if let Request::Init(_) = request {
                client.say(init_response(&number(6, 1 << 16)));
            } else {
                client.say(&octets);
                return client.close();
            }
        }
    })
}

#[test]
fn huge_lengths_take_no_memory() {
    let huge = b"9999999999z2wais        0".to_vec();
    for announced in ["9999999999", "0001048577"] {
        let head = format!("{announced}z2wais        0").into_bytes();
        let begin = Instant::now();
        for (rest, _) in ways() {
            let error = fails(&sends(head.clone()), rest);
            let expected = "a response of at most 1 MiB";
            assert!(
                matches!(error.kind(), ErrorKind::Protocol(found) if *found == expected),
                "{error}"
            );
        }
        assert!(begin.elapsed() < Duration::from_secs(2));
    }
    fails(&sends_first(huge), "db?a");
    // The length of a field can be up to 256 MiB in 4 octets, and more in 5.
    for length in [
        &[0xFF, 0xFF, 0xFF, 0x7F][..],
        &[0x8F, 0xFF, 0xFF, 0xFF, 0x7F],
        &[0x81, 0x00],
    ] {
        for tag in [99, 150, 116] {
            let long = [&[tag][..], length, b"x"].concat();
            let apdu = match tag {
                99 => [&search_response(b"")[25..41], &long].concat(),
                _ => search_response(&long)[25..].to_vec(),
            };
            let error = fails(&sends(message(&apdu)), "db?a");
            assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
        }
        let fields = [&[5][..], length].concat();
        fails(&sends_first(init_response(&fields)), "db?a");
    }
    // The length of a diagnostic is not compressed.
    let error = fails(&sends(search_response(b"\x1C\xFF\xFFS1no")), "db?a");
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
}

/// Changes each length of a response by one.
#[test]
fn wrong_lengths_are_errors() {
    for (rest, answer) in ways() {
        let apdu = &answer[25..];
        for wrong in [-2_i64, -1, 1, 100] {
            let length = i64::try_from(apdu.len()).unwrap() + wrong;
            let message = [format!("{length:010}z2wais        0").as_bytes(), apdu].concat();
            let server = server_that_closes(message);
            fails(&server, rest);
        }
        // The header part, and the fields after it.
        for wrong in [0_u8, 1, 10, 15, 200] {
            let mut apdu = apdu.to_vec();
            apdu[1] = wrong;
            fails(&sends(message(&apdu)), rest);
        }
    }
}

#[test]
fn repeated_answers_are_errors() {
    // The second response arrives with the first one, before the next request.
    let all = vec![b'a'; 40_000];
    let server = server(move |request| {
        let Request::Document { range, .. } = request else {
            return None;
        };
        let end = range.end.min(all.len());
        let answer = search_response(&text(&all[range.start..end]));
        Some(answer.repeat(2))
    });
    let error = fails(&server, "db/TEXT/40000/3=a;");
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    let twice = Scripted::start(|client| {
        while receive(client).is_some() {
            client.say(init_response(&number(6, 1 << 16)).repeat(2));
        }
    });
    fails(&twice, "db?a");
}

#[test]
fn other_messages_are_errors() {
    let init = init_response(&number(6, 1 << 16));
    for answer in [
        init.clone(),
        message(b"\0\x01\x16"),
        message(b"\0\0"),
        message(b"\0"),
    ] {
        for (rest, _) in ways() {
            let error = fails(&sends(answer.clone()), rest);
            assert!(
                matches!(error.kind(), ErrorKind::Protocol(_)),
                "{rest}: {error}"
            );
        }
    }
    for answer in [
        &b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"[..],
        b"220 ready for service, and more\r\n",
        &[0; 64],
        &[0xFF; 64],
        &search_response(b""),
        b"0000000005n2wais        0hello",
        b"0000000005z2wais       u0hello",
    ] {
        let error = fails(&sends_first(answer.to_vec()), "db?a");
        assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    }
}

#[test]
fn nonsense_never_hangs() {
    let mut random = Random::new(1625);
    for _ in 0..300 {
        let count = random.below(200);
        let noise: Vec<u8> = (0..count).map(|_| (random.bits() & 0xFF) as u8).collect();
        let (rest, mut answer) = random.pick(&ways()).clone();
        for octet in noise.iter().take(3) {
            let at = random.below(answer.len());
            answer[at] = *octet;
        }
        let begin = Instant::now();
        let _ = fetch(&mut client(), &url(&server_that_closes(answer), rest));
        let _ = fetch(
            &mut client(),
            &url(&server_that_closes(message(&noise)), rest),
        );
        assert!(begin.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn every_wait_times_out() {
    let answer = ways()[0].1.clone();
    for end in [0, 10, 25, 30] {
        let begin = answer[..end].to_vec();
        for is_dripping in [false, true] {
            let begin = begin.clone();
            let server = Scripted::start(move |client| {
                receive(client);
                client.say(init_response(&number(6, 1 << 16)));
                receive(client);
                client.say(&begin);
                if is_dripping {
                    client.drip("0", Duration::from_millis(20));
                }
                client.hang();
            });
            let times = policy()
                .idle_timeout(Duration::from_millis(150))
                .total_timeout(Duration::from_millis(400));
            let begin = Instant::now();
            let error = fetch(&mut client_with(times), &url(&server, "db?a")).unwrap_err();
            let kind = error.kind();
            // Zeros that arrive one by one complete a header.
            assert!(
                matches!(kind, ErrorKind::Timeout(_) | ErrorKind::Protocol(_)),
                "{error}"
            );
            assert!(begin.elapsed() < Duration::from_secs(3));
        }
    }
}

/// Events and errors display headlines, diagnostics and names.
#[test]
fn what_a_server_sends_is_escaped() {
    let server = sends(search_response(&diagnostic("S1", "\x1b[2J\u{7}")));
    let error = fails(&server, "db?a").to_string();
    assert!(!error.chars().any(char::is_control), "{error:?}");
}
