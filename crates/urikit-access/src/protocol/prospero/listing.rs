//! Directories: their links, and those of their union links.

use super::config::Prospero;
use super::entry::Pending;
use super::information::{denied, unreadable};
use super::object::Object;
use super::session::{Answer, ask};
use super::text::{Lines, Place, Record};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::escape::escape_all;
use crate::listing::{Entry, EntryKind};
use crate::output::Output;
use crate::protocol::Outcome;
use crate::sink::Metadata;
use std::collections::{HashSet, VecDeque};

/// How many union links are expanded.
const MAX_UNIONS: usize = 100;

/// A listing in progress.
pub(super) struct Listing<'a, 'c, 'd> {
    pub(super) prospero: Prospero,
    pub(super) context: &'a mut Context<'c>,
    pub(super) output: &'a mut Output<'d>,
}

/// What came of asking for the links of a directory.
enum Listed {
    Links(Vec<Union>),
    Moved(Object),
    /// A failure: the line.
    Failed(Vec<u8>),
}

/// A union link.
struct Union {
    name: Vec<u8>,
    /// Where it leads; `None` if that is no directory server on the Internet.
    to: Option<Object>,
}

impl Listing<'_, '_, '_> {
    /// Lists a directory; `None` if it is none. The links of union links follow its own.
    pub(super) fn list(mut self, object: &Object) -> Result<Option<Outcome>> {
        let listed = self.links(object, None)?;
        let is_written = self.output.has_begun();
        let mut unions = match listed {
            Listed::Moved(object) if is_written => {
                let expected = "either links or another place of the directory";
                let error = Error::new(ErrorKind::Protocol(expected));
                return Err(error.received(object.url()?.as_bytes()));
            }
            Listed::Moved(object) => return Ok(Some(Outcome::Redirect(object.url()?))),
            Listed::Failed(line) if line.starts_with(b"FAILURE NOT-A-DIRECTORY") && !is_written => {
                return Ok(None);
            }
            Listed::Failed(line) => return Err(denied(&line)),
            Listed::Links(unions) => VecDeque::from(unions),
        };
        let mut visited = HashSet::from([object.key()]);
        let mut expanded = 0;
        while let Some(union) = unions.pop_front() {
            let Some(to) = &union.to else {
                self.unexpanded(&union, "it is not on a host of the Internet")?;
                continue;
            };
            if !visited.insert(to.key()) {
                continue;
            }
            if expanded == MAX_UNIONS {
                self.unexpanded(&union, "there are too many union links")?;
                continue;
            }
            expanded += 1;
            match self.union(to) {
                Ok(more) => unions.extend(more),
                // The limits of the access, and the output, are those of the whole listing.
                Err(error) if is_of_listing(&error) => return Err(error),
                Err(error) => self.unexpanded(&union, &error.to_string())?,
            }
        }
        Ok(Some(Outcome::Done))
    }

    /// Lists the target of a union link, which the network named.
    fn union(&mut self, to: &Object) -> Result<Vec<Union>> {
        let url = to.url()?;
        let mut object = to.clone();
        for hops in 0.. {
            self.context.check_redirect("prospero")?;
            match self.links(&object, Some(&url))? {
                Listed::Links(unions) => return Ok(unions),
                Listed::Failed(line) => return Err(denied(&line)),
                Listed::Moved(to) => {
                    self.context.check_redirects(hops)?;
                    object = to;
                }
            }
        }
        Ok(Vec::new())
    }

    /// Asks for the links of a directory, and writes them. Returns its union links.
    fn links(&mut self, object: &Object, union: Option<&str>) -> Result<Listed> {
        let commands = object.listing()?;
        let answer = match ask(self.prospero, object, &commands, self.context)? {
            Answer::Text(answer) => answer,
            Answer::Elsewhere(server) => return Ok(Listed::Moved(object.on(server))),
        };
        let (mut unions, mut is_answer) = (Vec::new(), false);
        let mut pending: Option<Pending<'_>> = None;
        for line in Lines::new(&answer) {
            let record = Record::read(line).map_err(|error| unreadable(error, line))?;
            match record {
                Record::Attribute(attribute) => {
                    if let Some(pending) = &mut pending {
                        pending.attribute(&attribute)?;
                    }
                    is_answer = true;
                    continue;
                }
                Record::Id(id) => {
                    if let Some(pending) = &mut pending {
                        pending.id(&id);
                    }
                    continue;
                }
                Record::Nested(_) => continue,
                _ => {}
            }
            if let Some(pending) = pending.take() {
                self.write(&pending.entry())?;
            }
            is_answer |= !matches!(record, Record::Other(_) | Record::Warning(_));
            match record {
                Record::Link(link) if link.is_union => unions.push(Union {
                    name: link.name.to_vec(),
                    to: Object::at(&link.place),
                }),
                Record::Link(link) => pending = Some(Pending::new(link, union)),
                Record::Forwarded(place) => {
                    self.context.received(line);
                    return moved(&place, line);
                }
                Record::Failure(line) => {
                    self.context.received(line);
                    return Ok(Listed::Failed(line.to_vec()));
                }
                _ => self.context.received(line),
            }
        }
        if !is_answer {
            let expected = Error::new(ErrorKind::Protocol("the links of a directory"));
            return Err(expected.received(&answer));
        }
        self.begin()?;
        if let Some(pending) = pending {
            self.write(&pending.entry())?;
        }
        Ok(Listed::Links(unions))
    }

    fn begin(&mut self) -> Result<()> {
        if self.output.has_begun() {
            return Ok(());
        }
        self.output.begin(Metadata::listing())
    }

    fn write(&mut self, entry: &Entry) -> Result<()> {
        self.begin()?;
        self.output.entry(entry)
    }

    /// A union link that cannot be expanded.
    fn unexpanded(&mut self, union: &Union, why: &str) -> Result<()> {
        let mut entry = Entry::new(EntryKind::Error, &union.name);
        entry.reference = union.to.as_ref().and_then(|object| object.url().ok());
        self.context.note(format!(
            "the union link {} is not expanded: {why}",
            escape_all(&union.name)
        ));
        self.write(&entry.detail("error", why.as_bytes()))
    }
}

fn moved(place: &Place<'_>, line: &[u8]) -> Result<Listed> {
    let expected = Error::new(ErrorKind::Protocol(
        "a host of the Internet and a name in ASCII",
    ));
    let object = Object::at(place).ok_or_else(|| expected.received(line))?;
    Ok(Listed::Moved(object))
}

/// Whether an error is about the complete access, and not about one server.
fn is_of_listing(error: &Error) -> bool {
    use crate::policy::Refusal;
    matches!(
        error.kind(),
        ErrorKind::Local(_) | ErrorKind::CannotResume | ErrorKind::Refused(Refusal::Items { .. })
    )
}
