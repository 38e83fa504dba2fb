//! The result of an access, apart from the body.

use crate::event::Event;
use crate::sink::Metadata;

/// The result of a successful [`fetch`](crate::Client::fetch). The body itself went to the
/// [`Sink`](crate::Sink).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Response {
    /// The requested reference, as written.
    pub uri: String,
    /// The URL of the last redirect, or else the requested one; without a fragment.
    pub final_uri: String,
    /// The fragment of the last URL in the chain of redirects that has one, percent-encoded as
    /// written.
    pub fragment: Option<String>,
    /// The scheme of `final_uri`, in lower case.
    pub scheme: String,
    /// What the server said of it: type, size, date and so on.
    pub metadata: Metadata,
    /// How many bytes of the body there are now, including those from before a resumed transfer.
    pub received: u64,
    /// What happened, in order.
    pub events: Vec<Event>,
}
