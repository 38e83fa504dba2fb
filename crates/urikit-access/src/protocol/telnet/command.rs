//! The programs that are started for `rlogin` and `tn3270`.

use crate::context::Context;
use crate::error::Result;
use std::process::ExitStatus;

/// A program and its arguments. The host comes from a URL; everything else from the settings.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `PROGRAM [OPTION PORT] -- HOST`
    Rlogin {
        /// The program.
        program: String,
        /// The option for a port, and the port, if it is not the default.
        port: Option<(String, u16)>,
        /// The host, without brackets.
        host: String,
    },
    /// `PROGRAM [HOST]:PORT`: the syntax of x3270's programs. Without the brackets, a prefix such
    /// as `L:`, an option such as `-e` or the name of a session file could take the place of the
    /// host. They do not support `--`.
    Tn3270 {
        /// The program.
        program: String,
        /// The host, without brackets.
        host: String,
        /// The port.
        port: u16,
    },
}

impl Command {
    /// The program.
    pub fn program(&self) -> &str {
        match self {
            Self::Rlogin { program, .. } | Self::Tn3270 { program, .. } => program,
        }
    }

    /// The options, before `--`.
    fn options(&self) -> Vec<String> {
        match self {
            Self::Rlogin {
                port: Some((option, port)),
                ..
            } => vec![option.clone(), port.to_string()],
            _ => Vec::new(),
        }
    }

    /// The program and all of its arguments.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![self.program().to_owned()];
        words.extend(self.options());
        match self {
            Self::Rlogin { host, .. } => words.extend(["--".to_owned(), host.clone()]),
            Self::Tn3270 { host, port, .. } => words.push(in_brackets(host, *port)),
        }
        words
    }

    /// Starts the program, after asking, and waits for its end.
    pub(super) fn run(&self, context: &mut Context<'_>) -> Result<ExitStatus> {
        let options = self.options();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        match self {
            Self::Rlogin { program, host, .. } => context.run(program, &options, host),
            Self::Tn3270 {
                program,
                host,
                port,
            } => context.run_in_brackets(program, &options, &in_brackets(host, *port)),
        }
    }
}

fn in_brackets(host: &str, port: u16) -> String {
    format!("[{host}]:{port}")
}
