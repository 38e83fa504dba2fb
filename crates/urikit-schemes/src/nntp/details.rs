//! What an nntp URL means as data (RFC 3977; RFC 1738, 3.7).

use super::super::{Detail, Details};
use super::{FACTS, Nntp};

impl<'a> Nntp<'a> {
    /// The named values of [`details`](Self::details).
    pub(super) fn named_values(&self) -> Details<'a> {
        let article = self.article.map(|digits| match digits.parse::<u64>() {
            Ok(number) => Detail::Number(number),
            Err(_) => digits.into(),
        });
        Details::new(FACTS.name, self.specification())
            .with("group", self.group())
            .with("article", article)
    }
}
