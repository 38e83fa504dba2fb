//! News groups as threads.

use super::Page;
use super::frame::{Frame, write};
use super::listing::{address, date, detail};
use askama::Template;
use std::collections::HashMap;
use urikit_access::listing::Entry;

/// The maximum number of articles that are arranged as threads. The others follow in the server's
/// order.
const MOST: usize = 1000;

/// The depth at which replies are no longer indented further.
const DEEPEST: usize = 8;

/// The page of a group.
pub(super) struct GroupPage {
    frame: Frame,
    /// The page with earlier articles.
    earlier: Option<String>,
    articles: Vec<Article>,
    is_flat: bool,
}

/// An article.
struct Article {
    id: String,
    /// The identifiers of earlier articles in the thread. The last one is the parent.
    references: Vec<String>,
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
    pub(super) const fn new(frame: Frame, earlier: Option<String>) -> Self {
        Self {
            frame,
            earlier,
            articles: Vec::new(),
            is_flat: false,
        }
    }

    /// Writes the articles as threads.
    fn threads(&mut self, out: &mut Vec<u8>) {
        let articles = std::mem::take(&mut self.articles);
        let ids: HashMap<&str, usize> = articles
            .iter()
            .enumerate()
            .map(|(index, article)| (article.id.as_str(), index))
            .collect();
        let mut replies: Vec<Vec<usize>> = vec![Vec::new(); articles.len()];
        let mut begins = Vec::new();
        for (index, article) in articles.iter().enumerate() {
            let known = article.references.iter().rev();
            let mut known = known.filter_map(|id| ids.get(id.as_str()).copied());
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
        // The newest threads come first.
        while let Some((index, depth)) = stack.pop() {
            if let Some(mut row) = rows.get_mut(index).and_then(Option::take) {
                row.depth = depth;
                write(&row, out);
            }
            let replies = replies.get(index).into_iter().flatten().rev();
            stack.extend(replies.map(|reply| (*reply, (depth + 1).min(DEEPEST))));
        }
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
        let references = text("references");
        let references = references.split_ascii_whitespace();
        self.articles.push(Article {
            id: text("message_id"),
            references: references
                .map(|id| id.trim_start_matches('<').trim_end_matches('>').to_owned())
                .collect(),
            row,
        });
        if self.articles.len() >= MOST {
            self.threads(out);
            self.is_flat = true;
        }
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        self.threads(out);
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
    use crate::gateway::page::{Form, Frame, Links, Page as _};
    use urikit_access::listing::{Entry, EntryKind};

    #[test]
    fn replies_follow_their_articles() {
        let mut page = GroupPage::new(
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
        );
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
        page.threads(&mut out);
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
