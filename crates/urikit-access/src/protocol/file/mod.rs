//! The `file` scheme, for files and directories on this machine (RFC 1738, 3.10; RFC 8089).
//!
//! An empty host, `localhost` and the name of this machine refer to this machine. The client
//! refuses a URL with any other host, and does not read the same path on this machine instead.
//! `%2F` and `%00` in a segment are errors. Dot segments are not removed, so the file system
//! interprets `..`.
//!
//! A directory is returned as a listing. Symbolic links are followed and reported. FIFOs, sockets
//! and devices are not read, because reading a FIFO would wait for a writer, and the data of a
//! device may never end.

mod read;
mod write;

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::event::Event;
use crate::mask::escape;
use crate::output::Output;
use crate::plan::{self, Plan};
use crate::policy::Refusal;
use crate::request::{Request, Wanted};
use crate::upload::{Body, Mode, Upload};
use read::Access;
use std::borrow::Cow;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use urikit::component::Encoded;
use urikit_schemes::{File as Url, PathError};

/// Reads, writes and lists the files and directories of `file` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request, protocol::file::FileProtocol};
/// let path = std::env::temp_dir().join("urikit motd");
/// std::fs::write(&path, "Welcome.\n")?;
/// let url = urikit_schemes::File::from_path(&path)?.build()?;
/// let (client, mut buffer) = (Client::new(Policy::permissive()), Buffer::default());
/// client.fetch(&Request::new(url.as_uri()), &mut NoPrompt, &mut buffer)?;
/// assert_eq!(buffer.bytes, b"Welcome.\n");
///
/// // RFC 1738, 3.10
/// let url = UriRef::parse("file://vms.host.edu/disk$user/my/notes/note12345.txt")?;
/// let client = client.protocol(FileProtocol::new().names(["motd.example.org"]));
/// let error = client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "refused: the file is on the machine `vms.host.edu`, not on this one"
/// );
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FileProtocol {
    /// The names of this machine, in addition to `localhost`. `None` means the host name of the
    /// system.
    names: Option<Vec<String>>,
}

impl FileProtocol {
    /// Returns the default settings, which use the system's host name as the name of this machine
    /// (`uname`, POSIX). The host in a URL is compared with this name, rather than resolved, so a
    /// DNS server cannot decide which files are local.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the names of this machine, which replace the system's host name. Setting the names is
    /// useful if the host name is not fully qualified, for example. If the list is empty, only
    /// `localhost` refers to this machine.
    #[must_use]
    pub fn names<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.names = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Returns the path in a URL. Fails if the URL refers to another machine.
    fn path(&self, url: &Url<'_>) -> Result<PathBuf> {
        if let Some(host) = url.host()
            && !self.is_this_machine(host)
        {
            return Err(other_machine(host.as_str()));
        }
        Ok(OsString::from_vec(path_of(url)?).into())
    }

    /// Returns whether a host in a URL refers to this machine. Compares percent-decoded names,
    /// ignoring case and a trailing dot.
    fn is_this_machine(&self, host: Encoded<'_>) -> bool {
        let without_dot =
            |name: &[u8]| name.strip_suffix(b".").unwrap_or(name).to_ascii_lowercase();
        let host = without_dot(&host.to_bytes());
        let is_host = |name: &[u8]| !name.is_empty() && without_dot(name) == host;
        if let Some(names) = &self.names {
            return names.iter().any(|name| is_host(name.as_bytes()));
        }
        let system = rustix::system::uname();
        let name = system.nodename().to_bytes();
        // Linux reports this name on a machine that has no host name.
        name != b"(none)" && is_host(name)
    }
}

/// Returns the path of the file on the machine that the URL refers to.
fn path_of(url: &Url<'_>) -> Result<Vec<u8>> {
    Ok(url.to_unix_path_on_host().map_err(UrlError::Path)?)
}

impl Protocol for FileProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["file"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = read_url(request)?;
        self.path(&url)?;
        steps(&url, request)
    }

    /// Plans the access from the point of view of a client on the machine that stores the file.
    fn outline(&self, request: &Request<'_>) -> Result<Plan> {
        steps(&read_url(request)?, request)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let url = read_url(request)?;
        let path = self.path(&url)?;
        for step in steps(&url, request)?.steps() {
            context.record(Event::Step(step.clone()));
        }
        let access = Access {
            path: &path,
            context,
            output,
        };
        access.fetch(request)?;
        Ok(Outcome::Done)
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        let url = read_url(&upload.request)?;
        self.path(&url)?;
        upload_steps(&url, upload)
    }

    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        _: &mut Output<'_>,
    ) -> Result<()> {
        let url = read_url(&upload.request)?;
        let path = self.path(&url)?;
        for step in upload_steps(&url, upload)?.steps() {
            context.record(Event::Step(step.clone()));
        }
        let written = write::write(&path, upload, context, body);
        written
            .map_err(|error| explain(error, &path).with_step(format!("writing {}", escaped(&path))))
    }
}

