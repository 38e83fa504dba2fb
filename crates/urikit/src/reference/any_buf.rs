//! An owned reference that records its standard at run time.

use super::getters::{getters, maybe_scheme};
use super::{AnyRef, Rejected};
use crate::component::Encoded;
use crate::layout::ComponentsBuf;
use crate::{ParseError, Standard};
use alloc::string::String;

/// The owned form of [`AnyRef`]: a reference that records the [`Standard`] under which it was
/// parsed.
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
    /// Copies the text into an owned reference.
    pub fn to_owned(&self) -> AnyRefBuf {
        AnyRefBuf::from(*self)
    }
}

impl AnyRefBuf {
    /// Copies `text` and parses it as a reference of `standard`.
    ///
    /// # Errors
    ///
    /// See [`Standard::parse`].
    pub fn parse(text: &str, standard: Standard) -> Result<Self, ParseError> {
        standard.parse(text).map(Self::from)
    }

    /// Parses `text` as a reference of `standard`, without copying it.
    ///
    /// # Errors
    ///
    /// See [`Standard::parse`]. [`Rejected`] contains the text.
    pub fn from_string(text: String, standard: Standard) -> Result<Self, Rejected<String>> {
        Self::from_string_by(text, |text| standard.parse(text))
    }

    /// Parses `text` with `parse`, without copying it.
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

    /// INVARIANT: parsing the text under `standard` gives these components.
    pub(crate) const fn from_components(components: ComponentsBuf, standard: Standard) -> Self {
        Self {
            components,
            standard,
        }
    }

    /// Borrows the text as an [`AnyRef`].
    #[inline]
    pub const fn as_any_ref(&self) -> AnyRef<'_> {
        AnyRef::from_components(self.components.as_components(), self.standard)
    }

    /// Changes the standard and keeps the text.
    ///
    /// INVARIANT: the text has the same layout under the new standard.
    pub(super) fn with_standard(self, standard: Standard) -> Self {
        Self { standard, ..self }
    }

    /// Returns the standard under which the reference was parsed.
    pub const fn standard(&self) -> Standard {
        self.standard
    }

    /// Returns whether the reference was parsed by [`Standard::parse_generic`] under RFC 1630 or
    /// RFC 1738.
    pub const fn is_generic(&self) -> bool {
        self.as_any_ref().is_generic()
    }

    /// Returns whether the reference is opaque; see [`AnyRef::is_opaque`].
    pub const fn is_opaque(&self) -> bool {
        self.as_any_ref().is_opaque()
    }

    /// Returns the params of RFC 1808; see [`AnyRef::params`].
    pub const fn params(&self) -> Option<Encoded<'_>> {
        self.as_any_ref().params()
    }

    /// Removes the fragment and its `#`, if present.
    pub fn remove_fragment(&mut self) {
        self.components.remove_fragment();
    }

    /// Returns the text, without copying it.
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
    /// Returns true if the standards are equal and the texts are identical.
    fn eq(&self, other: &Self) -> bool {
        self.as_any_ref() == other.as_any_ref()
    }
}

impl Eq for AnyRefBuf {}

impl core::hash::Hash for AnyRefBuf {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.as_any_ref().hash(state);
    }
}

impl core::fmt::Display for AnyRefBuf {
    /// Writes the reference as written, including its password.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
    }
}

impl core::fmt::Debug for AnyRefBuf {
    /// Masks the password, as [`AnyRef`] does.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(&self.as_any_ref(), f)
    }
}
