//! The options for access: policy, gateways and protocols.

use super::http::HttpOptions;
use super::netrc::Netrc;
use super::receiving::Receiving;
use super::units::{bytes, seconds};
use crate::report::io_message;
use clap::ValueHint;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use urikit_access::policy::SchemeRules;
use urikit_access::protocol::{Ftp, Ftps, Http, Mailto, News, Telnet};
use urikit_access::{Client, Credentials, Policy, Proxies, ProxyError};
use urikit_schemes::{GatewayRule, SchemeRegistry};

/// Options of access.
#[derive(clap::Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(super) struct Options {
    /// Log in with these if the URL has no password; they are sent only to the URL's server, for
    /// mailto to that of --smtp
    #[arg(short, long, value_name = "USER:PASSWORD")]
    user: Option<String>,

    /// Log in as ~/.netrc says for the host, if neither the URL nor -u has a password
    #[arg(short, long)]
    netrc: bool,

    /// As --netrc, with this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    netrc_file: Option<PathBuf>,

    /// Spend at most SECONDS on a reference; 0 for no limit
    #[arg(short, long, value_name = "SECONDS", default_value = "0", value_parser = seconds,
          allow_negative_numbers = true)]
    max_time: Duration,

    /// Spend at most SECONDS on connecting; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds,
          allow_negative_numbers = true)]
    connect_timeout: Duration,

    /// Wait at most SECONDS for data; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds,
          allow_negative_numbers = true)]
    idle_timeout: Duration,

    /// Give up on a body or a list that is slower than BYTES per second, on average over
    /// --speed-time; 0 for no limit
    #[arg(short = 'Y', long, value_name = "BYTES", default_value = "100", value_parser = bytes)]
    speed_limit: u64,

    /// The time over which --speed-limit applies, in SECONDS
    #[arg(short = 'y', long, value_name = "SECONDS", default_value = "60", value_parser = seconds,
          allow_negative_numbers = true)]
    speed_time: Duration,

    /// Receive, or send, at most BYTES per second; with a suffix k, M or G, so many times 1024
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    limit_rate: Option<u64>,

    /// Refuse a body longer than BYTES
    #[arg(long, value_name = "BYTES", default_value_t = 10 << 30)]
    max_filesize: u64,

    /// Allow only these schemes: names separated by commas, with `=` (only this), `+` (this too) or
    /// `-` (not this) before them; `all` is every scheme
    #[arg(
        long,
        value_name = "SCHEMES",
        default_value = "all",
        allow_hyphen_values = true
    )]
    proto: SchemeRules,

    /// Allow connections to this machine and private networks
    #[arg(long)]
    allow_private: bool,

    /// Allow connections to port N, although another protocol owns it; may be repeated
    #[arg(long, value_name = "N")]
    allow_port: Vec<u16>,

    /// Fetch URLs of SCHEME by appending them to this URL, or through this HTTP proxy; may be
    /// repeated
    #[arg(long, value_name = "SCHEME=URL|SCHEME=proxy:URL")]
    gateway: Vec<String>,

    /// ftp: the password for anonymous login, by convention a mail address
    #[arg(long, value_name = "TEXT")]
    anonymous_password: Option<String>,

    /// ftp: skip the empty directory names in `//`, which many servers refuse
    #[arg(long)]
    skip_null_cwd: bool,

    #[command(flatten)]
    pub(super) http: HttpOptions,

    /// Use this proxy: [SCHEME://][USER:PASSWORD@]HOST[:PORT] with the scheme http, socks5 or
    /// socks5h; an empty text is none
    ///
    /// Without it, those of the environment are used. An HTTP proxy gets the complete URI of http
    /// URLs, and connects to the servers of all other schemes. Names that the proxy resolves are not
    /// judged, which -v reports. What no proxy can do (prospero, and other programs) is refused.
    #[arg(short = 'x', long, value_name = "PROXY")]
    proxy: Option<String>,

    /// Connect directly to these servers: names with their subdomains, addresses and networks,
    /// separated by commas; `*` is every server
    #[arg(long, value_name = "LIST")]
    noproxy: Option<String>,

    /// Show the certificate in FILE (PEM) to TLS servers that ask for one
    #[arg(short = 'E', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    cert: Option<PathBuf>,

    /// The key of --cert (PEM), if it is in another file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "cert")]
    key: Option<PathBuf>,

    /// Do not verify the certificates of TLS servers: anyone may then read and change everything
    #[arg(short = 'k', long)]
    insecure: bool,

    /// https, snews, ftps and --ssl-reqd: also trust the certificates in FILE (PEM), and the server whose
    /// own it is
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    cacert: Option<PathBuf>,

    /// news: the server for URLs without one; by default, that of $NNTPSERVER
    #[arg(long, value_name = "HOST[:PORT]")]
    news_server: Option<String>,

    /// mailto: the mail server
    #[arg(long, value_name = "HOST[:PORT]")]
    smtp: Option<String>,

    /// mailto: the sender
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,

    /// mailto: log in with this access token of OAuth 2.0 (XOAUTH2), for the user of --user
    #[arg(long, value_name = "TOKEN", requires = "user")]
    oauth2_bearer: Option<String>,

    /// ftp, mailto: require TLS (AUTH TLS, STARTTLS)
    #[arg(long)]
    ssl_reqd: bool,
}

