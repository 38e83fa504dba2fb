//! Servers that misbehave: wrong lengths, truncation, losses, repetitions and forgeries.

use super::super::support::{Rendered as _, fails, fetch, policy};
use super::{always, client, client_with};
use std::net::UdpSocket;
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_access::policy::Refusal;
use urikit_access::{Buffer, Cancel, ErrorKind, NoPrompt, Request};
use urikit_historic::ProsperoProtocol;
use urikit_testkit::servers::Datagrams;

const NAMED: &str = "LINK  L FILE a' b' INTERNET-D h ASCII '/a b' 0\n";

fn url(server: &Datagrams) -> String {
    format!("prospero://h:{}//a", server.port)
}

/// Starts a server that responds to requests for links, and reports other objects as not found.
fn listing(
    mut answer: impl FnMut([u8; 2], std::net::SocketAddr) -> Vec<Vec<u8>> + Send + 'static,
) -> Datagrams {
    Datagrams::start(move |datagram, peer| {
        let id = [datagram[1], datagram[2]];
        if String::from_utf8_lossy(datagram).contains("LIST ") {
            answer(id, peer)
        } else if datagram[3..5] == [0, 0] {
            Vec::new()
        } else {
            vec![single(id, "NONE-FOUND\n")]
        }
    })
}

fn single(id: [u8; 2], text: &str) -> Vec<u8> {
    [&[3, id[0], id[1]], text.as_bytes()].concat()
}

fn packet(id: [u8; 2], number: u8, total: u8, text: &str) -> Vec<u8> {
    [&[7, id[0], id[1], 0, number, 0, total], text.as_bytes()].concat()
}

#[test]
fn answers_in_pieces_in_reverse_and_repeated() {
    let server = listing(|id, _| {
        let cut = NAMED
            .as_bytes()
            .chunks(5)
            .map(|it| std::str::from_utf8(it).unwrap());
        let cut: Vec<_> = cut.collect();
        let total = u8::try_from(cut.len()).unwrap();
        let packets = (1..=total).zip(&cut).rev();
        let packets = packets.map(|(number, text)| {
            packet(id, number, if number == total { total } else { 0 }, text)
        });
        packets
            .flat_map(|datagram| [datagram.clone(), datagram])
            .collect()
    });
    let (_, buffer) = fetch(&mut client(server.port), &url(&server)).unwrap();
    assert_eq!(buffer.entries[0].name, "a b");
}

/// Datagrams with another id, or from another address, are ignored.
#[test]
fn forged_datagrams_are_not_read() {
    let server = listing(|id, peer| {
        let forged = "LINK L FILE forged INTERNET-D evil ASCII /x 0\n";
        let elsewhere = UdpSocket::bind("127.0.0.1:0").unwrap();
        elsewhere.send_to(&single(id, forged), peer).unwrap();
        // A socket buffers a limited number of datagrams.
        let mut datagrams: Vec<_> = (0..=u8::MAX)
            .step_by(5)
            .flat_map(|other| [[other, id[1]], [id[0], other]])
            .filter(|other| *other != id && *other != [id[1], id[0]])
            .map(|other| single(other, forged))
            .collect();
        datagrams.push(vec![1]);
        datagrams.push(Vec::new());
        datagrams.push(forged.as_bytes().to_vec());
        datagrams.push(single(id, NAMED));
        datagrams
    });
    let (_, buffer) = fetch(&mut client(server.port), &url(&server)).unwrap();
    assert_eq!(buffer.entries.len(), 1);
    assert_eq!(buffer.entries[0].name, "a b");
}

#[test]
fn ids_are_new_and_unpredictable() {
    let server = always("NONE-FOUND\n");
    let mut client = client(server.port);
    for _ in 0..20 {
        fetch(&mut client, &url(&server)).unwrap();
    }
    let received = server.received();
    let ids: Vec<u16> = received
        .iter()
        .map(|datagram| u16::from_be_bytes([datagram[1], datagram[2]]))
        .collect();
    let mut distinct = ids.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(ids.len(), 40);
    // Two ids may be equal by chance.
    assert!(distinct.len() > 36 && !ids.contains(&0), "{ids:?}");
    let steps: Vec<u16> = ids
        .windows(2)
        .map(|two| two[1].wrapping_sub(two[0]))
        .collect();
    assert!(steps.iter().any(|step| *step != steps[0]), "{ids:?}");
}

