//! Octets with their offsets, for schemes in which an escape and its character have the same
//! meaning.

use urikit::component::Encoded;
use urikit::internal::encoded;

/// One octet of a part.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) octet: u8,
    /// Where it begins in the text as written, in bytes.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
}

/// The decoded octets of a part, in order.
pub(super) fn units(part: Encoded<'_>) -> Units<'_> {
    Units { part, at: 0 }
}

/// See [`units`].
#[derive(Clone)]
pub(super) struct Units<'a> {
    part: Encoded<'a>,
    at: usize,
}

impl<'a> Units<'a> {
    /// The rest, as written.
    fn rest(&self) -> Encoded<'a> {
        encoded(self.part.as_str().get(self.at..).unwrap_or_default())
    }
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let start = self.at;
        let written = self.part.as_str().as_bytes().get(start..)?;
        let first = *written.first()?;
        let (octet, length) = match first {
            b'%' => (self.rest().decode().octets().next()?, 3),
            octet => (octet, 1),
        };
        self.at = start + length;
        Some(Unit {
            octet,
            start,
            end: self.at,
        })
    }
}

/// What precedes and follows the first `octet`, which is US-ASCII, escaped or not.
pub(super) fn split_at_octet(part: Encoded<'_>, octet: u8) -> Option<(Encoded<'_>, Encoded<'_>)> {
    let unit = units(part).find(|unit| unit.octet == octet)?;
    let text = part.as_str();
    let (before, after) = (text.get(..unit.start)?, text.get(unit.end..)?);
    Some((encoded(before), encoded(after)))
}

/// What follows these US-ASCII octets if the part begins with them, escaped or not.
pub(super) fn strip_octets<'a>(part: Encoded<'a>, octets: &[u8]) -> Option<Encoded<'a>> {
    let mut units = units(part);
    for octet in octets {
        if units.next()?.octet != *octet {
            return None;
        }
    }
    Some(units.rest())
}
