//! Establishing a base URI (RFC 2396, 5.1; RFC 3986, 5.1; RFC 1808, 3).

use crate::AnyRef;
use core::fmt;

/// Where a base URI is from: the layers of RFC 2396, 5.1, innermost first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// Within the document's content, such as HTML's `<base>` (5.1.1).
    Embedded,
    /// From the entity that encloses the document, such as a message (5.1.2).
    Encapsulating,
    /// The URI that the document was retrieved by, the last one after redirects (5.1.3).
    Retrieval,
    /// What the application defines (5.1.4).
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

/// The base URIs that a document has, by layer; the innermost one counts.
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
    /// No base URI at any layer.
    pub const fn new() -> Self {
        Self { layers: [None; 4] }
    }

    /// Sets the base URI of a layer. One that is relative is resolved by the caller first.
    pub fn set(&mut self, layer: Layer, uri: AnyRef<'a>) {
        if let Some(place) = self.layers.get_mut(layer as usize) {
            *place = Some(uri);
        }
    }

    /// The base URI of a layer.
    pub fn get(&self, layer: Layer) -> Option<AnyRef<'a>> {
        *self.layers.get(layer as usize)?
    }

    /// The base URI that counts, and its layer; `None` where no layer has one.
    pub fn innermost(&self) -> Option<(Layer, AnyRef<'a>)> {
        Layer::ALL
            .into_iter()
            .find_map(|layer| Some((layer, self.get(layer)?)))
    }
}
