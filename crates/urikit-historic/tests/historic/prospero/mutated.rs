//! The decoders on changed and random inputs: they never panic, and limits hold. It is seeded, so
//! that a failure repeats.

use std::time::Duration;
use urikit_historic::prospero::ardp::{Exchange, Failure, Header, Message, Progress, Timing};
use urikit_historic::prospero::text::{Attribute, Lines, Link, Record, quote, words};
use urikit_testkit::Random;
use urikit_testkit::rows_prospero::{Datagram, exchanges};

/// How many inputs each decoder gets.
const INPUTS: usize = 150_000;

const TIMING: Timing = Timing {
    wait: Duration::from_secs(4),
    tries: 3,
    max_wait: Duration::from_secs(60),
};

/// Changes some octets: replaced, removed, repeated, cut off.
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

/// Sequences of changed datagrams of one exchange.
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
                // Otherwise nearly all are of another connection.
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

/// Packets with random numbers: what was announced is what is assembled.
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
        .map(|datagram| urikit_testkit::rows_prospero::latin1(&datagram.text))
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
            if let Ok(words) = words(line) {
                let quoted: Vec<_> = words.iter().map(|word| quote(word).into_owned()).collect();
                let line = quoted.join(&b' ');
                assert_eq!(
                    urikit_historic::prospero::text::words(&line).unwrap(),
                    words
                );
            }
        }
        // Every octet is in one line.
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
