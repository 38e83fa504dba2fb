//! `mid` and `cid`: messages and their parts, in local mailboxes (RFC 2392; RFC 1630).
//!
//! | URL | result |
//! |---|---|
//! | `mid:M` | the message with that Message-ID, as it is stored: `message/rfc822` |
//! | `mid:M/C` | the part of that message with that Content-ID, its transfer encoding decoded |
//! | `cid:C` | the first part with that Content-ID, in any message (RFC 2392, 2) |
//!
//! # Where it looks
//!
//! In the [stores](Mail::store) that were added, in that order, and nowhere else:
//!
//! | store | what it is |
//! |---|---|
//! | a file that begins with `From ` | a mailbox (mbox, RFC 4155): the next message begins where the `Content-Length` ends, if it is right; else after the next `From ` line with a date, and the quoting `>From ` is undone |
//! | a folder that contains `cur` or `new` | a Maildir, with the other folders of a Maildir++: those whose names begin with a dot |
//! | a folder with numbered files | an MH folder, and the folders in it |
//! | any other file | one message |
//!
//! Files that are compressed with gzip or Zstandard are decompressed, each to at most a gibibyte;
//! for each other compression that is found, a note says which files were not searched. Identifiers
//! are compared octet by octet. Nothing is connected to.
//!
//! # Limits
//!
//! A mailbox of any size is read once, up to the match, in constant memory: lines are read in
//! pieces, and parts are decoded as they are read. A part with a header of more than a mebibyte is
//! skipped. Parts that are nested too deeply are not searched; if nothing else matches, that is an
//! error. A part of a multipart without a final boundary is incomplete, which is an error. Of a
//! `Content-Type`, 256 parameters are read; if nothing matches, a note says whether one has more.

mod lines;
mod part;
mod plan;
#[doc(hidden)]
pub mod replay;
mod search;
mod store;

pub use plan::Step;

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::mask::escape;
use crate::net::Deadline;
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use search::{Search, Target};
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use store::{Messages, Visitor};
use urikit_schemes::{Cid, Mid};

/// Finds messages and their parts in the user's mail.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::Mail;
/// use urikit_access::{Client, Policy, Request};
/// let client = Client::new(Policy::permissive()).protocol(Mail::new().store("/var/mail/tim"));
/// // RFC 2392, 2
/// let url = UriRef::parse("mid:960830.1639@XIson.com/partA.960830.1639@XIson.com")?;
/// assert_eq!(
///     client.plan(&Request::new(url))?.to_string(),
///     "then     looks in received mail for the message \"960830.1639@XIson.com\"\n\
///      then     takes its body part \"partA.960830.1639@XIson.com\"\n\
///      then     searches \"/var/mail/tim\"\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Mail {
    stores: Vec<PathBuf>,
}

impl Mail {
    /// Without stores, every URL is an error.
    pub const fn new() -> Self {
        Self { stores: Vec::new() }
    }

    /// Adds a mailbox, a Maildir, an MH folder or a message file.
    #[must_use]
    pub fn store(mut self, path: impl Into<PathBuf>) -> Self {
        self.stores.push(path.into());
        self
    }

    fn check(&self) -> Result<()> {
        if self.stores.is_empty() {
            let what = "no mailbox is configured";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(())
    }

    fn names(&self) -> String {
        let names = self.stores.iter().map(|path| path.to_string_lossy());
        names.collect::<Vec<Cow<'_, str>>>().join(", ")
    }
}

impl Protocol for Mail {
    fn schemes(&self) -> &[&'static str] {
        &["mid", "cid"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let plan = self.outline(request)?;
        self.check()?;
        Ok(plan)
    }

    /// The plan, even if there is no mailbox.
    fn outline(&self, request: &Request<'_>) -> Result<Plan> {
        let mut plan = Plan::new();
        let mut push = |step| plan.step(step);
        match target(request)? {
            Target::Message(message) => push(Step::FindMessage(message)),
            Target::Part(Some(message), part) => {
                push(Step::FindMessage(message));
                push(Step::TakePart(part));
            }
            Target::Part(None, part) => push(Step::FindPart(part)),
        }
        for path in &self.stores {
            push(Step::SearchStore(path.clone()));
        }
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let target = target(request)?;
        self.check()?;
        let mut visit = Visit {
            search: Search::new(target, request.wants_body(), context.max_depth()),
            deadline: context.deadline(),
            output,
            skipped: Vec::new(),
        };
        for path in &self.stores {
            context.record(Event::Searched(path.clone()));
            if store::each_message(path, &mut visit)? {
                return Ok(Outcome::Done);
            }
        }
        let Visit {
            search, skipped, ..
        } = visit;
        if search.cut > 0 {
            let many = "header fields with too many parameters, of which the first were read";
            context.record(Event::Note(format!("{} {many}", search.cut).into()));
        }
        for skipped in &skipped {
            context.record(Event::Note(skipped.to_string().into()));
        }
        // A part that was too deep to search might have matched.
        context.check_depth(search.deepest)?;
        let mut searched = format!("{} messages of {}", search.messages, self.names());
        for (at, skipped) in skipped.iter().enumerate() {
            searched.push_str(if at == 0 { "; not searched: " } else { "; " });
            searched.push_str(&skipped.count());
        }
        Err(Error::new(ErrorKind::NotInMailbox { searched }))
    }
}

/// A search through stores.
struct Visit<'s, 'o> {
    search: Search,
    deadline: Deadline,
    output: &'s mut Output<'o>,
    skipped: Vec<Skipped>,
}

/// Files that were not read, all for the same reason.
struct Skipped {
    why: &'static str,
    first: PathBuf,
    others: u64,
}

impl Visitor for Visit<'_, '_> {
    fn message(&mut self, lines: &mut Messages<'_>) -> Result<bool> {
        self.search.message(lines, self.deadline, self.output)
    }

    fn skipped(&mut self, path: &Path, why: &'static str) {
        match self.skipped.iter_mut().find(|it| it.why == why) {
            Some(skipped) => skipped.others += 1,
            None => self.skipped.push(Skipped {
                why,
                first: path.to_owned(),
                others: 0,
            }),
        }
    }
}

impl Skipped {
    /// How many there are, and why.
    fn count(&self) -> String {
        let many = self.others.saturating_add(1);
        let what = match (self.first.is_dir(), many) {
            (true, 1) => "folder",
            (true, _) => "folders",
            (false, 1) => "file",
            (false, _) => "files",
        };
        format!("{many} {what}, {}", self.why)
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = escape(self.first.as_os_str().as_encoded_bytes());
        write!(f, "not searched: {path}, {}", self.why)?;
        match self.others {
            0 => Ok(()),
            others => write!(f, "; and {others} more like it"),
        }
    }
}

/// What a URL names.
fn target(request: &Request<'_>) -> Result<Target> {
    let scheme = request.reference.scheme().unwrap_or_default();
    if scheme.eq_ignore_ascii_case("cid") {
        let url = Cid::read_as(request.reference, request.edition)?;
        let part = url.content_id().to_bytes().into_owned();
        return Ok(Target::Part(None, part));
    }
    let url = Mid::read_as(request.reference, request.edition)?;
    let message = url.message_id().to_bytes().into_owned();
    Ok(match url.content_id() {
        Some(part) => Target::Part(Some(message), part.to_bytes().into_owned()),
        None => Target::Message(message),
    })
}