impl Options {
    /// The policy.
    pub(super) fn policy(&self) -> Policy {
        let policy = Policy::permissive()
            .total_timeout(self.max_time)
            .connect_timeout(self.connect_timeout)
            .idle_timeout(self.idle_timeout)
            .min_rate(self.speed_limit, self.speed_time)
            .max_rate(self.limit_rate.filter(|rate| *rate > 0).unwrap_or(u64::MAX))
            .schemes(self.proto.clone())
            .max_bytes(self.max_filesize)
            .allow_private(self.allow_private);
        self.allow_port
            .iter()
            .fold(policy, |policy, port| policy.allow_port(*port))
    }

    /// A client that fetches.
    ///
    /// # Errors
    ///
    /// A message for a usage error.
    pub(super) fn fetcher(&self, receiving: &Receiving, http: Http) -> Result<Client, String> {
        let policy = receiving.policy(self.policy());
        let client = self.client(policy, http)?;
        let mailto = self.mailto().send(receiving.sends());
        Ok(client.protocol(receiving.mail()).protocol(mailto))
    }

    /// A client that sends.
    ///
    /// # Errors
    ///
    /// A message for a usage error.
    pub(super) fn sender(&self, http: Http) -> Result<Client, String> {
        Ok(self.client(self.policy(), http)?.protocol(self.mailto()))
    }

