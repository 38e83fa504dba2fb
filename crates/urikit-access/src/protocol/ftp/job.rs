//! Reads the server, the login, the directories and the transfer from an ftp URL (RFC 1738, 3.2).

use super::command::{Command, Password, Type};
use super::settings::FtpProtocol;
use crate::command::{Argument, Secret};
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::protocol::parse::default_port;
use crate::request::{Request, Wanted};
use urikit::component::Encoded;
use urikit_schemes::{Ftp as Url, Typecode};

/// A request, with the parts of its URL.
pub(super) struct Job<'a> {
    pub(super) settings: &'a FtpProtocol,
    pub(super) request: Request<'a>,
    pub(super) url: Url<'a>,
    /// The host as written in the URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) login: Login,
    /// The arguments of `CWD`, in order.
    pub(super) directories: Vec<Argument>,
    pub(super) transfer: Transfer,
    /// True if a name that contains the octet 255 may be sent again without doubling this octet.
    /// False for uploads, which could otherwise overwrite another file.
    pub(super) may_undouble: bool,
    /// True if the session asks the server for the initial directory, so that a later access can
    /// return to it.
    pub(super) asks_for_initial: bool,
    /// The key of the session in the pool, which contains the host, the port, the user, the
    /// password, and whether TLS is used.
    pub(super) origin: String,
}

/// A user and a password.
pub(super) struct Login {
    /// The argument of `USER`.
    pub(super) user: Argument,
    /// The user name as text, for prompts.
    pub(super) name: String,
    pub(super) password: LoginPassword,
}

/// The argument of `PASS`, which is sent if the server asks for it.
pub(super) enum LoginPassword {
    /// The password from the URL or the request, or the conventional password for `anonymous`.
    Known(Password),
    /// The user's answer. If the user does not answer, the fallback is sent.
    Ask { fallback: Option<Password> },
}

/// The last step of an access.
#[derive(Clone)]
pub(super) enum Transfer {
    File(File),
    /// Lists a directory or, without a name, the directory that the last `CWD` entered.
    List(Option<Argument>),
}

/// A file to transfer.
#[derive(Clone)]
pub(super) struct File {
    pub(super) kind: Type,
    pub(super) name: Argument,
}

impl File {
    /// Returns whether octets are transferred unchanged, as with `TYPE I`. With other types, sizes
    /// and offsets are not exact.
    pub(super) fn is_image(&self) -> bool {
        self.kind == Type::Image
    }
}

impl Transfer {
    /// Returns the last segment of the URL, or `None` if the segment is empty.
    pub(super) const fn name(&self) -> Option<&Argument> {
        match self {
            Self::File(file) => Some(&file.name),
            Self::List(name) => name.as_ref(),
        }
    }
}