#[test]
fn lost_datagrams_are_asked_for_again() {
    for losses in 0..4 {
        let mut left = losses;
        let server = Datagrams::start(move |datagram, _| {
            if left > 0 {
                left -= 1;
                return Vec::new();
            }
            // Repeated packets have a swapped id.
            let id = [datagram[2], datagram[1]];
            vec![single(id, "NONE-FOUND\n")]
        });
        let (response, _) = fetch(&mut client(server.port), &url(&server)).unwrap();
        let steps = response.rendered();
        let again = steps.iter().filter(|step| step.starts_with("no response"));
        assert_eq!(again.count(), losses, "{steps:?}");
        let received = server.received();
        assert!(
            received[..losses]
                .iter()
                .all(|datagram| *datagram == received[0])
        );
    }
}

/// Waiting for a datagram ends when the access is cancelled.
#[test]
fn waiting_for_a_silent_server_can_be_cancelled() {
    let server = Datagrams::start(|_, _| Vec::new());
    let long = Duration::from_secs(100);
    let client = client_with(policy().allow_port(server.port).total_timeout(long));
    let client = client.protocol(ProsperoProtocol::new().wait(long));
    let cancel = Cancel::new();
    let other = cancel.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(150));
        other.cancel();
    });
    let url = url(&server);
    let request = Request::new(Standard::Rfc3986.parse(&url).unwrap()).cancel(&cancel);
    let begun = Instant::now();
    let fetched = client.fetch(&request, &mut NoPrompt, &mut Buffer::default());
    let error = fetched.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Cancelled), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(10));
    thread.join().unwrap();
}

#[test]
fn a_silent_server_is_asked_as_often_as_set() {
    let server = Datagrams::start(|_, _| Vec::new());
    let begin = Instant::now();
    let error = fails(&mut client(server.port), &url(&server));
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(
        error
            .to_string()
            .contains(&format!("asking h:{}", server.port)),
        "{error}"
    );
    // 50, 100, 200, 400 and 800 ms.
    assert!(begin.elapsed() > Duration::from_millis(1500));
    assert_eq!(server.received().len(), 5);
    // If no server listens, the system reports that immediately.
    let port = server.port;
    drop(server);
    let begin = Instant::now();
    let error = fails(&mut client(port), &format!("prospero://h:{port}//a"));
    assert!(matches!(error.kind(), ErrorKind::Network(_)), "{error}");
    assert!(begin.elapsed() < Duration::from_millis(500));
}

/// If a server always requests more time, the client gives up at the total timeout.
#[test]
fn patience_has_an_end() {
    let server = Datagrams::start(|datagram, _| {
        let wait = [11, datagram[1], datagram[2], 0, 0, 0, 0, 0, 1, 0xFF, 0xFF];
        vec![wait.to_vec(); 3]
    });
    let policy = policy()
        .allow_port(server.port)
        .idle_timeout(Duration::from_millis(400));
    let begin = Instant::now();
    let error = fails(&mut client_with(policy), &url(&server));
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(4));
}

#[test]
fn answers_are_limited() {
    // The server sends packets endlessly.
    let server = listing(|id, _| {
        let packets = (1..=40).map(|number| packet(id, number, 0, &NAMED.repeat(20)));
        packets.collect()
    });
    let policy = policy().allow_port(server.port).max_bytes(20_000);
    let error = fails(&mut client_with(policy.clone()), &url(&server));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Bytes { max: 20_000 })
        ),
        "{error}"
    );
    let server = listing(|id, _| vec![single(id, &NAMED.repeat(400))]);
    let policy = policy.allow_port(server.port).max_items(100);
    let error = fails(&mut client_with(policy), &url(&server));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Items { max: 100 })
        ),
        "{error}"
    );
    let server = listing(|id, _| {
        let attributes = "ATTRIBUTE\n".repeat(5_001);
        let mut packets = vec![packet(id, 1, 0, NAMED)];
        packets.extend((2..=3).map(|number| packet(id, number, 3, &attributes)));
        packets
    });
    let error = fails(&mut client(server.port), &url(&server));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Items { max: 10_000 })
        ),
        "{error}"
    );
}

