//! Helpers that the tests of all protocols share.

use std::time::Duration;
use urikit::Standard;
use urikit_access::{
    Action, Buffer, Client, Error, Event, NoPrompt, Plan, Policy, Request, Response, Result,
    Uploaded,
};

/// A policy for servers on loopback, with short timeouts, so that a hanging test fails soon.
pub(crate) fn policy() -> Policy {
    Policy::permissive()
        .allow_private(true)
        .connect_timeout(Duration::from_secs(5))
        .idle_timeout(Duration::from_secs(2))
        .total_timeout(Duration::from_secs(5))
}

pub(crate) fn client() -> Client {
    Client::new(policy())
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

/// Returns the result of some work, and this thread's peak memory during the work, in bytes. Other
/// tests and the scripted servers run in other threads.
pub(crate) fn memory<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let mut result = None;
    let memory = allocation_counter::measure(|| result = Some(work()));
    (result.expect("the work"), memory.bytes_max)
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

impl Rendered for Uploaded {
    fn rendered(&self) -> Vec<String> {
        self.events.iter().map(Event::to_string).collect()
    }
}

impl Rendered for Error {
    fn rendered(&self) -> Vec<String> {
        self.events().iter().map(Event::to_string).collect()
    }
}

/// Returns the lines that were sent, masked as in a plan.
pub(crate) fn sent(steps: &[String]) -> Vec<&str> {
    steps
        .iter()
        .filter_map(|step| step.strip_prefix("> "))
        .collect()
}

/// Compares the lines that were sent with the plan. Every line must be planned, in the same order,
/// and every unconditional line of the plan must have been sent.
pub(crate) fn assert_as_planned(plan: &Plan, steps: &[String]) {
    let mut sent = sent(steps).into_iter().peekable();
    for step in plan.steps() {
        let Action::Send(command) = &step.action else {
            continue;
        };
        // Plans and events escape lines in the same way.
        let always = step.when.is_none();
        let shown = step.to_string();
        let shown = shown.strip_prefix("send     ").expect("what is sent");
        let planned = if command.words().is_some() {
            // A description in words has no quotation marks.
            shown.split("  (").next().expect("the words")
        } else {
            let (line, _) = shown.rsplit_once('"').expect("a quoted line");
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
