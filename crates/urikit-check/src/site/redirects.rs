//! Redirects of Netlify and Cloudflare Pages: `_redirects` and `netlify.toml`.
//!
//! Rules with conditions, such as a country or a cookie, do not decide whether a page exists and
//! are ignored.

use super::{Preset, decode_path};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The maximum size of a rules file, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// The rules of a site, in the order in which they apply.
#[derive(Clone, Default, Debug)]
pub(crate) struct Redirects {
    rules: Vec<Redirect>,
}

/// A rule.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Redirect {
    from: String,
    to: String,
    status: u16,
    /// True if the rule also applies to paths for which a file exists.
    is_forced: bool,
    /// The parameters that the query must have, each with the placeholder (`:id`) that stands for
    /// its value, or with the value.
    query: Vec<(String, String)>,
    /// The file and line of the rule.
    place: String,
}

/// The result of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Redirected {
    /// The status; 200 means a rewrite.
    pub(crate) status: u16,
    /// A path or a URL.
    pub(crate) to: String,
    /// The file and line of the rule.
    pub(crate) place: String,
}

#[derive(Deserialize)]
struct NetlifyToml {
    #[serde(default)]
    redirects: Vec<NetlifyRedirect>,
}

#[derive(Deserialize)]
struct NetlifyRedirect {
    from: String,
    to: String,
    status: Option<u16>,
    #[serde(default)]
    force: bool,
    #[serde(default)]
    query: BTreeMap<String, toml::Value>,
    conditions: Option<toml::Value>,
}

impl Redirects {
    /// Reads the rules of a site: `_redirects` in its folder, and `netlify.toml` in its folder or a
    /// folder above it, up to the root of the repository. The preset determines the status of rules
    /// in `_redirects` without a status.
    ///
    /// # Errors
    ///
    /// Returns the path and the reason if a file cannot be read.
    pub(crate) fn read(folder: &Path, preset: Preset) -> Result<Self, String> {
        let mut all = Self::default();
        let path = folder.join("_redirects");
        if let Some(text) = text(&path)? {
            all.rules = parse(&text, preset.redirect_status());
        }
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        for folder in folder.ancestors() {
            let path = folder.join("netlify.toml");
            if let Some(text) = text(&path)? {
                let rules =
                    parse_toml(&text).map_err(|error| format!("{}: {error}", path.display()))?;
                all.rules.extend(rules);
                break;
            }
            if folder.join(".git").exists() {
                break;
            }
        }
        Ok(all)
    }

    /// Returns the result of the first rule for a path. Forced rules apply even if a file exists.
    pub(crate) fn find(
        &self,
        path: &str,
        query: Option<&str>,
        is_forced: bool,
    ) -> Option<Redirected> {
        let rules = self
            .rules
            .iter()
            .filter(|rule| rule.is_forced || !is_forced);
        rules.into_iter().find_map(|rule| {
            let mut found = matched(&rule.from, path)?;
            found.extend(matched_query(&rule.query, query.unwrap_or_default())?);
            // Longer names come first, so that `:ab` is not read as `:a`.
            found.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
            let mut to = rule.to.clone();
            for (name, value) in found {
                to = to.replace(&name, value);
            }
            Some(Redirected {
                status: rule.status,
                to,
                place: rule.place.clone(),
            })
        })
    }
}

/// Returns the paths to which the rules of a file with this name and content apply.
pub(crate) fn redirect_sources(name: &str, text: &str) -> Vec<String> {
    let rules = match name {
        "_redirects" => parse(text, 301),
        "netlify.toml" => parse_toml(text).unwrap_or_default(),
        _ => Vec::new(),
    };
    rules.into_iter().map(|rule| rule.from).collect()
}

/// Returns true if a rule for `from` applies to a path.
pub(crate) fn redirect_applies(from: &str, path: &str) -> bool {
    matched(from, path).is_some()
}

