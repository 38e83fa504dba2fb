//! Lists the articles in a group and the groups on a server, and parses the lines of an overview.

use super::access::Access;
use super::block::Lines;
use super::command::{Command, Overview};
use super::job::{Job, Range, Target};
use crate::command::Argument;
use crate::error::{Error, ErrorKind, Result};
use crate::listing::{Entry, EntryKind};
use crate::output::Metadata;
use crate::protocol::message;
use crate::protocol::parse::number;
use mail_parser::MessageParser;
use std::borrow::Cow;
use urikit_schemes::Newsgroups;

/// The expected reply to `GROUP`.
pub(super) const SELECTED: &str = "211 and the group's numbers";

/// The number of article numbers that each of the first requests covers. Ranges are small because
/// servers compose a complete reply before they send it, and because a client that is disconnected
/// must request the range again.
const RANGE: u64 = 1000;

/// The numbers in the reply to `GROUP` (RFC 3977, 6.1.1).
struct GroupNumbers {
    /// The estimated number of articles.
    count: u64,
    first: u64,
    last: u64,
}

impl GroupNumbers {
    fn metadata(&self) -> Metadata {
        let attributes = [
            ("articles", self.count),
            ("first", self.first),
            ("last", self.last),
        ];
        let attributes = attributes.map(|(name, number)| (name.to_owned(), number.to_string()));
        Metadata {
            attributes: attributes.to_vec(),
            ..Metadata::listing()
        }
    }
}

impl Access<'_, '_, '_> {
    /// Reports the article numbers of a group as metadata, and lists the articles in a range.
    pub(super) fn list_group(&mut self, group: Argument, range: Option<Range>) -> Result<()> {
        let selected = self.select_group(group);
        let numbers = selected.map_err(|error| error.with_step("selecting the group"))?;
        self.output.begin(numbers.metadata())?;
        if numbers.count > 0
            && let Some(range) = range
        {
            let range = Range {
                first: numbers.first.max(range.first),
                last: numbers.last.min(range.last),
            };
            let listed = self.list_articles(range);
            listed.map_err(|error| error.with_step("listing the articles"))?;
        }
        Ok(())
    }

    fn select_group(&mut self, group: Argument) -> Result<GroupNumbers> {
        let reply = self.ask(&Command::Group(group))?;
        self.session.expect(&reply, 211, SELECTED)?;
        match reply.numbers().as_slice() {
            [count, first, last] => Ok(GroupNumbers {
                count: *count,
                first: *first,
                last: *last,
            }),
            _ => Err(Error::new(ErrorKind::Protocol(SELECTED)).with_received(&reply.line)),
        }
    }

    /// Lists a range of articles with several requests for small ranges.
    fn list_articles(&mut self, range: Range) -> Result<()> {
        let (mut next, mut span) = (range.first, RANGE);
        while next <= range.last {
            let last = next.saturating_add(span - 1).min(range.last);
            let count = self.list_range(Range { first: next, last })?;
            // A server that reports a large range with few articles must not cause an unlimited
            // number of requests.
            if count < span / 4 {
                span = span.saturating_mul(2);
            }
            match last.checked_add(1) {
                Some(after) => next = after,
                None => break,
            }
        }
        Ok(())
    }

    /// Lists a range of articles with one command. Returns the number of articles.
    fn list_range(&mut self, range: Range) -> Result<u64> {
        let overview = Overview::Range(range.first, range.last);
        let mut reply = None;
        if !self.session.needs_xover {
            let over = self.ask(&Command::Over(overview.clone()))?;
            if refuses_over(over.code) {
                self.session.needs_xover = true;
            } else {
                reply = Some(over);
            }
        }
        let reply = match reply {
            Some(reply) => reply,
            None => self.ask(&Command::Xover(overview))?,
        };
        // The code for a range without articles is 423 in RFC 3977, 8.3.1, and 420 in RFC 2980,
        // 2.8.
        if matches!(reply.code, 420 | 423) {
            return Ok(0);
        }
        self.session.expect(&reply, 224, "224 and the overview")?;
        let mut count = 0;
        let mut lines = Lines::new(&mut self.session.connection);
        while let Some(line) = lines.next()? {
            let summary = Summary::parse(&line);
            let is_in_range =
                |summary: &Summary| (range.first..=range.last).contains(&summary.number);
            let Some(summary) = summary.filter(is_in_range) else {
                let kind = ErrorKind::Protocol("the overview of an article in the range");
                return Err(lines.failed(kind).with_received(&line));
            };
            count += 1;
            self.output.entry(&article_entry(&self.job, &summary))?;
        }
        Ok(count)
    }

    /// Lists groups. `list` is the command to send.
    pub(super) fn list_groups(&mut self, groups: Newsgroups<'_>, list: &Command) -> Result<()> {
        let mut reply = self.ask(list)?;
        // Older servers support only `LIST` without arguments (RFC 977).
        if groups != Newsgroups::All && matches!(reply.code, 500 | 501 | 503) {
            reply = self.ask(&Command::List)?;
        }
        self.session
            .expect(&reply, 215, "215 and the list of groups")
            .map_err(|error| error.with_step("listing the groups"))?;
        self.output.begin(Metadata::listing())?;
        let listed = self.list_matching(groups);
        listed.map_err(|error| error.with_step("listing the groups"))
    }

    /// Lists the groups in a block that match the pattern. The server may have ignored the pattern.
    fn list_matching(&mut self, groups: Newsgroups<'_>) -> Result<()> {
        let mut lines = Lines::new(&mut self.session.connection);
        while let Some(line) = lines.next()? {
            let Some(entry) = group_entry(&self.job, &line) else {
                let kind = ErrorKind::Protocol(
                    "a group, its last and first article numbers, and its status",
                );
                return Err(lines.failed(kind).with_received(&line));
            };
            if groups.contains(&entry.name) {
                self.output.entry(&entry)?;
            }
        }
        Ok(())
    }
}

