//! What may be done, and by what: the policy, gateways and protocols of the command line.

use crate::report::io_message;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use urikit::scheme::{GatewayRule, SchemeRegistry};
use urikit_access::protocol::{Ftp, Http, Mail, Mailto, News, Telnet};
use urikit_access::{Client, Credentials, Policy};

/// Options of access.
#[derive(clap::Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub(super) struct Options {
    /// Log in with these, where the URL gives no password; they go to the server of the URL only
    #[arg(short, long, value_name = "USER:PASSWORD")]
    user: Option<String>,

    /// Take no longer than SECONDS in all
    #[arg(short, long, value_name = "SECONDS", default_value_t = 3600.0)]
    max_time: f64,

    /// Take no longer than SECONDS to connect
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    connect_timeout: f64,

    /// Wait no longer than SECONDS for anything to come
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    idle_timeout: f64,

    /// Take no body longer than BYTES
    #[arg(long, value_name = "BYTES", default_value_t = 10 << 30)]
    max_filesize: u64,

    /// Take no list longer than N
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_items: u64,

    /// Follow no more than N redirects
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_redirs: usize,

    /// Connect to this machine and private networks too
    #[arg(long)]
    allow_private: bool,

    /// Connect to port N too, though another protocol owns it; may be repeated
    #[arg(long, value_name = "N")]
    allow_port: Vec<u16>,

    /// Ask this server for URLs of SCHEME: behind a prefix, or as an HTTP proxy; may be repeated
    #[arg(long, value_name = "SCHEME=URL|SCHEME=proxy:URL")]
    gateway: Vec<String>,

    /// ftp: what is given as the password where nobody logs in, by convention a mail address
    #[arg(long, value_name = "TEXT")]
    anonymous_password: Option<String>,

    /// ftp: leave out the empty directories of `//`, which many servers refuse
    #[arg(long)]
    skip_null_cwd: bool,

    /// http: what is sent as User-Agent
    #[arg(short = 'A', long, value_name = "TEXT")]
    user_agent: Option<String>,

    /// https, snews: trust the certificates in FILE (PEM) too
    #[arg(long, value_name = "FILE")]
    cacert: Option<PathBuf>,

    /// news: the server for URLs that name none; else that of NNTPSERVER
    #[arg(long, value_name = "HOST[:PORT]")]
    news_server: Option<String>,

    /// mid, cid: look in this mailbox, Maildir or message; may be repeated
    #[arg(long, value_name = "PATH")]
    mail: Vec<PathBuf>,

    /// mailto: send the message instead of printing it
    #[arg(long, requires_all = ["smtp", "mail_from"])]
    send: bool,

    /// mailto: the server that it is sent to
    #[arg(long, value_name = "HOST[:PORT]")]
    smtp: Option<String>,

    /// mailto: who sends it
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,

    /// mailto: send it only over TLS (STARTTLS)
    #[arg(long)]
    ssl_reqd: bool,
}

impl Options {
    /// The policy.
    pub(super) fn policy(&self) -> Policy {
        let mut policy = Policy::new()
            .total_timeout(seconds(self.max_time))
            .connect_timeout(seconds(self.connect_timeout))
            .idle_timeout(seconds(self.idle_timeout))
            .max_bytes(self.max_filesize)
            .max_items(self.max_items)
            .max_redirects(self.max_redirs)
            .allow_private(self.allow_private);
        for port in &self.allow_port {
            policy = policy.allow_port(*port);
        }
        policy
    }

    /// A client with gateways and protocols.
    ///
    /// # Errors
    ///
    /// What of the options makes no sense.
    pub(super) fn client(&self) -> Result<Client, String> {
        let mut client = Client::new(self.policy()).registry(self.registry()?);
        if let Some(path) = &self.cacert {
            let wrong = |what: String| format!("the certificates in {}: {what}", path.display());
            let pem = std::fs::read(path).map_err(|error| wrong(io_message(&error)))?;
            client = client
                .root_certificates(&pem)
                .map_err(|error| wrong(error.to_string()))?;
        }
        let mut ftp = Ftp::new().skip_null_directories(self.skip_null_cwd);
        if let Some(password) = &self.anonymous_password {
            ftp = ftp.anonymous_password(password);
        }
        client = client.protocol(ftp);
        if let Some(name) = &self.user_agent {
            client = client.protocol(Http::new().user_agent(name));
        }
        if let Some(server) = self.news_server()? {
            client = client.protocol(News::new().server(server));
        }
        if let Ok(name) = std::env::var("TERM") {
            client = client.protocol(Telnet::new().terminal_type(name));
        }
        let mut mail = Mail::new();
        for path in &self.mail {
            mail = mail.store(path);
        }
        client = client.protocol(mail);
        let mut mailto = Mailto::new().send(self.send).starttls(self.ssl_reqd);
        if let Some(server) = &self.smtp {
            mailto = mailto.server(server);
        }
        if let Some(address) = &self.mail_from {
            mailto = mailto.sender(address);
        }
        Ok(client.protocol(mailto))
    }

    /// The server of news: of the option, or else of the environment.
    fn news_server(&self) -> Result<Option<String>, String> {
        if let Some(server) = &self.news_server {
            return Ok(Some(server.clone()));
        }
        match std::env::var_os("NNTPSERVER").map(OsString::into_string) {
            None => Ok(None),
            Some(Ok(server)) => Ok((!server.is_empty()).then_some(server)),
            Some(Err(_)) => Err("NNTPSERVER is no text".to_owned()),
        }
    }

    /// The schemes, with gateways: those of the environment, and then those of the options.
    fn registry(&self) -> Result<SchemeRegistry, String> {
        let mut registry = SchemeRegistry::new();
        let environment = std::env::var_os("URI_GATEWAYS").map(OsString::into_string);
        let environment = match environment {
            None => String::new(),
            Some(Ok(rules)) => rules,
            Some(Err(_)) => return Err("URI_GATEWAYS is no text".to_owned()),
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

    /// The credentials of `--user`; a password that is not there is asked for.
    ///
    /// # Errors
    ///
    /// Where nobody can be asked.
    pub(super) fn credentials(&self) -> Result<Option<Credentials>, String> {
        let Some(text) = &self.user else {
            return Ok(None);
        };
        if let Some((user, password)) = text.split_once(':') {
            let (user, password) = (user.to_owned(), password.to_owned());
            return Ok(Some(Credentials { user, password }));
        }
        let user = text.clone();
        let password =
            rpassword::prompt_password(format!("Password of {}: ", crate::safe::safe(text)))
                .map_err(|_| "--user has no password, and nobody can be asked for it".to_owned())?;
        Ok(Some(Credentials { user, password }))
    }
}

/// So many seconds; what is no time is none.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}
