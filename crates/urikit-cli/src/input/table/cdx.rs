//! Reads original URLs from CDX, the older index format of web archives.
//!
//! The first line may be a legend, ` CDX N b a m s k r M S V g`: its first character separates the
//! fields, each of which is identified by a letter. The field `a` contains the original URL.
//! Indexes without a legend have 7, 9, 10 or 11 fields, of which the second is the date and the
//! third the URL.

use super::records::{Cells, Lines, Records};
use std::io::{self, Read};

/// Reads CDX.
pub(super) struct Cdx {
    lines: Lines,
    legend: Legend,
}

/// The position of the URL in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Legend {
    separator: u8,
    url: Option<usize>,
}

/// The default legend, for files without one.
const USUAL: Legend = Legend {
    separator: b' ',
    url: Some(2),
};

/// The numbers of fields that a line may have in a file without a legend.
const FIELDS: [usize; 4] = [7, 9, 10, 11];

impl Legend {
    /// Reads a legend, if the line is one.
    fn of(line: &[u8]) -> Option<Self> {
        let (separator, rest) = line.split_first()?;
        let names = rest.strip_prefix(b"CDX")?;
        let (next, names) = names.split_first()?;
        let is_legend = next == separator && !separator.is_ascii_alphanumeric();
        let mut names = names.split(|byte| byte == separator);
        is_legend.then(|| Self {
            separator: *separator,
            url: names.position(|name| name == b"a"),
        })
    }
}

impl Cdx {
    pub(super) fn new(source: Box<dyn Read + Send>, max: usize) -> Self {
        Self {
            lines: Lines::new(source, max),
            legend: USUAL,
        }
    }
}

/// Returns true if a file that begins with these bytes is CDX. References contain no spaces, so a
/// list of references is never mistaken for CDX.
pub(super) fn is_cdx(begin: &[u8]) -> bool {
    let line = begin
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    if Legend::of(line).is_some() {
        return true;
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let fields: Vec<_> = line.split(|byte| *byte == b' ').take(12).collect();
    let is_date = |date: &&[u8]| date.len() == 14 && date.iter().all(u8::is_ascii_digit);
    FIELDS.contains(&fields.len())
        && fields.get(1).is_some_and(is_date)
        && fields.iter().all(|field| !field.is_empty())
}

impl Records for Cdx {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        while self.lines.next()? {
            let line = self.lines.line.as_slice();
            if line.is_empty() {
                continue;
            }
            // A merged index contains the legends of its parts.
            if let Some(legend) = Legend::of(line) {
                self.legend = legend;
                continue;
            }
            let Legend { separator, url } = self.legend;
            let mut fields = line.split(|byte| *byte == separator);
            match url.map(|nth| fields.nth(nth)) {
                Some(Some(b"-")) => cells.push_broken("the entry has no URL"),
                Some(Some(url)) => cells.push(url),
                Some(None) => cells.push_broken("the entry has too few fields"),
                None => cells.push_broken("the legend has no field `a`, the original URL"),
            }
            return Ok(Some(self.lines.number));
        }
        Ok(None)
    }

    fn may_wait(&self) -> bool {
        self.lines.may_wait()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cdx, is_cdx};
    use crate::input::table::Cells;
    use crate::input::table::records::Records as _;

    const ENTRY: &str = "com,example)/ 20200101000000 http://example.com/ text/html 200 ABC - - 12 \
                         34 a.warc.gz";

    fn read(file: String) -> (Vec<u64>, String, Vec<String>) {
        let mut cdx = Cdx::new(Box::new(std::io::Cursor::new(file)), 1000);
        let (mut cells, mut numbers) = (Cells::default(), Vec::new());
        while let Some(number) = cdx.next(&mut cells).unwrap() {
            numbers.push(number);
        }
        let broken = cells.broken.iter().map(|(_, why)| why.to_string());
        let broken = broken.collect();
        (numbers, String::from_utf8(cells.data).unwrap(), broken)
    }

    #[test]
    fn the_legend_names_the_url() {
        let file = format!(" CDX N b a m s k r M S V g\n{ENTRY}\n\n,CDX,a,b\r\nhttp://b/,1\r\n");
        assert!(is_cdx(file.as_bytes()));
        let urls = "http://example.com/http://b/".to_owned();
        assert_eq!(read(file), (vec![2, 5], urls, vec![]));
        let (_, _, broken) = read(" CDX N b a\nx y\nx y -\n CDX b\nx\n".to_owned());
        assert_eq!(
            broken,
            [
                "the entry has too few fields",
                "the entry has no URL",
                "the legend has no field `a`, the original URL"
            ]
        );
    }

    #[test]
    fn a_file_without_a_legend() {
        assert!(is_cdx(ENTRY.as_bytes()));
        assert_eq!(read(ENTRY.to_owned()).1, "http://example.com/");
        for other in [
            "",
            "http://example.com/",
            "CDX",
            "a CDX b",
            "com,example)/ 20200101000000 {\"url\": \"http://example.com/\"}",
            "com,example)/ 2020010100000x http://example.com/ text/html 200 ABC -",
            "a 20200101000000 http://a/ b",
        ] {
            assert!(!is_cdx(other.as_bytes()), "{other}");
        }
    }
}
