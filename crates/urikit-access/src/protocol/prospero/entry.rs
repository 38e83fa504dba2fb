//! A link of a directory as an entry of a listing.

use super::information::{MAX_ATTRIBUTES, modified, shown, size, too_many};
use super::method::{ACCESS_METHOD, Method};
use super::object::{Object, host_and_port};
use super::text::{Attribute, Link, Word};
use crate::error::Result;
use crate::listing::{Entry, EntryKind};

/// A link of which not all attributes are known yet.
pub(super) struct Pending<'a> {
    link: Link<'a>,
    entry: Entry,
    /// The URL of the first access method of an external link.
    url: Option<String>,
    attributes: usize,
}

impl<'a> Pending<'a> {
    /// A link, and the URL of the union link that it was found by, if any.
    pub(super) fn new(link: Link<'a>, union: Option<&str>) -> Self {
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
    pub(super) fn attribute(&mut self, attribute: &Attribute<'_>) -> Result<()> {
        self.attributes += 1;
        if self.attributes > MAX_ATTRIBUTES {
            return Err(too_many());
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
        let mut value = shown(&attribute.value);
        if name == "attributes" {
            value = [&attribute.name, &b" "[..], &value].concat();
        }
        self.detail(name, &value);
        Ok(())
    }

    /// Adds a detail. Values of the same name are one detail.
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

    /// An external link is represented by the URL of its access method (RFC 1738, 3.11).
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

    /// Adds an identifier that a line of its own has.
    pub(super) fn id(&mut self, id: &[Word<'a>]) {
        self.link.place.rest.push(Word::Borrowed(b"ID"));
        self.link.place.rest.extend(id.iter().cloned());
    }

    /// The entry.
    pub(super) fn entry(mut self) -> Entry {
        self.entry.reference = match &*self.link.target {
            b"EXTERNAL" => self.url,
            b"NULL" => None,
            _ => Object::at(&self.link.place).and_then(|object| object.url().ok()),
        };
        self.entry
    }
}

/// The kind of an entry, by the type of its target.
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
