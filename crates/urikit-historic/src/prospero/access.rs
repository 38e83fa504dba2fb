//! Carries out a transfer: queries servers, follows access methods, and fetches contents.

use super::ProsperoProtocol;
use super::ardp::{Exchange, Failure, Progress, Timing};
use super::method::{ACCESS_METHOD, Method};
use super::object::{Command, Object, request_text};
use super::text::{Attribute, Lines, Link, Record, Unreadable, Word};
use jiff::Timestamp;
use std::net::{SocketAddr, SocketAddrV4};
use std::time::{Duration, Instant};
use urikit_access::listing::{Entry, EntryKind};
use urikit_access::policy::Refusal;
use urikit_access::protocol::Outcome;
use urikit_access::protocol::parse::{number, utc_time};
use urikit_access::{
    Command as _, Context, Error, ErrorKind, Event, Metadata, Output, Result, Wanted,
};

/// The maximum length of a response in octets. A response has at most 65,535 packets, which
/// contain 82 million octets if they have the usual size.
const MAX_RESPONSE: u64 = 96 << 20;

/// The maximum number of attributes of an object or a link.
pub(super) const MAX_ATTRIBUTES: usize = 10_000;

/// The attribute that replaces `FORWARDED` in a response to a request for all attributes.
const FORWARDING_POINTER: &[u8] = b"FORWARDING-POINTER";

/// A transfer in progress.
pub(super) struct Access<'a, 'c, 'o> {
    pub(super) settings: ProsperoProtocol,
    pub(super) object: Object,
    pub(super) context: &'a mut Context<'c>,
    pub(super) output: &'a mut Output<'o>,
}

/// A server's response to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Response {
    /// The text of the response.
    Text(Vec<u8>),
    /// The address of another server, to which the request must be sent.
    Redirect(SocketAddrV4),
}

