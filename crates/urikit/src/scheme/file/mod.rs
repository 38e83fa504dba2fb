//! `file`: a file of one machine.
//!
//! ```text
//! "file://" [ host | "localhost" ] "/" path                       RFC 1630, file
//! fileurl        = "file://" [ host | "localhost" ] "/" fpath     RFC 1738, 5
//! file-URI       = "file:" file-hier-part                         RFC 8089, 2
//! file-hier-part = ( "//" auth-path ) / local-path
//! auth-path      = [ file-auth ] path-absolute
//! local-path     = path-absolute
//! ```
//!
//! No host and `localhost` mean the machine on which the URL is read. The path is one of a hierarchy, and not
//! yet one of a file system: `native.rs` turns it into a path of Unix or of Windows, and back.
//!
//! RFC 8089 makes the slashes of an absent host optional, and takes no path that begins with two slashes, which
//! RFC 1738 does. What else is met in practice stands in its Appendix F, which "is not normative", and is read
//! only where that is asked for: users, `file:c:/path`, UNC names in the path (`nonstandard.rs`).

#[cfg(feature = "alloc")]
mod access;
#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod native;
mod nonstandard;

#[cfg(feature = "alloc")]
pub use builder::FileBuilder;
#[cfg(feature = "alloc")]
pub use native::PathError;

use super::builtin::{Builtin, builtin};
use super::shape::Shape;
use super::{Denotes, Edition, Facts, ReadError, Status};
use crate::component::{Authority, Encoded};
use crate::grammar::{Rule, rfc1630};
use crate::{AnyRef, Standard};

const FACTS: Facts<'static> = Facts::new("file")
    .title("Host-specific file names")
    .status(Status::Permanent)
    .hierarchical()
    .denotes(Denotes::Object)
    .texts(&["RFC 1630, file", "RFC 1738, 3.10", "RFC 8089, 2"]);

pub(super) static FILE: Builtin = builtin!(FACTS, File);

const FILEURL: Rule = Rule::new("fileurl", "RFC 1738, 3.10");
const FILE_URI: Rule = Rule::new("file-URI", "RFC 8089, 2");

/// A file URL.
///
/// ```
/// use urikit::{Standard, scheme::File};
/// // RFC 1738, 3.10: the VMS file DISK$USER:[MY.NOTES]NOTE123456.TXT
/// let url = Standard::Rfc1738.parse("file://vms.host.edu/disk$user/my/notes/note12345.txt")?;
/// let file = File::read(url)?;
/// assert_eq!(file.host().unwrap(), "vms.host.edu");
/// assert!(file.segments().map(|s| s.as_str()).eq(["disk$user", "my", "notes", "note12345.txt"]));
///
/// let url = Standard::Rfc3986.parse("file:/path/to/file")?; // RFC 8089, Appendix B
/// assert!(File::read(url)?.is_local());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    authority: Option<Authority<'a>>,
    /// The machine; `None` is this one.
    host: Option<Encoded<'a>>,
    /// The drive letter of `file:c:/path`.
    drive: Option<char>,
    /// Whether the host stands in the path.
    is_unc: bool,
    /// With its first slash.
    path: Encoded<'a>,
    text: &'static str,
}

