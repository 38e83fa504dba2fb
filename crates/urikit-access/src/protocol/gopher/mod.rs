//! Gopher (RFC 1436) and Gopher+: one request and one reply for each connection.
//!
//! ```text
//! →  selector [TAB words [TAB Gopher+ string]] CRLF            RFC 1738, 3.4.1 to 3.4.9; RFC 4266, 2
//! ←  text, a full stop alone · a menu, a full stop alone · a binary, the end of the connection
//! ←  +5340 CRLF, 5340 bytes · +-1 CRLF, text, a full stop alone · +-2 CRLF, … · --1 CRLF, an error
//! ```
//!
//! **Types.** The type in the URL says how the reply is read, and is never sent. `0`, `4` and `6` are text, `1` and `7`
//! menus, all others bytes up to the end of the connection. `2`, `8` and `T` are sessions by other protocols: the
//! person is told where, and nothing is connected to or sent.
//!
//! **Menus** are listings. No line is left out: what is no item is an entry of text or an error. What an item leads to
//! is the URL of its entry, and is never followed; so is a link (`h`, `URL:…`). Only a URL that is such a link itself
//! [leads on](super::Outcome::Redirect), under the policy for what comes from the network.
//!
//! **Where text ends.** A full stop alone on a line ends text and menus, if nothing follows it: servers that know
//! nothing of last lines send files with such lines as they are. Where none comes, the end of the connection is
//! accepted, as RFC 1436 (Appendix) says, and noted among the steps: whether something is missing then cannot be told,
//! nor can it for binaries, which have no length. A reply without a single byte is an error. Of two full stops that
//! begin a line, one was put there by the server, by the same Appendix; a server that does not do so loses one.
//!
//! Gopher+ knows better. A reply that is shorter or longer than its head says, or lacks the last line that `+-1`
//! announces, is an error, and by length every byte is as it is: so menus lead to `%09%09+` where the server offers it
//! (RFC 1738, 3.4.4). Text and other data behind `+-1` are read as text of RFC 1436.
//!
//! **Errors.** `--n` is one, with the server's text; its code 3, "item has moved", leads on. Without Gopher+ servers
//! say that something went wrong by a menu's line of type 3: where it is all of the reply, or nothing else in a menu
//! leads anywhere, it is an error too. Errors that a server writes as text of its own look like the item.
//!
//! **Attributes** of an item (`!`) are what is [`Metadata`](crate::Metadata), block by block, and where they are the body
//! their text too; those of a directory (`$`) are a listing. "Find attributes" asks any server for `!`, and goes by the
//! type in the URL where it does not know Gopher+. What is kept of one item is no longer than the longest line.
//!
//! **Forms** (`?`) are fetched, asked of the person, and sent. No file of this machine is (`ChooseF`).

mod access;
mod blocks;
mod body;
mod form;
mod head;
mod menu;
mod target;

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::Result;
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use access::Access;
use std::time::Duration;
use target::Target;

/// Follows gopher URLs.
///
/// ```no_run
/// use urikit::UriRef;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request};
/// let mut client = Client::new(Policy::new());
/// let url = UriRef::parse("gopher://gopher.floodgap.com/7/v2/vs%09urls")?;
/// let mut buffer = Buffer::default();
/// client.fetch(&Request::new(url.as_any()), &mut NoPrompt, &mut buffer)?;
/// for entry in &buffer.entries {
///     println!("{}\t{}", entry.kind, entry.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What would be sent, for RFC 1738's example of a view (3.4.8):
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("gopher://h/0doc%09%09+application/postscript%20Es_ES")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url.as_any()))?;
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
    /// With two seconds of patience for connections that should have ended.
    pub const fn new() -> Self {
        Self {
            patience: Duration::from_secs(2),
        }
    }

    /// How long a server may take to end the connection, once its reply has said its own end. What comes in that time
    /// shows that it was none; what comes later is not seen.
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
        // A step that cannot be sent is found before anything is connected to.
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
