//! Notes on what people type: references that are not what was meant, valid or not.

mod forms;
mod hosts;
mod text;

use forms::{drive, missing_colon, misspelt, scp, slashes};
use hosts::{address_alone, host_alone, look_alike, several_hosts, zone};

/// Longer texts are not what people type.
const LONGEST: usize = 4096;

/// The notes on a text.
pub(super) fn typed(text: &str) -> Vec<String> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let (mark, text) = match text.strip_prefix('\u{FEFF}') {
        Some(rest) => {
            let mark = "It begins with a byte-order mark (U+FEFF), which is no part of the \
                        reference: remove it.";
            (Some(mark.to_owned()), rest)
        }
        None => (None, text),
    };
    let form = drive(text)
        .or_else(|| scp(text))
        .or_else(|| missing_colon(text))
        .or_else(|| slashes(text))
        .or_else(|| host_alone(text))
        .or_else(|| address_alone(text))
        .or_else(|| misspelt(text));
    let others = [several_hosts(text), zone(text), look_alike(text)];
    [mark, form].into_iter().chain(others).flatten().collect()
}

/// Whether the text has what only [`typed`] can advise on, and not the offending character.
pub(super) fn is_typed(text: &str) -> bool {
    text.starts_with(['\u{FEFF}', '['])
        || drive(text).is_some()
        || scp(text).is_some()
        || host_alone(text).is_some()
        || several_hosts(text).is_some()
        || zone(text).is_some()
}
