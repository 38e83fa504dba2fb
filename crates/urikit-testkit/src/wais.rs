//! Recorded exchanges with a real WAIS server, a server for tests that replays them, and functions
//! that read and write messages. This code follows the protocol documents, and was written
//! independently of the client.

use crate::data::{project_root, shared};
use crate::servers::{Conversation, Scripted};
use std::fs;
use std::ops::Range;
use std::path::Path;

pub use serde_json::Value;

/// A recorded exchange with freeWAIS-sf 2.2.10 on one connection.
#[derive(Debug)]
pub struct Exchange {
    /// The unique name.
    pub name: String,
    /// The complete messages sent, in order.
    pub requests: Vec<Vec<u8>>,
    /// The complete messages received: message n responds to request n. The server closed the
    /// connection after the last message.
    pub responses: Vec<Vec<u8>>,
    /// The contents of the messages, as decoded by another program.
    pub meaning: Value,
}

/// Returns the exchanges in `testdata/wais/exchanges.jsonl`, and those with large documents if the
/// folder of shared data is present.
///
/// # Panics
///
/// Panics if a file is malformed.
pub fn exchanges() -> Vec<Exchange> {
    let mut all = read(&project_root().join("testdata/wais/exchanges.jsonl"));
    let name = "protocols/recordings/wais.jsonl";
    if let Some(more) = shared("exchanges with large documents", name) {
        let known: Vec<String> = all.iter().map(|exchange| exchange.name.clone()).collect();
        let more = read(&more).into_iter();
        all.extend(more.filter(|exchange| !known.contains(&exchange.name)));
    }
    all
}

fn read(path: &Path) -> Vec<Exchange> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let messages = |value: &Value| -> Vec<Vec<u8>> {
        let texts = value.as_array().unwrap().iter();
        texts.map(|text| octets(text.as_str().unwrap())).collect()
    };
    text.lines()
        .map(|line| {
            let mut row: Value = serde_json::from_str(line).unwrap();
            Exchange {
                name: row["name"].as_str().unwrap().to_owned(),
                requests: messages(&row["request_hex"]),
                responses: messages(&row["response_hex"]),
                meaning: row["meaning"].take(),
            }
        })
        .collect()
}

/// Reads hexadecimal digits.
fn octets(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2);
    let octet = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    pairs.map(octet).collect()
}

/// Starts a server that replays recorded responses. The server ignores the sizes, limits and names
/// that the client sends, and closes the connection after a request that was not recorded.
///
/// # Panics
///
/// Panics if the server cannot listen.
pub fn replay(exchanges: Vec<Exchange>) -> Scripted {
    let mut answers = Vec::new();
    for exchange in exchanges.into_iter().filter(can_replay) {
        for (request, response) in exchange.requests.iter().zip(exchange.responses) {
            answers.push((simplified(Request::read(&request[25..])), response));
        }
    }
    Scripted::start(move |client| {
        while let Some(request) = receive(client) {
            let asked = simplified(request);
            match answers.iter().find(|(question, _)| *question == asked) {
                Some((_, answer)) => {
                    client.say(answer);
                }
                None => return client.close(),
            }
        }
    })
}

/// Returns true if an exchange can be replayed. Exchanges that begin with Init are excluded,
/// because they contain different responses for large documents. Searches with limits are also
/// excluded, and so are requests that a client conforming to RFC 1625 would not send.
fn can_replay(exchange: &Exchange) -> bool {
    let is_paged = exchange.name == "fetch-large-in-pages";
    let is_other = [
        "search-limited",
        "search-relevance",
        "fetch-docid-term-only",
    ];
    (exchange.requests.len() == 1 || is_paged)
        && !is_other.iter().any(|name| exchange.name.starts_with(name))
}

/// Resets those fields of a request that do not affect the response.
fn simplified(request: Request) -> Request {
    match request {
        Request::Init(_) => Request::Init(0),
        Request::Words {
            databases, words, ..
        } => Request::Words {
            databases,
            words,
            max_documents: 0,
        },
        document @ Request::Document { .. } => document,
    }
}

/// A decoded request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// An Init request, with the maximum size of messages in octets.
    Init(u64),
    /// A search for words.
    Words {
        /// The names of the databases, separated by the octet 1F.
        databases: Vec<u8>,
        /// The words.
        words: Vec<u8>,
        /// The maximum number of documents to return.
        max_documents: u64,
    },
    /// A request for part of a document.
    Document {
        /// The names of the databases, separated by the octet 1F.
        databases: Vec<u8>,
        /// The document-id.
        id: Vec<u8>,
        /// The type.
        wtype: Vec<u8>,
        /// `wb` for octets, `wl` for lines.
        unit: Vec<u8>,
        /// The range.
        range: Range<usize>,
    },
}

/// Receives a request. Returns `None` at the end of the connection.
///
/// # Panics
///
/// Panics if the request is one that a client conforming to RFC 1625 never sends.
pub fn receive(client: &mut Conversation) -> Option<Request> {
    let header = client.bytes(25);
    if header.is_empty() {
        return None;
    }
    let text = std::str::from_utf8(&header).expect("US-ASCII");
    let (length, rest) = text.split_at(10);
    assert_eq!(rest, "z2wais        0");
    let apdu = client.bytes(length.parse().expect("a length"));
    Some(Request::read(&apdu))
}

