//! Carries out a Gemini request.

use super::command::Command;
use super::header::{Category, Header};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::known_hosts::KnownHosts;
use crate::net::Connection;
use crate::output::Output;
use crate::protocol::Outcome;
use crate::protocol::stream::pass_on;
use urikit_schemes::Gemini as Url;

/// The number of times that a server may ask for input in one access.
const MAX_INPUTS: usize = 5;

/// An access in progress.
pub(super) struct Access<'a, 'c, 'd> {
    pub(super) hosts: &'a KnownHosts,
    pub(super) url: Url<'a>,
    /// True if the URL does not have the origin that the caller requested.
    pub(super) is_foreign: bool,
    pub(super) wants_body: bool,
    pub(super) context: &'a mut Context<'c>,
    pub(super) output: &'a mut Output<'d>,
}

impl Access<'_, '_, '_> {
    /// Fetches the resource at the URL.
    pub(super) fn fetch(mut self) -> Result<Outcome> {
        let mut command = Command::new(&self.url)?;
        for _ in 0..=MAX_INPUTS {
            let mut connection = self.connect()?;
            connection.send(&command)?;
            let header = Header::receive(&mut connection)?;
            match header.category() {
                Category::Input { is_secret } => command = self.input(&header, is_secret)?,
                Category::Success => {
                    self.output.begin(header.metadata())?;
                    if self.wants_body {
                        pass_on(&mut connection, self.output)?;
                    }
                    return Ok(Outcome::Done);
                }
                Category::Redirect => {
                    let target = header.text().trim().to_owned();
                    // An empty reference would redirect to the same URL.
                    if target.is_empty() {
                        let error = connection.failed(ErrorKind::Protocol("a redirect target"));
                        return Err(error.with_received(&header.line));
                    }
                    return Ok(Outcome::Redirect(target));
                }
                Category::Failure => return Err(header.failure(&connection)),
            }
        }
        let what = "the server asks for input again and again";
        Err(Error::new(ErrorKind::Unsupported(what)))
    }

    /// Connects to the server.
    fn connect(&mut self) -> Result<Connection> {
        let (host, port) = (self.url.host(), self.url.port().ok_or(UrlError::NoPort)?);
        let mut connection = self.context.connect(host.as_str(), port)?;
        let is_identified = !self.is_foreign;
        connection.start_tls_on_first_use(host.as_str(), port, self.hosts, is_identified)?;
        Ok(connection)
    }

    /// Asks the user for input, and returns the request that contains it.
    fn input(&mut self, header: &Header, is_secret: bool) -> Result<Command> {
        let question = header.text();
        let host = self.url.host().as_str();
        let prompt = self.context.prompt();
        let input = if is_secret {
            prompt.password(&question, host)
        } else {
            prompt.input(&question, "")
        };
        let Some(input) = input else {
            let what = if is_secret {
                "the server asks for sensitive input, which must be entered on a terminal"
            } else {
                "the server asks for input, which the URL can contain: gemini://host/path?input"
            };
            return Err(Error::new(ErrorKind::Unsupported(what)).with_received(&header.line));
        };
        Ok(Command::with_input(&self.url, &input, is_secret)?)
    }
}
