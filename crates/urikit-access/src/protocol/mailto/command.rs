//! The commands of SMTP (RFC 5321, 4.1; RFC 3207; RFC 4954).

use crate::command::{Argument, Command as Sent, Secret, Wire};

/// A mechanism of `AUTH` (RFC 4954).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mechanism {
    /// `PLAIN`: sends the user and the password together (RFC 4616).
    Plain,
    /// `LOGIN`: sends the user and then the password. No RFC defines it.
    Login,
    /// `XOAUTH2`: sends an OAuth 2.0 access token. No RFC defines this mechanism, but large mail
    /// providers require it.
    Xoauth2,
}

impl Mechanism {
    /// Returns the name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "PLAIN",
            Self::Login => "LOGIN",
            Self::Xoauth2 => "XOAUTH2",
        }
    }
}

/// A command to an SMTP server.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `EHLO`: greets the server, with an address literal (4.1.3) instead of the name of this
    /// machine, which is private.
    Ehlo,
    /// `HELO`: replaces `EHLO` for older servers.
    Helo,
    /// `STARTTLS`: asks the server to begin TLS.
    StartTls,
    /// `AUTH`: logs in (RFC 4954), sending the mechanism's initial response in base64.
    Auth(Mechanism, Option<Secret>),
    /// A response to the mechanism's challenge, in base64.
    AuthResponse(Secret),
    /// `MAIL FROM`: states the address of the sender.
    MailFrom(Argument),
    /// `RCPT TO`: states the address of a recipient.
    RcptTo(Argument),
    /// `DATA`: announces the message.
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
            Self::Auth(..) => "AUTH",
            Self::AuthResponse(_) => "AUTH response",
            Self::MailFrom(_) => "MAIL FROM",
            Self::RcptTo(_) => "RCPT TO",
            Self::Data => "DATA",
            Self::End => ".",
            Self::Quit => "QUIT",
        }
    }

    fn write(&self, wire: &mut Wire) {
        if let Self::AuthResponse(response) = self {
            wire.secret(response);
            return;
        }
        wire.word(self.name());
        match self {
            Self::Auth(mechanism, initial) => {
                wire.word(" ").word(mechanism.name());
                if let Some(initial) = initial {
                    wire.word(" ").secret(initial);
                }
            }
            Self::Ehlo | Self::Helo => {
                wire.word(" [127.0.0.1]");
            }
            Self::MailFrom(address) | Self::RcptTo(address) => {
                wire.word(":<").argument(address).word(">");
            }
            Self::StartTls | Self::AuthResponse(_) | Self::Data | Self::End | Self::Quit => {}
        }
    }
}
