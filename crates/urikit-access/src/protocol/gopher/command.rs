//! Gopher requests, one for each connection (RFC 1436, 2; RFC 1738, 3.4).

use crate::command::{Argument, Command as Sent, Secret, Wire};
use crate::error::UrlError;
use urikit::component::Encoded;
use urikit_schemes::{Gopher as Url, GopherPlus};

/// A request to a Gopher server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The selector, which may be empty.
    pub selector: Argument,
    /// The search words, which follow a TAB.
    pub search: Option<Argument>,
    /// The Gopher+ field, which follows another TAB.
    pub plus: Option<Plus>,
    /// The content of a local file, which is sent after the answers to a form (`ChooseF`). This
    /// content never comes from a URL.
    pub file: Option<Vec<u8>>,
}

/// The Gopher+ field of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Plus {
    /// A Gopher+ string, for example `+` or `!+ABSTRACT`.
    String(Argument),
    /// `!+ASK`: asks for the form of the item (RFC 1738, 3.4.5).
    AskForm,
    /// The answers to a form (RFC 1738, 3.4.9). This is the only request with several lines. The
    /// line breaks never come from a URL.
    Form(Vec<Answer>),
}

/// An answer to a question in a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A line, which never consists of a single full stop, because that would end the form.
    Line(Argument),
    /// A password, which answers an `AskP` question.
    Secret(Secret),
}

impl Command {
    /// Returns the request for a URL.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_access::Command as _;
    /// use urikit_access::protocol::gopher::Command;
    /// // RFC 1738, 3.4.2 and 3.4.3: the words may be empty where a Gopher+ string follows
    /// let url = Uri::parse("gopher://h/7/find%09red%20hat%09+")?;
    /// let command = Command::of(&urikit_schemes::Gopher::read(url)?)?;
    /// assert_eq!(command.octets(), b"/find\tred hat\t+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a part of the URL decodes to a control character.
    pub fn of(url: &Url<'_>) -> Result<Self, UrlError> {
        let selector = Argument::new(url.selector().decode(), "selector")?;
        let plus = match url.plus() {
            Some(GopherPlus::Form(form)) => {
                let values = form.values().map(|value| {
                    let value = Argument::new(value.decode(), "form")?;
                    Ok(Answer::Line(value))
                });
                Some(Plus::Form(values.collect::<Result<_, UrlError>>()?))
            }
            Some(GopherPlus::FormItem) => Some(Plus::AskForm),
            _ => match url.plus_string() {
                Some(plus) => {
                    let plus = Argument::new(plus.decode(), "Gopher+ string")?;
                    Some(Plus::String(plus))
                }
                None => None,
            },
        };
        let is_form = matches!(plus, Some(Plus::Form(_)));
        // RFC 1738, 3.4.9 shows a form without a field for search words, but 3.4.3 includes the
        // field. Therefore, empty words in the URL of a form are not sent.
        let is_sent = |search: &Encoded<'_>| !is_form || !search.is_empty();
        let search = url.search().filter(is_sent);
        let search = search.map(|search| Argument::new(search.decode(), "search"));
        Ok(Self {
            selector,
            search: search.transpose()?,
            plus,
            file: None,
        })
    }

    /// Writes a form that includes a file. The file is not sent as lines, so the block of data
    /// begins with its length (Gopher+, 2.3 and 2.8), and does not end with a full stop.
    fn write_file(&self, answers: &[Answer], wire: &mut Wire) {
        let file = self.file.as_deref().unwrap_or_default();
        let length = |answer: &Answer| match answer {
            Answer::Line(line) => line.octets().len() + 2,
            Answer::Secret(line) => line.octets().len() + 2,
        };
        let length = answers.iter().map(length).sum::<usize>() + file.len();
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        wire.word("\t+\t1\r\n+").number(length).word("\r\n");
        for answer in answers {
            match answer {
                Answer::Line(line) => wire.argument(line),
                Answer::Secret(line) => wire.secret(line),
            };
            wire.word("\r\n");
        }
        wire.file(file);
    }

    /// Marks the answers with these indices as secret.
    pub(super) fn mark_secret(&mut self, secrets: &[usize]) {
        let Some(Plus::Form(answers)) = &mut self.plus else {
            return;
        };
        for index in secrets {
            if let Some(answer) = answers.get_mut(*index)
                && let Answer::Line(line) = answer
            {
                *answer = Answer::Secret(line.clone().into());
            }
        }
    }
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        match self.plus {
            Some(Plus::Form(_)) => "form",
            _ => "selector",
        }
    }

    fn write(&self, wire: &mut Wire) {
        wire.argument(&self.selector);
        if let Some(search) = &self.search {
            wire.word("\t").argument(search);
        }
        match &self.plus {
            None => {}
            Some(Plus::String(string)) => {
                wire.word("\t").argument(string);
            }
            Some(Plus::AskForm) => {
                wire.word("\t!+ASK");
            }
            Some(Plus::Form(answers)) if self.file.is_some() => self.write_file(answers, wire),
            // `1` is the data flag (Gopher+, 2.4), and `+-1` means that a full stop ends the data.
            Some(Plus::Form(answers)) => {
                wire.word("\t+\t1\r\n+-1\r\n");
                for answer in answers {
                    match answer {
                        Answer::Line(line) => wire.argument(line),
                        Answer::Secret(line) => wire.secret(line),
                    };
                    wire.word("\r\n");
                }
                wire.word(".");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Command;
    use crate::command::Command as _;
    use urikit::Uri;
    use urikit_schemes::Gopher;

    #[test]
    fn secret_answers_are_masked() {
        let url = "gopher://h/0doc%09%09+%091%0D%0A+-1%0D%0Atim%0D%0Ahunter2%0D%0A.%0D%0A";
        let url = Gopher::read(Uri::parse(url).unwrap()).unwrap();
        let mut command = Command::of(&url).unwrap();
        command.mark_secret(&[1, 7]);
        assert_eq!(command.masked(), b"doc\t+\t1\r\n+-1\r\ntim\r\n***\r\n.");
        assert!(!format!("{command:?}").contains("hunter2"));
        assert_eq!(command.octets(), b"doc\t+\t1\r\n+-1\r\ntim\r\nhunter2\r\n.");
    }
}
