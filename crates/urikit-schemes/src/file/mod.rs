//! `file`: a file on a particular machine.
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
//! An absent host and `localhost` both mean the machine on which the URL is read. The path is
//! hierarchical, but it is not a file system path: `native.rs` converts it to a Unix or Windows
//! path, and back.
//!
//! RFC 8089 makes the `//` optional if the host is absent. Unlike RFC 1738, RFC 8089 does not allow
//! a path that begins with two slashes. Appendix F of RFC 8089, which "is not normative", describes
//! other forms found in practice: users, `file:c:/path`, and UNC names in the path. This crate
//! reads the forms of Appendix F only on request (`nonstandard.rs`).

#[cfg(feature = "alloc")]
mod native;
mod nonstandard;

#[cfg(feature = "alloc")]
pub use native::PathError;

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Shape, reading};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::{Authority, Encoded};
use urikit::grammar::{Rule, rfc1630};
#[cfg(feature = "alloc")]
use {
    super::build::{
        BuildError, Data, Parts, ServerParts, UNRESERVED, UrlText, are, build_methods, data,
        unchanged,
    },
    super::{Detail, Details},
    alloc::{string::String, vec::Vec},
    urikit::{Standard, grammar::ByteSet, percent::Place},
};

const FILEURL: Rule = Rule::new("fileurl", "RFC 1738, 3.10");
const FILE_URI: Rule = Rule::new("file-URI", "RFC 8089, 2");

const DEFINITION: Definition = Definition::new("file", FILEURL, "RFC 1738, 3.10")
    .rfc1630(rfc1630::FILEADDRESS, "RFC 1630, file")
    .successor(FILE_URI, "RFC 8089, 2");

pub(super) static FILE: Builtin = builtin!(DEFINITION, File);

/// A file URL.
///
/// ```
/// use urikit::Standard;
/// use urikit_schemes::File;
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
    /// The machine. `None` means the machine on which the URL is read.
    host: Option<Encoded<'a>>,
    /// The drive letter of `file:c:/path`.
    drive: Option<char>,
    /// True if the path contains the host, as in a UNC name.
    is_unc: bool,
    /// The path, including its leading slash.
    path: Encoded<'a>,
    read_by: ReadBy,
}

reading!(
    File,
    "a file URL",
    /// Returns the parts of the URL as named values, for display or for JSON: whether the file is
    /// `local`, its `drive`, the decoded `segments`, and the path on each system that can express
    /// it.
    details
);

impl<'a> File<'a> {
    /// Reads a reference as a file URL according to the specifications of `edition`.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{Edition, File};
    /// let url = Uri::parse("file:////etc/motd")?;
    /// assert!(File::read(url).is_err()); // RFC 8089, 2: path-absolute
    /// let file = File::read_as(url, Edition::Original).unwrap();
    /// assert_eq!(file.path(), "//etc/motd"); // RFC 1738, 5: an fsegment may be empty
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a file URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_original = edition == Edition::Original;
        let shape = Shape::new(reference, edition, &DEFINITION)?;
        let start = shape.offset(shape.scheme_part().as_str());
        if is_original && reference.authority().is_none() {
            return Err(shape.mismatch(start, "`//`, an optional host, and `/`"));
        }
        if reference.userinfo().is_some() {
            return Err(shape.mismatch(start + 2, "a host (the scheme does not allow a userinfo)"));
        }
        let path = path(&shape)?;
        if !is_original && path.as_str().starts_with("//") {
            let offset = shape.offset(path.as_str()) + 1;
            return Err(shape.mismatch(offset, "a segment that is not empty"));
        }
        Ok(Self::new(&shape, path))
    }

    /// Creates a file URL with this path and the host of the authority.
    fn new(shape: &Shape<'a>, path: Encoded<'a>) -> Self {
        let authority = shape.reference.authority();
        let host = authority.map(|authority| authority.host().encoded());
        let is_rfc1630 = shape.is_rfc1630();
        Self {
            authority,
            host: host.filter(|host| !host.is_empty() && !is_localhost(*host, is_rfc1630)),
            drive: None,
            is_unc: false,
            path,
            read_by: shape.read_by(),
        }
    }

    /// Returns the host of the file, as written. Returns `None` for an absent host and for
    /// `localhost`, which both mean the machine on which the URL is read.
    pub const fn host(&self) -> Option<Encoded<'a>> {
        self.host
    }

    /// Returns true if [`host`](Self::host) is `None`: the file is on the machine on which the URL
    /// is read. A host name may also refer to that machine, but this method does not look up
    /// names.
    pub const fn is_local(&self) -> bool {
        self.host.is_none()
    }

    /// Returns the user, as written. Only RFC 8089, Appendix F, allows a user.
    pub fn user(&self) -> Option<Encoded<'a>> {
        self.authority?.user()
    }

    /// Returns the password, as written. Only RFC 8089, Appendix F, allows a password.
    pub fn password(&self) -> Option<Encoded<'a>> {
        self.authority?.password()
    }

    /// Returns the path as written, including its leading slash. The result does not include the
    /// host of a UNC name or the drive of `file:c:/path`.
    pub const fn path(&self) -> Encoded<'a> {
        self.path
    }

    /// Returns the segments of the path, as written: the directories, then the name, which is empty
    /// if the path ends in a slash.
    pub fn segments(&self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        self.path.split('/').skip(1)
    }

    /// Returns the drive letter of a Windows path, as in `file:///c:/path` (RFC 8089, D.2) or,
    /// under Appendix F, in `file:c:/path`.
    pub fn drive(&self) -> Option<char> {
        if self.drive.is_some() || !self.is_local() {
            return self.drive;
        }
        let mut segments = self.segments();
        let mut first = segments.next()?.decode().octets();
        match (first.next(), first.next(), first.next()) {
            (Some(letter), Some(b':'), None) if letter.is_ascii_alphabetic() => {
                segments.next().map(|_| char::from(letter))
            }
            _ => None,
        }
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        let path = |path: Result<Vec<u8>, _>| path.ok().and_then(|p| String::from_utf8(p).ok());
        details
            .with("local", self.is_local())
            .with("drive", self.drive().map(String::from))
            .with("segments", Detail::list(self.segments()))
            .with("unix_path", path(self.to_unix_path()))
            .with("windows_path", path(self.to_windows_path()))
    }
}

