//! Servers generated from seeds: databases of random sizes, records in random orders with random
//! additions, messages of random sizes in random pieces. A client must be able to fetch everything
//! from these servers.

use super::url;
use crate::support::{client_with, fetch, policy};
use std::num::NonZeroU32;
use std::thread;
use std::time::Duration;
use urikit_access::{Buffer, Client};
use urikit_historic::WaisProtocol;
use urikit_testkit::Random;
use urikit_testkit::servers::{Conversation, Scripted};
use urikit_testkit::wais::{
    Request, diagnostic, field, init_response, message, number, receive, search_response,
};

/// The number of servers.
const SERVERS: u64 = 40;

#[derive(Clone, Debug)]
struct Document {
    headline: Vec<u8>,
    id: Vec<u8>,
    types: Vec<&'static str>,
    score: usize,
    text: Vec<u8>,
}

#[derive(Clone, Debug)]
struct World {
    seed: u64,
    documents: Vec<Document>,
    /// The maximum size of responses after Init.
    max: usize,
    /// True if the Init response contains `max`.
    says_max: bool,
    /// True if the server reports a range past the end.
    reports_end: bool,
    /// True if the server sends as much as fits instead of an empty message. Without a length in
    /// the URL, a client mistakes a short part for the end.
    shortens: bool,
}

fn octets(random: &mut Random, most: usize) -> Vec<u8> {
    let count = random.below(most + 1);
    (0..count).map(|_| (random.bits() & 0xFF) as u8).collect()
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let count = random.below(40);
        let shortens = random.chance(30);
        let documents = (0..count).map(|number| Document::new(&mut random, number, shortens));
        Self {
            seed,
            documents: documents.collect(),
            max: 1_000 + random.below(40_000),
            says_max: random.chance(70),
            reports_end: random.chance(60),
            shortens,
        }
    }

    fn answer(&self, request: &Request, random: &mut Random) -> Vec<u8> {
        match request {
            Request::Init(max) => {
                let agreed = self.max.min(usize::try_from(*max).unwrap());
                let mut fields = field(3, &[0x80]);
                if self.says_max {
                    fields.extend(number(5, agreed + random.below(100)));
                    fields.extend(number(6, agreed));
                }
                init_response(&fields)
            }
            Request::Words { max_documents, .. } => {
                let most = usize::try_from(*max_documents).unwrap();
                let mut answer = Vec::new();
                // Sends as many as fit, like freeWAIS.
                for count in (0..=self.documents.len().min(most)).rev() {
                    answer = self.records(count, random);
                    if answer.len() <= self.max {
                        break;
                    }
                }
                answer
            }
            Request::Document {
                id, unit, range, ..
            } => {
                let document = self.documents.iter().find(|document| document.id == *id);
                let Some(document) = document else {
                    return search_response(&diagnostic("SF", "Request out of range"));
                };
                self.part(document, unit == b"wl", range, random)
            }
        }
    }

    fn records(&self, count: usize, random: &mut Random) -> Vec<u8> {
        let mut records = Vec::new();
        for document in &self.documents[..count] {
            if random.chance(10) {
                records.extend(unknown(random));
            }
            records.extend(document.record(random));
        }
        search_response(&records)
    }

    fn part(
        &self,
        document: &Document,
        is_lines: bool,
        range: &std::ops::Range<usize>,
        random: &mut Random,
    ) -> Vec<u8> {
        // The ends of the units.
        let ends: Vec<usize> = if is_lines {
            let lines = document.text.split_inclusive(|octet| *octet == b'\n');
            let end = |at: &mut usize, line: &[u8]| {
                *at += line.len();
                Some(*at)
            };
            lines.scan(0, end).collect()
        } else {
            Vec::new()
        };
        let count = if is_lines {
            ends.len()
        } else {
            document.text.len()
        };
        let offset = |unit: usize| match unit {
            unit if !is_lines => unit,
            0 => 0,
            unit => ends[unit - 1],
        };
        let mut end = range.end.min(count);
        loop {
            let is_there = range.start <= end;
            let part = is_there.then(|| &document.text[offset(range.start)..offset(end)]);
            let is_beyond = range.end > count;
            let mut records = Vec::new();
            if let Some(part) = part
                && (!part.is_empty() || !self.reports_end)
            {
                let mut fields = vec![field(116, &document.id), number(117, 0), field(127, part)];
                if random.chance(20) {
                    fields.insert(random.below(3), unknown(random));
                }
                records.extend(field(153, &fields.concat()));
            }
            if self.reports_end && (is_beyond || part.is_none()) && end == count
                || records.is_empty()
            {
                records.extend(diagnostic("SF", "Request out of range"));
            }
            let answer = search_response(&records);
            if answer.len() <= self.max {
                return answer;
            }
            if !self.shortens || is_lines {
                return message(b"");
            }
            end = range.start + (end - range.start) / 2;
        }
    }
}

/// Makes a field that clients do not know.
fn unknown(random: &mut Random) -> Vec<u8> {
    let tag = *random.pick(&[117, 125, 155, 200, 20_000]);
    field(tag, &octets(random, 20))
}

