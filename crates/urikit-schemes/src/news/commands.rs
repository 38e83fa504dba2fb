//! The lines that a client sends to a news server (RFC 3977; RFC 977; RFC 4643).

use super::super::shape::Server;
use super::super::{AccessError, Line, Step};
use alloc::vec::Vec;
use urikit::component::Encoded;
use urikit::grammar::ByteSet;

/// The US-ASCII characters of `wildmat-exact` (RFC 3977, 4.1): those that a server's group names
/// may have.
const NAME: ByteSet = ByteSet::range(b'!', b'~').without(ByteSet::of(b"!*,?[\\]"));
const PATTERN: ByteSet = NAME.or(ByteSet::of(b"*?"));
/// `A-NOTGT` (RFC 3977, 9.8): the characters of a message identifier.
const MESSAGE_ID: ByteSet = ByteSet::range(b'!', b'~').without(ByteSet::of(b">"));
const BEYOND: ByteSet = ByteSet::range(0x80, 0xFF);

/// `GROUP name`
pub(in super::super) fn group<'a>(name: Encoded<'_>) -> Result<Step<'a>, AccessError> {
    fits(name, &NAME.or(BEYOND), "group")?;
    Ok(Step::Send(Line::with_argument("GROUP", name, "group")?))
}

/// `LIST ACTIVE pattern`
pub(super) fn list<'a>(pattern: Encoded<'_>) -> Result<Step<'a>, AccessError> {
    fits(pattern, &PATTERN.or(BEYOND), "pattern")?;
    let line = Line::with_argument("LIST ACTIVE", pattern, "pattern")?;
    Ok(Step::Send(line))
}

/// `ARTICLE <message-id>`
pub(super) fn article<'a>(message_id: Encoded<'_>) -> Result<Step<'a>, AccessError> {
    let part = "message identifier";
    fits(message_id, &MESSAGE_ID, part)?;
    let mut line = Line::command("ARTICLE <");
    line.push(message_id.decode(), part)?;
    line.push(*b">", part)?;
    Ok(Step::Send(line))
}

/// Lists the articles of the selected group; the reply to `GROUP` has their numbers.
pub(in super::super) const fn overview<'a>() -> Step<'a> {
    Step::say("lists the group's articles, by OVER or XOVER")
}

/// Connects to the server, or to the configured one if the URL has none, and logs in if there is a
/// user.
pub(in super::super) fn connect(
    server: Option<Server<'_>>,
    is_tls: bool,
) -> Result<Vec<Step<'_>>, AccessError> {
    let mut steps = Vec::new();
    let named = server.filter(|server| !server.host().as_str().is_empty());
    steps.push(match named {
        Some(server) => Step::connect(server.host(), server.port())?,
        None => Step::say("connects to the configured news server"),
    });
    if is_tls {
        steps.push(Step::say("begins TLS"));
    }
    let user = server.and_then(|server| server.user());
    if let Some(user) = user.filter(|user| !user.is_empty()) {
        let not_space = &ByteSet::range(b'!', b'~').or(BEYOND);
        fits(user, not_space, "user")?;
        let line = Line::with_argument("AUTHINFO USER", user, "user")?;
        steps.push(Step::Send(line));
        steps.push(match server.and_then(|server| server.password()) {
            Some(password) => {
                fits(password, not_space, "password")?;
                Step::Send(Line::with_secret("AUTHINFO PASS", password, "password")?)
            }
            None => Step::say("asks the person for the password, if asked for one"),
        });
    }
    Ok(steps)
}

/// Checks that an argument is a single one and is sent unchanged. `Line` refuses the rest.
fn fits(argument: Encoded<'_>, set: &ByteSet, part: &'static str) -> Result<(), AccessError> {
    let mut octets = argument.decode().octets();
    match octets.find(|octet| !set.contains(*octet) && !octet.is_ascii_control()) {
        Some(octet) => Err(AccessError::Unfit { octet, part }),
        None => Ok(()),
    }
}
