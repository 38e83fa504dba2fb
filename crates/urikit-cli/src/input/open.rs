//! A source that is being read, whatever its format.

use super::batch::Batch;
use super::compressed::{self, Begun};
use super::how::How;
use super::item::Source;
use super::lines::Lines;
use super::meter::Metered;
use super::table::{self, Cells, Filler};
use super::units::Unit;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

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
    #[cfg(feature = "parquet")]
    Pages(Box<table::parquet::Values>),
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
            Unit::Pages(source, pages) => match pages.values(how.max_line) {
                Ok(values) => Ok(Self::of(source, Reader::Pages(Box::new(values)))),
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
            let filler = Filler::new(records, how.max_line);
            return Ok(Self::of(source, Reader::Table(filler)));
        }
        let stream = stream.unwrap_or_else(|| Box::new(io::empty()));
        let lines = Lines::new(stream, how.end, how.max_line);
        Ok(Self {
            is_compressed,
            ..Self::of(source, Reader::Lines(lines))
        })
    }

    fn of(source: Arc<Source>, reader: Reader) -> Self {
        Self {
            source,
            reader,
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
            #[cfg(feature = "parquet")]
            Reader::Pages(values) => {
                let rows = values.next(memory)?;
                Ok(rows.map(|(first, rows)| match rows {
                    table::Rows::Prefixed(values) => Batch::of_prefixed(values, source, first),
                    table::Rows::Cells(cells) => Batch::of_cells(cells, source, first),
                }))
            }
        }
    }

    /// Whether the next input may have to be waited for.
    pub(super) fn may_wait(&self) -> bool {
        let is_full = matches!(&self.reader, Reader::Lines(lines) if !lines.is_drained);
        *self.source == Source::Stdin && !is_full
    }
}
