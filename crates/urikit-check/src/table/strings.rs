//! Interned strings.

use crate::seed::Seed;
use hashbrown::HashTable;

/// The number of a string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StringId(u32);

impl StringId {
    /// The first string.
    pub(crate) const FIRST: Self = Self(0);
    /// The id that means "no string". This id sorts after all others.
    pub(crate) const NONE: Self = Self(u32::MAX);

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Strings, each of which is stored once. A string takes 8 bytes for its end and 5 to 10 bytes in a
/// hash table, in addition to its text.
#[derive(Default, Debug)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
    seed: Seed,
}

impl Strings {
    /// Returns the number of a string, and adds the string if it is new. Returns
    /// [`StringId::NONE`] once 2³² − 1 strings are stored.
    pub(crate) fn intern(&mut self, text: &str) -> StringId {
        let hash = self.seed.hash(text.as_bytes());
        let Self {
            text: all, ends, ..
        } = &*self;
        if let Some(found) = self.table.find(hash, |id| slice(all, ends, *id) == text) {
            return StringId(*found);
        }
        let Some(id) = u32::try_from(self.ends.len())
            .ok()
            .filter(|id| *id != u32::MAX)
        else {
            return StringId::NONE;
        };
        self.text.push_str(text);
        self.ends.push(self.text.len());
        let Self {
            text: all,
            ends,
            seed,
            table,
        } = self;
        table.insert_unique(hash, id, |id| seed.hash(slice(all, ends, *id).as_bytes()));
        StringId(id)
    }

    /// Returns a string, which is empty for [`StringId::NONE`].
    pub(crate) fn get(&self, id: StringId) -> &str {
        slice(&self.text, &self.ends, id.0)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

fn slice<'s>(text: &'s str, ends: &[usize], id: u32) -> &'s str {
    let index = id as usize;
    let Some(end) = ends.get(index) else {
        return "";
    };
    let start = index.checked_sub(1).and_then(|before| ends.get(before));
    text.get(start.copied().unwrap_or(0)..*end)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{StringId, Strings};

    #[test]
    fn each_string_is_stored_once() {
        let mut strings = Strings::default();
        let names: Vec<String> = (0..1000).map(|n| format!("a/{}", n % 300)).collect();
        let ids: Vec<StringId> = names.iter().map(|name| strings.intern(name)).collect();
        assert_eq!(strings.len(), 300);
        for (name, id) in names.iter().zip(ids) {
            assert_eq!(strings.get(id), name);
        }
        assert_eq!(strings.intern(""), strings.intern(""));
        assert_eq!(strings.get(StringId::NONE), "");
    }
}
