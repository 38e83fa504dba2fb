//! Finds the ids in reStructuredText: those that docutils makes from section titles and explicit
//! targets.

use super::slug::{Slugger, slug};
use super::{Anchors, Profile};

/// Adds the ids in a document.
pub(super) fn read(document: &str, anchors: &mut Anchors) {
    let mut slugger = Slugger::new(Profile::Sphinx);
    let mut previous = "";
    for line in document.lines() {
        let line = line.trim_end();
        if is_adornment(line) && is_title(previous) && length(line) >= length(previous.trim_start())
        {
            let id = slugger.id(&unescaped(previous.trim()));
            anchors.add_heading(id);
            previous = "";
            continue;
        }
        let target = line.trim_start().strip_prefix(".. _");
        if let Some((name, _)) = target.and_then(|target| target.split_once(':')) {
            anchors.add(slug(Profile::Sphinx, name.trim_matches('`')));
        }
        previous = line;
    }
}

/// Returns true for a line that consists of one repeated punctuation character.
fn is_adornment(line: &str) -> bool {
    let mut bytes = line.bytes();
    let Some(first) = bytes.next() else {
        return false;
    };
    first.is_ascii_punctuation() && bytes.all(|byte| byte == first)
}

/// Returns true if a line can be a title: it has text, and is not an adornment itself. An
/// adornment of fewer than four characters is text.
fn is_title(line: &str) -> bool {
    !line.trim().is_empty() && (!is_adornment(line) || line.len() < 4)
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// Removes the escapes from a title.
fn unescaped(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    let mut characters = title.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => out.extend(characters.next().filter(|c| !c.is_whitespace())),
            c => out.push(c),
        }
    }
    out
}
