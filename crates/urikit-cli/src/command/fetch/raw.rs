//! The terminal in raw mode, for a session: keys are passed on at once, without echo or signals.

use rustix::termios::{
    OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr,
};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};
use urikit_access::Terminal;

/// The terminal in raw mode; dropping it restores the mode.
pub(super) struct Raw {
    before: Termios,
}

impl Raw {
    /// Sets raw mode. Reading times out after a tenth of a second without a key.
    pub(super) fn begin() -> io::Result<(Self, Terminal)> {
        let before = tcgetattr(io::stdin())?;
        let mut mode = before.clone();
        mode.make_raw();
        mode.special_codes[SpecialCodeIndex::VMIN] = 0;
        mode.special_codes[SpecialCodeIndex::VTIME] = 1;
        tcsetattr(io::stdin(), OptionalActions::Now, &mode)?;
        let raw = Self { before };
        // Separate handles, because standard output is locked while results are written.
        let keys = Keys(File::from(io::stdin().as_fd().try_clone_to_owned()?));
        let screen = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let mut terminal = Terminal::new(keys, screen);
        if let Ok(size) = tcgetwinsize(io::stdout()) {
            terminal = terminal.size(size.ws_col, size.ws_row);
        }
        Ok((raw, terminal))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // If the terminal is gone, this cannot be reported.
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.before);
    }
}

/// The keys that are typed.
struct Keys(File);

impl Read for Keys {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let begin = Instant::now();
        match self.0.read(bytes) {
            // A timeout. (A terminal that is gone returns 0 bytes at once.)
            Ok(0) if begin.elapsed() >= Duration::from_millis(50) => {
                Err(io::ErrorKind::WouldBlock.into())
            }
            other => other,
        }
    }
}
