//! What a URL of a database shows: its description, or the databases of the server.

use super::codec::Source;
use super::job::{CATALOGUE, Document, Job, words};
use super::session::{Session, is_closed};
use super::{Command, Databases, document, link, media_type, search};
use crate::command::Argument;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;

/// The longest description that is read, in bytes.
const MAX_SOURCE: usize = 64 << 10;

/// How many descriptions are read to find that of the database.
const MAX_CANDIDATES: usize = 8;

/// Words that every description contains.
const COMMON_WORDS: &[u8] = b"source database server description";

/// The searches for the description of a database: in the server's catalogue for its name, and in
/// the database itself without words. None for several databases.
pub(super) fn searches(job: &Job) -> Result<Vec<Command>> {
    let Some(name) = job.databases.only() else {
        return Ok(Vec::new());
    };
    let catalogue = Databases::new(CATALOGUE.iter().copied())?;
    let last = name.rsplit(|octet| *octet == b'/').next();
    let last = words(last.into_iter().flatten().copied())?;
    let in_catalogue = job.search_in(catalogue, last);
    Ok(vec![in_catalogue, job.search(&words([])?)])
}

/// Delivers the description of a database. If there is none, asks the user for words, and searches.
pub(super) fn database(
    job: &Job,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let mut session = Session::open(job, context)?;
    let mut diagnostic = None;
    for command in searches(job)? {
        diagnostic = None;
        match find(&mut session, job, &command, &mut diagnostic, context) {
            Ok(Some((document, text))) => {
                output.begin(document::metadata(&document, Some(&text)))?;
                if job.wants_body {
                    output.bytes(&text)?;
                }
                return Ok(());
            }
            Ok(None) => {}
            // Some servers close the connection on what they cannot answer.
            Err(error) if is_closed(&error) => session = Session::open(job, context)?,
            Err(error) => return Err(error),
        }
    }
    let words = ask(job, diagnostic.as_deref(), context)?;
    match search::list(&mut session, job, &words, context, output) {
        // The user took longer than the server waits.
        Err(error) if is_closed(&error) => {
            let mut session = Session::open(job, context)?;
            search::list(&mut session, job, &words, context, output)
        }
        listed => listed,
    }
}

/// Searches for the description of the database, and fetches it. Returns the diagnostic of the
/// search too.
fn find(
    session: &mut Session,
    job: &Job,
    command: &Command,
    diagnostic: &mut Option<Vec<u8>>,
    context: &Context<'_>,
) -> Result<Option<(Document, Vec<u8>)>> {
    let (Command::Search { databases, .. }, Some(name)) = (command, job.databases.only()) else {
        return Ok(None);
    };
    let answer = search::search(session, command.clone(), context)?;
    *diagnostic = answer.diagnostic();
    if let Some(text) = diagnostic {
        context.received(text);
    }
    let is_source = |name: &[u8]| media_type::is_source(name);
    let mut candidates: Vec<_> = answer
        .documents()
        .filter(|header| header.types().next().is_some_and(is_source))
        .collect();
    let file = [name, b".src"].concat();
    candidates.sort_by_key(|header| !link::is_named(header.headline, &file));
    let documents = candidates.iter().take(MAX_CANDIDATES);
    for document in documents.filter_map(|header| Document::found(databases.clone(), header)) {
        let text = match document::fetch_small(session, job, &document, MAX_SOURCE, context) {
            Ok(text) => text,
            Err(error) if error.kind().is_denial() => continue,
            Err(error) if matches!(error.kind(), ErrorKind::Refused(_)) => continue,
            Err(error) => return Err(error.at("fetching the description")),
        };
        let source = Source::read(&text);
        let found = source
            .as_ref()
            .and_then(|source| source.get("database-name"));
        if found.is_some_and(|found| link::is_named(found, name) || link::is_named(name, found)) {
            return Ok(Some((document, text)));
        }
    }
    Ok(None)
}

/// Lists the databases of the server, by a search for what all descriptions contain. If nothing is
/// found, delivers the catalogue that the server names instead.
pub(super) fn catalogue(
    job: &Job,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let mut session = Session::open(job, context)?;
    let answer = search::search(&mut session, search_catalogue(job)?, context)?;
    if answer.documents().next().is_none()
        && let Some(header) = answer.catalogue()
        && let Some(document) = Document::found(Databases::new(CATALOGUE.iter().copied())?, &header)
    {
        return document::fetch(&mut session, job, &document, context, output);
    }
    search::deliver(&session, job, &answer, context, output)
}

/// The search for all databases of the server.
pub(super) fn search_catalogue(job: &Job) -> Result<Command> {
    Ok(job.search(&words(COMMON_WORDS.iter().copied())?))
}

/// Asks the user for the words of a search. If there are none, the error has the diagnostic: the
/// database may not exist.
fn ask(job: &Job, diagnostic: Option<&[u8]>, context: &mut Context<'_>) -> Result<Argument> {
    let names = job.databases.names().map(String::from_utf8_lossy);
    let names = names.collect::<Vec<_>>().join(", ");
    let question = format!("Search {names} at {} for", job.host);
    match context.prompt().input(&question, "") {
        Some(answer) if !answer.is_empty() => words(answer.into_bytes()),
        _ => {
            let what = "the server does not describe the database, and a search needs words, as in \
                wais://host/database?words";
            let error = Error::new(ErrorKind::Unsupported(what));
            Err(match diagnostic {
                Some(text) => error.received(text),
                None => error,
            })
        }
    }
}
