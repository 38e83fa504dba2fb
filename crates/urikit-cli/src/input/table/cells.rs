//! Values of consecutive records.

/// Values of consecutive records, one after another.
#[derive(Default, Debug)]
pub(in crate::input) struct Cells {
    pub(in crate::input) data: Vec<u8>,
    /// Where each value ends.
    pub(in crate::input) ends: Vec<usize>,
    /// Why a record has no value, for the records that have none.
    pub(in crate::input) broken: Vec<(usize, Box<str>)>,
}

impl Cells {
    /// Without values, in this memory.
    pub(in crate::input) fn within(mut data: Vec<u8>) -> Self {
        data.clear();
        Self {
            data,
            ..Self::default()
        }
    }

    /// Makes room for so many bytes, and for as many values as these usually are.
    pub(in crate::input) fn reserve(&mut self, bytes: usize) {
        self.data.reserve(bytes);
        self.ends.reserve(bytes / 32);
    }

    /// How many records there are.
    pub(in crate::input) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a value.
    pub(in crate::input) fn push(&mut self, value: &[u8]) {
        self.data.extend_from_slice(value);
        self.ends.push(self.data.len());
    }

    /// Adds a record that has no value.
    pub(in crate::input) fn push_broken(&mut self, why: impl Into<Box<str>>) {
        self.broken.push((self.ends.len(), why.into()));
        self.ends.push(self.data.len());
    }

    /// Adds a record whose value has more than `max` bytes.
    pub(in crate::input) fn push_too_long(&mut self, max: usize) {
        self.push_broken(format!("the value has more than {max} bytes (--max-line)"));
    }

    /// Removes the last record, and returns it.
    pub(in crate::input) fn pop(&mut self) -> Self {
        let mut popped = Self::default();
        self.ends.pop();
        let start = self.ends.last().copied().unwrap_or(0);
        let value = self.data.get(start..).unwrap_or_default();
        match self.broken.pop_if(|(nth, _)| *nth == self.ends.len()) {
            Some((_, why)) => popped.push_broken(why),
            None => popped.push(value),
        }
        self.data.truncate(start);
        popped
    }

    /// Adds all records of `others`.
    pub(in crate::input) fn append(&mut self, others: &Self) {
        let (length, count) = (self.data.len(), self.len());
        self.data.extend_from_slice(&others.data);
        self.ends.extend(others.ends.iter().map(|end| end + length));
        let broken = others.broken.iter();
        self.broken
            .extend(broken.map(|(nth, why)| (nth + count, why.clone())));
    }
}
