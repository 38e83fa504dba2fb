//! A range of articles, `nntp://h/group/1-5`: what clients since Lynx understand, and no RFC
//! defines. It is read here and not in `urikit-schemes`, where such a URL stays invalid.

use crate::protocol::parse::number;
use urikit::AnyRef;

/// The numbers of articles, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Range {
    /// All articles.
    pub(super) const ALL: Self = Self {
        first: 0,
        last: u64::MAX,
    };

    /// Splits `nntp://h/group/FIRST-LAST` into the URL of the group and the range. Without `LAST`,
    /// the range has no end (RFC 3977, 6.1.2 and 9.8, writes ranges in the same way). `None` if the
    /// last segment is no range, or if a query follows it.
    pub(super) fn split(url: AnyRef<'_>) -> Option<(AnyRef<'_>, Self)> {
        let path = url.path().as_str();
        let segment = path.rsplit('/').next()?;
        let (first, last) = segment.split_once('-')?;
        let range = Self {
            first: number(first.as_bytes())?,
            last: match last {
                "" => u64::MAX,
                last => number(last.as_bytes())?,
            },
        };
        let text = url.as_str().split(['?', '#']).next()?;
        let group = text.strip_suffix(segment)?.strip_suffix('/')?;
        let is_range = url.query().is_none() && range.first <= range.last;
        let group = url.standard().parse(group).ok()?;
        is_range.then_some((group, range))
    }
}

#[cfg(test)]
mod tests {
    use super::Range;
    use urikit::Standard;

    #[test]
    fn the_last_segment_is_a_range() {
        let split = |url| {
            let url = Standard::Rfc3986.parse(url).unwrap();
            Range::split(url).map(|(group, range)| (group.to_string(), range.first, range.last))
        };
        let group = || "nntp://h/g".to_owned();
        assert_eq!(split("nntp://h/g/1-5"), Some((group(), 1, 5)));
        assert_eq!(split("nntp://h/g/7-7#x"), Some((group(), 7, 7)));
        assert_eq!(split("nntp://h/g/7-"), Some((group(), 7, u64::MAX)));
        for url in [
            "nntp://h/g/5",
            "nntp://h/g/5-1",
            "nntp://h/g/-5",
            "nntp://h/g/1-5x",
            "nntp://h/g/1-99999999999999999999",
            "nntp://h/g/1%2D5",
            "nntp://h/g/1-5?q",
            "nntp://h/comp-test",
            "nntp:",
        ] {
            assert_eq!(split(url), None, "{url}");
        }
    }
}