impl Document {
    fn new(random: &mut Random, place: usize, has_fields: bool) -> Self {
        let size = match random.below(4) {
            0 => 1,
            1 => 1 + random.below(100_000),
            _ => 1 + random.below(5_000),
        };
        let mut text: Vec<u8> = (0..size)
            .map(|_| match random.below(30) {
                0 => b'\n',
                _ => (random.bits() & 0xFF) as u8,
            })
            .collect();
        // No line exceeds the size of a message.
        for line in text.chunks_mut(200) {
            line[0] = b'\n';
        }
        // The number makes the document-id unique.
        let local = format!("{place} {size} /a;b=c").into_bytes();
        let id = match random.below(4) {
            0 if !has_fields => [&[0xFF, 0x80][..], &local].concat(),
            1 => [field(3, &local), field(7, &[0])].concat(),
            _ => [
                field(1, b"host:210"),
                field(2, &octets(random, 20)),
                field(3, &local),
                field(4, &octets(random, 5)),
                field(7, &[0]),
            ]
            .concat(),
        };
        let all = ["TEXT", "PS", "HTML", "GIF", "X-own type"];
        Self {
            headline: octets(random, 40),
            id,
            types: (0..=random.below(3)).map(|_| *random.pick(&all)).collect(),
            score: random.below(1001),
            text,
        }
    }

    /// Returns the fields in random order.
    fn record(&self, random: &mut Random) -> Vec<u8> {
        let types = self.types.iter().map(|name| field(133, name.as_bytes()));
        let mut fields = vec![
            field(116, &self.id),
            number(118, self.score),
            number(120, self.text.len()),
            field(132, &types.collect::<Vec<_>>().concat()),
            field(123, &self.headline),
        ];
        if random.chance(30) {
            fields.push(unknown(random));
        }
        for at in (1..fields.len()).rev() {
            fields.swap(at, random.below(at + 1));
        }
        field(*random.pick(&[150, 150, 151, 152]), &fields.concat())
    }
}

/// Sends a message in random pieces.
fn say(client: &mut Conversation, mut octets: &[u8], random: &mut Random) {
    while !octets.is_empty() {
        let count = match random.below(4) {
            0 => 1 + random.below(octets.len().min(40)),
            _ => octets.len(),
        };
        let (piece, rest) = octets.split_at(count);
        client.say(piece);
        if random.chance(2) {
            thread::sleep(Duration::from_millis(1));
        }
        octets = rest;
    }
}

fn serve(world: World) -> Scripted {
    Scripted::start(move |client| {
        let number = u64::try_from(client.number).unwrap();
        let mut random = Random::new(world.seed ^ number << 32);
        while let Some(request) = receive(client) {
            let answer = world.answer(&request, &mut random);
            say(client, &answer, &mut random);
        }
    })
}

fn name(headline: &[u8]) -> String {
    match std::str::from_utf8(headline) {
        Ok(text) => text.to_owned(),
        Err(_) => headline.iter().map(|octet| char::from(*octet)).collect(),
    }
}

#[test]
fn everything_is_fetched_from_generated_servers() {
    let (mut listed, mut fetched) = (0, 0);
    for seed in 0..SERVERS {
        let world = World::new(seed);
        let server = serve(world.clone());
        let mut client = client_with(policy());
        let get = |client: &mut Client, url: &str| -> Buffer {
            match fetch(client, url) {
                Ok((_, buffer)) => buffer,
                Err(error) => panic!("{seed} {url}: {error}"),
            }
        };
        let buffer = get(&mut client, &url(&server, "db?words"));
        // A search returns as many documents as fit in a message.
        let types = world.documents.iter().map(|document| document.types.len());
        assert!(buffer.entries.len() <= types.sum());
        assert!(
            !buffer.entries.is_empty() || world.documents.is_empty(),
            "{seed}"
        );
        // A document has an entry for each type, and a size for the first one.
        let rows = world.documents.iter().flat_map(|document| {
            let types = document.types.iter().enumerate();
            types.map(move |(index, wtype)| (document, *wtype, index == 0))
        });
        for (entry, (document, wtype, is_first)) in buffer.entries.iter().zip(rows) {
            listed += 1;
            assert_eq!(entry.name, name(&document.headline), "{seed}");
            let size = u64::try_from(document.text.len()).unwrap();
            assert_eq!(entry.size, is_first.then_some(size));
            let details = [
                ("score", document.score.to_string()),
                ("document_type", wtype.to_owned()),
            ];
            for detail in details {
                assert!(entry.details.contains(&detail), "{seed} {entry:?}");
            }
            let reference = entry.reference.as_deref().unwrap();
            let document_is = |buffer: Buffer, way: &str| {
                assert!(buffer.bytes == document.text, "{seed} {way} {reference}");
            };
            // Without a length in the URL, a part that is short is the last one.
            if is_first || !world.shortens {
                document_is(get(&mut client, reference), "by bytes");
                fetched += 1;
            }
            if is_first && document.text.len() < 5_000 && !world.shortens {
                // RFC 1738 has no length in the URL.
                let opaque = urikit_schemes::Wais::builder("127.0.0.1").port(server.port);
                let opaque = opaque.database("db").document("TEXT", &document.id);
                document_is(get(&mut client, opaque.build().unwrap().as_str()), "opaque");
                let wais = WaisProtocol::new().lines(NonZeroU32::new(50).unwrap());
                let mut client = client_with(policy()).protocol(wais);
                document_is(get(&mut client, reference), "by lines");
                fetched += 2;
            }
        }
    }
    assert!(listed > 300 && fetched > 600, "{listed} {fetched}");
}
