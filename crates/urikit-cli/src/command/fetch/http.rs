//! The options for HTTP requests.

use crate::report::io_message;
use clap::ValueHint;
use std::fs;
use std::path::{Path, PathBuf};
use urikit_access::protocol::Http;
use urikit_access::protocol::http::Cookies;

/// Options of HTTP requests.
#[derive(clap::Args, Debug)]
pub(super) struct HttpOptions {
    /// http: the User-Agent to send
    #[arg(short = 'A', long, value_name = "TEXT")]
    user_agent: Option<String>,

    /// http: send this field; `NAME:` leaves out a default one, `NAME;` sends an empty one; may be
    /// repeated
    #[arg(short = 'H', long, value_name = "NAME: VALUE", value_parser = field)]
    header: Vec<Field>,

    /// http: the method
    ///
    /// It applies to redirects as RFC 9110 says: 303 leads to GET, and so do 301 and 302 after POST.
    #[arg(short = 'X', long, value_name = "METHOD")]
    request: Option<String>,

    /// http: send the cookies NAME=VALUE, or those of a file in the format of Netscape
    ///
    /// Cookies that servers set are sent again within one run, as RFC 6265 says; -c keeps them.
    #[arg(short = 'b', long, value_name = "NAME=VALUE|FILE", value_hint = ValueHint::FilePath)]
    cookie: Vec<String>,

    /// http: write the cookies to FILE at the end, in the format of Netscape; `-` is standard output
    #[arg(short = 'c', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    cookie_jar: Option<PathBuf>,

    /// http: let servers compress bodies (gzip, br, zstd), and decode them
    #[arg(long)]
    compressed: bool,

    /// http: answer requests for a login by Digest, instead of sending the password itself
    #[arg(long)]
    digest: bool,
}

/// The data that is sent to fetch something.
#[derive(clap::Args, Debug)]
pub(super) struct DataOptions {
    /// http: send DATA by POST, or that of a file without its line ends; several are joined by `&`
    ///
    /// A redirect to another server that would send it again is an error.
    #[arg(short = 'd', long, value_name = "DATA|@FILE", value_hint = ValueHint::FilePath)]
    data: Vec<String>,

    /// http: send DATA by POST as it is, also if it begins with `@`
    #[arg(long, value_name = "DATA")]
    data_raw: Vec<String>,

    /// http: send DATA by POST, or that of a file as it is
    #[arg(long, value_name = "DATA|@FILE", value_hint = ValueHint::FilePath)]
    data_binary: Vec<String>,
}

/// A field of `--header`.
#[derive(Clone, Debug)]
struct Field {
    name: String,
    value: Option<String>,
}

/// `Name: value`, `Name:` or `Name;`.
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
        Some(value) => Http::new().field(&name, value),
        None => Http::new().without_field(&name),
    };
    checked.map_err(|error| error.to_string())?;
    Ok(Field { name, value })
}

impl HttpOptions {
    /// The protocol with these settings.
    ///
    /// # Errors
    ///
    /// A message for a usage error.
    pub(super) fn http(&self, cookies: &Cookies) -> Result<Http, String> {
        let mut http = Http::new()
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

    /// The cookies to begin with.
    ///
    /// # Errors
    ///
    /// A message, if a file cannot be read.
    pub(super) fn cookies(&self) -> Result<Cookies, String> {
        let cookies = Cookies::new();
        let mut given = Vec::new();
        for text in self.cookie.iter().filter(|text| !text.is_empty()) {
            if text.contains('=') {
                given.push(text.trim());
            } else {
                cookies.read_netscape(&String::from_utf8_lossy(&read(Path::new(text))?));
            }
        }
        cookies.give(&given.join("; "));
        Ok(cookies)
    }

    /// Where cookies are written at the end.
    pub(super) fn cookie_jar(&self) -> Option<PathBuf> {
        self.cookie_jar.clone()
    }
}

impl DataOptions {
    /// All data, joined by `&`.
    ///
    /// # Errors
    ///
    /// A message, if a file cannot be read.
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

/// Data as given, or that of the file after an `@`.
fn given_or_read(text: &str) -> Result<Vec<u8>, String> {
    match text.strip_prefix('@') {
        Some("-") => {
            let mut bytes = Vec::new();
            let all = std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes);
            all.map_err(|error| format!("standard input: {}", io_message(&error)))?;
            Ok(bytes)
        }
        Some(path) => read(Path::new(path)),
        None => Ok(text.as_bytes().to_vec()),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {}", path.display(), io_message(&error)))
}

/// Writes cookies. Only the user can read the file.
///
/// # Errors
///
/// If it cannot be written.
pub(super) fn write_cookies(cookies: &Cookies, path: &Path) -> std::io::Result<()> {
    use std::io::Write as _;
    let text = cookies.to_netscape();
    if path.as_os_str() == "-" {
        return std::io::stdout().lock().write_all(text.as_bytes());
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}
