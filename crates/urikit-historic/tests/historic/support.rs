//! Helpers for the tests of both protocols.

use std::time::Duration;
use urikit::Standard;
use urikit_access::{
    Action, Buffer, Client, Error, Event, NoPrompt, Plan, Policy, Request, Response, Result,
};
use urikit_historic::{ProsperoProtocol, WaisProtocol};

/// A policy for servers on loopback, with short timeouts so that a hanging test fails soon.
pub(crate) fn policy() -> Policy {
    Policy::permissive()
        .allow_private(true)
        .connect_timeout(Duration::from_secs(5))
        .idle_timeout(Duration::from_secs(2))
        .total_timeout(Duration::from_secs(5))
}

pub(crate) fn client() -> Client {
    client_with(policy())
}

/// A client with both protocols.
pub(crate) fn client_with(policy: Policy) -> Client {
    Client::new(policy)
        .protocol(ProsperoProtocol::new())
        .protocol(WaisProtocol::new())
}

/// Fetches a URL of RFC 3986 without prompts.
pub(crate) fn fetch(client: &mut Client, url: &str) -> Result<(Response, Buffer)> {
    fetch_with(client, url, |request| request)
}

/// Fetches a URL with a modified request.
pub(crate) fn fetch_with(
    client: &mut Client,
    url: &str,
    more: impl Fn(Request<'_>) -> Request<'_>,
) -> Result<(Response, Buffer)> {
    let reference = Standard::Rfc3986.parse(url).expect("a URL");
    let mut buffer = Buffer::default();
    let response = client.fetch(&more(Request::new(reference)), &mut NoPrompt, &mut buffer)?;
    Ok((response, buffer))
}

/// Fetches a URL, and returns the error, which must occur.
pub(crate) fn fails(client: &mut Client, url: &str) -> Error {
    match fetch(client, url) {
        Ok((response, buffer)) => panic!(
            "{url}: {response:?}\n{:?}",
            String::from_utf8_lossy(&buffer.bytes)
        ),
        Err(error) => error,
    }
}

/// Returns the plan for a URL.
pub(crate) fn plan(client: &Client, url: &str) -> Result<Plan> {
    let reference = Standard::Rfc3986.parse(url).expect("a URL");
    client.plan(&Request::new(reference))
}

/// Converts events to text.
pub(crate) trait Rendered {
    fn rendered(&self) -> Vec<String>;
}

impl Rendered for Response {
    fn rendered(&self) -> Vec<String> {
        self.events.iter().map(Event::to_string).collect()
    }
}

impl Rendered for Error {
    fn rendered(&self) -> Vec<String> {
        self.events().iter().map(Event::to_string).collect()
    }
}

/// Compares the commands that were sent with the plan. Every command must be planned, in the same
/// order, and every unconditional command of the plan must have been sent.
pub(crate) fn assert_as_planned(plan: &Plan, steps: &[String]) {
    let sent = steps.iter().filter_map(|step| step.strip_prefix("> "));
    let mut sent = sent.peekable();
    for step in plan.steps() {
        let Action::Send(command) = &step.action else {
            continue;
        };
        // Plans and events escape commands in the same way.
        let always = step.when.is_none();
        let displayed = step.to_string();
        let displayed = displayed.strip_prefix("send     ").expect("a command");
        let planned = if command.words().is_some() {
            // A description in words has no quotation marks.
            displayed.split("  (").next().expect("the words")
        } else {
            let (line, _) = displayed.rsplit_once('"').expect("a quoted line");
            line.strip_prefix('"').expect("a quoted line")
        };
        let is_sent = sent.next_if_eq(&planned).is_some();
        assert!(
            is_sent || !always,
            "planned and not sent: {planned:?}\n{plan}\n{steps:#?}"
        );
    }
    assert_eq!(
        sent.next(),
        None,
        "sent and not planned\n{plan}\n{steps:#?}"
    );
}
