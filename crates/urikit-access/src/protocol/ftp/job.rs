//! What an ftp URL asks for (RFC 1738, 3.2).

use super::command::{Command, Password, Type};
use super::config::Ftp;
use super::security::Security;
use crate::command::{Argument, Secret};
use crate::error::{Error, ErrorKind, Result};
use crate::request::{Request, Wanted};
use crate::url_error::UrlError;
use urikit::component::Encoded;
use urikit_schemes::{Ftp as Url, Typecode};

/// The port of `ftps`, where TLS begins at once.
pub(super) const IMPLICIT_PORT: u16 = 990;

/// One access.
pub(super) struct Job<'a> {
    pub(super) url: Url<'a>,
    /// The host as written in the URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) login: Login,
    /// The arguments of `CWD`, in order.
    pub(super) directories: Vec<Argument>,
    pub(super) transfer: Transfer,
    pub(super) security: Security,
    /// Whether names with the octet 255 may be tried in another spelling: never to write.
    pub(super) may_undouble: bool,
    /// Whether the directory of the login is asked for, to return to it.
    pub(super) asks_for_first: bool,
    /// The key in the pool: host, port, user and password, and whether TLS is used.
    pub(super) origin: String,
}

/// The login.
pub(super) struct Login {
    pub(super) user: Argument,
    /// The user name, for questions.
    pub(super) name: String,
    pub(super) password: Given,
}

/// The argument of `PASS`, if the server asks for it.
pub(super) enum Given {
    Given(Password),
    /// To be asked for. If the user gives none, this is sent.
    Asked(Option<Password>),
}

/// The transfer.
pub(super) enum Transfer {
    File(File),
    /// The names in a directory; without a name, in the last of the `CWD`s.
    List(Option<Argument>),
}

/// A file to be retrieved.
#[derive(Clone)]
pub(super) struct File {
    pub(super) kind: Type,
    pub(super) name: Argument,
}

impl File {
    /// Whether octets are transferred unchanged, so that sizes and offsets count them.
    pub(super) fn is_image(&self) -> bool {
        self.kind == Type::Image
    }
}

impl Transfer {
    /// The last segment of the URL; `None` if it is empty.
    pub(super) const fn name(&self) -> Option<&Argument> {
        match self {
            Self::File(file) => Some(&file.name),
            Self::List(name) => name.as_ref(),
        }
    }
}

impl<'a> Job<'a> {
    /// Reads the URL of a request, in which `ftps` was replaced by `ftp` for [`Security::Implicit`].
    pub(super) fn new(ftp: &Ftp, request: &Request<'a>, security: Security) -> Result<Self> {
        if request.proxy.is_some() {
            let what = "an FTP server cannot be a proxy";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let url = Url::read_as(request.reference, request.edition)?;
        let host = url.host().as_str().to_owned();
        let is_given = (request.reference.port()).is_some_and(|port| !port.is_empty());
        let port = match security {
            Security::Implicit if !is_given => IMPLICIT_PORT,
            _ => url.port().ok_or(UrlError::NoPort)?,
        };
        let login = login(ftp, request, &url)?;
        let skips = |directory: &Encoded<'_>| ftp.skip_null_directories && directory.is_empty();
        let directories = url.cwd().filter(|directory| !skips(directory));
        let directories = directories.map(|directory| argument(directory, "directory"));
        let directories = directories.collect::<Result<Vec<_>>>()?;
        let asks_for_first = ftp.details && ftp.keep && !directories.is_empty();
        let transfer = transfer(&url)?;
        if let Transfer::File(file) = &transfer
            && request.wanted == Wanted::Body
            && request.resume > 0
            && request.validator.is_none()
            && !file.is_image()
        {
            let step = "resuming a transfer that is not of TYPE I (`;type=i`)";
            return Err(Error::new(ErrorKind::CannotResume).at(step));
        }
        let secret = match &login.password {
            Given::Given(Password::Secret(password)) => Some(password.octets()),
            Given::Given(Password::Anonymous(password)) => Some(password.octets()),
            Given::Asked(_) => None,
        };
        let origin = format!(
            "{security:?} {}:{port} {:?} {secret:?}",
            host.to_ascii_lowercase(),
            login.user.octets()
        );
        Ok(Self {
            url,
            host,
            port,
            login,
            directories,
            transfer,
            security,
            may_undouble: true,
            asks_for_first,
            origin,
        })
    }

    /// The last segment of the URL; `None` if it is empty.
    pub(super) fn name(&self) -> Option<Argument> {
        self.transfer.name().cloned()
    }

    /// The port, unless it is the default of the scheme.
    pub(super) fn own_port(&self) -> Option<u16> {
        let default = if self.security == Security::Implicit {
            IMPLICIT_PORT
        } else {
            21
        };
        Some(self.port).filter(|port| *port != default)
    }
}

fn argument(part: Encoded<'_>, name: &'static str) -> Result<Argument> {
    Ok(Argument::new(part.decode(), name)?)
}

fn transfer(url: &Url<'_>) -> Result<Transfer> {
    if url.name().is_empty() {
        return Ok(Transfer::List(None));
    }
    let name = argument(url.name(), "name")?;
    // RFC 1738, 3.2.3 has the client guess. Octets as they are is what every client in use sends,
    // and the only type whose sizes and offsets are defined.
    Ok(match Type::of(url.typecode().unwrap_or(Typecode::Image)) {
        Some(kind) => Transfer::File(File { kind, name }),
        None => Transfer::List(Some(name)),
    })
}

fn login(ftp: &Ftp, request: &Request<'_>, url: &Url<'_>) -> Result<Login> {
    let convention = || -> Result<Password> {
        let address = ftp.anonymous_password.bytes();
        let address = Argument::new(address, "anonymous password")?;
        Ok(Password::Anonymous(address))
    };
    let Some(user) = url.user() else {
        // The credentials of the request apply if the URL names no user.
        if let Some(credentials) = request.credentials {
            return Ok(Login {
                user: Argument::new(credentials.user.bytes(), "user")?,
                name: credentials.user.clone(),
                password: Given::Given(secret(&credentials.password)?),
            });
        }
        return Ok(Login {
            user: Argument::new(*b"anonymous", "user")?,
            name: "anonymous".to_owned(),
            password: Given::Given(convention()?),
        });
    };
    let user = argument(user, "user")?;
    let name = user.octets();
    let credentials = request.credentials;
    let credentials = credentials.filter(|credentials| credentials.user.as_bytes() == name);
    let password = match (url.password(), credentials) {
        (Some(password), _) => {
            let password = Secret::new(password.decode(), "password")?;
            Given::Given(Password::Secret(password))
        }
        (None, Some(credentials)) => Given::Given(secret(&credentials.password)?),
        (None, None) if name == b"anonymous" => Given::Asked(Some(convention()?)),
        (None, None) => Given::Asked(None),
    };
    Ok(Login {
        name: String::from_utf8_lossy(name).into_owned(),
        user,
        password,
    })
}

/// A password that is not percent-encoded.
pub(super) fn secret(password: &str) -> Result<Password> {
    let password = Secret::new(password.bytes(), "password")?;
    Ok(Password::Secret(password))
}

impl Given {
    /// The command, unless the user has to be asked for the password.
    pub(super) fn command(&self) -> Option<Command> {
        match self {
            Self::Given(password) => Some(Command::Pass(password.clone())),
            Self::Asked(_) => None,
        }
    }
}
