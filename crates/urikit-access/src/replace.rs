//! Replaces a file atomically: readers see either the complete old content or the complete new
//! content.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time between two attempts to take a lock.
const PAUSE: Duration = Duration::from_millis(20);

/// Writes the new content to another file in the same folder, with the same permissions, and
/// renames that file. If the path is a symbolic link, the file that it points to is replaced.
///
/// # Errors
///
/// If writing fails, the old file is unchanged, and no other file is left in the folder.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let path = match fs::canonicalize(path) {
        Ok(path) => path,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    let (file, temporary) = create_beside(&path)?;
    let result = fill(file, &path, write).and_then(|()| fs::rename(&temporary, &path));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// Writes the content, and makes it durable before the file is renamed.
fn fill(
    file: File,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    let file = out.into_inner().map_err(|error| error.into_error())?;
    match fs::metadata(path) {
        Ok(old) => file.set_permissions(old.permissions())?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    file.sync_all()
}

/// Creates a new file with a hidden name in the same folder.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut attempt = 0;
    loop {
        let temporary = beside(path, &format!(".{}-{attempt}.tmp", std::process::id()))?;
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
        {
            Ok(file) => return Ok((file, temporary)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => {
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns the path of a hidden file in the same folder: `.NAME`, followed by an ending.
fn beside(path: &Path, ending: &str) -> io::Result<PathBuf> {
    let name = path.file_name();
    let name =
        name.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not a file name"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(ending);
    Ok(path.with_file_name(hidden))
}

/// A lock on a file that is read and then replaced. The lock is a separate file in the same
/// folder, because a lock on the file itself would be lost when the file is replaced.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// The open lock file, which keeps the lock until it is closed.
    _file: File,
}

impl Lock {
    /// Takes the lock, waiting until other processes release it.
    ///
    /// # Errors
    ///
    /// Fails with [`io::ErrorKind::WouldBlock`] if the time limit passes first.
    pub fn take(path: &Path, limit: Duration) -> io::Result<Self> {
        let path = beside(path, ".lock")?;
        let start = Instant::now();
        loop {
            let options = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .to_owned();
            let file = options.open(&path)?;
            match file.try_lock() {
                // The previous owner of the lock may have removed the file after it was opened
                // here.
                Ok(()) if is_same(&file, &path) => return Ok(Self { path, _file: file }),
                Ok(()) => continue,
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            if start.elapsed() >= limit {
                let message = format!("another process holds the lock {}", path.display());
                return Err(io::Error::new(io::ErrorKind::WouldBlock, message));
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The lock file is removed before the lock is released, so a process that is waiting for
        // the lock notices the removal and opens a new file.
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns true if the path still refers to this open file.
#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: fs::Metadata| (data.dev(), data.ino());
    let named = fs::metadata(path).map(identity).ok();
    named.is_some() && named == file.metadata().map(identity).ok()
}

/// Returns true if the path still refers to a file. On this system, an open file cannot be
/// replaced.
#[cfg(not(unix))]
fn is_same(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::{Lock, replace};
    use std::io::{self, ErrorKind};
    use std::time::Duration;
    use std::{fs, path::PathBuf};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("urikit-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        folder
    }

    fn names(folder: &PathBuf) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn a_failure_leaves_the_old_file() {
        let folder = folder("replace");
        let path = folder.join("a");
        fs::write(&path, "old").unwrap();
        let error = replace(&path, |out| {
            out.write_all(b"ne")?;
            Err(io::Error::from(ErrorKind::StorageFull))
        });
        assert_eq!(error.unwrap_err().kind(), ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(&folder), ["a"]);
        replace(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(&folder), ["a"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_symbolic_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("permissions");
        let path = folder.join("a");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        symlink("a", folder.join("link")).unwrap();
        replace(&folder.join("link"), |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o750);
        assert!(folder.join("link").symlink_metadata().unwrap().is_symlink());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn one_lock_at_a_time() {
        let folder = folder("lock");
        let path = folder.join("a");
        let lock = Lock::take(&path, Duration::ZERO).unwrap();
        let error = Lock::take(&path, Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        assert!(error.to_string().ends_with(".a.lock"), "{error}");
        drop(lock);
        assert_eq!(names(&folder), [""; 0]);
        // Each of the threads increments the number in the file.
        fs::write(&path, "0").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _lock = Lock::take(&path, Duration::from_secs(60)).unwrap();
                    let number: u32 = fs::read_to_string(&path).unwrap().parse().unwrap();
                    replace(&path, |out| write!(out, "{}", number + 1)).unwrap();
                });
            }
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), "8");
        fs::remove_dir_all(folder).unwrap();
    }
}
