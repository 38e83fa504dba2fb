//! The commands for an ftp URL. The core reads them out of the URL; here they are sorted by
//! purpose.

use super::config::Ftp;
use crate::error::{Error, ErrorKind, Result};
use crate::request::{Request, Wanted};
use urikit_schemes::{AccessError, Ftp as Url, Line, Step};

/// The commands for one access.
pub(super) struct Job<'a> {
    pub(super) url: Url<'a>,
    /// The host as written in the URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) login: Login,
    /// The `CWD`s, in order.
    pub(super) directories: Vec<Line>,
    pub(super) transfer: Transfer,
    /// The key in the pool: host, port, user and password.
    pub(super) origin: String,
}

/// The login.
pub(super) struct Login {
    pub(super) user: Line,
    /// The user name, for questions.
    pub(super) name: String,
    pub(super) password: Password,
}

/// The `PASS`, if the server asks for it.
pub(super) enum Password {
    Given(Line),
    /// To be asked for. If the user gives none, this is sent.
    Asked(Option<Line>),
}

/// The transfer.
pub(super) enum Transfer {
    File(File),
    /// The `NLST`.
    List(Line),
}

/// A file to be retrieved.
pub(super) struct File {
    /// The `TYPE`.
    pub(super) kind: Line,
    /// The `RETR`.
    pub(super) command: Line,
}

impl File {
    /// Whether octets are transferred unchanged, so that sizes and offsets count them.
    pub(super) fn is_image(&self) -> bool {
        self.kind.octets() == b"TYPE I"
    }
}

impl<'a> Job<'a> {
    pub(super) fn new(ftp: &Ftp, request: &Request<'a>) -> Result<Self> {
        if request.proxy.is_some() {
            let what = "an FTP server cannot be a proxy";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let url = Url::read_as(request.reference, request.edition)?;
        let (mut host, mut port) = (String::new(), 0);
        let (mut user, mut password, mut kind, mut command) = (None, None, None, None);
        let mut directories = Vec::new();
        for step in url.steps()? {
            match step {
                Step::Connect { host: to, port: at } => (host, port) = (to.into_owned(), at),
                Step::Send(line) => match verb(&line) {
                    b"USER" => user = Some(line),
                    b"PASS" => password = Some(line),
                    b"CWD" if ftp.skip_null_directories && line.octets() == b"CWD " => {}
                    b"CWD" => directories.push(line),
                    b"TYPE" => kind = Some(line),
                    _ => command = Some(line),
                },
                // The steps in words are carried out by this module.
                _ => {}
            }
        }
        let (Some(user), Some(command)) = (user, command) else {
            let what = "the URL lacks the steps of a transfer";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        };
        let transfer = match kind {
            Some(kind) => Transfer::File(File { kind, command }),
            None => Transfer::List(command),
        };
        if let Transfer::File(file) = &transfer
            && request.wanted == Wanted::Body
            && request.resume > 0
            && !file.is_image()
        {
            let step = "resuming a transfer that is not of TYPE I (`;type=i`)";
            return Err(Error::new(ErrorKind::CannotResume).at(step));
        }
        let login = login(ftp, request, &url, user, password)?;
        let secret = match &login.password {
            Password::Given(line) => Some(line.octets()),
            Password::Asked(_) => None,
        };
        let origin = format!(
            "ftp {}:{port} {:?} {secret:?}",
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
            origin,
        })
    }

    /// A command with the last segment of the URL as its argument; without an argument if that
    /// segment is empty.
    pub(super) fn about(&self, command: &'static str) -> Result<Line> {
        Ok(if self.url.name().is_empty() {
            Line::command(command)
        } else {
            Line::with_argument(command, self.url.name(), "name")?
        })
    }
}

fn login(
    ftp: &Ftp,
    request: &Request<'_>,
    url: &Url<'_>,
    user: Line,
    password: Option<Line>,
) -> Result<Login> {
    let convention = || -> Result<Line> {
        let mut line = Line::command("PASS ");
        line.push(ftp.anonymous_password.bytes(), "anonymous password")?;
        Ok(line)
    };
    let Some(name) = url.user() else {
        // The credentials of the request apply if the URL names no user.
        if let Some(credentials) = request.credentials {
            let mut user = Line::command("USER ");
            user.push(credentials.user.bytes(), "user")?;
            return Ok(Login {
                user,
                name: credentials.user.clone(),
                password: Password::Given(secret(&credentials.password)?),
            });
        }
        return Ok(Login {
            user,
            name: "anonymous".to_owned(),
            password: Password::Given(convention()?),
        });
    };
    let name = name.to_bytes();
    let same_user = |user: &str| user.as_bytes() == &*name;
    let credentials = request.credentials.filter(|it| same_user(&it.user));
    let password = match (password, credentials) {
        (Some(line), _) => Password::Given(line),
        (None, Some(credentials)) => Password::Given(secret(&credentials.password)?),
        (None, None) if &*name == b"anonymous" => Password::Asked(Some(convention()?)),
        (None, None) => Password::Asked(None),
    };
    Ok(Login {
        user,
        name: String::from_utf8_lossy(&name).into_owned(),
        password,
    })
}

/// A `PASS`.
pub(super) fn secret(password: &str) -> std::result::Result<Line, AccessError> {
    let mut line = Line::command("PASS ");
    line.push_secret(password.bytes(), "password")?;
    Ok(line)
}

/// The verb of a command.
fn verb(line: &Line) -> &[u8] {
    let octets = line.octets();
    octets
        .split(|octet| *octet == b' ')
        .next()
        .unwrap_or(octets)
}
