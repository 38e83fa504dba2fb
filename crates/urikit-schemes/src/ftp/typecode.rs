//! How a file is transferred: `;type=`.

use core::fmt;
use urikit::component::Encoded;

/// How a file is transferred, or that a directory is listed.
///
/// RFC 1738 has `a`, `i` and `d`, in either case. RFC 1630 has the codes of RFC 959's `TYPE`
/// command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Typecode<'a> {
    /// `A`: text, with the line ends of the network; in RFC 1630 with a format.
    Ascii(Option<FormatCode>),
    /// `E`: text in EBCDIC (RFC 1630).
    Ebcdic(Option<FormatCode>),
    /// `I`: image, the unchanged octets.
    Image,
    /// `L`, and the digits of a byte size (RFC 1630: `L8`).
    Local(&'a str),
    /// `d`: the list of names (RFC 1738).
    Directory,
}

/// The format of text, the second character of its type (RFC 959, 3.1.1.5).
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
    pub(super) fn read(code: &str) -> Option<Self> {
        match code {
            "A" | "a" => Some(Self::Ascii(None)),
            "I" | "i" => Some(Self::Image),
            "D" | "d" => Some(Self::Directory),
            _ => None,
        }
    }

    /// Reads RFC 1630's `ftptype`.
    pub(super) fn read_rfc1630(code: &'a str) -> Option<Self> {
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

    /// Whether RFC 1738 defines it.
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
    /// As in a URL: RFC 1738's codes in lower case, and RFC 1630's codes as it prints them.
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

/// Endings of names of text files.
const TEXTS: [&[u8]; 21] = [
    b"txt", b"text", b"asc", b"htm", b"html", b"xml", b"css", b"csv", b"md", b"c", b"h", b"sh",
    b"pl", b"py", b"ps", b"tex", b"rfc", b"me", b"faq", b"readme", b"index",
];

/// Guesses from the name how to transfer a file.
pub(super) fn guess(name: Encoded<'_>) -> Typecode<'static> {
    if name.is_empty() {
        return Typecode::Directory;
    }
    // What follows the last dot, or all of it.
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
