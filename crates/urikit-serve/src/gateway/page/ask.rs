//! Forms from servers: the questions of Gopher+ forms, and the answers to them and to gemini
//! servers.

use super::Page;
use super::frame::{Frame, write};
use super::message::{Ask, Message, Question};
use std::collections::VecDeque;
use urikit_access::{Prompt, Terminal};

/// The maximum length of a form, in bytes.
const MOST: usize = 64 << 10;

/// The page with a form, whose questions arrive as the attribute `+ASK` (Gopher+, 2.8).
pub(crate) struct AskPage {
    pub(crate) frame: Frame,
    pub(crate) action: String,
    pub(crate) token: String,
    pub(crate) held: Vec<u8>,
}

/// Reads the questions. Returns `None` if the form asks for a file.
fn questions(text: &str) -> Option<Vec<Question>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(' '));
    let mut questions = Vec::new();
    for (index, line) in lines.enumerate() {
        let Some((kind, rest)) = line.trim().split_once(':') else {
            continue;
        };
        let mut fields = rest.split('\t').map(|field| field.trim().to_owned());
        let text = fields.next().unwrap_or_default();
        let values: Vec<_> = fields.collect();
        let kind = match kind {
            "Ask" | "AskF" | "Select" => "text",
            "AskP" => "password",
            "AskL" => "lines",
            "Choose" => "choice",
            "ChooseF" => return None,
            _ => "note",
        };
        questions.push(Question {
            name: format!("{index}:{text}"),
            text,
            kind,
            values: if kind == "password" {
                Vec::new()
            } else {
                values
            },
        });
    }
    Some(questions)
}

impl Page for AskPage {
    fn begin(&mut self, out: &mut Vec<u8>) {
        self.frame.begin(out);
    }

    fn bytes(&mut self, bytes: &[u8], _: &mut Vec<u8>) {
        let room = MOST.saturating_sub(self.held.len());
        self.held
            .extend_from_slice(bytes.get(..room).unwrap_or(bytes));
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        match questions(&String::from_utf8_lossy(&self.held)) {
            Some(questions) if !questions.is_empty() => {
                let ask = Ask {
                    action: std::mem::take(&mut self.action),
                    token: std::mem::take(&mut self.token),
                    questions,
                };
                write(&ask, out);
            }
            Some(_) => write(&Message::new("The server sent no form."), out),
            None => {
                let text = "The form asks for one of your files. The gateway cannot send files.";
                write(&Message::new(text), out);
            }
        }
        self.frame.end(failed, out);
        true
    }
}

/// The answers to the questions in a form, in the same order. A question that differs from the one
/// that the user saw has no answer.
#[derive(Default)]
pub(crate) struct Answers(VecDeque<Answer>);

struct Answer {
    question: String,
    text: String,
    /// The remaining lines of an answer that has several lines.
    lines: Option<VecDeque<String>>,
}

impl Answers {
    /// Reads the fields in a form.
    pub(crate) fn new(fields: impl IntoIterator<Item = (String, String)>) -> Self {
        let answers = fields.into_iter().filter_map(|(name, text)| {
            let (_, question) = name.split_once(':')?;
            let question = question.to_owned();
            let lines = None;
            Some(Answer {
                question,
                text,
                lines,
            })
        });
        Self(answers.collect())
    }

    fn next(&mut self, question: &str) -> Option<String> {
        let answer = self.0.pop_front()?;
        (answer.question == question).then_some(answer.text)
    }
}

/// The ending that `urikit-access` adds to a question whose answer may have several lines.
const SEVERAL: &str = " (line by line; end with an empty line)";

impl Prompt for Answers {
    fn password(&mut self, question: &str, _: &str) -> Option<String> {
        self.next(question)
    }

    fn confirm(&mut self, _: &str) -> bool {
        false
    }

    fn input(&mut self, question: &str, _: &str) -> Option<String> {
        let first = self.0.front_mut()?;
        if let Some(question) = question.strip_suffix(SEVERAL) {
            if first.question != question {
                return None;
            }
            let text = &first.text;
            // An empty line would end the answer.
            let lines = first.lines.get_or_insert_with(|| {
                let lines = text.trim_end().lines();
                lines
                    .map(|line| if line.is_empty() { " " } else { line }.to_owned())
                    .collect()
            });
            if let Some(line) = lines.pop_front() {
                return Some(line);
            }
            self.0.pop_front();
            return Some(String::new());
        }
        // Choices follow the question.
        let begins = question
            .strip_prefix(&first.question)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("));
        let answer = self.0.pop_front()?;
        begins.then_some(answer.text)
    }

    fn notify(&mut self, _: &str) {}

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

/// The answer to a gemini server's request for sensitive input. Requests for other input get no
/// answer, because the answer would become visible.
pub(crate) struct SecretAnswer(pub(crate) Answers);

impl Prompt for SecretAnswer {
    fn password(&mut self, question: &str, _: &str) -> Option<String> {
        self.0.next(question)
    }

    fn confirm(&mut self, _: &str) -> bool {
        false
    }

    fn input(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn notify(&mut self, _: &str) {}

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Answers, questions};
    use urikit_access::Prompt as _;

    #[test]
    fn questions_and_answers() {
        // Gopher+, 2.8
        let form = "+ASK:\r\n Ask: How many volts?\r\n Choose: Deliver electric shock to \
            administrator now?\tYes\tNot!\r\n AskL: Why?\r\n AskP: Password\tx\r\n";
        let asked = questions(form).unwrap();
        let kinds: Vec<_> = asked.iter().map(|it| (it.kind, it.values.len())).collect();
        assert_eq!(
            kinds,
            [("text", 0), ("choice", 2), ("lines", 0), ("password", 0)]
        );
        let given = ["5", "Yes", "a\r\n\r\nb\r\n", "p"].map(str::to_owned);
        let names = asked.iter().map(|question| question.name.clone());
        let mut answers = Answers::new(names.zip(given));
        assert_eq!(answers.input("How many volts?", "").as_deref(), Some("5"));
        let choice = "Deliver electric shock to administrator now? (Yes / Not!)";
        assert_eq!(answers.input(choice, "").as_deref(), Some("Yes"));
        let why = "Why? (line by line; end with an empty line)";
        for line in ["a", " ", "b", ""] {
            assert_eq!(answers.input(why, "").as_deref(), Some(line));
        }
        assert_eq!(answers.password("Password", "h").as_deref(), Some("p"));
        let mut answers = Answers::new([("0:a".to_owned(), "x".to_owned())]);
        assert_eq!(answers.input("another", ""), None);
        assert!(questions("+ASK:\r\n ChooseF: File?\r\n").is_none());
    }
}
