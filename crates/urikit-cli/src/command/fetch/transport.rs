//! The options for proxies and TLS, which `uri fetch`, `uri send` and `uri check` share.

use crate::files::{self, MAX_SETTINGS};
use crate::report::io_message;
use clap::ValueHint;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use urikit_access::{Client, Proxies, ProxyError};

/// The options for proxies and TLS.
#[derive(clap::Args, Debug)]
pub(crate) struct TransportOptions {
    /// Use this proxy: [SCHEME://][USER:PASSWORD@]HOST[:PORT], where SCHEME is http, socks5 or
    /// socks5h; an empty value disables proxies
    ///
    /// By default, the proxy from the environment is used. For http URLs, an HTTP proxy receives
    /// the complete URL; for all other schemes, the proxy opens a tunnel to the server. If the
    /// proxy resolves the host name, the policy cannot check the address; -v reports these cases.
    /// URLs that no proxy supports (prospero, and those that start other programs) are refused.
    #[arg(short = 'x', long, value_name = "PROXY")]
    proxy: Option<String>,

    /// Connect directly to these hosts: names (including subdomains), addresses and networks,
    /// separated by commas; `*` means every host
    #[arg(long, value_name = "LIST")]
    noproxy: Option<String>,

    /// Send the client certificate in FILE (PEM) to TLS servers that request one
    #[arg(short = 'E', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    cert: Option<PathBuf>,

    /// The private key for --cert (PEM), if it is in another file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "cert")]
    key: Option<PathBuf>,

    /// Do not verify TLS certificates: anyone on the network path can then read and change the data
    #[arg(short = 'k', long)]
    insecure: bool,

    /// Also trust the CA or self-signed server certificates in FILE (PEM)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    cacert: Option<PathBuf>,
}

impl TransportOptions {
    /// Adds the certificates and the proxies to a client.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error.
    pub(crate) fn apply(&self, mut client: Client) -> Result<Client, String> {
        if let Some(path) = &self.cacert {
            let wrong =
                |why: String| format!("cannot use certificates in {}: {why}", path.display());
            let pem = files::read(path, MAX_SETTINGS).map_err(|error| wrong(io_message(&error)))?;
            client = client
                .root_certificates(&pem)
                .map_err(|error| wrong(error.to_string()))?;
        }
        if let Some(path) = &self.cert {
            let read = |path: &Path| {
                let read = files::read(path, MAX_SETTINGS);
                read.map_err(|error| format!("{}: {}", path.display(), io_message(&error)))
            };
            let key = read(self.key.as_ref().unwrap_or(path))?;
            client = client
                .client_certificate(&read(path)?, &key)
                .map_err(|error| error.to_string())?;
        }
        if self.insecure {
            client = client.unverified();
        }
        Ok(client.proxies(proxies(self.proxy.as_deref(), self.noproxy.as_deref())?))
    }
}

/// Returns the proxy from the option, or the proxies from the environment.
fn proxies(proxy: Option<&str>, noproxy: Option<&str>) -> Result<Proxies, String> {
    let parsed = |text: &str| {
        // The value may contain a password, so the message does not quote it.
        text.parse().map_err(|error: ProxyError| error.to_string())
    };
    let (name, except) = if let Some(list) = noproxy {
        ("--noproxy", list.to_owned())
    } else {
        let list = variable(&["no_proxy", "NO_PROXY"])?;
        ("no_proxy", list.unwrap_or_default())
    };
    let proxies = Proxies::new().except(&except);
    let mut proxies = proxies.map_err(|error| format!("{name}: {error}"))?;
    if let Some(text) = proxy {
        if !text.is_empty() {
            proxies = proxies.all(parsed(text)?);
        }
        return Ok(proxies);
    }
    // HTTP_PROXY is ignored, as in curl: in a CGI program, a client can set it with a `Proxy`
    // header field.
    if let Some(text) = variable(&["http_proxy"])? {
        proxies = proxies.http(parsed(&text)?);
    }
    if let Some(text) = variable(&["https_proxy", "HTTPS_PROXY"])? {
        proxies = proxies.https(parsed(&text)?);
    }
    if let Some(text) = variable(&["all_proxy", "ALL_PROXY"])? {
        proxies = proxies.all(parsed(&text)?);
    }
    Ok(proxies)
}

/// Returns the first of these environment variables that is set; `None` if its value is empty.
pub(super) fn variable(names: &[&str]) -> Result<Option<String>, String> {
    let found = names.iter().find_map(std::env::var_os);
    let text = found.map(OsString::into_string).transpose();
    let text = text.map_err(|_| format!("{} is not valid Unicode", names.join(", ")))?;
    Ok(text.filter(|text| !text.is_empty()))
}