/// Reads a file; `None` if it does not exist.
fn text(path: &Path) -> Result<Option<String>, String> {
    let message = |error: io::Error| format!("{}: {error}", path.display());
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(message(error)),
        Ok(metadata) if metadata.len() > MAX_FILE => {
            return Err(format!(
                "{}: the file is larger than 16 MiB",
                path.display()
            ));
        }
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(message)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Reads the rules in a `_redirects` file. Ignores lines that are not rules, like the hosts
/// themselves. `status` is that of rules without a status.
fn parse(text: &str, status: u16) -> Vec<Redirect> {
    let lines = text.lines().enumerate();
    lines
        .filter_map(|(nth, line)| rule(line, nth + 1, status))
        .collect()
}

/// Reads one line: the path, parameters, the target, the status, and conditions.
fn rule(line: &str, number: usize, default_status: u16) -> Option<Redirect> {
    let words = line
        .split_whitespace()
        .take_while(|word| !word.starts_with('#'));
    let mut words = words.peekable();
    let from = path_of(words.next()?)?;
    let mut query = Vec::new();
    while let Some(word) = words.next_if(|word| !word.starts_with('/') && !word.contains("://")) {
        let (name, value) = word.split_once('=')?;
        query.push((name.to_owned(), value.to_owned()));
    }
    let to = words.next()?.to_owned();
    let (mut status, mut is_forced) = (default_status, false);
    for word in words {
        let (number, bang) = word
            .strip_suffix('!')
            .map_or((word, false), |number| (number, true));
        match number.parse() {
            Ok(number) => (status, is_forced) = (number, bang),
            // A condition.
            Err(_) => return None,
        }
    }
    Some(Redirect {
        from,
        to,
        status,
        is_forced,
        query,
        place: format!("_redirects:{number}"),
    })
}

/// Returns the path of a rule, which may be written with a host.
fn path_of(from: &str) -> Option<String> {
    let path = match from.split_once("://") {
        Some((_, rest)) => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/"),
        None => from,
    };
    path.starts_with('/').then(|| path.to_owned())
}

fn parse_toml(text: &str) -> Result<Vec<Redirect>, String> {
    let file: NetlifyToml = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    let rules = file.redirects.into_iter().enumerate();
    let rules = rules.filter(|(_, rule)| rule.conditions.is_none());
    Ok(rules
        .filter_map(|(nth, rule)| {
            Some(Redirect {
                from: path_of(&rule.from)?,
                to: rule.to,
                status: rule.status.unwrap_or(301),
                is_forced: rule.force,
                query: rule.query.into_iter().map(query_value).collect(),
                place: format!("netlify.toml: redirect {}", nth + 1),
            })
        })
        .collect())
}

/// Returns a parameter of a rule in `netlify.toml`.
fn query_value((name, value): (String, toml::Value)) -> (String, String) {
    let value = match value {
        toml::Value::String(text) => text,
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Boolean(truth) => truth.to_string(),
        // Netlify's documentation has only strings. No query has this value.
        _ => "\0".to_owned(),
    };
    (name, value)
}

/// Compares a query with the parameters of a rule. Returns the values of the placeholders if the
/// query has all parameters.
fn matched_query<'q>(rule: &[(String, String)], query: &'q str) -> Option<Vec<(String, &'q str)>> {
    let pairs = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let pairs: Vec<_> = pairs.collect();
    let mut values = Vec::new();
    for (name, value) in rule {
        let (_, found) = pairs.iter().find(|(written, _)| written == name)?;
        if value.starts_with(':') {
            values.push((value.clone(), *found));
        } else if value != found {
            return None;
        }
    }
    Some(values)
}

/// Compares a path with the path of a rule. Returns the values of the rule's placeholders (`:name`,
/// and `:splat` for `*`) if the paths match. A trailing slash makes no difference.
fn matched<'p>(from: &str, path: &'p str) -> Option<Vec<(String, &'p str)>> {
    let mut values = Vec::new();
    let mut rest = path.trim_matches('/');
    let mut from = from.trim_matches('/');
    loop {
        if from == "*" {
            values.push((":splat".to_owned(), rest));
            return Some(values);
        }
        let (pattern, after) = from.split_once('/').unwrap_or((from, ""));
        let (segment, rest_after) = rest.split_once('/').unwrap_or((rest, ""));
        if let Some(name) = pattern.strip_prefix(':').filter(|_| !segment.is_empty()) {
            values.push((format!(":{name}"), segment));
        } else if !is_same_segment(pattern, segment) {
            return None;
        }
        (from, rest) = (after, rest_after);
        if from.is_empty() {
            return rest.is_empty().then_some(values);
        }
    }
}

