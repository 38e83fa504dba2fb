//! News groups as threads.

use super::Page;
use super::frame::{Frame, write};
use super::kept::{Memory, Reserved};
use super::listing::{address, date, detail};
use askama::Template;
use std::collections::HashMap;
use std::vec;
use urikit_access::listing::Entry;

/// The maximum number of articles that are arranged as threads. Fewer are arranged if they take too
/// much memory. All others follow in the server's order.
const MOST: usize = 1000;

/// The depth at which replies are no longer indented further.
const DEEPEST: usize = 8;

/// The page of a group.
pub(super) struct GroupPage {
    frame: Frame,
    /// The page with earlier articles.
    earlier: Option<String>,
    articles: Vec<Article>,
    /// The memory for these articles.
    reserved: Reserved,
    /// The rows to be written before any others.
    ready: vec::IntoIter<Row>,
    is_flat: bool,
}

/// An article.
struct Article {
    id: String,
    /// The identifiers of earlier articles in the thread, separated by white space. The last one
    /// is the parent.
    references: String,
    row: Row,
}

/// The line that represents an article.
#[derive(Template)]
#[template(path = "gateway/article.html")]
struct Row {
    depth: usize,
    address: Option<String>,
    subject: String,
    from: String,
    date: String,
}

impl Article {
    /// Returns the memory that the article occupies, in bytes.
    fn size(&self) -> usize {
        let row = &self.row;
        let address = row.address.as_ref().map_or(0, String::len);
        let texts = [
            &self.id,
            &self.references,
            &row.subject,
            &row.from,
            &row.date,
        ];
        size_of::<Self>() + address + texts.iter().map(|text| text.len()).sum::<usize>()
    }
}

/// The link to earlier articles.
#[derive(Template)]
#[template(
    ext = "html",
    source = "<p><a href=\"{{ address }}\">Earlier articles</a></p>\n"
)]
struct Earlier<'a> {
    address: &'a str,
}

impl GroupPage {
    pub(super) fn new(frame: Frame, earlier: Option<String>, memory: Memory) -> Self {
        Self {
            frame,
            earlier,
            articles: Vec::new(),
            reserved: Reserved::new(memory),
            ready: Vec::new().into_iter(),
            is_flat: false,
        }
    }

    /// Arranges the articles as threads.
    fn threads(&mut self) -> Vec<Row> {
        let articles = std::mem::take(&mut self.articles);
        let ids: HashMap<&str, usize> = articles
            .iter()
            .enumerate()
            .map(|(index, article)| (article.id.as_str(), index))
            .collect();
        let mut replies: Vec<Vec<usize>> = vec![Vec::new(); articles.len()];
        let mut begins = Vec::new();
        for (index, article) in articles.iter().enumerate() {
            let known = article.references.split_ascii_whitespace().rev();
            let known = known.map(|id| id.trim_start_matches('<').trim_end_matches('>'));
            let mut known = known.filter_map(|id| ids.get(id).copied());
            // An article can reply only to earlier ones, so threads have no cycles.
            match known.find(|parent| *parent < index) {
                Some(parent) => {
                    if let Some(replies) = replies.get_mut(parent) {
                        replies.push(index);
                    }
                }
                None => begins.push(index),
            }
        }
        let mut stack: Vec<(usize, usize)> = begins.iter().map(|index| (*index, 0)).collect();
        let mut rows: Vec<Option<Row>> = articles.into_iter().map(|it| Some(it.row)).collect();
        let mut arranged = Vec::with_capacity(rows.len());
        // The newest threads come first.
        while let Some((index, depth)) = stack.pop() {
            if let Some(mut row) = rows.get_mut(index).and_then(Option::take) {
                row.depth = depth;
                arranged.push(row);
            }
            let replies = replies.get(index).into_iter().flatten().rev();
            stack.extend(replies.map(|reply| (*reply, (depth + 1).min(DEEPEST))));
        }
        arranged
    }
}

