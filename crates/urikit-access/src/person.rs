//! Whoever can be asked.

use std::io::{Read, Write};

/// A person before a terminal, or whoever stands for one. What is asked may come from a URL: it is to be shown
/// with care.
pub trait Person {
    /// The password of a user at a host; `None` where nobody gives one.
    fn password(&mut self, user: &str, host: &str) -> Option<String>;

    /// Whether the person agrees that something is done.
    fn agrees(&mut self, question: &str) -> bool;

    /// The answer to a question, with what stands for no answer; `None` where nobody answers.
    fn answer(&mut self, question: &str, default: &str) -> Option<String>;

    /// Tells the person something, such as the user to log in as.
    fn tell(&mut self, advice: &str);

    /// The terminal, for a session; `None` where there is none.
    fn terminal(&mut self) -> Option<Terminal>;
}

/// The two ends of a person's terminal.
pub struct Terminal {
    /// What the person types.
    pub input: Box<dyn Read + Send>,
    /// What the person sees.
    pub output: Box<dyn Write + Send>,
}

/// Nobody.
#[derive(Clone, Copy, Default, Debug)]
pub struct Nobody;

impl Person for Nobody {
    fn password(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn agrees(&mut self, _: &str) -> bool {
        false
    }

    fn answer(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn tell(&mut self, _: &str) {}

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}
