//! Runs a session, which sends the user's input to the server, and the server's data to the
//! terminal, until either side ends the session.
//!
//! A separate thread reads the keyboard. The calling thread does everything else. The server may be
//! silent for any length of time, because the user can end the session. After the end of the input,
//! the user can no longer end the session, and the policy's idle timeout applies.

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

/// The interval between checks of the time limits while the server is silent.
const TICK: Duration = Duration::from_millis(100);

/// The time to wait for the keyboard thread after the end of the session.
const JOIN_TIMEOUT: Duration = Duration::from_millis(250);

/// The settings of a session.
pub(super) struct Settings {
    pub(super) escape: Option<u8>,
    pub(super) terminal_type: Option<String>,
    /// The time for which the server may be silent.
    pub(super) idle: Option<Duration>,
}

/// The side that ended the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EndedBy {
    User,
    Server,
}

/// The data that the two threads of a session share.
struct Shared {
    sending: Mutex<WriteHalf>,
    output: Mutex<Box<dyn Write + Send>>,
    state: Mutex<SessionState>,
}

#[derive(Default)]
struct SessionState {
    server_echoes: bool,
    /// True if the session is over, so the keyboard thread ignores further input.
    is_over: bool,
    /// The time at which the input ended.
    input_ended: Option<Instant>,
    /// The result of the keyboard thread, if this thread ended the session.
    ended: Option<Result<()>>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, SessionState> {
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
    mut receiving: ReadHalf,
    sending: WriteHalf,
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
    let over = start_keyboard(terminal.input, keyboard, Arc::clone(&shared))?;
    let ended = converse(&mut receiving, &mut server, &shared, settings.idle);
    shared.state().is_over = true;
    shared.sending().end();
    // This wait ends early, with an error, if the keyboard thread ends and drops the sender.
    let _ = over.recv_timeout(JOIN_TIMEOUT);
    // The keyboard thread may still be waiting for a key, but it must not keep the output open.
    if let Ok(mut output) = shared.output.try_lock() {
        *output = Box::new(std::io::sink());
    }
    ended
}

/// Handles the server's data until the session ends. Runs in the calling thread.
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
                server.receive(buffer.get(..count).unwrap_or_default(), shared)?;
            }
            None => {}
        }
        let is_late = idle.is_some_and(|idle| heard.elapsed() > idle);
        if is_late {
            let what = "the server sent nothing for too long";
            return Err(Error::new(ErrorKind::Timeout(what)));
        }
        if input_ended.is_some_and(|at| at.elapsed() > receiving.idle_timeout()) {
            let what = "the server did not end the session after the input ended";
            return Err(Error::new(ErrorKind::Timeout(what)));
        }
    }
}

/// The state of the server's side of the session.
struct Server {
    parser: Parser,
    options: Options,
}

impl Server {
    /// Displays data, and answers commands.
    fn receive(&mut self, octets: &[u8], shared: &Shared) -> Result<()> {
        let (mut data, mut reply) = (Vec::new(), Vec::new());
        let taken = self.parse(octets, &mut data, &mut reply);
        shared.state().server_echoes = self.options.server_echoes();
        shared.show(&data)?;
        taken?;
        shared.send(&reply)
    }

    fn parse(&mut self, mut octets: &[u8], data: &mut Vec<u8>, reply: &mut Vec<u8>) -> Result<()> {
        while let Some(token) = self.parser.next(&mut octets)? {
            match token {
                Token::Data(octets) => data.extend_from_slice(octets),
                Token::Negotiation(verb, option) => self.options.negotiate(verb, option, reply)?,
                Token::Subnegotiation(option) => {
                    let content = self.parser.content();
                    self.options.subnegotiate(option, content, reply)?;
                }
            }
        }
        Ok(())
    }
}

/// Starts the keyboard thread. The returned receiver is disconnected when the thread ends.
fn start_keyboard(
    mut input: Box<dyn Read + Send>,
    mut keyboard: Keyboard,
    shared: Arc<Shared>,
) -> Result<Receiver<()>> {
    let (sender, over) = channel();
    let work = move || {
        let ended = read_keyboard(&mut input, &mut keyboard, &shared);
        // The terminal must be released before the end is signalled.
        drop(input);
        if let Some(ended) = ended.transpose() {
            shared.state().ended = Some(ended);
            shared.sending().end();
        }
        drop(shared);
        drop(sender);
    };
    let spawned = thread::Builder::new().spawn(work);
    spawned.map_err(|error| Error::new(ErrorKind::Local(error)))?;
    Ok(over)
}

/// Sends the input until it ends, or until the user ends the session. Returns `Some` if the user
/// ended the session. Runs in the keyboard thread.
fn read_keyboard(
    input: &mut dyn Read,
    keyboard: &mut Keyboard,
    shared: &Shared,
) -> Result<Option<()>> {
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
                // Reading from the terminal should block. If reading returns immediately instead,
                // this sleep prevents a busy loop.
                thread::sleep(Duration::from_millis(5));
                continue;
            }
            Err(error) => {
                return Err(Error::new(ErrorKind::Local(error)).with_step("reading the terminal"));
            }
        };
        // The other thread displays the server's reply immediately, so the local echo must be
        // displayed before the input is sent.
        if !typed.is_end {
            shared.show(&typed.show)?;
        }
        shared.send(&typed.send)?;
        if typed.is_end {
            return Ok(Some(()));
        }
    }
}
