//! The checks for Prospero: datagrams in any order produce the same message, and lines that are
//! read and written again have the same words.

use crate::input;
use std::time::Duration;
use urikit_historic::prospero::ardp::{
    Exchange, Header, MAX_DATA, Message, Notice, Progress, Timing,
};
use urikit_historic::prospero::text::{Attribute, Lines, Link, Place, Record, ValueType, Word};
use urikit_historic::prospero::text::{quote, words};
use urikit_testkit::Random;

const TIMING: Timing = Timing {
    wait: Duration::from_secs(4),
    tries: 3,
    max_wait: Duration::from_secs(60),
};

/// Checks Prospero's codecs. The first octet selects the order of packets. All other octets are
/// read as text, as one datagram, and as several datagrams, each preceded by its length in two
/// octets.
pub(crate) fn prospero(data: &[u8]) {
    let Some((order, octets)) = input::choice(data) else {
        return;
    };
    header(octets);
    assembled(order, octets);
    requested(order, octets);
    text(octets);
    let answer = received(octets, 1);
    assert_eq!(received(octets, 2), answer, "each datagram twice");
    text(&answer);
}

/// Writes the header of a packet, and reads it back.
fn header(datagram: &[u8]) {
    let Ok((header, data)) = Header::decode(datagram) else {
        return;
    };
    let plain = Header {
        wait: None,
        flags: 0,
        notice: Notice::None,
        ..header
    };
    assert_eq!(Header::decode(&header.encode(data)), Ok((plain, data)));
}

/// Reassembles the octets from packets that arrive out of order, some of them twice.
fn assembled(order: usize, octets: &[u8]) {
    // The receiver keeps at most 1024 packets after a gap.
    let length = order + 1 + octets.len() / 1000;
    let mut packets: Vec<(u16, &[u8])> = (1..).zip(octets.chunks(length)).collect();
    let total = u16::try_from(packets.len()).expect("at most 1000 packets");
    let mut random = Random::new(order as u64);
    packets.extend_from_within(..packets.len() / 3);
    shuffle(&mut random, &mut packets);
    let mut message = Message::new(octets.len());
    for (number, data) in packets {
        // The last packet states the total number of packets, and other packets may state it too.
        let known = if number == total || random.chance(30) {
            total
        } else {
            0
        };
        assert!(message.insert(number, known, data).is_ok());
    }
    assert!(total == 0 || message.is_complete());
    assert_eq!(message.into_data(), octets);
}

/// Reassembles a request as a server does, from datagrams that arrive out of order.
fn requested(order: usize, octets: &[u8]) {
    let mut exchange = Exchange::new(9, octets, 0, TIMING).expect("a short request");
    let mut datagrams = exchange.outgoing();
    shuffle(&mut Random::new(order as u64), &mut datagrams);
    let mut message = Message::new(octets.len());
    for datagram in &datagrams {
        let (header, data) = Header::decode(datagram).expect("a header");
        assert!(header.id == 9 && data.len() <= MAX_DATA);
        assert_eq!(message.insert(header.packet, header.total, data), Ok(true));
    }
    assert!(message.is_complete());
    assert_eq!(message.into_data(), octets);
}

/// Receives the datagrams of one connection, each as often as `times` says. Returns the response up
/// to the first missing packet.
fn received(mut octets: &[u8], times: usize) -> Vec<u8> {
    let max = octets.len() / 2;
    let mut exchange = None;
    while let Some((length, rest)) = octets.split_first_chunk() {
        let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
        let (datagram, rest) = rest.split_at(length);
        octets = rest;
        let id = Header::decode(datagram).map_or(0, |(header, _)| header.id);
        let exchange = exchange.get_or_insert_with(|| {
            Exchange::new(id, b"VERSION 5\n", max, TIMING).expect("a short request")
        });
        for _ in 0..times {
            if exchange.receive(datagram, Duration::ZERO) != Ok(Progress::Waiting) {
                octets = b"";
                break;
            }
            assert!(exchange.outgoing().len() <= 2);
        }
    }
    let answer = exchange.map_or_else(Vec::new, Exchange::into_response);
    assert!(answer.len() <= max);
    answer
}

/// Quotes the words of each line again, and checks that reading the result gives the same words.
fn text(answer: &[u8]) {
    let lines: Vec<&[u8]> = Lines::new(answer).collect();
    let octets: usize = lines.iter().map(|line| line.len() + 1).sum();
    assert!(octets == answer.len() || octets == answer.len() + 1);
    let again: Vec<Vec<u8>> = lines.iter().map(|line| written(line)).collect();
    let mut joined = again.join(&b'\n');
    if octets == answer.len() && octets > 0 {
        joined.push(b'\n');
    }
    assert_eq!(Lines::new(&joined).collect::<Vec<_>>(), again);
    for (line, again) in lines.iter().zip(&again) {
        assert_eq!(Record::read(line), Record::read(again));
        if let Ok(found) = words(line) {
            let quoted: Vec<_> = found.iter().map(|word| quote(word).into_owned()).collect();
            assert_eq!(words(&quoted.join(&b' ')), Ok(found));
        }
    }
}

/// Quotes the words of a line again. A line that is not a known record is returned unchanged.
fn written(line: &[u8]) -> Vec<u8> {
    let (keyword, words) = match Record::read(line) {
        Ok(Record::Link(it)) => (&b"LINK"[..], link_words(&it)),
        Ok(Record::Attribute(attribute)) => (&b"ATTRIBUTE"[..], attribute_words(&attribute)),
        Ok(Record::Id(words)) => (&b"ID"[..], words),
        Ok(Record::Unresolved(words)) => (&b"UNRESOLVED"[..], words),
        Ok(Record::Forwarded(place)) => (&b"FORWARDED"[..], place_words(&place)),
        _ => return line.to_vec(),
    };
    let mut again = keyword.to_vec();
    for word in words {
        again.push(b' ');
        again.extend_from_slice(&quote(&word));
    }
    again
}

fn link_words<'a>(link: &Link<'a>) -> Vec<Word<'a>> {
    let kind: &[u8] = if link.is_union { b"U" } else { b"L" };
    let mut words = vec![kind.into(), link.target.clone(), link.name.clone()];
    words.extend(place_words(&link.place));
    words
}

fn place_words<'a>(place: &Place<'a>) -> Vec<Word<'a>> {
    let known = [
        &place.host_type,
        &place.host,
        &place.name_type,
        &place.name,
        &place.version,
    ];
    known.into_iter().chain(&place.rest).cloned().collect()
}

fn attribute_words<'a>(attribute: &Attribute<'a>) -> Vec<Word<'a>> {
    let known = [&attribute.precedence, &attribute.nature, &attribute.name];
    let mut words: Vec<Word<'a>> = known.into_iter().cloned().collect();
    let value_type: Option<&[u8]> = attribute.value_type.map(|it| match it {
        ValueType::Sequence => &b"SEQUENCE"[..],
        ValueType::Link => b"LINK",
        ValueType::Filter => b"FILTER",
    });
    words.extend(value_type.map(Word::from));
    words.extend(attribute.value.iter().cloned());
    words
}

fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    for index in (1..items.len()).rev() {
        items.swap(index, random.below(index + 1));
    }
}
