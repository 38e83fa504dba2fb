//! Atom feeds of pages in gemtext, as in the specification "Subscribing to Gemini pages": links
//! whose labels begin with a date are entries.

use super::Page;
use super::feed::FeedPage;
use super::gemtext::{Line, base, resolved};
use super::text::Text;
use jiff::civil::Date;
use urikit::UriBuf;

/// The feed of a document in gemtext.
pub(super) struct GemlogPage {
    feed: FeedPage,
    base: Option<UriBuf>,
    text: Text,
    lines: Lines,
}

/// The state between two lines.
#[derive(Default)]
struct Lines {
    is_preformatted: bool,
    /// True if the rest of a long line follows.
    is_open: bool,
    /// True after the first heading, which is the title.
    has_title: bool,
}

impl GemlogPage {
    pub(super) fn new(feed: FeedPage, url: &str, text: Text) -> Self {
        Self {
            feed,
            base: base(url),
            text,
            lines: Lines::default(),
        }
    }

    fn push(&mut self, bytes: &[u8], is_last: bool) {
        let Self {
            feed,
            base,
            text,
            lines,
        } = self;
        text.push(bytes, is_last, &mut |text| {
            for line in text.split_inclusive('\n') {
                lines.read(line, base.as_ref(), feed);
            }
        });
    }
}

impl Lines {
    fn read(&mut self, part: &str, base: Option<&UriBuf>, feed: &mut FeedPage) {
        let is_rest = self.is_open;
        self.is_open = !part.ends_with('\n');
        if is_rest {
            return;
        }
        match Line::read(
            part.trim_end_matches(['\r', '\n']),
            self.is_preformatted,
            false,
        ) {
            Line::Toggle(_) => self.is_preformatted = !self.is_preformatted,
            Line::Heading(1, title) if !self.has_title => {
                self.has_title = true;
                feed.set_title(title);
            }
            Line::Link(reference, label) => {
                if let Some((date, title)) = dated(label)
                    && let Some(url) = resolved(reference, base)
                {
                    // The specification requires noon in UTC, since pages have no times.
                    feed.add(&url, title, format!("{date}T12:00:00Z"));
                }
            }
            _ => {}
        }
    }
}

/// Splits a label into its date, such as `2021-03-24`, and the title after it. If the label is only
/// a date, the date is also the title.
fn dated(label: &str) -> Option<(Date, &str)> {
    let (date, rest) = label.split_at_checked(10)?;
    let is_date = date.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    if !is_date || rest.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let title =
        rest.trim_start_matches(|c: char| c.is_whitespace() || "-:\u{2013}\u{2014}".contains(c));
    let title = if title.is_empty() { label } else { title };
    Some((date.parse().ok()?, title.trim()))
}

impl Page for GemlogPage {
    fn bytes(&mut self, bytes: &[u8], _: &mut Vec<u8>) {
        self.push(bytes, false);
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        self.push(b"", true);
        self.feed.end(failed, out)
    }
}

#[cfg(test)]
mod tests {
    use super::dated;

    #[test]
    fn labels_begin_with_dates() {
        for (label, expected) in [
            ("2021-03-24 - Hello", Some(("2021-03-24", "Hello"))),
            ("2021-03-24: Hello ", Some(("2021-03-24", "Hello"))),
            ("2021-03-24", Some(("2021-03-24", "2021-03-24"))),
            ("2021-03-24 \u{2013} -1", Some(("2021-03-24", "1"))),
            ("2021-13-24 Hello", None),
            ("2021-03-245 Hello", None),
            ("21-03-24 Hello", None),
            (" 2021-03-24", None),
            ("2021-03-\u{e9}\u{e9}", None),
            ("", None),
        ] {
            let found = dated(label).map(|(date, title)| (date.to_string(), title));
            let expected = expected.map(|(date, title)| (date.to_owned(), title));
            assert_eq!(found, expected, "{label}");
        }
    }
}
