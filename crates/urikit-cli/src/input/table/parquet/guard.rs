//! Calls of the library, which panics about some damaged files.

use super::super::records::invalid;
use parquet::errors::{ParquetError, Result as ParquetResult};
use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// Runs `work`, which reads what may be anything; a panic of the library is an error too.
pub(super) fn guarded<T>(work: impl FnOnce() -> ParquetResult<T>) -> io::Result<T> {
    let Some(result) = unless_it_panics(work) else {
        return Err(invalid("not valid Parquet"));
    };
    result.map_err(|error| match error {
        ParquetError::General(message) if message.contains("Disabled feature") => {
            let codec = message.rsplit(' ').next().unwrap_or_default();
            invalid(format!(
                "it is compressed by {codec}, which is not supported"
            ))
        }
        ParquetError::EOF(message) | ParquetError::General(message) => {
            invalid(format!("not valid Parquet: {message}"))
        }
        other => invalid(other.to_string()),
    })
}

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// The result of `work`; `None` if it panics, about which nothing is printed.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                print(panic);
            }
        }));
    });
    IS_GUARDED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(false);
    outcome.ok()
}
