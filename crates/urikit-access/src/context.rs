//! What a protocol reaches the world by. The policy is asked here, so that no protocol needs to know of it.

use crate::error::{Error, ErrorKind, Result};
use crate::kept::{Keep, Kept};
use crate::net::{Connection, Deadline, Dialer, Peer};
use crate::person::{Nobody, Person};
use crate::policy::{Policy, Refusal, Source};
use crate::trace::Trace;
use std::process::ExitStatus;

/// The world, to a protocol: connections, the person, programs.
pub struct Context<'a> {
    pub(crate) dialer: &'a Dialer,
    pub(crate) deadline: Deadline,
    pub(crate) trace: &'a Trace,
    pub(crate) own_ports: &'a [u16],
    pub(crate) source: Source,
    pub(crate) person: &'a mut dyn Person,
    pub(crate) nobody: Nobody,
    pub(crate) kept: &'a mut Kept,
}

impl Context<'_> {
    /// Connects to a host, as a URL has it, and a port.
    ///
    /// # Errors
    ///
    /// Where the policy says no, and when it cannot be connected to in time.
    pub fn connect(&mut self, host: &str, port: u16) -> Result<Connection> {
        let own_ports = self.own_ports;
        let peer = Peer {
            host,
            port,
            own_ports,
        };
        self.dialer.connect(peer, self.deadline, self.trace)
    }

    /// Connects to another port of the host that a connection leads to: for data, whatever host the server names.
    ///
    /// # Errors
    ///
    /// As [`connect`](Self::connect); a port of another protocol is refused.
    pub fn connect_again(&mut self, to: &Connection, port: u16) -> Result<Connection> {
        let address = to.peer().ip();
        self.dialer
            .connect_again(address, port, self.deadline, self.trace)
    }

    /// A connection of an earlier access to the same origin, if one was [kept](Self::keep). `origin` says all that
    /// has to be the same: scheme, host, port, and who is logged in.
    ///
    /// Its server may have ended it since, which the first command tells.
    pub fn kept<T: Keep>(&mut self, origin: &str) -> Option<T> {
        let mut value: T = self.kept.take(origin)?;
        let connection = value.connection();
        // Judged when it was made; the policy is the same, and is asked again all the same.
        self.dialer.judge(connection.peer().ip()).ok()?;
        connection.rearm(self.dialer.limits(self.deadline), self.trace.clone());
        self.trace.note(format!(
            "goes on with the connection to {}",
            connection.peer()
        ));
        Some(value)
    }

    /// Keeps a connection for a later access to the same origin.
    pub fn keep<T: Keep>(&mut self, origin: &str, value: T) {
        self.kept.put(origin, value);
    }

    /// Whoever can be asked: nobody, where the network gave the reference.
    pub fn person(&mut self) -> &mut dyn Person {
        match self.source {
            Source::User => self.person,
            Source::Network => &mut self.nobody,
        }
    }

    /// Notes a step that no connection notes, without secrets.
    pub fn note(&self, step: impl Into<String>) {
        self.trace.note(step.into());
    }

    /// How deep what is nested may be.
    pub fn deepest(&self) -> usize {
        self.policy().deepest
    }

    /// Refuses what is nested deeper than is allowed.
    ///
    /// # Errors
    ///
    /// Where `depth` levels are too many.
    pub fn check_depth(&self, depth: usize) -> Result<()> {
        let most = self.deepest();
        if depth > most {
            return Err(Refusal::Depth { most }.into());
        }
        Ok(())
    }

    /// The longest line, and the longest part of a listing, in bytes.
    pub fn longest_line(&self) -> usize {
        self.policy().longest_line
    }

    /// When all of it has to be done.
    pub const fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Asks the policy whether a program may be started that will connect to a host of a URL, and a port: the port and
    /// all addresses are judged as for a connection. Gives the name for the program, or the address without brackets.
    ///
    /// The program looks the name up again, which is out of reach here.
    ///
    /// # Errors
    ///
    /// Where the policy says no, or the name leads nowhere.
    pub fn judge(&mut self, host: &str, port: u16) -> Result<String> {
        let own_ports = self.own_ports;
        let peer = Peer {
            host,
            port,
            own_ports,
        };
        let judged = self.dialer.judge_peer(peer, self.deadline);
        judged.map_err(|error| error.at(format!("looking up {host}")))
    }

    /// Starts a program with options of ours and one argument that a URL gave, behind `--`, and waits for it. The
    /// person is asked before.
    ///
    /// # Errors
    ///
    /// Where the argument begins with `-`, where there is no terminal, where nobody agrees, and when it cannot be
    /// started.
    pub fn start(&mut self, program: &str, options: &[&str], argument: &str) -> Result<ExitStatus> {
        if argument.starts_with('-') {
            return Err(not_started(argument));
        }
        self.run(program, &[options, &["--"]].concat(), argument)
    }

    /// The same for a program to which `--` does not end the options. The argument is in brackets then, so that it is
    /// no option.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start), and where the argument does not begin with `[`.
    pub fn start_in_brackets(
        &mut self,
        program: &str,
        options: &[&str],
        argument: &str,
    ) -> Result<ExitStatus> {
        if !argument.starts_with('[') {
            return Err(not_started(argument));
        }
        self.run(program, options, argument)
    }

    #[allow(clippy::disallowed_methods)] // the only place that starts a program
    fn run(&mut self, program: &str, options: &[&str], argument: &str) -> Result<ExitStatus> {
        if argument.contains(|c: char| c.is_control()) {
            return Err(not_started(argument));
        }
        let line = [&[program], options, &[argument]].concat().join(" ");
        if !self.person().has_terminal() {
            return Err(Refusal::NoTerminal.into());
        }
        if !self.person().agrees(&format!("Start `{line}`?")) {
            return Err(Refusal::NoConsent.into());
        }
        self.note(format!("starts {line}"));
        std::process::Command::new(program)
            .args(options)
            .arg(argument)
            .status()
            .map_err(|error| Error::new(ErrorKind::Local(error)).at(format!("starting {program}")))
    }

    fn policy(&self) -> &Policy {
        &self.dialer.policy
    }
}

fn not_started(argument: &str) -> Error {
    let argument = argument.escape_debug().to_string();
    Refusal::Program { argument }.into()
}
