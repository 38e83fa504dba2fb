//! The commands (RFC 959, 4.1; RFC 2428; RFC 2389; RFC 3659).

use crate::command::{Argument, Command as Sent, Secret, Wire};
use urikit_schemes::{FormatCode, Typecode};

/// A command that is sent on the control connection.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `USER`: sends the user name.
    User(Argument),
    /// `PASS`: sends the password.
    Pass(Password),
    /// `AUTH TLS`: asks for TLS on the control connection (RFC 4217, 4).
    Auth,
    /// `PBSZ 0`: precedes `PROT` (RFC 4217, 9).
    Pbsz,
    /// `PROT P`: asks for TLS on data connections (RFC 4217, 9).
    Prot,
    /// `PWD`: asks for the current directory.
    Pwd,
    /// `CWD`: changes to a directory. The argument may be empty (RFC 1738, 3.2.2).
    Cwd(Argument),
    /// `TYPE`: sets the type of transfers.
    Type(Type),
    /// `EPSV`: asks for a data port (RFC 2428).
    Epsv,
    /// `PASV`: asks for an address and a data port. The client sends this command to servers that
    /// do not support `EPSV`.
    Pasv,
    /// `SIZE`: asks for the size of a file.
    Size(Argument),
    /// `MDTM`: asks for the modification time of a file.
    Mdtm(Argument),
    /// `FEAT`: asks for the extensions that the server supports (RFC 2389).
    Feat,
    /// `MLST`: asks for facts about a name, or, without a name, about the current directory.
    Mlst(Option<Argument>),
    /// `REST`: sets the offset at which the next transfer begins.
    Rest(u64),
    /// `RETR`: retrieves a file.
    Retr(Argument),
    /// `STOR`: stores a file, replacing any existing file with this name.
    Stor(Argument),
    /// `APPE`: appends to a file.
    Appe(Argument),
    /// `RNFR`: begins to rename a file, and states its old name.
    Rnfr(Argument),
    /// `RNTO`: renames the file to this name.
    Rnto(Argument),
    /// `NLST`: lists the names in a directory, or, without an argument, in the current directory.
    Nlst(Option<Argument>),
    /// `MLSD`: lists names with facts about them (RFC 3659, 7).
    Mlsd(Option<Argument>),
    /// `LIST`: lists names and details, in a format that the server chooses.
    List(Option<Argument>),
    /// `NOOP`: does nothing except ask for a reply.
    Noop,
    /// `QUIT`: ends the session.
    Quit,
}

/// The argument of `PASS`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Password {
    /// A password.
    Secret(Secret),
    /// The email address that is sent as the password for `anonymous` (RFC 1738, 3.2.1). This
    /// password is not secret.
    Anonymous(Argument),
}

/// The argument of `TYPE` (RFC 959, 4.1.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// `A`: text, with an optional format code.
    Ascii(Option<FormatCode>),
    /// `E`: text in EBCDIC, with an optional format code.
    Ebcdic(Option<FormatCode>),
    /// `I`: octets.
    Image,
    /// `L`: bytes of the given size, which is written in digits.
    Local(Argument),
}

impl Type {
    /// Returns the type for the typecode in a URL, or `None` for a directory.
    pub(super) fn of(typecode: Typecode<'_>) -> Option<Self> {
        Some(match typecode {
            Typecode::Ascii(format) => Self::Ascii(format),
            Typecode::Ebcdic(format) => Self::Ebcdic(format),
            Typecode::Image => Self::Image,
            // The URL parser has checked that the size consists of digits.
            Typecode::Local(size) => Self::Local(Argument::new(size.bytes(), "typecode").ok()?),
            _ => return None,
        })
    }

    /// Writes the argument of `TYPE`.
    fn write(&self, wire: &mut Wire) {
        let format = |format: &Option<FormatCode>| match format {
            None => "",
            Some(FormatCode::NonPrint) => " N",
            Some(FormatCode::Telnet) => " T",
            Some(FormatCode::CarriageControl) => " C",
        };
        match self {
            Self::Ascii(code) => wire.word("A").word(format(code)),
            Self::Ebcdic(code) => wire.word("E").word(format(code)),
            Self::Image => wire.word("I"),
            Self::Local(size) => wire.word("L ").argument(size),
        };
    }
}

impl Command {
    /// Returns the argument, if the command is read-only.
    const fn read_argument(&self) -> Option<&Argument> {
        match self {
            Self::Cwd(argument)
            | Self::Size(argument)
            | Self::Mdtm(argument)
            | Self::Retr(argument)
            | Self::Mlst(Some(argument))
            | Self::Nlst(Some(argument))
            | Self::Mlsd(Some(argument))
            | Self::List(Some(argument)) => Some(argument),
            _ => None,
        }
    }

    /// Returns whether the command may be sent again without doubling the octet 255. The argument
    /// must contain this octet, and the command must be read-only, because repeating a command
    /// that writes could change another file.
    pub(super) fn may_be_undoubled(&self) -> bool {
        let argument = self.read_argument();
        argument.is_some_and(|argument| argument.octets().contains(&255))
    }
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        match self {
            Self::User(_) => "USER",
            Self::Pass(_) => "PASS",
            Self::Auth => "AUTH",
            Self::Pbsz => "PBSZ",
            Self::Prot => "PROT",
            Self::Pwd => "PWD",
            Self::Cwd(_) => "CWD",
            Self::Type(_) => "TYPE",
            Self::Epsv => "EPSV",
            Self::Pasv => "PASV",
            Self::Size(_) => "SIZE",
            Self::Mdtm(_) => "MDTM",
            Self::Feat => "FEAT",
            Self::Mlst(_) => "MLST",
            Self::Rest(_) => "REST",
            Self::Retr(_) => "RETR",
            Self::Stor(_) => "STOR",
            Self::Appe(_) => "APPE",
            Self::Rnfr(_) => "RNFR",
            Self::Rnto(_) => "RNTO",
            Self::Nlst(_) => "NLST",
            Self::Mlsd(_) => "MLSD",
            Self::List(_) => "LIST",
            Self::Noop => "NOOP",
            Self::Quit => "QUIT",
        }
    }

    // A space precedes an argument even if it is empty: "CWD " (RFC 1738, 3.2.2).
    fn write(&self, wire: &mut Wire) {
        wire.word(self.name());
        match self {
            Self::User(argument)
            | Self::Cwd(argument)
            | Self::Size(argument)
            | Self::Mdtm(argument)
            | Self::Retr(argument)
            | Self::Stor(argument)
            | Self::Appe(argument)
            | Self::Rnfr(argument)
            | Self::Rnto(argument)
            | Self::Pass(Password::Anonymous(argument))
            | Self::Mlst(Some(argument))
            | Self::Nlst(Some(argument))
            | Self::Mlsd(Some(argument))
            | Self::List(Some(argument)) => {
                wire.word(" ").argument(argument);
            }
            Self::Pass(Password::Secret(password)) => {
                wire.word(" ").secret(password);
            }
            Self::Type(kind) => kind.write(wire.word(" ")),
            Self::Rest(offset) => {
                wire.word(" ").number(*offset);
            }
            Self::Auth => {
                wire.word(" TLS");
            }
            Self::Pbsz => {
                wire.word(" 0");
            }
            Self::Prot => {
                wire.word(" P");
            }
            Self::Epsv
            | Self::Pwd
            | Self::Pasv
            | Self::Feat
            | Self::Noop
            | Self::Quit
            | Self::Mlst(None)
            | Self::Nlst(None)
            | Self::Mlsd(None)
            | Self::List(None) => {}
        }
    }
}