/// Compares segments as written, and then decoded, because the paths of URLs are normalized and
/// those of rules are not.
fn is_same_segment(one: &str, other: &str) -> bool {
    let has_escapes = one.contains('%') || other.contains('%');
    one == other
        || has_escapes && decode_path(one).is_some_and(|one| decode_path(other) == Some(one))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::{Redirects, parse, parse_toml};

    fn find(rules: &str, path: &str) -> Option<(u16, String)> {
        let redirects = Redirects {
            rules: parse(rules, 301),
        };
        let found = redirects.find(path, Some("a=b&id=3&tag"), false)?;
        Some((found.status, found.to))
    }

    // after https://docs.netlify.com/routing/redirects/
    #[test]
    fn rules_of_redirects() {
        let to = |status, text: &str| Some((status, text.to_owned()));
        assert_eq!(find("/home /", "/home"), to(301, "/"));
        assert_eq!(find("/home / # comment", "/home/"), to(301, "/"));
        assert_eq!(find("# /home /", "/home"), None);
        assert_eq!(find("/my-redirect / 302", "/my-redirect"), to(302, "/"));
        assert_eq!(
            find("/news/* /blog/:splat", "/news/2004/01/10/my-story"),
            to(301, "/blog/2004/01/10/my-story")
        );
        assert_eq!(
            find(
                "/news/:month/:date/:year/:slug /blog/:year/:month/:date/:slug",
                "/news/02/12/2004/my-story"
            ),
            to(301, "/blog/2004/02/12/my-story")
        );
        assert_eq!(
            find("/ecommerce /store-closed 404", "/ecommerce"),
            to(404, "/store-closed")
        );
        assert_eq!(
            find("/store id=:id /blog/:id 301", "/store"),
            to(301, "/blog/3")
        );
        assert_eq!(
            find("/x/:i id=:id /blog/:id/:i", "/x/y"),
            to(301, "/blog/3/y")
        );
        assert_eq!(find("/store id=3 /blog 301", "/store"), to(301, "/blog"));
        assert_eq!(find("/store id=4 /blog 301", "/store"), None);
        // The paths of URLs are normalized, those of rules are not.
        for rule in ["/caf%C3%A9 /a", "/caf\u{e9} /a", "/caf%c3%a9 /a"] {
            assert_eq!(find(rule, "/caf\u{e9}"), to(301, "/a"));
            assert_eq!(find(rule, "/caf%C3%A9"), to(301, "/a"));
        }
        assert_eq!(find("/store other=:id /blog/x 301", "/store"), None);
        assert_eq!(find("/ /china 302 Country=cn,hk,tw", "/"), None);
        assert_eq!(find("/* /index.html 200", "/a/b"), to(200, "/index.html"));
        assert_eq!(
            find("/a/* https://b.example/:splat 302!", "/a/c"),
            to(302, "https://b.example/c")
        );
        assert_eq!(find("/a", "/a"), None);
    }

    #[test]
    fn rules_of_netlify_toml() {
        let text = "[[redirects]]\nfrom = \"/old/*\"\nto = \"/new/:splat\"\nstatus = 302\nforce = true\n\
                    [[redirects]]\nfrom = \"/x\"\nto = \"/y\"\nconditions = {Language = [\"en\"]}\n\
                    [[redirects]]\nfrom = \"/q\"\nto = \"/z/:n\"\nquery = {id = \":n\"}\n";
        let redirects = Redirects {
            rules: parse_toml(text).unwrap(),
        };
        let found = redirects.find("/old/a", None, true).unwrap();
        assert_eq!((found.status, &*found.to), (302, "/new/a"));
        assert_eq!(redirects.find("/x", None, false), None);
        let found = redirects.find("/q", Some("id=5"), false).unwrap();
        assert_eq!(&*found.to, "/z/5");
        assert_eq!(redirects.find("/q", None, false), None);
        assert!(parse_toml("[[redirects]]\nfrom = 1").is_err());
    }
}
