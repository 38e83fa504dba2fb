//! A directory server that answers as a real one did: `testdata/prospero/`.

use super::Datagrams;
use crate::rows_prospero::{Exchange, exchanges};
use std::collections::HashMap;

/// Replays the recorded answers. What was not recorded is not found.
pub struct Prospero(pub Datagrams);

/// What a request asks for: the command, and the name of the object.
type Key = (String, String);

impl Prospero {
    /// Starts a server.
    ///
    /// # Panics
    ///
    /// If the recordings are missing.
    pub fn start() -> Self {
        Self::with(Vec::new())
    }

    /// Starts a server that answers some requests otherwise: requests that contain the first text
    /// are answered with the second one.
    ///
    /// # Panics
    ///
    /// If the recordings are missing.
    pub fn with(own: Vec<(String, String)>) -> Self {
        let exchanges = exchanges();
        // What was sent in answer to the last datagram of each connection.
        let mut states: HashMap<[u8; 2], (usize, usize)> = HashMap::new();
        Self(Datagrams::start(move |datagram, _| {
            let (header, text) = datagram.split_at(usize::from(datagram[0]));
            let id = [header[1], header[2]];
            let text = String::from_utf8_lossy(text).into_owned();
            if let Some((_, answer)) = own.iter().find(|(request, _)| text.contains(request)) {
                return vec![[&[3, id[0], id[1]], answer.as_bytes()].concat()];
            }
            let is_acknowledgement = header[3..5] == [0, 0];
            let state = states.get(&id).copied();
            let (index, step) = match (state, is_acknowledgement) {
                (Some((index, step)), true) => (index, step + 1),
                (None, true) => return Vec::new(),
                (_, false) => match find(&exchanges, &text) {
                    Some(index) => (index, 1),
                    None => {
                        return vec![[&[3, id[0], id[1]], &b"FAILURE NOT-FOUND\n"[..]].concat()];
                    }
                },
            };
            states.insert(id, (index, step));
            group(&exchanges[index], step, id)
        }))
    }
}

/// The datagrams that the server sent between the `step`th datagram of the client and the next one.
fn group(exchange: &Exchange, step: usize, id: [u8; 2]) -> Vec<Vec<u8>> {
    let recorded = exchange.request[0].octets();
    let recorded = [recorded[1], recorded[2]];
    let (mut sent, mut answers) = (0, exchange.response.iter());
    let mut group = Vec::new();
    for who in exchange.order.chars() {
        if who == 'c' {
            sent += 1;
            continue;
        }
        let mut octets = answers.next().unwrap().octets();
        // The server swaps the id in some.
        let swapped = octets[1..3] != recorded;
        octets[1] = id[usize::from(swapped)];
        octets[2] = id[usize::from(!swapped)];
        if sent == step {
            group.push(octets);
        }
    }
    group
}

/// The exchange with this request, or else with one about the same object.
fn find(exchanges: &[Exchange], text: &str) -> Option<usize> {
    // The line before names the client.
    let own = |text: &str| text.split_once('\n').map(|(_, rest)| rest.to_owned());
    let same = |exchange: &Exchange| {
        let recorded = String::from_utf8_lossy(&exchange.request_text()).into_owned();
        own(&recorded) == own(text)
    };
    let wanted = key(text);
    let about = |exchange: &Exchange| {
        let recorded = String::from_utf8_lossy(&exchange.request_text()).into_owned();
        wanted.is_some() && key(&recorded) == wanted && !recorded.contains("LIST '' ")
    };
    let any = |exchange: &Exchange| {
        let recorded = String::from_utf8_lossy(&exchange.request_text()).into_owned();
        wanted.is_some() && key(&recorded) == wanted
    };
    let mut places = exchanges.iter();
    places
        .position(same)
        .or_else(|| exchanges.iter().position(about))
        .or_else(|| exchanges.iter().position(any))
}

fn key(text: &str) -> Option<Key> {
    let line = text.lines().nth(2)?;
    let (command, rest) = line.split_once(' ')?;
    let (_, name) = rest.split_once("ASCII ")?;
    let name = if command == "GET-OBJECT-INFO" {
        if rest.starts_with("CONTENTS") {
            return None;
        }
        name.rsplit_once(' ')?.0
    } else {
        // A component is another request.
        let list = text.lines().nth(3)?;
        if !list.trim_end().ends_with("COMPONENTS") {
            return None;
        }
        name
    };
    Some((command.to_owned(), name.to_owned()))
}
