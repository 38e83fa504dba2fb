//! A body on its way to the output.

use crate::error::{ErrorKind, Result};
use crate::http1::Exchange;

/// Passes all bytes of a body to `give`. `max` is the announced number, if any.
pub(super) fn read(
    exchange: &mut Exchange,
    max: Option<u64>,
    give: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut received = 0_u64;
    while let Some(bytes) = exchange.chunk()? {
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if let Some(expected) = max.filter(|max| *max - received < count) {
            return Err(exchange.failed(ErrorKind::TooManyBytes { expected }));
        }
        give(&bytes)?;
        received = received.saturating_add(count);
    }
    if max.is_some_and(|max| received < max) {
        let expected = max;
        return Err(exchange.failed(ErrorKind::EndedEarly { expected, received }));
    }
    Ok(())
}
