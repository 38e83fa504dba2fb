//! Converts the user's keys to data for the server and for the terminal.
//!
//! If the server echoes, each key is sent immediately. If the server does not echo, the client
//! buffers lines, like the NVT of RFC 854: it displays a line as the user types it, supports
//! Backspace and `^U`, and sends the line when it is complete.
//!
//! `Enter` sends CR LF (RFC 1123, 3.3.1), and the octet 255 is doubled (RFC 854).

use super::parser::IAC;

const BACKSPACE: u8 = 8;
const DELETE: u8 = 127;
const KILL: u8 = 0x15; // ^U

/// The maximum length of a line, in octets. Longer lines are sent in pieces.
const MAX_LEN: usize = 4096;

/// The state of the keyboard.
pub(super) struct Keyboard {
    /// The key that ends the session.
    escape: Option<u8>,
    line: Vec<u8>,
    was_cr: bool,
}

/// The effects of keys that the user pressed.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) struct Typed {
    /// The octets to send, with each `IAC` doubled.
    pub(super) send: Vec<u8>,
    /// The octets to display on the terminal.
    pub(super) show: Vec<u8>,
    /// True if the user ended the session. Later keys are ignored.
    pub(super) is_end: bool,
}

impl Keyboard {
    pub(super) const fn new(escape: Option<u8>) -> Self {
        Self {
            escape,
            line: Vec::new(),
            was_cr: false,
        }
    }

    /// Handles keys.
    pub(super) fn typed(&mut self, keys: &[u8], server_echoes: bool) -> Typed {
        let mut typed = Typed::default();
        if server_echoes {
            // Send the beginning of a line that the user typed before the server began to echo.
            self.send_line(&mut typed);
        }
        for &key in keys {
            if self.escape == Some(key) {
                typed.is_end = true;
                break;
            }
            if server_echoes {
                send(key, &mut typed.send);
            } else {
                self.edit(key, &mut typed);
            }
            self.was_cr = key == b'\r';
        }
        typed
    }

    /// Handles the end of the input. Sends the last line even if it is incomplete.
    pub(super) fn ended(&mut self) -> Typed {
        let mut typed = Typed::default();
        self.send_line(&mut typed);
        typed
    }

    fn edit(&mut self, key: u8, typed: &mut Typed) {
        match key {
            // Pasted text can contain CR LF, which counts as one line break.
            b'\n' if self.was_cr => {}
            b'\r' | b'\n' => {
                self.send_line(typed);
                typed.send.extend(b"\r\n");
                typed.show.extend(b"\r\n");
            }
            BACKSPACE | DELETE => self.erase(typed),
            KILL => {
                while !self.line.is_empty() {
                    self.erase(typed);
                }
            }
            // Control characters such as ^C must take effect immediately.
            0..b' ' if key != b'\t' => {
                self.send_line(typed);
                send(key, &mut typed.send);
                typed.show.extend([b'^', key + b'@']);
            }
            _ => {
                self.line.push(key);
                typed.show.push(key);
                if self.line.len() == MAX_LEN {
                    self.send_line(typed);
                }
            }
        }
    }

    /// Removes the last character of the line, including all octets of its UTF-8 encoding.
    fn erase(&mut self, typed: &mut Typed) {
        while let Some(octet) = self.line.pop() {
            if !(0x80..0xC0).contains(&octet) {
                typed.show.extend(b"\x08 \x08");
                break;
            }
        }
    }

    fn send_line(&mut self, typed: &mut Typed) {
        for octet in self.line.drain(..) {
            send_octet(octet, &mut typed.send);
        }
    }
}

/// Appends the octets of a key to the octets to send.
fn send(key: u8, to: &mut Vec<u8>) {
    if key == b'\r' {
        to.extend(b"\r\n");
    } else {
        send_octet(key, to);
    }
}

fn send_octet(octet: u8, to: &mut Vec<u8>) {
    to.push(octet);
    if octet == IAC {
        to.push(octet);
    }
}

#[cfg(test)]
mod tests {
    use super::{Keyboard, MAX_LEN, Typed};

    /// Returns the effect of keys, and asserts that it does not depend on whether they arrive
    /// together or one by one.
    fn typed(keys: &[u8], server_echoes: bool) -> Typed {
        let at_once = Keyboard::new(Some(0x1D)).typed(keys, server_echoes);
        let mut keyboard = Keyboard::new(Some(0x1D));
        let mut joined = Typed::default();
        for key in keys {
            let typed = keyboard.typed(&[*key], server_echoes);
            joined.send.extend(typed.send);
            joined.show.extend(typed.show);
            joined.is_end |= typed.is_end;
            if joined.is_end {
                break;
            }
        }
        assert_eq!(at_once, joined);
        at_once
    }

    fn row(keys: &[u8], server_echoes: bool, send: &[u8], show: &[u8]) {
        let typed = typed(keys, server_echoes);
        let of = |octets: &[u8]| octets.escape_ascii().to_string();
        assert_eq!(
            (of(&typed.send), of(&typed.show)),
            (of(send), of(show)),
            "{}",
            of(keys)
        );
    }

    #[test]
    fn keys_are_sent_at_once_if_the_server_echoes() {
        row(b"ls\r", true, b"ls\r\n", b"");
        row(
            b"\x03\x7f\x08\x15\0\t\x1b[A",
            true,
            b"\x03\x7f\x08\x15\0\t\x1b[A",
            b"",
        );
        row(b"a\xffb\n", true, b"a\xff\xffb\n", b"");
    }

    #[test]
    fn lines_are_sent_if_it_does_not() {
        row(b"ls", false, b"", b"ls");
        row(b"ls\r", false, b"ls\r\n", b"ls\r\n");
        row(
            b"a\nb\r\nc\r\r",
            false,
            b"a\r\nb\r\nc\r\n\r\n",
            b"a\r\nb\r\nc\r\n\r\n",
        );
        row(b"lx\x7fs\r", false, b"ls\r\n", b"lx\x08 \x08s\r\n");
        row(
            b"a\xc3\xa9\x08b\r",
            false,
            b"ab\r\n",
            b"a\xc3\xa9\x08 \x08b\r\n",
        );
        row(
            b"no\x15yes\r",
            false,
            b"yes\r\n",
            b"no\x08 \x08\x08 \x08yes\r\n",
        );
        row(b"\x7f\x15\r", false, b"\r\n", b"\r\n");
        row(b"ab\x03", false, b"ab\x03", b"ab^C");
        row(b"\xff\r", false, b"\xff\xff\r\n", b"\xff\r\n");
    }

    #[test]
    fn the_escape_key_ends_and_later_keys_are_ignored() {
        for server_echoes in [true, false] {
            let typed = typed(b"\x1dquit\r", server_echoes);
            assert!(typed.is_end && typed.send.is_empty() && typed.show.is_empty());
        }
        assert!(!Keyboard::new(None).typed(b"\x1d", true).is_end);
    }

    #[test]
    fn lines_are_bounded_and_sent_when_echo_begins() {
        let mut keyboard = Keyboard::new(None);
        let sent = keyboard.typed(&[b'a'; MAX_LEN + 1], false).send;
        assert_eq!(sent.len(), MAX_LEN);
        assert_eq!(keyboard.typed(b"b", true).send, b"ab");
        keyboard.typed(b"rest", false);
        assert_eq!(keyboard.ended().send, b"rest");
    }
}
