//! What a client would do for a URL: the rows of `testdata/schemes/`, and properties of every URL.
//! The tests do not connect.

mod every_url;
mod rows;

use urikit::AnyRef;
use urikit_access::protocol::{FtpProtocol, HttpProtocol};
use urikit_access::{Action, Client, Plan, Planned, Policy, Request, Result};
use urikit_schemes::Edition;

/// Returns a client without optional behaviour, which sends only what the URL requires.
fn client() -> Client {
    Client::new(Policy::permissive())
        .protocol(FtpProtocol::new().details(false))
        .protocol(HttpProtocol::new().user_agent("").accept(""))
}

fn outline(client: &Client, reference: AnyRef<'_>, edition: Edition) -> Result<Plan> {
    client.outline(&Request::new(reference).edition(edition))
}

/// Writes a step as the rows do.
fn step(step: &Planned) -> String {
    let what = match &step.action {
        Action::Connect(host, port) => format!("connect {host} {port}"),
        Action::Send(command) => match command.words() {
            Some(words) => format!("send {words}"),
            None => format!("send {}", command.octets().escape_ascii()),
        },
        action => match action.words() {
            (words, with) if with.is_empty() => words.to_owned(),
            (words, with) => format!("{words}: {}", with.escape_ascii()),
        },
    };
    match &step.when {
        Some(when) => format!("{what} ({when})"),
        None => what,
    }
}
