//! Functions that `bench.mjs` calls. Text is passed in a buffer in the WebAssembly module's memory.

use std::slice;
use urikit::Uri;

/// Returns a buffer that is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    vec![0; length].leak().as_mut_ptr()
}

/// Limits the scanner to the portable level. Returns false if no other level was available.
#[unsafe(no_mangle)]
pub extern "C" fn limit_to_portable() -> bool {
    let _ = Uri::parse("http://a.example/b");
    let had_scanner = urikit::scanner_level() == "simd128";
    urikit::limit_scanner("portable");
    had_scanner
}

/// Parses a URL. Writes the end offsets of the scheme, the host and the path to `out`, and returns
/// whether the URL is valid.
///
/// # Safety
///
/// `text` must point to `length` bytes, and `out` must have room for three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn parse(text: *const u8, length: usize, out: *mut [u32; 3]) -> bool {
    // SAFETY: by this function's contract, the bytes exist.
    let text = unsafe { slice::from_raw_parts(text, length) };
    let Some(uri) = str::from_utf8(text)
        .ok()
        .and_then(|text| Uri::parse(text).ok())
    else {
        return false;
    };
    let end = |part: &str| (part.as_ptr().addr() + part.len() - text.as_ptr().addr()) as u32;
    let host = uri
        .authority()
        .map_or(0, |authority| end(authority.host().as_str()));
    // SAFETY: by this function's contract, `out` has room for the numbers.
    unsafe { *out = [end(uri.scheme()), host, end(uri.path().as_str())] };
    true
}

/// Parses all lines in the text, and returns the number of valid URLs.
///
/// # Safety
///
/// `text` must point to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn parse_lines(text: *const u8, length: usize) -> usize {
    // SAFETY: by this function's contract, the bytes exist.
    let text = unsafe { slice::from_raw_parts(text, length) };
    let text = str::from_utf8(text).unwrap_or_default();
    text.lines()
        .filter(|line| Uri::parse(*line).is_ok())
        .count()
}
