//! The options for HTTP requests.

use crate::closed::stdin;
use crate::files::{self, MAX_SETTINGS};
use crate::report::io_message;
use crate::safe::safe;
use crate::stdout::stdout;
use clap::ValueHint;
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use urikit_access::protocol::HttpProtocol;
use urikit_access::protocol::http::Cookies;

/// The options for every HTTP request.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct HttpOptions {
    /// http: send this User-Agent
    #[arg(short = 'A', long, value_name = "TEXT")]
    user_agent: Option<String>,

    /// http: send this header field; `NAME:` removes a default field, `NAME;` sends an empty one;
    /// may be repeated
    #[arg(short = 'H', long, value_name = "NAME: VALUE", value_parser = field)]
    header: Vec<Field>,

    /// http: use this method
    ///
    /// Redirects follow RFC 9110: after 303, and after 301 and 302 in response to POST, the method
    /// becomes GET.
    #[arg(short = 'X', long, value_name = "METHOD")]
    request: Option<String>,

    /// http: send the cookie NAME=VALUE, or the cookies in a file in Netscape format (at most 16
    /// MiB)
    ///
    /// Cookies from servers are sent back during the run (RFC 6265). Use -c to save the cookies.
    #[arg(short = 'b', long, value_name = "NAME=VALUE|FILE", value_hint = ValueHint::FilePath)]
    cookie: Vec<String>,

    /// http: save all cookies to FILE at the end, in Netscape format; `-` is standard output
    #[arg(short = 'c', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    cookie_jar: Option<PathBuf>,

    /// http: request compressed bodies (gzip, br, zstd), and decompress them
    #[arg(long)]
    compressed: bool,

    /// http: log in with Digest authentication, which does not send the password itself
    #[arg(long)]
    digest: bool,
}

/// The options for the data of a request.
#[derive(clap::Args, Debug)]
pub(super) struct DataOptions {
    /// http: send DATA, or a file without its line breaks, with POST; repeated data is joined with
    /// `&`
    ///
    /// A file may be at most 256 MiB. A redirect that would send the data to another server is an
    /// error.
    #[arg(short = 'd', long, value_name = "DATA|@FILE", value_hint = ValueHint::FilePath)]
    data: Vec<String>,

    /// http: send DATA unchanged with POST, even if it begins with `@`
    #[arg(long, value_name = "DATA")]
    data_raw: Vec<String>,

    /// http: send DATA, or a file, unchanged with POST
    #[arg(long, value_name = "DATA|@FILE", value_hint = ValueHint::FilePath)]
    data_binary: Vec<String>,
}

/// A field of `--header`; without a value, it removes a default field.
#[derive(Clone, Debug)]
struct Field {
    name: String,
    value: Option<String>,
}

/// Parses `NAME: VALUE`, `NAME:` or `NAME;`.
fn field(text: &str) -> Result<Field, String> {
    let (name, value) = match text.split_once(':') {
        Some((name, value)) if value.trim().is_empty() => (name, None),
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => match text.strip_suffix(';') {
            Some(name) => (name, Some(String::new())),
            None => return Err("expected `NAME: VALUE`, `NAME:` or `NAME;`".to_owned()),
        },
    };
    let name = name.to_owned();
    let checked = match &value {
        Some(value) => HttpProtocol::new().field(&name, value),
        None => HttpProtocol::new().without_field(&name),
    };
    checked.map_err(|error| error.to_string())?;
    Ok(Field { name, value })
}

impl HttpOptions {
    /// Returns the protocol with these settings.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error.
    pub(super) fn http(&self, cookies: &Cookies) -> Result<HttpProtocol, String> {
        let mut http = HttpProtocol::new()
            .compressed(self.compressed)
            .digest(self.digest)
            .cookies(cookies.clone());
        if let Some(name) = &self.user_agent {
            http = http.user_agent(name);
        }
        for Field { name, value } in &self.header {
            http = match value {
                Some(value) => http.field(name, value),
                None => http.without_field(name),
            }
            .map_err(|error| error.to_string())?;
        }
        if let Some(method) = &self.request {
            let wrong = |error| format!("the method `{method}`: {error}");
            http = http.method(method).map_err(wrong)?;
        }
        Ok(http)
    }

