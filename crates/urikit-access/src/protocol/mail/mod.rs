//! The `mid` and `cid` schemes, for messages and their parts in local mailboxes (RFC 2392; RFC
//! 1630).
//!
//! | URL | result |
//! |---|---|
//! | `mid:M` | the message with that Message-ID, as stored: `message/rfc822` |
//! | `mid:M/C` | the part of that message with that Content-ID, decoded |
//! | `cid:C` | the first part with that Content-ID, in any message (RFC 2392, 2) |
//!
//! # Stores
//!
//! Only the [stores](MailProtocol::store) that the caller added are searched, in the order in which
//! they were added:
//!
//! | path | kind of store |
//! |---|---|
//! | a file that begins with `From ` | an mbox mailbox (RFC 4155) |
//! | a folder that contains `cur` or `new` | a Maildir, and its Maildir++ folders (dot names) |
//! | a folder with numbered files | an MH folder, and the folders in it |
//! | any other file | one message |
//!
//! In a mailbox, `Content-Length` determines the end of a message if its value is plausible.
//! Otherwise, the next `From ` line with a date begins the next message, and lines quoted as
//! `>From ` are unquoted.
//!
//! Files compressed with gzip or Zstandard are decompressed, up to 1 GiB each. Files compressed in
//! any other known format are not searched, and a note reports them. Identifiers are compared
//! octet by octet. No network connection is made.
//!
//! # Limits
//!
//! A mailbox of any size is read once, up to the match, in constant memory: lines are read in
//! pieces, and parts are decoded as they arrive. A part is skipped if its header is longer than
//! 1 MiB. Parts that are nested too deeply are not searched, which is an error if nothing else
//! matches. If the final boundary of a multipart is missing, its last part is incomplete, which is
//! also an error. At most 256 parameters of each `Content-Type` are read. If nothing matches, a
//! note says how many fields have more.

mod access;
mod compression;
mod lines;
#[doc(hidden)]
pub mod replay;
mod search;
#[cfg(test)]
mod tests;

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::plan::{self, Plan};
use crate::request::Request;
use access::Access;
use search::Target;
use std::borrow::Cow;
use std::path::PathBuf;

/// Finds messages and their parts in the user's mail.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::MailProtocol;
/// use urikit_access::{Client, Policy, Request};
/// let client = Client::new(Policy::permissive()).protocol(MailProtocol::new().store("/var/mail/tim"));
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
pub struct MailProtocol {
    stores: Vec<PathBuf>,
}

impl MailProtocol {
    /// Creates settings without stores. Accesses fail until a store is added.
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
}

impl Protocol for MailProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["mid", "cid"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let plan = self.outline(request)?;
        self.check()?;
        Ok(plan)
    }

    /// Returns the plan, even if no store is configured.
    fn outline(&self, request: &Request<'_>) -> Result<Plan> {
        let mut plan = Plan::new();
        match Target::of(request)? {
            Target::Message(message) => plan.step(Step::FindMessage(message)),
            Target::Part {
                message: Some(message),
                part,
            } => {
                plan.step(Step::FindMessage(message));
                plan.step(Step::TakePart(part));
            }
            Target::Part {
                message: None,
                part,
            } => plan.step(Step::FindPart(part)),
        }
        for path in &self.stores {
            plan.step(Step::SearchStore(path.clone()));
        }
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let target = Target::of(request)?;
        self.check()?;
        Access::new(&self.stores, request, target, context, output).fetch()
    }
}

/// A step in the plan to find a message or a part.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Finds the message with the given Message-ID in received mail.
    FindMessage(Vec<u8>),
    /// Extracts the part with the given Content-ID from the message.
    TakePart(Vec<u8>),
    /// Finds the part with the given Content-ID in the message that contains the reference.
    FindPart(Vec<u8>),
    /// Searches a mailbox, a Maildir, an MH folder or a message file.
    SearchStore(PathBuf),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::FindMessage(id) => ("looks in received mail for the message", id.into()),
            Self::TakePart(id) => ("takes its body part", id.into()),
            Self::FindPart(id) => (
                "looks in the message that refers to it for the body part",
                id.into(),
            ),
            Self::SearchStore(path) => {
                let path = path.to_string_lossy().into_owned();
                ("searches", path.into_bytes().into())
            }
        }
    }
}
