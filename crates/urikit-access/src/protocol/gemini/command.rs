//! Requests.

use crate::command::{Argument, Command as Sent, Secret, Wire};
use crate::error::UrlError;
use urikit_schemes::Gemini as Url;

/// The maximum length of a request in octets, without the line ending.
const MAX_REQUEST: usize = 1024;

/// A request, which consists of a URL.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// Requests a URL.
    Request(Argument),
    /// Requests a URL with sensitive input. The values are the URL up to the `?`, and the escaped
    /// input.
    Secret(Argument, Secret),
}

impl Command {
    /// Returns the request for a URL.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_access::Command as _;
    /// use urikit_access::protocol::gemini::Command;
    /// let url = Uri::parse("gemini://example.com:1965")?;
    /// let command = Command::new(&urikit_schemes::Gemini::read(url)?)?;
    /// assert_eq!(command.octets(), b"gemini://example.com/");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the request is longer than 1024 octets.
    pub fn new(url: &Url<'_>) -> Result<Self, UrlError> {
        Self::Request(Argument::new(url.request().bytes(), "URL")?).checked()
    }

    /// Returns the request for a URL whose query is replaced by the user's input.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_access::Command as _;
    /// use urikit_access::protocol::gemini::Command;
    /// let url = Uri::parse("gemini://example.com/login?tim")?;
    /// let url = urikit_schemes::Gemini::read(url)?;
    /// let command = Command::with_input(&url, "open sesame", true)?;
    /// assert_eq!(command.octets(), b"gemini://example.com/login?open%20sesame");
    /// assert_eq!(command.masked(), b"gemini://example.com/login?***");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the request is longer than 1024 octets.
    pub fn with_input(url: &Url<'_>, input: &str, is_secret: bool) -> Result<Self, UrlError> {
        let before = url.request_without_input().into_bytes();
        let before = before.into_iter().chain(*b"?");
        let input = escape_input(input);
        if is_secret {
            let input = Secret::new(input.bytes(), "input")?;
            return Self::Secret(Argument::new(before, "URL")?, input).checked();
        }
        Self::Request(Argument::new(before.chain(input.bytes()), "URL")?).checked()
    }

    fn checked(self) -> Result<Self, UrlError> {
        if self.octets().len() > MAX_REQUEST {
            return Err(UrlError::TooLong { max: MAX_REQUEST });
        }
        Ok(self)
    }
}

/// Escapes all characters except the unreserved ones (RFC 3986, 2.3).
fn escape_input(input: &str) -> String {
    let mut text = String::with_capacity(input.len());
    for octet in input.bytes() {
        if urikit::grammar::rfc3986::UNRESERVED.set().contains(octet) {
            text.push(char::from(octet));
        } else {
            text.push_str(urikit::octet::escape(octet));
        }
    }
    text
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        "request"
    }

    fn write(&self, wire: &mut Wire) {
        match self {
            Self::Request(url) => wire.argument(url),
            Self::Secret(before, input) => wire.argument(before).secret(input),
        };
    }
}
