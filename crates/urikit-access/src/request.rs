//! What is asked for.

use std::fmt;
use urikit::AnyRef;
use urikit::scheme::{Edition, Gateway};

/// A reference to follow, and what of it.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Request, Wanted};
/// let url = UriRef::parse("ftp://ftp.example.org/pub/README")?;
/// let request = Request::new(url).wanted(Wanted::Attributes);
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The reference, which has a scheme. Its fragment is kept and never sent.
    pub reference: AnyRef<'a>,
    /// By which texts its scheme is read.
    pub edition: Edition,
    /// What of it.
    pub wanted: Wanted,
    /// From which byte on: how many are there already.
    pub resume: u64,
    /// What to log in with at the server of the reference.
    pub credentials: Option<&'a Credentials>,
    /// The HTTP server that gets the whole URI instead. The policy is asked of it as of any server.
    pub proxy: Option<&'a Gateway>,
}

/// What of a reference is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The body.
    Body,
    /// What is known of it, without the body.
    Attributes,
}

/// A user and a password. They leave with their origin (scheme, host and port) only.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user, as octets that are UTF-8: nothing is percent-encoded.
    pub user: String,
    /// The password, likewise.
    pub password: String,
}

impl fmt::Debug for Credentials {
    /// The password is masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:***", self.user)
    }
}

impl<'a> Request<'a> {
    /// Asks for the body of what a reference names, read by its own standard's edition.
    pub fn new(reference: impl Into<AnyRef<'a>>) -> Self {
        let reference = reference.into();
        Self {
            reference,
            edition: Edition::of(reference.standard()),
            wanted: Wanted::Body,
            resume: 0,
            credentials: None,
            proxy: None,
        }
    }

    /// The same by another edition of the schemes' texts.
    #[must_use]
    pub const fn edition(mut self, edition: Edition) -> Self {
        self.edition = edition;
        self
    }

    /// The same for something else of it.
    #[must_use]
    pub const fn wanted(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    /// The same, but what is there already: so many bytes.
    #[must_use]
    pub const fn resume(mut self, bytes: u64) -> Self {
        self.resume = bytes;
        self
    }

    /// The same, logged in with these, where the URL gives no password itself.
    #[must_use]
    pub const fn credentials(mut self, credentials: &'a Credentials) -> Self {
        self.credentials = Some(credentials);
        self
    }

    /// Whether the body is asked for.
    pub fn wants_body(&self) -> bool {
        self.wanted == Wanted::Body
    }
}
