//! `ftp`: files and directories by the File Transfer Protocol.
//!
//! ```text
//! ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]      RFC 1738, 5
//! fpath  = fsegment *[ "/" fsegment ]
//! ftpaddress = f t p : / / login / path [ ftptype ]               RFC 1630
//! ```
//!
//! What follows the first slash is a list of arguments: one `CWD` for each segment, even an empty
//! one, and the last segment names the file (RFC 1738, 3.2.2). The segments are split first and
//! decoded afterwards. It is not a path of a file system, and nothing in it is simplified.
//!
//! No later RFC replaced this definition. Under RFC 2396 and its successors a `?` begins a query,
//! which an ftp URL does not have; RFC 1738 allows `?` in names.

#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod details;
mod typecode;

#[cfg(feature = "alloc")]
pub use builder::FtpBuilder;
pub use typecode::{FormatCode, Typecode};

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::shape::{Server, Shape};
use super::{Edition, Facts, ReadError, facts};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1738};
use urikit::internal::encoded;

const FACTS: Facts<'static> = facts("ftp");

pub(super) static FTP: Builtin = builtin!(FACTS, Ftp);

const FTPURL: Rule = Rule::new("ftpurl", "RFC 1738, 3.2.2");

/// An ftp URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Ftp;
/// // RFC 1738, 3.2.2: "CWD /etc" and then "RETR motd"
/// let url = Uri::parse("ftp://myname@host.dom/%2Fetc/motd")?;
/// let ftp = Ftp::read(url)?;
/// assert_eq!(ftp.cwd().next().unwrap().to_utf8()?, "/etc");
/// assert_eq!(ftp.name(), "motd");
/// assert_eq!((ftp.user().unwrap().as_str(), ftp.port()), ("myname", Some(21)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ftp<'a> {
    server: Server<'a>,
    /// What is between the first slash and the typecode; `None` without the slash.
    path: Option<Encoded<'a>>,
    typecode: Option<Typecode<'a>>,
    is_rfc1630: bool,
}

impl<'a> Ftp<'a> {
    /// Reads a reference as an ftp URL; both editions are the same.
    ///
    /// # Errors
    ///
    /// If the reference is not an ftp URL.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as an ftp URL by the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// If the reference is not an ftp URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, FACTS.name, FTPURL)?;
        let server = shape.server(&FACTS)?;
        shape.no_query("no query (a `?` in a name is written `%3F`)")?;
        let (path, typecode) = match shape.url_path() {
            Some(path) => Self::split(&shape, path)?,
            None => (None, None),
        };
        Ok(Self {
            server,
            path,
            typecode,
            is_rfc1630: shape.is_rfc1630(),
        })
    }

    /// Splits the typecode off the path.
    #[allow(clippy::type_complexity)] // a path and a typecode, each of which may be absent
    fn split(
        shape: &Shape<'a>,
        path: Encoded<'a>,
    ) -> Result<(Option<Encoded<'a>>, Option<Typecode<'a>>), ReadError> {
        let Some((path, parameter)) = path.split_once(';') else {
            return Ok((Some(path), None));
        };
        let rule = *rfc1738::FTPTYPE.rule();
        let start = shape.offset(parameter.as_str());
        let Some(code) = parameter.as_str().strip_prefix("type=") else {
            let expected = "`type=` and a typecode (a `;` in a name is written `%3B`)";
            return Err(shape.mismatch(start, expected));
        };
        let typecode = if shape.is_rfc1630() {
            Typecode::read_rfc1630(code)
        } else {
            Typecode::read(code)
        };
        match typecode {
            Some(typecode) => Ok((Some(path), Some(typecode))),
            None => Err(shape.mismatch_in(start + 5, "one of `a`, `i`, `d`, and the end", rule)),
        }
    }

    /// The host.
    pub fn host(&self) -> Host<'a> {
        self.server.host()
    }

    /// The port, by default 21; `None` for one above 65535.
    pub fn port(&self) -> Option<u16> {
        self.server.port()
    }

    /// The user, as written; `None` means anonymous FTP. An empty user is not `None` (RFC 1738,
    /// 3.1).
    pub fn user(&self) -> Option<Encoded<'a>> {
        self.server.user()
    }

    /// The password, as written; if it is `None` and the server wants one, the user is asked.
    pub fn password(&self) -> Option<Encoded<'a>> {
        self.server.password()
    }

    /// The arguments of the `CWD` commands, as written and in order, including empty ones.
    pub fn cwd(&self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        let segments = self.path.map(|path| path.split('/'));
        let count = self.path.map_or(0, |path| path.split('/').count());
        segments.into_iter().flatten().take(count.saturating_sub(1))
    }

    /// The name of the file, as written; empty if the URL ends in a slash or has no path, and so
    /// names the directory itself.
    pub fn name(&self) -> Encoded<'a> {
        let last = self.path.and_then(|path| path.split('/').next_back());
        last.unwrap_or(encoded(""))
    }

    /// The typecode in the URL.
    pub const fn typecode(&self) -> Option<Typecode<'a>> {
        self.typecode
    }

    /// The typecode to use if the URL has none, guessed from the name (RFC 1738, 3.2.3): a list of
    /// names for an empty name, ASCII for a name that looks like text, and image (unchanged
    /// octets) for all others.
    pub fn guess(&self) -> Typecode<'a> {
        typecode::guess(self.name())
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        if self.is_rfc1630 {
            "RFC 1630, FTP"
        } else {
            "RFC 1738, 3.2"
        }
    }

    /// All of its meaning as named values, for display or as JSON: `cwd`, `name` and `type`,
    /// decoded.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        self.named_values()
    }
}
