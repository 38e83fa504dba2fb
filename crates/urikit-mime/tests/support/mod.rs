//! Decodes bodies and records the source of each octet.

use std::ops::Range;
use urikit_mime::transfer::{Decoder, Encoding, Run};

/// A decoded body.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Decoded {
    pub(crate) octets: Vec<u8>,
    /// The source of each octet.
    pub(crate) places: Vec<Range<usize>>,
    /// The length of the body.
    pub(crate) length: usize,
}

impl Decoded {
    fn take(&mut self, run: Run<'_>) {
        let start = self.length;
        let (unit, source) = match run {
            Run::Copied(_) => (1, 1),
            Run::Groups(_) => (3, 4),
            Run::Replaced(length, octets) => (octets.len(), length),
            Run::Skipped(_) => (1, 0),
        };
        for index in 0..run.octets().len() {
            let start = start + index / unit * source;
            self.places.push(start..start + source);
        }
        assert!(run.source_len() > 0);
        self.octets.extend_from_slice(run.octets());
        self.length += run.source_len();
    }
}

/// Decodes a body that arrives in these pieces, and checks that the runs cover it.
pub(crate) fn decoded<'p>(
    encoding: Encoding,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> Decoded {
    let mut all = Decoded::default();
    let mut decoder = Decoder::new(encoding);
    let mut length = 0;
    for piece in pieces {
        length += piece.len();
        decoder.push(piece, |run| all.take(run));
        assert!(all.length <= length);
    }
    decoder.finish(|run| all.take(run));
    assert_eq!(all.length, length);
    all
}

/// Converts characters up to U+00FF to octets.
#[allow(dead_code)] // not every test uses text
pub(crate) fn octets(text: &str) -> Vec<u8> {
    text.chars()
        .map(|it| u8::try_from(u32::from(it)).unwrap())
        .collect()
}

/// Converts octets to characters up to U+00FF.
#[allow(dead_code)]
pub(crate) fn latin1(octets: &[u8]) -> String {
    octets.iter().copied().map(char::from).collect()
}