/// If a response is truncated at any octet, the result is an error or the received part, never a
/// panic or a hang.
#[test]
fn truncated_at_every_octet() {
    let answer = format!(
        "{NAMED}ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 4' bytes'\n\
         LINK U DIRECTORY b INTERNET-D h(25) ASCII /b 0\nFORWARDED INTERNET-D h(25) ASCII /c 0\n"
    );
    let mut read = 0;
    for length in 0..=answer.len() {
        let cut = answer[..length].to_owned();
        let server = listing(move |id, _| vec![single(id, &cut)]);
        match fetch(&mut client(server.port), &url(&server)) {
            Ok((_, buffer)) => {
                read += 1;
                assert!(buffer.entries.len() <= 2);
            }
            Err(error) => assert!(
                matches!(
                    error.kind(),
                    ErrorKind::Protocol(_) | ErrorKind::Refused(_) | ErrorKind::HostNotFound
                ),
                "{length}: {error}"
            ),
        }
    }
    assert!(read > 100, "{read}");
}

/// The header is truncated at every octet, with correct and wrong lengths.
#[test]
fn headers_of_every_length() {
    for length in 0..=20_u8 {
        for announced in [length, length.saturating_add(1), 0, 63, 0x43, 0xFF] {
            let server = listing(move |id, _| {
                let mut datagram = vec![announced, id[0], id[1], 0, 1, 0, 1, 0, 0, 0, 0, 0, 0];
                datagram.resize(usize::from(length), 0);
                vec![datagram, single(id, NAMED)]
            });
            // A datagram without a header is ignored. An empty message is not a response.
            let result = fetch(&mut client(server.port), &url(&server));
            match result {
                Ok((_, buffer)) => assert_eq!(buffer.entries.len(), 1),
                Err(error) => {
                    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
                    assert!(announced == length && length >= 3, "{length} {announced}");
                }
            }
        }
    }
}

#[test]
fn what_is_no_answer_is_an_error() {
    for (answer, expected) in [
        ("", "expected the links of a directory"),
        ("\n\n", "expected the links of a directory"),
        ("HTTP/1.0 400 Bad\r\n", "expected the links of a directory"),
        (
            "LINK L FILE 'a\n",
            "expected an apostrophe at the end of a quoted word",
        ),
        (
            "FORWARDED X25 h ASCII /a 0\n",
            "expected an Internet host and an ASCII name",
        ),
        (
            "FORWARDED INTERNET-D h/x ASCII /a 0\n",
            "expected a host and an object name",
        ),
        (
            "VERSION-NOT-SUPPORTED TRY 1-4",
            "the server refused the request",
        ),
        ("ERROR can't\n", "the server refused the request"),
    ] {
        let server = listing(move |id, _| vec![single(id, answer)]);
        let error = fails(&mut client(server.port), &url(&server)).to_string();
        assert!(error.contains(expected), "{answer}: {error}");
    }
}

/// Names with control characters are displayed escaped, and cannot be requested.
#[test]
fn names_from_the_network_cannot_add_lines() {
    let server = listing(|id, _| {
        vec![single(
            id,
            "LINK L FILE x INTERNET-D h ASCII '/a\nLIST' 0\n",
        )]
    });
    let mut client = client(server.port);
    let (_, buffer) = fetch(&mut client, &url(&server)).unwrap();
    let reference = buffer.entries[0].reference.clone().unwrap();
    assert_eq!(reference, "prospero://h//a%0ALIST");
    let error = fails(&mut client, &reference);
    assert!(matches!(error.kind(), ErrorKind::Url(_)), "{error}");
}
