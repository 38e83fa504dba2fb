//! `--state`: records the progress of a run, so that a killed run can be continued.
//!
//! The file is a journal. The first line of the file names the format and the run. Each answer from
//! a server is a frame, which is appended with one write. So if the run is killed at any moment,
//! the file consists of complete frames and at most one incomplete frame, which is dropped. A frame
//! has this form:
//!
//! ```text
//! frame   = length check checksum payload
//! length  = 4 bytes, little-endian: the length of the payload
//! check   = 4 bytes: the inverted length, so that a damaged length is noticed
//! checksum = 8 bytes: XXH3 of the payload
//! payload = a JSON object, a line feed, and the content of the page (raw DEFLATE)
//! ```
//!
//! The answers stay in the file: only an offset for each URL is kept in memory. The file also
//! stores the contents of pages, because the continued run may need their fragments or links.

mod error;
mod journal;
mod prober;
mod record;

pub use error::StateError;
pub use prober::State;