impl Page for GroupPage {
    fn begin(&mut self, out: &mut Vec<u8>) {
        self.frame.begin(out);
        out.extend_from_slice(b"<ul class=\"threads\">\n");
    }

    fn entry(&mut self, entry: &Entry, out: &mut Vec<u8>) {
        let text = |name| detail(entry, name).unwrap_or_default().to_owned();
        let row = Row {
            depth: 0,
            address: address(&self.frame.links, entry),
            subject: if entry.name.is_empty() {
                "(no subject)".to_owned()
            } else {
                entry.name.clone()
            },
            from: text("from"),
            date: date(entry),
        };
        if self.is_flat {
            write(&row, out);
            return;
        }
        let article = Article {
            id: text("message_id"),
            references: text("references"),
            row,
        };
        if self.articles.len() < MOST && self.reserved.add(article.size()) {
            self.articles.push(article);
            return;
        }
        self.is_flat = true;
        let mut rows = self.threads();
        rows.push(article.row);
        self.ready = rows.into_iter();
    }

    fn kept(&mut self, is_end: bool, out: &mut Vec<u8>) -> bool {
        if !self.is_flat {
            if !is_end {
                return false;
            }
            self.is_flat = true;
            self.ready = self.threads().into_iter();
        }
        let Some(row) = self.ready.next() else {
            self.ready = Vec::new().into_iter();
            self.reserved.release();
            return false;
        };
        write(&row, out);
        true
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(b"</ul>\n");
        if let Some(address) = &self.earlier {
            write(&Earlier { address }, out);
        }
        self.frame.end(failed, out);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::GroupPage;
    use crate::gateway::page::{Form, Frame, Links, Memory, Page as _};
    use urikit_access::listing::{Entry, EntryKind};

    fn page() -> GroupPage {
        GroupPage::new(
            Frame {
                links: Links {
                    form: Form::Prefix,
                    schemes: ["news".to_owned()].into(),
                },
                title: String::new(),
                url: "news:a".to_owned(),
                has_feed: true,
            },
            None,
            Memory::new(),
        )
    }

    /// Articles are no longer kept once they take too much memory, and none is lost.
    #[test]
    fn long_articles_are_not_kept() {
        let mut page = page();
        let mut out = Vec::new();
        let references = "<a@x> ".repeat(10_000);
        for number in 0..200 {
            let entry = Entry::new(EntryKind::Article, format!("s{number}.").as_bytes())
                .detail("references", references.as_bytes());
            page.entry(&entry, &mut out);
            while page.kept(false, &mut out) {}
            assert_eq!(page.is_flat, number >= 139, "{number}");
        }
        assert!(page.articles.is_empty());
        assert!(!page.kept(true, &mut out));
        let text = String::from_utf8(out).unwrap();
        for number in 0..200 {
            assert_eq!(text.matches(&format!("s{number}.")).count(), 1, "{number}");
        }
    }

    #[test]
    fn replies_follow_their_articles() {
        let mut page = page();
        let mut out = Vec::new();
        for (id, references) in [
            ("a@x", ""),
            ("b@x", ""),
            ("c@x", "<a@x>"),
            ("d@x", "<a@x> <c@x>"),
            ("e@x", "<e@x> <gone@x> <b@x> <later@x>"),
        ] {
            let entry = Entry::new(EntryKind::Article, id.as_bytes())
                .detail("message_id", id.as_bytes())
                .detail("references", references.as_bytes());
            page.entry(&entry, &mut out);
        }
        while page.kept(true, &mut out) {}
        let text = String::from_utf8(out).unwrap();
        let order: Vec<_> = text
            .lines()
            .map(|line| {
                let depth = line.strip_prefix("<li class=\"d").unwrap();
                let (depth, rest) = depth.split_once("\">").unwrap();
                (depth, rest.split_once("@x").unwrap().0)
            })
            .collect();
        let expected = [("0", "b"), ("1", "e"), ("0", "a"), ("1", "c"), ("2", "d")];
        assert_eq!(order, expected, "{text}");
    }
}
