//! Which characters a terminal shows as themselves. Everything that is displayed is checked here,
//! in all crates.

use core::fmt;

/// The characters with the property Default_Ignorable_Code_Point (Unicode 18.0,
/// DerivedCoreProperties.txt), as ranges: fonts show nothing for them. Some are letters, such as the
/// Hangul fillers U+115F, U+1160, U+3164 and U+FFA0, which `char::escape_debug` does not escape.
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

fn is_ignorable(c: char) -> bool {
    let range = IGNORABLE.partition_point(|(_, last)| *last < c);
    IGNORABLE.get(range).is_some_and(|(first, _)| *first <= c)
}

/// Whether printing a character shows it, and only moves the cursor forward: it is not a control
/// character, a combining mark, a character that changes the direction of writing, or one that is
/// not displayed.
pub fn is_visible(c: char) -> bool {
    matches!(c, ' '..='~') || !c.is_ascii() && c.escape_debug().len() == 1 && !is_ignorable(c)
}

/// Displays a character as `char::escape_debug` does, with an escape for each that is not visible.
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
