//! The decoders on changed messages: no panic, no memory beyond the input, and an end.

use urikit_historic::wais::codec::{
    InitResponse, Record, SearchResponse, Source, decode_document_id, decode_header,
    encode_document_id,
};
use urikit_testkit::Random;
use urikit_testkit::wais::exchanges;

/// How many messages are changed.
const ROUNDS: usize = 300_000;

/// Decodes octets in every way, and returns how many records there are.
fn decode_all(octets: &[u8]) -> usize {
    if let Some(header) = octets.first_chunk() {
        let _ = decode_header(header);
    }
    let _ = InitResponse::decode(octets).map(|init| init.max_message());
    if let Some(fields) = decode_document_id(octets) {
        assert_eq!(encode_document_id(fields).unwrap(), octets);
    }
    let Ok(response) = SearchResponse::decode(octets) else {
        return 0;
    };
    let mut records = 0;
    for record in response.records {
        records += 1;
        // What is decoded is a part of the message.
        let inside = |part: &[u8]| {
            part.is_empty()
                || octets.as_ptr_range().contains(&part.as_ptr()) && part.len() <= octets.len()
        };
        match record {
            Ok(Record::Header(header)) => {
                assert!(inside(header.id) && inside(header.headline));
                assert!(header.types().all(inside));
                let _ = decode_document_id(header.id);
            }
            Ok(Record::Text(text)) => {
                assert!(inside(text.text) && inside(text.id));
                let _ = Source::read(text.text);
            }
            Ok(Record::Diagnostic(diagnostic)) => assert!(inside(diagnostic.text)),
            Err(error) => assert!(error.offset <= octets.len()),
            Ok(_) => {}
        }
    }
    // A record is two octets or more.
    assert!(records <= octets.len() / 2 + 1);
    records
}

/// Changes a message: octets, lengths, the order of parts, and its end.
fn mutate(random: &mut Random, octets: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..=random.below(4) {
        let at = random.below(octets.len() + 1);
        let to = at + random.below(octets.len() - at + 1).min(random.below(64));
        match random.below(8) {
            0 => octets.truncate(at),
            1 => drop(octets.drain(at..to)),
            2 => {
                let part = octets[at..to].to_vec();
                octets.splice(at..at, part);
            }
            3 => {
                let from = random.below(other.len() + 1);
                let until = from + random.below(other.len() - from + 1).min(64);
                octets.splice(at..to, other[from..until].iter().copied());
            }
            4 => {
                let large = [0xFF, 0xFF, 0xFF, 0xFF, 0x7F];
                octets.splice(at..at, large[random.below(5)..].iter().copied());
            }
            _ if at < octets.len() => {
                let tags = [0, 1, 28, 99, 116, 127, 0x80, 0x81, 0x84, 0x96, 0x99, 0xFF];
                octets[at] = match random.below(3) {
                    0 => *random.pick(&tags),
                    1 => octets[at].wrapping_add(1),
                    _ => (random.bits() & 0xFF) as u8,
                };
            }
            _ => octets.push((random.bits() & 0xFF) as u8),
        }
    }
}

#[test]
fn no_changed_message_is_a_panic() {
    let exchanges = exchanges();
    let responses = exchanges.iter().flat_map(|exchange| &exchange.responses);
    let apdus: Vec<&[u8]> = responses.map(|response| &response[25..]).collect();
    let short = apdus.iter().copied().filter(|apdu| apdu.len() < 4096);
    let short: Vec<&[u8]> = short.collect();
    let mut random = Random::new(210);
    let mut records = 0;
    for _ in 0..ROUNDS {
        let mut octets = random.pick(&short).to_vec();
        let other = random.pick(&short);
        mutate(&mut random, &mut octets, other);
        records += decode_all(&octets);
    }
    assert!(records > ROUNDS / 4, "{records}");
    for apdu in apdus {
        decode_all(apdu);
    }
}

#[test]
fn every_beginning_of_a_message_is_decoded_or_an_error() {
    for exchange in exchanges() {
        for response in exchange.responses.iter().filter(|it| it.len() < 4096) {
            for end in 0..response.len() {
                decode_all(&response[..end]);
                decode_all(response.get(25..end).unwrap_or_default());
            }
        }
    }
}

#[test]
fn no_changed_description_is_a_panic() {
    let text = br#"(:source :version 3 :ip-name "h" :tcp-port 210 :cost-unit :free
        :keyword-list ( the (whale) ) :description "a \"b\" c" )"#;
    let mut random = Random::new(1988);
    let mut read = 0;
    for _ in 0..ROUNDS / 3 {
        let mut octets = text.to_vec();
        mutate(&mut random, &mut octets, text);
        let source = Source::read(&octets);
        let fields = source.iter().flat_map(Source::fields);
        // A space may be added between two words.
        let size: usize = fields.map(|(name, value)| name.len() + value.len()).sum();
        assert!(size <= 2 * octets.len());
        read += usize::from(source.is_some());
    }
    assert!(read > ROUNDS / 30, "{read}");
}