/// A response to `GET-OBJECT-INFO`.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Information<'a> {
    /// The attributes of the object.
    Attributes(Vec<Attribute<'a>>),
    /// The new object, if the requested object was moved.
    Moved(Object),
    /// The response line that reports a failure.
    Failed(&'a [u8]),
}

/// The error if a server did not send a complete response.
struct Unanswered {
    error: Error,
    /// True if the server sent at least one datagram.
    is_heard: bool,
}

/// The result of requesting the contents of an object.
enum Contents {
    Fetched(Outcome),
    /// The response line that reports a failure.
    Failed(Vec<u8>),
}

impl Access<'_, '_, '_> {
    /// Fetches the object.
    pub(super) fn run(mut self, wanted: Wanted) -> Result<Outcome> {
        if self.context.redirect_failed() {
            return match self.contents(Metadata::default())? {
                Contents::Fetched(outcome) => Ok(outcome),
                Contents::Failed(line) => Err(denied(&line)),
            };
        }
        let text = match self.ask(&self.object, &self.object.information()?)? {
            Response::Text(text) => text,
            Response::Redirect(server) => {
                return Ok(Outcome::Redirect(self.object.on(server).url()?));
            }
        };
        match Information::read(&text, self.context)? {
            Information::Moved(object) => Ok(Outcome::Redirect(object.url()?)),
            // A directory may exist only as a set of links, without being an object.
            Information::Failed(line) if wanted == Wanted::Body && !is_final(line) => {
                self.list()?.ok_or_else(|| denied(line))
            }
            Information::Failed(line) => Err(denied(line)),
            Information::Attributes(attributes) if wanted == Wanted::Metadata => {
                self.output.begin(metadata(&attributes))?;
                Ok(Outcome::Done)
            }
            Information::Attributes(attributes) => self.body(&attributes),
        }
    }

    /// Follows an access method. If the method fails, and the directory server offers the
    /// contents, fetches the contents from there. If the object has no access method, lists it as
    /// a directory.
    fn body(&mut self, attributes: &[Attribute<'_>]) -> Result<Outcome> {
        let methods = attributes
            .iter()
            .filter(|attribute| *attribute.name == *ACCESS_METHOD)
            .map(|attribute| Method {
                words: &attribute.value,
                host: &self.object.host,
                name: &self.object.name,
            });
        let urls: Vec<_> = methods.clone().filter_map(|method| method.url()).collect();
        let is_allowed = |url: &&String| {
            let scheme = url.split(':').next().unwrap_or_default();
            self.context.check_redirect(scheme).is_ok()
        };
        let allowed = urls.iter().find(is_allowed);
        let has_contents = methods.clone().any(|method| method.is_contents());
        let is_directory = methods.count() == 0;
        match (allowed, urls.first()) {
            (Some(url), _) if has_contents => return Ok(Outcome::TryFirst(url.clone())),
            // If the policy allows none of the URLs, return one of them, so that the client
            // reports the refusal.
            (Some(url), _) | (None, Some(url)) if !has_contents => {
                return Ok(Outcome::Redirect(url.clone()));
            }
            _ => {}
        }
        let failure = if has_contents {
            match self.contents(metadata(attributes))? {
                Contents::Fetched(outcome) => return Ok(outcome),
                Contents::Failed(line) => Some(line),
            }
        } else {
            None
        };
        if is_directory && let Some(outcome) = self.list()? {
            return Ok(outcome);
        }
        self.show(attributes, failure.as_deref())
    }

    /// Fetches the contents.
    fn contents(&mut self, metadata: Metadata) -> Result<Contents> {
        let redirect = |object: Object| {
            let outcome = Outcome::Redirect(object.url()?);
            Ok(Contents::Fetched(outcome))
        };
        let text = match self.ask(&self.object, &self.object.contents()?)? {
            Response::Text(text) => text,
            Response::Redirect(server) => return redirect(self.object.on(server)),
        };
        let attributes = match Information::read(&text, self.context)? {
            Information::Moved(object) => return redirect(object),
            Information::Failed(line) => return Ok(Contents::Failed(line.to_vec())),
            Information::Attributes(attributes) => attributes,
        };
        let mut parts = Vec::new();
        for attribute in attributes {
            let is_contents = *attribute.name == *b"CONTENTS";
            match attribute.value.as_slice() {
                [kind, data, ..] if is_contents && **kind == *b"DATA" => parts.push(data.to_vec()),
                [kind, tag, data, ..] if is_contents && **kind == *b"TAGGED" => {
                    parts.push([tag, &b": "[..], data, b"\n"].concat());
                }
                _ => {}
            }
        }
        if parts.is_empty() {
            return Ok(Contents::Failed(b"no contents".to_vec()));
        }
        self.output.begin(metadata)?;
        for part in parts {
            self.output.bytes(&part)?;
        }
        Ok(Contents::Fetched(Outcome::Done))
    }

    /// Lists the attributes of an object that cannot be fetched.
    fn show(&mut self, attributes: &[Attribute<'_>], failure: Option<&[u8]>) -> Result<Outcome> {
        self.context
            .note("no access method can be used, so the attributes are listed");
        let mut metadata = metadata(attributes);
        metadata.is_listing = true;
        self.output.begin(metadata)?;
        for attribute in attributes {
            let text = [&attribute.name, &b" "[..], &display_words(&attribute.value)].concat();
            let kind = if *attribute.name == *ACCESS_METHOD {
                EntryKind::Other
            } else {
                EntryKind::Text
            };
            self.output.entry(&Entry::new(kind, &text))?;
        }
        if let Some(failure) = failure {
            self.output.entry(&Entry::new(EntryKind::Error, failure))?;
        }
        Ok(Outcome::Done)
    }

    /// Sends a request to an object's server, and receives the response. Tries the server's
    /// addresses in order until a response begins to arrive from one of them.
    pub(super) fn ask(&self, object: &Object, commands: &[Command]) -> Result<Response> {
        let step = || format!("asking {}:{}", object.host, object.port);
        let asked = self.ask_addresses(object, commands);
        asked.map_err(|error| error.with_step(step()))
    }

    fn ask_addresses(&self, object: &Object, commands: &[Command]) -> Result<Response> {
        let context = &*self.context;
        let peers = context.datagram_peers(&object.host, object.port)?;
        let request = request_text(commands);
        let max = context.connect_timeout();
        let connecting = context.deadline().within(max);
        let mut failure: Option<Error> = None;
        for (index, peer) in peers.iter().enumerate() {
            context.record(Event::Connected {
                host: object.host.clone(),
                port: object.port,
                address: peer.ip(),
            });
            if index == 0 {
                for command in commands {
                    context.record_sent(command);
                }
            }
            let addresses = u32::try_from(peers.len() - index).unwrap_or(u32::MAX);
            let within = connecting.left(max)? / addresses;
            match self.exchange(&object.host, *peer, &request, within) {
                Ok(response) => return Ok(response),
                Err(Unanswered { error, is_heard }) => {
                    let sent = commands.last().map(|command| command.masked());
                    let error = error.with_sent(&sent.unwrap_or_default());
                    if is_heard {
                        return Err(error);
                    }
                    failure = failure.or(Some(error));
                }
            }
        }
        Err(failure.unwrap_or_else(|| Error::new(ErrorKind::HostNotFound)))
    }

    /// Sends a request to one address of a host. The first datagram of a response must arrive
    /// before the time `within` has elapsed.
    fn exchange(
        &self,
        host: &str,
        peer: SocketAddr,
        request: &[u8],
        within: Duration,
    ) -> std::result::Result<Response, Unanswered> {
        let context = &*self.context;
        let begin = Instant::now();
        let max = MAX_RESPONSE.min(context.max_bytes());
        let not_heard = |error| Unanswered {
            error,
            is_heard: false,
        };
        let mut datagrams = context.datagrams(host, peer).map_err(not_heard)?;
        let timing = Timing {
            wait: self.settings.wait,
            tries: self.settings.tries,
            max_wait: context.idle_timeout(),
        };
        let id = connection_id(context).map_err(not_heard)?;
        let octets = usize::try_from(max).unwrap_or(usize::MAX);
        let mut exchange = Exchange::new(id, request, octets, timing)
            .map_err(|failure| not_heard(failed(failure, max)))?;
        // The time at which to give up. Each datagram that is received restarts the idle timeout.
        let mut end = within;
        loop {
            let is_heard = exchange.is_heard();
            let unanswered = |error| Unanswered { error, is_heard };
            for datagram in exchange.outgoing() {
                datagrams.send(&datagram).map_err(unanswered)?;
            }
            let now = begin.elapsed();
            if now >= end {
                return Err(unanswered(failed(Failure::Silence, max)));
            }
            let wait = exchange.due().min(end).saturating_sub(now);
            if wait.is_zero() {
                let again = exchange.check(now);
                if again.map_err(|failure| unanswered(failed(failure, max)))? {
                    context.note("no response: repeating the request");
                }
                continue;
            }
            let Some(datagram) = datagrams.receive(wait).map_err(unanswered)? else {
                continue;
            };
            let now = begin.elapsed();
            let progress = exchange.receive(datagram, now);
            if exchange.is_heard() {
                end = now.saturating_add(context.idle_timeout());
            }
            match progress.map_err(|failure| unanswered(failed(failure, max)))? {
                Progress::Waiting => {}
                Progress::Refused => {
                    let error = Error::new(ErrorKind::server(None, b"ARDP: connection refused"));
                    return Err(Unanswered {
                        error,
                        is_heard: true,
                    });
                }
                Progress::Redirected(address) => return Ok(Response::Redirect(address)),
                Progress::Complete => {
                    for datagram in exchange.outgoing() {
                        // The response is complete, so it does not matter if this acknowledgement
                        // is lost.
                        let _ = datagrams.send(&datagram);
                    }
                    return Ok(Response::Text(exchange.into_response()));
                }
            }
        }
    }
}

impl<'a> Information<'a> {
    /// Reads a response to `GET-OBJECT-INFO`.
    fn read(response: &'a [u8], context: &Context<'_>) -> Result<Self> {
        let (mut attributes, mut is_response, mut failure) = (Vec::new(), false, None);
        for line in Lines::new(response) {
            context.received(line);
            match Record::read(line).map_err(|error| unreadable(error, line))? {
                Record::Attribute(attribute) if attributes.len() < MAX_ATTRIBUTES => {
                    attributes.push(attribute);
                }
                Record::Attribute(_) => return Err(too_many_attributes()),
                Record::Forwarded(place) => {
                    return Object::forwarded(&place, line).map(Self::Moved);
                }
                Record::Failure(line) => failure = failure.or(Some(line)),
                Record::NoneFound => is_response = true,
                _ => {}
            }
        }
        // An object on this server may have a forwarding pointer to itself, in addition to other
        // attributes. A moved object has no other attributes, and the server may also report the
        // move as a failure.
        let is_pointer = |attribute: &Attribute<'_>| *attribute.name == *FORWARDING_POINTER;
        if attributes.iter().all(is_pointer)
            && let Some(link) = attributes.first().and_then(Link::of_attribute)
        {
            return Object::forwarded(&link.place, response).map(Self::Moved);
        }
        if let Some(line) = failure {
            return Ok(Self::Failed(line));
        }
        if attributes.is_empty() && !is_response {
            let expected = Error::new(ErrorKind::Protocol("a response about the object"));
            return Err(expected.with_received(response));
        }
        Ok(Self::Attributes(attributes))
    }
}

/// Collects the metadata that the attributes of an object contain.
fn metadata(attributes: &[Attribute<'_>]) -> Metadata {
    let mut metadata = Metadata::default();
    for attribute in attributes {
        metadata.size = metadata.size.or(size(attribute));
        metadata.modified = metadata.modified.or(modified(attribute));
        let name = String::from_utf8_lossy(&attribute.name).into_owned();
        let value = String::from_utf8_lossy(&display_words(&attribute.value)).into_owned();
        metadata.attributes.push((name, value));
    }
    metadata
}

/// Returns the size in octets, such as `4 bytes`, from the `SIZE` attribute.
pub(super) fn size(attribute: &Attribute<'_>) -> Option<u64> {
    // Some servers write several words, the first of which is the number.
    let value = first_word(attribute, b"SIZE")?;
    number(value.strip_suffix(b" bytes").unwrap_or(value))
}

/// Returns the time, such as `19941201120000Z`, from the `LAST-MODIFIED` attribute.
pub(super) fn modified(attribute: &Attribute<'_>) -> Option<Timestamp> {
    utc_time(first_word(attribute, b"LAST-MODIFIED")?.strip_suffix(b"Z")?)
}

/// Returns the first word of the value, if the attribute has the given name.
fn first_word<'v>(attribute: &'v Attribute<'_>, name: &[u8]) -> Option<&'v [u8]> {
    let value = attribute.value.first();
    Some(value.filter(|_| *attribute.name == *name)?)
}

/// Joins the words of a value for display.
pub(super) fn display_words(value: &[Word<'_>]) -> Vec<u8> {
    let display = |word: &Word<'_>| {
        if word.is_empty() {
            b"''".to_vec()
        } else {
            word.to_vec()
        }
    };
    let words: Vec<_> = value.iter().map(display).collect();
    words.join(&b' ')
}

/// Converts a line that reports a failure to an error.
pub(super) fn denied(line: &[u8]) -> Error {
    let kind = if has_word(line, b"NOT-FOUND") {
        ErrorKind::NotFound
    } else if has_word(line, b"NOT-AUTHORIZED") {
        ErrorKind::Forbidden
    } else {
        ErrorKind::server(None, line)
    };
    Error::new(kind).with_received(line)
}

pub(super) fn too_many_attributes() -> Error {
    let max = u64::try_from(MAX_ATTRIBUTES).unwrap_or(u64::MAX);
    Refusal::Items { max }.into()
}

/// Creates an error for a line that cannot be split into words.
pub(super) fn unreadable(error: Unreadable, line: &[u8]) -> Error {
    Error::new(ErrorKind::Protocol(match error {
        Unreadable::Unclosed => "an apostrophe at the end of a quoted word",
        Unreadable::TooMany => "a line of at most 4096 words",
    }))
    .with_received(line)
}

/// Returns an unpredictable connection id, other than 0.
fn connection_id(context: &Context<'_>) -> Result<u16> {
    loop {
        let mut octets = [0; 2];
        context.random(&mut octets)?;
        match u16::from_be_bytes(octets) {
            0 => {}
            id => return Ok(id),
        }
    }
}

/// Converts the failure of an exchange to an error. `max` is the maximum length of a response.
fn failed(failure: Failure, max: u64) -> Error {
    match failure {
        Failure::TooLong => Refusal::Bytes { max }.into(),
        Failure::Silence => Error::new(ErrorKind::Timeout("the server did not respond in time")),
        Failure::Request => Error::new(ErrorKind::Unsupported("the object name is too long")),
    }
}

/// Returns true if a request for the object's links would fail for the same reason.
fn is_final(line: &[u8]) -> bool {
    has_word(line, b"NOT-AUTHORIZED") || has_word(line, b"VERSION-NOT-SUPPORTED")
}

fn has_word(line: &[u8], word: &[u8]) -> bool {
    line.split(u8::is_ascii_whitespace).any(|it| it == word)
}
