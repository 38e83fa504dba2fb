//! The bytes of an archive, which is a local file or a Python file object, such as one from
//! `pyarrow.fs`.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of bytes that each call requests from a file object. The number is large because each
/// call needs the GIL.
const PIECE: usize = 1 << 20;

/// The length of a range that ends where the archive ends.
pub(super) const TO_THE_END: u64 = u64::MAX;

enum Input {
    File(File, PathBuf),
    Object(Py<PyAny>),
}

/// An archive that is read in ranges.
pub(super) struct Source {
    input: Input,
    /// The last piece that was read from a file object, and the offset of its unread part.
    piece: Vec<u8>,
    at: usize,
    /// The number of bytes that remain in the current range.
    left: u64,
    /// True if the current range ends where the archive ends.
    is_open: bool,
    /// The input error that ended the last read. The archive reader reports it as damage, but the
    /// caller can try again after an input error.
    error: Option<PyErr>,
    has_failed: Arc<AtomicBool>,
    has_begun: bool,
}

impl Source {
    /// Opens a path, or accepts an object with the methods `read` and `seek`.
    pub(super) fn open(archive: &Bound<'_, PyAny>) -> PyResult<Self> {
        let is_path = archive.is_instance_of::<PyString>() || archive.hasattr("__fspath__")?;
        let input = if is_path {
            let path = archive.extract::<PathBuf>()?;
            match File::open(&path) {
                Ok(file) => Input::File(file, path),
                Err(error) => return Err(os_error(error, &path)),
            }
        } else {
            Input::Object(archive.clone().unbind())
        };
        Ok(Self {
            input,
            piece: Vec::new(),
            at: 0,
            left: 0,
            is_open: false,
            error: None,
            has_failed: Arc::default(),
            has_begun: false,
        })
    }

    /// Returns a flag that becomes true when the first input error occurs.
    pub(super) fn has_failed(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.has_failed)
    }

    fn fail(&mut self, error: PyErr) -> io::Error {
        let message = error.to_string();
        self.error = Some(error);
        self.has_failed.store(true, Ordering::Relaxed);
        io::Error::other(message)
    }

    /// Begins a range. A pipe, or an object without `seek`, can be read if the range begins at
    /// offset 0.
    pub(super) fn begin(&mut self, offset: u64, length: u64) -> PyResult<()> {
        self.piece.clear();
        self.at = 0;
        self.left = length;
        self.is_open = length == TO_THE_END;
        let has_begun = std::mem::replace(&mut self.has_begun, true);
        match &mut self.input {
            _ if offset == 0 && !has_begun => {}
            Input::File(file, path) => {
                let seek = file.seek(SeekFrom::Start(offset));
                seek.map_err(|error| os_error(error, path))?;
            }
            Input::Object(object) => {
                Python::attach(|py| object.call_method1(py, "seek", (offset,)))?;
            }
        }
        Ok(())
    }

    /// Returns true if all bytes of the current range have been read.
    pub(super) const fn is_complete(&self) -> bool {
        self.is_open || self.left == 0
    }

    /// Returns the input error that ended the range.
    pub(super) fn take_error(&mut self) -> Option<PyErr> {
        self.error.take()
    }
}

/// Converts an error to an `OSError` with `errno`, `strerror` and `filename`, as Python's functions
/// raise it.
fn os_error(error: io::Error, path: &Path) -> PyErr {
    let Some(code) = error.raw_os_error() else {
        return error.into();
    };
    if cfg!(windows) {
        // The code is `winerror`, from which `OSError` derives `errno`.
        return PyOSError::new_err((0, error.to_string(), path.as_os_str().to_owned(), code));
    }
    Python::attach(|py| {
        let strerror = || py.import("os")?.call_method1("strerror", (code,));
        match strerror() {
            // `OSError` chooses the subclass, such as `FileNotFoundError`, by the number.
            Ok(text) => PyOSError::new_err((code, text.unbind(), path.as_os_str().to_owned())),
            Err(_) => error.into(),
        }
    })
}

impl Source {
    /// Reads the next piece of a file object.
    fn fill(&mut self, size: usize) -> PyResult<()> {
        let Input::Object(object) = &self.input else {
            return Ok(());
        };
        let piece: Vec<u8> = Python::attach(|py| {
            let piece = object.call_method1(py, "read", (size,))?;
            let piece = piece.bind(py).cast::<PyBytes>()?;
            Ok::<_, PyErr>(piece.as_bytes().to_vec())
        })?;
        if piece.len() > size {
            let what = "the file object returned more bytes than requested";
            return Err(PyOSError::new_err(what));
        }
        (self.piece, self.at) = (piece, 0);
        Ok(())
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let buffer = buffer.get_mut(..wanted).unwrap_or_default();
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.input {
            Input::File(file, path) => match file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                read => read.map_err(|error| os_error(error, path)),
            },
            Input::Object(_) => {
                let filled = if self.at >= self.piece.len() {
                    self.fill(left.min(PIECE))
                } else {
                    Ok(())
                };
                let mut rest = self.piece.get(self.at..).unwrap_or_default();
                filled.and_then(|()| Ok(rest.read(buffer)?))
            }
        };
        let length = read.map_err(|error| self.fail(error))?;
        self.at += length;
        self.left -= u64::try_from(length).unwrap_or(self.left).min(self.left);
        Ok(length)
    }
}
