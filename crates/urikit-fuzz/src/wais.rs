//! The checks for WAIS. When the testkit encodes a decoded message again, the result must equal the
//! original, and the testkit must decode encoded requests correctly.

use crate::input;
use urikit_historic::wais::codec::{
    DocumentHeader, DocumentSearch, Init, InitResponse, Record, SearchResponse, Source, Unit,
    WordSearch, decode_document_id, encode_document_id,
};
use urikit_historic::wais::replay;
use urikit_testkit::wais::{Request, field};

/// Checks the WAIS codec. The first octet is the length of the pieces, and the rest is read as
/// messages from a server and as an APDU.
pub(crate) fn wais(data: &[u8]) {
    let Some((piece, octets)) = input::choice(data) else {
        return;
    };
    assert_eq!(replay(octets, piece + 1), replay(octets, octets.len()));
    for apdu in [octets, octets.get(25..).unwrap_or_default()] {
        init_response(apdu);
        search_response(apdu);
    }
    document_id(octets);
    source(octets);
    requests(octets);
}

fn init_response(apdu: &[u8]) {
    let Ok(response) = InitResponse::decode(apdu) else {
        return;
    };
    let fields = response.fields;
    let header = [
        vec![21, response.result],
        optional(5, fields.preferred_message_size),
        optional(6, fields.maximum_record_size),
        field(8, fields.implementation_id),
        field(9, fields.implementation_name),
        field(10, fields.implementation_version),
    ];
    let again = after_length(&header.concat(), b"");
    if let Some(again) = again {
        assert_eq!(InitResponse::decode(&again), Ok(response));
    }
}

/// Checks a search response. The records are compared in their encoded form, because equal octets
/// mean equal records.
fn search_response(apdu: &[u8]) {
    let Ok(response) = SearchResponse::decode(apdu) else {
        return;
    };
    let mut records = Vec::new();
    for record in response.records.clone() {
        match record {
            Ok(record) => records.push(written(&record)),
            Err(error) => assert!(error.offset <= apdu.len(), "{error}"),
        }
    }
    let three = |number: u64| number.to_be_bytes()[5..].to_vec();
    let header = [
        vec![23, response.status],
        three(response.result_count),
        three(response.records_returned),
        three(0),
    ];
    let information = field(99, &records.concat());
    let again = after_length(&header.concat(), &information).expect("a short header");
    let again = SearchResponse::decode(&again).expect("a response");
    let head = |it: &SearchResponse<'_>| (it.status, it.result_count, it.records_returned);
    assert_eq!(head(&again), head(&response));
    let again: Vec<_> = again
        .records
        .map(|record| written(&record.unwrap()))
        .collect();
    assert_eq!(again, records);
}

/// Writes a record as a server would.
fn written(record: &Record<'_>) -> Vec<u8> {
    match record {
        Record::Header(header) => field(150, &document_header(header)),
        Record::Text(text) => field(153, &[field(116, text.id), field(127, text.text)].concat()),
        Record::SeedWordsUsed(words) => field(115, words),
        Record::Other(tag) => field(*tag as usize, b""),
        Record::Diagnostic(it) => {
            let length = u16::try_from(it.text.len() + 3).expect("a length of two octets");
            let end = [u8::from(it.is_surrogate), 0x1D];
            [&[28][..], &length.to_be_bytes(), &it.code, it.text, &end].concat()
        }
        other => panic!("{other:?}"),
    }
}

fn document_header(header: &DocumentHeader<'_>) -> Vec<u8> {
    let types: Vec<Vec<u8>> = header.types().map(|name| field(133, name)).collect();
    [
        field(116, header.id),
        optional(118, header.score),
        optional(119, header.best_match),
        optional(120, header.length),
        optional(131, header.lines),
        field(132, &types.concat()),
        field(121, header.source),
        field(122, header.date),
        field(123, header.headline),
        field(124, header.origin_city),
    ]
    .concat()
}

fn optional(tag: usize, value: Option<u64>) -> Vec<u8> {
    // A number may have leading zeros.
    value.map_or_else(Vec::new, |value| field(tag, &value.to_be_bytes()))
}

/// Assembles an APDU, which begins with the length of its header part. Returns `None` if the length
/// does not fit.
fn after_length(header: &[u8], information: &[u8]) -> Option<Vec<u8>> {
    let length = u16::try_from(header.len()).ok()?;
    Some([&length.to_be_bytes(), header, information].concat())
}

fn document_id(octets: &[u8]) {
    if let Some(fields) = decode_document_id(octets) {
        assert_eq!(encode_document_id(fields).as_deref(), Some(octets));
    }
    let (one, two) = octets.split_at(octets.len() / 2);
    let fields = [(first(octets) >> 4, one), (7, two)];
    let id = encode_document_id(fields).expect("numbers of 28 bits");
    assert_eq!(decode_document_id(&id).as_deref(), Some(&fields[..]));
}

/// Writes the description of a source again, with all values as strings, and reads it back.
fn source(octets: &[u8]) {
    let Some(source) = Source::read(octets) else {
        return;
    };
    let mut again = b"(:source".to_vec();
    for (name, value) in source.fields() {
        again.extend_from_slice(&[b"\n :", name, b" \""].concat());
        for octet in value {
            again.extend_from_slice(&[b'\\', *octet]);
        }
        again.push(b'"');
    }
    again.push(b')');
    assert_eq!(Source::read(&again), Some(source));
}

/// Encodes requests, and checks them with the testkit's decoder.
fn requests(octets: &[u8]) {
    let octets = &octets[..octets.len().min(4096)]; // the length of database names is limited
    let (one, two) = octets.split_at(octets.len() / 2);
    let names: Vec<&[u8]> = one.split(|octet| *octet == 0x1F).collect();
    let size = first(octets);
    let init = Init {
        options: Init::SEARCH,
        max_message: size,
        implementation_name: one,
        implementation_version: two,
    };
    assert_eq!(Request::read(&init.encode()), Request::Init(size.into()));
    let search = WordSearch {
        databases: &names,
        words: two,
        max_documents: size,
    };
    let read = Request::Words {
        databases: one.to_vec(),
        words: two.to_vec(),
        max_documents: size.into(),
    };
    assert_eq!(Request::read(&search.encode()), read);
    let search = DocumentSearch {
        databases: &names,
        id: two,
        document_type: one,
        unit: Unit::Bytes,
        range: 1..size.into(),
    };
    let read = Request::Document {
        databases: one.to_vec(),
        id: two.to_vec(),
        wtype: one.to_vec(),
        unit: b"wb".to_vec(),
        range: 1..size as usize,
    };
    assert_eq!(Request::read(&search.encode()), read);
}

/// Reads the first four octets as a number.
fn first(octets: &[u8]) -> u32 {
    octets.first_chunk().copied().map_or(0, u32::from_be_bytes)
}
