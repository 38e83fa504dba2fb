//! From parts to an http or https URL.

use super::super::build::{BuildError, data};
use super::{Http, TargetParts};
use crate::UriRefBuf;
use crate::standard::{Rfc3986, Spec};
use alloc::vec;

/// Makes an http or https URL out of parts, which are octets. No userinfo can be put in (RFC 1738, 3.3; RFC
/// 9110, 4.2.4).
///
/// ```
/// use urikit::scheme::Http;
/// // RFC 1630, HTTP
/// let url = Http::to("www.my.uni.edu").segment("info").segment("matriculation").segment("enroling.html");
/// assert_eq!(url.build()?.as_str(), "http://www.my.uni.edu/info/matriculation/enroling.html");
/// let url = Http::to("www.example.org").secure().segment("a/b?c").query("q=now").build()?;
/// assert_eq!(url.as_str(), "https://www.example.org/a%2Fb%3Fc?q=now");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HttpBuilder<'a> {
    is_secure: bool,
    target: TargetParts<'a>,
}

impl Http<'_> {
    /// Begins an http URL to a host: a name or an address, as a URL has it.
    pub const fn to(host: &str) -> HttpBuilder<'_> {
        HttpBuilder {
            is_secure: false,
            target: TargetParts::new(host),
        }
    }
}

impl<'a> HttpBuilder<'a> {
    /// An https URL.
    #[must_use]
    pub const fn secure(mut self) -> Self {
        self.is_secure = true;
        self
    }

    /// Another port than 80 or 443.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.target.server.port = Some(port);
        self
    }

    /// One more segment of the path, which may be empty. Without any, the path is `/`.
    #[must_use]
    pub fn segment<T: AsRef<[u8]> + ?Sized>(mut self, segment: &'a T) -> Self {
        self.target.segments.push(data(segment));
        self
    }

    /// The query, of which `/`, `;` and `?` are escaped (RFC 1738, 3.3), and `+`, which some read as a space.
    #[must_use]
    pub fn query<T: AsRef<[u8]> + ?Sized>(mut self, query: &'a T) -> Self {
        self.target.query = Some(vec![data(query)]);
        self
    }

    /// One more word of RFC 1630's search part. Several words need that standard; it has no empty ones.
    ///
    /// ```
    /// use urikit::{Rfc1630, scheme::Http};
    /// let search = Http::to("info.my.org").segment("Phonebook").word("j").word("c++");
    /// let url = search.clone().build_as::<Rfc1630>()?;
    /// assert_eq!(url.as_str(), "http://info.my.org/Phonebook?j+c%2B%2B");
    /// assert!(search.build().is_err()); // a plus sign means itself there
    /// # Ok::<(), urikit::scheme::BuildError>(())
    /// ```
    #[must_use]
    pub fn word<T: AsRef<[u8]> + ?Sized>(mut self, word: &'a T) -> Self {
        let words = self.target.query.get_or_insert_default();
        words.push(data(word));
        self
    }

    /// The URL, as a reference of RFC 3986 that RFC 1738 takes too.
    ///
    /// # Errors
    ///
    /// Where the parts make no URL of the scheme: a host that is none, several words.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let scheme = if self.is_secure { "https" } else { "http" };
        self.target.to_text::<S>(scheme).finish(|url| {
            let read = Http::read(url).map_err(BuildError::Scheme)?;
            self.target.check(read.path(), &read.server)?;
            self.target.check_query(read.words())
        })
    }
}
