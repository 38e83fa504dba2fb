//! What is still to be read, in units that several threads can read at once.

use super::how::How;
use super::item::Source;
#[cfg(feature = "parquet")]
use super::table::parquet;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// What can be read on its own: a source, or a part of one.
pub(super) enum Unit {
    Source(Source),
    #[cfg(feature = "parquet")]
    Pages(Arc<Source>, Box<parquet::Pages>),
    /// What cannot be read.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Failed(Arc<Source>, io::Error),
}

impl Unit {
    /// How many rows it has, if it is a part of a table. Then it needs no thread of its own.
    pub(super) fn rows(&self) -> Option<u64> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Pages(_, pages) => Some(pages.rows()),
            Self::Source(_) | Self::Failed(..) => None,
        }
    }
}

/// Units that were not begun, in order.
pub(super) struct Units(VecDeque<Entry>);

enum Entry {
    /// A file whose format is not known yet.
    File(PathBuf),
    #[cfg(feature = "parquet")]
    RowGroup(Arc<Source>, Box<parquet::RowGroup>),
    Unit(Unit),
}

impl Units {
    pub(super) fn new(sources: Vec<Source>) -> Self {
        let entry = |source| match source {
            Source::File(path) => Entry::File(path),
            other => Entry::Unit(Unit::Source(other)),
        };
        Self(sources.into_iter().map(entry).collect())
    }

    /// Takes the next. A large file is taken apart only as far as that needs, since all of its
    /// parts may be too many for memory.
    pub(super) fn next(&mut self, how: &How) -> Option<Unit> {
        loop {
            match self.0.pop_front()? {
                Entry::Unit(unit) => return Some(unit),
                Entry::File(path) => self.open(path, how),
                #[cfg(feature = "parquet")]
                Entry::RowGroup(source, mut group) => match group.next() {
                    Ok(Some(pages)) => {
                        let rest = Entry::RowGroup(Arc::clone(&source), group);
                        self.0.push_front(rest);
                        return Some(Unit::Pages(source, Box::new(pages)));
                    }
                    Ok(None) => {}
                    Err(error) => return Some(Unit::Failed(source, error)),
                },
            }
        }
    }

    /// Whether there are several.
    pub(super) fn are_several(&mut self, how: &How) -> bool {
        if let Some(first) = self.next(how) {
            self.0.push_front(Entry::Unit(first));
        }
        self.0.len() > 1
    }

    /// Puts a file at the front, in parts if it has some that can be read independently.
    fn open(&mut self, path: PathBuf, how: &How) {
        #[cfg(feature = "parquet")]
        if let Ok(file) = std::fs::File::open(&path)
            && parquet::is_parquet(&file)
        {
            let source = Arc::new(Source::File(path));
            let column = how.choice.column.as_deref();
            match parquet::row_groups(file, column, &how.meter) {
                Ok(groups) => {
                    for group in groups.into_iter().rev() {
                        let group = Entry::RowGroup(Arc::clone(&source), Box::new(group));
                        self.0.push_front(group);
                    }
                }
                Err(error) => self.0.push_front(Entry::Unit(Unit::Failed(source, error))),
            }
            return;
        }
        let _ = how;
        let source = Source::File(path);
        self.0.push_front(Entry::Unit(Unit::Source(source)));
    }
}
