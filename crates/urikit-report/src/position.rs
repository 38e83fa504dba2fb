//! Positions in markup that select references: an element, an attribute, a mail field, or a kind of
//! syntax.

use std::fmt;
use std::str::FromStr;
use urikit_extract::document::{Place, Syntax};

/// A position in markup, as `uri extract --in` accepts it.
///
/// ```
/// use urikit_report::position::Position;
/// assert!("a@href".parse::<Position>().is_ok());
/// assert_eq!(
///     "syntax=nope".parse::<Position>().unwrap_err().to_string().split(" (").next(),
///     Some("unknown syntax")
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Position {
    /// `a@href`, `img`, `@src`: an element, an attribute, or both; `None` matches any.
    Markup(Option<String>, Option<String>),
    /// `field=NAME`
    Field(String),
    /// `syntax=NAME`
    Syntax(Syntax),
}

impl Position {
    /// Returns true if a place matches this position.
    pub fn contains(&self, place: &Place<'_>) -> bool {
        let is = |wanted: &str, found: Option<&str>| {
            found.is_some_and(|found| found.eq_ignore_ascii_case(wanted))
        };
        let is_wanted = |wanted: &Option<String>, found: Option<&str>| {
            wanted.as_ref().is_none_or(|wanted| is(wanted, found))
        };
        match self {
            Self::Markup(element, attribute) => {
                place.element().is_some()
                    && is_wanted(element, place.element())
                    && is_wanted(attribute, place.attribute())
            }
            Self::Field(name) => is(name, place.field()),
            Self::Syntax(syntax) => place.syntax() == Some(*syntax),
        }
    }
}

/// The error for a string that is not a [`Position`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// The name after `syntax=` is unknown.
    UnknownSyntax(String),
    /// The string has none of the accepted forms.
    Form,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSyntax(_) => {
                let names = Syntax::ALL.map(Syntax::as_str);
                write!(f, "unknown syntax (known: {})", names.join(", "))
            }
            Self::Form => f.write_str(
                "expected ELEMENT@ATTRIBUTE, ELEMENT, @ATTRIBUTE, field=NAME or syntax=NAME",
            ),
        }
    }
}

impl std::error::Error for PositionError {}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        if let Some(name) = text.strip_prefix("field=") {
            return Ok(Self::Field(name.to_owned()));
        }
        if let Some(name) = text.strip_prefix("syntax=") {
            let mut all = Syntax::ALL.into_iter();
            let found = all.find(|syntax| syntax.as_str() == name);
            return found
                .map(Self::Syntax)
                .ok_or_else(|| PositionError::UnknownSyntax(name.to_owned()));
        }
        let (element, attribute) = match text.split_once('@') {
            Some((element, attribute)) => (element, Some(attribute)),
            None => (text, None),
        };
        let name = |text: &str| (!matches!(text, "" | "*")).then(|| text.to_owned());
        let is_odd = |c: char| c.is_whitespace() || c == '=';
        if text.is_empty() || text.contains(is_odd) || text.matches('@').count() > 1 {
            return Err(PositionError::Form);
        }
        Ok(Self::Markup(name(element), attribute.and_then(name)))
    }
}

/// Returns true if the scheme of a reference is one of these, or if none are given. Schemes are
/// compared without regard to case (RFC 3986, 3.1).
///
/// ```
/// use urikit_report::position::has_scheme;
/// assert!(has_scheme("FTP://host.dom/", &["ftp".to_owned()]));
/// ```
pub fn has_scheme(reference: &str, schemes: &[String]) -> bool {
    let scheme = reference.split_once(':').map_or("", |(scheme, _)| scheme);
    schemes.is_empty() || schemes.iter().any(|name| name.eq_ignore_ascii_case(scheme))
}
