//! The pages of web archives and their links, in batches of Arrow rows.
//!
//! A thread reads the archive and passes batches through a bounded channel, so memory use depends
//! neither on the length of the archive nor on the speed of the consumer.

mod pages;
mod rows;
mod source;

use crate::columns::column::PyColumn;
use crate::keys::{self, PySuffixList};
use arrow_array::ArrayRef;
use pages::{Options, Stopped};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use source::{Source, TO_THE_END};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The number of batches that the thread may be ahead of the consumer.
const AHEAD: usize = 1;

/// The interval at which a waiting iterator looks for signals such as `SIGINT`.
const SIGNALS: Duration = Duration::from_millis(100);

/// An iterator over the batches of an archive, which ``urikit.crawl.read`` returns.
#[pyclass(frozen, module = "urikit._urikit", name = "CrawlBatches")]
pub(crate) struct PyCrawlBatches {
    /// Receives the batches, and `None` at the end of the archive. If the channel ends without
    /// `None`, the thread has panicked and rows are missing.
    batches: Mutex<Option<Receiver<PyResult<Option<ArrayRef>>>>>,
}

#[pymethods]
impl PyCrawlBatches {
    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyColumn>> {
        let next = py.detach(|| {
            loop {
                let mut batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
                let next = match batches.as_ref()?.recv_timeout(SIGNALS) {
                    Ok(next) => next,
                    Err(RecvTimeoutError::Timeout) => {
                        // A signal handler may call this method.
                        drop(batches);
                        // The iterator can continue after an exception of a signal handler.
                        if let Err(error) = Python::attach(|py| py.check_signals()) {
                            return Some(Err(error));
                        }
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        let what = "the thread that reads the archive has failed";
                        Err(PyRuntimeError::new_err(what))
                    }
                };
                if !matches!(next, Ok(Some(_))) {
                    *batches = None;
                }
                return Some(next);
            }
        });
        let batch = next.transpose()?.flatten();
        Ok(batch.map(|batch| PyColumn::new(vec![batch])))
    }
}

/// Reads the pages of an archive, which is a path or an open file.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // each is a keyword of the Python function
pub(crate) fn crawl(
    py: Python<'_>,
    archive: &Bound<'_, PyAny>,
    name: String,
    ranges: Option<Vec<(u64, u64)>>,
    text: bool,
    private: bool,
    suffixes: Option<&Bound<'_, PySuffixList>>,
    batch_bytes: usize,
) -> PyResult<PyCrawlBatches> {
    let source = Source::open(archive)?;
    let ranges = ranges.unwrap_or_else(|| vec![(0, TO_THE_END)]);
    let options = Options {
        file: name,
        has_text: text,
        suffixes: keys::list(suffixes, private),
        batch_bytes,
    };
    let (send, batches) = sync_channel(AHEAD);
    let work = move || {
        let read = pages::read(source, &ranges, options, &mut |batch| {
            send.send(Ok(Some(batch))).map_err(|_| Stopped)
        });
        // The consumer may already have dropped the channel.
        let _ = send.send(read.map(|()| None));
    };
    let thread = thread::Builder::new().name("urikit crawl".to_owned());
    let started = py.detach(|| thread.spawn(work));
    started.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(PyCrawlBatches {
        batches: Mutex::new(Some(batches)),
    })
}
