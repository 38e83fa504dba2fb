//! What `urikit.urllib.parse` does in loops over the characters of a text: splitting, escaping and
//! decoding, as CPython's `urllib.parse` does.

pub(crate) mod pairs;
pub(crate) mod quote;
pub(crate) mod split;
