//! The messages of WAIS, and the datagrams and lines of Prospero: whatever a server sends is
//! decoded or an error, and takes no more room than it has octets.

use crate::input;
use std::time::Duration;
use urikit_access::internal::ardp::{Exchange, Header, Progress, Timing};
use urikit_access::internal::text::{Lines, Record as Line, quote, words};
use urikit_access::internal::wais::{
    InitResponse, Record, SearchResponse, Source, decode_document_id, decode_header,
    encode_document_id,
};

/// A message without its header, a header, a document-id and a source description.
pub(crate) fn wais(octets: &[u8]) {
    if let Some(header) = octets.first_chunk() {
        let _ = decode_header(header);
    }
    if let Ok(init) = InitResponse::decode(octets) {
        assert_ne!(init.agreed(), Some(0));
    }
    if let Some(fields) = decode_document_id(octets) {
        assert_eq!(encode_document_id(fields).as_deref(), Some(octets));
    }
    if let Some(source) = Source::read(octets) {
        let fields = source.fields();
        let size: usize = fields.map(|(name, value)| name.len() + value.len()).sum();
        // A space may be added between two words.
        assert!(size <= 2 * octets.len());
    }
    let Ok(response) = SearchResponse::decode(octets) else {
        return;
    };
    let mut records = 0;
    for record in response.records {
        records += 1;
        match record {
            Ok(Record::Header(header)) => {
                let types: usize = header.types().map(<[u8]>::len).sum();
                assert!(types + header.id.len() + header.headline.len() <= octets.len());
            }
            Ok(_) => {}
            Err(error) => assert!(error.offset <= octets.len()),
        }
    }
    // A record has two octets or more.
    assert!(records <= octets.len() / 2 + 1);
}

/// How many octets an answer may have.
const MAX: usize = 1000;

/// Datagrams of one exchange, each after an octet with its length; and the same as lines.
pub(crate) fn prospero(octets: &[u8]) {
    lines(octets);
    let timing = Timing {
        wait: Duration::from_secs(4),
        tries: 3,
        max_wait: Duration::from_secs(60),
    };
    let exchange = Exchange::new(0x1234, b"VERSION\n", MAX, timing);
    let mut exchange = exchange.expect("a request in one packet");
    let (mut rest, mut now) = (octets, Duration::ZERO);
    while let Some((length, after)) = input::choice(rest) {
        // An acknowledgement, and what is sent again.
        assert!(exchange.outgoing().len() <= 2);
        let (datagram, after) = after.split_at(length.min(after.len()));
        (rest, now) = (after, now + Duration::from_secs(1));
        if let Ok((header, data)) = Header::decode(datagram) {
            let encoded = header.encode(data);
            let (again, same) = Header::decode(&encoded).expect("a header");
            assert_eq!(
                (again.id, again.packet, same),
                (header.id, header.packet, data)
            );
        }
        let received = exchange.receive(datagram, now);
        if !matches!(received, Ok(progress) if progress != Progress::Complete)
            || exchange.check(now).is_err()
        {
            break;
        }
    }
    assert!(exchange.into_answer().len() <= MAX);
}

/// Each octet is in one line, and what is quoted is read back.
fn lines(octets: &[u8]) {
    let mut count = 0;
    for line in Lines::new(octets) {
        count += line.len() + 1;
        let _ = Line::read(line);
        let Ok(read) = words(line) else {
            continue;
        };
        let quoted: Vec<_> = read.iter().map(|word| quote(word).into_owned()).collect();
        let quoted = quoted.join(&b' ');
        assert_eq!(words(&quoted).as_ref(), Ok(&read));
    }
    assert!(count == octets.len() || count == octets.len() + 1);
}
