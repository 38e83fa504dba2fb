//! `ftp`: files and directories over the File Transfer Protocol.
//!
//! ```text
//! ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]      RFC 1738, 5
//! fpath  = fsegment *[ "/" fsegment ]
//! ftpaddress = f t p : / / login / path [ ftptype ]               RFC 1630
//! ```
//!
//! The text after the first slash is a list of arguments: one `CWD` for each segment, even an empty
//! one, and the last segment is the name of the file (RFC 1738, 3.2.2). The segments are split
//! first and decoded afterwards. The arguments are not a path in a file system, so dot segments
//! and empty segments are kept.
//!
//! No later RFC has replaced RFC 1738's definition of ftp URLs. Under RFC 2396 and its successors
//! a `?` begins a query, which an ftp URL does not have; RFC 1738 allows `?` in names.

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, host_and_port, reading, user_and_password};
use super::{Edition, ReadError};
use core::fmt;
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1738};
#[cfg(feature = "alloc")]
use {
    super::build::{
        BuildError, Data, Parts, ServerParts, UNRESERVED, UrlText, are, build_methods, data, is,
        set_port, set_user_and_password, unchanged,
    },
    super::{Detail, Details},
    alloc::{string::ToString as _, vec::Vec},
    urikit::{Standard, grammar::ByteSet, percent::Place},
};

const FTPURL: Rule = Rule::new("ftpurl", "RFC 1738, 3.2.2");

const DEFINITION: Definition =
    Definition::new("ftp", FTPURL, "RFC 1738, 3.2").rfc1630(FTPURL, "RFC 1630, FTP");

pub(super) static FTP: Builtin = builtin!(DEFINITION, Ftp);

/// An ftp URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Ftp;
/// // RFC 1738, 3.2.2: "CWD /etc" and then "RETR motd"
/// let url = Uri::parse("ftp://myname@host.dom/%2Fetc/motd")?;
/// let ftp = Ftp::read(url)?;
/// assert_eq!(ftp.cwd().next().unwrap().decode_utf8()?, "/etc");
/// assert_eq!(ftp.name(), "motd");
/// assert_eq!((ftp.user().unwrap().as_str(), ftp.port()), ("myname", Some(21)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ftp<'a> {
    server: Server<'a>,
    /// The text between the first slash and the typecode. This field is `None` if the URL has no
    /// slash.
    path: Option<Encoded<'a>>,
    typecode: Option<Typecode<'a>>,
    read_by: ReadBy,
}

reading!(
    Ftp,
    "an ftp URL",
    /// Returns the parts of the URL as named values, for display or for JSON: `cwd`, `name` and
    /// `type`, decoded.
    details
);
host_and_port!(Ftp, "21");
user_and_password!(
    Ftp,
    /// Returns the user, as written. `None` means anonymous FTP and differs from an empty user (RFC
    /// 1738, 3.1).
    user,
    /// Returns the password, as written. If the URL has a user without a password and the server
    /// requires a password, a client asks the user for the password (RFC 1738, 3.2.1).
    password
);

impl<'a> Ftp<'a> {
    /// Reads a reference as an ftp URL. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not an ftp URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &DEFINITION)?;
        let server = shape.server()?;
        shape.no_query("no query (a `?` in a name is written `%3F`)")?;
        let (path, typecode) = match shape.url_path() {
            Some(path) => Self::split(&shape, path)?,
            None => (None, None),
        };
        Ok(Self {
            server,
            path,
            typecode,
            read_by: shape.read_by(),
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

    /// Returns the arguments of the `CWD` commands in order, as written. An argument may be empty
    /// (RFC 1738, 3.2.2).
    pub fn cwd(&self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        let segments = self.path.map(|path| path.split('/'));
        let count = self.path.map_or(0, |path| path.split('/').count());
        segments.into_iter().flatten().take(count.saturating_sub(1))
    }

    /// Returns the name of the file, as written. The name is empty if the URL ends in a slash or
    /// has no path. A URL with an empty name refers to the directory itself.
    pub fn name(&self) -> Encoded<'a> {
        let last = self.path.and_then(|path| path.split('/').next_back());
        last.unwrap_or(Encoded::assume_valid(""))
    }

    /// Returns the typecode in the URL, if any (RFC 1738, 3.2.2).
    pub const fn typecode(&self) -> Option<Typecode<'a>> {
        self.typecode
    }

