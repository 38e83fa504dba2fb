//! Sentences that contain code.

use askama::Template;

/// The pieces of a sentence, each with its text and whether it is code.
#[derive(Template)]
#[template(path = "words.html")]
struct Words<'a> {
    pieces: Vec<(bool, &'a str)>,
}

/// Renders a sentence as HTML. Text between backticks is code.
pub(super) fn html(sentence: &str) -> String {
    let pieces = sentence.split('`').enumerate();
    let pieces = pieces.map(|(at, piece)| (at % 2 == 1, piece)).collect();
    // Writing to memory does not fail.
    Words { pieces }.render().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn backticks_become_code() {
        let html = super::html("found `<`, a `");
        assert_eq!(html, "found <code>&#60;</code>, a <code></code>");
    }
}
