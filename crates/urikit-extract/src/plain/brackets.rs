//! The brackets that are open in a link.

/// At most this many brackets can be open at a time; one more ends the link.
const MAX_DEPTH: usize = 32;

/// The brackets that are open.
pub(crate) struct Brackets {
    closers: [char; MAX_DEPTH],
    depth: usize,
}

impl Brackets {
    pub(crate) const fn new() -> Self {
        Self {
            closers: ['\0'; MAX_DEPTH],
            depth: 0,
        }
    }

    pub(crate) fn open(&mut self, close: char) -> bool {
        let place = self.closers.get_mut(self.depth);
        let is_there = place.is_some();
        if let Some(place) = place {
            *place = close;
            self.depth += 1;
        }
        is_there
    }

    pub(crate) fn close(&mut self, c: char) -> bool {
        let open = self.depth.checked_sub(1);
        let is_open = open.and_then(|open| self.closers.get(open)) == Some(&c);
        if is_open {
            self.depth -= 1;
        }
        is_open
    }
}
