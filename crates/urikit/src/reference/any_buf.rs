//! A reference that owns its text and whose standard is a value.

use super::getters::{getters, maybe_scheme};
use super::{AnyRef, Rejected};
use crate::component::Encoded;
use crate::layout::ComponentsBuf;
use crate::{ParseError, Standard};
use alloc::string::String;

/// The owned form of [`AnyRef`]: a reference of the [`Standard`] that it carries.
///
/// ```
/// use urikit::{AnyRefBuf, Standard};
/// let url = AnyRefBuf::parse("ftp://foo:@host.com/", Standard::Rfc1738)?; // RFC 1738, 3.1
/// assert_eq!(url.user().unwrap(), "foo");
/// assert_eq!(url.password().unwrap(), ""); // empty, not absent
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone)]
pub struct AnyRefBuf {
    components: ComponentsBuf,
    standard: Standard,
}

impl AnyRef<'_> {
    /// A copy that owns its text.
    pub fn to_owned(&self) -> AnyRefBuf {
        AnyRefBuf::from(*self)
    }
}

impl AnyRefBuf {
    /// Parses a copy of `text` as a reference of `standard`.
    ///
    /// # Errors
    ///
    /// As [`Standard::parse`].
    pub fn parse(text: &str, standard: Standard) -> Result<Self, ParseError> {
        standard.parse(text).map(Self::from)
    }

    /// Parses `text` as a reference of `standard`, without copying it.
    ///
    /// # Errors
    ///
    /// As [`Standard::parse`]; the text comes back with the error.
    pub fn from_string(text: String, standard: Standard) -> Result<Self, Rejected<String>> {
        Self::from_string_by(text, |text| standard.parse(text))
    }

    /// What `parse` makes of `text`, which is not copied.
    pub(crate) fn from_string_by(
        text: String,
        parse: impl FnOnce(&str) -> Result<AnyRef<'_>, ParseError>,
    ) -> Result<Self, Rejected<String>> {
        let mut standard = Standard::default();
        let parsed = ComponentsBuf::parse(text, |text| {
            let any = parse(text)?;
            standard = any.standard();
            Ok(*any.components())
        });
        match parsed {
            Ok(components) => Ok(Self {
                components,
                standard,
            }),
            Err((text, error)) => Err(Rejected::new(text, error)),
        }
    }

    /// INVARIANT: the components are those of their text under `standard`.
    pub(crate) const fn from_components(components: ComponentsBuf, standard: Standard) -> Self {
        Self {
            components,
            standard,
        }
    }

    /// A view that borrows the text.
    #[inline]
    pub const fn borrow(&self) -> AnyRef<'_> {
        AnyRef::from_components(self.components.as_components(), self.standard)
    }

    /// The same text under another standard.
    ///
    /// INVARIANT: that standard gives it the same layout.
    pub(super) fn with_standard(self, standard: Standard) -> Self {
        Self { standard, ..self }
    }

    /// The standard by which it was read.
    pub const fn standard(&self) -> Standard {
        self.standard
    }

    /// Whether it was read by [`Standard::parse_generic`] under RFC 1630 or RFC 1738.
    pub const fn is_generic(&self) -> bool {
        self.borrow().is_generic()
    }

    /// Whether it is opaque; see [`AnyRef::is_opaque`].
    pub const fn is_opaque(&self) -> bool {
        self.borrow().is_opaque()
    }

    /// RFC 1808's params; see [`AnyRef::params`].
    pub const fn params(&self) -> Option<Encoded<'_>> {
        self.borrow().params()
    }

    /// Removes the fragment and its `#`, where there is one.
    pub fn remove_fragment(&mut self) {
        self.components.remove_fragment();
    }

    /// The text as written.
    pub fn into_string(self) -> String {
        self.components.into_string()
    }

    maybe_scheme!(AnyRefBuf, '_, const);
    getters!(AnyRefBuf, '_, const);
}

impl From<AnyRef<'_>> for AnyRefBuf {
    fn from(reference: AnyRef<'_>) -> Self {
        Self {
            components: ComponentsBuf::copied(reference.components()),
            standard: reference.standard(),
        }
    }
}

impl PartialEq for AnyRefBuf {
    /// The same text under the same standard, byte for byte.
    fn eq(&self, other: &Self) -> bool {
        self.borrow() == other.borrow()
    }
}

impl Eq for AnyRefBuf {}

impl core::hash::Hash for AnyRefBuf {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.borrow().hash(state);
    }
}

impl core::fmt::Display for AnyRefBuf {
    /// The reference as written, its password included.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
    }
}

impl core::fmt::Debug for AnyRefBuf {
    /// As [`AnyRef`]'s: a password is masked.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(&self.borrow(), f)
    }
}
