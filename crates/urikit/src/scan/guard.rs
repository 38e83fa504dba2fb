//! Tests that nothing past the end of an input is read: inputs that end where a page of memory
//! does, with an inaccessible page after it.
//!
//! `tests/memory.rs` checks each byte that is read with valgrind, which does not support AVX-512.
//! A guard page works for all versions; bytes that an AVX-512 load leaves out don't cause a fault.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)] // a test fails by panicking

use super::Level;
use super::tests::{every_mask, masks_of_any_length};
use super::text::{Region, Set, runs_at_level};
use super::unescape::unescape_utf8_at;
use crate::grammar::ByteSet;
use alloc::vec::Vec;
use core::ffi::c_void;
use core::ptr;
use core::slice;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// At least the size of a page on x86-64 and AArch64.
const PAGE: usize = 0x1_0000;

/// An accessible page, followed by an inaccessible one.
struct Guarded(*mut c_void);

impl Guarded {
    fn new() -> Self {
        // SAFETY: the mapping is new, so nothing else refers to it. Its second half is not
        // accessed from here on.
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

    /// Copies `text` so that it ends where the accessible page does.
    fn copy_to_end(&mut self, text: &[u8]) -> &[u8] {
        assert!(text.len() <= PAGE);
        // SAFETY: the first page is readable and writable, and is borrowed as long as `self` is.
        let page = unsafe { slice::from_raw_parts_mut(self.0.cast::<u8>(), PAGE) };
        let start = PAGE - text.len();
        page[start..].copy_from_slice(text);
        &page[start..]
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: both pages were mapped by `new`, and nothing borrows them any more.
        unsafe { munmap(self.0, 2 * PAGE).unwrap() }
    }
}

#[test]
fn nothing_past_the_end_is_read() {
    let mut guarded = Guarded::new();
    let letters = Set::new(ByteSet::range(b'a', b'z'));
    for length in 0..=300 {
        let text: Vec<u8> = b"a%41/b:c?%C3%A9+d"
            .iter()
            .copied()
            .cycle()
            .take(length)
            .collect();
        let guarded_text = guarded.copy_to_end(&text);
        for level in Level::all() {
            assert_eq!(every_mask(level, guarded_text), every_mask(level, &text));
            assert_eq!(
                masks_of_any_length(level, guarded_text),
                masks_of_any_length(level, &text)
            );
            assert_eq!(
                runs_at_level(level, guarded_text, &letters, &letters),
                runs_at_level(level, &text, &letters, &letters)
            );
            let (mut guarded_region, mut region) = (Region::default(), Region::default());
            guarded_region.look_at_level(level, guarded_text, 0, b'%', b'C');
            region.look_at_level(level, &text, 0, b'%', b'C');
            assert_eq!(guarded_region.masks, region.masks);
            let guarded_text = core::str::from_utf8(guarded_text).unwrap();
            let text = core::str::from_utf8(&text).unwrap();
            assert_eq!(
                unescape_utf8_at(level, guarded_text, true),
                unescape_utf8_at(level, text, true)
            );
        }
    }
}
