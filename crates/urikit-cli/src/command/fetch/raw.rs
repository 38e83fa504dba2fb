//! The terminal for a session: every key at once, nothing echoed, no signals.

use rustix::termios::{
    OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr,
};
use std::io::{self, Read};
use std::time::{Duration, Instant};
use urikit_access::Terminal;

/// The terminal in raw mode; dropping it restores the mode.
pub(super) struct Raw {
    before: Termios,
}

impl Raw {
    /// Sets raw mode, and gives the two ends. A read without a key ends after a tenth of a second.
    pub(super) fn begin() -> io::Result<(Self, Terminal)> {
        let before = tcgetattr(io::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        raw.special_codes[SpecialCodeIndex::VMIN] = 0;
        raw.special_codes[SpecialCodeIndex::VTIME] = 1;
        tcsetattr(io::stdin(), OptionalActions::Now, &raw)?;
        let mut terminal = Terminal::new(Keys, io::stdout());
        if let Ok(size) = tcgetwinsize(io::stdout()) {
            terminal = terminal.size(size.ws_col, size.ws_row);
        }
        Ok((Self { before }, terminal))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // Nobody is left to tell where the terminal is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.before);
    }
}

/// What is typed.
struct Keys;

impl Read for Keys {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let begin = Instant::now();
        match io::stdin().read(bytes) {
            // Nothing was typed; a terminal that is gone says so at once.
            Ok(0) if begin.elapsed() >= Duration::from_millis(50) => {
                Err(io::ErrorKind::WouldBlock.into())
            }
            other => other,
        }
    }
}
