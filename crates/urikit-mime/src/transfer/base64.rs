//! Base64 in mail (RFC 2045, 6.8).

use super::{Run, skipped};
use crate::base64::Group;

/// How many octets are reported at once: those of 64 characters.
const PIECE: usize = 48;

#[derive(Clone, Default, Debug)]
pub(super) struct Decoder {
    group: Group,
    /// The characters since the group began, with those outside the alphabet.
    span: usize,
}

impl Decoder {
    pub(super) fn push(&mut self, mut piece: &[u8], each: &mut impl FnMut(Run<'_>)) {
        loop {
            if self.group.count == 0 {
                piece = groups(piece, each);
            }
            let Some((character, rest)) = piece.split_first() else {
                return;
            };
            self.character(*character, each);
            piece = rest;
        }
    }

    /// Takes a character that does not begin a complete group.
    fn character(&mut self, character: u8, each: &mut impl FnMut(Run<'_>)) {
        if self.group.push(character) {
            self.span += 1;
            if self.group.count == 4 {
                self.end(each);
            }
        } else if self.group.count == 0 {
            each(Run::Skipped(1));
        } else if character == b'=' {
            self.end(each);
            each(Run::Skipped(1));
        } else {
            self.span += 1;
        }
    }

    /// Ends a group.
    fn end(&mut self, each: &mut impl FnMut(Run<'_>)) {
        let (octets, count) = self.group.take();
        match octets.get(..count) {
            Some(octets) if count > 0 => each(Run::Replaced(self.span, octets)),
            _ => skipped(self.span, each),
        }
        self.span = 0;
    }

    pub(super) fn finish(mut self, each: &mut impl FnMut(Run<'_>)) {
        self.end(each);
    }
}

/// Reads the complete groups at the beginning of a piece, and returns the rest.
fn groups<'a>(mut piece: &'a [u8], each: &mut impl FnMut(Run<'_>)) -> &'a [u8] {
    loop {
        let (mut octets, mut count) = ([0; PIECE], 0);
        for out in octets.as_chunks_mut::<3>().0 {
            let Some((characters, rest)) = piece.split_first_chunk::<4>() else {
                break;
            };
            let Some(group) = Group::read(*characters) else {
                break;
            };
            *out = group;
            count += 3;
            piece = rest;
        }
        if count > 0 {
            each(Run::Groups(octets.get(..count).unwrap_or_default()));
        }
        if count < PIECE {
            return piece;
        }
    }
}
