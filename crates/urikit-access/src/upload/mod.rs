//! Sending: what goes where (RFC 1738, 1: "update, replace").

mod body;

pub use body::Body;

use crate::event::Event;
use crate::request::Request;
use crate::sink::Metadata;

/// Something to send to a URL, and how.
///
/// What a scheme does with it:
///
/// | scheme | result |
/// |---|---|
/// | `ftp`, `ftps` | the file is stored (`STOR`), or appended to (`APPE`) |
/// | `file` | the same on this machine |
/// | `http`, `https` | the body is stored (`PUT`), or handed over (`POST`) |
/// | `news`, `snews`, `nntp` | the article is posted to the group (`POST`) |
/// | `mailto` | the message of the link is sent, with the body as an attachment |
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Upload};
/// let url = UriRef::parse("ftp://myname@host.dom/pub/a.gz")?;
/// let plan = Client::new(Policy::new()).plan_upload(&Upload::new(url).via_temporary(true))?;
/// let plan = plan.to_string();
/// assert!(plan.contains("send     \"STOR a.gz.part\"\n"), "{plan}");
/// assert!(plan.contains("send     \"RNTO a.gz\"\n"), "{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Upload<'a> {
    /// The reference, and the login. Its parts for receiving are not used.
    pub request: Request<'a>,
    /// What happens to what is there.
    pub mode: Mode,
    /// Whether an earlier transfer is resumed: what is there already is not sent again.
    pub resumes: bool,
    /// Whether a file gets its name only when it is complete: until then, `.part` follows it.
    pub via_temporary: bool,
    /// The size of the body in bytes, if known.
    pub size: Option<u64>,
    /// The media type of the body, if known.
    pub media_type: Option<&'a str>,
    /// The name of the file that is sent, for an attachment.
    pub name: Option<&'a str>,
}

/// What happens to what is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mode {
    /// It is replaced.
    Replace,
    /// The body is appended to it.
    Append,
    /// The body is handed to what the URL names, which decides (`POST` of HTTP).
    Post,
}

/// The result of a successful [`upload`](crate::Client::upload).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Uploaded {
    /// The reference, as written.
    pub uri: String,
    /// The scheme, in lower case.
    pub scheme: String,
    /// How many bytes of the body were there before: not 0 after a resumed transfer.
    pub offset: u64,
    /// How many bytes of the body were sent, those before the offset not included.
    pub sent: u64,
    /// What the server said of its reply, if that has a body.
    pub metadata: Metadata,
    /// What happened, in order.
    pub events: Vec<Event>,
}

impl<'a> Upload<'a> {
    /// Replaces what a reference names.
    pub fn new(reference: impl Into<urikit::AnyRef<'a>>) -> Self {
        Self::of(Request::new(reference))
    }

    /// Replaces what the reference of a request names, with its login.
    pub const fn of(request: Request<'a>) -> Self {
        Self {
            request,
            mode: Mode::Replace,
            resumes: false,
            via_temporary: false,
            size: None,
            media_type: None,
            name: None,
        }
    }

    /// Sets what happens to what is there.
    #[must_use]
    pub const fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Whether an earlier transfer is resumed. What is there is taken for the beginning of the body,
    /// which nothing can show.
    #[must_use]
    pub const fn resume(mut self, resumes: bool) -> Self {
        self.resumes = resumes;
        self
    }

    /// Whether a file gets its name only when it is complete: until then, `.part` follows it.
    #[must_use]
    pub const fn via_temporary(mut self, temporary: bool) -> Self {
        self.via_temporary = temporary;
        self
    }

    /// Sets the size of the body in bytes, if known. A body of another size is an error.
    #[must_use]
    pub const fn size(mut self, size: Option<u64>) -> Self {
        self.size = size;
        self
    }

    /// Sets the media type of the body.
    #[must_use]
    pub const fn media_type(mut self, media_type: &'a str) -> Self {
        self.media_type = Some(media_type);
        self
    }

    /// Sets the name of the file that is sent.
    #[must_use]
    pub const fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }
}
