//! The Gopher (RFC 1436) and Gopher+ protocols, in which each connection carries one request and
//! one reply.
//!
//! ```text
//! →  selector [TAB words [TAB Gopher+ string]] CRLF    RFC 1738, 3.4.1 to 3.4.9; RFC 4266, 2
//! ←  text, a full stop alone · a menu, a full stop alone · a binary, the end of the connection
//! ←  +5340 CRLF, 5340 bytes · +-1 CRLF, text, a full stop alone · +-2 CRLF, … · --1 CRLF, an error
//! ```
//!
//! **Types.** The type in the URL is not sent, but determines how the reply is interpreted. `0`,
//! `4` and `6` are text, `1` and `7` are menus, and all other types are bytes up to the end of the
//! connection. `2`, `8` and `T` are sessions that use other protocols: the client shows the host
//! but does not connect, unless the URL contains words to look up in a phone book (`2`).
//!
//! **Menus** are listings. Every line becomes an entry, and lines that are not items become text
//! entries or error entries. The URLs of items and links (`h`, `URL:…`) are not followed. But if
//! the requested URL is itself a link, it acts as a [redirect](super::Outcome::Redirect), to which
//! the policy applies.
//!
//! **The end of text.** A line that consists of a full stop ends text and menus only if nothing
//! follows it, because gophernicus and pygopherd send files that contain such lines. If the
//! connection ends without such a line, the reply is accepted, as RFC 1436 (Appendix) requires, and
//! an event records that the reply may be incomplete. Binary data has neither a length nor an end
//! mark, so it may also be incomplete. An empty reply is an error. If a line begins with two full
//! stops, one of them is removed (RFC 1436, Appendix), even if the server does not double full
//! stops.
//!
//! With Gopher+, a reply must have the length that its head announces, or must end in a full stop
//! if its head is `+-1`. Therefore, the URLs in menus end in `%09%09+` if the server supports
//! Gopher+ (RFC 1738, 3.4.4). Data with a length is passed to the sink unchanged. Data after the
//! head `+-1` is text as in RFC 1436.
//!
//! **Errors.** The head `--n` announces an error, which is reported with the server's text, except
//! that code 3 ("item has moved") is a redirect. Without Gopher+, servers report errors as menu
//! lines of type 3. A line of this type is an error if it is the complete reply, or if no other
//! line of the menu has a URL. An error that a server sends as plain text cannot be distinguished
//! from an item.
//!
//! **Attributes** of an item (`!`) become [`Metadata`](crate::Metadata), block by block. If the
//! URL asks for attributes, their text is the body. The attributes of the items in a directory
//! (`$`) become a listing. If the caller requests metadata, the client first asks for the
//! attributes. If that fails, the type in the URL determines the metadata. The attributes of an
//! item may be as long as the longest line that the policy allows.
//!
//! **Forms** (`?`) are fetched, answered by the user, and sent. A local file (`ChooseF`) is sent
//! only if the user chooses one at the [prompt](crate::Prompt::file). The client does not use the
//! file name that the server suggests.
//!
//! **Phone books** (`2`) are queried with the ph protocol (RFC 2378) if the URL has words
//! (`gopher://h:105/2%09words`). Otherwise, the client only shows the user the host of the phone
//! book.

mod access;
mod attributes;
mod command;
mod form;
mod menu;
mod phone_book;
#[doc(hidden)]
pub mod replay;
mod reply;
mod target;

pub use command::{Answer, Command, Plus};
pub use phone_book::PhoneBook;
pub use target::{Condition, Step};

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
/// let client = Client::new(Policy::new());
/// let url = UriRef::parse("gopher://gopher.floodgap.com/7/v2/vs%09urls")?;
/// let mut buffer = Buffer::default();
/// client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// for entry in &buffer.entries {
///     println!("{}\t{}", entry.kind, entry.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The plan for the example of a view in RFC 1738, 3.4.8:
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
pub struct GopherProtocol {
    patience: Duration,
}

impl GopherProtocol {
    /// Returns the default settings, with two seconds of [patience](Self::patience).
    pub const fn new() -> Self {
        Self {
            patience: Duration::from_secs(2),
        }
    }

    /// Sets how long to wait for the server to close the connection after the apparent end of a
    /// reply. Bytes that arrive within this time show that the reply continues. Bytes that arrive
    /// later are ignored.
    ///
    /// ```
    /// use std::time::Duration;
    /// use urikit_access::protocol::gopher::GopherProtocol;
    /// use urikit_access::{Client, Policy};
    /// let gopher = GopherProtocol::new().patience(Duration::from_millis(500));
    /// let client = Client::new(Policy::new()).protocol(gopher);
    /// ```
    #[must_use]
    pub const fn patience(mut self, max: Duration) -> Self {
        self.patience = max;
        self
    }
}

impl Default for GopherProtocol {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for GopherProtocol {
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
        // Report errors in the URL before opening a connection.
        target.plan()?;
        Access {
            patience: self.patience,
            target,
            context,
            output,
        }
        .fetch()
    }
}