/// Returns the listing entry for an article in a group.
fn article_entry(job: &Job<'_>, summary: &Summary) -> Entry {
    let mut entry = Entry::new(EntryKind::Article, &decode_words(&summary.subject))
        .size(summary.bytes)
        .modified(message::timestamp(&summary.date))
        .detail("number", summary.number.to_string().as_bytes())
        .detail("from", &decode_words(&summary.from));
    let group = match &job.target {
        Target::Group { name, .. } => name.to_bytes(),
        _ => Cow::default(),
    };
    entry.reference = job.origin.article(&group, summary);
    if let Some(id) = summary.bare_id() {
        entry = entry.detail("message_id", id);
    }
    if !summary.references.is_empty() {
        entry = entry.detail("references", &summary.references);
    }
    if let Some(lines) = summary.lines {
        entry = entry.detail("lines", lines.to_string().as_bytes());
    }
    entry
}

/// Parses a line in a list of groups, which has the form `group last first status` (RFC 3977,
/// 7.6.3).
fn group_entry(job: &Job<'_>, line: &[u8]) -> Option<Entry> {
    let mut words = line
        .split(|octet| matches!(octet, b' ' | b'\t'))
        .filter(|word| !word.is_empty());
    let (name, last, first) = (words.next()?, words.next()?, words.next()?);
    let (last, first): (u64, u64) = (number(last)?, number(first)?);
    let mut entry = Entry::new(EntryKind::Group, name)
        .detail("first", first.to_string().as_bytes())
        .detail("last", last.to_string().as_bytes());
    if let Some(status) = words.next() {
        entry = entry.detail("status", status);
    }
    entry.reference = job.origin.group(name);
    Some(entry)
}

