//! The rows of `testdata/prospero/`: exchanges with a real directory server.

use crate::data;
use serde::Deserialize;

/// A recorded exchange.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// Its name, which is unique.
    pub name: String,
    /// What it is, in a sentence.
    pub what: String,
    /// Who sent each datagram: `c` the client, `s` the server.
    pub order: String,
    /// The datagrams of the client.
    pub request: Vec<Datagram>,
    /// The datagrams of the server.
    pub response: Vec<Datagram>,
    /// Whether the datagrams of the server are all of its answer.
    pub complete: bool,
    /// The words of the answer, line by line; of a long answer, the first lines.
    pub lines: Vec<Vec<String>>,
}

/// A datagram.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Datagram {
    /// Its header, in hexadecimal digits.
    pub header: String,
    /// Its data, as ISO 8859-1.
    pub text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    exchange: Vec<Exchange>,
}

/// The exchanges, in order.
///
/// # Panics
///
/// If the file is missing or has another form.
pub fn exchanges() -> Vec<Exchange> {
    let path = data::project_root().join("testdata/prospero/exchanges.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let file: File = toml::from_str(&text).unwrap();
    file.exchange
}

impl Exchange {
    /// The text of the request: the data of its datagrams.
    pub fn request_text(&self) -> Vec<u8> {
        let requests = self.request.iter().map(|datagram| latin1(&datagram.text));
        requests.collect::<Vec<_>>().concat()
    }
}

impl Datagram {
    /// Its octets.
    ///
    /// # Panics
    ///
    /// If the header is not hexadecimal.
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

/// The octets of a text of ISO 8859-1.
///
/// # Panics
///
/// If a character is none of ISO 8859-1.
pub fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap()).collect()
}

/// All exchanges that were recorded, where the shared folder is present; otherwise says so.
///
/// # Panics
///
/// If the file has another form.
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

/// A datagram of which all is hexadecimal.
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
