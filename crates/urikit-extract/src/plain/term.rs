//! Character classes that decide where a link ends.
//!
//! The classes are those of Unicode's UTS #58 (link detection): a link continues over characters
//! to include, over soft punctuation only if more of the link follows, and over a closing bracket
//! only if it contains the opening one; it ends before a hard character. UTS #58 decides for
//! characters beyond US-ASCII; within US-ASCII, RFC 3986 and the way people write around URLs
//! decide.

use urikit::grammar::ByteSet;
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::internal::scan_text::Set;

/// The class of a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    /// Part of a link.
    Include,
    /// Part of a link if more of it follows.
    Soft,
    /// Opens a bracket; the data is the character that closes it.
    Open(char),
    /// Closes a bracket.
    Close,
    /// Ends a link.
    Hard,
}

/// The class of a character.
pub(crate) fn term(c: char) -> Term {
    match c {
        'a'..='z'
        | 'A'..='Z'
        | '0'..='9'
        | '/'
        | '-'
        | '_'
        | '~'
        | '='
        | '&'
        | '#'
        | '%'
        | '+'
        | '$'
        | '@' => Term::Include,
        '.' | ',' | ':' | ';' | '!' | '?' | '\'' | '*' => Term::Soft,
        '(' => Term::Open(')'),
        ')' => Term::Close,
        // In no path, query or fragment: controls, space, quotation marks, `<>`, `[]`, `\^`,
        // backquote, `{|}`.
        '\0'..='\x7F' => Term::Hard,
        _ => non_ascii(c),
    }
}

/// `unreserved` (RFC 3986, 2.3).
pub(crate) static NAME: Set = Set::new(*UNRESERVED.set());

/// The bytes over which the scan continues.
pub(crate) static CONTINUE: Set = Set::new(CONTINUE_BYTES);

const CONTINUE_BYTES: ByteSet = UNRESERVED.set().or(ByteSet::of(b"/=+$@,;!"));

/// Whether a link may end after the character: it is not soft punctuation and does not open a
/// bracket.
pub(crate) fn can_end(c: char) -> bool {
    !matches!(c, '|' | '[' | '{' | '\\') && !matches!(term(c), Term::Soft | Term::Open(_))
}

/// Whether a character that ends a link is invisible in it, or no character at all: U+FFFD is what
/// decoders put in place of other bytes.
pub(crate) const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
        | '\u{FFF0}'..='\u{FFFF}' | '\u{E000}'..='\u{F8FF}')
}

/// Whether the character is of a script that is written without spaces, or attaches particles to
/// words of other scripts: Chinese, Japanese, Korean, Thai, Lao, Khmer, Myanmar.
pub(crate) const fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}'
        | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FFDC}' | '\u{20000}'..='\u{3FFFD}')
}

fn non_ascii(c: char) -> Term {
    match c {
        // White space, including NBSP.
        _ if c.is_whitespace() || c.is_control() => Term::Hard,
        // Not part of words: soft hyphen, ZWSP, word joiners, directional marks.
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFF}'
        // Private use, and noncharacters.
        | '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{E0000}'..='\u{10FFFF}'
        // Quotation marks, except the apostrophe ’, which is in words too.
        | '\u{AB}' | '\u{BB}'
        | '\u{2018}'
        | '\u{201A}'..='\u{201F}'
        | '\u{2039}'
        | '\u{203A}'
        | '\u{2E42}'
        | '\u{301D}'..='\u{301F}'
        | '\u{FF02}' => Term::Hard,
        // Noncharacters of the other planes.
        _ if u32::from(c) & 0xFFFE == 0xFFFE => Term::Hard,
        // The apostrophe; dashes, which a sentence may have after a link.
        '\u{2019}' | '\u{2013}'..='\u{2015}' => Term::Soft,
        _ => match brackets(c) {
            Some(term) => term,
            None if is_punctuation(c) => Term::Soft,
            None => Term::Include,
        },
    }
}

