//! The Parquet files whose rows are printed with columns added, and the added values.

use super::pack;
use super::parquet::{failed, take};
use crate::exit::OfInput;
use crate::files::{OutputFile, open_input};
use crate::input::partitions;
use parquet::file::metadata::{KeyValue, ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::{ColumnDescPtr, Type};
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use urikit_parquet::{Place, Table};

/// Appends a row of added values, or a row that a filter drops.
pub(crate) fn pack_row<T: AsRef<[u8]>>(out: &mut Vec<u8>, cells: Option<&[Option<T>]>) {
    pack(out, &[cells.map(|_| b"")]);
    if let Some(cells) = cells {
        pack(out, cells);
    }
}

/// Splits packed rows that arrive in pieces.
#[derive(Default)]
pub(super) struct Unpacker {
    /// The incomplete row at the end of the last piece.
    partial: Vec<u8>,
}

impl Unpacker {
    /// Calls `accept` with each complete row of `count` values. A row that a filter drops is
    /// passed without values.
    pub(super) fn add(
        &mut self,
        packed: &[u8],
        count: usize,
        mut accept: impl FnMut(Option<&[Option<&[u8]>]>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut all = std::mem::take(&mut self.partial);
        let packed = if all.is_empty() {
            packed
        } else {
            all.extend_from_slice(packed);
            &all
        };
        let mut rest = packed;
        let mut row = Vec::with_capacity(count);
        loop {
            let mut next = rest;
            let Ok(is_kept) = take(&mut next) else {
                break;
            };
            row.clear();
            if is_kept.is_some() {
                row.extend(std::iter::from_fn(|| take(&mut next).ok()).take(count));
                if row.len() < count {
                    break;
                }
            }
            rest = next;
            accept(is_kept.map(|_| row.as_slice()))?;
        }
        self.partial = rest.to_vec();
        Ok(())
    }
}

/// The parts of the first file that also occur in the output.
#[derive(Default)]
pub(super) struct Head {
    pub(super) fields: Vec<Arc<Type>>,
    pub(super) columns: Vec<ColumnDescPtr>,
    /// The names of the partition columns.
    pub(super) partitions: Vec<String>,
    /// The metadata of the file.
    pub(super) pairs: Option<Vec<KeyValue>>,
}

/// The files, which have the same columns.
pub(super) struct Sources {
    fields: Vec<Arc<Type>>,
    files: VecDeque<PathBuf>,
    /// The file whose rows are being received.
    pub(super) open: Option<Opened>,
}

/// A file whose rows are being received.
pub(super) struct Opened {
    pub(super) path: PathBuf,
    pub(super) file: File,
    pub(super) table: Table,
    pub(super) metadata: ParquetMetaData,
    /// The index of the current row group.
    pub(super) group: usize,
    /// The values of the partition columns.
    pub(super) partitions: Vec<Option<String>>,
    /// For each column, the places where it is stored in the file.
    places: Vec<Vec<Place>>,
}

impl Sources {
    /// Reads the footer of each file.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, or has different columns from the first one.
    pub(super) fn new(paths: Vec<PathBuf>) -> io::Result<(Self, Head)> {
        let mut first: Option<Head> = None;
        for path in &paths {
            let of_file = |error| OfInput::error(path, error);
            let opened = Opened::new(path).map_err(of_file)?;
            let metadata = opened.metadata.file_metadata();
            let fields = metadata.schema().get_fields().to_vec();
            let names = partition_names(path, &fields);
            match &first {
                None => {
                    first = Some(Head {
                        fields,
                        columns: metadata.schema_descr().columns().to_vec(),
                        partitions: names,
                        pairs: metadata.key_value_metadata().cloned(),
                    });
                }
                Some(head) if head.fields == fields && head.partitions == names => {}
                Some(_) => {
                    let why = "the columns or their types are not those of the first file";
                    return Err(of_file(io::Error::other(why)));
                }
            }
        }
        let head = first.unwrap_or_default();
        let sources = Self {
            fields: head.fields.clone(),
            files: paths.into(),
            open: None,
        };
        Ok((sources, head))
    }

    /// Returns the number of rows in the current row group, or `None` after the last one. Opens the
    /// next file if necessary.
    pub(super) fn group_rows(&mut self) -> io::Result<Option<u64>> {
        loop {
            if let Some(open) = &mut self.open {
                while let Some(group) = open.metadata.row_groups().get(open.group) {
                    match u64::try_from(group.num_rows()) {
                        Ok(rows) if rows > 0 => return Ok(Some(rows)),
                        _ => open.group += 1,
                    }
                }
            }
            let Some(path) = self.files.pop_front() else {
                return Ok(None);
            };
            let open = Opened::new(&path).map_err(|error| OfInput::error(&path, error))?;
            if open.metadata.file_metadata().schema().get_fields() != self.fields.as_slice() {
                let error = io::Error::other("the file has changed");
                return Err(OfInput::error(&path, error));
            }
            self.open = Some(open);
        }
    }

    /// Fails if rows of the files are missing after `arrived` rows of the current row group.
    pub(super) fn end(&mut self, arrived: u64) -> io::Result<()> {
        // Rows of a page that could not be read count as missing.
        let Some(rows) = self.group_rows()? else {
            return Ok(());
        };
        let missing = rows - arrived;
        let error = format!("{missing} rows are missing, so the output is incomplete");
        Err(self.error(io::Error::other(error)))
    }

    /// Adds the name of the current file to an error.
    pub(super) fn error(&self, error: io::Error) -> io::Error {
        let path = self.open.as_ref().map(|open| open.path.clone());
        OfInput::error(&path.unwrap_or_default(), error)
    }
}

/// The error for more rows than the files contain.
pub(super) fn too_many() -> io::Error {
    io::Error::other("there are more rows than the files declare")
}

impl Opened {
    /// Opens a file. `urikit-parquet` reads the footer first, so that invalid numbers in the
    /// footer never reach the `parquet` crate.
    fn new(path: &Path) -> io::Result<Self> {
        let (file, _) = open_input(path, OutputFile::find()?)?;
        let table = Table::open(file.try_clone()?).map_err(invalid)?;
        let columns = 0..table.columns().len();
        let places = columns.map(|column| table.chunks(column));
        let places = places.collect::<Result<Vec<_>, _>>().map_err(invalid)?;
        let unsupported = places.iter().flatten().find_map(Place::unsupported);
        if let Some(unsupported) = unsupported {
            return Err(io::Error::other(unsupported.to_string()));
        }
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file);
        let metadata = metadata.map_err(failed)?;
        let fields = metadata.file_metadata().schema().get_fields().to_vec();
        let names = partition_names(path, &fields);
        let values = partitions(path).into_iter();
        let values = values.filter(|(name, _)| names.contains(name));
        Ok(Self {
            partitions: values.map(|(_, value)| value).collect(),
            path: path.to_owned(),
            file,
            table,
            metadata,
            group: 0,
            places,
        })
    }

    /// Returns the place of a column in the current row group.
    pub(super) fn place(&self, column: usize) -> io::Result<&Place> {
        let places = self.places.get(column);
        let place = places.and_then(|places| places.get(self.group));
        place.ok_or_else(|| io::Error::other("a row group is missing"))
    }
}

pub(super) fn invalid(error: urikit_parquet::Error) -> io::Error {
    match error {
        urikit_parquet::Error::Io(error) => io::Error::new(error.kind(), error),
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}

/// Returns the names of a file's partition columns, except those that the file itself has.
fn partition_names(path: &Path, fields: &[Arc<Type>]) -> Vec<String> {
    let is_new = |name: &String| !fields.iter().any(|field| field.name() == name);
    let names = partitions(path).into_iter().map(|(name, _)| name);
    names.filter(is_new).collect()
}
