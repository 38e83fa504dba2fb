//! `-w`: prints details of a transfer according to a template, as curl does.
//!
//! ```text
//! template = *( "%{" name "}" / "%header{" field "}" / "%%" / escape / character )
//! escape   = "\n" / "\r" / "\t" / "\\"
//! ```

use crate::closed::stdin;
use crate::files::{self, MAX_SETTINGS};
use crate::output::Output;
use crate::report::io_message;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use urikit_access::{Error, Event, Hop, Response};
use urikit_report::mask::mask;

/// A parsed template.
#[derive(Clone, Debug)]
pub(super) struct Template(Vec<Part>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    Variable(Variable),
    /// The value of a header field in the last response.
    Header(String),
}

/// The variables, named as in curl.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variable {
    ContentType,
    ErrorMessage,
    ExitCode,
    FilenameEffective,
    HttpCode,
    HttpVersion,
    NumHeaders,
    NumRedirects,
    RedirectUrl,
    RemoteIp,
    RemotePort,
    Scheme,
    SizeDownload,
    SpeedDownload,
    TimeTotal,
    Url,
    UrlEffective,
    UrlNumber,
}

const VARIABLES: [(&str, Variable); 19] = [
    ("content_type", Variable::ContentType),
    ("errormsg", Variable::ErrorMessage),
    ("exitcode", Variable::ExitCode),
    ("filename_effective", Variable::FilenameEffective),
    ("http_code", Variable::HttpCode),
    ("http_version", Variable::HttpVersion),
    ("num_headers", Variable::NumHeaders),
    ("num_redirects", Variable::NumRedirects),
    ("redirect_url", Variable::RedirectUrl),
    ("remote_ip", Variable::RemoteIp),
    ("remote_port", Variable::RemotePort),
    ("response_code", Variable::HttpCode),
    ("scheme", Variable::Scheme),
    ("size_download", Variable::SizeDownload),
    ("speed_download", Variable::SpeedDownload),
    ("time_total", Variable::TimeTotal),
    ("url", Variable::Url),
    ("url_effective", Variable::UrlEffective),
    ("urlnum", Variable::UrlNumber),
];

/// A completed or failed transfer.
pub(super) struct Ended<'a> {
    /// The reference.
    pub(super) uri: &'a str,
    pub(super) fetched: Result<&'a Response, &'a Error>,
    /// The number of body bytes received.
    pub(super) bytes: u64,
    pub(super) time: Duration,
    pub(super) file: Option<PathBuf>,
    /// The number of references fetched before this one.
    pub(super) index: u64,
    /// The exit status.
    pub(super) status: u8,
}

impl Template {
    /// Parses a template, or reads it from the file whose name follows an `@`.
    ///
    /// # Errors
    ///
    /// Fails with a message if a variable is unknown, or if the file cannot be read.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let read = match text.strip_prefix('@') {
            Some("-") => stdin().and_then(|stdin| files::read_all(stdin, MAX_SETTINGS)),
            Some(path) => files::read(Path::new(path), MAX_SETTINGS),
            None => return Self::parse(text),
        };
        let read = read.map_err(|error| format!("-w {text}: {}", io_message(&error)))?;
        Self::parse(&String::from_utf8_lossy(&read))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let special = [
                ("%%", '%'),
                ("\\n", '\n'),
                ("\\r", '\r'),
                ("\\t", '\t'),
                ("\\\\", '\\'),
            ]
            .iter()
            .find_map(|(written, c)| Some((*c, rest.strip_prefix(written)?)));
            if let Some((c, after)) = special {
                literal.push(c);
                rest = after;
            } else if let Some((part, after)) = variable(rest)? {
                parts.push(Part::Text(std::mem::take(&mut literal)));
                parts.push(part);
                rest = after;
            } else {
                literal.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
        parts.push(Part::Text(literal));
        parts.retain(|part| *part != Part::Text(String::new()));
        Ok(Self(parts))
    }

    /// Prints the filled template for a transfer. Passwords in URLs are masked unless
    /// `--show-secrets` is given.
    pub(super) fn print(
        &self,
        ended: &Ended<'_>,
        output: &Output,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        for part in &self.0 {
            match part {
                Part::Text(text) => out.extend_from_slice(text.as_bytes()),
                Part::Header(name) => {
                    let value = ended.last().and_then(|hop| hop.values(name).next());
                    output.text(out, value.unwrap_or_default())?;
                }
                Part::Variable(variable) => {
                    let value = ended.value(*variable, output.reporter.show_secrets);
                    output.text(out, &value)?;
                }
            }
        }
        Ok(())
    }
}

