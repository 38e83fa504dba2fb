//! From parts to an ftp URL.

use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data};
use super::{Ftp, Typecode};
use crate::UriRefBuf;
use crate::grammar::ByteSet;
use crate::op::percent::Component;
use crate::standard::{Rfc3986, Spec};
use alloc::string::ToString as _;
use alloc::vec::Vec;

/// What stands for itself in a directory or a name: `fsegment` without `?`, which later standards take for a
/// query.
const SEGMENT: ByteSet = UNRESERVED.or(ByteSet::of(b":@&="));

/// Makes an ftp URL out of parts, which are octets as the commands send them.
///
/// What no client can send, such as a control character, is built all the same; `steps` says so.
///
/// ```
/// use urikit::scheme::Ftp;
/// // RFC 1738, 3.2.2
/// let url = Ftp::to("host").cwd("/etc").file("motd").build()?;
/// assert_eq!(url.as_str(), "ftp://host/%2Fetc/motd");
/// let url = Ftp::to("host.dom").user("myname").cwd("").cwd("etc").file("motd").build()?;
/// assert_eq!(url.as_str(), "ftp://myname@host.dom//etc/motd");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FtpBuilder<'a> {
    server: ServerParts<'a>,
    cwd: Vec<Data<'a>>,
    name: Data<'a>,
    typecode: Option<Typecode<'a>>,
}

impl Ftp<'_> {
    /// Begins a URL to a host: a name or an address, as a URL has it.
    pub const fn to(host: &str) -> FtpBuilder<'_> {
        FtpBuilder {
            server: ServerParts::new(host),
            cwd: Vec::new(),
            name: Data::Borrowed(&[]),
            typecode: None,
        }
    }
}

impl<'a> FtpBuilder<'a> {
    /// Another port than 21.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// The user.
    #[must_use]
    pub fn user<T: AsRef<[u8]> + ?Sized>(mut self, user: &'a T) -> Self {
        self.server.user = Some(data(user));
        self
    }

    /// The password, which needs a user.
    #[must_use]
    pub fn password<T: AsRef<[u8]> + ?Sized>(mut self, password: &'a T) -> Self {
        self.server.password = Some(data(password));
        self
    }

    /// One more `CWD` with this argument, which may be empty.
    #[must_use]
    pub fn cwd<T: AsRef<[u8]> + ?Sized>(mut self, directory: &'a T) -> Self {
        self.cwd.push(data(directory));
        self
    }

    /// The name of the file, or of what is listed. Without it, the directory.
    #[must_use]
    pub fn file<T: AsRef<[u8]> + ?Sized>(mut self, name: &'a T) -> Self {
        self.name = data(name);
        self
    }

    /// How it is transferred.
    #[must_use]
    pub const fn typecode(mut self, typecode: Typecode<'a>) -> Self {
        self.typecode = Some(typecode);
        self
    }

    /// The URL, as a reference of RFC 3986 that RFC 1738 takes too.
    ///
    /// # Errors
    ///
    /// Where the parts make no ftp URL: a host that is none, a typecode that RFC 1738 lacks.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let mut text = UrlText::<S>::new("ftp");
        text.server(&self.server);
        for part in self.cwd.iter().chain([&self.name]) {
            text.push("/");
            text.escape(part, Component::Path, &SEGMENT);
        }
        if let Some(typecode) = self.typecode {
            text.push(";type=");
            let code = typecode.to_string();
            // RFC 1630 has its codes in upper case only.
            if S::STANDARD == crate::Standard::Rfc1630 {
                text.push(&code.to_ascii_uppercase());
            } else {
                text.push(&code);
            }
        }
        text.finish(|url| {
            let read = Ftp::read(url).map_err(BuildError::Scheme)?;
            self.server.check(&read.server)?;
            let is = |part: crate::component::Encoded<'_>, data: &Data<'_>| {
                part.decode().eq(data.iter().copied())
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
