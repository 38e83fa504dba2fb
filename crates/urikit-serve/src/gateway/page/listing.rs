//! Listings: folders as tables with links that sort them, and menus as their servers format them.

use super::Page;
use super::address::Links;
use super::frame::{Frame, write};
use super::kept::{Memory, Reserved};
use super::message::SearchForm;
use askama::Template;
use std::cmp::Ordering;
use std::vec;
use urikit_access::listing::{Entry, EntryKind};

/// The maximum number of entries in a sorted listing. A longer listing is shown in the server's
/// order, and so is one whose entries take too much memory.
const MOST_SORTED: usize = 10_000;

/// The key by which a listing is sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    Name,
    Kind,
    Size,
    Date,
}

impl Key {
    const ALL: [Self; 4] = [Self::Name, Self::Kind, Self::Size, Self::Date];

    const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Kind => "kind",
            Self::Size => "size",
            Self::Date => "date",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Name => "Name",
            Self::Kind => "Kind",
            Self::Size => "Size",
            Self::Date => "Date",
        }
    }
}

/// The order of a listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    pub(crate) key: Key,
    pub(crate) is_descending: bool,
}

impl Order {
    /// Reads an order in an address: the name of a key, or `-` and the name.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let name = text.strip_prefix('-');
        let key = Key::ALL.into_iter();
        let key = key
            .into_iter()
            .find(|key| key.name() == name.unwrap_or(text))?;
        let is_descending = name.is_some();
        Some(Self { key, is_descending })
    }

    fn text(self) -> String {
        let sign = if self.is_descending { "-" } else { "" };
        format!("{sign}{}", self.key.name())
    }

    fn compare(self, a: &Entry, b: &Entry) -> Ordering {
        let order = match self.key {
            Key::Name => a.name.cmp(&b.name),
            Key::Kind => a.kind.cmp(&b.kind).then_with(|| a.name.cmp(&b.name)),
            Key::Size => a.size.cmp(&b.size),
            Key::Date => a.modified.cmp(&b.modified),
        };
        if self.is_descending {
            order.reverse()
        } else {
            order
        }
    }
}

/// The table of a folder.
pub(super) struct Table {
    frame: Frame,
    /// A form above the table.
    form: Option<SearchForm>,
    order: Option<Order>,
    /// True while entries are collected for sorting: until all have arrived, or there are too many.
    is_sorting: bool,
    /// The entries to be sorted.
    unsorted: Vec<Entry>,
    /// The memory for these entries.
    reserved: Reserved,
    /// The entries to be written before any others.
    ready: vec::IntoIter<Entry>,
    /// The reason why the entries are not sorted.
    note: Option<&'static str>,
}

/// The head of a table.
#[derive(Template)]
#[template(path = "gateway/table.html")]
struct Columns {
    columns: [Column; 4],
}

struct Column {
    name: &'static str,
    /// The address of the page that is sorted by this column.
    address: Option<String>,
    direction: Option<&'static str>,
}

/// A row of a table.
#[derive(Template)]
#[template(path = "gateway/row.html")]
struct Row<'a> {
    address: Option<String>,
    name: &'a str,
    note: Option<&'a str>,
    kind: &'static str,
    size: String,
    date: String,
}

impl Table {
    pub(super) fn new(
        frame: Frame,
        order: Option<Order>,
        form: Option<SearchForm>,
        memory: Memory,
    ) -> Self {
        Self {
            frame,
            form,
            order,
            is_sorting: order.is_some(),
            unsorted: Vec::new(),
            reserved: Reserved::new(memory),
            ready: Vec::new().into_iter(),
            note: None,
        }
    }

    fn row(&self, entry: &Entry, out: &mut Vec<u8>) {
        let note = ["error", "score", "from"];
        let note = note.iter().find_map(|name| detail(entry, name));
        let row = Row {
            address: address(&self.frame.links, entry),
            name: &entry.name,
            note,
            kind: entry.kind.as_str(),
            size: entry.size.map(|size| size.to_string()).unwrap_or_default(),
            date: date(entry),
        };
        write(&row, out);
    }
}

/// Returns the memory that an entry occupies, in bytes.
fn size(entry: &Entry) -> usize {
    let details = entry.details.iter();
    let details = details.map(|detail| size_of_val(detail) + detail.1.len());
    let reference = entry.reference.as_ref().map_or(0, String::len);
    size_of::<Entry>() + entry.name.len() + reference + details.sum::<usize>()
}

