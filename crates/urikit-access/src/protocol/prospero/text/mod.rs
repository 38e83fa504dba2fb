//! The text of requests and answers: the Prospero protocol, version 5.
//!
//! ```text
//! LINK  L FILE two.txt INTERNET-D h.dom(1526) ASCII '/two words' 0      a link of a directory
//! ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 4' bytes'                    of the link, or the object
//! ```
//!
//! Lines end in LF, and words are separated by blanks and tabs. A quoted part of a word, between
//! apostrophes, may contain both and line ends; in it, two apostrophes are one. Reading is
//! tolerant: unknown lines are returned as such, and words that are missing at the end of a line
//! are empty.

mod lines;
mod record;
mod words;

pub use lines::Lines;
pub use record::{Attribute, Link, Place, Record, ValueType};
pub use words::{Unreadable, Word, quote, words};
