//! What a mailto URL means as data (RFC 6068, 3 to 5 and 7).

use super::super::{Detail, Details};
use super::{Address, HeaderField, Mailto};
use alloc::vec::Vec;

impl<'a> Mailto<'a> {
    /// The named values of [`details`](Self::details).
    pub(super) fn named_values(&self) -> Details<'a> {
        let headers = self.fields.map(|_| Detail::list(self.headers()));
        Details::new("mailto", self.specification())
            .with("to", Detail::list(self.addresses()))
            .with("headers", headers)
    }
}

impl<'a> From<Address<'a>> for Detail<'a> {
    fn from(address: Address<'a>) -> Self {
        Self::Fields(Vec::from([
            ("address", address.encoded().into()),
            ("local_part", address.local_part().into()),
            ("domain", address.domain().into()),
        ]))
    }
}

impl<'a> From<HeaderField<'a>> for Detail<'a> {
    fn from(header: HeaderField<'a>) -> Self {
        Self::Fields(Vec::from([
            ("name", header.name().into()),
            ("value", header.value().into()),
            ("caution", header.caution().as_str().into()),
        ]))
    }
}
