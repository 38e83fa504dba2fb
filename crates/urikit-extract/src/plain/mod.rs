//! Links in plain text.
//!
//! [`Finder`] looks for candidates (a colon that may end a scheme; with the guesses enabled, also
//! a dot or an `@`) and decides at each of them whether it is in a link. The layers, from the top:
//!
//! | module | what it does |
//! |---|---|
//! | `stream` | the same for text that arrives in pieces |
//! | `finder` | options, and the loop over the candidates |
//! | `find`, `guess` | is there a link at this candidate? With a scheme, and without one |
//! | `indicator`, `defang` | the same for what is written to be no link |
//! | `wrapped`, `leader`, `bare` | where the link ends: at its wrapper, or by its characters |
//! | `scan`, `brackets` | the end of its path, query and fragment |
//! | `authority`, `adjacent` | where a host ends; where another link begins within one |
//! | `scheme`, `opaque` | which names count; what follows them without slashes |
//! | `entity`, `escape`, `term` | which entities, escapes and characters count |
//! | `candidate`, `colon` | the next candidate, found with the core's scanner |
//! | `input` | the text, of which more may follow |

mod adjacent;
mod authority;
mod bare;
mod brackets;
mod candidate;
mod colon;
mod defang;
mod entity;
mod escape;
mod find;
mod finder;
mod guess;
mod indicator;
mod input;
mod leader;
mod opaque;
mod outcome;
mod scan;
mod scheme;
mod stream;
mod term;
mod wrapped;

pub use colon::Colons;
pub use finder::{Finder, Links};
pub use stream::Stream;
