//! What an http URL means as data, and what a client does with it (RFC 9110, 4.3.2 and 7.1; RFC
//! 7230, 5.3 and 5.4).

use super::super::{AccessError, Detail, Details, Step};
use super::Http;
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> Http<'a> {
    /// What a client requests from the server: path and query as written, with a slash for an
    /// empty path (RFC 7230, 5.3.1). Characters that HTTP does not allow are escaped. The fragment
    /// is not sent.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit::scheme::Http;
    /// let url = Uri::parse("http://www.example.org/where?q=now#top")?; // RFC 7230, 5.3.1
    /// assert_eq!(Http::read(url)?.request_target(), "/where?q=now");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn request_target(&self) -> String {
        // Path and query cannot contain an unescaped control character.
        let octets = self.target.origin_form(true).unwrap_or_default();
        octets.into_iter().map(char::from).collect()
    }

    /// The value of the `Host` field: host and port as written (RFC 7230, 5.4). Characters that
    /// HTTP does not allow are escaped; to send the name of an IRI as in the DNS, convert the IRI
    /// to a URI first. The userinfo is not sent (RFC 9110, 4.2.4).
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit::scheme::Http;
    /// let url = Uri::parse("http://user@www.example.org:8001/pub/")?;
    /// assert_eq!(Http::read(url)?.host_field(), "www.example.org:8001");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn host_field(&self) -> String {
        self.target.host_field()
    }

    /// What it means: whether it is `secure`, and the `target` of the request. Path and query are
    /// for the server to decode; RFC 1630's search part has `words`, which are decoded.
    pub fn details(&self) -> Details<'a> {
        let has_words = self.is_rfc1630 && self.query().is_some();
        Details::new(if self.is_secure { "https" } else { "http" }, self.text())
            .with("secure", self.is_secure)
            .with("words", has_words.then(|| Detail::list(self.words())))
            .with("target", self.request_target())
    }

    /// What a client does and sends.
    ///
    /// A userinfo is reported and not sent (RFC 9110, 4.2.4). The host of an IRI is sent with
    /// escapes; to send the name in the DNS, convert the IRI to a URI first.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit::scheme::{Http, Step};
    /// let url = Uri::parse("http://www.example.org/where?q=now")?; // RFC 7230, 5.3.1
    /// let steps = Http::read(url)?.steps()?;
    /// let lines: Vec<_> = steps.iter().filter_map(|step| match step {
    ///     Step::Send(line) => Some(line.octets()),
    ///     _ => None,
    /// }).collect();
    /// assert_eq!(lines, [&b"GET /where?q=now HTTP/1.1"[..], b"Host: www.example.org"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the port is above 65535.
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let mut steps = Vec::new();
        if self.user().is_some() {
            steps.push(Step::say(
                "warns of the userinfo before the host, and sends none of it",
            ));
        }
        steps.push(Step::connect(self.host(), self.port())?);
        if self.is_secure {
            steps.push(Step::say("secures the connection by TLS"));
        }
        steps.push(Step::Send(self.target.request_line(true)?));
        steps.push(Step::Send(self.target.host_line()?));
        Ok(steps)
    }
}
