//! Nothing behind the end of a text is read: texts that end where their memory does, and behind them a page that nobody may read.
//!
//! `tests/memory.rs` sees each single byte that is read, by valgrind, which has no AVX-512; a guard is there at every level, and
//! what a mask leaves out is not read.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)] // a test fails by panicking

use super::Level;
use super::tests::{every_mask, masks_of_any_length};
use super::text::{Region, Set, runs_by};
use super::unescape::unescape_utf8_at;
use crate::grammar::ByteSet;
use alloc::vec::Vec;
use core::ffi::c_void;
use core::ptr;
use core::slice;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// No page of any x86-64 or AArch64 is longer.
const PAGE: usize = 0x1_0000;

/// A page, and one behind it that nobody may read.
struct Guarded(*mut c_void);

impl Guarded {
    fn new() -> Self {
        // SAFETY: a new place in memory, which nobody else has; the second half is not read or written from here on.
        let place = unsafe {
            let place = mmap_anonymous(
                ptr::null_mut(),
                2 * PAGE,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE,
            )
            .unwrap();
            mprotect(place.byte_add(PAGE), PAGE, MprotectFlags::empty()).unwrap();
            place
        };
        Self(place)
    }

    /// The text, so that it ends where the page does.
    fn hold(&mut self, text: &[u8]) -> &[u8] {
        assert!(text.len() <= PAGE);
        // SAFETY: that page can be read and written, and is borrowed with `self`.
        let page = unsafe { slice::from_raw_parts_mut(self.0.cast::<u8>(), PAGE) };
        let start = PAGE - text.len();
        page[start..].copy_from_slice(text);
        &page[start..]
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: both pages are from `new`, and nothing borrows them any more.
        unsafe { munmap(self.0, 2 * PAGE).unwrap() }
    }
}

#[test]
fn nothing_behind_the_end_is_read() {
    let mut guarded = Guarded::new();
    let letters = Set::new(ByteSet::range(b'a', b'z'));
    for length in 0..=300 {
        let text: Vec<u8> = b"a%41/b:c?%C3%A9+d"
            .iter()
            .copied()
            .cycle()
            .take(length)
            .collect();
        let held = guarded.hold(&text);
        for level in Level::all() {
            assert_eq!(every_mask(level, held), every_mask(level, &text));
            assert_eq!(
                masks_of_any_length(level, held),
                masks_of_any_length(level, &text)
            );
            assert_eq!(
                runs_by(level, held, &letters, &letters),
                runs_by(level, &text, &letters, &letters)
            );
            let (mut there, mut here) = (Region::default(), Region::default());
            there.look_by(level, held, 0, b'%', b'C');
            here.look_by(level, &text, 0, b'%', b'C');
            assert_eq!(there.masks, here.masks);
            let held = core::str::from_utf8(held).unwrap();
            let text = core::str::from_utf8(&text).unwrap();
            assert_eq!(
                unescape_utf8_at(level, held, true),
                unescape_utf8_at(level, text, true)
            );
        }
    }
}
