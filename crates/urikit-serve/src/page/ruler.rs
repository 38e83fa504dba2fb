//! The reference as a ruler: ten-byte cells that show the components and the position of an error.

use urikit_report::explain::ComponentList;
use urikit_report::safe::is_safe;

/// The number of bytes in a cell.
const WIDTH: usize = 10;

/// The maximum length of a ruler, in bytes. The rest of a longer reference is not shown.
const LONGEST: usize = 2000;

/// A reference in cells.
#[derive(Default)]
pub(super) struct Ruler {
    pub(super) cells: Vec<Cell>,
    /// The number of bytes that are not shown.
    pub(super) more: usize,
}

/// A cell of the ruler: about ten bytes of the reference.
pub(super) struct Cell {
    /// The offset of the first byte.
    pub(super) at: usize,
    pub(super) spans: Vec<Span>,
}

/// A piece of a component.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Span {
    /// The key of the component; `delimiter` between components, `error` at the place of an error.
    pub(super) class: &'static str,
    /// The text, safe to print.
    pub(super) text: String,
}

/// A component: its range in the text, and its key.
type Part = (std::ops::Range<usize>, &'static str);

impl Ruler {
    /// Divides a list of components into cells. `error` is an offset in the text of the list.
    pub(super) fn of(list: &ComponentList<'_>, error: Option<usize>) -> Self {
        let parts = list.components.iter();
        let parts: Vec<Part> = parts
            .filter_map(|component| Some((component.range.clone()?, component.key)))
            .collect();
        Self::new(list.shown.masked(), &parts, error)
    }

    /// Divides a text. The parts are in order.
    pub(super) fn new(text: &str, parts: &[Part], error: Option<usize>) -> Self {
        let mut ruler = Self::default();
        let mut parts = parts.iter().peekable();
        let mut next = 0;
        for (at, c) in text.char_indices() {
            if at >= LONGEST {
                ruler.more = text.len() - at;
                return ruler;
            }
            if at >= next {
                ruler.cells.push(Cell {
                    at,
                    spans: Vec::new(),
                });
                next = at - at % WIDTH + WIDTH;
            }
            while parts.next_if(|(range, _)| range.end <= at).is_some() {}
            let class = match parts.peek() {
                _ if error == Some(at) => "error",
                Some((range, key)) if range.contains(&at) => key,
                _ => "delimiter",
            };
            let shown = if is_safe(c) {
                c
            } else {
                char::REPLACEMENT_CHARACTER
            };
            ruler.push(class, shown);
        }
        if error == Some(text.len()) {
            if ruler.cells.is_empty() {
                ruler.cells.push(Cell {
                    at: 0,
                    spans: Vec::new(),
                });
            }
            ruler.push("error", '\u{a0}');
        }
        ruler
    }

    /// Appends a character.
    fn push(&mut self, class: &'static str, c: char) {
        let Some(cell) = self.cells.last_mut() else {
            return;
        };
        match cell.spans.last_mut() {
            Some(last) if last.class == class => last.text.push(c),
            _ => cell.spans.push(Span {
                class,
                text: c.into(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ruler;

    /// Formats a ruler: the offset of each cell, and the first letter of each class.
    fn shown(ruler: &Ruler) -> Vec<String> {
        let cell = |cell: &super::Cell| {
            let spans = cell.spans.iter();
            let spans = spans.map(|span| format!(" {:.1}:{}", span.class, span.text));
            format!("{}{}", cell.at, spans.collect::<String>())
        };
        ruler.cells.iter().map(cell).collect()
    }

    #[test]
    fn cells_begin_at_multiples_of_ten() {
        let parts = [(0..4, "scheme"), (7..18, "host"), (18..19, "path")];
        let ruler = Ruler::new("http://example.com/", &parts, None);
        assert_eq!(shown(&ruler), ["0 s:http d::// h:exa", "10 h:mple.com p:/"]);
        let ruler = Ruler::new("éééééé", &[], Some(2));
        assert_eq!(shown(&ruler), ["0 d:é e:é d:ééé", "10 d:é"]);
        let ruler = Ruler::new("a\u{202e}", &[], Some(4));
        assert_eq!(shown(&ruler), ["0 d:a\u{fffd} e:\u{a0}"]);
        assert_eq!(shown(&Ruler::new("", &[], Some(0))), ["0 e:\u{a0}"]);
    }

    #[test]
    fn long_references_are_cut() {
        let ruler = Ruler::new(&"a".repeat(2500), &[], None);
        assert_eq!((ruler.cells.len(), ruler.more), (200, 500));
    }
}
