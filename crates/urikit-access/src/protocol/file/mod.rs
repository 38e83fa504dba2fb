//! `file`: files and directories of this machine (RFC 1738, 3.10; RFC 8089).
//!
//! An empty host, `localhost` and the name of this machine mean this machine. Any other host is
//! refused: its file is not looked for here. The core reads the path: `%2F` and `%00` in a segment
//! are errors, and no segment is removed, so that the file system interprets `..`.
//!
//! A directory is a listing. Symbolic links are followed, and reported. FIFOs, sockets and devices
//! are not read: a FIFO would wait for a writer, and a device may never end.

mod directory;
mod machine;
mod open;
mod plan;
mod read;
mod write;

pub use plan::Step;

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::escape::escape;
use crate::event::Event;
use crate::output::Output;
use crate::plan::Plan;
use crate::policy::Refusal;
use crate::request::{Request, Wanted};
use crate::upload::{Body, Mode, Upload};
use crate::url_error::UrlError;
use machine::Machine;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use urikit_schemes::{File as Url, PathError};

/// Follows `file` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request, protocol::file::File};
/// let path = std::env::temp_dir().join("urikit motd");
/// std::fs::write(&path, "Welcome.\n")?;
/// let url = urikit_schemes::File::from_path(&path)?.build()?;
/// let (mut client, mut buffer) = (Client::new(Policy::permissive()), Buffer::default());
/// client.fetch(&Request::new(url.borrow()), &mut NoPrompt, &mut buffer)?;
/// assert_eq!(buffer.bytes, b"Welcome.\n");
///
/// // RFC 1738, 3.10
/// let url = UriRef::parse("file://vms.host.edu/disk$user/my/notes/note12345.txt")?;
/// let mut client = client.protocol(File::new().names(["motd.example.org"]));
/// let error = client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "refused: the file is on the machine `vms.host.edu`, not on this one"
/// );
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct File {
    machine: Machine,
}

impl File {
    /// Takes the system's host name (`uname`, POSIX) for the name of this machine. It is compared
    /// as a whole and is not resolved, so that no DNS server decides what is local.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the names of this machine, in place of the system's: for example the fully qualified
    /// one, where the system knows only its first label. With none, only `localhost` means this
    /// machine.
    #[must_use]
    pub fn names<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.machine = Machine::named(names.into_iter().map(Into::into).collect());
        self
    }

    /// The file that a URL names, if it is on this machine.
    fn path(&self, url: &Url<'_>) -> Result<PathBuf> {
        if let Some(host) = url.host()
            && !self.machine.is(host)
        {
            return Err(other_machine(host.as_str()));
        }
        Ok(OsString::from_vec(path_of(url)?).into())
    }
}

/// The path on the machine that the URL names.
fn path_of(url: &Url<'_>) -> Result<Vec<u8>> {
    Ok(url.to_unix_path_on_host().map_err(UrlError::Path)?)
}

/// The steps, if this is the machine that the URL names.
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

impl Protocol for File {
    fn schemes(&self) -> &[&'static str] {
        &["file"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = read_url(request)?;
        self.path(&url)?;
        steps(&url, request)
    }

    /// The plan, even for a file of another machine.
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
        let opening = |error| explained(error, &path).at(format!("opening {}", for_people(&path)));
        let found = open::look(&path).map_err(opening)?;
        if let Some(to) = found.link.clone() {
            context.record(Event::SymbolicLink { to });
        }
        if !request.wants_body() {
            output.begin(read::attributes(&path, found))?;
        } else if found.stat.is_dir() {
            output.begin(found.metadata)?;
            directory::list(&path, context, output)
                .map_err(|error| error.at(format!("listing {}", for_people(&path))))?;
        } else {
            let opened = open::open(&path, found).map_err(opening)?;
            read::read(opened, request.resume, context, output)
                .map_err(|error| error.at(format!("reading {}", for_people(&path))))?;
        }
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
            .map_err(|error| explained(error, &path).at(format!("writing {}", for_people(&path))))
    }
}

/// The steps of an upload.
fn upload_steps(url: &Url<'_>, upload: &Upload<'_>) -> Result<Plan> {
    write::check(upload)?;
    let path = path_of(url)?;
    if path.ends_with(b"/") {
        let what = "the URL names a directory: a file needs a name";
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

/// Reads the URL. The forms that only RFC 8089's Appendix F allows are errors, which say what the
/// URL means there.
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

fn other_machine(host: &str) -> Error {
    let host = host.to_owned();
    Refusal::OtherMachine { host }.into()
}

/// Where nothing is found at a path that begins with a drive letter, the letter is the reason:
/// only Windows has drives. A directory of that name would have been found.
fn explained(error: Error, path: &Path) -> Error {
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

fn for_people(path: &Path) -> String {
    escape(path.as_os_str().as_bytes())
}
