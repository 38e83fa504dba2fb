//! `http` and `https`: HTTP/1.1 (RFC 9110, RFC 9112). An HTTP server can also be a proxy for URLs
//! of any scheme.
//!
//! The request target is that of [`urikit_schemes::Http`], octet by octet. A proxy gets "the
//! entire URI, whether HTTP or some other scheme" (RFC 1630, HTTP), without the fragment. The body
//! is passed on as received, unless [`Http::compressed`] lets servers compress it.
//!
//! The policy decides about redirects. The connection to a proxy uses TLS if the proxy's URL does.
//! Cookies are only stored and sent if the settings have a store ([`Http::cookies`]). Caches,
//! HTTP/2 and HTTP/3 are not supported.

mod access;
mod auth;
mod coding;
mod command;
mod cookies;
mod plan;
mod ranges;
#[doc(hidden)]
pub mod replay;
mod request;
mod response;
mod settings;

pub use command::{Command, Field, Method, Target};
pub use cookies::Cookies;
pub use plan::{Condition, Step};
pub use settings::Http;

use self::access::{Access, check_upload};
use self::request::HttpRequest;
use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::Result;
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use crate::upload::{Body, Upload};

impl Protocol for Http {
    fn schemes(&self) -> &[&'static str] {
        &["http", "https"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        self.plan_fetch(request)
    }

    fn redirect_schemes(&self) -> &[&'static str] {
        &["http", "https"]
    }

    fn has_ranges(&self) -> bool {
        true
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        Access {
            settings: self,
            request: *request,
            message: HttpRequest::new(self, request)?,
            context,
            output,
        }
        .fetch()
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        check_upload(upload)?;
        self.plan_body(upload)
    }

    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        check_upload(upload)?;
        Access {
            settings: self,
            request: upload.request,
            message: HttpRequest::of_upload(self, upload, body.size())?,
            context,
            output,
        }
        .upload(body)
    }
}
