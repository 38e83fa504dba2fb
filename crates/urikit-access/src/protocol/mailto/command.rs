//! The commands of SMTP (RFC 5321, 4.1; RFC 3207).

use crate::command::{Argument, Command as Sent, Wire};

/// A command to an SMTP server.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `EHLO`, with an address literal in place of this machine's name, which is private (4.1.3).
    Ehlo,
    /// `HELO`: the same for older servers.
    Helo,
    /// `STARTTLS`: asks to begin TLS.
    StartTls,
    /// `MAIL FROM`: the address of the sender.
    MailFrom(Argument),
    /// `RCPT TO`: the address of a recipient.
    RcptTo(Argument),
    /// `DATA`: the message follows.
    Data,
    /// The full stop that ends the message.
    End,
    /// `QUIT`: ends the session.
    Quit,
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Ehlo => "EHLO",
            Self::Helo => "HELO",
            Self::StartTls => "STARTTLS",
            Self::MailFrom(_) => "MAIL FROM",
            Self::RcptTo(_) => "RCPT TO",
            Self::Data => "DATA",
            Self::End => ".",
            Self::Quit => "QUIT",
        }
    }

    fn write(&self, wire: &mut Wire) {
        wire.word(self.name());
        match self {
            Self::Ehlo | Self::Helo => {
                wire.word(" [127.0.0.1]");
            }
            Self::MailFrom(address) | Self::RcptTo(address) => {
                wire.word(":<").argument(address).word(">");
            }
            Self::StartTls | Self::Data | Self::End | Self::Quit => {}
        }
    }
}
