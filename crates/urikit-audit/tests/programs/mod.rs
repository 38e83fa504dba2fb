//! Other parsers, as programs that answer each line of their input (`lines.py`).

use std::borrow::Cow;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use urikit_audit::Outcome;

/// An interpreter and its script.
pub(crate) struct Program {
    pub(crate) interpreter: &'static str,
    pub(crate) script: &'static str,
}

impl Program {
    /// Returns libcurl, called through Python's `ctypes`.
    pub(crate) fn curl() -> Option<Self> {
        Self::of("python3", "curl.py")
    }

    /// Returns Python 3.13 if it is installed (perhaps by pyenv, see `command`), otherwise any
    /// Python.
    pub(crate) fn python() -> Option<Self> {
        Self::of("python3.13", "python.py").or_else(|| Self::of("python3", "python.py"))
    }

    /// Returns Node.
    pub(crate) fn node() -> Option<Self> {
        Self::of("node", "node.js")
    }

    pub(crate) fn of(interpreter: &'static str, script: &'static str) -> Option<Self> {
        let program = Self {
            interpreter,
            script,
        };
        (!program.version().is_empty()).then_some(program)
    }

    /// Returns the version, or an empty string if the program does not run.
    pub(crate) fn version(&self) -> String {
        let output = self.command().arg("--version").output();
        let output = output.ok().filter(|output| output.status.success());
        let text = output.map(|output| output.stdout).unwrap_or_default();
        String::from_utf8(text).unwrap().trim_end().to_owned()
    }

    fn command(&self) -> Command {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        let mut command = Command::new(self.interpreter);
        // Only pyenv reads this variable.
        command.env("PYENV_VERSION", "3.13.0");
        command.arg(folder.join(self.script)).stderr(Stdio::null());
        command
    }

    /// Returns the answer to each line, which contains an input, or a base and a reference.
    pub(crate) fn answers(&self, lines: &[String]) -> Vec<String> {
        let mut child = self
            .command()
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut to_child = child.stdin.take().unwrap();
        let lines: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        let writer = thread::spawn(move || to_child.write_all(lines.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_terminator('\n').map(str::to_owned).collect()
    }
}

/// Formats an outcome like the answer of a program.
pub(crate) fn answer(outcome: &Outcome<'_>) -> String {
    let Ok(reading) = outcome else {
        return "rejected".to_owned();
    };
    let part = |text: &Option<Cow<'_, str>>| match text {
        None => "\\0".to_owned(),
        Some(text) => escaped(text),
    };
    [
        part(&reading.scheme),
        part(&reading.userinfo),
        part(&reading.host),
        part(&reading.port),
        escaped(&reading.path),
    ]
    .join("\t")
}

/// Escapes a string to one line.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\n', "\\n");
    text.replace('\r', "\\r").replace('\t', "\\t")
}