    /// Guesses the typecode from the name, for a URL without one (RFC 1738, 3.2.3). An empty name
    /// means a list of names, a name that looks like a text file means ASCII, and all other names
    /// mean image (unchanged octets).
    pub fn guess(&self) -> Typecode<'a> {
        guess(self.name())
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        details
            .with("cwd", Detail::list(self.cwd()))
            .with("name", self.name())
            .with("type", self.typecode().map(|code| code.to_string()))
    }
}

/// Specifies how a file is transferred or a directory is listed (`;type=`).
///
/// RFC 1738 uses `a`, `i` and `d`, in either case. RFC 1630 uses the codes of RFC 959's `TYPE`
/// command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Typecode<'a> {
    /// `A`: text, with network line endings; in RFC 1630, with a format.
    Ascii(Option<FormatCode>),
    /// `E`: text in EBCDIC (RFC 1630).
    Ebcdic(Option<FormatCode>),
    /// `I`: image, the unchanged octets.
    Image,
    /// `L`, followed by the digits of a byte size, such as `L8` (RFC 1630).
    Local(&'a str),
    /// `d`: the list of names (RFC 1738).
    Directory,
}

/// The format of text: the second character of the type (RFC 959, 3.1.1.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FormatCode {
    /// `N`: not for printing.
    NonPrint,
    /// `T`: Telnet format effectors.
    Telnet,
    /// `C`: carriage control, as in FORTRAN.
    CarriageControl,
}

impl<'a> Typecode<'a> {
    /// Reads RFC 1738's `ftptype`.
    fn read(code: &str) -> Option<Self> {
        match code {
            "A" | "a" => Some(Self::Ascii(None)),
            "I" | "i" => Some(Self::Image),
            "D" | "d" => Some(Self::Directory),
            _ => None,
        }
    }

    /// Reads RFC 1630's `ftptype`.
    fn read_rfc1630(code: &'a str) -> Option<Self> {
        let (kind, rest) = (code.get(..1)?, code.get(1..)?);
        let format = match rest {
            "N" => Some(FormatCode::NonPrint),
            "T" => Some(FormatCode::Telnet),
            "C" => Some(FormatCode::CarriageControl),
            _ => None,
        };
        let is_format = rest.is_empty() || format.is_some();
        match kind {
            "A" if is_format => Some(Self::Ascii(format)),
            "E" if is_format => Some(Self::Ebcdic(format)),
            "I" if rest.is_empty() => Some(Self::Image),
            "L" if !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(Self::Local(rest))
            }
            _ => None,
        }
    }

    /// Returns true if RFC 1738 defines this typecode.
    pub const fn is_rfc1738(self) -> bool {
        matches!(self, Self::Ascii(None) | Self::Image | Self::Directory)
    }
}

impl fmt::Display for FormatCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NonPrint => "N",
            Self::Telnet => "T",
            Self::CarriageControl => "C",
        })
    }
}

impl fmt::Display for Typecode<'_> {
    /// Writes the code as it appears in a URL. RFC 1738's codes are in lower case, RFC 1630's in
    /// upper case.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ascii(None) => f.write_str("a"),
            Self::Ascii(Some(format)) => write!(f, "A{format}"),
            Self::Ebcdic(None) => f.write_str("E"),
            Self::Ebcdic(Some(format)) => write!(f, "E{format}"),
            Self::Image => f.write_str("i"),
            Self::Local(size) => write!(f, "L{size}"),
            Self::Directory => f.write_str("d"),
        }
    }
}

