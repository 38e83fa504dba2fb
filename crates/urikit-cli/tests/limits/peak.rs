//! The peak memory used by a run of the command.

use crate::support::command;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// The peak memory and the output of a run.
#[derive(Debug)]
pub(crate) struct Run {
    /// The peak memory, in bytes.
    pub(crate) peak: usize,
    /// The numbers of printed bytes and lines.
    pub(crate) printed: usize,
    pub(crate) lines: usize,
    pub(crate) err: String,
    pub(crate) status: Option<i32>,
    pub(crate) time: Duration,
}

/// Runs `uri ARGUMENTS`, with a file as standard input if given.
pub(crate) fn run<S: AsRef<OsStr>>(arguments: &[S], input: Option<&str>) -> Run {
    let start = Instant::now();
    let input = input.map_or(Stdio::null(), |path| File::open(path).unwrap().into());
    let mut child = command()
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let out = child.stdout.take().unwrap();
    let mut err = child.stderr.take().unwrap();
    let out = std::thread::spawn(move || count(out));
    let err = std::thread::spawn(move || {
        let mut text = Vec::new();
        err.read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    });
    let (peak, status) = watch(&mut child);
    let (printed, lines) = out.join().unwrap().unwrap();
    Run {
        peak,
        printed,
        lines,
        err: err.join().unwrap(),
        status,
        time: start.elapsed(),
    }
}

/// Samples the peak memory used by a process until it ends. Returns the exit status too.
fn watch(child: &mut Child) -> (usize, Option<i32>) {
    let path = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<usize>().ok());
        peak = peak.max(now.unwrap_or(0) << 10);
        if let Some(status) = child.try_wait().unwrap() {
            return (peak, status.code());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Counts bytes and lines.
fn count(out: impl Read) -> io::Result<(usize, usize)> {
    let mut out = BufReader::with_capacity(1 << 20, out);
    let (mut bytes, mut lines) = (0, 0);
    loop {
        let piece = out.fill_buf()?;
        let length = piece.len();
        if length == 0 {
            return Ok((bytes, lines));
        }
        lines += memchr::memchr_iter(b'\n', piece).count();
        bytes += length;
        out.consume(length);
    }
}
