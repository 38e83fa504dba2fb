//! Defanged indicators: URLs, hosts and addresses of attackers, written so that nobody follows them
//! by mistake: `hxxp://a[.]example`, `a(dot)example`, `https[:]//a.example`, `jo[@]a.example`.
//!
//! They are no links, and the search for links leaves them out. Only when enabled are they found:
//! the word around a mark is read again without its marks, and what is found there is reported as
//! written, and refanged.

use super::input::Input;

/// What is written in the place of a mark, ignoring case.
const MARKS: [(&[u8], &str); 24] = [
    (b"[.]", "."),
    (b"(.)", "."),
    (b"{.}", "."),
    (b"[dot]", "."),
    (b"(dot)", "."),
    (b"{dot}", "."),
    (b"[.", "."),
    (b"[:]", ":"),
    (b"(:)", ":"),
    (b"{:}", ":"),
    (b"[://]", "://"),
    (b"(://)", "://"),
    (b"{://}", "://"),
    (b"[:/]", ":/"),
    (b"[/]", "/"),
    (b"[//]", "//"),
    (b"[@]", "@"),
    (b"(@)", "@"),
    (b"{@}", "@"),
    (b"[at]", "@"),
    (b"(at)", "@"),
    (b"{at}", "@"),
    (b"[dash]", "-"),
    (b"[-]", "-"),
];

/// Schemes that are written in the place of others.
const SCHEMES: [(&[u8], &str); 8] = [
    (b"hxxps", "https"),
    (b"hxxp", "http"),
    (b"hxtps", "https"),
    (b"hxtp", "http"),
    (b"htxps", "https"),
    (b"htxp", "http"),
    (b"fxps", "ftps"),
    (b"fxp", "ftp"),
];

/// Whether a dot, or a mark in its place, is written defanged at this offset, so that a host goes
/// on.
pub(crate) fn is_dot(text: &Input<'_>, at: usize) -> bool {
    if !matches!(text.at(at), Some(b'[' | b'(' | b'{')) {
        return false;
    }
    let dots = MARKS
        .iter()
        .filter(|(mark, became)| *became == "." && mark.len() > 2);
    dots.into_iter().any(|(mark, _)| text.has(at, mark))
}

/// Whether a scheme is a defanged one.
pub(crate) fn is_scheme(name: &[u8]) -> bool {
    SCHEMES
        .iter()
        .any(|(scheme, _)| name.eq_ignore_ascii_case(scheme))
}

/// Whether a mark begins at this offset.
pub(crate) fn is_mark(text: &Input<'_>, at: usize) -> bool {
    MARKS.iter().any(|(mark, _)| text.has(at, mark))
}

/// A word without its marks.
pub(crate) struct Refanged {
    pub(crate) text: String,
    /// For each mark: where it begins and ends in the word, and where what it stands for begins and
    /// ends in the text.
    marks: Vec<[usize; 4]>,
}

impl Refanged {
    pub(crate) fn new(word: &str) -> Self {
        let input = Input::new(word.as_bytes(), true);
        let mut text = String::with_capacity(word.len());
        let mut marks = Vec::new();
        let (mut at, mut kept) = (0, 0);
        while at < word.len() {
            let has = |(mark, _): &&(&[u8], &str)| input.has(at, mark);
            let is_start = input
                .before(at)
                .is_none_or(|before| !before.is_ascii_alphanumeric());
            let found = match input.at(at) {
                Some(b'[' | b'(' | b'{') => MARKS.iter().find(has),
                Some(b'h' | b'H' | b'f' | b'F') if is_start => SCHEMES.iter().find(|scheme| {
                    has(scheme)
                        && matches!(
                            input.at(at + scheme.0.len()),
                            Some(b':' | b'[' | b'(' | b'{')
                        )
                }),
                _ => None,
            };
            let Some((mark, became)) = found else {
                at += 1;
                continue;
            };
            text.push_str(word.get(kept..at).unwrap_or_default());
            let start = text.len();
            text.push_str(became);
            marks.push([at, at + mark.len(), start, text.len()]);
            at += mark.len();
            kept = at;
        }
        text.push_str(word.get(kept..).unwrap_or_default());
        Self { text, marks }
    }

    /// The offset in the word for one in the text: within what a mark stands for, its end.
    pub(crate) fn written(&self, offset: usize) -> usize {
        let passed = self
            .marks
            .iter()
            .rev()
            .find(|[_, _, start, _]| *start < offset);
        match passed {
            None => offset,
            Some([_, end, _, became]) => end + offset.saturating_sub(*became),
        }
    }

    /// The offset in the text for one in the word: within a mark, the beginning of what it stands
    /// for.
    pub(crate) fn refanged(&self, offset: usize) -> usize {
        let passed = self.marks.iter().rev().find(|[start, ..]| *start <= offset);
        match passed {
            None => offset,
            Some([_, end, start, _]) if offset < *end => *start,
            Some([_, end, _, became]) => became + offset - end,
        }
    }
}