/// Reads the URL of a request. A URL in one of the forms in RFC 8089, Appendix F, is refused with
/// an error that says what the URL refers to, such as a file on another machine or a drive.
fn read_url<'a>(request: &Request<'a>) -> Result<Url<'a>> {
    Url::read_as(request.reference, request.edition).map_err(|error| {
        match Url::read_nonstandard(request.reference) {
            Ok(url) => match (url.host(), url.drive()) {
                (Some(host), _) => other_machine(host.as_str()),
                (None, Some(_)) => UrlError::Path(PathError::Drive).into(),
                (None, None) => error.into(),
            },
            Err(_) => error.into(),
        }
    })
}

/// Returns the error for a file on another machine.
fn other_machine(host: &str) -> Error {
    let host = host.to_owned();
    Refusal::OtherMachine { host }.into()
}

/// Explains the error for a missing file whose path begins with a drive letter. Only Windows has
/// drive letters, but `c:` may also be the name of a directory, so the client first tries to open
/// the path.
fn explain(error: Error, path: &Path) -> Error {
    let is_missing = match error.kind() {
        ErrorKind::Local(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    };
    match path.as_os_str().as_bytes() {
        [b'/', letter, b':', b'/', ..] if is_missing && letter.is_ascii_alphabetic() => {
            let what = "not found: drive letters are a feature of Windows";
            let error = std::io::Error::new(std::io::ErrorKind::NotFound, what);
            Error::new(ErrorKind::Local(error))
        }
        _ => error,
    }
}

/// Formats a path for use in messages.
fn escaped(path: &Path) -> String {
    escape(path.as_os_str().as_bytes())
}

/// A step in the plan for a file URL.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Continues only if this machine has the given name.
    CheckMachine(Vec<u8>),
    /// Opens the file or directory at a path.
    Open(Vec<u8>),
    /// Reads the attributes of the file or directory.
    ReadAttributes,
    /// Reads the file, or lists the directory.
    Read,
    /// Reads the file, beginning at the given byte.
    ReadFrom(u64),
    /// Writes the body to a file, replacing its content.
    Write(Vec<u8>),
    /// Appends the body to a file. A resumed upload appends only the part that the file does not
    /// contain yet.
    Append(Vec<u8>),
    /// Renames the uploaded file.
    Rename(Vec<u8>),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::CheckMachine(name) => ("continues only if this machine is", name.into()),
            Self::Open(path) => ("opens", path.into()),
            Self::ReadAttributes => ("reads its attributes", b"".into()),
            Self::Read => ("reads it, or lists it", b"".into()),
            Self::ReadFrom(byte) => {
                let byte = byte.to_string().into_bytes();
                ("reads it from byte", byte.into())
            }
            Self::Write(path) => ("writes the body to", path.into()),
            Self::Append(path) => ("appends the body to", path.into()),
            Self::Rename(path) => ("renames it to", path.into()),
        }
    }
}

/// Plans a fetch that is performed on the machine that the URL refers to.
fn steps(url: &Url<'_>, request: &Request<'_>) -> Result<Plan> {
    let mut plan = Plan::new();
    let mut push = |step| plan.step(step);
    if let Some(host) = url.host() {
        push(Step::CheckMachine(host.to_bytes().into_owned()));
    }
    push(Step::Open(path_of(url)?));
    push(match (request.wanted, request.resume) {
        (Wanted::Metadata, _) => Step::ReadAttributes,
        (Wanted::Body, 0) => Step::Read,
        (Wanted::Body, from) => Step::ReadFrom(from),
    });
    Ok(plan)
}

/// Plans an upload that is performed on the machine that the URL refers to.
fn upload_steps(url: &Url<'_>, upload: &Upload<'_>) -> Result<Plan> {
    write::check(upload)?;
    let path = path_of(url)?;
    if path.ends_with(b"/") {
        let what = "expected the URL of a file, found the URL of a directory";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    let mut plan = Plan::new();
    let mut push = |step| plan.step(step);
    if let Some(host) = url.host() {
        push(Step::CheckMachine(host.to_bytes().into_owned()));
    }
    let to = PathBuf::from(OsString::from_vec(path.clone()));
    let to = write::written(&to, upload).into_os_string().into_vec();
    push(if upload.mode == Mode::Append || upload.resumes {
        Step::Append(to)
    } else {
        Step::Write(to)
    });
    if upload.via_temporary {
        push(Step::Rename(path));
    }
    Ok(plan)
}
