//! The codecs against every recorded exchange, in both directions: those of `testdata/prospero/`,
//! and all of them where the shared folder is present.

use std::time::Duration;
use urikit_historic::prospero::ardp::{Exchange, Header, Progress, Timing};
use urikit_historic::prospero::text::{Lines, Record, quote, words};
use urikit_testkit::rows_prospero::{
    Datagram, Exchange as Recorded, exchanges, latin1, shared_exchanges,
};

const TIMING: Timing = Timing {
    wait: Duration::from_secs(4),
    tries: 3,
    max_wait: Duration::from_secs(60),
};

fn recorded() -> Vec<Recorded> {
    exchanges().into_iter().chain(shared_exchanges()).collect()
}

/// The id and the text of a request.
fn request(recorded: &Recorded) -> (u16, Vec<u8>) {
    let mut text = Vec::new();
    let mut id = 0;
    for datagram in recorded.request.iter().map(Datagram::octets) {
        let (header, data) = Header::decode(&datagram).unwrap();
        id = header.id;
        // Neither acknowledgements nor repetitions.
        if header.packet > 0 && !text.ends_with(data) {
            text.extend_from_slice(data);
        }
    }
    (id, text)
}

#[test]
fn our_datagrams_are_the_recorded_ones() {
    let mut compared = 0;
    for recorded in recorded() {
        // How a request is cut, and which fields the header has, is a choice.
        let is_other = ["request-in-two-packets", "request-short-header"];
        if is_other.iter().any(|name| recorded.name.ends_with(name)) {
            continue;
        }
        let (id, text) = request(&recorded);
        let mut exchange = Exchange::new(id, &text, usize::MAX, TIMING).unwrap();
        let first = recorded.request[0].octets();
        assert_eq!(exchange.outgoing(), [first], "{}", recorded.name);
        for datagram in recorded.request.iter().map(Datagram::octets) {
            let (header, data) = Header::decode(&datagram).unwrap();
            assert_eq!(header.encode(data), datagram, "{}", recorded.name);
        }
        compared += 1;
    }
    assert!(compared >= 28, "{compared}");
}

/// The datagrams of the server, in the order in which they came, make the recorded answer.
#[test]
fn the_recorded_answers_have_the_recorded_meaning() {
    let (mut compared, mut lines) = (0, 0);
    for recorded in recorded() {
        let (id, text) = request(&recorded);
        let mut exchange = Exchange::new(id, &text, usize::MAX, TIMING).unwrap();
        let mut answers = recorded.response.iter();
        let mut progress = Progress::Waiting;
        // Version 1 has no id in its answers, so that they are nobody's.
        let is_foreign = recorded.name.ends_with("list-version-1-dialect");
        for who in recorded.order.chars().filter(|who| *who == 's') {
            let datagram = answers.next().unwrap_or_else(|| panic!("{who}")).octets();
            if progress == Progress::Waiting {
                progress = exchange.receive(&datagram, Duration::ZERO).unwrap();
            }
        }
        let is_complete = recorded.complete && !is_foreign;
        assert_eq!(
            progress == Progress::Complete,
            is_complete,
            "{}",
            recorded.name
        );
        if !is_complete {
            continue;
        }
        let answer = exchange.into_response();
        let found: Vec<_> = Lines::new(&answer).map(read).collect();
        if recorded.name.ends_with("status") {
            continue;
        }
        // Of a long answer, the rows have 20 lines.
        let found = match recorded.lines.len() {
            20 => &found[..20],
            _ => &found[..],
        };
        assert_eq!(found, octets(&recorded), "{}", recorded.name);
        compared += 1;
        lines += found.len();
    }
    assert!(compared >= 27 && lines > 200, "{compared} {lines}");
}

/// The words of the recorded lines.
fn octets(recorded: &Recorded) -> Vec<Vec<Vec<u8>>> {
    let line = |line: &Vec<String>| line.iter().map(|word| latin1(word)).collect();
    recorded.lines.iter().map(line).collect()
}

/// The words of a line, as its record has them.
fn read(line: &[u8]) -> Vec<Vec<u8>> {
    let own = |words: &[std::borrow::Cow<'_, [u8]>]| -> Vec<Vec<u8>> {
        words.iter().map(|word| word.to_vec()).collect()
    };
    let all = own(&words(line).unwrap());
    let rest = match Record::read(line).unwrap() {
        Record::Link(it) => {
            let kind = if it.is_union { b"U" } else { b"L" };
            let place = it.place;
            let words = [
                kind.to_vec(),
                it.target.to_vec(),
                it.name.to_vec(),
                place.host_type.to_vec(),
                place.host.to_vec(),
                place.name_type.to_vec(),
                place.name.to_vec(),
                place.version.to_vec(),
            ];
            [words.to_vec(), own(&place.rest)].concat()
        }
        Record::Forwarded(place) => [
            place.host_type.to_vec(),
            place.host.to_vec(),
            place.name_type.to_vec(),
            place.name.to_vec(),
            place.version.to_vec(),
        ]
        .to_vec(),
        _ => return all,
    };
    assert_eq!(all[1..], rest);
    all
}

/// What we quote, a server's way of quoting differs from; the words are the same.
#[test]
fn recorded_words_are_quoted_so_that_they_are_read_back() {
    for recorded in recorded() {
        for word in octets(&recorded).iter().flatten() {
            let quoted = quote(word);
            assert_eq!(words(&quoted).unwrap(), [&word[..]]);
        }
    }
}
