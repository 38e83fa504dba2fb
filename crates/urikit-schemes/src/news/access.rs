//! What a news URL means as data, and what a client does with it (RFC 3977; RFC 1630, News).

use super::super::{AccessError, Details, Line, Step};
use super::{FACTS, News, Newsgroups, SNEWS_FACTS, What, commands};
use alloc::vec::Vec;

impl<'a> News<'a> {
    /// Its meaning as named values: a server, if there is one, and one of `newsgroups` (`*` or a
    /// pattern), `group` and `message_id`, decoded.
    pub fn details(&self) -> Details<'a> {
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

    /// The commands that a client sends, in order.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{News, Step};
    /// let url = Uri::parse("news:a%25b@host.dom")?;
    /// let steps = News::read(url)?.steps()?;
    /// let Some(Step::Send(line)) = steps.last() else { panic!() };
    /// assert_eq!(line.octets(), b"ARTICLE <a%b@host.dom>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a part decodes to a control character, or to one that would end or change an argument,
    /// such as a space; if the port is above 65535.
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let mut steps = commands::connect(self.server, self.is_snews())?;
        match self.what {
            What::Newsgroups(Newsgroups::All) => steps.push(Step::Send(Line::command("LIST"))),
            What::Newsgroups(Newsgroups::One(name)) => {
                steps.push(commands::group(name)?);
                steps.push(commands::overview());
            }
            What::Newsgroups(Newsgroups::Matching(pattern)) => {
                steps.push(commands::list(pattern)?);
            }
            What::Article(message_id) => steps.push(commands::article(message_id)?),
        }
        Ok(steps)
    }
}
