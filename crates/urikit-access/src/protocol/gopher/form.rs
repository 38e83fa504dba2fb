//! Forms, which consist of the questions in an `+ASK` block and the user's answers (RFC 1738,
//! 3.4.5 and 3.4.9; Gopher+, 2.8).
//!
//! ```text
//! +ASK:
//!  Ask: How many volts?
//!  Choose: Deliver electric shock to administrator now?<TAB>Yes<TAB>Not!
//! ```
//!
//! Each answer is a line, in the order of the questions ("the first n lines in the dataBlock"). The
//! answer to an `AskL` question begins with the number of lines that follow.

use super::attributes::{ASK, Block};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};

/// The maximum number of questions in a form, and of lines in an answer.
const MAX: usize = 100;
/// The number of times that the user may try to answer a question that offers choices.
const ATTEMPTS: usize = 3;

/// A question in a form.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Question {
    kind: Kind,
    text: String,
    /// The fields that follow TABs, which contain a default answer or the choices.
    values: Vec<String>,
}

/// The kind of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `Ask`: a line. `AskF`: the name of a new file. `Select`: several choices, which are sent
    /// exactly as the user types them, because Gopher+ does not define how to separate them.
    Line,
    /// `AskP`: a password.
    Secret,
    /// `AskL`: several lines.
    Lines,
    /// `Choose`: one of several choices.
    Choice,
    /// `ChooseF`: a local file, which is sent after the lines of the other answers.
    File,
    /// `Note`: a message that expects no answer. Gopher+ does not define this kind of question, but
    /// some servers used it.
    Note,
}

/// The answers to a form.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Answers {
    pub(super) values: Vec<String>,
    /// The indices of the values that are secret.
    pub(super) secrets: Vec<usize>,
    /// The content of the file that the user chose.
    pub(super) file: Option<Vec<u8>>,
}

/// Asks the user all questions in a form.
///
/// Fails if the blocks contain no form, if a question is of an unknown kind, or if the user does
/// not answer a question. The events before the error contain the questions.
pub(super) fn ask(blocks: &[Block], host: &str, context: &mut Context<'_>) -> Result<Answers> {
    let Some(block) = blocks.iter().find(|block| block.name == ASK) else {
        let names: Vec<&str> = blocks.iter().map(|block| block.name.as_str()).collect();
        let what = "an `+ASK` block, which contains the form";
        return Err(Error::new(ErrorKind::Protocol(what)).with_received(names.join(" ").as_bytes()));
    };
    let failed = |kind| Error::new(kind).with_received(&block.lines.join(&b'\n'));
    if block.lines.len() >= MAX {
        return Err(failed(ErrorKind::Protocol(
            "a form of fewer than 100 questions",
        )));
    }
    let mut questions = Vec::new();
    for line in &block.lines {
        let what = "a Gopher+ question: Ask, AskP, AskL, AskF, Choose, ChooseF or Select";
        let question = Question::parse(line);
        questions.push(question.ok_or_else(|| failed(ErrorKind::Protocol(what)))?);
    }
    // All questions are parsed and recorded before the first question is asked, so that the user
    // does not fill in a form that turns out to be invalid.
    for line in &block.lines {
        context.note(format!("question: {}", crate::mask::escape(line)));
    }
    let mut answers = Answers::default();
    let mut files = questions
        .iter()
        .filter(|question| question.kind == Kind::File);
    if let Some(question) = files.next() {
        if files.next().is_some() {
            let what = "a form with at most one local file (Gopher+, 2.8)";
            return Err(failed(ErrorKind::Protocol(what)));
        }
        // The prompt has no default, so that the server cannot choose which file is sent.
        answers.file = context.prompt().file(&question.text, host);
        if answers.file.is_none() {
            let what = "the form asks for a local file, but the user chose none";
            return Err(failed(ErrorKind::Unsupported(what)));
        }
    }
    for question in &questions {
        if question.answer(host, context, &mut answers)?.is_none() {
            let what =
                "the form was not filled in: the answers can be given in the URL (RFC 1738, 3.4.9)";
            return Err(failed(ErrorKind::Unsupported(what)));
        }
    }
    Ok(answers)
}

impl Question {
    /// Parses a line of the `+ASK` block. Returns `None` for a question of an unknown kind.
    fn parse(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let (kind, rest) = line.trim_ascii().split_once(':')?;
        let mut fields = rest.split('\t').map(|field| field.trim().to_owned());
        Some(Self {
            kind: match kind {
                "Ask" | "AskF" | "Select" => Kind::Line,
                "AskP" => Kind::Secret,
                "AskL" => Kind::Lines,
                "Choose" => Kind::Choice,
                "ChooseF" => Kind::File,
                "Note" => Kind::Note,
                _ => return None,
            },
            text: fields.next().unwrap_or_default(),
            values: fields.collect(),
        })
    }

    /// Asks the user the question, and adds the answer to `to`. Returns `None` if the user does
    /// not answer.
    fn answer(
        &self,
        host: &str,
        context: &mut Context<'_>,
        to: &mut Answers,
    ) -> Result<Option<()>> {
        let prompt = context.prompt();
        let default = self.values.first().map_or("", String::as_str);
        match self.kind {
            Kind::Note => prompt.notify(&self.text),
            // The prompt shows the user each default answer, even a file name that the server
            // suggests.
            Kind::Line if self.values.len() < 2 => {
                let Some(answer) = prompt.input(&self.text, default) else {
                    return Ok(None);
                };
                to.values.push(answer);
            }
            Kind::Line => {
                let question = format!("{} ({})", self.text, self.values.join(" / "));
                let Some(answer) = prompt.input(&question, "") else {
                    return Ok(None);
                };
                to.values.push(answer);
            }
            Kind::Secret => {
                let Some(answer) = prompt.password(&self.text, host) else {
                    return Ok(None);
                };
                to.secrets.push(to.values.len());
                to.values.push(answer);
            }
            Kind::Lines => {
                let mut lines = Vec::new();
                let question = format!("{} (line by line; end with an empty line)", self.text);
                while lines.len() < MAX {
                    let default = self.values.get(lines.len()).map_or("", String::as_str);
                    let Some(answer) = prompt.input(&question, default) else {
                        return Ok(None);
                    };
                    if answer.is_empty() {
                        break;
                    }
                    lines.extend(answer.lines().map(str::to_owned));
                }
                to.values.push(lines.len().to_string());
                to.values.append(&mut lines);
            }
            Kind::Choice => {
                let question = format!("{} ({})", self.text, self.values.join(" / "));
                for _ in 0..ATTEMPTS {
                    let Some(answer) = prompt.input(&question, default) else {
                        return Ok(None);
                    };
                    if self.values.contains(&answer) {
                        to.values.push(answer);
                        return Ok(Some(()));
                    }
                }
                let what = "the answer is not one of the choices";
                return Err(
                    Error::new(ErrorKind::Unsupported(what)).with_received(question.as_bytes())
                );
            }
            // `ask` has already asked this question, before all other questions.
            Kind::File => {}
        }
        Ok(Some(()))
    }
}
