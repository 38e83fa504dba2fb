//! One input: the reference before parsing, and its origin.

use std::borrow::Cow;
use std::path::PathBuf;
use urikit::UriBuf;
use urikit_report::input::{Given, Unparsed};
use urikit_report::repairs::{Repairs, Tolerance, guess};

/// The origin of inputs.
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
    /// Returns the name of the source, for messages. The name may contain unsafe characters.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Arguments => "argument".to_owned(),
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }
}

/// One input: a reference to process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// The reference without its line ending, after repairs.
    pub(crate) bytes: &'a [u8],
    /// `bytes` as text, if they are UTF-8. Always change `bytes` and `text` together.
    pub(crate) text: Option<&'a str>,
    /// The input before repairs.
    pub(crate) given: Given<'a>,
    /// The origin.
    pub(crate) source: &'a Source,
    /// The number of the line or argument, counting from 1.
    pub(crate) number: u64,
    /// The number of inputs before this one, from all sources. Inputs that the filters drop are not
    /// counted.
    pub(crate) index: u64,
    /// The number of characters before the input on its line.
    pub(crate) column: usize,
    /// True if the input is a quoted cell, in which quotes are doubled.
    pub(crate) is_quoted: bool,
    /// The table row that contains the input, as written, if rows are kept.
    pub(crate) row: &'a [u8],
}

impl<'a> Input<'a> {
    /// Creates an input without repairs.
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
            column: 0,
            is_quoted: false,
            row: &[],
        }
    }

    /// Returns the first bytes of the input as a separate input.
    pub(crate) fn before(self, end: usize) -> Self {
        let bytes = self.bytes.get(..end).unwrap_or_default();
        Self::new(bytes, self.source, self.number, self.index)
    }

    /// Returns the rest of the input, beginning at byte `start`, as a separate input.
    pub(crate) fn after_on_line(self, start: usize) -> Self {
        let (before, bytes) = self.bytes.split_at_checked(start).unwrap_or_default();
        Self {
            column: String::from_utf8_lossy(before).chars().count(),
            ..Self::new(bytes, self.source, self.number, self.index)
        }
    }

    /// Returns the reference as text. Bytes that are not UTF-8 become U+FFFD.
    pub(crate) fn to_text(self) -> Cow<'a, str> {
        Unparsed::from(self).to_text()
    }

    /// Removes the first `prefix` bytes, which precede the reference. They are ASCII.
    pub(crate) fn after(self, prefix: usize) -> Self {
        Self {
            bytes: self.bytes.get(prefix..).unwrap_or_default(),
            text: self.text.and_then(|text| text.get(prefix..)),
            ..self
        }
    }

    /// Returns true if the input begins with a host, as in `example.com/x`.
    pub(crate) fn begins_with_host(self) -> bool {
        self.text.is_some_and(|text| guess(text).is_some())
    }

    /// Repairs the input; see [`Repairs::of`].
    pub(crate) fn repairs(
        self,
        tolerance: Tolerance,
        base: impl FnOnce() -> Option<UriBuf>,
    ) -> Repairs {
        let prefix = self.given.unparsed.bytes.len() - self.bytes.len();
        Repairs::of(self.into(), tolerance, base).after(prefix)
    }

    /// Replaces the reference with its repaired form, if it was repaired.
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
