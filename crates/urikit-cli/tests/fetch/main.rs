//! `uri fetch` and `uri send` against scripted servers. The tests of `urikit-access` run each
//! protocol against real servers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking
#![allow(clippy::indexing_slicing, clippy::string_slice)] // as these do

mod asked;
mod bodies;
mod curl;
mod gemini;
mod habits;
mod hosts;
mod lists;
mod mistakes;
mod policy;
mod prospero;
mod recursive;
mod redirects;
mod resume;
mod secrets;
mod send;
mod status;
#[path = "../cli/support.rs"]
#[allow(dead_code)] // shared with the other tests of the command
mod support;
#[path = "../cli/terminal.rs"]
#[allow(dead_code)] // shared, too
mod terminal;
mod wais;

use urikit_testkit::servers::{Conversation, Scripted};

/// Runs `uri fetch --allow-private ARGUMENTS`.
fn fetch<'a>(arguments: impl IntoIterator<Item = &'a str>) -> support::Outcome {
    support::uri(["fetch", "--allow-private"].into_iter().chain(arguments))
}

/// Reads an HTTP request: its first line and its header fields.
fn request(client: &mut Conversation) -> Option<(String, Vec<String>)> {
    let first = client.line()?;
    let mut fields = Vec::new();
    while let Some(line) = client.line().filter(|line| !line.is_empty()) {
        fields.push(line);
    }
    Some((first, fields))
}

/// An HTTP server with one response per target: the status line after the version, the header
/// fields, and the body.
fn http(answers: &'static [(&'static str, &'static str, &'static [u8])]) -> Scripted {
    Scripted::start(move |client| {
        let Some((first, _)) = request(client) else {
            return;
        };
        let target = first.split(' ').nth(1).unwrap_or_default();
        let (_, head, body) = answers
            .iter()
            .find(|answer| answer.0 == target)
            .expect("an answer");
        client.say(format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n"));
        if !first.starts_with("HEAD") {
            client.say(body);
        }
        client.close();
    })
}
