//! The inputs that links can be found in.

use std::borrow::Cow;

/// A complete text: a string, or bytes that need not be UTF-8.
///
/// It is implemented for strings and byte containers, borrowed and owned. The reference in a
/// [`Link`](crate::Link) borrows from the text; for strings, it is not validated as UTF-8 a second
/// time.
///
/// ```
/// use urikit_extract::{Finder, Source};
/// // RFC 1738, Appendix
/// let bytes = b"\xFF<URL:ftp://ds.internic.net/rfc>\xFF";
/// assert_eq!(Source::text(bytes), None);
/// let link = Finder::new().links(bytes).next().unwrap();
/// assert_eq!(link.as_str(), "ftp://ds.internic.net/rfc");
/// ```
pub trait Source {
    /// The bytes of the text.
    fn bytes(&self) -> &[u8];

    /// The same bytes as a string, if the type guarantees UTF-8. The default is `None`.
    fn text(&self) -> Option<&str> {
        None
    }
}

macro_rules! sources {
    ($($string:ty),*; $($bytes:ty),*) => {
        $(impl Source for $string {
            fn bytes(&self) -> &[u8] {
                self.as_bytes()
            }

            fn text(&self) -> Option<&str> {
                Some(self)
            }
        })*
        $(impl Source for $bytes {
            fn bytes(&self) -> &[u8] {
                self
            }
        })*
    };
}

sources!(str, String, Box<str>, Cow<'_, str>; [u8], Vec<u8>, Box<[u8]>, Cow<'_, [u8]>);

impl<const N: usize> Source for [u8; N] {
    fn bytes(&self) -> &[u8] {
        self
    }
}

impl<T: Source + ?Sized> Source for &T {
    fn bytes(&self) -> &[u8] {
        (**self).bytes()
    }

    fn text(&self) -> Option<&str> {
        (**self).text()
    }
}