/// The file name extensions of text files, and complete names of text files without an extension.
const TEXTS: [&[u8]; 21] = [
    b"txt", b"text", b"asc", b"htm", b"html", b"xml", b"css", b"csv", b"md", b"c", b"h", b"sh",
    b"pl", b"py", b"ps", b"tex", b"rfc", b"me", b"faq", b"readme", b"index",
];

/// Guesses the typecode from the name.
fn guess(name: Encoded<'_>) -> Typecode<'static> {
    if name.is_empty() {
        return Typecode::Directory;
    }
    // The text after the last dot, or the complete name.
    let is_text = |end: &&[u8]| {
        let mut octets = name.decode().octets();
        let mut rest = octets.clone();
        while let Some(octet) = octets.next() {
            if octet == b'.' {
                rest = octets.clone();
            }
        }
        rest.map(|octet| octet.to_ascii_lowercase())
            .eq(end.iter().copied())
    };
    if TEXTS.iter().any(is_text) {
        Typecode::Ascii(None)
    } else {
        Typecode::Image
    }
}

/// The characters that stay unescaped in a directory or a name: those allowed in `fsegment`,
/// except `?`, which begins a query under later standards.
#[cfg(feature = "alloc")]
const SEGMENT: ByteSet = UNRESERVED.or(ByteSet::of(b":@&="));

/// Builds an ftp URL from parts, which are the octets that FTP commands send.
///
/// The builder also accepts data that no client can send, such as a control character. Clients
/// reject these URLs.
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
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct FtpBuilder<'a> {
    server: ServerParts<'a>,
    cwd: Vec<Data<'a>>,
    name: Data<'a>,
    typecode: Option<Typecode<'a>>,
}

#[cfg(feature = "alloc")]
impl Ftp<'_> {
    /// Starts building a URL with a host: a name or an address, written as in a URL.
    pub const fn builder(host: &str) -> FtpBuilder<'_> {
        FtpBuilder {
            server: ServerParts::new(host),
            cwd: Vec::new(),
            name: Data::Borrowed(&[]),
            typecode: None,
        }
    }
}

#[cfg(feature = "alloc")]
set_port!(FtpBuilder, server, "21");
#[cfg(feature = "alloc")]
set_user_and_password!(
    FtpBuilder,
    /// Sets the user.
    user,
    /// Sets the password, which requires a user. Anyone who sees the URL can read the password.
    password
);

#[cfg(feature = "alloc")]
impl<'a> FtpBuilder<'a> {
    /// Adds a `CWD` with this argument, which may be empty.
    #[must_use]
    pub fn cwd<T: AsRef<[u8]> + ?Sized>(mut self, directory: &'a T) -> Self {
        self.cwd.push(data(directory));
        self
    }

    /// Sets the name of the file, or of the directory to list. Without this call, the URL refers
    /// to the last directory.
    #[must_use]
    pub fn file<T: AsRef<[u8]> + ?Sized>(mut self, name: &'a T) -> Self {
        self.name = data(name);
        self
    }

    /// Sets the typecode.
    #[must_use]
    pub const fn typecode(mut self, typecode: Typecode<'a>) -> Self {
        self.typecode = Some(typecode);
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    FtpBuilder,
    /// Builds the URL as an RFC 3986 URI that is also valid under RFC 1738.
    build,
    /// Fails if the parts do not form an ftp URL. This happens, for example, if the host is not
    /// valid, or if RFC 1738 does not define the typecode.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for FtpBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
        for part in self.cwd.iter().chain([&self.name]) {
            text.push("/");
            text.escape(part, Place::Path, &SEGMENT);
        }
        if let Some(typecode) = self.typecode {
            text.push(";type=");
            let code = typecode.to_string();
            // RFC 1630's codes must be in upper case.
            if text.standard() == Standard::Rfc1630 {
                text.push(&code.to_ascii_uppercase());
            } else {
                text.push(&code);
            }
        }
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Ftp::read(url)?;
        self.server.check(&read.server)?;
        unchanged("directory", are(read.cwd(), &self.cwd))?;
        unchanged("name", is(read.name(), &self.name))?;
        unchanged("typecode", read.typecode() == self.typecode)
    }
}