impl Request {
    /// Decodes a message without its header.
    ///
    /// # Panics
    ///
    /// Panics if the request is one that a client conforming to RFC 1625 never sends.
    pub fn read(apdu: &[u8]) -> Self {
        let split = usize::from(u16::from_be_bytes([apdu[0], apdu[1]])) + 2;
        let (header, information) = apdu.split_at(split);
        match header[2] {
            20 => Self::Init(read_number(&get(&fields(&header[3..]), 5))),
            22 => {
                let header = fields(&header[13..]);
                let databases = get(&header, 18);
                match get(&header, 20).as_slice() {
                    b"3" => Self::words(databases, &get(&fields(information), 99)),
                    b"1" => Self::document(databases, &get(&fields(information), 21)),
                    other => panic!("the query type {other:?}"),
                }
            }
            other => panic!("the PDU type {other}"),
        }
    }

    fn words(databases: Vec<u8>, query: &[u8]) -> Self {
        let query = fields(query);
        Self::Words {
            databases,
            words: get(&query, 106),
            max_documents: read_number(&get(&query, 114)),
        }
    }

    /// Decodes the search terms defined in RFC 1625, 4, in the order given there.
    fn document(databases: Vec<u8>, query: &[u8]) -> Self {
        let query = fields(query);
        let terms = query.iter().filter(|(tag, _)| *tag == 45);
        let terms: Vec<&[u8]> = terms.map(|(_, value)| value.as_slice()).collect();
        let digits = |term: &[u8]| std::str::from_utf8(term).unwrap().parse().unwrap();
        assert_eq!(terms.len(), 4);
        let unit = query.iter().filter(|(tag, _)| *tag == 44).nth(2);
        Self::Document {
            databases,
            id: terms[0].to_vec(),
            wtype: terms[1].to_vec(),
            unit: unit.unwrap().1[..2].to_vec(),
            range: digits(terms[2])..digits(terms[3]),
        }
    }
}

/// Splits a request into its fields.
fn fields(mut octets: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut found = Vec::new();
    while !octets.is_empty() {
        let tag = read_compressed(&mut octets);
        let length = read_compressed(&mut octets);
        let (value, rest) = octets.split_at(length);
        found.push((tag, value.to_vec()));
        octets = rest;
    }
    found
}

fn read_compressed(octets: &mut &[u8]) -> usize {
    let mut value = 0;
    loop {
        let (octet, rest) = octets.split_first().expect("a compressed integer");
        *octets = rest;
        value = value * 128 + usize::from(octet & 0x7F);
        if *octet < 0x80 {
            return value;
        }
    }
}

fn get(fields: &[(usize, Vec<u8>)], tag: usize) -> Vec<u8> {
    let field = fields.iter().find(|(found, _)| *found == tag);
    field.unwrap_or_else(|| panic!("no field {tag}")).1.clone()
}

fn read_number(octets: &[u8]) -> u64 {
    octets
        .iter()
        .fold(0, |value, octet| value * 256 + u64::from(*octet))
}

/// Encodes an integer in the compressed form.
pub fn compressed(value: usize) -> Vec<u8> {
    let mut octets = vec![(value & 0x7F) as u8];
    let mut rest = value >> 7;
    while rest > 0 {
        octets.insert(0, (rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    octets
}

/// Writes a field.
pub fn field(tag: usize, value: &[u8]) -> Vec<u8> {
    [&compressed(tag), &compressed(value.len()), value].concat()
}

/// Encodes a field whose value is a number.
pub fn number(tag: usize, value: usize) -> Vec<u8> {
    let octets = value.to_be_bytes();
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    field(tag, &octets[zeros.min(octets.len() - 1)..])
}

/// Writes a diagnostic.
pub fn diagnostic(code: &str, text: &str) -> Vec<u8> {
    let length = (text.len() + 3) as u16;
    [
        &[28][..],
        &length.to_be_bytes(),
        code.as_bytes(),
        text.as_bytes(),
        &[0, 0x1D],
    ]
    .concat()
}

/// Encodes an Init response with the given fields as a complete message.
pub fn init_response(fields: &[u8]) -> Vec<u8> {
    apdu(&[&[21, 1], fields].concat(), &[])
}

/// Encodes a Search response with the given records as a complete message.
pub fn search_response(records: &[u8]) -> Vec<u8> {
    let header = [&[23, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &field(27, &[0])].concat();
    apdu(&header, &field(99, records))
}

fn apdu(header: &[u8], information: &[u8]) -> Vec<u8> {
    let length = (header.len() as u16).to_be_bytes();
    message(&[&length, header, information].concat())
}

/// Prepends the message header to an APDU.
pub fn message(apdu: &[u8]) -> Vec<u8> {
    [
        format!("{:010}z2wais        0", apdu.len()).as_bytes(),
        apdu,
    ]
    .concat()
}
