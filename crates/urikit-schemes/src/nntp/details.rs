//! What an nntp URL means as data (RFC 3977; RFC 1738, 3.7).

use super::super::{Detail, Details};
use super::{FACTS, Nntp};

impl<'a> Nntp<'a> {
    /// What it means: the server, `group` and the number of the `article` (as digits if it exceeds
    /// 64 bits).
    pub fn details(&self) -> Details<'a> {
        let article = self.article.map(|digits| match digits.parse::<u64>() {
            Ok(number) => Detail::Number(number),
            Err(_) => digits.into(),
        });
        Details::new(FACTS.name, self.specification())
            .with("group", self.group())
            .with("article", article)
    }
}
