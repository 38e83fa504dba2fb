//! Manages the session of an access, and transfers articles. `listing.rs` lists
//! groups.

use super::block::{self, Lines};
use super::command::{Article, Command, Overview};
use super::job::{Job, Target};
use super::listing::{self, Summary};
use super::session::{Reply, Session};
use crate::command::Argument;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::output::{Metadata, Output};
use crate::plan::{Action, Plan};
use crate::protocol::{Outcome, message};
use crate::upload::{Body, Mode, Upload};

/// Articles have the format of mail messages (RFC 5536, 2.1).
const MEDIA_TYPE: &str = "message/rfc822";

/// The maximum length of a header, as a multiple of the maximum line length.
const MAX_HEADER_LINES: usize = 16;

/// The maximum length of an article to post, in octets. Servers accept about a million octets.
const MAX_POST: usize = 16 << 20;

/// An access in progress.
pub(super) struct Access<'a, 'c, 'd> {
    pub(super) job: Job<'a>,
    pub(super) session: Session,
    /// True if the session came from the pool, and no command has been sent since then.
    is_untested: bool,
    pub(super) context: &'a mut Context<'c>,
    pub(super) output: &'a mut Output<'d>,
}

impl<'a, 'c, 'd> Access<'a, 'c, 'd> {
    /// Takes a session from the pool, or opens one.
    pub(super) fn open(
        job: Job<'a>,
        context: &'a mut Context<'c>,
        output: &'a mut Output<'d>,
    ) -> Result<Self> {
        let pooled = context.pooled::<Session>(&job.key());
        let is_untested = pooled.is_some();
        let session = match pooled {
            Some(session) => session,
            None => Session::open(&job, context)?,
        };
        Ok(Self {
            job,
            session,
            is_untested,
            context,
            output,
        })
    }

    /// Fetches the article or listing at the URL, or its metadata.
    pub(super) fn fetch(mut self, wants_body: bool) -> Result<Outcome> {
        match self.job.target.clone() {
            Target::Article { group, article } => {
                if let Some(group) = group {
                    let reply = self.ask(&Command::Group(group))?;
                    let selected = self.session.expect(&reply, 211, listing::SELECTED);
                    selected.map_err(|error| error.with_step("selecting the group"))?;
                }
                if wants_body {
                    self.article(article)?;
                } else {
                    self.article_metadata(&article)?;
                }
            }
            Target::Group { group, range, .. } => {
                self.list_group(group, wants_body.then_some(range))?;
            }
            Target::Groups { groups, list } => self.list_groups(groups, &list)?,
        }
        self.pool();
        Ok(Outcome::Done)
    }

    /// Puts the session into the pool, unless the user typed the login.
    fn pool(self) {
        if !self.session.is_personal {
            self.context.pool(&self.job.key(), self.session);
        }
    }

    /// Sends a command, and reads the first line of the reply. Connects again if the server has
    /// closed a session from the pool.
    pub(super) fn ask(&mut self, command: &Command) -> Result<Reply> {
        let is_untested = std::mem::take(&mut self.is_untested);
        let is_closed = |reply: &Result<Reply>| match reply {
            // The server closes the connection after a reply with code 400 (RFC 3977, 3.2.1).
            Ok(reply) => reply.code == 400,
            Err(error) => matches!(
                error.kind(),
                ErrorKind::Network(_) | ErrorKind::EndedEarly { .. }
            ),
        };
        let reply = self.ask_with_login(command);
        if is_untested && is_closed(&reply) {
            self.session = Session::open(&self.job, self.context)?;
            return self.ask_with_login(command);
        }
        reply
    }

    /// Sends a command. If the server requires a login, asks the user to log in, and repeats the
    /// command.
    fn ask_with_login(&mut self, command: &Command) -> Result<Reply> {
        let reply = self.session.send(command)?;
        if reply.code != 480 || self.job.login.is_some() || self.session.is_personal {
            return Ok(reply);
        }
        let logged_in = self.session.log_in_user(&self.job, self.context);
        logged_in.map_err(|error| error.with_step("logging in").with_received(&reply.line))?;
        self.session.is_personal = true;
        self.session.send(command)
    }

