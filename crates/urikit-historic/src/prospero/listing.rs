//! Lists the links in a directory, and the links in the directories that its union links refer to.

use super::access::{
    Access, MAX_ATTRIBUTES, Response, denied, display_words, modified, size, too_many_attributes,
    unreadable,
};
use super::method::{ACCESS_METHOD, Method};
use super::object::{Object, host_and_port};
use super::text::{Attribute, Lines, Link, Record, Word};
use std::collections::{HashSet, VecDeque};
use urikit_access::listing::{Entry, EntryKind};
use urikit_access::policy::Refusal;
use urikit_access::protocol::Outcome;
use urikit_access::{Error, ErrorKind, Metadata, Result, escape_all};

/// The maximum number of union links to expand.
const MAX_UNIONS: usize = 100;

/// The result of a request for the links of a directory.
enum Listed {
    Links(Vec<UnionLink>),
    Moved(Object),
    /// The response line that reports a failure.
    Failed(Vec<u8>),
}

/// A union link, which is replaced by the links of its target.
struct UnionLink {
    name: Vec<u8>,
    /// The target, or `None` if the target is not on a directory server on the Internet.
    target: Option<Object>,
}

/// A link whose attributes are still being read.
struct Pending<'a> {
    link: Link<'a>,
    entry: Entry,
    /// The URL of the first access method of an external link.
    url: Option<String>,
    attributes: usize,
}

