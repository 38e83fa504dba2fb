//! RFC 1630's partial forms that begin with slashes.

use alloc::vec;

/// What of `target` begins with slashes and stands for what precedes it in `context`: the shortest
/// such end, as the place where it begins.
///
/// It resolves to the target where the context has the same before, and there its first run of
/// exactly as many slashes. One table by length tells which run is the first, so that time and
/// memory are linear.
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

/// How many slashes stand from `at` on.
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
