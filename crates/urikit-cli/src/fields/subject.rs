//! The reference that fields are filled from, and its normal form.

use std::cell::OnceCell;
use urikit::op::Level;
use urikit::{AnyRef, AnyRefBuf};
use urikit_domains::List;

/// A reference, and its normal form, which is made only if a field needs it.
pub(crate) struct Subject<'a> {
    pub(crate) written: AnyRef<'a>,
    normal: OnceCell<Option<AnyRefBuf>>,
    /// The character between the pairs of the query.
    pub(super) separator: char,
    /// The list that divides hosts into domains.
    pub(super) domains: &'a List,
}

impl<'a> Subject<'a> {
    pub(crate) const fn new(written: AnyRef<'a>, separator: char, domains: &'a List) -> Self {
        Self {
            written,
            normal: OnceCell::new(),
            separator,
            domains,
        }
    }

    /// The normal form, by all levels.
    pub(crate) fn normal(&self) -> AnyRef<'_> {
        let normal = self.normal.get_or_init(|| {
            let mut text = String::with_capacity(self.written.as_str().len() + 1);
            self.written.normalize_into(Level::Scheme, &mut text);
            AnyRefBuf::from_string(text, self.written.standard()).ok()
        });
        // INVARIANT: a normal form is valid.
        normal.as_ref().map_or(self.written, |normal| normal.into())
    }
}
