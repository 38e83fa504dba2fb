//! RFC 1630's partial forms that begin with slashes.

use alloc::vec;

/// The shortest suffix of `target` that begins with slashes and resolves to it against `context`,
/// as the offset at which it begins.
///
/// It resolves to the target if the context has the same text before it, and there its first run
/// of exactly as many slashes. A table by length has the first run of each, so time and memory are
/// linear.
pub(super) fn shared_run(context: &str, target: &str) -> Option<usize> {
    let (context, target) = (context.as_bytes(), target.as_bytes());
    let same = (context.iter().zip(target))
        .take_while(|(a, b)| a == b)
        .count();
    let mut seen = vec![false; longest_run(context) + 1];
    let mut found = None;
    let mut at = 0;
    while at <= same {
        let length = run(context, at);
        if length > 0
            && let Some(seen) = seen.get_mut(length)
        {
            if !*seen && run(target, at) == length {
                found = Some(at);
            }
            *seen = true;
        }
        at += length.max(1);
    }
    found
}

/// The number of slashes from `at` on.
fn run(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().take_while(|byte| **byte == b'/').count()
}

fn longest_run(text: &[u8]) -> usize {
    text.split(|byte| *byte != b'/')
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0)
}
