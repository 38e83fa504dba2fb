//! One input, and where it was found.

use super::repairs::{Repairs, Tolerance};
use super::unparsed::Unparsed;
use std::borrow::Cow;
use std::path::PathBuf;
use urikit::UriBuf;

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

/// One input: a reference to work on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// The reference, without its line end, and repaired or completed if that was necessary.
    pub(crate) bytes: &'a [u8],
    /// The same as text, if it is UTF-8. Code that replaces one of the two replaces both.
    pub(crate) text: Option<&'a str>,
    /// What was given.
    pub(crate) given: Given<'a>,
    /// Where it came from.
    pub(crate) source: &'a Source,
    /// Its line, or which argument it is; counted from 1.
    pub(crate) number: u64,
    /// How many inputs came before it, from all sources; of those that filters want.
    pub(crate) index: u64,
}

/// An input as it was given, and its repairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    /// The input, without its line end.
    pub(crate) unparsed: Unparsed<'a>,
    /// With `--lenient` or `--guess`, what became of it.
    pub(crate) repairs: Option<&'a Repairs>,
}

impl<'a> Input<'a> {
    /// An input, to be read as it is.
    pub(crate) fn new(
        given: impl Into<Unparsed<'a>>,
        source: &'a Source,
        number: u64,
        index: u64,
    ) -> Self {
        let given = Given::from(given.into());
        Self {
            bytes: given.unparsed.bytes,
            text: given.unparsed.text,
            given,
            source,
            number,
            index,
        }
    }

    /// The reference as text, with U+FFFD for bytes that are not UTF-8.
    pub(crate) fn to_text(self) -> Cow<'a, str> {
        self.text
            .map_or_else(|| String::from_utf8_lossy(self.bytes), Cow::Borrowed)
    }

    /// The same input without the first `prefix` bytes, which are not part of the reference. They
    /// are ASCII.
    pub(crate) fn after(self, prefix: usize) -> Self {
        Self {
            bytes: self.bytes.get(prefix..).unwrap_or_default(),
            text: self.text.and_then(|text| text.get(prefix..)),
            ..self
        }
    }

    /// What becomes of it; see [`Repairs::of`].
    pub(crate) fn repairs(
        self,
        tolerance: Tolerance,
        base: impl FnOnce() -> Option<UriBuf>,
    ) -> Repairs {
        let prefix = self.given.unparsed.bytes.len() - self.bytes.len();
        Repairs::of(self.into(), tolerance, base).after(prefix)
    }

    /// The same input with its repairs.
    pub(crate) fn with(self, repairs: &'a Repairs) -> Self {
        let reference = match repairs.made() {
            Some(changed) => changed.text.as_str().into(),
            None => Unparsed::from(self),
        };
        Self {
            bytes: reference.bytes,
            text: reference.text,
            given: Given {
                repairs: Some(repairs),
                ..self.given
            },
            ..self
        }
    }
}

impl<'a> From<Input<'a>> for Unparsed<'a> {
    fn from(input: Input<'a>) -> Self {
        Self {
            bytes: input.bytes,
            text: input.text,
        }
    }
}

impl<'a> From<Unparsed<'a>> for Given<'a> {
    fn from(unparsed: Unparsed<'a>) -> Self {
        Self {
            unparsed,
            repairs: None,
        }
    }
}

impl<'a> From<&'a [u8]> for Given<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Unparsed::from(bytes).into()
    }
}