impl<'a> File<'a> {
    /// Reads a reference as a file URL, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// Where the reference is no file URL.
    pub fn read(reference: AnyRef<'a>) -> Result<Self, ReadError> {
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a file URL by the texts of an edition.
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit::scheme::{Edition, File};
    /// let url = UriRef::parse("file:////etc/motd")?;
    /// assert!(File::read(url.as_any()).is_err()); // RFC 8089, 2: path-absolute
    /// let file = File::read_as(url.as_any(), Edition::Original).unwrap();
    /// assert_eq!(file.path(), "//etc/motd"); // RFC 1738, 5: an fsegment may be empty
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Where the reference is no file URL.
    pub fn read_as(reference: AnyRef<'a>, edition: Edition) -> Result<Self, ReadError> {
        let is_original = edition == Edition::Original;
        let (production, text) = match reference.standard() {
            Standard::Rfc1630 if is_original => (rfc1630::FILEADDRESS, "RFC 1630, file"),
            _ if is_original => (FILEURL, "RFC 1738, 3.10"),
            _ => (FILE_URI, "RFC 8089, 2"),
        };
        let shape = Shape::new(reference, edition, FACTS.name, production)?;
        let start = shape.offset(shape.scheme_part().as_str());
        if is_original && reference.authority().is_none() {
            return Err(shape.mismatch(start, "`//`, a host or none, and `/`"));
        }
        if reference.userinfo().is_some() {
            return Err(shape.mismatch(start + 2, "a host, and no userinfo before it"));
        }
        let path = path(&shape)?;
        if !is_original && path.as_str().starts_with("//") {
            let offset = shape.offset(path.as_str()) + 1;
            return Err(shape.mismatch(offset, "a segment that is not empty"));
        }
        Ok(Self::new(&shape, path, text))
    }

    /// A file URL with this path; the host is the authority's.
    fn new(shape: &Shape<'a>, path: Encoded<'a>, text: &'static str) -> Self {
        let authority = shape.reference.authority();
        let host = authority.map(|authority| authority.host().encoded());
        let is_rfc1630 = shape.is_rfc1630();
        Self {
            authority,
            host: host.filter(|host| !host.is_empty() && !is_localhost(*host, is_rfc1630)),
            drive: None,
            is_unc: false,
            path,
            text,
        }
    }

    /// The machine that the file is on, as written; `None` for the one on which the URL is read: without a host, and
    /// for `localhost`.
    pub const fn host(&self) -> Option<Encoded<'a>> {
        self.host
    }

    /// Whether the file is on the machine on which the URL is read. A host may still be that machine's own name.
    pub const fn is_local(&self) -> bool {
        self.host.is_none()
    }

    /// The user, as written, by RFC 8089's Appendix F alone.
    pub fn user(&self) -> Option<Encoded<'a>> {
        self.authority?.user()
    }

    /// The password, as written, by RFC 8089's Appendix F alone.
    pub fn password(&self) -> Option<Encoded<'a>> {
        self.authority?.password()
    }

    /// The path, as written, with its first slash; without what names a host or, in `file:c:/path`, a drive.
    pub const fn path(&self) -> Encoded<'a> {
        self.path
    }

    /// The segments of the path, as written: directories, and the name last, which is empty behind a slash.
    pub fn segments(&self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        self.path.split('/').skip(1)
    }

    /// The drive letter, where the path of this machine has one for Windows: in `file:///c:/path` (RFC 8089, D.2), and
    /// by Appendix F in `file:c:/path`.
    pub fn drive(&self) -> Option<char> {
        if self.drive.is_some() || !self.is_local() {
            return self.drive;
        }
        let mut segments = self.segments();
        let mut first = segments.next()?.decode();
        match (first.next(), first.next(), first.next()) {
            (Some(letter), Some(b':'), None) if letter.is_ascii_alphabetic() => {
                segments.next().map(|_| char::from(letter))
            }
            _ => None,
        }
    }

    /// The text that it was read by.
    pub const fn text(&self) -> &'static str {
        self.text
    }
}

/// All that follows the authority: a path that begins with a slash. RFC 1808's params belong to it.
fn path<'a>(shape: &Shape<'a>) -> Result<Encoded<'a>, ReadError> {
    if let Some(authority) = shape.reference.authority() {
        let host = authority.host().as_str();
        if authority.is_registry_based() {
            return Err(shape.mismatch(shape.offset(host), "a host"));
        }
        if authority.port().is_some() {
            let colon = shape.offset(host) + host.len();
            return Err(shape.mismatch(colon, "`/` (a file has no port)"));
        }
    }
    shape.no_query("no query (a `?` in a name is written `%3F`)")?;
    let part = shape.scheme_part().as_str();
    let start = shape.offset(shape.reference.path().as_str());
    let path = part.get(start - shape.offset(part)..).unwrap_or_default();
    if path.starts_with('/') {
        Ok(Encoded::new(path))
    } else {
        Err(shape.mismatch(start, "`/`"))
    }
}

/// Whether the host is `localhost`: in any case, but by the letter in RFC 1630.
fn is_localhost(host: Encoded<'_>, is_rfc1630: bool) -> bool {
    if is_rfc1630 {
        return host == "localhost";
    }
    let octets = host.decode().map(|octet| octet.to_ascii_lowercase());
    octets.eq(*b"localhost")
}
