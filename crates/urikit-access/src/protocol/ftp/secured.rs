//! `ftps`: FTP in which TLS begins at once, on a port of its own.

use super::access::{access, plan_as};
use super::config::Ftp;
use super::job::IMPLICIT_PORT;
use super::security::Security;
use super::store;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::plan::Plan;
use crate::protocol::{Outcome, Protocol};
use crate::request::Request;
use crate::upload::{Body, Upload};

/// Fetches `ftps` URLs: as `ftp`, but TLS begins at once, by default on port 990.
///
/// No RFC defines the scheme; curl, lftp and other clients understand it in this way. For TLS on the
/// port of `ftp`, as RFC 4217 defines it, see [`Ftp::tls`].
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("ftps://host.dom/motd")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?.to_string();
/// assert!(plan.starts_with("connect  host.dom:990\nthen     starts TLS\n"), "{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Ftps(Ftp);

impl Ftps {
    /// The default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// With the settings of [`Ftp`].
    pub const fn with(ftp: Ftp) -> Self {
        Self(ftp)
    }
}

impl Protocol for Ftps {
    fn schemes(&self) -> &[&'static str] {
        &["ftps"]
    }

    fn own_ports(&self) -> &[u16] {
        &[IMPLICIT_PORT]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        as_ftp(request, |request| {
            plan_as(&self.0, request, Security::Implicit)
        })
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        as_ftp(request, |request| {
            access(&self.0, request, Security::Implicit, context, output)
        })
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        as_ftp(&upload.request, |request| {
            let upload = Upload {
                request: *request,
                ..*upload
            };
            store::planned(&self.0, &upload, Security::Implicit)
        })
    }

    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        _: &mut Output<'_>,
    ) -> Result<()> {
        as_ftp(&upload.request, |request| {
            let upload = Upload {
                request: *request,
                ..*upload
            };
            store::store(&self.0, &upload, Security::Implicit, context, body)
        })
    }
}

/// The request with the scheme `ftp`, whose syntax is the same.
pub(super) fn as_ftp<T>(
    request: &Request<'_>,
    work: impl FnOnce(&Request<'_>) -> Result<T>,
) -> Result<T> {
    let text = request.reference.as_str();
    let rest = text.split_once(':').map_or("", |(_, rest)| rest);
    let text = format!("ftp:{rest}");
    let reference = request.reference.standard().parse(&text);
    let reference = reference.map_err(|error| Error::new(ErrorKind::Invalid(error)))?;
    work(&Request {
        reference,
        ..*request
    })
}