    /// Fetches an article, and writes it to the output unchanged.
    fn article(&mut self, article: Article) -> Result<()> {
        let reply = self.ask(&Command::Article(article))?;
        let found = self.session.expect(&reply, 220, "220 and the article");
        found.map_err(|error| error.with_step("asking for the article"))?;
        self.output.begin(Metadata {
            media_type: Some(MEDIA_TYPE.to_owned()),
            ..Metadata::default()
        })?;
        let delivered = block::deliver(&mut self.session.connection, self.output);
        delivered.map_err(|error| error.with_step("receiving the article"))
    }

    /// Requests the header fields of an article, and determines its date and the size that the
    /// server reports.
    fn article_metadata(&mut self, article: &Article) -> Result<()> {
        let reply = self.ask(&Command::Stat(article.clone()))?;
        let found = self.session.expect(&reply, 223, "223: the article exists");
        found.map_err(|error| error.with_step("asking for the article"))?;
        let reply = self.ask(&Command::Head(article.clone()))?;
        let found = self
            .session
            .expect(&reply, 221, "221 and the header fields");
        found.map_err(|error| error.with_step("asking for the header fields"))?;
        let max_line = self.context.max_line();
        let connection = &mut self.session.connection;
        let attributes = connection.in_one_step(|connection| header(connection, max_line))?;
        let overview = Overview::Article(article.clone());
        let mut reply = self.ask(&Command::Over(overview.clone()))?;
        // `XOVER` needs a selected group (RFC 2980, 2.8), so it is used only for an article
        // number.
        if listing::refuses_over(reply.code) && matches!(article, Article::Number(_)) {
            reply = self.ask(&Command::Xover(overview))?;
        }
        let size = match reply.code {
            224 => self.session.connection.in_one_step(article_size)?,
            _ => None,
        };
        self.output.begin(Metadata {
            media_type: Some(MEDIA_TYPE.to_owned()),
            size,
            modified: message::date(&attributes),
            attributes,
            ..Metadata::default()
        })
    }

    /// Posts the article in the request body to the group in the URL.
    pub(super) fn post(mut self, article: &[u8]) -> Result<()> {
        let reply = self.ask(&Command::Post)?;
        let session = &mut self.session;
        let posted = (|| {
            session.expect(&reply, 340, "340: send the article")?;
            session.connection.send_bytes(&message::stuffed(article))?;
            let reply = session.send(&Command::End)?;
            session.expect(&reply, 240, "240: the article was received")
        })();
        posted.map_err(|error: Error| error.with_step("posting the article"))?;
        self.pool();
        Ok(())
    }
}

/// Reads header fields.
fn header(connection: &mut Connection, max_line: usize) -> Result<Vec<(String, String)>> {
    let max = max_line.saturating_mul(MAX_HEADER_LINES);
    let mut header = Vec::new();
    let mut total = 0;
    let mut lines = Lines::new(connection);
    while let Some(line) = lines.next()? {
        // A fixed size is added for each line, because a parsed field uses more memory than the
        // octets it was parsed from.
        total += line.len() + 64;
        if total > max {
            return Err(lines.failed(ErrorKind::LineTooLong { max }));
        }
        header.extend_from_slice(&line);
        header.push(b'\n');
    }
    Ok(message::fields(&header))
}

/// Reads the overview of one article, and returns the size of the article.
fn article_size(connection: &mut Connection) -> Result<Option<u64>> {
    let mut first = None;
    let mut lines = Lines::new(connection);
    while let Some(line) = lines.next()? {
        if first.is_some() {
            let kind = ErrorKind::Protocol("an overview of one article");
            return Err(lines.failed(kind).with_received(&line));
        }
        first = Some(line);
    }
    let summary = first.as_deref().and_then(Summary::parse);
    Ok(summary.and_then(|summary| summary.bytes))
}

/// An upload, which posts an article (RFC 3977, 6.3.1; RFC 5536, 3).
pub(super) struct Post<'a> {
    job: Job<'a>,
    group: Argument,
}

