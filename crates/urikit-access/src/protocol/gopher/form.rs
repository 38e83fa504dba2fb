//! Forms: the questions of an `+ASK` block, and the answers to them (RFC 1738, 3.4.5 and 3.4.9; Gopher+, 2.8).
//!
//! ```text
//! +ASK:
//!  Ask: How many volts?
//!  Choose: Deliver electric shock to administrator now?<TAB>Yes<TAB>Not!
//! ```
//!
//! Each answer is a line, in the order of the questions, "the first n lines in the dataBlock"; that to an `AskL` is the
//! number of its lines, and then these.

use super::blocks::{ASK, Block};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};

/// A form has fewer questions than these, and an answer fewer lines.
const MAX: usize = 100;
/// How often a person is asked for one of several choices.
const TRIES: usize = 3;

/// One line of a form.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Question {
    kind: Kind,
    text: String,
    /// What follows it behind TABs: a default, or choices.
    values: Vec<String>,
}

/// What kind of answer is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `Ask`: a line, `AskF`: the name of a new file, and `Select`: some of several, which are written as the person
    /// writes them (Gopher+ does not say how).
    Line,
    /// `AskP`: a line that nobody else should see.
    Secret,
    /// `AskL`: lines.
    Lines,
    /// `Choose`: one of several.
    Choice,
    /// `ChooseF`: a file of this machine.
    File,
    /// `Note`: nothing, but something is told.
    Note,
}

/// What is sent for a form.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Answers {
    pub(super) values: Vec<String>,
    /// Which of them nobody should see.
    pub(super) secrets: Vec<usize>,
}

/// Asks the person all questions of a form.
///
/// # Errors
///
/// Where there is no form, where it is none that can be asked, and where nobody answers: then with the questions.
pub(super) fn ask(blocks: &[Block], host: &str, context: &mut Context<'_>) -> Result<Answers> {
    let Some(block) = blocks.iter().find(|block| block.name == ASK) else {
        let names: Vec<&str> = blocks.iter().map(|block| block.name.as_str()).collect();
        let what = "an `+ASK` block, which has the form of the item";
        return Err(Error::new(ErrorKind::Protocol(what)).received(names.join(" ").as_bytes()));
    };
    let failed = |kind| Error::new(kind).received(&block.lines.join(&b'\n'));
    if block.lines.len() >= MAX {
        return Err(failed(ErrorKind::Protocol(
            "a form of fewer than 100 questions",
        )));
    }
    let mut questions = Vec::new();
    for line in &block.lines {
        let what = "a question of a kind that Gopher+ has: Ask, AskP, AskL, AskF, Choose, ChooseF or Select";
        let question = Question::read(line);
        questions.push(question.ok_or_else(|| failed(ErrorKind::Protocol(what)))?);
    }
    // The whole form is told before anything is asked, so that nobody answers half of it in vain.
    for line in &block.lines {
        context.note(format!("is asked {}", crate::escape::escape(line)));
    }
    if questions.iter().any(|question| question.kind == Kind::File) {
        let what = "the form asks for a file of this machine, and none is sent because a server asks for it";
        return Err(failed(ErrorKind::Unsupported(what)));
    }
    let mut answers = Answers::default();
    for question in &questions {
        if question.answer(host, context, &mut answers)?.is_none() {
            let what = "the form needs answers, and nobody gave them: put them into the URL (RFC 1738, 3.4.9)";
            return Err(failed(ErrorKind::Unsupported(what)));
        }
    }
    Ok(answers)
}

impl Question {
    fn read(line: &[u8]) -> Option<Self> {
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

    /// Asks the person; `None` where nobody answers.
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
            // A name that the server gives for a file of this machine is shown, like every default.
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
                let question = format!("{} (line by line; an empty one ends)", self.text);
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
                for _ in 0..TRIES {
                    let Some(answer) = prompt.input(&question, default) else {
                        return Ok(None);
                    };
                    if self.values.contains(&answer) {
                        to.values.push(answer);
                        return Ok(Some(()));
                    }
                }
                let what = "the answer is none of the choices";
                return Err(Error::new(ErrorKind::Unsupported(what)).received(question.as_bytes()));
            }
            Kind::File => return Ok(None),
        }
        Ok(Some(()))
    }
}
