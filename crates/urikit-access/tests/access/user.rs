//! A scripted user at a terminal whose ends are pipes.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use urikit_access::{Prompt, Terminal};

/// The text that the user sees.
#[derive(Clone, Default)]
pub(crate) struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut seen = self.0.lock().unwrap();
        // If the server floods the screen, most of the data is dropped.
        if seen.len() < 1 << 20 {
            seen.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The input of the terminal. Reads time out, as `Prompt::terminal` requires.
struct Keys(Receiver<Vec<u8>>, Vec<u8>, Arc<AtomicBool>);

impl Drop for Keys {
    fn drop(&mut self) {
        self.2.store(true, Ordering::SeqCst);
    }
}

impl Read for Keys {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            match self.0.recv_timeout(Duration::from_millis(50)) {
                Ok(keys) => self.1 = keys,
                Err(RecvTimeoutError::Timeout) => return Err(io::ErrorKind::WouldBlock.into()),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
        let count = self.1.len().min(bytes.len());
        bytes[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// A scripted user.
pub(crate) struct TestUser {
    pub(crate) screen: Screen,
    keys: Option<Keys>,
    /// True if the terminal's input was dropped.
    pub(crate) is_dropped: Arc<AtomicBool>,
    pub(crate) notices: Vec<String>,
    pub(crate) asked: Vec<String>,
    pub(crate) agrees: bool,
    /// Types keys. Dropping the sender ends the input.
    pub(crate) sender: Option<Sender<Vec<u8>>>,
}

impl TestUser {
    /// A user who types nothing.
    pub(crate) fn new() -> Self {
        let (sender, keys) = channel();
        let is_dropped = Arc::new(AtomicBool::new(false));
        Self {
            screen: Screen::default(),
            keys: Some(Keys(keys, Vec::new(), Arc::clone(&is_dropped))),
            is_dropped,
            notices: Vec::new(),
            asked: Vec::new(),
            agrees: false,
            sender: Some(sender),
        }
    }

    /// Returns a user who waits for each string on the screen and then types the keys that follow
    /// it in `script`. If `leaves` is true, the input then ends.
    pub(crate) fn types(script: &'static [(&'static str, &'static [u8])], leaves: bool) -> Self {
        let mut user = Self::new();
        let (screen, sender) = (user.screen.clone(), user.sender.clone().unwrap());
        if leaves {
            user.sender = None;
        }
        thread::spawn(move || {
            let (begin, mut seen) = (Instant::now(), 0);
            for (text, keys) in script {
                loop {
                    if let Some(at) = screen.text()[seen..].find(text) {
                        seen += at + text.len();
                        break;
                    }
                    if begin.elapsed() > Duration::from_secs(20) {
                        return;
                    }
                    thread::sleep(Duration::from_millis(10));
                }
                let _ = sender.send(keys.to_vec());
            }
        });
        user
    }
}

impl Prompt for TestUser {
    fn password(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn confirm(&mut self, question: &str) -> bool {
        self.asked.push(question.to_owned());
        self.agrees
    }

    fn input(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn notify(&mut self, advice: &str) {
        self.notices.push(advice.to_owned());
    }

    fn has_terminal(&mut self) -> bool {
        true
    }

    fn terminal(&mut self) -> Option<Terminal> {
        let terminal = Terminal::new(self.keys.take()?, self.screen.clone());
        Some(terminal.size(132, 43))
    }
}
