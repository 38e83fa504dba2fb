//! Ports.

use crate::reading::Reading;
use std::borrow::Cow;

/// Whether both have the same port; the default of the scheme where there is none. Two readings
/// without a port agree, also if their schemes differ: that is a dispute of its own.
pub(crate) fn same_port(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    a.port == b.port || given(a) == given(b) || port_text(a) == port_text(b)
}

/// The port as given, without leading zeros.
fn given<'a>(reading: &'a Reading<'_>) -> &'a str {
    let text = reading.port.as_deref().unwrap_or_default();
    match text.trim_start_matches('0') {
        "" if !text.is_empty() => "0",
        digits => digits,
    }
}

/// The port as it is compared; empty if the scheme has no default.
pub(crate) fn port_text<'a>(reading: &'a Reading<'_>) -> Cow<'a, str> {
    match given(reading) {
        "" => {
            let number = reading.port_number();
            number.map_or(Cow::Borrowed(""), |number| Cow::Owned(number.to_string()))
        }
        given => Cow::Borrowed(given),
    }
}