    /// A client with gateways, and the protocols that depend on options.
    fn client(&self, policy: Policy, http: Http) -> Result<Client, String> {
        let mut client = crate::protocols::client(policy).registry(self.registry()?);
        if let Some(path) = &self.cacert {
            let wrong = |what: String| format!("the certificates in {}: {what}", path.display());
            let pem = std::fs::read(path).map_err(|error| wrong(io_message(&error)))?;
            client = client
                .root_certificates(&pem)
                .map_err(|error| wrong(error.to_string()))?;
        }
        if let Some(path) = &self.cert {
            let read = |path: &PathBuf| {
                let read = std::fs::read(path);
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
        client = client.proxies(self.proxies()?);
        let mut ftp = Ftp::new()
            .skip_null_directories(self.skip_null_cwd)
            .tls(self.ssl_reqd);
        if let Some(password) = &self.anonymous_password {
            ftp = ftp.anonymous_password(password);
        }
        client = client.protocol(Ftps::with(ftp.clone())).protocol(ftp);
        client = client.protocol(http);
        if let Some(server) = self.news_server()? {
            client = client.protocol(News::new().server(server));
        }
        if let Ok(name) = std::env::var("TERM") {
            client = client.protocol(Telnet::new().terminal_type(name));
        }
        Ok(client)
    }

    /// How messages are sent.
    pub(super) fn mailto(&self) -> Mailto {
        let mut mailto = Mailto::new()
            .starttls(self.ssl_reqd)
            .oauth2(self.oauth2_bearer.is_some());
        if let Some(server) = &self.smtp {
            mailto = mailto.server(server);
        }
        if let Some(address) = &self.mail_from {
            mailto = mailto.sender(address);
        }
        mailto
    }

    /// The proxies: that of the option, or else those of the environment. `HTTP_PROXY` is ignored, as
    /// it may be a field of a request to a CGI program.
    fn proxies(&self) -> Result<Proxies, String> {
        let variable = |names: &[&str]| {
            let found = names.iter().find_map(std::env::var_os);
            let text = found.map(OsString::into_string).transpose();
            let text = text.map_err(|_| format!("{} is not valid Unicode", names.join(", ")))?;
            Ok::<_, String>(text.filter(|text| !text.is_empty()))
        };
        let parsed = |text: &str| {
            let proxy = text.parse();
            // It may have a password, so that it is not quoted.
            proxy.map_err(|error: ProxyError| error.to_string())
        };
        let except = match &self.noproxy {
            Some(list) => list.clone(),
            None => variable(&["no_proxy", "NO_PROXY"])?.unwrap_or_default(),
        };
        let mut proxies = Proxies::new().except(&except);
        if let Some(text) = &self.proxy {
            if !text.is_empty() {
                proxies = proxies.all(parsed(text)?);
            }
            return Ok(proxies);
        }
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

    /// The news server: that of the option, or else of the environment.
    fn news_server(&self) -> Result<Option<String>, String> {
        if let Some(server) = &self.news_server {
            return Ok(Some(server.clone()));
        }
        match std::env::var_os("NNTPSERVER").map(OsString::into_string) {
            None => Ok(None),
            Some(Ok(server)) => Ok((!server.is_empty()).then_some(server)),
            Some(Err(_)) => Err("NNTPSERVER is not valid Unicode".to_owned()),
        }
    }

    /// The schemes, with the gateways of the environment, and then those of the options.
    fn registry(&self) -> Result<SchemeRegistry, String> {
        let mut registry = SchemeRegistry::new();
        let environment = std::env::var_os("URI_GATEWAYS").map(OsString::into_string);
        let environment = match environment {
            None => String::new(),
            Some(Ok(rules)) => rules,
            Some(Err(_)) => return Err("URI_GATEWAYS is not valid Unicode".to_owned()),
        };
        let rules = environment.split_whitespace();
        for rule in rules.chain(self.gateway.iter().map(String::as_str)) {
            let gateway: GatewayRule = rule
                .parse()
                .map_err(|error| format!("the gateway `{rule}`: {error}"))?;
            registry
                .set_gateway(&gateway.scheme, gateway.gateway)
                .map_err(|error| format!("the gateway `{rule}`: {error}"))?;
        }
        Ok(registry)
    }

    /// The logins of `--netrc` and `--netrc-file`.
    ///
    /// # Errors
    ///
    /// A message, if the file cannot be read.
    pub(super) fn netrc(&self) -> Result<Netrc, String> {
        let path = match &self.netrc_file {
            Some(path) => path.clone(),
            None if self.netrc => Netrc::path().ok_or("there is no home folder for .netrc")?,
            None => return Ok(Netrc::default()),
        };
        Netrc::read(&path)
    }

    /// The credentials of `--user`, with a prompt for a missing password.
    ///
    /// # Errors
    ///
    /// If there is no terminal to prompt on.
    pub(super) fn credentials(&self) -> Result<Option<Credentials>, String> {
        let Some(text) = &self.user else {
            return Ok(None);
        };
        if let Some(token) = &self.oauth2_bearer {
            let (user, password) = (text.clone(), token.clone());
            return Ok(Some(Credentials { user, password }));
        }
        if let Some((user, password)) = text.split_once(':') {
            let (user, password) = (user.to_owned(), password.to_owned());
            return Ok(Some(Credentials { user, password }));
        }
        let user = text.clone();
        let password =
            rpassword::prompt_password(format!("Password for {}: ", crate::safe::safe(text)))
                .map_err(|_| {
                    "--user has no password, and there is no terminal to ask for it".to_owned()
                })?;
        Ok(Some(Credentials { user, password }))
    }
}
