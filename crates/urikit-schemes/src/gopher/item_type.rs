//! The type of item a Gopher URL leads to.

use core::fmt;
use urikit::internal::escape;

/// The type of item a Gopher URL leads to. A client needs it to understand the reply. It is never
/// sent.
///
/// It is one octet. The types with names here are listed in RFC 1436, 3.8, and Gopher+, 2.9;
/// others are for local use.
///
/// ```
/// use urikit_schemes::ItemType;
/// assert_eq!(ItemType::SEARCH.octet(), b'7'); // RFC 1436, 3.8
/// assert_eq!(ItemType::from(b'0').title(), Some("file"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ItemType(u8);

/// The listed types: a constant and a title for each.
macro_rules! listed {
    ($($(#[$doc:meta])* $name:ident = $octet:literal, $title:literal;)*) => {
        impl ItemType {
            $($(#[$doc])* pub const $name: Self = Self($octet);)*

            /// Its name in RFC 1436 or Gopher+; `None` for a type that they do not list.
            pub const fn title(self) -> Option<&'static str> {
                match self.0 {
                    $($octet => Some($title),)*
                    _ => None,
                }
            }
        }
    };
}

listed! {
    /// `0`: a file of text.
    FILE = b'0', "file";
    /// `1`: a directory, which is what a URL without a type leads to.
    DIRECTORY = b'1', "directory";
    /// `2`: a CSO phone-book server.
    CSO = b'2', "CSO phone-book server";
    /// `3`: an error.
    ERROR = b'3', "error";
    /// `4`: a BinHexed Macintosh file.
    BINHEX = b'4', "BinHexed Macintosh file";
    /// `5`: a DOS binary archive.
    DOS_BINARY = b'5', "DOS binary archive";
    /// `6`: a UNIX uuencoded file.
    UUENCODED = b'6', "UNIX uuencoded file";
    /// `7`: an index-search server.
    SEARCH = b'7', "index-search server";
    /// `8`: a text-based telnet session.
    TELNET = b'8', "text-based telnet session";
    /// `9`: a binary file.
    BINARY = b'9', "binary file";
    /// `+`: a redundant server.
    REDUNDANT = b'+', "redundant server";
    /// `T`: a text-based tn3270 session.
    TN3270 = b'T', "text-based tn3270 session";
    /// `g`: a GIF format graphics file.
    GIF = b'g', "GIF format graphics file";
    /// `I`: some kind of image file.
    IMAGE = b'I', "image file";
    /// `:`: a bitmap image (Gopher+).
    BITMAP = b':', "bitmap image";
    /// `;`: a movie (Gopher+).
    MOVIE = b';', "movie";
    /// `<`: a sound (Gopher+).
    SOUND = b'<', "sound";
}

impl ItemType {
    /// The octet.
    pub const fn octet(self) -> u8 {
        self.0
    }
}

impl From<u8> for ItemType {
    fn from(octet: u8) -> Self {
        Self(octet)
    }
}

impl fmt::Display for ItemType {
    /// The character; an escape if it is not visible.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_ascii_graphic() {
            write!(f, "{}", char::from(self.0))
        } else {
            f.write_str(escape(self.0))
        }
    }
}
