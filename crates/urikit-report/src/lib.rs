//! The results of parsing, explaining, comparing, auditing and converting references, as records
//! that `serde` serializes.
//!
//! The `uri` command prints these records with `--json`, and its pages show the same results. The
//! crate neither parses arguments nor reads files, and uses no threads and no terminal, so a server
//! can use it too. Records contain passwords, because they are data. Methods with the argument
//! `show_secrets` return text for people, in which passwords are masked by default.
//!
//! | module | results |
//! |---|---|
//! | [`parse`] | components, scheme-specific details, the pairs of the query |
//! | [`explain`] | everything about one reference, as a record and as the sections of a page |
//! | [`base`] | resolution against a base, and relative references |
//! | [`normalize`] | normal forms, and the keys of web archives |
//! | [`compare`] | the level at which two references are equivalent, and their differences |
//! | [`audit`] | disagreements of parsers, and risks |
//! | [`extract`], [`position`] | references in documents, and how they are chosen |
//! | [`percent`] | encoded and decoded text |
//! | [`schemes`] | the known schemes |
//!
//! An input is [`Given`](input::Given), possibly with [`Repairs`](repairs::Repairs). A [`Reader`]
//! parses the input into a [`Reading`](reading::Reading), or reports a
//! [`Failure`](reading::Failure). [`record`] defines the keys that records share, [`json`] writes
//! records as lines, and [`text`] formats pages.
//!
//! ```
//! use urikit_report::compare::Compare;
//! use urikit_report::input::Given;
//! use urikit_report::json;
//!
//! let pair = ["http://example.com/", "http://example.com:80"].map(Given::from);
//! let comparison = Compare::default().compare(pair);
//! let mut line = Vec::new();
//! json::line(&mut line, &comparison.record(), false)?;
//! assert_eq!(
//!     String::from_utf8(line)?,
//!     "{\"a\":\"http://example.com/\",\"b\":\"http://example.com:80\",\"standard\":\"rfc3986\",\
//!      \"valid\":true,\"equivalent\":true,\"by\":\"scheme\",\"error\":null}\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod audit;
pub mod base;
pub mod compare;
pub mod explain;
pub mod extract;
pub mod input;
pub mod json;
pub mod mask;
pub mod normalize;
mod option;
pub mod parse;
pub mod percent;
pub mod position;
pub mod protocols;
pub mod reading;
pub mod record;
pub mod repairs;
pub mod safe;
pub mod schema;
pub mod schemes;
mod standard;
pub mod text;

pub use option::OptionError;
pub use standard::Reader;
