//! Gopher (RFC 1436) and Gopher+: each connection carries one request and one reply.
//!
//! ```text
//! →  selector [TAB words [TAB Gopher+ string]] CRLF    RFC 1738, 3.4.1 to 3.4.9; RFC 4266, 2
//! ←  text, a full stop alone · a menu, a full stop alone · a binary, the end of the connection
//! ←  +5340 CRLF, 5340 bytes · +-1 CRLF, text, a full stop alone · +-2 CRLF, … · --1 CRLF, an error
//! ```
//!
//! **Types.** The type in the URL determines how the reply is read. It is not sent. `0`, `4` and
//! `6` are text, `1` and `7` menus, all others bytes up to the end of the connection. `2`, `8` and
//! `T` are sessions of other protocols: where they are is shown to the user, and nothing is connected
//! to, except to a phone book (`2`) with words.
//!
//! **Menus** are listings. Every line becomes an entry; those that are not items become text or
//! errors. The URLs of items are not followed, and neither are links (`h`, `URL:…`). If the
//! requested URL itself is such a link, it is a [redirect](super::Outcome::Redirect), to which the
//! policy applies.
//!
//! **The end of text.** A full stop alone on a line ends text and menus, but only if nothing
//! follows it: some servers send files that contain such lines. If the connection ends without
//! that line, the reply is accepted, as RFC 1436 (Appendix) demands, and an event records that it
//! may be incomplete. The same is true of binaries, which have no length. An empty reply is an
//! error. Of two full stops at the beginning of a line one is removed, by the same Appendix; a
//! file from a server that does not double them loses one.
//!
//! With Gopher+, a reply that is shorter or longer than its head announces, or lacks the last line
//! that `+-1` announces, is an error; with a length, data is passed on unchanged. Therefore the
//! URLs in menus end in `%09%09+` if the server supports it (RFC 1738, 3.4.4). Data after `+-1` is
//! read like text of RFC 1436.
//!
//! **Errors.** `--n` is an error, with the text of the server; code 3, "item has moved", is a
//! redirect. Without Gopher+, servers report errors as menu lines of type 3: such a line is an
//! error if it is the complete reply, or if no other line of a menu has a URL. An error that a
//! server sends as plain text cannot be told from the item.
//!
//! **Attributes** of an item (`!`) become [`Metadata`](crate::Metadata), block by block; if they
//! are what the URL names, their text is the body. Those of a directory (`$`) become a listing. A
//! request for metadata asks any server for `!`, and falls back on the type in the URL. The
//! attributes of an item are limited to the length of the longest line.
//!
//! **Forms** (`?`) are fetched, shown to the user, and sent. A local file (`ChooseF`) is sent only
//! if the [prompt](crate::Prompt::file) returns one, which the user has chosen: what the server
//! suggests is not used.
//!
//! **Phone books** (`2`) are queried by the ph protocol (RFC 2378) if the URL has words
//! (`gopher://h:105/2%09words`); otherwise where they are is shown to the user.

mod access;
mod blocks;
mod body;
mod command;
mod form;
mod head;
mod menu;
mod phone_book;
mod plan;
#[doc(hidden)]
pub mod replay;
mod target;

pub use command::{Answer, Command, Plus};
pub use phone_book::PhoneBook;
pub use plan::{Condition, Step};

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::Result;
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use access::Access;
use std::time::Duration;
use target::Target;

/// Fetches `gopher` URLs.
///
/// ```no_run
/// use urikit::UriRef;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request};
/// let mut client = Client::new(Policy::new());
/// let url = UriRef::parse("gopher://gopher.floodgap.com/7/v2/vs%09urls")?;
/// let mut buffer = Buffer::default();
/// client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// for entry in &buffer.entries {
///     println!("{}\t{}", entry.kind, entry.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The plan for RFC 1738's example of a view (3.4.8):
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("gopher://h/0doc%09%09+application/postscript%20Es_ES")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?;
/// assert_eq!(
///     plan.to_string(),
///     "connect  h:70\nsend     \"doc\\t\\t+application/postscript Es_ES\"\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gopher {
    patience: Duration,
}

impl Gopher {
    /// Waits two seconds for the end of connections.
    pub const fn new() -> Self {
        Self {
            patience: Duration::from_secs(2),
        }
    }

    /// Sets how long to wait for the server to close the connection after a reply that marks its
    /// own end. Bytes that arrive within this time show that it was not the end. Later ones are
    /// not noticed.
    ///
    /// ```
    /// use std::time::Duration;
    /// use urikit_access::protocol::gopher::Gopher;
    /// use urikit_access::{Client, Policy};
    /// let gopher = Gopher::new().patience(Duration::from_millis(500));
    /// let client = Client::new(Policy::new()).protocol(gopher);
    /// ```
    #[must_use]
    pub const fn patience(mut self, max: Duration) -> Self {
        self.patience = max;
        self
    }
}

impl Default for Gopher {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for Gopher {
    fn schemes(&self) -> &[&'static str] {
        &["gopher"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        Target::of(request)?.plan()
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let target = Target::of(request)?;
        // Errors in the URL are reported before anything is connected to.
        target.plan()?;
        Access {
            patience: self.patience,
            target,
            context,
            output,
        }
        .run()
    }
}
