//! Tests the codec with every recorded exchange, in both directions, and with mutated messages.

use urikit_historic::wais::codec::{
    DocumentHeader, DocumentSearch, HEADER_LEN, Init, InitResponse, Record, SearchResponse, Source,
    Unit, WordSearch, decode_document_id, decode_header, encode_document_id, message,
};
use urikit_testkit::Random;
use urikit_testkit::wais::{Exchange, Request, Value, exchanges};

/// Returns true for requests that clients of RFC 1625 do not send: relevance feedback, and
/// documents without a range.
fn is_other(exchange: &Exchange) -> bool {
    exchange.name.starts_with("search-relevance") || exchange.name == "fetch-docid-term-only"
}

#[test]
fn our_requests_are_the_recorded_ones() {
    let mut compared = 0;
    for exchange in exchanges() {
        for request in &exchange.requests {
            let header: &[u8; HEADER_LEN] = request[..HEADER_LEN].try_into().unwrap();
            let length = usize::try_from(decode_header(header).unwrap()).unwrap();
            assert_eq!(length, request.len() - HEADER_LEN, "{}", exchange.name);
            if is_other(&exchange) {
                continue;
            }
            let encoded = encode(&Request::read(&request[HEADER_LEN..]));
            assert_eq!(message(&encoded), *request, "{}", exchange.name);
            compared += 1;
        }
    }
    assert!(compared >= 42, "{compared}");
}

fn encode(request: &Request) -> Vec<u8> {
    let names = |databases: &[u8]| -> Vec<Vec<u8>> {
        let names = databases.split(|octet| *octet == 0x1F);
        names.map(<[u8]>::to_vec).collect()
    };
    match request {
        Request::Init(max_message) => Init {
            // The recorded client also requested Present, and the server declined it.
            options: 0xC0,
            max_message: u32::try_from(*max_message).unwrap(),
            implementation_name: b"urlt",
            implementation_version: b"1.0",
        }
        .encode(),
        Request::Words {
            databases,
            words,
            max_documents,
        } => WordSearch {
            databases: &names(databases)
                .iter()
                .map(Vec::as_slice)
                .collect::<Vec<_>>(),
            words,
            max_documents: u32::try_from(*max_documents).unwrap(),
        }
        .encode(),
        Request::Document {
            databases,
            id,
            wtype,
            unit,
            range,
        } => DocumentSearch {
            databases: &names(databases)
                .iter()
                .map(Vec::as_slice)
                .collect::<Vec<_>>(),
            id,
            document_type: wtype,
            unit: if unit == b"wl" {
                Unit::Lines
            } else {
                Unit::Bytes
            },
            range: u64::try_from(range.start).unwrap()..u64::try_from(range.end).unwrap(),
        }
        .encode(),
    }
}

#[test]
fn the_recorded_answers_have_the_recorded_meaning() {
    let mut count = [0; 3];
    for exchange in exchanges() {
        let meanings = exchange.meaning["responses"].as_array().unwrap();
        assert_eq!(meanings.len(), exchange.responses.len());
        for (response, meaning) in exchange.responses.iter().zip(meanings) {
            let (header, apdu) = response.split_at(HEADER_LEN);
            assert_eq!(header, meaning["header"].as_str().unwrap().as_bytes());
            let length = decode_header(header.try_into().unwrap()).unwrap();
            assert_eq!(usize::try_from(length).unwrap(), apdu.len());
            match meaning["pdu"].as_u64() {
                Some(21) => check_init(&InitResponse::decode(apdu).unwrap(), meaning),
                Some(_) => check_search(SearchResponse::decode(apdu).unwrap(), meaning, &mut count),
                None => assert!(apdu.is_empty()),
            }
        }
    }
    let [documents, texts, diagnostics] = count;
    assert!(
        documents >= 26 && texts >= 16 && diagnostics >= 6,
        "{count:?}"
    );
}

fn check_init(init: &InitResponse<'_>, meaning: &Value) {
    let fields = init.fields;
    assert_eq!(Some(u64::from(init.result)), meaning["result"].as_u64());
    for (found, name) in [
        (fields.preferred_message_size, "preferred_message_size"),
        (fields.maximum_record_size, "maximum_record_size"),
    ] {
        assert_eq!(found, meaning[name].as_u64());
    }
    for (found, name) in [
        (fields.implementation_id, "implementation_id"),
        (fields.implementation_name, "implementation_name"),
        (fields.implementation_version, "implementation_version"),
    ] {
        assert_eq!(latin1(found), meaning[name].as_str().unwrap());
    }
    assert_eq!(init.max_message(), Some(32768));
}

