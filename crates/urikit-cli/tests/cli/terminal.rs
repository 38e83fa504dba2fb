//! The command on a pseudo-terminal.

use crate::support::command;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::Command;
use std::thread;

/// Marks the end of a terminal's output. No command writes it.
const END: &[u8] = b"\0end\0";

/// The output that a terminal receives, with LF instead of CR LF, and the exit status.
#[derive(Debug)]
pub(crate) struct Screen {
    pub(crate) text: String,
    pub(crate) status: i32,
}

impl Screen {
    /// The text without colours.
    pub(crate) fn plain(&self) -> String {
        let mut pieces = self.text.split("\x1b[");
        let mut plain = pieces.next().unwrap().to_owned();
        for piece in pieces {
            plain.push_str(piece.split_once('m').unwrap().1);
        }
        plain
    }
}

/// Runs `uri ARGUMENTS` on a terminal with this number of columns. Without `colours`, `NO_COLOR` is
/// set.
pub(crate) fn on_terminal(columns: u16, colours: bool, arguments: &[&str]) -> Screen {
    let mut uri = command();
    uri.args(arguments);
    shown(columns, colours, uri)
}

/// Runs any command on a terminal.
pub(crate) fn shown(columns: u16, colours: bool, mut command: Command) -> Screen {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let name = ptsname(&controller, Vec::new()).unwrap();
    let mut options = OpenOptions::new();
    let terminal = options.read(true).write(true).open(name.to_str().unwrap());
    let mut terminal = terminal.unwrap();
    tcsetwinsize(&terminal, size).unwrap();
    command
        .env("TERM", "xterm-256color")
        .stdout(terminal.try_clone().unwrap())
        .stderr(terminal.try_clone().unwrap());
    if !colours {
        command.env("NO_COLOR", "1");
    }
    let mut child = command.spawn().unwrap();
    drop(command);
    // A terminal that no process has open may lose unread output, so it stays open here until the
    // mark has been read.
    let waiting = thread::spawn(move || {
        let status = child.wait().unwrap();
        terminal.write_all(END).unwrap();
        status
    });
    let mut bytes = Vec::new();
    let mut controller = File::from(controller);
    let mut piece = [0; 4096];
    while !bytes.ends_with(END) {
        let length = controller.read(&mut piece).unwrap();
        bytes.extend_from_slice(&piece[..length]);
    }
    bytes.truncate(bytes.len() - END.len());
    Screen {
        text: String::from_utf8(bytes).unwrap().replace("\r\n", "\n"),
        status: waiting.join().unwrap().code().unwrap(),
    }
}