impl<'a> Post<'a> {
    /// Prepares an upload. Fails unless the URL names a group.
    pub(super) fn new(job: Job<'a>, upload: &Upload<'_>) -> Result<Self> {
        let what = match &job.target {
            Target::Group { .. }
                if upload.mode == Mode::Append || upload.resumes || upload.via_temporary =>
            {
                "an article cannot be posted in parts"
            }
            Target::Group { group, .. } => {
                let group = group.clone();
                return Ok(Self { job, group });
            }
            Target::Article { .. } | Target::Groups { .. } => {
                "an article can be posted only to a group"
            }
        };
        Err(Error::new(ErrorKind::Unsupported(what)))
    }

    pub(super) fn plan(&self) -> Plan {
        let mut plan = self.job.begin_plan();
        plan.send(Command::Post);
        plan.push(Action::SendBody);
        plan.send(Command::End);
        self.job.end_plan(&mut plan);
        plan
    }

    /// Posts the body.
    pub(super) fn run(
        self,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        // An invalid article is reported before the client connects.
        let article = checked_article(&body.read_all(MAX_POST)?, self.group.octets())?;
        Access::open(self.job, context, output)?.post(&article)
    }
}

/// Returns the article with CR LF line endings. Adds the `Newsgroups` header field if it is
/// missing.
fn checked_article(text: &[u8], group: &[u8]) -> Result<Vec<u8>> {
    let wrong = |what| Error::new(ErrorKind::Unsupported(what));
    let mut article = Vec::with_capacity(text.len() + 256);
    let mut header_ends = None;
    for line in text.split_inclusive(|octet| *octet == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.iter().any(|octet| matches!(octet, b'\r' | 0)) {
            return Err(wrong("the article contains a CR or a NUL within a line"));
        }
        if line.is_empty() && header_ends.is_none() {
            header_ends = Some(article.len());
        }
        article.extend_from_slice(line);
        article.extend_from_slice(b"\r\n");
    }
    let Some(end) = header_ends else {
        return Err(wrong(
            "the article has no empty line between the header and the body",
        ));
    };
    let fields = message::fields(article.get(..end).unwrap_or_default());
    let find = |name: &str| {
        let is_it = |(found, _): &&(String, String)| found.eq_ignore_ascii_case(name);
        fields.iter().find(is_it).map(|(_, value)| value.as_str())
    };
    if find("From").is_none() || find("Subject").is_none() {
        return Err(wrong(
            "the article needs the header fields From and Subject",
        ));
    }
    if let Some(groups) = find("Newsgroups") {
        let mut groups = groups.split(',').map(str::trim);
        if !groups.any(|found| found.as_bytes() == group) {
            let what = "the header field Newsgroups does not contain the group in the URL";
            return Err(wrong(what));
        }
    } else {
        let field = [b"Newsgroups: ", group, b"\r\n"].concat();
        article.splice(0..0, field);
    }
    Ok(article)
}

#[cfg(test)]
mod tests {
    use super::checked_article;

    #[test]
    fn articles() {
        let found = checked_article(b"From: a\nSubject: b\n\n.\r\nx", b"comp.test").unwrap();
        let expected = "Newsgroups: comp.test\r\nFrom: a\r\nSubject: b\r\n\r\n.\r\nx\r\n";
        assert_eq!(found, expected.as_bytes());
        let own = b"from: a\r\nsubject: b\r\nNEWSGROUPS: alt.test,\r\n comp.test\r\n\r\nx\r\n";
        assert_eq!(checked_article(own, b"comp.test").unwrap(), own);
        for wrong in [
            &b"From: a\nSubject: b\n"[..],
            b"Subject: b\n\nx",
            b"From: a\n\nx",
            b"From: a\nSubject: b\nNewsgroups: alt.test\n\nx",
            b"From: a\nSubject: b\n\nx\ry\n",
            b"From: a\nSubject: b\n\nx\0y\n",
            b"",
        ] {
            assert!(checked_article(wrong, b"comp.test").is_err());
        }
    }
}
