//! Recorded exchanges with a real Prospero directory server (`testdata/prospero/`), and a server
//! for tests that replays them.

use crate::data;
use crate::servers::Datagrams;
use serde::Deserialize;
use std::collections::HashMap;

/// A recorded exchange.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The unique name.
    pub name: String,
    /// A sentence that describes the exchange.
    pub what: String,
    /// The sender of each datagram: `c` for the client, `s` for the server.
    pub order: String,
    /// The datagrams from the client.
    pub request: Vec<Datagram>,
    /// The datagrams from the server.
    pub response: Vec<Datagram>,
    /// True if the server's datagrams form a complete response.
    pub complete: bool,
    /// The words of the response, line by line. For a long response, only the first lines are
    /// listed.
    pub lines: Vec<Vec<String>>,
}

/// A datagram.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Datagram {
    /// The header in hexadecimal digits.
    pub header: String,
    /// The data in ISO 8859-1.
    pub text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    exchange: Vec<Exchange>,
}

/// Returns the recorded exchanges in order.
///
/// # Panics
///
/// Panics if the file is missing or malformed.
pub fn exchanges() -> Vec<Exchange> {
    let path = data::project_root().join("testdata/prospero/exchanges.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let file: File = toml::from_str(&text).unwrap();
    file.exchange
}

impl Exchange {
    /// Returns the text of the request, which is the data of its datagrams.
    pub fn request_text(&self) -> Vec<u8> {
        let requests = self.request.iter().map(|datagram| latin1(&datagram.text));
        requests.collect::<Vec<_>>().concat()
    }
}

impl Datagram {
    /// Returns the octets.
    ///
    /// # Panics
    ///
    /// Panics if the header is not hexadecimal.
    pub fn octets(&self) -> Vec<u8> {
        let mut octets: Vec<u8> = self
            .header
            .as_bytes()
            .chunks(2)
            .map(|digits| u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap())
            .collect();
        octets.extend(latin1(&self.text));
        octets
    }
}

/// Encodes a string in ISO 8859-1.
///
/// # Panics
///
/// Panics if the text has a character that is not in ISO 8859-1.
pub fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap()).collect()
}

/// Returns all recorded exchanges if the folder of shared data is present.
///
/// # Panics
///
/// Panics if the file is malformed.
pub fn shared_exchanges() -> Vec<Exchange> {
    let name = "protocols/recordings/prospero.jsonl";
    let Some(path) = data::shared("all recordings of prospero", name) else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(shared).collect()
}

fn shared(line: &str) -> Exchange {
    let row: serde_json::Value = serde_json::from_str(line).unwrap();
    let text = |name: &str| row[name].as_str().unwrap().to_owned();
    let datagrams = |name: &str| {
        let datagrams = row[name].as_array().unwrap().iter();
        datagrams
            .map(|hex| datagram(hex.as_str().unwrap()))
            .collect()
    };
    let meaning = &row["meaning"];
    Exchange {
        name: text("name"),
        what: text("what"),
        order: text("order"),
        request: datagrams("request_hex"),
        response: datagrams("response_hex"),
        complete: meaning["complete"].as_bool().unwrap(),
        lines: serde_json::from_value(meaning["lines"].clone()).unwrap_or_default(),
    }
}

/// Splits a datagram, written in hexadecimal digits, into header and data.
fn datagram(hex: &str) -> Datagram {
    let all = Datagram {
        header: hex.to_owned(),
        text: String::new(),
    };
    let octets = all.octets();
    let header = usize::from(octets[0] & 0x3F);
    Datagram {
        header: hex[..2 * header].to_owned(),
        text: octets[header..].iter().copied().map(char::from).collect(),
    }
}

/// A server that replays recorded responses. The server reports an object as not found if no
/// response for it was recorded.
pub struct Prospero(pub Datagrams);

/// A command, and the name of the object to which it applies.
type Key = (String, String);

impl Prospero {
    /// Starts a server.
    ///
    /// # Panics
    ///
    /// Panics if the recordings are missing.
    pub fn start() -> Self {
        Self::with(Vec::new())
    }

    /// Starts a server with additional responses. `own` contains pairs of strings: if a request
    /// contains the first string of a pair, the response is the second.
    ///
    /// # Panics
    ///
    /// Panics if the recordings are missing.
    pub fn with(own: Vec<(String, String)>) -> Self {
        let exchanges = exchanges();
        // For each connection, the index of the exchange and the current step.
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

/// Returns the datagrams that the server sent after the client's datagram number `step` and before
/// the next one.
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
        // The recorded server swapped the octets of the id in some datagrams.
        let swapped = octets[1..3] != recorded;
        octets[1] = id[usize::from(swapped)];
        octets[2] = id[usize::from(!swapped)];
        if sent == step {
            group.push(octets);
        }
    }
    group
}

/// Finds the exchange with this request, or an exchange about the same object.
fn find(exchanges: &[Exchange], text: &str) -> Option<usize> {
    // The first line identifies the client, so it is ignored.
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

/// Returns the key of a request if it asks for an object or a complete directory.
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
        // A request for components of a directory has no key.
        let list = text.lines().nth(3)?;
        if !list.trim_end().ends_with("COMPONENTS") {
            return None;
        }
        name
    };
    Some((command.to_owned(), name.to_owned()))
}
