//! Posting an article (RFC 3977, 6.3.1; RFC 5536, 3).

use super::command::Command;
use super::job::{Job, Target};
use super::session::Session;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{Action, Plan};
use crate::protocol::message;
use crate::upload::{Body, Mode, Upload};

/// The longest article, in octets. Servers accept about a million.
const MAX: usize = 16 << 20;

/// Refuses what cannot be posted, and where nothing can be posted to.
pub(super) fn check(upload: &Upload<'_>, job: &Job<'_>) -> Result<()> {
    let what = if !matches!(job.target, Target::Group { .. }) {
        "articles are posted to a group"
    } else if upload.mode == Mode::Append || upload.resumes || upload.via_temporary {
        "an article is posted as a whole"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::Unsupported(what)))
}

/// The commands of [`post`].
pub(super) fn plan(job: &Job<'_>) -> Plan {
    let mut plan = job.begin_plan();
    plan.send(Command::Post);
    plan.push(Action::SendBody);
    plan.send(Command::End);
    job.end_plan(&mut plan);
    plan
}

/// Posts the article in the body to the group in the URL.
pub(super) fn post(job: &Job<'_>, context: &mut Context<'_>, body: &mut Body<'_>) -> Result<()> {
    let Target::Group { group, .. } = &job.target else {
        return Ok(());
    };
    // It is checked before anything is connected to.
    let article = article(&body.read_all(MAX)?, group.octets())?;
    let (mut session, reply) = Session::begin(job, &Command::Post, context)?;
    let posted = (|| {
        session.expect(&reply, &[340], "340: send the article")?;
        session.connection.send_bytes(&message::stuffed(&article))?;
        let reply = session.send(&Command::End)?;
        session.expect(&reply, &[240], "240: the article was received")
    })();
    posted.map_err(|error: Error| error.with_step("posting the article"))?;
    session.keep(job, context);
    Ok(())
}

/// The article with CR LF at the ends of its lines, and with the group of the URL if it names none.
fn article(text: &[u8], group: &[u8]) -> Result<Vec<u8>> {
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
            "the article has no empty line between header and body",
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
            let what = "the header field Newsgroups does not name the group of the URL";
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
    use super::article;

    #[test]
    fn articles() {
        let found = article(b"From: a\nSubject: b\n\n.\r\nx", b"comp.test").unwrap();
        let expected = "Newsgroups: comp.test\r\nFrom: a\r\nSubject: b\r\n\r\n.\r\nx\r\n";
        assert_eq!(found, expected.as_bytes());
        let own = b"from: a\r\nsubject: b\r\nNEWSGROUPS: alt.test,\r\n comp.test\r\n\r\nx\r\n";
        assert_eq!(article(own, b"comp.test").unwrap(), own);
        for wrong in [
            &b"From: a\nSubject: b\n"[..],
            b"Subject: b\n\nx",
            b"From: a\n\nx",
            b"From: a\nSubject: b\nNewsgroups: alt.test\n\nx",
            b"From: a\nSubject: b\n\nx\ry\n",
            b"From: a\nSubject: b\n\nx\0y\n",
            b"",
        ] {
            assert!(article(wrong, b"comp.test").is_err());
        }
    }
}
