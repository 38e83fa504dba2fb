//! Asks questions on the terminal, and gives interactive sessions access to it.

use crate::files::{self, MAX_SETTINGS};
use crate::safe::safe;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use urikit_access::{Prompt, Terminal};

/// Never prompts. Prints notices to stderr unless `quiet`.
pub(super) struct NoticesOnly {
    pub(super) quiet: bool,
}

impl Prompt for NoticesOnly {
    fn password(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn confirm(&mut self, _: &str) -> bool {
        false
    }

    fn input(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn notify(&mut self, advice: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "{}", safe(advice));
        }
    }

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

/// Prompts on standard error, and reads answers from standard input, both of which must be
/// terminals.
#[derive(Default)]
pub(super) struct TerminalPrompt {
    /// Restores the mode of the terminal after a session.
    #[cfg(unix)]
    raw: Option<raw::RawMode>,
}

impl TerminalPrompt {
    fn ask(question: &str) -> Option<String> {
        let mut error = io::stderr();
        write!(error, "{} ", safe(question))
            .and_then(|()| error.flush())
            .ok()?;
        let mut line = String::new();
        let count = io::stdin().lock().read_line(&mut line).ok()?;
        (count > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }
}

impl Prompt for TerminalPrompt {
    fn password(&mut self, user: &str, host: &str) -> Option<String> {
        let question = format!("Password for {user} at {host}: ");
        rpassword::prompt_password(safe(&question)).ok()
    }

    fn confirm(&mut self, question: &str) -> bool {
        let answer = Self::ask(&format!("{question} [y/N]"));
        answer.is_some_and(|answer| ["y", "yes"].contains(&answer.to_lowercase().as_str()))
    }

    fn input(&mut self, question: &str, default: &str) -> Option<String> {
        let shown = if default.is_empty() {
            question.to_owned()
        } else {
            format!("{question} [{default}]")
        };
        let answer = Self::ask(&shown)?;
        Some(if answer.is_empty() {
            default.to_owned()
        } else {
            answer
        })
    }

    fn file(&mut self, question: &str, host: &str) -> Option<Vec<u8>> {
        let asked = format!("{question}\nFile to send to {host} (empty for none):");
        let name = Self::ask(&asked).filter(|name| !name.is_empty())?;
        match std::fs::metadata(&name).and_then(|metadata| {
            if metadata.is_file() {
                files::read(name.as_ref(), MAX_SETTINGS)
            } else {
                Err(io::Error::other("not a regular file"))
            }
        }) {
            Ok(content) => Some(content),
            Err(error) => {
                let _ = writeln!(io::stderr(), "{}: {error}", safe(&name));
                None
            }
        }
    }

    fn notify(&mut self, advice: &str) {
        let _ = writeln!(io::stderr(), "{}", safe(advice));
    }

    #[cfg(unix)]
    fn has_terminal(&mut self) -> bool {
        io::stdout().is_terminal()
    }

    #[cfg(unix)]
    fn terminal(&mut self) -> Option<Terminal> {
        let (raw, terminal) = raw::RawMode::begin().ok()?;
        self.raw = Some(raw);
        Some(terminal)
    }

    #[cfg(not(unix))]
    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

#[cfg(unix)]
mod raw {
    use rustix::termios::{
        OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr,
    };
    use std::fs::File;
    use std::io::{self, Read};
    use std::os::fd::AsFd as _;
    use std::time::{Duration, Instant};
    use urikit_access::Terminal;

    /// A terminal in raw mode: each key arrives immediately, without echo or signals. Dropping this
    /// value restores the previous mode.
    pub(super) struct RawMode {
        before: Termios,
    }

    impl RawMode {
        /// Switches to raw mode. Reads time out after a tenth of a second without a keystroke.
        pub(super) fn begin() -> io::Result<(Self, Terminal)> {
            let before = tcgetattr(io::stdin())?;
            let mut mode = before.clone();
            mode.make_raw();
            mode.special_codes[SpecialCodeIndex::VMIN] = 0;
            mode.special_codes[SpecialCodeIndex::VTIME] = 1;
            tcsetattr(io::stdin(), OptionalActions::Now, &mode)?;
            let raw = Self { before };
            // The body keeps standard output locked, so the session needs its own handles.
            let keys = Keys(File::from(io::stdin().as_fd().try_clone_to_owned()?));
            let screen = File::from(io::stdout().as_fd().try_clone_to_owned()?);
            let mut terminal = Terminal::new(keys, screen);
            if let Ok(size) = tcgetwinsize(io::stdout()) {
                terminal = terminal.size(size.ws_col, size.ws_row);
            }
            Ok((raw, terminal))
        }
    }

    impl Drop for RawMode {
        fn drop(&mut self) {
            // An error means that the terminal no longer exists, so the error cannot be reported.
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.before);
        }
    }

    /// The keys that the user presses.
    struct Keys(File);

    impl Read for Keys {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let begin = Instant::now();
            match self.0.read(bytes) {
                // With VTIME, a timeout also returns 0 bytes. A closed terminal returns 0 bytes
                // immediately.
                Ok(0) if begin.elapsed() >= Duration::from_millis(50) => {
                    Err(io::ErrorKind::WouldBlock.into())
                }
                other => other,
            }
        }
    }
}
