//! What is sent: commands, which are recorded, and bytes.

use super::Connection;
use crate::command::{Command, Wire};
use crate::error::Result;

impl Connection {
    /// Sends a command, and CR LF.
    ///
    /// # Errors
    ///
    /// If it cannot be sent in time.
    pub fn send(&mut self, command: &dyn Command) -> Result<()> {
        let mut octets = self.noted(command);
        octets.extend_from_slice(b"\r\n");
        self.write(&octets)
    }

    /// Sends several commands at once, such as the head of a request. Errors quote the first one.
    ///
    /// # Errors
    ///
    /// If they cannot be sent in time.
    pub fn send_all<'c, C: Command>(
        &mut self,
        commands: impl IntoIterator<Item = &'c C>,
    ) -> Result<()> {
        let octets = self.noted_lines(commands);
        self.write(&octets)
    }

    /// The octets of several commands that are about to be sent, which are recorded. Errors quote
    /// the first one.
    pub(crate) fn noted_lines<'c, C: Command>(
        &mut self,
        commands: impl IntoIterator<Item = &'c C>,
    ) -> Vec<u8> {
        let mut octets = Vec::new();
        let mut first = None;
        for command in commands {
            octets.append(&mut self.noted(command));
            octets.extend_from_slice(b"\r\n");
            first.get_or_insert_with(|| self.sent.clone());
        }
        self.sent = first.unwrap_or_default();
        octets
    }

    /// Sends a command over a Telnet connection: the octet 255 (`IAC`) is doubled (RFC 959, 4.1;
    /// RFC 854).
    ///
    /// # Errors
    ///
    /// If it cannot be sent in time.
    pub fn send_telnet(&mut self, command: &dyn Command) -> Result<()> {
        let line = self.noted(command);
        let mut octets = Vec::with_capacity(line.len() + 2);
        for octet in line {
            octets.push(octet);
            if octet == 255 {
                octets.push(octet);
            }
        }
        octets.extend_from_slice(b"\r\n");
        self.write(&octets)
    }

    /// Sends a message of a binary protocol: the command alone, without a line end.
    ///
    /// # Errors
    ///
    /// If it cannot be sent in time.
    pub fn send_message(&mut self, message: &dyn Command) -> Result<()> {
        let octets = self.noted(message);
        self.write(&octets)
    }

    /// The octets of a command that is about to be sent, which is recorded.
    fn noted(&mut self, command: &dyn Command) -> Vec<u8> {
        let mut wire = Wire::default();
        command.write(&mut wire);
        let (octets, secrets, masked) = wire.into_parts();
        self.trace.learn(&octets, &secrets);
        let shown = command.words().map_or(masked, String::into_bytes);
        self.record_sent(command.name(), &shown);
        octets
    }

    /// Sends bytes as they are: for protocols that are not line-based, and for bodies. They must
    /// not contain octets of a URL that the server could take for a command.
    ///
    /// # Errors
    ///
    /// If they cannot be sent in time.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(bytes)
    }

    /// Records what is sent by other means, by its name and with secrets masked: as an event, and
    /// for error messages.
    pub fn record_sent(&mut self, command: &'static str, masked: &[u8]) {
        self.sent.clear();
        self.sent.extend_from_slice(masked);
        if !self.is_quiet {
            self.trace.sent(command, masked);
        }
    }
}