/// Returns the detail of an entry that has this name.
pub(super) fn detail<'a>(entry: &'a Entry, name: &str) -> Option<&'a str> {
    let found = entry.details.iter().find(|(own, _)| *own == name)?;
    Some(&found.1)
}

/// Returns the date of an entry, in UTC.
pub(super) fn date(entry: &Entry) -> String {
    let date = entry.modified.as_ref();
    date.map(|date| date.strftime("%Y-%m-%d %H:%M").to_string())
        .unwrap_or_default()
}

/// Returns the address of an entry.
pub(super) fn address(links: &Links, entry: &Entry) -> Option<String> {
    links.address(entry.reference.as_deref()?)
}

impl Page for Table {
    fn begin(&mut self, out: &mut Vec<u8>) {
        self.frame.begin(out);
        if let Some(form) = &self.form {
            write(form, out);
        }
        let columns = Key::ALL.map(|key| {
            let current = self.order.filter(|order| order.key == key);
            let next = Order {
                key,
                is_descending: current.is_some_and(|order| !order.is_descending),
            };
            let view = format!("sort/{}", next.text());
            Column {
                name: key.title(),
                address: self.frame.links.view(&view, &self.frame.url),
                direction: current.map(|order| {
                    if order.is_descending {
                        "descending"
                    } else {
                        "ascending"
                    }
                }),
            }
        });
        write(&Columns { columns }, out);
    }

    fn entry(&mut self, entry: &Entry, out: &mut Vec<u8>) {
        if !self.is_sorting {
            self.row(entry, out);
            return;
        }
        if self.unsorted.len() >= MOST_SORTED {
            self.note = Some("the listing has more than 10,000 entries");
        } else if !self.reserved.add(size(entry)) {
            self.note = Some("the entries are too long");
        }
        self.unsorted.push(entry.clone());
        if self.note.is_some() {
            self.is_sorting = false;
            self.ready = std::mem::take(&mut self.unsorted).into_iter();
        }
    }

    fn kept(&mut self, is_end: bool, out: &mut Vec<u8>) -> bool {
        if let Some(order) = self.order.filter(|_| self.is_sorting) {
            if !is_end {
                return false;
            }
            self.is_sorting = false;
            self.unsorted.sort_by(|a, b| order.compare(a, b));
            self.ready = std::mem::take(&mut self.unsorted).into_iter();
        }
        let Some(entry) = self.ready.next() else {
            self.ready = Vec::new().into_iter();
            self.reserved.release();
            return false;
        };
        self.row(&entry, out);
        true
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(b"</tbody>\n</table>\n");
        if let Some(note) = self.note {
            let note = format!("<p>Not sorted: {note}.</p>\n");
            out.extend_from_slice(note.as_bytes());
        }
        self.frame.end(failed, out);
        true
    }
}

/// A gopher menu, or a nex directory.
pub(super) struct Menu {
    pub(super) frame: Frame,
    /// True if items have labels: gopher servers send the kind of each item.
    pub(super) has_labels: bool,
}

/// A line of a menu.
#[derive(Template)]
#[template(path = "gateway/item.html")]
struct Item<'a> {
    /// The label. Text is indented instead.
    label: Option<&'static str>,
    indentation: &'static str,
    address: Option<String>,
    name: &'a str,
}

impl Page for Menu {
    fn begin(&mut self, out: &mut Vec<u8>) {
        self.frame.begin(out);
        out.extend_from_slice(b"<pre class=\"menu\">\n");
    }

    fn entry(&mut self, entry: &Entry, out: &mut Vec<u8>) {
        let is_text = entry.kind == EntryKind::Text;
        let item = Item {
            label: (self.has_labels && !is_text).then(|| label(entry.kind)),
            indentation: if self.has_labels && is_text {
                "      "
            } else {
                ""
            },
            address: address(&self.frame.links, entry),
            name: if entry.name.is_empty() && !is_text {
                "(no name)"
            } else {
                &entry.name
            },
        };
        write(&item, out);
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(b"</pre>\n");
        self.frame.end(failed, out);
        true
    }
}

/// Returns the label before an item, which is five characters wide.
const fn label(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Directory => "menu ",
        EntryKind::Search => "find ",
        EntryKind::Form => "form ",
        EntryKind::Session => "login",
        EntryKind::Error => "error",
        EntryKind::Link => "link ",
        EntryKind::File => "file ",
        _ => "     ",
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn orders_are_read_back() {
        for text in ["name", "-name", "kind", "-size", "date"] {
            assert_eq!(Order::parse(text).unwrap().text(), text);
        }
        assert!(Order::parse("").is_none() && Order::parse("--name").is_none());
    }
}
