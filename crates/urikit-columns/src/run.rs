//! Runs a kernel over the rows of columns, with several threads for long columns.

use crate::cells::Cells;
use crate::column::{Column, Layout};
use crate::error::Reason;
use crate::{ColumnError, OnError, Options};
use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef};
use arrow_select::concat::concat;
use arrow_select::take::take;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The minimum number of rows for which starting a thread is worthwhile.
const ROWS_PER_THREAD: usize = 8 * 1024;
/// The maximum number of rows in a piece, which keeps the text of the piece below the limit of
/// 32-bit offsets and views.
const MAX_ROWS_PER_PIECE: usize = 1 << 20;

/// A function that is applied to each row.
pub(crate) struct Kernel<N, R, K> {
    /// Creates a builder with room for the given number of rows.
    pub(crate) new: N,
    /// Appends the result of a row, or returns the reason for rejecting it and appends nothing.
    pub(crate) row: R,
    /// Appends the text of a rejected row, for [`OnError::Keep`].
    pub(crate) keep: K,
}

/// Runs a kernel over one column. Reads each value of a dictionary once.
pub(crate) fn unary<C: Cells>(
    array: &dyn Array,
    options: Options,
    kernel: &Kernel<
        impl Fn(usize) -> C + Sync,
        impl Fn(&str, &mut C) -> Result<(), Reason> + Sync,
        impl Fn(&str, &mut C) + Sync,
    >,
) -> Result<ArrayRef, ColumnError> {
    let column = Column::new(array)?;
    let step = |column: &Column<'_>, row: usize, cells: &mut C| {
        let Some(text) = column.get(row) else {
            cells.null();
            return Ok(());
        };
        match (kernel.row)(text, cells) {
            Ok(()) => Ok(()),
            Err(reason) => reject_row(reason, row, options, cells, |cells| {
                (kernel.keep)(text, cells);
            }),
        }
    };
    if let Some(values) = column.distinct() {
        let layout = column.layout;
        match run_pieces(values.len(), layout, options, &kernel.new, |row, cells| {
            step(&values, row, cells)
        }) {
            // The loop below finds the number of the row by reading one row after another.
            Err(ColumnError::Row { .. }) => {}
            Err(error) => return Err(error),
            Ok(results) => return Ok(take(&results, array.as_any_dictionary().keys(), None)?),
        }
    }
    run_pieces(
        column.len(),
        column.layout,
        options,
        &kernel.new,
        |row, cells| step(&column, row, cells),
    )
}

/// Runs a kernel over two columns of equal length. A row is null if either column has a null there.
pub(crate) fn binary<C: Cells>(
    left: &dyn Array,
    right: &dyn Array,
    options: Options,
    kernel: &Kernel<
        impl Fn(usize) -> C + Sync,
        impl Fn(&str, &str, &mut C) -> Result<(), Reason> + Sync,
        impl Fn(&str, &mut C) + Sync,
    >,
) -> Result<ArrayRef, ColumnError> {
    let (left, right) = (Column::new(left)?, Column::new(right)?);
    if left.len() != right.len() {
        return Err(ColumnError::Lengths {
            left: left.len(),
            right: right.len(),
        });
    }
    run_pieces(
        left.len(),
        left.layout,
        options,
        &kernel.new,
        |row, cells| match left.get(row).zip(right.get(row)) {
            None => {
                cells.null();
                Ok(())
            }
            Some((text, other)) => match (kernel.row)(text, other, cells) {
                Ok(()) => Ok(()),
                Err(reason) => reject_row(reason, row, options, cells, |cells| {
                    (kernel.keep)(text, cells);
                }),
            },
        },
    )
}

/// Appends the result for a rejected row, or fails.
#[cold]
fn reject_row<C: Cells>(
    reason: Reason,
    row: usize,
    options: Options,
    cells: &mut C,
    keep: impl FnOnce(&mut C),
) -> Result<(), ColumnError> {
    match options.on_error {
        OnError::Null => cells.null(),
        OnError::Keep => keep(cells),
        OnError::Raise => return Err(ColumnError::Row { row, reason }),
    }
    Ok(())
}

/// Runs `step` for all rows, divided into pieces.
fn run_pieces<C: Cells>(
    rows: usize,
    layout: Layout,
    options: Options,
    new: &(impl Fn(usize) -> C + Sync),
    step: impl Fn(usize, &mut C) -> Result<(), ColumnError> + Sync,
) -> Result<ArrayRef, ColumnError> {
    let piece = |range: Range<usize>| {
        let mut cells = new(range.len());
        for row in range {
            step(row, &mut cells)?;
        }
        cells.finish(layout)
    };
    let pieces = pieces(rows, options.threads);
    let results = if pieces.len() == 1 || options.threads == 1 {
        pieces.into_iter().map(piece).collect()
    } else {
        by_threads(&pieces, options.threads, piece)
    };
    concatenate(results)
}

/// Concatenates the results of all pieces.
fn concatenate(results: Vec<Result<ArrayRef, ColumnError>>) -> Result<ArrayRef, ColumnError> {
    // The results are in order, so this error is that of the first rejected row.
    let mut arrays = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    if arrays.len() == 1 {
        return Ok(arrays.remove(0));
    }
    let arrays: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
    Ok(concat(&arrays)?)
}

/// Divides the rows into one or more pieces.
fn pieces(rows: usize, threads: usize) -> Vec<Range<usize>> {
    let most = rows.div_ceil(MAX_ROWS_PER_PIECE).max(1);
    let count = match workers(threads).min(rows / ROWS_PER_THREAD) {
        0 | 1 => most,
        // Use more pieces than threads, so that the threads finish at about the same time.
        workers => (workers * 4).max(most),
    };
    let length = rows.div_ceil(count).max(1);
    let starts = (0..rows.max(1)).step_by(length);
    starts
        .map(|start| start.min(rows)..(start + length).min(rows))
        .collect()
}

/// Returns the number of threads to use.
fn workers(threads: usize) -> usize {
    match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// Runs the pieces on several threads, and returns their results in order.
fn by_threads<F>(
    pieces: &[Range<usize>],
    threads: usize,
    piece: F,
) -> Vec<Result<ArrayRef, ColumnError>>
where
    F: Fn(Range<usize>) -> Result<ArrayRef, ColumnError> + Sync,
{
    let results: Vec<_> = pieces.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((range, result)) = pieces.get(number).zip(results.get(number)) else {
                return;
            };
            let outcome = piece(range.clone());
            if let Ok(mut result) = result.lock() {
                *result = Some(outcome);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..workers(threads).min(pieces.len()) {
            // If a thread cannot start, the other threads process all pieces.
            drop(thread::Builder::new().spawn_scoped(scope, work));
        }
        work();
    });
    // INVARIANT: the threads have processed all pieces and ended.
    let outcomes = results.into_iter().map(|result| result.into_inner());
    outcomes
        .filter_map(|result| result.ok().flatten())
        .collect()
}