/// The summary of an article, which is a line in an overview (RFC 3977, 8.3.2).
///
/// ```text
/// number TAB subject TAB from TAB date TAB message-id TAB references TAB bytes TAB lines ...
/// ```
pub(super) struct Summary {
    pub(super) number: u64,
    pub(super) subject: Vec<u8>,
    from: Vec<u8>,
    pub(super) date: Vec<u8>,
    /// The message identifier, with its angle brackets.
    message_id: Vec<u8>,
    /// The identifiers of the earlier articles in the thread, with their angle brackets.
    references: Vec<u8>,
    pub(super) bytes: Option<u64>,
    pub(super) lines: Option<u64>,
}

impl Summary {
    /// Parses a line. Returns `None` unless the line contains a number and the four fields after
    /// it.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(|octet| *octet == b'\t');
        let mut next = || fields.next().map(<[u8]>::to_vec);
        let number_field = next()?;
        let (subject, from, date, message_id) = (next()?, next()?, next()?, next()?);
        let (references, bytes, lines) = (next(), next(), next());
        Some(Self {
            number: number(&number_field)?,
            subject,
            from,
            date,
            message_id,
            references: references.unwrap_or_default(),
            bytes: bytes.and_then(|bytes| number(&bytes)),
            lines: lines.and_then(|lines| number(&lines)),
        })
    }

    /// Returns the message identifier without its angle brackets, or `None` if the article has no
    /// identifier.
    pub(super) fn bare_id(&self) -> Option<&[u8]> {
        let bare = self.message_id.strip_prefix(b"<")?.strip_suffix(b">")?;
        (!bare.is_empty()).then_some(bare)
    }
}

/// Returns true if a reply to `OVER` means that the server does not support the command. The server
/// may still support `XOVER`.
pub(super) const fn refuses_over(code: u16) -> bool {
    matches!(code, 500 | 502 | 503)
}

/// Decodes the encoded words in a field (RFC 2047).
pub(super) fn decode_words(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.windows(2).any(|pair| pair == b"=?") {
        return Cow::Borrowed(text);
    }
    let field = [b"Subject: ", text, b"\r\n\r\n"].concat();
    let message = MessageParser::new()
        .with_minimal_headers()
        .parse_headers(&field[..]);
    let message = message.filter(|message| !message.parts.is_empty());
    let subject = message.and_then(|message| message.subject().map(str::to_owned));
    subject.map_or(Cow::Borrowed(text), |subject| {
        Cow::Owned(subject.into_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::{Summary, decode_words};
    use crate::protocol::message::timestamp;

    #[test]
    fn summaries() {
        // RFC 3977, 8.3.3
        let line = b"3000234\tI am just a test article\t\"Demo User\" <nobody@example.com>\t\
            6 Oct 1998 04:38:40 -0500\t<45223423@example.com>\t<45454@example.net>\t1234\t17\t\
            Xref: news.example.com misc.test:3000363";
        let summary = Summary::parse(line).unwrap();
        assert_eq!(summary.number, 3_000_234);
        assert_eq!(summary.bare_id(), Some(&b"45223423@example.com"[..]));
        assert_eq!(summary.references, b"<45454@example.net>");
        assert_eq!((summary.bytes, summary.lines), (Some(1234), Some(17)));
        assert_eq!(
            timestamp(&summary.date).unwrap().to_string(),
            "1998-10-06T09:38:40Z"
        );
        for line in [
            &b""[..],
            b"x\ta\tb\tc\td",
            b"1\ta\tb\tc",
            b"-1\ta\tb\tc\td\t",
        ] {
            assert!(Summary::parse(line).is_none(), "{line:?}");
        }
        assert_eq!(Summary::parse(b"1\t\t\t\t<>\t\t-5\t").unwrap().bytes, None);
    }

    #[test]
    fn encoded_words() {
        assert_eq!(
            &*decode_words(b"=?utf-8?Q?caf=C3=A9?= au lait"),
            "café au lait".as_bytes()
        );
        assert_eq!(&*decode_words(b"plain"), b"plain");
    }
}
