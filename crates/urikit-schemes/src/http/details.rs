//! What an http URL means as data (RFC 9110, 4.3.2 and 7.1; RFC
//! 7230, 5.3 and 5.4).

use super::super::{Detail, Details};
use super::Http;
use alloc::string::String;

impl<'a> Http<'a> {
    /// What a client requests from the server: path and query as written, with a slash for an
    /// empty path (RFC 7230, 5.3.1). Characters that HTTP does not allow are escaped. The fragment
    /// is not sent.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::Http;
    /// let url = Uri::parse("http://www.example.org/where?q=now#top")?; // RFC 7230, 5.3.1
    /// assert_eq!(Http::read(url)?.request_target(), "/where?q=now");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn request_target(&self) -> String {
        self.target.origin_form(true)
    }

    /// The value of the `Host` field: host and port as written (RFC 7230, 5.4). Characters that
    /// HTTP does not allow are escaped; to send the name of an IRI as in the DNS, convert the IRI
    /// to a URI first. The userinfo is not sent (RFC 9110, 4.2.4).
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::Http;
    /// let url = Uri::parse("http://user@www.example.org:8001/pub/")?;
    /// assert_eq!(Http::read(url)?.host_field(), "www.example.org:8001");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn host_field(&self) -> String {
        self.target.host_field()
    }

    /// The named values of [`details`](Self::details).
    pub(super) fn named_values(&self) -> Details<'a> {
        let has_words = self.is_rfc1630 && self.query().is_some();
        Details::new(
            if self.is_secure { "https" } else { "http" },
            self.specification(),
        )
        .with("secure", self.is_secure)
        .with("words", has_words.then(|| Detail::list(self.words())))
        .with("target", self.request_target())
    }
}
