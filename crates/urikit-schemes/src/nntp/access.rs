//! What an nntp URL means as data, and what a client does with it (RFC 3977; RFC 1738, 3.7).

use super::super::news::commands;
use super::super::{AccessError, Detail, Details, Line, Step};
use super::{FACTS, Nntp};
use alloc::vec::Vec;
use urikit::internal::encoded;

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

    /// The commands that a client sends, in order.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{Nntp, Step};
    /// let url = Uri::parse("nntp://news.gmane.org/gmane.ietf.tools/742")?; // RFC 5538, Appendix B
    /// let steps = Nntp::read(url)?.steps()?;
    /// let lines: Vec<_> = steps.iter().filter_map(|step| match step {
    ///     Step::Send(line) => Some(line.octets()),
    ///     _ => None,
    /// }).collect();
    /// assert_eq!(lines, [&b"GROUP gmane.ietf.tools"[..], b"ARTICLE 742"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`News::steps`](crate::News::steps).
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let mut steps = commands::connect(self.server, false)?;
        steps.push(commands::group(self.group)?);
        steps.push(match self.article {
            Some(digits) => {
                let digits = encoded(digits);
                Step::Send(Line::with_argument("ARTICLE", digits, "number")?)
            }
            None => commands::overview(),
        });
        Ok(steps)
    }
}
