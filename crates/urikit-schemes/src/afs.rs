//! `afs`: a scheme name without a syntax.
//!
//! ```text
//! afsaddress = a f s : / / cellname / path      RFC 1630: "left in as historical note, but is not a url production"
//! ```
//!
//! RFC 1738, 4, reserves the name for "Andrew File System global file names" and does "not define
//! their syntax or use". So the scheme is known, but no reference is a URL of it.

use super::builtin::{Builtin, named};
use super::{Edition, Facts, ReadError, facts};
use urikit::AnyRef;

const FACTS: Facts<'static> = facts("afs");

pub(super) static AFS: Builtin = Builtin {
    facts: FACTS,
    check,
    #[cfg(feature = "alloc")]
    details: |reference, edition| Err(refuse(reference, edition)),
};

fn check(reference: AnyRef<'_>, edition: Edition) -> Result<(), ReadError> {
    Err(refuse(reference, edition))
}

fn refuse(reference: AnyRef<'_>, _edition: Edition) -> ReadError {
    match named(reference, FACTS.name) {
        Ok(()) => ReadError::NoSyntax,
        Err(error) => error,
    }
}