/// Reads everything after the authority, which must be a path that begins with a slash. RFC 1808's
/// params are part of the path.
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
        Ok(Encoded::assume_valid(path))
    } else {
        Err(shape.mismatch(start, "`/`"))
    }
}

/// Returns true if the host is `localhost`. Case matters only under RFC 1630, whose productions are
/// literal.
fn is_localhost(host: Encoded<'_>, is_rfc1630: bool) -> bool {
    if is_rfc1630 {
        return host == "localhost";
    }
    let octets = host
        .decode()
        .octets()
        .map(|octet| octet.to_ascii_lowercase());
    octets.eq(*b"localhost")
}

/// The characters that stay unescaped in a segment: those allowed in RFC 1738's `fsegment`, except
/// `?`, which begins a query under later standards.
#[cfg(feature = "alloc")]
const SEGMENT: ByteSet = UNRESERVED.or(ByteSet::of(b":@&="));

/// Builds a file URL from parts that are passed as octets. [`File::from_unix_path`] and
/// [`File::from_windows_path`] start from a path instead.
///
/// ```
/// use urikit_schemes::File;
/// let url = File::on("vms.host.edu").segment("disk$user").segment("my").segment("note?.txt");
/// let url = url.build()?;
/// assert_eq!(url.as_str(), "file://vms.host.edu/disk$user/my/note%3F.txt");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct FileBuilder<'a> {
    server: ServerParts<'a>,
    segments: Vec<Data<'a>>,
}

#[cfg(feature = "alloc")]
impl File<'_> {
    /// Starts building the URL of a file on the machine on which the URL is read.
    pub const fn here() -> FileBuilder<'static> {
        FileBuilder::new("")
    }

    /// Starts building the URL of a file on another machine. The host is a name or an address,
    /// written as in a URL. `localhost` means the machine on which the URL is read (RFC 8089, 2).
    pub const fn on(host: &str) -> FileBuilder<'_> {
        FileBuilder::new(host)
    }
}

#[cfg(feature = "alloc")]
impl<'a> FileBuilder<'a> {
    const fn new(host: &'a str) -> Self {
        Self {
            server: ServerParts::new(host),
            segments: Vec::new(),
        }
    }

    fn segments(mut self, segments: impl Iterator<Item = &'a [u8]>) -> Self {
        self.segments.extend(segments.map(data));
        self
    }

    /// Adds a segment to the path. The segment is a directory or the name of the file, and may be
    /// empty. Without segments, the path is `/`.
    #[must_use]
    pub fn segment<T: AsRef<[u8]> + ?Sized>(mut self, segment: &'a T) -> Self {
        self.segments.push(data(segment));
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    FileBuilder,
    /// Builds the URL as an RFC 3986 URI that is also valid under RFC 1738.
    build,
    /// Fails if the parts do not form a file URL. This happens, for example, if the host is not
    /// valid, or if the first segment is empty and other segments follow.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for FileBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
        if self.segments.is_empty() {
            text.push("/");
        }
        for segment in &self.segments {
            text.push("/");
            text.escape(segment, Place::Path, &SEGMENT);
        }
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = File::read(url)?;
        let host = read.authority.map(|authority| authority.host());
        let is_host = host.map_or("", |host| host.as_str()) == self.server.host;
        unchanged("host", is_host)?;
        let is_path = self.segments.is_empty() || are(read.segments(), &self.segments);
        unchanged("path", is_path)
    }
}
