//! Runs a session: what is typed goes to the server, and what it sends goes to the terminal, until
//! either side ends it.
//!
//! The keyboard is read in a thread, everything else happens in the caller's. A session may be
//! silent for any time, because the user can end it. After the end of the input nobody can, and
//! the server has the policy's idle timeout to end it.

use super::keyboard::Keyboard;
use super::options::Options;
use super::parser::{Parser, Token};
use crate::error::{Error, ErrorKind, Result};
use crate::net::{ReadHalf, WriteHalf};
use crate::prompt::Terminal;
use std::io::{ErrorKind as Io, Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often deadlines are checked during silence.
const TICK: Duration = Duration::from_millis(100);

/// How long to wait for the keyboard's thread after the session.
const LAST: Duration = Duration::from_millis(250);

/// The settings of a session.
pub(super) struct Settings {
    pub(super) escape: Option<u8>,
    pub(super) terminal_type: Option<String>,
    /// After how long a silence of the server the session ends, if ever.
    pub(super) idle: Option<Duration>,
}

/// Which side ended the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EndedBy {
    User,
    Server,
}

/// What the two threads share.
struct Shared {
    sending: Mutex<WriteHalf>,
    output: Mutex<Box<dyn Write + Send>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    server_echoes: bool,
    /// Whether the session is over, so that input is ignored.
    is_over: bool,
    /// When the input ended.
    input_ended: Option<Instant>,
    /// How the keyboard's thread ended the session.
    ended: Option<Result<()>>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sending(&self) -> MutexGuard<'_, WriteHalf> {
        self.sending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, octets: &[u8]) -> Result<()> {
        if octets.is_empty() {
            return Ok(());
        }
        self.sending().send(octets)
    }

    fn show(&self, octets: &[u8]) -> Result<()> {
        if octets.is_empty() {
            return Ok(());
        }
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = output.write_all(octets).and_then(|()| output.flush());
        shown.map_err(|error| {
            Error::new(ErrorKind::Local(error)).with_step("writing to the terminal")
        })
    }
}

/// Runs a session.
pub(super) fn run(
    (mut receiving, sending): (ReadHalf, WriteHalf),
    terminal: Terminal,
    settings: Settings,
) -> Result<EndedBy> {
    let mut server = Server {
        parser: Parser::default(),
        options: Options::new(settings.terminal_type, terminal.size),
    };
    let shared = Arc::new(Shared {
        sending: Mutex::new(sending),
        output: Mutex::new(terminal.output),
        state: Mutex::default(),
    });
    let keyboard = Keyboard::new(settings.escape);
    let over = listen(terminal.input, keyboard, Arc::clone(&shared))?;
    let ended = converse(&mut receiving, &mut server, &shared, settings.idle);
    shared.state().is_over = true;
    shared.sending().end();
    // The sender is dropped when the thread ends.
    let _ = over.recv_timeout(LAST);
    // A thread that still waits for a key must not keep the output open.
    if let Ok(mut output) = shared.output.try_lock() {
        *output = Box::new(std::io::sink());
    }
    ended
}

/// The caller's thread: handles what the server sends, until the session ends.
fn converse(
    receiving: &mut ReadHalf,
    server: &mut Server,
    shared: &Shared,
    idle: Option<Duration>,
) -> Result<EndedBy> {
    let mut buffer = vec![0; 16 << 10];
    let mut heard = Instant::now();
    loop {
        let received = receiving.receive(&mut buffer, TICK);
        let mut state = shared.state();
        if let Some(ended) = state.ended.take() {
            return ended.map(|()| EndedBy::User);
        }
        let input_ended = state.input_ended;
        drop(state);
        match received? {
            Some(0) => return Ok(EndedBy::Server),
            Some(count) => {
                heard = Instant::now();
                server.hear(buffer.get(..count).unwrap_or_default(), shared)?;
            }
            None => {}
        }
        let is_late = idle.is_some_and(|idle| heard.elapsed() > idle);
        if is_late {
            let what = "the server sent nothing for too long";
            return Err(Error::new(ErrorKind::Timeout(what)));
        }
        if input_ended.is_some_and(|at| at.elapsed() > receiving.idle_timeout()) {
            let what = "the server did not end the session after the end of the input";
            return Err(Error::new(ErrorKind::Timeout(what)));
        }
    }
}

/// The state of the server's side.
struct Server {
    parser: Parser,
    options: Options,
}

impl Server {
    /// Displays data, and answers commands.
    fn hear(&mut self, octets: &[u8], shared: &Shared) -> Result<()> {
        let (mut data, mut reply) = (Vec::new(), Vec::new());
        let taken = self.take(octets, &mut data, &mut reply);
        shared.state().server_echoes = self.options.server_echoes();
        shared.show(&data)?;
        taken?;
        shared.send(&reply)
    }

    fn take(&mut self, mut octets: &[u8], data: &mut Vec<u8>, reply: &mut Vec<u8>) -> Result<()> {
        while let Some(token) = self.parser.next(&mut octets)? {
            match token {
                Token::Data(octets) => data.extend_from_slice(octets),
                Token::Negotiation(verb, option) => self.options.negotiate(verb, option, reply)?,
                Token::Subnegotiation(option) => {
                    let content = self.parser.kept();
                    self.options.subnegotiate(option, content, reply)?;
                }
            }
        }
        Ok(())
    }
}

/// Reads the keyboard in a thread. The receiver is disconnected when the thread has ended.
fn listen(
    mut input: Box<dyn Read + Send>,
    mut keyboard: Keyboard,
    shared: Arc<Shared>,
) -> Result<Receiver<()>> {
    let (sender, over) = channel();
    let listen = move || {
        let ended = type_all(&mut input, &mut keyboard, &shared);
        // The terminal must be released before the end is signalled.
        drop(input);
        if let Some(ended) = ended.transpose() {
            shared.state().ended = Some(ended);
            shared.sending().end();
        }
        drop(shared);
        drop(sender);
    };
    let spawned = thread::Builder::new().spawn(listen);
    spawned.map_err(|error| Error::new(ErrorKind::Local(error)))?;
    Ok(over)
}

/// The keyboard's thread. Returns something if it ends the session.
fn type_all(input: &mut dyn Read, keyboard: &mut Keyboard, shared: &Shared) -> Result<Option<()>> {
    let mut buffer = [0; 4096];
    loop {
        let read = input.read(&mut buffer);
        let (is_over, server_echoes) = {
            let state = shared.state();
            (state.is_over, state.server_echoes)
        };
        if is_over {
            return Ok(None);
        }
        let typed = match read {
            Ok(0) => {
                shared.send(&keyboard.ended().send)?;
                shared.sending().finish();
                shared.state().input_ended = Some(Instant::now());
                return Ok(None);
            }
            Ok(count) => keyboard.typed(buffer.get(..count).unwrap_or_default(), server_echoes),
            Err(error) if error.kind() == Io::Interrupted => continue,
            Err(error) if matches!(error.kind(), Io::WouldBlock | Io::TimedOut) => {
                // Reads should time out by themselves; this prevents a busy loop.
                thread::sleep(Duration::from_millis(5));
                continue;
            }
            Err(error) => {
                return Err(Error::new(ErrorKind::Local(error)).with_step("reading the terminal"));
            }
        };
        // The echo must be displayed before the reply, which the other thread displays at once.
        if !typed.is_end {
            shared.show(&typed.show)?;
        }
        shared.send(&typed.send)?;
        if typed.is_end {
            return Ok(Some(()));
        }
    }
}
