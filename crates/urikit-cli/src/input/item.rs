//! One input, and where it was found.

use std::borrow::Cow;
use std::path::PathBuf;

/// A place that inputs come from.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The command line.
    Arguments,
    /// Standard input, named `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The name to use in a message. It is not yet safe to print.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Arguments => "argument".to_owned(),
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }
}

/// One input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// The reference, without its line end.
    pub(crate) bytes: &'a [u8],
    /// The same as text, if it is UTF-8. Code that replaces one of the two replaces both.
    pub(crate) text: Option<&'a str>,
    /// Where it came from.
    pub(crate) source: &'a Source,
    /// Its line, or which argument it is; counted from 1.
    pub(crate) number: u64,
    /// How many inputs came before it, from all sources.
    pub(crate) index: u64,
}

impl<'a> Input<'a> {
    /// The reference as text, with U+FFFD for bytes that are not UTF-8.
    pub(crate) fn to_text(self) -> Cow<'a, str> {
        self.text
            .map_or_else(|| String::from_utf8_lossy(self.bytes), Cow::Borrowed)
    }
}
