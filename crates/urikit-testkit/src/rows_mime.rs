//! The rows of `testdata/mime/messages.toml`: messages, and their parts by Content-ID.

use crate::data::project_root;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;

/// A message, and its parts.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The RFC and section, or what is wrong with it.
    pub origin: String,
    /// The message.
    pub text: String,
    /// The bodies of parts by their Content-ID, decoded.
    pub parts: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    message: Vec<Message>,
}

/// All messages.
///
/// # Panics
///
/// If the file cannot be read or has another form, which is a mistake in the data.
pub fn messages() -> Vec<Message> {
    let path = project_root().join("testdata/mime/messages.toml");
    let text = fs::read_to_string(path).expect("the file is there");
    let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
    file.message
}
