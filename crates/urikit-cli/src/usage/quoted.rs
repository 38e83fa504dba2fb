//! Passwords of the command line in a message that quotes it.

use crate::mask::{MASK, Masked, mask};
use std::ops::Range;

/// `text` without the passwords of the arguments, of the gateways in the environment, and of
/// whatever else looks like a reference.
pub(super) fn masked(text: &str) -> String {
    let arguments = std::env::args_os().skip(1);
    let gateways = std::env::var_os("URI_GATEWAYS");
    let given = arguments.chain(gateways);
    let given = given.map(|text| text.to_string_lossy().into_owned());
    masked_of(text, given)
}

/// The same, for these arguments.
fn masked_of(text: &str, given: impl Iterator<Item = String>) -> String {
    let mut text = text.to_owned();
    for argument in given.filter(|argument| argument.contains('@')) {
        hide(&mut text, &argument);
        // What is not a reference may have one in it (`wais=http:/…`), or a login (`x:/user:…`).
        for part in argument.split(['=', '/', ' ', '{', '}']) {
            hide(&mut text, part);
        }
    }
    // Word by word: a colon in the message begins no password.
    let words = text.split_inclusive([' ', '\n']);
    words.map(|word| mask(word, false)).collect()
}

/// Masks the passwords of `argument` in `text`.
fn hide(text: &mut String, argument: &str) {
    for Range { start, end } in Masked::new(argument, false).secrets() {
        let before = argument
            .get(..start)
            .and_then(|text| text.chars().next_back());
        let after = argument.get(end..).and_then(|text| text.chars().next());
        let (Some(secret), Some(before), Some(after)) = (argument.get(start..end), before, after)
        else {
            continue;
        };
        // With its delimiters: a short password may be part of any word.
        let from = format!("{before}{secret}{after}");
        *text = text.replace(&from, &format!("{before}{MASK}{after}"));
    }
}

#[cfg(test)]
mod tests {
    use super::masked_of;

    #[test]
    fn only_the_password_is_masked() {
        for (argument, message, shown) in [
            ("u:secret@h", "found 'u:secret@h'", "found 'u:***@h'"),
            (
                "!a=u:e@h",
                "value '!a=u:e@h' here",
                "value '!a=u:***@h' here",
            ),
            (
                "x=y:/u:s@h/",
                "the gateway `x=y:/u:s@h/`",
                "the gateway `x=y:/u:***@h/`",
            ),
            (
                "http://u:a\nb@h",
                "found\n'http://u:a\nb@h'\n",
                "found\n'http://u:***@h'\n",
            ),
            (
                "http://h/",
                "found 'http://h/' x:y",
                "found 'http://h/' x:y",
            ),
        ] {
            assert_eq!(masked_of(message, [argument.to_owned()].into_iter()), shown);
        }
    }
}