impl Access<'_, '_, '_> {
    /// Lists the object as a directory, and then the targets of its union links. Returns `None` if
    /// the object is not a directory.
    pub(super) fn list(&mut self) -> Result<Option<Outcome>> {
        let listed = self.links(&self.object.clone(), None)?;
        let is_written = self.output.has_begun();
        let mut unions = match listed {
            Listed::Moved(object) if is_written => {
                let expected = "either links or another location of the directory";
                let error = Error::new(ErrorKind::Protocol(expected));
                return Err(error.with_received(object.url()?.as_bytes()));
            }
            Listed::Moved(object) => return Ok(Some(Outcome::Redirect(object.url()?))),
            Listed::Failed(line) if line.starts_with(b"FAILURE NOT-A-DIRECTORY") && !is_written => {
                return Ok(None);
            }
            Listed::Failed(line) => return Err(denied(&line)),
            Listed::Links(unions) => VecDeque::from(unions),
        };
        let mut visited = HashSet::from([self.object.key()]);
        let mut expanded = 0;
        while let Some(union) = unions.pop_front() {
            let Some(target) = &union.target else {
                self.write_unexpanded(&union, "it is not on an Internet host")?;
                continue;
            };
            if !visited.insert(target.key()) {
                continue;
            }
            if expanded == MAX_UNIONS {
                self.write_unexpanded(&union, "there are too many union links")?;
                continue;
            }
            expanded += 1;
            match self.expand(target) {
                Ok(more) => unions.extend(more),
                Err(error) if is_of_listing(&error) => return Err(error),
                Err(error) => self.write_unexpanded(&union, &error.to_string())?,
            }
        }
        Ok(Some(Outcome::Done))
    }

    /// Lists the target of a union link. The policy checks this target like the target of a
    /// redirect, because it comes from a server.
    fn expand(&mut self, target: &Object) -> Result<Vec<UnionLink>> {
        let url = target.url()?;
        let mut object = target.clone();
        for hops in 0.. {
            self.context.check_redirect("prospero")?;
            match self.links(&object, Some(&url))? {
                Listed::Links(unions) => return Ok(unions),
                Listed::Failed(line) => return Err(denied(&line)),
                Listed::Moved(moved) => {
                    self.context.check_redirects(hops)?;
                    object = moved;
                }
            }
        }
        Ok(Vec::new())
    }

    /// Requests the links in a directory, and writes their entries. Returns the directory's union
    /// links. `union` is the URL of the union link that refers to this directory, if any.
    fn links(&mut self, object: &Object, union: Option<&str>) -> Result<Listed> {
        let text = match self.ask(object, &object.listing()?)? {
            Response::Text(text) => text,
            Response::Redirect(server) => return Ok(Listed::Moved(object.on(server))),
        };
        let (mut unions, mut is_response) = (Vec::new(), false);
        let mut pending: Option<Pending<'_>> = None;
        for line in Lines::new(&text) {
            let record = Record::read(line).map_err(|error| unreadable(error, line))?;
            match record {
                Record::Attribute(attribute) => {
                    if let Some(pending) = &mut pending {
                        pending.attribute(&attribute)?;
                    }
                    is_response = true;
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
                self.write(&pending.into_entry())?;
            }
            is_response |= !matches!(record, Record::Other(_) | Record::Warning(_));
            match record {
                Record::Link(link) if link.is_union => unions.push(UnionLink {
                    name: link.name.to_vec(),
                    target: Object::at(&link.place),
                }),
                Record::Link(link) => pending = Some(Pending::new(link, union)),
                Record::Forwarded(place) => {
                    self.context.received(line);
                    return Object::forwarded(&place, line).map(Listed::Moved);
                }
                Record::Failure(line) => {
                    self.context.received(line);
                    return Ok(Listed::Failed(line.to_vec()));
                }
                _ => self.context.received(line),
            }
        }
        if !is_response {
            let expected = Error::new(ErrorKind::Protocol("the links of a directory"));
            return Err(expected.with_received(&text));
        }
        self.begin()?;
        if let Some(pending) = pending {
            self.write(&pending.into_entry())?;
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

    /// Writes the entry of a union link that cannot be expanded.
    fn write_unexpanded(&mut self, union: &UnionLink, reason: &str) -> Result<()> {
        let mut entry = Entry::new(EntryKind::Error, &union.name);
        entry.reference = union.target.as_ref().and_then(|object| object.url().ok());
        self.context.note(format!(
            "the union link {} is not expanded: {reason}",
            escape_all(&union.name)
        ));
        self.write(&entry.detail("error", reason.as_bytes()))
    }
}

impl<'a> Pending<'a> {
    /// Begins the entry for a link. `union` is the URL of the union link that refers to the link's
    /// directory, if any.
    fn new(link: Link<'a>, union: Option<&str>) -> Self {
        let mut entry = Entry::new(kind(&link.target), &link.name).detail("target", &link.target);
        if let Some(union) = union {
            entry = entry.detail("union", union.as_bytes());
        }
        Self {
            link,
            entry,
            url: None,
            attributes: 0,
        }
    }

    /// Adds an attribute.
    fn attribute(&mut self, attribute: &Attribute<'_>) -> Result<()> {
        self.attributes += 1;
        if self.attributes > MAX_ATTRIBUTES {
            return Err(too_many_attributes());
        }
        if *attribute.name == *ACCESS_METHOD {
            self.access_method(&attribute.value);
        }
        self.entry.size = self.entry.size.or(size(attribute));
        self.entry.modified = self.entry.modified.or(modified(attribute));
        let name = match &*attribute.name {
            b"SIZE" if self.entry.size.is_some() => return Ok(()),
            b"LAST-MODIFIED" if self.entry.modified.is_some() => return Ok(()),
            b"UNIX-MODES" => "permissions",
            b"NATIVE-OWNER" => "owner",
            b"NATIVE-GROUP" => "group",
            b"ACCESS-METHOD" => "access",
            _ => "attributes",
        };
        let mut value = display_words(&attribute.value);
        if name == "attributes" {
            value = [&attribute.name, &b" "[..], &value].concat();
        }
        self.detail(name, &value);
        Ok(())
    }

    /// Adds a detail, or appends to an existing detail with the same name.
    fn detail(&mut self, name: &'static str, value: &[u8]) {
        let value = String::from_utf8_lossy(value);
        let mut details = self.entry.details.iter_mut();
        match details.find(|(known, _)| *known == name) {
            Some((_, known)) => {
                known.push_str("; ");
                known.push_str(&value);
            }
            None => self.entry.details.push((name, value.into_owned())),
        }
    }

    /// Takes the URL of an external link from its first access method (RFC 1738, 3.11).
    fn access_method(&mut self, words: &[Word<'_>]) {
        if *self.link.target != *b"EXTERNAL" || self.url.is_some() {
            return;
        }
        let host = host_and_port(&self.link.place.host).map(|(host, _)| host);
        let method = Method {
            words,
            host: &host.unwrap_or_default(),
            name: &self.link.place.name,
        };
        self.url = method.url();
    }

    /// Adds the identifier from a separate `ID` line.
    fn id(&mut self, id: &[Word<'a>]) {
        self.link.place.rest.push(Word::Borrowed(b"ID"));
        self.link.place.rest.extend(id.iter().cloned());
    }

    /// Completes the entry.
    fn into_entry(mut self) -> Entry {
        self.entry.reference = match &*self.link.target {
            b"EXTERNAL" => self.url,
            b"NULL" => None,
            _ => Object::at(&self.link.place).and_then(|object| object.url().ok()),
        };
        self.entry
    }
}

/// Returns the kind of entry for a link whose target has the given type.
fn kind(target: &[u8]) -> EntryKind {
    match target {
        b"FILE" | b"OBJECT" | b"EXTERNAL" => EntryKind::File,
        b"SYMBOLIC" => EntryKind::Link,
        _ if target.starts_with(b"DIRECTORY") || target.ends_with(b"DIRECTORY") => {
            EntryKind::Directory
        }
        _ => EntryKind::Other,
    }
}

/// Returns true if an error concerns the complete listing, rather than one server, for example if
/// there are too many items or the output cannot be written.
fn is_of_listing(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Local(_) | ErrorKind::CannotResume | ErrorKind::Refused(Refusal::Items { .. })
    )
}
