//! Building http or https URLs from parts.

use super::super::build::{BuildError, data, uri};
use super::{Http, TargetParts};
use alloc::vec;
use urikit::{AnyRefBuf, Standard, UriBuf};

/// Builds an http or https URL from parts, which are octets. It cannot have a userinfo (RFC 1738,
/// 3.3; RFC 9110, 4.2.4).
///
/// ```
/// use urikit_schemes::Http;
/// // RFC 1630, HTTP
/// let url = Http::builder("www.my.uni.edu").segment("info").segment("matriculation").segment("enroling.html");
/// assert_eq!(url.build()?.as_str(), "http://www.my.uni.edu/info/matriculation/enroling.html");
/// let url = Http::builder("www.example.org").secure().segment("a/b?c").query("q=now").build()?;
/// assert_eq!(url.as_str(), "https://www.example.org/a%2Fb%3Fc?q=now");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HttpBuilder<'a> {
    is_secure: bool,
    target: TargetParts<'a>,
}

impl Http<'_> {
    /// Starts an http URL for a host: a name or an address, written as in a URL.
    pub const fn builder(host: &str) -> HttpBuilder<'_> {
        HttpBuilder {
            is_secure: false,
            target: TargetParts::new(host),
        }
    }
}

impl<'a> HttpBuilder<'a> {
    /// Makes it an https URL.
    #[must_use]
    pub const fn secure(mut self) -> Self {
        self.is_secure = true;
        self
    }

    /// Sets a port other than 80 or 443.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.target.server.port = Some(port);
        self
    }

    /// Adds a segment to the path, which may be empty. Without segments, the path is `/`.
    #[must_use]
    pub fn segment<T: AsRef<[u8]> + ?Sized>(mut self, segment: &'a T) -> Self {
        self.target.segments.push(data(segment));
        self
    }

    /// Sets the query. In it, `/`, `;` and `?` are escaped (RFC 1738, 3.3), and so is `+`, which
    /// some readers take for a space.
    #[must_use]
    pub fn query<T: AsRef<[u8]> + ?Sized>(mut self, query: &'a T) -> Self {
        self.target.query = Some(vec![data(query)]);
        self
    }

    /// Adds a word to RFC 1630's search part. Several words need that standard; it does not allow
    /// empty ones.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_schemes::Http;
    /// let search = Http::builder("info.my.org").segment("Phonebook").word("j").word("c++");
    /// let url = search.clone().build_any(Standard::Rfc1630)?;
    /// assert_eq!(url.as_str(), "http://info.my.org/Phonebook?j+c%2B%2B");
    /// assert!(search.build().is_err()); // under RFC 3986 a `+` is not a space
    /// # Ok::<(), urikit_schemes::BuildError>(())
    /// ```
    #[must_use]
    pub fn word<T: AsRef<[u8]> + ?Sized>(mut self, word: &'a T) -> Self {
        let words = self.target.query.get_or_insert_default();
        words.push(data(word));
        self
    }

    /// Builds the URL as a URI of RFC 3986 that is also valid under RFC 1738.
    ///
    /// # Errors
    ///
    /// If the parts do not make a URL of the scheme, for example if the host is not valid or there
    /// are several words.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let scheme = if self.is_secure { "https" } else { "http" };
        self.target.to_text(scheme, standard).finish(|url| {
            let read = Http::read(url).map_err(BuildError::Scheme)?;
            self.target.check(read.path(), &read.server)?;
            self.target.check_query(read.words())
        })
    }
}
