//! Results as JSON objects. The keys and their order are a public interface; each shared key is
//! written in one place.

mod details;
mod error;
mod object;
mod pairs;
mod plan;
mod reading;
mod repaired;

pub(crate) use object::Object;
pub(crate) use pairs::{AMPERSAND, QueryPairs};
pub(crate) use plan::Steps;
pub(crate) use reading::{Record, Unread};
