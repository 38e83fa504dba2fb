//! Colours, named for their meaning.
//!
//! Each colour has a contrast of at least 4 to 1 on white and on black. The sixteen named colours
//! depend on the palette of the terminal, and yellow and the bright colours are illegible on
//! white. Therefore, fixed colours from the 256-colour palette are used. Information is never
//! conveyed by colour alone.

use anstream::adapter::strip_str;
use anstyle::{Ansi256Color, Style};

/// The style of errors, and of the highest severity.
pub const ERROR: Style = colour(161).bold();
/// A good result.
pub const GOOD: Style = colour(28);
/// A bad result.
pub const BAD: Style = colour(161);
/// The style of notes, and of the medium severity.
pub const NOTE: Style = colour(130);
/// The style of headings and names.
pub const HEADING: Style = Style::new().bold();
/// Less important text.
pub const DIM: Style = Style::new().dimmed();
/// The style of the file name in front of a result.
pub const FILE: Style = colour(133);
/// The style of the line number in front of a result.
pub const LINE: Style = colour(28);

const fn colour(number: u8) -> Style {
    Ansi256Color(number).on_default()
}

/// Returns text without colours and without its trailing line ending.
pub fn unstyled(text: &str) -> String {
    let mut plain = strip_str(text).to_string();
    plain.truncate(plain.trim_end_matches('\n').len());
    plain
}

/// Returns the colour of the component with this key. Neighbouring components have different
/// colours.
pub fn component(key: &str) -> Style {
    colour(match key {
        "scheme" => 98,
        "user" | "userinfo" => 130,
        "password" => 161,
        "host" => 28,
        "port" => 132,
        "path" => 63,
        "params" => 30,
        "query" => 64,
        _ => 131,
    })
}

#[cfg(test)]
mod tests {
    use super::{BAD, ERROR, FILE, GOOD, LINE, NOTE, component};
    use anstyle::{Color, Style};

    /// Returns the relative luminance of a colour of the palette (WCAG 2).
    fn luminance(style: Style) -> f64 {
        let Some(Color::Ansi256(colour)) = style.get_fg_color() else {
            panic!("a colour of the palette");
        };
        let number = colour.0.checked_sub(16).filter(|number| *number < 216);
        let number = number.expect("a colour of the cube");
        let linear = |level: u8| {
            let level = f64::from(if level == 0 { 0 } else { 55 + 40 * level }) / 255.0;
            if level <= 0.04045 {
                level / 12.92
            } else {
                ((level + 0.055) / 1.055).powf(2.4)
            }
        };
        let [red, green, blue] = [number / 36, number / 6 % 6, number % 6].map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    #[test]
    fn every_colour_can_be_read_on_white_and_on_black() {
        let components = [
            "scheme", "user", "password", "host", "port", "path", "params", "query", "fragment",
        ];
        let styles = [ERROR, GOOD, BAD, NOTE, FILE, LINE];
        for style in styles.into_iter().chain(components.map(component)) {
            let luminance = luminance(style) + 0.05;
            let (on_white, on_black) = (1.05 / luminance, luminance / 0.05);
            assert!(
                on_white >= 4.0 && on_black >= 4.0,
                "{style:?}: {on_white} {on_black}"
            );
        }
    }
}
