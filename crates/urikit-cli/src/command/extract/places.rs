//! `--in` and `--rel`: where in the markup of a document references are wanted.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::str::FromStr;
use urikit_extract::document::{Place, Syntax};

/// A value of `--in`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum In {
    /// `a@href`, `img`, `@src`: an element, an attribute, or both; absent for any.
    Markup(Option<String>, Option<String>),
    /// `field=NAME`
    Field(String),
    /// `syntax=NAME`
    Syntax(Syntax),
}

impl In {
    fn contains(&self, place: &Place<'_>) -> bool {
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

impl FromStr for In {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(name) = text.strip_prefix("field=") {
            return Ok(Self::Field(name.to_owned()));
        }
        if let Some(name) = text.strip_prefix("syntax=") {
            let found = Syntax::ALL
                .into_iter()
                .find(|syntax| syntax.as_str() == name);
            return found.map(Self::Syntax).ok_or_else(|| {
                let names = Syntax::ALL.map(Syntax::as_str);
                format!("expected one of {}", names.join(", "))
            });
        }
        let (element, attribute) = match text.split_once('@') {
            Some((element, attribute)) => (element, Some(attribute)),
            None => (text, None),
        };
        let name = |text: &str| (!matches!(text, "" | "*")).then(|| text.to_owned());
        if text.is_empty() || text.contains(|byte: char| byte.is_whitespace() || byte == '=') {
            let expected = "expected ELEMENT@ATTRIBUTE, ELEMENT, @ATTRIBUTE, field=NAME";
            return Err(format!("{expected} or syntax=NAME"));
        }
        Ok(Self::Markup(name(element), attribute.and_then(name)))
    }
}

/// The filters by place.
#[derive(clap::Args, Clone, Default, Debug)]
pub(super) struct Places {
    /// Print only references found there: a@href, img, @src, field=List-Unsubscribe (of mail),
    /// syntax=image (of Markdown); may be repeated
    #[arg(long = "in", value_name = "PLACE")]
    places: Vec<In>,

    /// Print only references whose element has this keyword in its rel; may be repeated
    #[arg(long, value_name = "KEYWORD")]
    rel: Vec<String>,
}

impl Places {
    /// Whether a reference at this place is wanted.
    pub(super) fn contain(&self, place: &Place<'_>) -> bool {
        (self.places.is_empty() || self.places.iter().any(|wanted| wanted.contains(place)))
            && (self.rel.is_empty() || self.rel.iter().any(|keyword| place.has_rel(keyword)))
    }
}

/// A place as JSON: an object with what applies, or null.
pub(super) struct AsJson<'a>(pub(super) &'a Place<'a>);

impl Serialize for AsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = self.0;
        if place.is_none() {
            return serializer.serialize_none();
        }
        let mut object = serializer.serialize_map(None)?;
        for (key, value) in [
            ("element", place.element()),
            ("attribute", place.attribute()),
            ("rel", place.rel()),
            ("type", place.media_type()),
            ("syntax", place.syntax().map(Syntax::as_str)),
            ("field", place.field()),
            ("entry", place.entry()),
        ] {
            if let Some(value) = value {
                object.serialize_entry(key, value)?;
            }
        }
        object.end()
    }
}
