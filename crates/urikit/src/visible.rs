//! Detects characters that a terminal displays as expected, and shows all other characters in a
//! safe form.
//!
//! A URL can contain characters that change the direction of text, combine with the character
//! before them, or show nothing. Printing such characters can make one URL look like another. All
//! crates in the project use this module to check the text that they display.
//!
//! ```
//! use urikit::visible::{Escaped, is_visible};
//! assert!(is_visible('é') && !is_visible('\u{202E}')); // right-to-left override
//! let shown: String = "a\u{202E}b".chars().map(|c| Escaped(c).to_string()).collect();
//! assert_eq!(shown, "a\\u{202e}b");
//! ```

use core::fmt;

/// The ranges of characters with the property Default_Ignorable_Code_Point (Unicode 18.0,
/// DerivedCoreProperties.txt). Fonts show nothing for characters with this property. Some of these
/// characters are letters, such as the Hangul fillers U+115F, U+1160, U+3164 and U+FFA0, which
/// `char::escape_debug` does not escape.
const IGNORABLE: [(char, char); 17] = [
    ('\u{AD}', '\u{AD}'),
    ('\u{34F}', '\u{34F}'),
    ('\u{61C}', '\u{61C}'),
    ('\u{115F}', '\u{1160}'),
    ('\u{17B4}', '\u{17B5}'),
    ('\u{180B}', '\u{180F}'),
    ('\u{200B}', '\u{200F}'),
    ('\u{202A}', '\u{202E}'),
    ('\u{2060}', '\u{206F}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{FE00}', '\u{FE0F}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{FFA0}', '\u{FFA0}'),
    ('\u{FFF0}', '\u{FFF8}'),
    ('\u{1BCA0}', '\u{1BCA3}'),
    ('\u{1D173}', '\u{1D17A}'),
    ('\u{E0000}', '\u{E0FFF}'),
];

/// Returns whether a character is a Default_Ignorable_Code_Point of Unicode, for which fonts show
/// nothing.
///
/// ```
/// use urikit::visible::is_ignorable;
/// assert!(is_ignorable('\u{AD}') && !is_ignorable('a')); // soft hyphen
/// ```
pub fn is_ignorable(c: char) -> bool {
    let range = IGNORABLE.partition_point(|(_, last)| *last < c);
    IGNORABLE.get(range).is_some_and(|(first, _)| *first <= c)
}

/// Returns whether a terminal that prints the character displays it and does nothing except
/// advance the cursor.
///
/// Control characters, combining marks, characters that change the direction of writing and
/// characters that are not displayed are not visible.
pub fn is_visible(c: char) -> bool {
    matches!(c, ' '..='~') || !c.is_ascii() && c.escape_debug().len() == 1 && !is_ignorable(c)
}

/// Displays a character as `char::escape_debug` does, but escapes all characters that are not
/// visible.
#[derive(Clone, Copy)]
pub struct Escaped(pub char);

impl fmt::Display for Escaped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_ignorable(self.0) {
            self.0.escape_unicode().fmt(f)
        } else {
            self.0.escape_debug().fmt(f)
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::{Escaped, is_ignorable, is_visible};
    use icu_properties::{CodePointSetData, props::DefaultIgnorableCodePoint};

    #[test]
    fn the_table_is_unicodes() {
        let property = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let mut count = 0;
        for c in '\0'..=char::MAX {
            assert_eq!(
                is_ignorable(c),
                property.contains(c),
                "{}",
                c.escape_unicode()
            );
            if is_ignorable(c) {
                count += 1;
                assert!(!is_visible(c), "{}", c.escape_unicode());
            }
        }
        assert_eq!(count, 4174);
    }

    #[test]
    fn what_is_visible() {
        for c in " ~a'\"\\é例\u{1F600}".chars() {
            assert!(is_visible(c), "{c}");
        }
        let hidden =
            "\n\u{1b}\u{7f}\u{9b}\u{300}\u{202e}\u{115f}\u{1160}\u{3164}\u{ffa0}\u{ad}\u{fe0f}";
        for c in hidden.chars() {
            assert!(!is_visible(c), "{}", c.escape_unicode());
        }
        assert_eq!(
            alloc::format!("{}{}", Escaped('\u{3164}'), Escaped('a')),
            "\\u{3164}a"
        );
        assert_eq!(alloc::format!("{}", Escaped('\n')), "\\n");
    }
}