/// Paired brackets (Bidi_Paired_Bracket of Unicode, and its compatibility forms).
fn brackets(c: char) -> Option<Term> {
    const PAIRS: [(char, char); 44] = [
        ('\u{0F3A}', '\u{0F3B}'),
        ('\u{0F3C}', '\u{0F3D}'),
        ('\u{169B}', '\u{169C}'),
        ('\u{2045}', '\u{2046}'),
        ('\u{207D}', '\u{207E}'),
        ('\u{208D}', '\u{208E}'),
        ('\u{2308}', '\u{2309}'),
        ('\u{230A}', '\u{230B}'),
        ('\u{2329}', '\u{232A}'),
        ('\u{2768}', '\u{2769}'),
        ('\u{276A}', '\u{276B}'),
        ('\u{276C}', '\u{276D}'),
        ('\u{276E}', '\u{276F}'),
        ('\u{2770}', '\u{2771}'),
        ('\u{2772}', '\u{2773}'),
        ('\u{2774}', '\u{2775}'),
        ('\u{27C5}', '\u{27C6}'),
        ('\u{27E6}', '\u{27E7}'),
        ('\u{27E8}', '\u{27E9}'),
        ('\u{27EA}', '\u{27EB}'),
        ('\u{27EC}', '\u{27ED}'),
        ('\u{27EE}', '\u{27EF}'),
        ('\u{2983}', '\u{2984}'),
        ('\u{2985}', '\u{2986}'),
        ('\u{2987}', '\u{2988}'),
        ('\u{2989}', '\u{298A}'),
        ('\u{298B}', '\u{298C}'),
        ('\u{2991}', '\u{2992}'),
        ('\u{2993}', '\u{2994}'),
        ('\u{2995}', '\u{2996}'),
        ('\u{2997}', '\u{2998}'),
        ('\u{29FC}', '\u{29FD}'),
        ('\u{3008}', '\u{3009}'),
        ('\u{300A}', '\u{300B}'),
        ('\u{300C}', '\u{300D}'),
        ('\u{300E}', '\u{300F}'),
        ('\u{3010}', '\u{3011}'),
        ('\u{3014}', '\u{3015}'),
        ('\u{3016}', '\u{3017}'),
        ('\u{3018}', '\u{3019}'),
        ('\u{301A}', '\u{301B}'),
        ('\u{FF08}', '\u{FF09}'),
        ('\u{FF3B}', '\u{FF3D}'),
        ('\u{FF5B}', '\u{FF5D}'),
    ];
    const HALF: (char, char) = ('\u{FF62}', '\u{FF63}');
    let mut pairs = PAIRS.iter().chain([&HALF]);
    pairs.find_map(|&(open, close)| {
        if c == open {
            Some(Term::Open(close))
        } else if c == close {
            Some(Term::Close)
        } else {
            None
        }
    })
}

/// Punctuation that ends sentences or clauses (Terminal_Punctuation of Unicode, the scripts of the
/// Basic Multilingual Plane), the ellipsis and the Katakana middle dot.
fn is_punctuation(c: char) -> bool {
    matches!(c,
        '\u{37E}' | '\u{387}' | '\u{589}' | '\u{5C3}' | '\u{60C}' | '\u{61B}'
        | '\u{61D}'..='\u{61F}' | '\u{6D4}' | '\u{700}'..='\u{70A}' | '\u{70C}' | '\u{7F8}'
        | '\u{7F9}' | '\u{830}'..='\u{83E}' | '\u{85E}' | '\u{964}' | '\u{965}' | '\u{E5A}'
        | '\u{E5B}' | '\u{F08}' | '\u{F0D}'..='\u{F12}' | '\u{104A}' | '\u{104B}'
        | '\u{1361}'..='\u{1368}' | '\u{166E}' | '\u{16EB}'..='\u{16ED}' | '\u{1735}'
        | '\u{1736}' | '\u{17D4}'..='\u{17D6}' | '\u{17DA}' | '\u{1802}'..='\u{1805}'
        | '\u{1808}' | '\u{1809}' | '\u{1944}' | '\u{1945}' | '\u{1AA8}'..='\u{1AAB}'
        | '\u{1B5A}' | '\u{1B5B}' | '\u{1B5D}'..='\u{1B5F}' | '\u{1C3B}'..='\u{1C3F}'
        | '\u{1C7E}' | '\u{1C7F}' | '\u{2026}' | '\u{203C}' | '\u{203D}'
        | '\u{2047}'..='\u{2049}' | '\u{2E2E}' | '\u{2E3C}' | '\u{2E41}' | '\u{3001}'
        | '\u{3002}' | '\u{30FB}' | '\u{A4FE}' | '\u{A4FF}' | '\u{A60D}'..='\u{A60F}'
        | '\u{A6F3}'..='\u{A6F7}' | '\u{A876}' | '\u{A877}' | '\u{A8CE}' | '\u{A8CF}'
        | '\u{A92F}' | '\u{A9C7}'..='\u{A9C9}' | '\u{AA5D}'..='\u{AA5F}' | '\u{AADF}'
        | '\u{AAF0}' | '\u{AAF1}' | '\u{ABEB}' | '\u{FE10}'..='\u{FE16}'
        | '\u{FE50}'..='\u{FE52}' | '\u{FE54}'..='\u{FE57}' | '\u{FF01}' | '\u{FF0C}'
        | '\u{FF0E}' | '\u{FF1A}' | '\u{FF1B}' | '\u{FF1F}' | '\u{FF61}' | '\u{FF64}')
}

#[cfg(test)]
mod tests {
    use super::{Term, term};

    #[test]
    fn classes_of_characters() {
        assert_eq!(term('é'), Term::Include);
        assert_eq!(term('例'), Term::Include);
        assert_eq!(term('。'), Term::Soft);
        assert_eq!(term('「'), Term::Open('」'));
        assert_eq!(term('）'), Term::Close);
        for c in [
            '\u{A0}', '\u{200B}', '\u{200E}', '”', '»', '\u{3000}', '"', '|', '\\', '\u{85}',
        ] {
            assert_eq!(term(c), Term::Hard, "{c:?}");
        }
        // The joiners occur within words of some scripts.
        assert_eq!(term('\u{200D}'), Term::Include);
    }
}
