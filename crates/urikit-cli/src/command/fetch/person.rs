//! Prompts on the terminal.

#[cfg(unix)]
use super::raw::Raw;
use crate::safe::safe;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use urikit_access::{Prompt, Terminal};

/// The largest file that is sent with a form, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// Asks on standard error and reads standard input, which are both a terminal.
#[derive(Default)]
pub(super) struct AtTerminal {
    /// Restores the terminal's mode after a session.
    #[cfg(unix)]
    raw: Option<Raw>,
}

impl AtTerminal {
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

/// Answers nothing, but shows what is to be shown on standard error, unless it is true: quiet.
pub(super) struct Teller(pub(super) bool);

impl Prompt for Teller {
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
        if !self.0 {
            let _ = writeln!(io::stderr(), "{}", safe(advice));
        }
    }

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

impl Prompt for AtTerminal {
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
        let asked = format!("{question}\nThe file to send to {host} (empty for none):");
        let name = Self::ask(&asked).filter(|name| !name.is_empty())?;
        match std::fs::metadata(&name).and_then(|there| {
            if there.is_file() && there.len() <= MAX_FILE {
                std::fs::read(&name)
            } else {
                Err(io::Error::other("not a regular file of at most 16 MiB"))
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
        let (raw, terminal) = Raw::begin().ok()?;
        self.raw = Some(raw);
        Some(terminal)
    }

    #[cfg(not(unix))]
    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}
