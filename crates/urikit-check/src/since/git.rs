//! Runs git as a program, with bounded output.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

/// The maximum length of a list of names, or of the old version of a file, in bytes.
const MAX_OUTPUT: u64 = 256 << 20;

/// The maximum length of git's error messages, in bytes.
const MAX_MESSAGE: u64 = 4_096;

/// An error of git.
#[derive(Debug)]
pub enum GitError {
    /// Git cannot be run.
    Run(io::Error),
    /// Git failed, with this message.
    Failed(String),
    /// The output of git is longer than 256 MiB.
    TooLong,
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(error) => write!(f, "cannot run git: {error}"),
            Self::Failed(message) => write!(f, "git: {message}"),
            Self::TooLong => write!(f, "the output of git is longer than {MAX_OUTPUT} bytes"),
        }
    }
}

impl std::error::Error for GitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Run(error) => Some(error),
            Self::Failed(_) | Self::TooLong => None,
        }
    }
}

/// A running git process. A thread reads its error messages, so that a flood of warnings does not
/// block the process.
pub(super) struct Git {
    child: Child,
    messages: Option<JoinHandle<Vec<u8>>>,
}

impl Git {
    /// Starts git in a folder.
    pub(super) fn start<A: AsRef<OsStr>>(
        folder: &Path,
        arguments: impl IntoIterator<Item = A>,
        stdin: Stdio,
    ) -> Result<Self, GitError> {
        // Otherwise, git would run the program that `core.fsmonitor` names.
        let mut command = Command::new("git");
        command.args([
            "--no-pager",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.quotePath=true",
        ]);
        command.args(arguments).current_dir(folder);
        // Git must not write the index, and its messages must be in English, as the tests expect.
        command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(GitError::Run)?;
        let messages = child.stderr.take().map(|mut pipe| {
            std::thread::spawn(move || {
                let mut message = Vec::new();
                let _ = pipe.by_ref().take(MAX_MESSAGE).read_to_end(&mut message);
                let _ = io::copy(&mut pipe, &mut io::sink());
                message
            })
        });
        Ok(Self { child, messages })
    }

    /// Returns the output; `None` after the first call.
    pub(super) fn output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Waits until git has exited, and returns the error if git failed or its output could not be
    /// read.
    pub(super) fn finish(mut self, result: io::Result<()>) -> Result<(), GitError> {
        result.map_err(GitError::Run)?; // `drop` ends the program
        let status = self.child.wait().map_err(GitError::Run)?;
        let message = self.messages.take().and_then(|thread| thread.join().ok());
        if status.success() {
            return Ok(());
        }
        let message = message.unwrap_or_default();
        let message = String::from_utf8_lossy(&message);
        // Warnings may come before the error.
        let fatal = message
            .lines()
            .find_map(|line| line.strip_prefix("fatal: "));
        let first = fatal.or_else(|| message.lines().next());
        Err(GitError::Failed(
            first.unwrap_or("it failed without a message").to_owned(),
        ))
    }
}

impl Drop for Git {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs git, and returns its output.
pub(super) fn git<A: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = A>,
) -> Result<Vec<u8>, GitError> {
    let mut git = Git::start(folder, arguments, Stdio::null())?;
    let mut output = Vec::new();
    let result = match git.output() {
        Some(pipe) => pipe.take(MAX_OUTPUT + 1).read_to_end(&mut output).map(drop),
        None => Ok(()),
    };
    if output.len() as u64 > MAX_OUTPUT {
        return Err(GitError::TooLong);
    }
    git.finish(result)?;
    Ok(output)
}

/// Reads any number of blobs from one `git cat-file --batch` process.
pub(super) struct Blobs {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _git: Git,
}

impl Blobs {
    pub(super) fn open(folder: &Path) -> Result<Self, GitError> {
        let mut git = Git::start(folder, ["cat-file", "--batch"], Stdio::piped())?;
        let closed = || GitError::Failed("it closed its output".to_owned());
        let input = git.child.stdin.take().ok_or_else(closed)?;
        let output = BufReader::new(git.output().ok_or_else(closed)?);
        Ok(Self {
            input,
            output,
            _git: git,
        })
    }

    /// Returns the content of a blob, or no content if the blob is longer than 256 MiB or missing
    /// from this clone.
    pub(super) fn read(&mut self, id: &str) -> Result<Vec<u8>, GitError> {
        self.request(id).map_err(GitError::Run)
    }

    fn request(&mut self, id: &str) -> io::Result<Vec<u8>> {
        writeln!(self.input, "{id}")?;
        self.input.flush()?;
        let mut header = String::new();
        if self.output.by_ref().take(1_024).read_line(&mut header)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // `ID TYPE SIZE`, or `ID missing`
        let size = header
            .trim_end()
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse().ok());
        let Some(size) = size else {
            return Ok(Vec::new());
        };
        let mut content = self.output.by_ref().take(size);
        let mut blob = Vec::new();
        if size > MAX_OUTPUT {
            io::copy(&mut content, &mut io::sink())?;
        } else {
            content.read_to_end(&mut blob)?;
        }
        // A line feed follows the content.
        self.output.read_exact(&mut [0])?;
        Ok(blob)
    }
}
