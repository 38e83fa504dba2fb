//! Blocks of four registers, for every kind of register.
//!
//! As with AVX-512, bytes past the end of the input are zeros, so inputs of all lengths take the
//! same path through the code. The registers of a shorter block are assembled once, when the block
//! is loaded. Otherwise, each mask of the block would have to be shifted.

use super::super::compress;
use super::super::scanner::{Escapes, OutBuffer, Rest, Sealed, nth};
use super::super::{BLOCK, Block, Lengths, Nibbles, Scanner, Work};
use core::marker::PhantomData;

/// A register of 16 bytes.
pub(super) trait Register: Copy {
    /// Returns the registers of a block, in the arrangement for [`mask`](Self::mask).
    fn read(block: &[u8; BLOCK]) -> [Self; 4];
    /// Returns the registers of a block from registers that contain its bytes in order.
    fn arrange(ordered: [Self; 4]) -> [Self; 4];
    /// Writes the registers of a block.
    fn write(registers: [Self; 4], block: &mut [u8; BLOCK]);
    /// Returns a register with these bytes.
    fn load(bytes: &[u8; 16]) -> Self;
    /// Returns the eight bytes of `low`, the lowest first, and then those of `high`.
    fn from_halves(low: u64, high: u64) -> Self;
    /// Moves each byte down by `count` lanes, modulo 256. Lanes into which no byte moves become 0.
    fn shift(self, count: u8) -> Self;
    /// Returns the bits that are set in both registers.
    fn and(self, other: Self) -> Self;
    /// Returns the bits that are set in either register.
    fn or(self, other: Self) -> Self;
    /// Returns 0xFF for each byte equal to `byte`, and 0 for the others.
    fn is(self, byte: u8) -> Self;
    /// Returns 0xFF for each byte in the set, and 0 for the others.
    fn is_member(self, set: &Nibbles) -> Self;
    /// Returns the highest bit of each byte of a block.
    fn mask(registers: [Self; 4]) -> u64;
    /// Returns the bytes of `there` in lanes with 0xFF, and those of `elsewhere` in lanes with 0.
    fn select(self, there: Self, elsewhere: Self) -> Self;
    /// Returns the octets of escapes from their digits. Other bytes give unspecified octets.
    fn octets(first: Self, second: Self) -> Self;
    /// Selects the bytes, out of eight, whose bits in `mask` are set, and packs them at the low
    /// end.
    fn compress(bytes: u64, mask: u8) -> u64;
}

/// A block.
#[derive(Clone, Copy)]
pub(super) struct Quad<R> {
    /// INVARIANT: bytes past the end of the input are zero.
    registers: [R; 4],
    /// The bytes within the input.
    within: u64,
}

impl<R: Register> Quad<R> {
    /// Returns the bytes that begin at `start`, at most one block.
    #[inline(always)]
    fn read(text: &[u8], start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        if let Some(block) = rest.first_chunk() {
            return Self {
                registers: R::read(block),
                within: u64::MAX,
            };
        }
        Self {
            registers: R::arrange(ordered(rest)),
            within: !(u64::MAX << rest.len()),
        }
    }
}

/// Returns the bytes of an input that is shorter than a block, in order. The last bytes are loaded
/// with registers that end where the input ends, and then moved to their places.
#[inline(always)]
fn ordered<R: Register>(rest: &[u8]) -> [R; 4] {
    let zero = R::from_halves(0, 0);
    #[allow(clippy::cast_possible_truncation)] // below 64
    let length = rest.len() as u8;
    if let (Some(first), Some(last)) = (rest.first_chunk::<32>(), rest.last_chunk::<32>()) {
        let [[one, two], [three, four]]: [[R; 2]; 2] = [first, last].map(halves);
        let count = 64 - length;
        let third = three.shift(count).or(four.shift(count.wrapping_sub(16)));
        [one, two, third, four.shift(count)]
    } else if let (Some(first), Some(last)) = (rest.first_chunk::<16>(), rest.last_chunk::<16>()) {
        let second = R::load(last).shift(32 - length);
        [R::load(first), second, zero, zero]
    } else {
        let (low, high) = up_to_16(rest);
        [R::from_halves(low, high), zero, zero, zero]
    }
}

/// Loads 32 bytes.
#[inline(always)]
fn halves<R: Register>(bytes: &[u8; 32]) -> [R; 2] {
    let zero = R::from_halves(0, 0);
    match bytes.as_chunks().0 {
        [low, high] => [R::load(low), R::load(high)],
        _ => [zero, zero],
    }
}

/// Returns the bytes of an input of fewer than 16 bytes, followed by zeros, as two numbers with
/// the first byte in the lowest bits.
#[inline(always)]
fn up_to_16(rest: &[u8]) -> (u64, u64) {
    if let (Some(low), Some(high)) = (rest.first_chunk::<8>(), rest.last_chunk::<8>()) {
        // The shift drops the bytes that are already in `low`.
        #[allow(clippy::cast_possible_truncation)] // at most 64
        let read_before = 8 * (16 - rest.len()) as u32;
        let high = u64::from_le_bytes(*high).unbounded_shr(read_before);
        (u64::from_le_bytes(*low), high)
    } else if let (Some(low), Some(high)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        let (low, high) = (u32::from_le_bytes(*low), u32::from_le_bytes(*high));
        let high = u64::from(high) << (8 * (rest.len() - 4));
        (u64::from(low) | high, 0)
    } else {
        let bytes = rest.iter().rev();
        let low = bytes.fold(0, |bytes, byte| bytes << 8 | u64::from(*byte));
        (low, 0)
    }
}

