//! `--state`: the progress of a run, so that a run that was killed can be continued.
//!
//! The file is a journal. Its first line names the format and the run. Each answer of a server is a
//! frame that is appended with one write, so after a kill at any moment the file consists of
//! complete frames and at most one that is cut, which is dropped:
//!
//! ```text
//! frame   = length check checksum payload
//! length  = 4 bytes, little-endian: the length of the payload
//! check   = 4 bytes: the inverted length, so that a damaged length is noticed
//! checksum = 8 bytes: XXH3 of the payload
//! payload = a JSON object, a line feed, and the content of the page (raw DEFLATE)
//! ```
//!
//! The answers stay in the file: memory only has an offset for each URL. The contents of pages are
//! kept, because a page may be asked for a fragment, or for its links, after the run continues.

mod error;
mod journal;
mod prober;
mod record;

pub use error::StateError;
pub use prober::State;
