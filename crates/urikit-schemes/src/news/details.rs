//! What a news URL means as data (RFC 3977; RFC 1630, News).

use super::super::Details;
use super::{FACTS, News, Newsgroups, SNEWS_FACTS, What};

impl<'a> News<'a> {
    /// The named values of [`details`](Self::details).
    pub(super) fn named_values(&self) -> Details<'a> {
        let scheme = if self.is_snews() {
            SNEWS_FACTS.name
        } else {
            FACTS.name
        };
        let details = Details::new(scheme, self.specification());
        match self.what {
            What::Newsgroups(Newsgroups::All) => details.with("newsgroups", "*"),
            What::Newsgroups(Newsgroups::One(name)) => details.with("group", name),
            What::Newsgroups(Newsgroups::Matching(pattern)) => details.with("newsgroups", pattern),
            What::Article(message_id) => details.with("message_id", message_id),
        }
    }
}
