//! When a step is taken.

use std::fmt;

/// The condition under which a step is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The connection is not kept for later requests.
    NotKept,
    /// The server asks for a password.
    PasswordAsked,
    /// The server requires a login.
    LoginRequired,
    /// The user agrees.
    UserAgrees,
    /// What is there is of the version that is resumed.
    SameVersion,
    /// The server refuses `EPSV` (RFC 2428).
    NoEpsv,
    /// The server supports `MLST` (RFC 3659, 7).
    Mlst,
    /// The server does not support `MLST`.
    NoMlst,
    /// No reply says yet whether it is a file or a directory.
    KindUnknown,
    /// The list has no names.
    ListEmpty,
    /// The server supports `MLSD` (RFC 3659, 7).
    Mlsd,
    /// The server does not support `MLSD`, or refuses it.
    NoMlsd,
    /// The server has `MLSD`, but refuses it.
    MlsdRefused,
    /// `LIST` is refused, or its lines have an unknown form.
    ListUnknown,
    /// The server refuses `NLST`.
    NlstRefused,
    /// The name is not that of a directory.
    NoDirectory,
    /// The server refuses to send what the name stands for, as for a directory.
    NoFile,
    /// What the name stands for turns out to be a directory.
    IsDirectory,
    /// The name, with its octet 255 doubled (RFC 959, 4.1), is not found.
    NotFoundDoubled,
    /// A part of the file is there.
    PartThere,
    /// Nothing of the file is there.
    PartMissing,
    /// The server offers reader mode, or does not support `CAPABILITIES` (RFC 3977, 3.4.2).
    ModeReader,
    /// The server refuses `OVER` (RFC 3977, 8.3).
    NoOver,
    /// The server refuses `LIST ACTIVE` with a pattern (RFC 3977, 7.6.3).
    NoListActive,
    /// The server does not support Gopher+.
    NoGopherPlus,
    /// The server does not support `EHLO` (RFC 5321, 3.2).
    NoEhlo,
    /// The server has a description of the database.
    Described,
    /// The server has no description of the database.
    NotDescribed,
    /// A search has no result.
    NoResult,
    /// The document is longer than its first part.
    MoreToFetch,
    /// The directory server names an access method that can be followed.
    AccessMethod,
    /// The directory server itself is the only access method of the object.
    OnlyContents,
    /// The object has no access method, or is not found as an object.
    NoAccessMethod,
    /// The directory has union links.
    UnionLinks,
    /// Another condition, in words, for protocols outside this crate.
    Other(&'static str),
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotKept => "if the connection is not kept",
            Self::PasswordAsked => "if the server asks for a password",
            Self::LoginRequired => "if the server requires a login",
            Self::UserAgrees => "if the user agrees",
            Self::SameVersion => "if size and date are the same as before",
            Self::NoEpsv => "if EPSV is refused",
            Self::Mlst => "if the server has MLST",
            Self::NoMlst => "if MLST is not supported",
            Self::KindUnknown => "if the kind is still unknown",
            Self::ListEmpty => "if the list is empty",
            Self::Mlsd => "if the server has MLSD",
            Self::NoMlsd => "if MLSD is not supported, or is refused",
            Self::MlsdRefused => "if MLSD is refused",
            Self::ListUnknown => "if LIST is refused, or has an unknown form",
            Self::NlstRefused => "if NLST is refused",
            Self::NoDirectory => "if it is not a directory",
            Self::NoFile => "if it is not a file",
            Self::IsDirectory => "if it is a directory",
            Self::NotFoundDoubled => "if it is not found: with the octet 255 once",
            Self::PartThere => "if a part of it is there",
            Self::PartMissing => "if nothing of it is there",
            Self::ModeReader => "if it is offered, or CAPABILITIES is not supported",
            Self::NoOver => "if OVER is refused",
            Self::NoListActive => "if LIST ACTIVE is refused",
            Self::NoGopherPlus => "if the server does not support Gopher+",
            Self::NoEhlo => "if EHLO is not supported",
            Self::Described => "if the server has a description",
            Self::NotDescribed => "if the server has no description",
            Self::NoResult => "if nothing is found",
            Self::MoreToFetch => "if there is more",
            Self::AccessMethod => "if ftp, gopher or wais is one of them",
            Self::OnlyContents => "if only Prospero has the contents",
            Self::NoAccessMethod => "if the object is a directory",
            Self::UnionLinks => "if the directory has union links",
            Self::Other(words) => words,
        })
    }
}
