//! Building ftp URLs from parts.

use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data, uri};
use super::{Ftp, Typecode};
use alloc::string::ToString as _;
use alloc::vec::Vec;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRefBuf, Standard, UriBuf};

/// What is not escaped in a directory or a name: `fsegment` without `?`, where a query begins
/// under later standards.
const SEGMENT: ByteSet = UNRESERVED.or(ByteSet::of(b":@&="));

/// Builds an ftp URL from parts, which are octets as the commands send them.
///
/// Data that no client can send, such as a control character, is still built; a client
/// refuses it.
///
/// ```
/// use urikit_schemes::Ftp;
/// // RFC 1738, 3.2.2
/// let url = Ftp::builder("host").cwd("/etc").file("motd").build()?;
/// assert_eq!(url.as_str(), "ftp://host/%2Fetc/motd");
/// let url = Ftp::builder("host.dom").user("myname").cwd("").cwd("etc").file("motd").build()?;
/// assert_eq!(url.as_str(), "ftp://myname@host.dom//etc/motd");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FtpBuilder<'a> {
    server: ServerParts<'a>,
    cwd: Vec<Data<'a>>,
    name: Data<'a>,
    typecode: Option<Typecode<'a>>,
}

impl Ftp<'_> {
    /// Starts a URL for a host: a name or an address, written as in a URL.
    pub const fn builder(host: &str) -> FtpBuilder<'_> {
        FtpBuilder {
            server: ServerParts::new(host),
            cwd: Vec::new(),
            name: Data::Borrowed(&[]),
            typecode: None,
        }
    }
}

impl<'a> FtpBuilder<'a> {
    /// Sets a port other than 21.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// Sets the user.
    #[must_use]
    pub fn user<T: AsRef<[u8]> + ?Sized>(mut self, user: &'a T) -> Self {
        self.server.user = Some(data(user));
        self
    }

    /// Sets the password, which needs a user.
    #[must_use]
    pub fn password<T: AsRef<[u8]> + ?Sized>(mut self, password: &'a T) -> Self {
        self.server.password = Some(data(password));
        self
    }

    /// Adds a `CWD` with this argument, which may be empty.
    #[must_use]
    pub fn cwd<T: AsRef<[u8]> + ?Sized>(mut self, directory: &'a T) -> Self {
        self.cwd.push(data(directory));
        self
    }

    /// Sets the name of the file, or of what is listed. Without it, the URL names the directory.
    #[must_use]
    pub fn file<T: AsRef<[u8]> + ?Sized>(mut self, name: &'a T) -> Self {
        self.name = data(name);
        self
    }

    /// Sets how it is transferred.
    #[must_use]
    pub const fn typecode(mut self, typecode: Typecode<'a>) -> Self {
        self.typecode = Some(typecode);
        self
    }

    /// Builds the URL as a URI of RFC 3986 that is also valid under RFC 1738.
    ///
    /// # Errors
    ///
    /// If the parts do not make an ftp URL, for example if the host is not valid, or RFC 1738 does
    /// not have the typecode.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let mut text = UrlText::new("ftp", standard);
        text.server(&self.server);
        for part in self.cwd.iter().chain([&self.name]) {
            text.push("/");
            text.escape(part, Place::Path, &SEGMENT);
        }
        if let Some(typecode) = self.typecode {
            text.push(";type=");
            let code = typecode.to_string();
            // RFC 1630's codes are upper case only.
            if standard == urikit::Standard::Rfc1630 {
                text.push(&code.to_ascii_uppercase());
            } else {
                text.push(&code);
            }
        }
        text.finish(|url| {
            let read = Ftp::read(url).map_err(BuildError::Scheme)?;
            self.server.check(&read.server)?;
            let is = |part: urikit::component::Encoded<'_>, data: &Data<'_>| {
                part.decode().octets().eq(data.iter().copied())
            };
            let is_cwd = read.cwd().count() == self.cwd.len()
                && read.cwd().zip(&self.cwd).all(|(part, data)| is(part, data));
            let part = if !is_cwd {
                "directory"
            } else if !is(read.name(), &self.name) {
                "name"
            } else if read.typecode() != self.typecode {
                "typecode"
            } else {
                return Ok(());
            };
            Err(BuildError::Misread { part })
        })
    }
}
