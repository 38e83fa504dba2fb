//! Reads files that are named in options, up to a size limit, and replaces files.

use crate::closed::stdin;
use rustix::fs::FileType;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

/// The maximum size, in bytes, of a settings file (logins, cookies or certificates). The file is
/// kept in memory.
pub(crate) const MAX_SETTINGS: u64 = 16 << 20;

/// Opens a file that is read while results are printed. Fails if the file is the output, because
/// results would become input. Also returns the metadata of the file.
pub(crate) fn open_input(path: &Path, output: OutputFile) -> io::Result<(File, Metadata)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    output.check_is_not(&metadata)?;
    Ok((file, metadata))
}

/// Returns standard input. Fails if standard output is the same file.
pub(crate) fn stdin_input(output: OutputFile) -> io::Result<io::Stdin> {
    let input = stdin()?;
    let file = File::from(input.as_fd().try_clone_to_owned()?);
    output.check_is_not(&file.metadata()?)?;
    Ok(input)
}

/// The device and the inode of standard output if it is a regular file, which must not be read.
#[derive(Clone, Copy)]
pub(crate) struct OutputFile(Option<(u64, u64)>);

impl OutputFile {
    /// Looks up standard output, which needs a system call.
    #[allow(clippy::unnecessary_cast, clippy::cast_sign_loss)] // as `std` does for `dev` and `ino`
    pub(crate) fn find() -> io::Result<Self> {
        let output = rustix::fs::fstat(io::stdout())?;
        let is_file = FileType::from_raw_mode(output.st_mode) == FileType::RegularFile;
        Ok(Self(
            is_file.then_some((output.st_dev as u64, output.st_ino as u64)),
        ))
    }

    fn check_is_not(self, input: &Metadata) -> io::Result<()> {
        if self.0 == Some((input.dev(), input.ino())) {
            return Err(io::Error::other("this input file is also the output"));
        }
        Ok(())
    }
}

/// Reads a settings file as text.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path, MAX_SETTINGS)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the file is not UTF-8"))
}

/// Reads a file of at most `max` bytes.
pub(crate) fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_all(File::open(path)?, max)
}

/// Reads up to the end, but at most `max` bytes. A longer file is an error.
pub(crate) fn read_all(source: impl Read, max: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    source.take(max + 1).read_to_end(&mut content)?;
    if u64::try_from(content.len()).is_ok_and(|length| length > max) {
        let what = format!(
            "the file is larger than {} MiB, but must fit in memory",
            max >> 20
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(content)
}

/// Atomically replaces a file with one that only its owner can read: other processes see either the
/// old content or the new.
///
/// If the path is a symbolic link, its target is replaced, and the link is kept. Devices and FIFOs
/// are written directly.
pub(crate) fn replace_private(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = match fs::canonicalize(path) {
        Ok(target) if fs::metadata(&target)?.is_file() => target,
        Ok(special) => {
            return OpenOptions::new()
                .write(true)
                .open(special)?
                .write_all(content);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    let mut beside = OsString::from(&path);
    beside.push(format!(".{}.new", std::process::id()));
    // A file with this name may be left over from an earlier process with the same ID, or be a
    // link that another user created.
    if let Err(error) = fs::remove_file(&beside)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    let written = options.open(&beside).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()
    });
    let replaced = written.and_then(|()| fs::rename(&beside, &path));
    if replaced.is_err() {
        let _ = fs::remove_file(&beside);
    }
    replaced
}