/// Parses a variable at the beginning of `text`. Returns the variable and the rest of the text.
fn variable(text: &str) -> Result<Option<(Part, &str)>, String> {
    let named = |prefix: &str| text.strip_prefix(prefix)?.split_once('}');
    if let Some((name, rest)) = named("%header{") {
        return Ok(Some((Part::Header(name.to_owned()), rest)));
    }
    let Some((name, rest)) = named("%{") else {
        return Ok(None);
    };
    if let Some((_, variable)) = VARIABLES.iter().find(|(known, _)| *known == name) {
        return Ok(Some((Part::Variable(*variable), rest)));
    }
    let all: Vec<_> = VARIABLES.iter().map(|(name, _)| *name).collect();
    let all = all.join(", ");
    Err(format!(
        "-w has no variable `{name}`; available are {all} and %header{{NAME}}"
    ))
}

impl Ended<'_> {
    fn hops(&self) -> &[Hop] {
        self.fetched
            .map_or_else(Error::hops, |response| &response.hops)
    }

    fn last(&self) -> Option<&Hop> {
        self.hops().last()
    }

    fn value(&self, variable: Variable, shows_secrets: bool) -> String {
        let url = |url: &str| mask(url, shows_secrets).into_owned();
        let response = self.fetched.ok();
        let last = self.last();
        let seconds = self.time.as_secs_f64();
        match variable {
            Variable::ContentType => {
                let guessed = response.and_then(|response| response.metadata.media_type.clone());
                let field = || Some(last?.values("Content-Type").next()?.to_owned());
                guessed.or_else(field).unwrap_or_default()
            }
            Variable::ErrorMessage => {
                let error = self.fetched.err();
                error.map(ToString::to_string).unwrap_or_default()
            }
            Variable::ExitCode => self.status.to_string(),
            Variable::FilenameEffective => {
                let file = self.file.as_ref();
                file.map(|path| path.to_string_lossy().into_owned())
                    .unwrap_or_default()
            }
            Variable::HttpCode => {
                format!("{:03}", last.and_then(|hop| hop.status).unwrap_or(0))
            }
            Variable::HttpVersion => {
                let version = last.and_then(|hop| hop.version);
                version
                    .map_or("0", |version| version.trim_start_matches("HTTP/"))
                    .to_owned()
            }
            Variable::NumHeaders => last.map_or(0, |hop| hop.attributes.len()).to_string(),
            Variable::NumRedirects => {
                let hops = self.hops();
                let followed = hops.get(..hops.len().saturating_sub(1)).unwrap_or_default();
                let redirects = followed.iter().filter(|hop| hop.location.is_some());
                redirects.count().to_string()
            }
            Variable::RedirectUrl => {
                let location = last.and_then(|hop| hop.location.as_deref());
                url(location.unwrap_or_default())
            }
            Variable::RemoteIp => self.peer().map(|peer| peer.0).unwrap_or_default(),
            Variable::RemotePort => self.peer().map(|peer| peer.1).unwrap_or_default(),
            Variable::Scheme => {
                let uri = last.map_or(self.uri, |hop| &hop.uri);
                let scheme = uri.split_once(':').map(|(scheme, _)| scheme);
                scheme.unwrap_or_default().to_ascii_lowercase()
            }
            Variable::SizeDownload => self.bytes.to_string(),
            #[allow(clippy::cast_precision_loss)] // a rate need not be exact
            Variable::SpeedDownload => {
                let rate = self.bytes as f64 / seconds.max(f64::EPSILON);
                format!("{rate:.0}")
            }
            Variable::TimeTotal => format!("{seconds:.6}"),
            Variable::Url => url(self.uri),
            Variable::UrlEffective => url(last.map_or(self.uri, |hop| &hop.uri)),
            Variable::UrlNumber => self.index.to_string(),
        }
    }

    /// Returns the address and the port of the last server.
    fn peer(&self) -> Option<(String, String)> {
        let events = self
            .fetched
            .map_or_else(Error::events, |response| &response.events);
        events.iter().rev().find_map(|event| match event {
            Event::Connected { port, address, .. } => Some((address.to_string(), port.to_string())),
            Event::Reused(peer) => Some((peer.ip().to_string(), peer.port().to_string())),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Template, Variable};

    #[test]
    fn templates() {
        let parsed = |text| Template::parse(text).map(|template| template.0);
        let text = |text: &str| Part::Text(text.to_owned());
        assert_eq!(
            parsed("a%{http_code}\\n%header{ETag}%%{x} 5%"),
            Ok(vec![
                text("a"),
                Part::Variable(Variable::HttpCode),
                text("\n"),
                Part::Header("ETag".to_owned()),
                text("%{x} 5%"),
            ])
        );
        assert_eq!(parsed("%{http_code"), Ok(vec![text("%{http_code")]));
        assert!(parsed("%{httpcode}").is_err_and(|error| error.contains("`httpcode`")));
    }
}
