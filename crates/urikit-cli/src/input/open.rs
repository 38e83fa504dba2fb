//! A source that is being read, whatever its format.

use super::batch::Batch;
use super::compressed::{self, Begun};
use super::item::Source;
use super::lines::Lines;
use super::meter::{Meter, Metered};
use super::table::{self, Cells, Choice, Filler, Records};
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

/// How sources are read.
#[derive(Clone, Debug)]
pub(super) struct How {
    /// The byte that ends an input where inputs are lines.
    pub(super) end: u8,
    /// Which values of a table are inputs.
    pub(super) choice: Choice,
    /// The longest line or value, in bytes.
    pub(super) max_line: usize,
    pub(super) meter: Arc<Meter>,
}

/// What can be read on its own: a source, or a part of one.
pub(super) enum Unit {
    Source(Source),
    #[cfg(feature = "parquet")]
    RowGroup(Arc<Source>, table::parquet::RowGroup),
    /// What cannot be read.
    Failed(Arc<Source>, io::Error),
}

impl Unit {
    /// The same in parts, if it has parts that can be read independently.
    pub(super) fn in_parts(self, how: &How) -> Vec<Self> {
        #[cfg(feature = "parquet")]
        if let Self::Source(Source::File(path)) = &self
            && let Ok(file) = File::open(path)
            && table::parquet::is_parquet(&file)
        {
            let source = Arc::new(Source::File(path.clone()));
            let column = how.choice.column.as_deref();
            let meter = Arc::clone(&how.meter);
            return match table::parquet::row_groups(file, column, meter) {
                Ok(groups) => {
                    let part = |group| Self::RowGroup(Arc::clone(&source), group);
                    groups.into_iter().map(part).collect()
                }
                Err(error) => vec![Self::Failed(source, error)],
            };
        }
        let _ = how;
        vec![self]
    }
}

/// A source, or a part of one, that is being read.
pub(super) struct Open {
    pub(super) source: Arc<Source>,
    reader: Reader,
    /// The number of the next line.
    number: u64,
    is_compressed: bool,
}

enum Reader {
    Lines(Lines),
    Table(Filler),
}

impl Open {
    /// Opens it.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or its beginning cannot be read.
    pub(super) fn new(unit: Unit, how: &How) -> Result<Self, (Arc<Source>, io::Error)> {
        match unit {
            Unit::Source(source) => {
                let source = Arc::new(source);
                let stream = Self::stream(Arc::clone(&source), how);
                stream.map_err(|error| (source, error))
            }
            #[cfg(feature = "parquet")]
            Unit::RowGroup(source, group) => match group.records() {
                Ok(values) => Ok(Self::table(source, Box::new(values), how)),
                Err(error) => Err((source, error)),
            },
            Unit::Failed(source, error) => Err((source, error)),
        }
    }

    fn stream(source: Arc<Source>, how: &How) -> io::Result<Self> {
        let is_live = !matches!(&*source, Source::File(_));
        let stream: Box<dyn Read + Send> = match &*source {
            Source::File(path) => Box::new(Metered {
                source: File::open(path)?,
                meter: Arc::clone(&how.meter),
            }),
            Source::Arguments | Source::Stdin => Box::new(io::stdin()),
        };
        let Begun {
            stream,
            begin,
            is_compressed,
        } = compressed::begin(stream)?;
        let mut stream = Some(stream);
        let records = table::records(
            &mut stream,
            &begin,
            &how.choice,
            is_live,
            is_compressed,
            how.max_line,
        )?;
        if let Some(records) = records {
            return Ok(Self::table(source, records, how));
        }
        let stream = stream.unwrap_or_else(|| Box::new(io::empty()));
        Ok(Self {
            source,
            reader: Reader::Lines(Lines::new(stream, how.end, how.max_line)),
            number: 1,
            is_compressed,
        })
    }

    fn table(source: Arc<Source>, records: Box<dyn Records>, how: &How) -> Self {
        Self {
            source,
            reader: Reader::Table(Filler::new(records, how.max_line)),
            number: 1,
            is_compressed: false,
        }
    }

    /// Reads the next inputs into `memory`; `None` at the end. It waits for one input only.
    ///
    /// # Errors
    ///
    /// If they cannot be read. Nothing more can be read then.
    pub(super) fn read(&mut self, memory: Vec<u8>) -> io::Result<Option<Batch>> {
        let source = Arc::clone(&self.source);
        match &mut self.reader {
            Reader::Lines(lines) => {
                let mut data = memory;
                loop {
                    let more = lines.read(self.number, &mut data)?;
                    if !data.is_empty() {
                        let mut batch = Batch::new(data, lines.end(), source, self.number);
                        batch.is_bulk = self.is_compressed;
                        self.number += batch.len();
                        return Ok(Some(batch));
                    }
                    if !more {
                        return Ok(None);
                    }
                }
            }
            Reader::Table(filler) => {
                let mut cells = Cells::within(memory);
                let first = filler.fill(&mut cells)?;
                Ok(first.map(|first| Batch::of_cells(cells, source, first)))
            }
        }
    }

    /// Whether the next input may have to be waited for.
    pub(super) fn may_wait(&self) -> bool {
        let is_stdin = *self.source == Source::Stdin;
        is_stdin
            && match &self.reader {
                Reader::Lines(lines) => lines.is_drained,
                Reader::Table(_) => true,
            }
    }
}
