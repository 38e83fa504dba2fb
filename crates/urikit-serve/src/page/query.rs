//! The query as a table of pairs that can be edited.

use urikit::octet::octets;
use urikit::percent::{Place, encode};
use urikit::{Standard, visible::is_visible};
use urikit_report::mask::mask;
use urikit_report::safe::safe;

/// The maximum number of pairs in the table. Editing keeps all other pairs.
const MOST_PAIRS: usize = 40;

/// The maximum length of a name or value that can be edited, in bytes.
const LONGEST: usize = 500;

/// The query of a reference.
pub(super) struct QueryTable {
    pub(super) pairs: Vec<Pair>,
    /// The number of further pairs.
    pub(super) more: usize,
}

/// A pair between `&`.
pub(super) struct Pair {
    pub(super) name: Field,
    pub(super) value: Field,
    /// The pair as written, with masked passwords, safe to print.
    pub(super) written: String,
    /// The pair decoded as the data of an HTML form, if it contains a `+`, which is a space there.
    pub(super) form: Option<String>,
}

/// A name or value.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Field {
    /// The decoded text, or the text as written if it cannot be edited.
    pub(super) text: String,
    /// True if the decoded text can be edited: it contains no control characters and no masked
    /// password.
    pub(super) is_editable: bool,
}

/// Returns the range of the query. Under all standards, `#` begins the fragment, and the first `?`
/// before it begins the query.
fn range(url: &str) -> Option<std::ops::Range<usize>> {
    let end = url.find('#').unwrap_or(url.len());
    let begin = url.get(..end)?.find('?')? + 1;
    Some(begin..end)
}

/// Returns the pairs in a query, or `None` if the reference has no query.
pub(super) fn table(url: &str) -> Option<QueryTable> {
    let query = url.get(range(url)?)?;
    let masked = mask(url, false);
    let masked = masked
        .get(range(&masked).unwrap_or_default())
        .unwrap_or_default();
    let (mut pairs, mut more) = (Vec::new(), 0);
    let is_aligned = query.split('&').count() == masked.split('&').count();
    for (pair, masked) in query.split('&').zip(masked.split('&')) {
        if pairs.len() == MOST_PAIRS {
            more += 1;
        } else if !query.is_empty() {
            pairs.push(Pair::new(pair, is_aligned.then_some(masked)));
        }
    }
    Some(QueryTable { pairs, more })
}

/// Splits a pair into its name and its value, which is empty if there is no `=`.
fn split(pair: &str) -> (&str, &str) {
    pair.split_once('=').unwrap_or((pair, ""))
}

impl Pair {
    /// Describes a pair. `masked` is the pair with masked passwords, if it is known.
    fn new(pair: &str, masked: Option<&str>) -> Self {
        let shown = masked.unwrap_or("…");
        let is_secret = shown != pair;
        let (name, value) = split(shown);
        let has_plus = !is_secret && pair.contains('+');
        let form = has_plus.then(|| {
            let spaced = pair.replace('+', " ");
            let (name, value) = split(&spaced);
            let text = |text| String::from_utf8_lossy(&decoded(text)).into_owned();
            safe(&format!("{} = {}", text(name), text(value))).into_owned()
        });
        Self {
            name: Field::new(name, is_secret),
            value: Field::new(value, is_secret),
            written: safe(&super::difference::cut(shown)).into_owned(),
            form,
        }
    }
}

impl Field {
    fn new(written: &str, is_secret: bool) -> Self {
        let decoded = String::from_utf8(decoded(written)).ok();
        let decoded = decoded
            .filter(|text| !is_secret && text.len() <= LONGEST && text.chars().all(is_visible));
        Self {
            is_editable: decoded.is_some(),
            text: decoded.unwrap_or_else(|| safe(&super::difference::cut(written)).into_owned()),
        }
    }
}

fn decoded(text: &str) -> Vec<u8> {
    octets(text.as_bytes()).map(|octet| octet.value).collect()
}