fn check_search(response: SearchResponse<'_>, meaning: &Value, count: &mut [usize; 3]) {
    let status = u64::from(response.status);
    assert_eq!(Some(status), meaning["search_status"].as_u64());
    for (found, name) in [
        (response.result_count, "result_count"),
        (response.records_returned, "records_returned"),
    ] {
        assert_eq!(Some(found), meaning[name].as_u64());
    }
    let mut hits = meaning["hits"].as_array().unwrap().iter();
    let mut diagnostics = meaning["diagnostics"].as_array().unwrap().iter();
    for record in response.records {
        match record.unwrap() {
            Record::Header(header) => {
                count[0] += 1;
                check_hit(&header, hits.next().unwrap());
            }
            Record::Text(text) => {
                count[1] += 1;
                let length = u64::try_from(text.text.len()).unwrap();
                assert_eq!(Some(length), meaning["document_length"].as_u64());
                assert_eq!(hex(text.id), meaning["text_docid_hex"].as_str().unwrap());
                if let Some(expected) = meaning["document_latin1"].as_str() {
                    assert_eq!(latin1(text.text), expected);
                }
            }
            Record::Diagnostic(found) => {
                count[2] += 1;
                let meaning = diagnostics.next().unwrap();
                assert_eq!(latin1(&found.code), meaning["code"].as_str().unwrap());
                assert_eq!(latin1(found.text), meaning["text"].as_str().unwrap());
                let surrogate = meaning["surrogate"].as_u64().unwrap() != 0;
                assert_eq!(found.is_surrogate, surrogate);
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(hits.next().is_none() && diagnostics.next().is_none());
}

fn check_hit(header: &DocumentHeader<'_>, hit: &Value) {
    for (found, name) in [
        (header.score, "score"),
        (header.best_match, "best_match"),
        (header.length, "length"),
        (header.lines, "lines"),
    ] {
        assert_eq!(found, hit[name].as_u64(), "{name}");
    }
    for (found, name) in [
        (header.headline, "headline"),
        (header.source, "source"),
        (header.date, "date"),
    ] {
        assert_eq!(latin1(found), hit[name].as_str().unwrap_or_default());
    }
    let types: Vec<_> = header.types().map(latin1).collect();
    let expected = hit["types"].as_array().unwrap().iter();
    assert!(
        types
            .iter()
            .map(String::as_str)
            .eq(expected.map(|it| it.as_str().unwrap()))
    );
    let id = &hit["docid"];
    assert_eq!(hex(header.id), id["hex"].as_str().unwrap());
    let fields = decode_document_id(header.id).unwrap();
    let expected = id["fields"].as_object().unwrap();
    assert_eq!(fields.len(), expected.len());
    for (number, value) in &fields {
        // The last field is a number.
        let value = if *number == 7 {
            hex(value)
        } else {
            latin1(value)
        };
        assert_eq!(Some(value.as_str()), expected[&number.to_string()].as_str());
    }
    assert_eq!(encode_document_id(fields).unwrap(), header.id);
}

fn latin1(octets: &[u8]) -> String {
    octets.iter().map(|octet| char::from(*octet)).collect()
}

fn hex(octets: &[u8]) -> String {
    use std::fmt::Write as _;
    octets.iter().fold(String::new(), |mut text, octet| {
        let _ = write!(text, "{octet:02x}");
        text
    })
}

/// The number of mutated messages.
const ROUNDS: usize = 300_000;

/// Decodes octets as every kind of message. Returns the number of records.
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
        // Decoded octets are a part of the message.
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
    // A record has at least two octets.
    assert!(records <= octets.len() / 2 + 1);
    records
}

/// Changes octets, lengths, the order of parts, and the end of a message.
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
        // Reading may add a space between two words.
        let size: usize = fields.map(|(name, value)| name.len() + value.len()).sum();
        assert!(size <= 2 * octets.len());
        read += usize::from(source.is_some());
    }
    assert!(read > ROUNDS / 30, "{read}");
}
