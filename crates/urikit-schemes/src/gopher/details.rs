//! What a gopher URL means as data (RFC 1738, 3.4.1 to 3.4.9; RFC 1436,
//! Appendix).

use super::super::{Detail, Details, Fields};
use super::{Gopher, GopherPlus};
use alloc::vec;
use urikit::internal::encoded;

impl<'a> Gopher<'a> {
    /// The named values of [`details`](Self::details).
    pub(super) fn named_values(&self) -> Details<'a> {
        Details::new("gopher", self.specification())
            .with("type", self.item_type.unwrap_or(encoded("1")))
            .with("selector", self.selector())
            .with("search", self.search())
            .with("gopher_plus", self.plus_fields().map(Detail::Fields))
    }

    /// The Gopher+ string, its kind, and the values of that kind.
    fn plus_fields(&self) -> Option<Fields<'a>> {
        let (string, plus) = (self.plus_string()?, self.plus()?);
        let mut fields: Fields<'a> = vec![("string", string.into()), ("kind", plus.kind().into())];
        match plus {
            GopherPlus::ItemAttributes(attributes)
            | GopherPlus::DirectoryAttributes(attributes) => {
                fields.push(("attributes", Detail::list(attributes.names())));
            }
            GopherPlus::View { view, language } => {
                fields.push(("view", view.into()));
                fields.push(("language", language.into()));
            }
            GopherPlus::Form(form) => fields.push(("values", Detail::list(form.values()))),
            GopherPlus::DefaultView | GopherPlus::FormItem | GopherPlus::Other(_) => {}
        }
        Some(fields)
    }
}
