//! The responses received during an access, one for each URL in a chain of redirects.

use crate::mask;
use crate::mask::Secrets;
use std::fmt;
use std::time::Duration;

/// A response in a chain of redirects. The last response is the final one.
///
/// A URL has more than one response if the client repeats the request, for example with an answer
/// to a Digest challenge. If the server did not respond, the status is `None`.
///
/// The strings in a [`Response`](crate::Response) are exact, and may contain secrets. In an
/// [`Error`](crate::Error), secrets are masked. `Debug` shows neither passwords nor
/// the values of attributes.
#[derive(Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Hop {
    /// The requested URL, without its fragment.
    pub uri: String,
    /// The status code of the HTTP response, or of the last reply from an FTP, news or mail
    /// server. `None` if the protocol has no codes.
    pub status: Option<u16>,
    /// The text after the status code, which may be empty.
    pub reason: Option<String>,
    /// The version of the protocol, for responses with header fields: `HTTP/1.1` or `HTTP/1.0`.
    pub version: Option<&'static str>,
    /// The absolute URL that the response redirects to, or the reference exactly as sent if it is
    /// not valid.
    pub location: Option<String>,
    /// The header fields, in order.
    pub attributes: Vec<(String, String)>,
    /// The time from the request to the end of the response, including the time to connect.
    pub time: Duration,
}

impl Hop {
    /// Creates a hop without a response.
    pub(crate) fn new(uri: &str) -> Self {
        let uri = uri.split('#').next().unwrap_or_default().to_owned();
        Self {
            uri,
            ..Self::default()
        }
    }

    /// Masks secrets, because errors are displayed.
    pub(crate) fn mask(&mut self, secrets: &Secrets) {
        let attributes = self.attributes.iter_mut().map(|attribute| &mut attribute.1);
        let others = [&mut self.reason, &mut self.location];
        let others = others.into_iter().flatten().chain([&mut self.uri]);
        for text in others.chain(attributes) {
            *text = secrets.mask_text(text);
        }
    }

    /// Returns the values of the attribute with this name, ignoring case, in order.
    ///
    /// ```
    /// let mut hop = urikit_access::Hop::default();
    /// hop.attributes = vec![("Content-Type".to_owned(), "text/html".to_owned())];
    /// assert!(hop.values("content-type").eq(["text/html"]));
    /// ```
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let attributes = self.attributes.iter();
        let named = attributes.filter(move |attribute| attribute.0.eq_ignore_ascii_case(name));
        named.map(|attribute| attribute.1.as_str())
    }

    /// Returns the status and the reason, such as `404 Not Found`, or an empty string if there is
    /// no status.
    pub fn status_text(&self) -> String {
        let status = self.status.map(|status| status.to_string());
        let reason = self.reason.clone().filter(|reason| !reason.is_empty());
        let words: Vec<_> = status.into_iter().chain(reason).collect();
        words.join(" ")
    }
}

impl fmt::Debug for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = |text: &str| mask::escape(text.as_bytes());
        f.debug_struct("Hop")
            .field("uri", &masked(&self.uri))
            .field("status", &self.status)
            .field("location", &self.location.as_deref().map(masked))
            .field("attributes", &self.attributes.len())
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}