    /// Returns the cookies from the command line.
    ///
    /// # Errors
    ///
    /// Fails with a message if a file cannot be read.
    pub(super) fn cookies(&self) -> Result<Cookies, String> {
        let cookies = Cookies::new();
        let mut given = Vec::new();
        for text in self.cookie.iter().filter(|text| !text.is_empty()) {
            if text.contains('=') {
                given.push(text.trim());
            } else {
                cookies.read_netscape(&String::from_utf8_lossy(&read(
                    Path::new(text),
                    MAX_SETTINGS,
                )?));
            }
        }
        cookies.give(&given.join("; "));
        Ok(cookies)
    }

    /// Saves the cookies to the file given by `--cookie-jar`, if any. Only the user can read the
    /// new file, because cookies often act as credentials.
    ///
    /// # Errors
    ///
    /// Fails with a message that names the file if the file cannot be written.
    pub(super) fn save_cookies(&self, cookies: &Cookies) -> Result<(), (String, io::Error)> {
        let Some(path) = &self.cookie_jar else {
            return Ok(());
        };
        let text = cookies.to_netscape();
        let written = if path.as_os_str() == "-" {
            stdout().write_all(shown(&text, io::stdout().is_terminal()).as_bytes())
        } else {
            files::replace_private(path, text.as_bytes())
        };
        written.map_err(|error| (path.to_string_lossy().into_owned(), error))
    }
}

impl DataOptions {
    /// Returns all data, joined by `&`.
    ///
    /// # Errors
    ///
    /// Fails with a message if a file cannot be read.
    pub(super) fn data(&self) -> Result<Option<Vec<u8>>, String> {
        let mut all = Vec::new();
        for data in &self.data {
            let mut data = given_or_read(data)?;
            data.retain(|octet| !b"\r\n\0".contains(octet));
            all.push(data);
        }
        all.extend(self.data_raw.iter().map(|data| data.clone().into_bytes()));
        for data in &self.data_binary {
            all.push(given_or_read(data)?);
        }
        Ok((!all.is_empty()).then(|| all.join(&b'&')))
    }
}

/// Returns the text of a cookie file as it is printed. Servers choose the names, values and paths
/// of cookies, so they are made safe for a terminal.
fn shown(text: &str, is_terminal: bool) -> Cow<'_, str> {
    if !is_terminal {
        return text.into();
    }
    let cells = |line: &str| line.split('\t').map(safe).collect::<Vec<_>>().join("\t");
    let lines = text.lines().map(|line| cells(line) + "\n");
    lines.collect::<String>().into()
}

/// The maximum size of the data of a request, in bytes. The data is collected in memory.
const MAX_DATA: u64 = 256 << 20;

/// Returns the data, or the content of the file whose name follows an `@`.
fn given_or_read(text: &str) -> Result<Vec<u8>, String> {
    match text.strip_prefix('@') {
        Some("-") => {
            let read = stdin().and_then(|stdin| files::read_all(stdin, MAX_DATA));
            read.map_err(|error| format!("standard input: {}", io_message(&error)))
        }
        Some(path) => read(Path::new(path), MAX_DATA),
        None => Ok(text.as_bytes().to_vec()),
    }
}

fn read(path: &Path, max: u64) -> Result<Vec<u8>, String> {
    files::read(path, max).map_err(|error| format!("{}: {}", path.display(), io_message(&error)))
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn cookies_on_a_terminal() {
        let jar = "# Heading\nh.example\tFALSE\t/\u{202e}\tFALSE\t0\ta\u{9b}31m\t\u{e9}\n";
        let safe = jar.replace(['\u{9b}', '\u{202e}'], "\u{fffd}");
        assert_eq!(shown(jar, true), safe);
        assert_eq!(shown(jar, false), jar);
    }
}
