//! The `http` and `https` schemes, using HTTP/1.1 (RFC 9110, RFC 9112). An HTTP server can also be
//! a proxy for URLs of any scheme.
//!
//! The request target consists of exactly the octets that [`urikit_schemes::Http`] returns. A
//! proxy receives "the entire URI, whether HTTP or some other scheme" (RFC 1630, HTTP), without
//! the fragment. The sink receives the body exactly as sent, unless [`HttpProtocol::compressed`]
//! lets servers compress it.
//!
//! The policy decides which redirects are followed. The connection to a proxy uses TLS if the
//! scheme of the proxy's URL is `https`. Cookies are stored and sent only if the settings contain a
//! store ([`HttpProtocol::cookies`]). Caches, HTTP/2 and HTTP/3 are not supported.

mod access;
mod auth;
mod coding;
mod command;
mod cookies;
mod ranges;
#[doc(hidden)]
pub mod replay;
mod request;
mod response;
mod settings;

pub use command::{Command, Field, Method, Target};
pub use cookies::Cookies;
pub use settings::HttpProtocol;

use self::access::{Access, check_upload};
use self::request::HttpRequest;
use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::Result;
use crate::output::Output;
use crate::plan::{self, Action, Plan};
use crate::request::Request;
use crate::upload::{Body, Upload};
use std::borrow::Cow;

impl Protocol for HttpProtocol {
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

/// A condition in an HTTP plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server requires a login.
    LoginRequired,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::LoginRequired => "the server requires a login",
        }
    }
}

/// A step in an HTTP plan, other than request lines and header fields.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Warns about the userinfo in the URL.
    WarnOfUserinfo {
        /// True if the userinfo is sent as credentials.
        is_sent: bool,
    },
    /// Sends the request data, which has this number of bytes.
    SendData(u64),
    /// Repeats the request with a response to the server's Digest challenge (RFC 7616).
    AnswerChallenge,
    /// Receives the body, or follows a redirect.
    ReceiveBody,
    /// Receives the header fields, or follows a redirect.
    ReceiveHead,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::WarnOfUserinfo { is_sent: false } => {
                "warns about the userinfo, and does not send it"
            }
            Self::WarnOfUserinfo { is_sent: true } => {
                "warns about the userinfo, and sends it as credentials"
            }
            Self::SendData(count) => {
                let count = count.to_string().into_bytes();
                return ("sends the data, whose length in bytes is", count.into());
            }
            Self::AnswerChallenge => {
                "repeats the request with the answer to the server's Digest challenge"
            }
            Self::ReceiveBody => "receives the body, or follows a redirect",
            Self::ReceiveHead => "receives the header fields, or follows a redirect",
        };
        (words, Cow::Borrowed(&[]))
    }
}

impl HttpRequest<'_> {
    /// Plans the connection and the request.
    fn plan(&self) -> Plan {
        let mut plan = Plan::new();
        if let Some(is_sent) = self.sends_userinfo {
            plan.step(Step::WarnOfUserinfo { is_sent });
        }
        let (host, port) = (self.host.clone(), self.port);
        plan.push(if self.via.is_some() {
            Action::ConnectProxy(host, port)
        } else {
            Action::Connect(host, port)
        });
        if self.is_secure {
            plan.push(Action::StartTls);
        }
        for line in self.head() {
            plan.send(line.clone());
        }
        if !self.body().is_empty() {
            let count = u64::try_from(self.body().len()).unwrap_or(u64::MAX);
            plan.step(Step::SendData(count));
        }
        plan
    }
}

impl HttpProtocol {
    /// Plans a fetch.
    pub(super) fn plan_fetch(&self, request: &Request<'_>) -> Result<Plan> {
        let mut plan = HttpRequest::new(self, request)?.plan();
        self.plan_digest(request, &mut plan);
        plan.step(if request.wants_body() {
            Step::ReceiveBody
        } else {
            Step::ReceiveHead
        });
        Ok(plan)
    }

    /// Plans an upload.
    pub(super) fn plan_body(&self, upload: &Upload<'_>) -> Result<Plan> {
        let mut plan = HttpRequest::of_upload(self, upload, upload.size)?.plan();
        plan.push(Action::SendBody);
        self.plan_digest(&upload.request, &mut plan);
        Ok(plan)
    }

    /// Plans the answer to a Digest challenge.
    fn plan_digest(&self, request: &Request<'_>, plan: &mut Plan) {
        if self.uses_digest && request.credentials.is_some() {
            plan.step_if(Condition::LoginRequired, Step::AnswerChallenge);
        }
    }
}
