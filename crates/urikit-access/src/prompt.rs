//! Questions to the user.

use std::fmt;
use std::io::{Read, Write};

/// Asks the user for passwords, consent and answers.
///
/// A question may contain parts of a URL or text from a server, so escape control characters
/// before you print it. [`NoPrompt`] declines every question.
pub trait Prompt {
    /// Asks for the password of a user at a host. Returns `None` if the user enters no password.
    fn password(&mut self, user: &str, host: &str) -> Option<String>;

    /// Asks for consent.
    fn confirm(&mut self, question: &str) -> bool;

    /// Asks for a line of text. An empty answer selects `default`. Returns `None` if the user does
    /// not answer.
    fn input(&mut self, question: &str, default: &str) -> Option<String>;

    /// Asks for a local file, and returns its content, which is then sent to `host`. Returns
    /// `None` if the user chooses no file, as the default implementation does.
    ///
    /// The server wrote the question, so the user must choose the file, and no default is offered.
    fn file(&mut self, question: &str, host: &str) -> Option<Vec<u8>> {
        let _ = (question, host);
        None
    }

    /// Shows the user a message, such as the name to log in with.
    fn notify(&mut self, message: &str);

    /// Returns true if [`terminal`](Self::terminal) returns a terminal. Interactive sessions and
    /// external programs need a terminal. Without a terminal, these sessions and programs fail
    /// before they connect.
    fn has_terminal(&mut self) -> bool {
        false
    }

    /// Hands the terminal over to an interactive session, once the client is connected to the
    /// server. This method is called only if [`has_terminal`](Self::has_terminal) is true.
    ///
    /// Until the session drops both ends of the terminal, it expects:
    ///
    /// - *Raw input*: each key arrives immediately, is not echoed, and raises no signal. `Enter` is
    ///   CR. The session itself echoes and edits lines if the server does not.
    /// - *Raw output*: the server's data goes to the terminal unchanged, with CR LF as the line
    ///   ending.
    /// - *Reads that time out*: if no key is pressed, a read returns
    ///   [`WouldBlock`](std::io::ErrorKind::WouldBlock) after about a tenth of a second, never
    ///   immediately. A read that blocks until a key is pressed also works, but then the first key
    ///   after the session is lost.
    ///
    /// The session reads the input in a separate thread. Before the access returns, the session
    /// drops the output, and also the input if reads time out. The session does not change the
    /// mode of the terminal, so the caller must restore the mode, even after an error.
    fn terminal(&mut self) -> Option<Terminal>;
}

/// The two ends of the user's terminal.
#[non_exhaustive]
pub struct Terminal {
    /// The keys that the user presses.
    pub input: Box<dyn Read + Send>,
    /// The screen that the user sees.
    pub output: Box<dyn Write + Send>,
    /// The number of columns and rows, if known.
    pub size: Option<(u16, u16)>,
}

impl fmt::Debug for Terminal {
    /// Formats only the size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl Terminal {
    /// Creates a terminal of unknown size.
    pub fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Self {
        Self {
            input: Box::new(input),
            output: Box::new(output),
            size: None,
        }
    }

    /// Sets the number of columns and rows.
    #[must_use]
    pub const fn size(mut self, columns: u16, rows: u16) -> Self {
        self.size = Some((columns, rows));
        self
    }
}

/// A prompt that declines every question, for programs that run unattended.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoPrompt;

impl Prompt for NoPrompt {
    fn password(&mut self, _: &str, _: &str) -> Option<String> {
        None
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
