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

    /// Whether there is a terminal: a [session](Self::terminal) can be held, and programs may be started that need one.
    /// Without one, nothing is connected to for a session.
    fn has_terminal(&mut self) -> bool {
        false
    }

    /// The terminal, for a session; `None` where there is none. It is asked for once the server is connected to, and
    /// only where [one is](Self::has_terminal).
    ///
    /// What a session expects from then on, until it drops both ends:
    ///
    /// - *Raw input*: every key comes at once, is not echoed, and makes no signal. `Enter` is CR. The session itself
    ///   echoes and edits lines where the server does not.
    /// - *Raw output*: what the server sends goes to the terminal as it is, with CR LF as ends of lines.
    /// - *Reading ends now and then*: a read without a key returns [`WouldBlock`](std::io::ErrorKind::WouldBlock)
    ///   after a tenth of a second or so, never at once. A read that only a key ends is taken too, but takes that
    ///   key with it after the session.
    ///
    /// A session reads in a thread of its own. When it is over it writes no more and drops the output, and it reads no more
    /// and drops the input too where reading ends so; all that before the access returns. The mode of the terminal is never
    /// touched: whoever gave the terminal restores it then, also after an error.
    fn terminal(&mut self) -> Option<Terminal>;
}

/// The two ends of a person's terminal.
#[non_exhaustive]
pub struct Terminal {
    /// What the person types.
    pub input: Box<dyn Read + Send>,
    /// What the person sees.
    pub output: Box<dyn Write + Send>,
    /// How many columns and rows it has, where that is known.
    pub size: Option<(u16, u16)>,
}

impl Terminal {
    /// A terminal of an unknown size.
    pub fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Self {
        Self {
            input: Box::new(input),
            output: Box::new(output),
            size: None,
        }
    }

    /// The same with so many columns and rows.
    #[must_use]
    pub const fn size(mut self, columns: u16, rows: u16) -> Self {
        self.size = Some((columns, rows));
        self
    }
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
