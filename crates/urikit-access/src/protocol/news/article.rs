//! One article, or its metadata.

use super::block;
use super::command::{Article, Command, Overview};
use super::job::Job;
use super::overview::{self, Record};
use super::session::Session;
use crate::command::Argument;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::output::{Metadata, Output};
use crate::protocol::message;

/// Articles have the syntax of mail (RFC 5536, 2.1).
const MEDIA_TYPE: &str = "message/rfc822";

/// The header may be as long as this many longest lines.
const HEADER: usize = 16;

/// Fetches an article as it was posted.
pub(super) fn fetch(
    job: &Job<'_>,
    group: Option<&Argument>,
    article: &Article,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Session> {
    let command = Command::Article(article.clone());
    let expected = (220, "220 and the article");
    let mut session = ask(job, group, &command, expected, context)?;
    output.begin(Metadata {
        media_type: Some(MEDIA_TYPE.to_owned()),
        ..Metadata::default()
    })?;
    let delivered = block::deliver(&mut session.connection, output);
    delivered.map_err(|error| error.with_step("receiving the article"))?;
    Ok(session)
}

/// Finds the header fields, the date, and the size that the server reports.
pub(super) fn describe(
    job: &Job<'_>,
    group: Option<&Argument>,
    article: &Article,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Session> {
    let expected = (223, "223: the article exists");
    let mut session = ask(
        job,
        group,
        &Command::Stat(article.clone()),
        expected,
        context,
    )?;
    let reply = session.ask(&Command::Head(article.clone()), job, context)?;
    session
        .expect(&reply, &[221], "221 and the header fields")
        .map_err(|error| error.with_step("asking for the header fields"))?;
    let attributes = session.in_one_step(|session| header(session, context.max_line()))?;
    let overview = Overview::Article(article.clone());
    let mut reply = session.ask(&Command::Over(overview.clone()), job, context)?;
    if overview::is_refused(reply.code) && group.is_some() {
        reply = session.ask(&Command::Xover(overview), job, context)?;
    }
    let size = match reply.code {
        224 => session
            .in_one_step(one_record)?
            .and_then(|record| record.bytes),
        _ => None,
    };
    let modified = message::date(&attributes);
    output.begin(Metadata {
        media_type: Some(MEDIA_TYPE.to_owned()),
        size,
        modified,
        attributes,
        ..Metadata::default()
    })?;
    Ok(session)
}

/// Selects the group, if there is one, and sends the command for the article.
fn ask(
    job: &Job<'_>,
    group: Option<&Argument>,
    command: &Command,
    (code, expected): (u16, &'static str),
    context: &mut Context<'_>,
) -> Result<Session> {
    let group = group.map(|group| Command::Group(group.clone()));
    let first = group.as_ref().unwrap_or(command);
    let (mut session, mut reply) = Session::begin(job, first, context)?;
    if group.is_some() {
        session
            .expect(&reply, &[211], "211 and the group's numbers")
            .map_err(|error| error.with_step("selecting the group"))?;
        reply = session.ask(command, job, context)?;
    }
    session
        .expect(&reply, &[code], expected)
        .map_err(|error| error.with_step("asking for the article"))?;
    Ok(session)
}

/// Reads the header fields.
fn header(session: &mut Session, longest: usize) -> Result<Vec<(String, String)>> {
    let max = longest.saturating_mul(HEADER);
    let mut header = Vec::new();
    let mut total = 0;
    let mut lines = session.lines();
    while let Some(line) = lines.next()? {
        // A field needs more memory than its octets.
        total += line.len() + 64;
        if total > max {
            return Err(lines.failed(ErrorKind::LineTooLong { max }));
        }
        header.extend_from_slice(&line);
        header.push(b'\n');
    }
    Ok(message::fields(&header))
}

/// Reads the overview of one article.
fn one_record(session: &mut Session) -> Result<Option<Record>> {
    let mut first = None;
    let mut lines = session.lines();
    while let Some(line) = lines.next()? {
        if first.is_some() {
            let kind = ErrorKind::Protocol("an overview of one article");
            return Err(lines.failed(kind).with_received(&line));
        }
        first = Some(line);
    }
    Ok(first.as_deref().and_then(Record::read))
}
