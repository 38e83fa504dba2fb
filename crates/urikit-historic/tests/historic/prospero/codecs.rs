//! Tests the codecs with every recorded exchange, in both directions, and with mutated and random
//! inputs.

use std::time::Duration;
use urikit_historic::prospero::ardp::{Exchange, Failure, Header, Message, Progress, Timing};
use urikit_historic::prospero::text::{Attribute, Lines, Link, Record, quote, words};
use urikit_testkit::Random;
use urikit_testkit::prospero::{
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

/// Returns the id and the text of a request.
fn request(recorded: &Recorded) -> (u16, Vec<u8>) {
    let mut text = Vec::new();
    let mut id = 0;
    for datagram in recorded.request.iter().map(Datagram::octets) {
        let (header, data) = Header::decode(&datagram).unwrap();
        id = header.id;
        // Skips acknowledgements and repetitions.
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
        // A client may choose the size of packets and the fields of the header.
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

/// The server's datagrams, in order, form the recorded response.
#[test]
fn the_recorded_answers_have_the_recorded_meaning() {
    let (mut compared, mut lines) = (0, 0);
    for recorded in recorded() {
        let (id, text) = request(&recorded);
        let mut exchange = Exchange::new(id, &text, usize::MAX, TIMING).unwrap();
        let mut answers = recorded.response.iter();
        let mut progress = Progress::Waiting;
        // Responses of version 1 have no id, and do not belong to an exchange.
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
        // The rows contain the first 20 lines of a long response.
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

/// Returns the words of the recorded lines.
fn octets(recorded: &Recorded) -> Vec<Vec<Vec<u8>>> {
    let line = |line: &Vec<String>| line.iter().map(|word| latin1(word)).collect();
    recorded.lines.iter().map(line).collect()
}

/// Returns the words of a line from its record.
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

/// Servers quote words differently, but the words are equal.
#[test]
fn recorded_words_are_quoted_so_that_they_are_read_back() {
    for recorded in recorded() {
        for word in octets(&recorded).iter().flatten() {
            let quoted = quote(word);
            assert_eq!(words(&quoted).unwrap(), [&word[..]]);
        }
    }
}

/// The number of inputs for each decoder.
const INPUTS: usize = 150_000;

/// Replaces, removes or repeats octets, or truncates them.
fn mutate(random: &mut Random, octets: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        let at = random.below(octets.len() + 1);
        let octet = match random.below(3) {
            0 => u8::try_from(random.below(256)).unwrap(),
            1 => *random.pick(b"'\n\t >()0"),
            _ => *random.pick(&[0, 1, 2, 3, 7, 9, 12, 13, 19, 63, 64, 127, 128, 254, 255]),
        };
        match random.below(5) {
            0 => octets.truncate(at),
            1 => octets.insert(at, octet),
            2 if at < octets.len() => {
                octets.remove(at);
            }
            3 => {
                let from = random.below(at + 1);
                let copy = octets[from..at.min(from + 40)].to_vec();
                octets.splice(at..at, copy);
            }
            _ => {
                if let Some(it) = octets.get_mut(at) {
                    *it = octet;
                }
            }
        }
    }
}

#[test]
fn headers() {
    let seeds: Vec<_> = exchanges()
        .iter()
        .flat_map(|row| row.request.iter().chain(&row.response))
        .map(Datagram::octets)
        .collect();
    let mut random = Random::new(1525);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..INPUTS {
        let mut octets = random.pick(&seeds).clone();
        octets.truncate(24);
        mutate(&mut random, &mut octets);
        match Header::decode(&octets) {
            Ok((header, data)) => {
                read += 1;
                assert_eq!(data.len() + usize::from(octets[0]), octets.len());
                let (again, same) = Header::decode(&header.encode(data))
                    .map(|(h, d)| (h, d.to_vec()))
                    .unwrap();
                assert_eq!(same, data);
                let numbers = |it: Header| (it.id, it.packet, it.total, it.through);
                assert_eq!(numbers(again), numbers(header));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(read > 10_000 && refused > 10_000, "{read} {refused}");
}

/// Feeds sequences of mutated datagrams to one exchange.
#[test]
fn exchanges_of_changed_datagrams() {
    let rows = exchanges();
    let mut random = Random::new(191);
    let (mut inputs, mut complete, mut too_long) = (0, 0, 0);
    while inputs < INPUTS {
        let row = random.pick(&rows);
        let id = Header::decode(&row.request[0].octets()).unwrap().0.id;
        let max = *random.pick(&[100, 5_000, usize::MAX]);
        let mut exchange = Exchange::new(id, b"VERSION\n", max, TIMING).unwrap();
        let mut now = Duration::ZERO;
        for _ in 0..30 {
            inputs += 1;
            let mut octets = random.pick(&row.response).octets();
            octets.truncate(60);
            if random.chance(70) {
                mutate(&mut random, &mut octets);
                // Without the right id, nearly all datagrams would belong to another connection.
                if let Some(to) = octets.get_mut(1..3) {
                    to.copy_from_slice(&id.to_be_bytes());
                }
            }
            now += Duration::from_millis(u64::try_from(random.below(3000)).unwrap());
            let before = exchange.outgoing().len();
            assert!(before <= 2);
            match exchange.receive(&octets, now) {
                Ok(Progress::Complete) => {
                    complete += 1;
                    assert!(exchange.into_response().len() <= max);
                    break;
                }
                Ok(_) => {}
                Err(failure) => {
                    assert_eq!(failure, Failure::TooLong);
                    too_long += 1;
                    break;
                }
            }
            if exchange.check(now).is_err() {
                break;
            }
        }
    }
    assert!(complete > 1000 && too_long > 100, "{complete} {too_long}");
}

/// Packets with random numbers form the message that consists of the new packets among them.
#[test]
fn messages() {
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        let mut message = Message::new(200);
        let mut first = std::collections::BTreeMap::new();
        for _ in 0..random.below(40) {
            let packet = u16::try_from(random.below(8)).unwrap();
            let total = *random.pick(&[0, 0, 0, 5, 6, 65535]);
            let data = vec![u8::try_from(random.below(256)).unwrap(); random.below(12)];
            match message.insert(packet, total, &data) {
                Ok(true) => assert!(first.insert(packet, data).is_none()),
                Ok(false) => {}
                Err(_) => {
                    let octets: usize = first.values().map(Vec::len).sum();
                    assert!(octets + data.len() > 200);
                    break;
                }
            }
        }
        let through = message.through();
        let expected: Vec<u8> = (1..=through)
            .flat_map(|packet| first[&packet].clone())
            .collect();
        assert_eq!(message.into_data(), expected);
    }
}

#[test]
fn texts() {
    let answers: Vec<Vec<u8>> = exchanges()
        .iter()
        .flat_map(|row| row.response.clone())
        .map(|datagram| latin1(&datagram.text))
        .collect();
    let mut random = Random::new(5);
    let mut lines = 0;
    for _ in 0..INPUTS / 3 {
        let mut answer = random.pick(&answers).clone();
        let from = random.below(answer.len() + 1);
        answer.drain(..from);
        answer.truncate(600);
        mutate(&mut random, &mut answer);
        let mut octets = 0;
        for line in Lines::new(&answer) {
            octets += line.len() + 1;
            lines += 1;
            if let Ok(record) = Record::read(line) {
                check(&record);
            }
            if let Ok(found) = words(line) {
                let quoted: Vec<_> = found.iter().map(|word| quote(word).into_owned()).collect();
                let line = quoted.join(&b' ');
                assert_eq!(words(&line).unwrap(), found);
            }
        }
        // Every octet belongs to one line.
        assert!(octets == answer.len() || octets == answer.len() + 1);
    }
    assert!(lines > INPUTS, "{lines}");
}

fn check(record: &Record<'_>) {
    let link = |link: &Link<'_>| link.place.remote_id().is_none_or(|id| !id.is_empty());
    match record {
        Record::Link(it) => assert!(link(it)),
        Record::Attribute(it @ Attribute { .. }) => {
            assert!(Link::of_attribute(it).is_none_or(|it| link(&it)));
        }
        _ => {}
    }
}
