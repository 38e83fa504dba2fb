//! The builder's result: a reference of each type, or text that is appended.

use super::builder::UriBuilder;
use super::error::EditError;
use crate::layout::{Components, ComponentsBuf};
use crate::{AnyRef, AnyRefBuf, IriBuf, IriRefBuf, UriBuf, UriRefBuf};
use alloc::string::String;

impl UriBuilder<'_> {
    /// Builds a URI.
    ///
    /// ```
    /// use urikit::{EditError, UriBuilder};
    /// // RFC 3986, 1.1.2
    /// let path = "comp.infosystems.www.servers.unix";
    /// let uri = UriBuilder::new().scheme("news").path(path).build()?;
    /// assert_eq!(uri, "news:comp.infosystems.www.servers.unix");
    /// assert_eq!(UriBuilder::new().path("a").build().unwrap_err(), EditError::NeedsScheme);
    /// # Ok::<(), EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no scheme, or the result would not be valid or would be parsed with other
    /// components.
    pub fn build(self) -> Result<UriBuf, EditError> {
        if self.scheme.is_none() {
            return Err(self.failure.unwrap_or(EditError::NeedsScheme));
        }
        UriBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds a URI reference.
    ///
    /// ```
    /// use urikit::UriBuilder;
    /// assert_eq!(UriBuilder::new().path("../g").query("y").build_ref()?, "../g?y");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the result would not be valid or would be parsed with other components.
    pub fn build_ref(self) -> Result<UriRefBuf, EditError> {
        UriRefBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds an IRI.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_iri(self) -> Result<IriBuf, EditError> {
        if self.scheme.is_none() {
            return Err(self.failure.unwrap_or(EditError::NeedsScheme));
        }
        IriBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds an IRI reference.
    ///
    /// # Errors
    ///
    /// As [`build_ref`](Self::build_ref).
    pub fn build_iri_ref(self) -> Result<IriRefBuf, EditError> {
        IriRefBuf::try_from(self.build_any()?).map_err(EditError::rejected)
    }

    /// Builds a reference of the builder's standard.
    ///
    /// ```
    /// use urikit::{Standard, UriBuilder};
    /// let builder = UriBuilder::with_standard(Standard::Rfc2396).scheme("mailto").path("a@b");
    /// assert!(builder.clone().build_any()?.is_opaque());
    /// assert!(builder.query("subject=x").build_any().is_err()); // RFC 2396, 3
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`build_ref`](Self::build_ref).
    pub fn build_any(self) -> Result<AnyRefBuf, EditError> {
        let mut text = String::new();
        let layout = self.append(&mut text)?;
        let components = ComponentsBuf::new(text, layout);
        Ok(AnyRefBuf::from_components(components, self.standard))
    }

    /// Appends the result to `out` and returns a view of it.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://a/b")?;
    /// let mut out = String::from("see ");
    /// // RFC 3986, 3.3: without an authority, no path begins with `//`.
    /// assert!(url.to_builder().remove_authority().path("//b").write_into(&mut out).is_err());
    /// assert_eq!(out, "see ");
    /// url.to_builder().fragment("s").write_into(&mut out)?;
    /// assert_eq!(out, "see http://a/b#s");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`build_ref`](Self::build_ref); `out` is then unchanged.
    pub fn write_into(self, out: &mut String) -> Result<AnyRef<'_>, EditError> {
        let start = out.len();
        match self.append(out) {
            Ok(layout) => {
                let text = out.get(start..).unwrap_or_default();
                let components = Components::new(text, layout);
                Ok(AnyRef::from_components(components, self.standard))
            }
            Err(error) => {
                out.truncate(start);
                Err(error)
            }
        }
    }
}
