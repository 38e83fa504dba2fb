//! What became of an access.

use crate::sink::Known;

/// What became of an access.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Meta {
    /// What was asked for, as written.
    pub uri: String,
    /// Where it finally came from, without a fragment.
    pub final_uri: String,
    /// The fragment: the last that was given on the way.
    pub fragment: Option<String>,
    /// The scheme that it finally came by.
    pub scheme: String,
    /// What is known of it.
    pub known: Known,
    /// How many bytes came, with the ones that were there before.
    pub received: u64,
    /// What was done, secrets masked.
    pub steps: Vec<String>,
}
