//! Rules about schemes, in the syntax of curl's `--proto` and `--proto-redir`.

use std::fmt;
use std::str::FromStr;

/// Rules that change which schemes are allowed. The rules apply in order, so a later rule
/// overrides an earlier rule.
///
/// The syntax is curl's, with names separated by commas. `+name` or `name` allows a scheme in
/// addition to those allowed so far, `-name` denies it, and `=name` allows it and denies all
/// others. `all` means every scheme.
///
/// ```
/// use urikit_access::policy::SchemeRules;
/// let rules: SchemeRules = "=http,https".parse()?;
/// assert!(rules.allow("HTTPS", false) && !rules.allow("ftp", true));
/// let rules: SchemeRules = "-ftp".parse()?;
/// assert!(rules.allow("http", true) && !rules.allow("ftp", true));
/// assert!("-all,http".parse::<SchemeRules>()?.allow("http", true));
/// assert!("ht tp".parse::<SchemeRules>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SchemeRules(Vec<Rule>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Rule {
    change: Change,
    /// The scheme. `None` means every scheme.
    scheme: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Add,
    Remove,
    Set,
}

impl SchemeRules {
    /// Iterates over the names in the rules as written, except `all`.
    ///
    /// ```
    /// use urikit_access::policy::SchemeRules;
    /// let rules: SchemeRules = "-all,https,+wais".parse()?;
    /// assert!(rules.names().eq(["https", "wais"]));
    /// # Ok::<(), urikit_access::policy::RulesError>(())
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|rule| rule.scheme.as_deref())
    }

    /// Returns true if a scheme is allowed, given whether it is allowed by default. Ignores case.
    pub fn allow(&self, scheme: &str, by_default: bool) -> bool {
        self.0.iter().fold(by_default, |allowed, rule| {
            let name = rule.scheme.as_deref();
            let is_it = name.is_none_or(|name| name.eq_ignore_ascii_case(scheme));
            match rule.change {
                Change::Add => allowed || is_it,
                Change::Remove => allowed && !is_it,
                Change::Set => is_it,
            }
        })
    }
}

/// Allows only the given schemes.
impl<T: Into<String>, I: IntoIterator<Item = T>> From<I> for SchemeRules {
    fn from(names: I) -> Self {
        let none = Rule {
            change: Change::Remove,
            scheme: None,
        };
        let names = names.into_iter().map(|name| Rule {
            change: Change::Add,
            scheme: Some(name.into()),
        });
        Self(std::iter::once(none).chain(names).collect())
    }
}

/// The error for a string that is not a valid list of schemes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesError {
    name: String,
}

impl FromStr for SchemeRules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        text.split(',')
            .map(Rule::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl Rule {
    fn parse(text: &str) -> Result<Self, RulesError> {
        let (change, name) = match text.split_at_checked(1) {
            Some(("+", name)) => (Change::Add, name),
            Some(("-", name)) => (Change::Remove, name),
            Some(("=", name)) => (Change::Set, name),
            _ => (Change::Add, text),
        };
        let is_scheme = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_name || !name.bytes().all(is_scheme) {
            let name = name.to_owned();
            return Err(RulesError { name });
        }
        let scheme = (!name.eq_ignore_ascii_case("all")).then(|| name.to_owned());
        Ok(Self { change, scheme })
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        write!(f, "expected the name of a scheme or `all`, found {name:?}")
    }
}

impl std::error::Error for RulesError {}

#[cfg(test)]
mod tests {
    use super::SchemeRules;

    #[test]
    fn rules_are_applied_in_order() {
        for (text, allowed, denied) in [
            ("http", "http ftp", ""),
            ("+gopher", "gopher ftp", ""),
            ("-ftp", "http", "ftp FTP"),
            ("=http,https", "http https", "ftp"),
            ("=http,+ftp", "http ftp", "gopher"),
            ("-all,https", "https", "http"),
            ("=all,-http", "ftp", "http"),
            ("http,=https", "https", "http"),
            ("-http,http", "http", ""),
            ("=x-own.1+a", "x-own.1+a", "http"),
        ] {
            let rules: SchemeRules = text.parse().unwrap();
            for scheme in allowed.split_whitespace() {
                assert!(rules.allow(scheme, true), "{text} {scheme}");
            }
            for scheme in denied.split_whitespace() {
                assert!(!rules.allow(scheme, true), "{text} {scheme}");
            }
        }
        for text in [
            "", ",", "http,", "==http", "+", "1a", "a b", "http://", "\u{e9}",
        ] {
            assert!(text.parse::<SchemeRules>().is_err(), "{text}");
        }
        let rules = SchemeRules::from(["wais"]);
        assert!(rules.allow("WAIS", false) && !rules.allow("http", true));
        assert!(SchemeRules::default().allow("http", true));
    }
}
