//! One upload: the policy, the protocol and what it needs.

use crate::context::Context;
use crate::credentials::Credentials;
use crate::error::{Error, ErrorKind, Result};
use crate::follow::Hop;
use crate::net::{Deadline, Dialer};
use crate::output::Output;
use crate::plan::Plan;
use crate::policy::Source;
use crate::pool::Pool;
use crate::prompt::{NoPrompt, Prompt};
use crate::protocol::Protocol;
use crate::request::Request;
use crate::route::{Routes, scheme};
use crate::sink::Sink;
use crate::trace::Trace;
use crate::upload::{Body, Upload, Uploaded};
use std::io::Read;

/// What an upload needs.
pub(crate) struct Sender<'a> {
    pub(crate) dialer: &'a Dialer,
    pub(crate) routes: &'a Routes,
    pub(crate) upload: &'a Upload<'a>,
    pub(crate) deadline: Deadline,
}

impl Sender<'_> {
    /// What [`send`](Self::send) would do.
    pub(crate) fn plan(&self) -> Result<Plan> {
        let mut plan = self.with_protocol(|upload, protocol| protocol.plan_upload(upload))?;
        self.routes
            .through_proxies(&self.upload.request, &mut plan)?;
        Ok(plan)
    }

    /// Sends the body. There are no redirects.
    pub(crate) fn send(
        &self,
        source: &mut dyn Read,
        sink: &mut dyn Sink,
        prompt: &mut dyn Prompt,
        pool: &mut Pool,
        trace: &Trace,
    ) -> Result<Uploaded> {
        let policy = &self.dialer.policy;
        let mut body = Body::new(source, self.upload.size, policy, self.deadline);
        let mut output = Output::new(sink, policy, &self.upload.request);
        self.with_protocol(|upload, protocol| {
            let scheme = scheme(upload.request.reference)?;
            let mut own_ports = protocol.own_ports().to_vec();
            own_ports.extend(self.routes.port_of(&upload.request));
            let mut context = Context {
                dialer: self.dialer,
                deadline: self.deadline,
                trace,
                own_ports: &own_ports,
                source: Source::User,
                prompt,
                no_prompt: NoPrompt,
                pool,
                proxies: &self.routes.proxies,
                scheme,
                redirect_schemes: protocol.redirect_schemes(),
            };
            protocol.upload(upload, &mut context, &mut body, &mut output)
        })?;
        let metadata = if output.has_begun() {
            output.end()?
        } else {
            crate::sink::Metadata::default()
        };
        let reference = self.upload.request.reference;
        Ok(Uploaded {
            uri: reference.as_str().to_owned(),
            scheme: scheme(reference)?.to_ascii_lowercase(),
            offset: body.offset(),
            sent: body.sent(),
            metadata,
            events: trace.events(),
        })
    }

    fn with_protocol<T>(
        &self,
        work: impl FnOnce(&Upload<'_>, &dyn Protocol) -> Result<T>,
    ) -> Result<T> {
        let hop = Hop::first(&self.upload.request)?;
        let request = Request {
            reference: hop.reference()?,
            deadline: self.deadline,
            resume: 0,
            validator: None,
            ..self.upload.request
        };
        let in_url = Credentials::in_url(request.reference);
        let request = request.with_url_credentials(in_url.as_ref());
        let name = scheme(request.reference)?;
        if self.routes.registry.gateway(name).is_some() {
            self.dialer.policy.check_scheme(name, Source::User)?;
            let what = "nothing is sent through a gateway";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let asked = (&self.dialer.policy, Source::User);
        (self.routes).choose(&request, asked, |request, protocol| {
            let upload = Upload {
                request: *request,
                ..*self.upload
            };
            work(&upload, protocol)
        })
    }
}