/// Replaces the edited pairs in a query. Pairs that did not change stay as written. A pair with an
/// empty name and an empty value is removed. New pairs come last.
pub(super) fn edit(url: &str, fields: &[(String, String)]) -> String {
    let range = range(url);
    let end = url.find('#').unwrap_or(url.len());
    let old = range
        .clone()
        .and_then(|range| url.get(range))
        .unwrap_or_default();
    let shown = table(url).map(|table| table.pairs).unwrap_or_default();
    let mut written = old.split('&').filter(|_| !old.is_empty());
    let mut pairs: Vec<String> = Vec::new();
    for (at, (name, value)) in fields.iter().enumerate() {
        let Some((pair, before)) = shown.get(at).and_then(|pair| Some((pair, written.next()?)))
        else {
            if !name.is_empty() || !value.is_empty() {
                pairs.push(format!(
                    "{}={}",
                    escaped(name, Place::QueryName),
                    escaped(value, Place::QueryValue)
                ));
            }
            continue;
        };
        let (old_name, old_value) = split(before);
        let is_same = [
            *name == pair.name.text || !pair.name.is_editable,
            *value == pair.value.text || !pair.value.is_editable,
        ];
        let name = match is_same {
            [true, true] => {
                pairs.push(before.to_owned());
                continue;
            }
            _ if name.is_empty() && value.is_empty() => continue,
            [true, false] => old_name.to_owned(),
            [false, _] => escaped(name, Place::QueryName),
        };
        let value = if is_same[1] {
            old_value.to_owned()
        } else {
            escaped(value, Place::QueryValue)
        };
        let has_value = before.contains('=') || !value.is_empty();
        pairs.push(if has_value {
            format!("{name}={value}")
        } else {
            name
        });
    }
    pairs.extend(written.map(str::to_owned));
    let begin = range.map_or(end, |range| range.start - 1);
    let query = if pairs.is_empty() {
        String::new()
    } else {
        format!("?{}", pairs.join("&"))
    };
    let [before, after] = [url.get(..begin), url.get(end..)].map(Option::unwrap_or_default);
    format!("{before}{query}{after}")
}

/// Escapes a name or value.
fn escaped(text: &str, place: Place) -> String {
    // INVARIANT: RFC 3986 defines escapes in queries, so encoding does not fail.
    encode(text, place, Standard::Rfc3986).map_or_else(|_| String::new(), Iterator::collect)
}

#[cfg(test)]
mod tests {
    use super::{edit, table};

    const URL: &str = "http://a/?q=C%2B%2B&flag&x=a+b&bad=%FF%0A#top";

    /// Returns the fields that a form without changes sends.
    fn fields(url: &str) -> Vec<(String, String)> {
        let pairs = table(url).unwrap().pairs.into_iter();
        pairs
            .map(|pair| (pair.name.text, pair.value.text))
            .collect()
    }

    #[test]
    fn pairs_are_decoded() {
        let pairs = table(URL).unwrap().pairs;
        assert_eq!(pairs[0].value.text, "C++");
        assert_eq!(pairs[2].value.text, "a+b");
        assert_eq!(pairs[2].form.as_deref(), Some("x = a b"));
        assert_eq!(pairs[3].value.text, "%FF%0A");
        assert!(!pairs[3].value.is_editable && pairs[3].name.is_editable);
        assert!(table("http://a/#?b").is_none());
        assert!(table("?").unwrap().pairs.is_empty());
    }

    #[test]
    fn only_edited_pairs_change() {
        assert_eq!(edit(URL, &fields(URL)), URL);
        let mut changed = fields(URL);
        changed[0].1 = "a&b=c é".into();
        changed[1] = (String::new(), String::new());
        changed[3].0 = "good".into();
        changed.push(("new".into(), "%".into()));
        changed.push((String::new(), String::new()));
        let expected = "http://a/?q=a%26b%3Dc%20%C3%A9&x=a+b&good=%FF%0A&new=%25#top";
        assert_eq!(edit(URL, &changed), expected);
        assert_eq!(
            edit("http://a/?b#c", &[(String::new(), String::new())]),
            "http://a/#c"
        );
        assert_eq!(edit("/x#c", &[("a".into(), "b".into())]), "/x?a=b#c");
    }

    #[test]
    fn pairs_after_the_table_are_kept() {
        let url = format!("/?{}", ["a=b"; 50].join("&"));
        assert_eq!(table(&url).unwrap().more, 10);
        assert_eq!(edit(&url, &fields(&url)), url);
        let mut changed = fields(&url);
        changed.truncate(40);
        changed[39].1 = "c".into();
        assert_eq!(edit(&url, &changed).matches("a=b").count(), 49);
    }
}
