//! What a gopher URL means as data, and what a client sends (RFC 1738, 3.4.1 to 3.4.9; RFC 1436,
//! Appendix).

use super::super::{AccessError, Detail, Details, Fields, Line, Step};
use super::{FilledForm, Gopher, GopherPlus, ItemType};
use alloc::vec;
use alloc::vec::Vec;
use urikit::component::Encoded;
use urikit::internal::encoded;

impl<'a> Gopher<'a> {
    /// Its meaning as named values: `type`, `selector`, `search` and `gopher_plus`, decoded.
    pub fn details(&self) -> Details<'a> {
        Details::new("gopher", self.specification())
            .with("type", self.item_type.unwrap_or(encoded("1")))
            .with("selector", self.selector())
            .with("search", self.search())
            .with("gopher_plus", self.plus_fields().map(Detail::Fields))
    }

    /// The Gopher+ string, its kind, and the values of that kind.
    fn plus_fields(&self) -> Option<Fields<'a>> {
        let (string, plus) = (self.plus_string()?, self.plus()?);
        let mut fields: Fields<'a> = vec![("string", string.into()), ("kind", plus.kind().into())];
        match plus {
            GopherPlus::ItemAttributes(attributes)
            | GopherPlus::DirectoryAttributes(attributes) => {
                fields.push(("attributes", Detail::list(attributes.names())));
            }
            GopherPlus::View { view, language } => {
                fields.push(("view", view.into()));
                fields.push(("language", language.into()));
            }
            GopherPlus::Form(form) => fields.push(("values", Detail::list(form.values()))),
            GopherPlus::DefaultView | GopherPlus::FormItem | GopherPlus::Other(_) => {}
        }
        Some(fields)
    }

    /// What a client sends: the selector, then the words and the Gopher+ string, each after a TAB.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{Gopher, Step};
    /// // RFC 1738, 3.4.2 and 3.4.3: the words may be empty where a Gopher+ string follows
    /// let url = Uri::parse("gopher://h/7/find%09red%20hat%09+")?;
    /// let steps = Gopher::read(url)?.steps()?;
    /// let Some(Step::Send(line)) = steps.last() else { panic!() };
    /// assert_eq!(line.octets(), b"/find\tred hat\t+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A filled-in form is sent as [`Step::SendForm`]. A telnet or tn3270 session is opened with
    /// the server, and nothing is sent (RFC 1436, Appendix).
    ///
    /// # Errors
    ///
    /// If a part decodes to a control character, or the port is above 65535.
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let mut steps = vec![Step::connect(self.host(), self.port())?];
        if self.search().is_none()
            && let Some(what) = session(self.item_type())
        {
            steps.push(Step::act_in_line(what, self.selector(), "selector")?);
            return Ok(steps);
        }
        match self.plus() {
            Some(GopherPlus::Form(form)) => {
                // 3.4.9 shows no place for the words, but 3.4.3 does: so they are left out if they
                // are empty.
                let search = self.search().filter(|search| !search.is_empty());
                let form = FilledForm::new(self.request(search)?, form)?;
                steps.push(Step::SendForm(form));
            }
            Some(GopherPlus::FormItem) => {
                let mut line = self.request(self.search())?;
                line.push_tab();
                line.push(*b"!+ASK", "Gopher+ string")?;
                steps.push(Step::Send(line));
                let what = "asks the person to fill in the form, and sends it with the selector";
                steps.push(Step::say(what));
            }
            _ => {
                let mut line = self.request(self.search())?;
                if let Some(plus) = self.plus_string() {
                    line.push_tab();
                    line.push(plus.decode(), "Gopher+ string")?;
                }
                steps.push(Step::Send(line));
            }
        }
        Ok(steps)
    }

    /// The selector, and the words after a TAB.
    fn request(&self, search: Option<Encoded<'a>>) -> Result<Line, AccessError> {
        let mut line = Line::command("");
        line.push(self.selector().decode(), "selector")?;
        if let Some(search) = search {
            line.push_tab();
            line.push(search.decode(), "search")?;
        }
        Ok(line)
    }
}

/// The steps for an item that is not a Gopher transaction, by its selector.
fn session(item_type: ItemType) -> Option<&'static str> {
    match item_type {
        ItemType::CSO => Some("looks names up in the CSO phone book"),
        ItemType::TELNET => Some("opens a telnet session, to log in as"),
        ItemType::TN3270 => Some("opens a tn3270 session, to log in as"),
        _ => None,
    }
}
