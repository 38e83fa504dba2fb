//! Extracts the target from the URL of a redirector or an archive, using only the URL itself.
//!
//! Mail filters, search engines and social networks redirect through their own servers and include
//! the target in the URL. The URLs of archives include the URL of the archived page. The table
//! `redirectors.tsv` lists these servers and archives, with the source of each rule and the date
//! on which the source was checked.

mod proofpoint;

use std::borrow::Cow;
use std::sync::LazyLock;
use urikit::octet::octets;
use urikit::{AnyRefBuf, Standard, repair};

/// The largest number of nested redirectors. A wrapped URL grows with each level, and even mail
/// that was forwarded many times has fewer than ten levels.
const MAX_LEVELS: usize = 32;

/// Extracts the target from the URL of a redirector or an archive. Returns `None` for any other
/// URL.
///
/// If the target is wrapped too, it is unwrapped, up to 32 levels. The target is a valid URI with
/// the scheme `http`, `https` or `ftp` and a host. If necessary, the target is repaired according
/// to the rules of browsers. If the repair fails, the URL is not unwrapped.
///
/// ```
/// use urikit_keys::unwrap_redirect;
/// let url = "https://www.google.com/url?q=https%3A%2F%2Fexample.com%2Fa%3Fb&sa=D";
/// assert_eq!(unwrap_redirect(url).as_deref(), Some("https://example.com/a?b"));
/// let url = "https://web.archive.org/web/20200101000000id_/http://example.com/a?b#c";
/// assert_eq!(unwrap_redirect(url).as_deref(), Some("http://example.com/a?b#c"));
/// assert_eq!(unwrap_redirect("https://example.com/url?q=https://a.example/"), None);
/// ```
pub fn unwrap_redirect(url: &str) -> Option<String> {
    let mut target = once(url)?;
    for _ in 1..MAX_LEVELS {
        match once(&target) {
            Some(next) => target = next,
            None => break,
        }
    }
    Some(target)
}

/// Unwraps one level.
fn once(url: &str) -> Option<String> {
    let parts = Parts::of(url)?;
    let (row, rest) = TABLE.iter().find_map(|row| {
        let is_host = match row.host.strip_prefix('*') {
            Some(domain) => parts.host.len() > domain.len() && ends_with(parts.host, domain),
            None => parts.host.eq_ignore_ascii_case(row.host),
        };
        Some((row, row.rest_of_path(parts.path).filter(|_| is_host)?))
    })?;
    let target = match row.rule {
        Rule::Query(names) => parts.decoded_value(names)?,
        Rule::WholeQuery => decoded(parts.query?)?,
        Rule::Archive => archived(parts.after(rest))?.into_owned(),
        Rule::ProofpointV1 => proofpoint::unescape(&parts.decoded_value("u")?),
        Rule::ProofpointV2 => proofpoint::v2(parts.value("u")?)?,
        Rule::ProofpointV3 => proofpoint::v3(parts.after(rest))?,
    };
    valid(target)
}

/// Returns true if `host` ends with `domain`, ignoring case.
fn ends_with(host: &str, domain: &str) -> bool {
    let start = host.len().checked_sub(domain.len());
    let end = start.and_then(|start| host.get(start..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(domain))
}

/// Returns a target as a valid web URI, repaired if necessary.
fn valid(target: String) -> Option<String> {
    let target = match AnyRefBuf::from_string(target, Standard::Rfc3986) {
        Ok(target) => target.into_string(),
        Err(rejected) => repair(&rejected.into_value()).ok()?.reference.into_string(),
    };
    let is_web = Parts::of(&target).is_some_and(|parts| !parts.host.is_empty());
    is_web.then_some(target)
}

/// The parts of a web URL.
struct Parts<'u> {
    url: &'u str,
    host: &'u str,
    path: &'u str,
    /// The offset of the end of the path.
    path_end: usize,
    query: Option<&'u str>,
}

impl<'u> Parts<'u> {
    fn of(url: &'u str) -> Option<Self> {
        let parts = urikit::parse::Parts::of(url.as_bytes());
        let scheme = url.get(parts.scheme?)?;
        let is_web = ["http", "https", "ftp"];
        is_web.iter().find(|web| web.eq_ignore_ascii_case(scheme))?;
        let authority = url.get(parts.authority?)?;
        let host = authority.rsplit('@').next()?;
        Some(Self {
            url,
            host: host.split(':').next()?,
            path_end: parts.path.end,
            path: url.get(parts.path)?,
            query: parts.query.and_then(|query| url.get(query)),
        })
    }