impl<R> Sealed for Quad<R> {}

impl<R: Register> Block for Quad<R> {
    const PREFIX_LEN: usize = BLOCK;

    #[inline(always)]
    fn is(self, byte: u8) -> u64 {
        let is = R::mask(self.registers.map(|register| register.is(byte)));
        // Bytes past the end of the input are zero.
        if byte == 0 { is & self.within } else { is }
    }

    #[inline(always)]
    fn is_either(self, one: u8, other: u8) -> u64 {
        let is_either = |register: R| register.is(one).or(register.is(other));
        let is_either = R::mask(self.registers.map(is_either));
        if one == 0 || other == 0 {
            is_either & self.within
        } else {
            is_either
        }
    }

    #[inline(always)]
    fn are_all(self, set: &Nibbles) -> bool {
        self.members(set) == self.within
    }

    #[inline(always)]
    fn members(self, set: &Nibbles) -> u64 {
        let members = R::mask(self.registers.map(|register| register.is_member(set)));
        // Bytes past the end of the input are zero, as in `is`. No set of a grammar contains the
        // byte 0, so the compiler removes this branch.
        if set.has_zero() {
            members & self.within
        } else {
            members
        }
    }

    #[inline(always)]
    fn prefix(self) -> Self {
        self
    }
}

/// The scanner for one kind of register.
#[derive(Clone, Copy)]
struct Reader<R>(PhantomData<R>);

impl<R> Sealed for Reader<R> {}

impl<R: Register> Scanner for Reader<R> {
    type Block = Quad<R>;
    const FOR_SPEED: bool = true;

    #[inline(always)]
    fn first(self, text: &[u8]) -> Quad<R> {
        Quad::read(text, 0)
    }

    #[inline(always)]
    fn any(self, text: &[u8]) -> Quad<R> {
        Quad::read(text, 0)
    }

    #[inline(always)]
    fn later(self, text: &[u8], start: usize) -> Quad<R> {
        Quad::read(text, start)
    }

    #[inline(always)]
    fn not_followed_by(self, text: &[u8], start: usize, byte: u8, not: u8) -> u64 {
        let [block, next] = [start, start + 1].map(|start| {
            let block = text.get(start..).and_then(<[u8]>::first_chunk);
            assert!(block.is_some());
            block.map_or([R::from_halves(0, 0); 4], R::read)
        });
        let mut found = block;
        for (register, next) in found.iter_mut().zip(next) {
            *register = next.is(not).select(R::from_halves(0, 0), register.is(byte));
        }
        R::mask(found)
    }

    #[inline(always)]
    fn nth(self, mask: u64, below: u32) -> u32 {
        nth(mask, below)
    }

    #[inline(always)]
    fn unescape_block(
        self,
        text: &[u8],
        start: usize,
        escapes: Escapes,
        out: &mut OutBuffer,
    ) -> bool {
        let [block, first, second] = [0, 1, 2].map(|next| Quad::<R>::read(text, start + next));
        let (mut bytes, mut octets) = (block.registers, first.registers);
        let registers = bytes.iter_mut().zip(&mut octets).zip(second.registers);
        for ((byte, first), second) in registers {
            let percent = byte.is(b'%');
            let octet = R::octets(*first, second);
            let space = R::load(&[b' '; 16]);
            if escapes.plus {
                *byte = byte.is(b'+').select(space, *byte);
            }
            *byte = percent.select(octet, *byte);
            *first = percent.and(octet);
        }
        let mut decoded = [0; BLOCK];
        R::write(bytes, &mut decoded);
        compress::block(&decoded, escapes.kept, out, R::compress);
        R::mask(octets) != 0
    }

    #[inline(always)]
    fn read_rest<A: Rest>(self, text: &[u8], first: A::Output) -> Option<A::Output> {
        A::read(self, text, first)
    }

    // These processors prefetch sequential reads themselves.
    #[inline(always)]
    fn prefetch(self, _: &[u8], _: usize) {}
}

/// Runs `work`. Returns `None` if the input is empty and the work needs at least one byte.
#[inline(always)]
pub(super) fn run<R: Register, W: Work>(work: W) -> Option<W::Output> {
    let is_for_input = match W::LENGTHS {
        Lengths::Any => true,
        Lengths::Register | Lengths::Wide => !work.text().is_empty(),
        // Like AVX-512, this scanner never runs narrow tasks, and must not be compiled for them.
        Lengths::Narrow => false,
    };
    if is_for_input {
        work.run(Reader(PhantomData::<R>))
    } else {
        None
    }
}
