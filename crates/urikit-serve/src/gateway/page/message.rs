//! Pages without a document: errors, searches, forms, and the start page.

use super::frame::{Frame, write};
use askama::Template;

/// A page with one message.
#[derive(Template)]
#[template(path = "gateway/message.html")]
pub(crate) struct Message {
    pub(crate) text: String,
    /// A link: its address and its text.
    pub(crate) link: Option<(String, String)>,
}

impl Message {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            link: None,
        }
    }
}

/// A form for a search, or for other input that becomes part of a URL. The gateway redirects to
/// that URL.
#[derive(Clone, PartialEq, Eq, Debug, Template)]
#[template(path = "gateway/search.html")]
pub(crate) struct SearchForm {
    /// The identifier of the field, which is unique on the page.
    pub(crate) id: String,
    /// The address to which the words are sent.
    pub(crate) action: String,
    /// The URL of the index. `None` if the action contains it.
    pub(crate) url: Option<String>,
    /// The words of this search.
    pub(crate) words: String,
    pub(crate) label: String,
    /// The text of the button.
    pub(crate) button: &'static str,
}

impl SearchForm {
    /// Returns a form whose words complete this URL.
    pub(crate) fn new(url: String) -> Self {
        Self {
            id: "words".to_owned(),
            action: "/-/search".to_owned(),
            url: Some(url),
            words: String::new(),
            label: "Search for".to_owned(),
            button: "Search",
        }
    }
}

/// A Gopher+ form (Gopher+, 2.8), or a gemini server's prompt for sensitive input.
#[derive(Template)]
#[template(path = "gateway/ask.html")]
pub(crate) struct Ask {
    pub(crate) action: String,
    pub(crate) token: String,
    pub(crate) questions: Vec<Question>,
}

/// A question in a form.
pub(crate) struct Question {
    /// The name of the field.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The type of the field: `text`, `password`, `lines`, `choice` or `note`.
    pub(crate) kind: &'static str,
    /// The default answer, or the choices.
    pub(crate) values: Vec<String>,
}

impl Question {
    fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    /// Returns the lines of the default answer.
    fn lines(&self) -> String {
        self.values.join("\n")
    }
}

/// The start page, which does not show a resource.
#[derive(Template)]
#[template(path = "gateway/start.html")]
pub(crate) struct StartPage {
    pub(crate) schemes: Vec<String>,
}

impl Frame {
    /// Returns a complete page with this content.
    pub(crate) fn page(&self, content: &impl Template) -> Vec<u8> {
        let mut out = Vec::new();
        self.begin(&mut out);
        write(content, &mut out);
        self.end(None, &mut out);
        out
    }
}
