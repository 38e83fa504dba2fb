//! Plans: the steps on this machine.

use super::{path_of, write};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{self, Plan};
use crate::request::{Request, Wanted};
use crate::upload::{Mode, Upload};
use std::borrow::Cow;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use urikit_schemes::File as Url;

/// A step in the plan of an access to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Continues only if this machine has this name.
    CheckMachine(Vec<u8>),
    /// Opens the file or directory at a path.
    Open(Vec<u8>),
    /// Reads the attributes of the file or directory.
    ReadAttributes,
    /// Reads the file, or lists the directory.
    Read,
    /// Reads the file, beginning at this byte.
    ReadFrom(u64),
    /// Writes the body to a file, and replaces its content.
    Write(Vec<u8>),
    /// Appends the body to a file. If the upload is resumed, only the part that the file lacks.
    Append(Vec<u8>),
    /// Renames the file that was written.
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
                ("reads it from the byte", byte.into())
            }
            Self::Write(path) => ("writes the body to", path.into()),
            Self::Append(path) => ("appends the body to", path.into()),
            Self::Rename(path) => ("renames it to", path.into()),
        }
    }
}

/// Plans a fetch on the machine that the URL names.
pub(super) fn steps(url: &Url<'_>, request: &Request<'_>) -> Result<Plan> {
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

/// Plans an upload on the machine that the URL names.
pub(super) fn upload_steps(url: &Url<'_>, upload: &Upload<'_>) -> Result<Plan> {
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
