//! What a client sends, decoded.

use crate::servers::Conversation;
use std::ops::Range;

/// A request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Init, with the largest message in octets.
    Init(u64),
    /// A search for words.
    Words {
        /// The databases, separated by 1F.
        databases: Vec<u8>,
        /// The words.
        words: Vec<u8>,
        /// How many documents are returned at most.
        max_documents: u64,
    },
    /// A search for a part of a document.
    Document {
        /// The databases, separated by 1F.
        databases: Vec<u8>,
        /// The document-id.
        id: Vec<u8>,
        /// The type.
        wtype: Vec<u8>,
        /// `wb` for octets, `wl` for lines.
        unit: Vec<u8>,
        /// The part.
        range: Range<usize>,
    },
}

/// Receives a request; `None` at the end of the connection.
///
/// # Panics
///
/// If it is no request that a client of RFC 1625 sends.
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
    /// Reads a message without its header.
    ///
    /// # Panics
    ///
    /// If it is no request that a client of RFC 1625 sends.
    pub fn read(apdu: &[u8]) -> Self {
        let split = usize::from(u16::from_be_bytes([apdu[0], apdu[1]])) + 2;
        let (header, information) = apdu.split_at(split);
        match header[2] {
            20 => Self::Init(number(&get(&fields(&header[3..]), 5))),
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
            max_documents: number(&get(&query, 114)),
        }
    }

    /// The terms of RFC 1625, 4, in that order.
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

/// The fields of a request.
fn fields(mut octets: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut found = Vec::new();
    while !octets.is_empty() {
        let tag = compressed(&mut octets);
        let length = compressed(&mut octets);
        let (value, rest) = octets.split_at(length);
        found.push((tag, value.to_vec()));
        octets = rest;
    }
    found
}

fn compressed(octets: &mut &[u8]) -> usize {
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

fn number(octets: &[u8]) -> u64 {
    octets
        .iter()
        .fold(0, |value, octet| value * 256 + u64::from(*octet))
}