    /// Returns `rest`, the end of the path, together with the query and fragment after it.
    fn after(&self, rest: &str) -> &'u str {
        let start = self.path_end.saturating_sub(rest.len());
        self.url.get(start..).unwrap_or_default()
    }

    /// Returns the value of the query's first pair with this name, as written.
    fn value(&self, name: &str) -> Option<&'u str> {
        let mut pairs = self
            .query?
            .split('&')
            .filter_map(|pair| pair.split_once('='));
        pairs.find_map(|(found, value)| (found == name).then_some(value))
    }

    /// Returns the decoded value of the first of these comma-separated parameters that is present.
    fn decoded_value(&self, names: &str) -> Option<String> {
        decoded(names.split(',').find_map(|name| self.value(name))?)
    }
}

/// Decodes the escapes in a string. Returns `None` if the result is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let bytes = octets(text.as_bytes()).map(|octet| octet.value);
    String::from_utf8(bytes.collect()).ok()
}

/// Returns the target that follows a timestamp. Archives accept targets without a scheme and,
/// because some servers merge slashes, targets with only one slash after the scheme.
fn archived(text: &str) -> Option<Cow<'_, str>> {
    let (stamp, target) = text.split_once('/')?;
    let digits = stamp.bytes().take_while(u8::is_ascii_digit).count();
    let modifier = stamp.get(digits..)?;
    let is_modifier = modifier.is_empty()
        || modifier.strip_suffix('_').is_some_and(|name| {
            name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_lowercase())
        });
    if !(1..=14).contains(&digits) || !is_modifier {
        return None;
    }
    let scheme = ["http:/", "https:/", "ftp:/"].into_iter().find(|scheme| {
        let begin = target.get(..scheme.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    });
    Some(match scheme {
        Some(scheme) if !target.get(scheme.len()..)?.starts_with('/') => {
            let (scheme, rest) = target.split_at_checked(scheme.len())?;
            Cow::Owned(format!("{scheme}/{rest}"))
        }
        Some(_) => Cow::Borrowed(target),
        None => Cow::Owned(format!("http://{}", target.trim_start_matches('/'))),
    })
}

/// A rule that describes where a URL contains its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// The decoded value of the first of these comma-separated parameters that is present.
    Query(&'static str),
    /// The query.
    WholeQuery,
    /// A timestamp and the target, in the path.
    Archive,
    ProofpointV1,
    ProofpointV2,
    ProofpointV3,
}

/// A row of the table.
struct Row {
    /// The host. A host that begins with `*.` matches any subdomain.
    host: &'static str,
    /// The beginning of the path. A `*` segment matches any segment.
    path: &'static str,
    rule: Rule,
}

impl Row {
    /// Reads a line of the table. Returns `None` for comments.
    fn new(line: &'static str) -> Option<Self> {
        let mut cells = line.split('\t');
        let (host, path, rule) = (cells.next()?, cells.next()?, cells.next()?);
        let rule = match rule.split_once(':') {
            Some(("query", names)) => Rule::Query(names),
            _ => match rule {
                "whole-query" => Rule::WholeQuery,
                "archive" => Rule::Archive,
                "proofpoint-v1" => Rule::ProofpointV1,
                "proofpoint-v2" => Rule::ProofpointV2,
                "proofpoint-v3" => Rule::ProofpointV3,
                _ => return None,
            },
        };
        Some(Self { host, path, rule })
    }

    /// Returns the rest of a path that begins as this row requires.
    fn rest_of_path<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.path.split_once('*') {
            None => path.strip_prefix(self.path).filter(|rest| {
                // `/url` must not match `/urls`.
                let is_open = self.path.ends_with(['/', '_']);
                is_open || rest.is_empty() || rest.starts_with('/')
            }),
            Some((before, after)) => {
                let rest = path.strip_prefix(before)?;
                rest.get(rest.find('/')?..)?.strip_prefix(after)
            }
        }
    }
}

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    include_str!("redirectors.tsv")
        .lines()
        .filter_map(Row::new)
        .collect()
});
