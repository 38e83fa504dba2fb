//! Establishes a base URI (RFC 2396, 5.1; RFC 3986, 5.1; RFC 1808, 3).

use crate::AnyRef;
use core::fmt;

/// The source of a base URI: the layers of RFC 2396, 5.1, innermost first.
///
/// ```
/// use urikit::op::Layer;
/// // RFC 3986, 5.1: the innermost comes first.
/// assert!(Layer::Embedded < Layer::Retrieval);
/// assert_eq!(Layer::ALL.map(|layer| layer as usize), [0, 1, 2, 3]);
/// assert_eq!(Layer::Default.to_string(), "the application's default");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// The content of the document, such as HTML's `<base>` (5.1.1).
    Embedded,
    /// The entity that encloses the document, such as a message (5.1.2).
    Encapsulating,
    /// The URI from which the document was retrieved, after redirects (5.1.3).
    Retrieval,
    /// The application's default (5.1.4).
    Default,
}

impl Layer {
    /// All layers, innermost first.
    pub const ALL: [Self; 4] = [
        Self::Embedded,
        Self::Encapsulating,
        Self::Retrieval,
        Self::Default,
    ];
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Embedded => "embedded in the content",
            Self::Encapsulating => "from the encapsulating entity",
            Self::Retrieval => "used to retrieve the document",
            Self::Default => "the application's default",
        })
    }
}

/// The base URIs of a document, by layer. The innermost base applies.
///
/// ```
/// use urikit::Standard;
/// use urikit::op::{BaseUri, Layer};
/// let parse = |text| Standard::Rfc2396.parse(text).unwrap();
/// let mut base = BaseUri::new();
/// base.set(Layer::Retrieval, parse("http://a/b/c"));
/// base.set(Layer::Embedded, parse("http://x/y/z"));
/// let (layer, uri) = base.innermost().unwrap();
/// assert_eq!((layer, uri.as_str()), (Layer::Embedded, "http://x/y/z"));
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct BaseUri<'a> {
    layers: [Option<AnyRef<'a>>; 4],
}

impl<'a> BaseUri<'a> {
    /// Creates an empty set of base URIs.
    ///
    /// ```
    /// use urikit::op::BaseUri;
    /// assert!(BaseUri::new().innermost().is_none());
    /// ```
    pub const fn new() -> Self {
        Self { layers: [None; 4] }
    }

    /// Sets the base URI of a layer. If the base is a relative reference, resolve it first.
    ///
    /// ```
    /// use urikit::op::{BaseUri, Layer};
    /// use urikit::Uri;
    /// let retrieved = Uri::parse("http://a/b/c")?;
    /// // RFC 2396, 5.1.1: `<BASE>` may be relative itself.
    /// let embedded = retrieved.join("/d/").unwrap();
    /// let mut base = BaseUri::new();
    /// base.set(Layer::Retrieval, retrieved);
    /// base.set(Layer::Embedded, &embedded);
    /// assert_eq!(base.innermost().unwrap().1.as_str(), "http://a/d/");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn set(&mut self, layer: Layer, uri: impl Into<AnyRef<'a>>) {
        if let Some(place) = self.layers.get_mut(layer as usize) {
            *place = Some(uri.into());
        }
    }

    /// Returns the base URI of a layer.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::{BaseUri, Layer};
    /// let mut base = BaseUri::new();
    /// base.set(Layer::Default, Standard::Rfc3986.parse("http://a/")?);
    /// assert_eq!(base.get(Layer::Default).unwrap().as_str(), "http://a/");
    /// assert!(base.get(Layer::Embedded).is_none());
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn get(&self, layer: Layer) -> Option<AnyRef<'a>> {
        *self.layers.get(layer as usize)?
    }

    /// Returns the base URI that applies, and its layer. Returns `None` if no layer has a base.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit::op::{BaseUri, Layer};
    /// let mut base = BaseUri::new();
    /// base.set(Layer::Default, Standard::Rfc3986.parse("http://a/")?);
    /// base.set(Layer::Encapsulating, Standard::Rfc3986.parse("http://b/")?);
    /// let (layer, uri) = base.innermost().unwrap();
    /// assert_eq!((layer, uri.as_str()), (Layer::Encapsulating, "http://b/")); // RFC 3986, 5.1
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn innermost(&self) -> Option<(Layer, AnyRef<'a>)> {
        Layer::ALL
            .into_iter()
            .find_map(|layer| Some((layer, self.get(layer)?)))
    }
}
