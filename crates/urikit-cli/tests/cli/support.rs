//! Runs the command, and makes folders for its files.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

#[path = "schema.rs"]
mod schema;

/// The output and status of the command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: i32,
}

impl Outcome {
    /// The lines of `--json`.
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        let parse = |line| serde_json::from_str(line).unwrap();
        self.out.lines().map(parse).collect()
    }
}

/// The keys of a JSON object, in order.
pub(crate) fn keys(object: &serde_json::Value) -> Vec<&str> {
    let object = object.as_object().unwrap();
    object.keys().map(String::as_str).collect()
}

/// The command, without environment variables for colours and width.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uri"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

/// Runs `command` with `input` on standard input.
pub(crate) fn run_with(mut command: Command, input: &[u8]) -> Outcome {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // Writing fails if the command does not read its input.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    schema::check(&command, &output.stdout);
    Outcome {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap(),
    }
}

/// Runs `uri ARGUMENTS` without input.
pub(crate) fn uri<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Outcome {
    uri_with(arguments, b"")
}

/// Runs `uri ARGUMENTS` with `input` on standard input.
pub(crate) fn uri_with<S: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = S>,
    input: &[u8],
) -> Outcome {
    let mut command = command();
    for argument in arguments {
        command.arg(argument.as_ref());
    }
    run_with(command, input)
}

/// A temporary folder for one test, removed at its end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, and returns its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A zip archive of these files, compressed.
#[allow(dead_code)] // only some of the tests build archives
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let short = |number: usize| u16::try_from(number).unwrap().to_le_bytes();
    let long = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let mut file = Vec::new();
    let mut directory = Vec::new();
    for (name, bytes) in files {
        let mut sum = flate2::Crc::new();
        sum.update(bytes);
        let mut data = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        data.write_all(bytes).unwrap();
        let data = data.finish().unwrap();
        // The version, the flags, deflate, and the time (APPNOTE 4.3.7)
        let common = [
            &[20, 0, 0, 0, 8, 0, 0, 0, 0, 0][..],
            &sum.sum().to_le_bytes(),
            &long(data.len()),
            &long(bytes.len()),
            &short(name.len()),
            &[0, 0],
        ]
        .concat();
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&common);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&long(file.len()));
        directory.extend_from_slice(name.as_bytes());
        file.extend_from_slice(b"PK\x03\x04");
        file.extend_from_slice(&common);
        file.extend_from_slice(name.as_bytes());
        file.extend_from_slice(&data);
    }
    let start = file.len();
    let count = short(files.len());
    file.extend_from_slice(&directory);
    file.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    file.extend_from_slice(&[count, count].concat());
    file.extend_from_slice(&[long(directory.len()), long(start)].concat());
    file.extend_from_slice(&[0, 0]);
    file
}

/// An xz file with a stored block that declares this dictionary (The .xz File Format 1.2.1).
#[allow(dead_code)] // only some of the tests build compressed files
pub(crate) fn xz(dictionary: u8, page: &[u8]) -> Vec<u8> {
    let sum = |bytes: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(bytes);
        sum.sum().to_le_bytes()
    };
    let with_sum = |bytes: &[u8]| [bytes, &sum(bytes)].concat();
    let size = u16::try_from(page.len() - 1).unwrap().to_be_bytes();
    let mut block = with_sum(&[2, 0, 0x21, 1, dictionary, 0, 0, 0]);
    block.extend_from_slice(&[1, size[0], size[1]]);
    block.extend_from_slice(page);
    block.push(0);
    let unpadded = u8::try_from(block.len()).unwrap();
    block.resize(block.len().next_multiple_of(4), 0);
    let index = with_sum(&[0, 1, unpadded, u8::try_from(page.len()).unwrap()]);
    let footer = [1, 0, 0, 0, 0, 0];
    [
        &b"\xFD7zXZ\0"[..],
        &with_sum(&[0, 0]),
        &block,
        &index,
        &sum(&footer),
        &footer,
        b"YZ",
    ]
    .concat()
}