impl<'a> Job<'a> {
    /// Reads the URL of a request. The scheme of the URL must be `ftp`, even for
    /// [`FtpsProtocol`](super::Ftps).
    pub(super) fn new(settings: &'a FtpProtocol, request: &Request<'a>) -> Result<Self> {
        if request.proxy.is_some() {
            let what = "an FTP server cannot be a proxy";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let url = Url::read_as(request.reference, request.edition)?;
        let host = url.host().as_str().to_owned();
        let is_given = (request.reference.port()).is_some_and(|port| !port.is_empty());
        let port = if is_given {
            url.port().ok_or(UrlError::NoPort)?
        } else {
            default_port(settings.security.scheme())
        };
        let login = login(settings, request, &url)?;
        let skips =
            |directory: &Encoded<'_>| settings.skip_null_directories && directory.is_empty();
        let directories = url.cwd().filter(|directory| !skips(directory));
        let directories = directories.map(|directory| argument(directory, "directory"));
        let directories = directories.collect::<Result<Vec<_>>>()?;
        let asks_for_initial = settings.details && settings.keep && !directories.is_empty();
        let transfer = transfer(&url)?;
        if let Transfer::File(file) = &transfer
            && request.wanted == Wanted::Body
            && request.resume > 0
            && request.validator.is_none()
            && !file.is_image()
        {
            let step = "resuming a transfer that is not of TYPE I (`;type=i`)";
            return Err(Error::new(ErrorKind::CannotResume).with_step(step));
        }
        let secret = match &login.password {
            LoginPassword::Known(Password::Secret(password)) => Some(password.octets()),
            LoginPassword::Known(Password::Anonymous(password)) => Some(password.octets()),
            LoginPassword::Ask { .. } => None,
        };
        let origin = format!(
            "{:?} {}:{port} {:?} {secret:?}",
            settings.security,
            host.to_ascii_lowercase(),
            login.user.octets()
        );
        Ok(Self {
            settings,
            request: *request,
            url,
            host,
            port,
            login,
            directories,
            transfer,
            may_undouble: true,
            asks_for_initial,
            origin,
        })
    }

    /// Returns the port, unless it is the default port of the scheme.
    pub(super) fn explicit_port(&self) -> Option<u16> {
        let default = default_port(self.settings.security.scheme());
        Some(self.port).filter(|port| *port != default)
    }
}

/// Decodes a component of the URL.
fn argument(part: Encoded<'_>, name: &'static str) -> Result<Argument> {
    Ok(Argument::new(part.decode(), name)?)
}

/// Reads the last segment of the URL and the typecode.
fn transfer(url: &Url<'_>) -> Result<Transfer> {
    if url.name().is_empty() {
        return Ok(Transfer::List(None));
    }
    let name = argument(url.name(), "name")?;
    // RFC 1738, 3.2.3 lets the client guess the type. Every client in use sends TYPE I, which is
    // also the only type with well-defined sizes and offsets. With TYPE A, text files would become
    // larger when transferred, and transfers could not be resumed.
    Ok(match Type::of(url.typecode().unwrap_or(Typecode::Image)) {
        Some(kind) => Transfer::File(File { kind, name }),
        None => Transfer::List(Some(name)),
    })
}

/// Finds the user and the password, as documented at [`FtpProtocol`].
fn login(settings: &FtpProtocol, request: &Request<'_>, url: &Url<'_>) -> Result<Login> {
    let convention = || -> Result<Password> {
        let address = settings.anonymous_password.bytes();
        let address = Argument::new(address, "anonymous password")?;
        Ok(Password::Anonymous(address))
    };
    let Some(user) = url.user() else {
        if let Some(credentials) = request.credentials {
            return Ok(Login {
                user: Argument::new(credentials.user.bytes(), "user")?,
                name: credentials.user.clone(),
                password: LoginPassword::Known(secret(&credentials.password)?),
            });
        }
        return Ok(Login {
            user: Argument::new(*b"anonymous", "user")?,
            name: "anonymous".to_owned(),
            password: LoginPassword::Known(convention()?),
        });
    };
    let user = argument(user, "user")?;
    let name = user.octets();
    let credentials = request.credentials;
    let credentials = credentials.filter(|credentials| credentials.user.as_bytes() == name);
    let password = match (url.password(), credentials) {
        (Some(password), _) => {
            let password = Secret::new(password.decode(), "password")?;
            LoginPassword::Known(Password::Secret(password))
        }
        (None, Some(credentials)) => LoginPassword::Known(secret(&credentials.password)?),
        (None, None) if name == b"anonymous" => LoginPassword::Ask {
            fallback: Some(convention()?),
        },
        (None, None) => LoginPassword::Ask { fallback: None },
    };
    Ok(Login {
        name: String::from_utf8_lossy(name).into_owned(),
        user,
        password,
    })
}

/// Creates a password from text that is not percent-encoded.
pub(super) fn secret(password: &str) -> Result<Password> {
    let password = Secret::new(password.bytes(), "password")?;
    Ok(Password::Secret(password))
}

impl LoginPassword {
    /// Returns the `PASS` command, or `None` if the user must be asked for the password.
    pub(super) fn command(&self) -> Option<Command> {
        match self {
            Self::Known(password) => Some(Command::Pass(password.clone())),
            Self::Ask { .. } => None,
        }
    }
}
