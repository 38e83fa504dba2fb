//! The entry point: fetches what a reference names, and sends to it.

use crate::credentials::Credentials;
use crate::error::{ErrorKind, Result};
use crate::follow::{Follower, Hop};
use crate::net::{Deadline, Dialer, Resolver, Runtime, SystemResolver, Trust};
use crate::output::Output;
use crate::plan::Plan;
use crate::policy::{Policy, Source};
use crate::pool::Pool;
use crate::prompt::Prompt;
use crate::protocol::{self, Custom, CustomAccess, Protocol};
use crate::proxy::Proxies;
use crate::request::Request;
use crate::response::Response;
use crate::route::Routes;
use crate::send::Sender;
use crate::sink::Sink;
use crate::trace::Trace;
use crate::upload::{Upload, Uploaded};
use std::io::Read;
use std::sync::Arc;
use urikit_schemes::SchemeRegistry;

/// Fetches references under one policy, with one set of protocols. Connections are reused where
/// that is safe.
///
/// ```no_run
/// use urikit::UriRef;
/// use urikit_access::{Buffer, Client, NoPrompt, Policy, Request};
/// let url = UriRef::parse("gopher://gopher.floodgap.com/0/gopher/relevance.txt")?;
/// let mut client = Client::new(Policy::new());
/// let mut buffer = Buffer::default();
/// let response = client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// println!("{} bytes, {:?}", buffer.bytes.len(), response.metadata.media_type);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Client {
    dialer: Dialer,
    routes: Routes,
    pool: Pool,
}

impl Client {
    /// A client with [all protocols](protocol::all) and the registered schemes, without gateways.
    pub fn new(policy: Policy) -> Self {
        Self {
            dialer: Dialer {
                policy,
                resolver: Arc::new(SystemResolver),
                trust: Trust::default(),
                runtime: Runtime::default(),
            },
            routes: Routes {
                registry: SchemeRegistry::new(),
                protocols: protocol::all(),
                proxies: Proxies::new(),
            },
            pool: Pool::default(),
        }
    }

    /// Sets custom schemes, and gateways. The registry says what custom schemes mean;
    /// [`custom`](Self::custom) and [`protocol`](Self::protocol) say how they are accessed.
    #[must_use]
    pub fn registry(mut self, registry: SchemeRegistry) -> Self {
        self.routes.registry = registry;
        self
    }

    /// Sets proxies. The policy judges the addresses that they are asked to connect to; names that
    /// they resolve are reported by [`Event::Unjudged`](crate::Event). A proxy itself may be in this
    /// machine or in a private network.
    #[must_use]
    pub fn proxies(mut self, proxies: Proxies) -> Self {
        self.routes.proxies = proxies;
        self
    }

    /// Sets another resolver of host names. The policy checks the addresses that it returns.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.dialer.resolver = Arc::new(resolver);
        self
    }

    /// Trusts the certificates in a PEM file (RFC 7468), in addition to those of the system's trust
    /// store: as roots, and the very certificate of a server that signed it as its own authority.
    /// (A system without a trust store trusts those that Mozilla does.)
    ///
    /// # Errors
    ///
    /// If it contains no certificate, or an invalid one.
    pub fn root_certificates(mut self, pem: &[u8]) -> Result<Self> {
        self.dialer.trust = self.dialer.trust.and(pem)?;
        Ok(self)
    }

    /// Shows this certificate to TLS servers that ask for one, with those that lead to its root: PEM
    /// files (RFC 7468), which may be the same.
    ///
    /// # Errors
    ///
    /// If there is no certificate or no key, or they are not for each other.
    pub fn client_certificate(mut self, certificate: &[u8], key: &[u8]) -> Result<Self> {
        self.dialer.trust = self.dialer.trust.identified(certificate, key)?;
        Ok(self)
    }

    /// Trusts every TLS server, whatever its certificate. This is for tests: anyone in between can
    /// read and change everything. Each connection records [`Event::Unverified`](crate::Event).
    #[must_use]
    pub fn unverified(mut self) -> Self {
        self.dialer.trust = self.dialer.trust.unchecked();
        self
    }

    /// Adds a protocol. It takes precedence over those that are there: for other schemes, or for
    /// one of the same schemes with other settings.
    #[must_use]
    pub fn protocol(mut self, protocol: impl Protocol + 'static) -> Self {
        self.routes.protocols.insert(0, Box::new(protocol));
        self
    }

    /// Adds a custom scheme that only sends lines.
    #[must_use]
    pub fn custom(self, access: impl CustomAccess + 'static) -> Self {
        self.protocol(Custom(access))
    }

    /// What [`fetch`](Self::fetch) would do and send. Nothing is connected to. The policy is asked
    /// about the scheme and the gateway.
    ///
    /// # Errors
    ///
    /// If the reference cannot be fetched.
    pub fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        self.planned(request, |request, protocol| protocol.plan(request))
    }

    /// What a client does to access a reference, even if this one cannot: because a setting is
    /// missing, such as the news server, or because there is no protocol here for the scheme, such
    /// as `urn`. Otherwise as [`plan`](Self::plan).
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::{Client, Policy, Request};
    /// let url = UriRef::parse("urn:example:weather")?;
    /// let client = Client::new(Policy::new());
    /// assert!(client.plan(&Request::new(url)).is_err());
    /// assert_eq!(
    ///     client.outline(&Request::new(url))?.to_string(),
    ///     "then     asks a URN resolver for \"urn:example:weather\"\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If no client can access it, or the scheme is not known here.
    pub fn outline(&self, request: &Request<'_>) -> Result<Plan> {
        match self.planned(request, |request, protocol| protocol.outline(request)) {
            Err(error) if matches!(error.kind(), ErrorKind::NoProtocol { .. }) => {
                let hop = Hop::first(request)?;
                let request = Request {
                    reference: hop.reference()?,
                    ..*request
                };
                protocol::outline(&request)?.ok_or(error)
            }
            planned => planned,
        }
    }

    /// What [`upload`](Self::upload) would do and send. Nothing is connected to.
    ///
    /// # Errors
    ///
    /// If nothing can be sent to the reference.
    pub fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        let deadline = Deadline::after(self.dialer.policy.total_timeout);
        self.sender(upload, deadline).plan()
    }

    /// Sends what `source` contains to a reference. What the server returns besides a reply goes to
    /// `sink`; only `http` servers return anything.
    ///
    /// ```
    /// use urikit_access::{Buffer, Client, NoPrompt, Policy, Upload};
    /// let path = std::env::temp_dir().join("urikit upload");
    /// let url = urikit_schemes::File::from_path(&path)?.build()?;
    /// let mut client = Client::new(Policy::permissive());
    /// let upload = Upload::new(url.borrow());
    /// let sent = client.upload(&upload, &mut NoPrompt, &mut &b"hello"[..], &mut Buffer::default())?;
    /// assert_eq!(sent.sent, 5);
    /// assert_eq!(std::fs::read(&path)?, b"hello");
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If it cannot be sent. What the server received up to then is incomplete, and remains there.
    pub fn upload(
        &mut self,
        upload: &Upload<'_>,
        prompt: &mut dyn Prompt,
        source: &mut dyn Read,
        sink: &mut dyn Sink,
    ) -> Result<Uploaded> {
        let deadline = Deadline::after(self.dialer.policy.total_timeout);
        let trace = Trace::new(upload.request.secrets());
        let mut pool = std::mem::take(&mut self.pool);
        let sender = self.sender(upload, deadline);
        let sent = sender.send(source, sink, prompt, &mut pool, &trace);
        self.pool = pool;
        sent.map_err(|error| {
            let error = error.masked(&trace.secrets());
            error.with_events(trace.events())
        })
    }

    const fn sender<'a>(&'a self, upload: &'a Upload<'a>, deadline: Deadline) -> Sender<'a> {
        Sender {
            dialer: &self.dialer,
            routes: &self.routes,
            upload,
            deadline,
        }
    }

    fn planned(
        &self,
        request: &Request<'_>,
        plan: impl FnOnce(&Request<'_>, &dyn Protocol) -> Result<Plan>,
    ) -> Result<Plan> {
        let hop = Hop::first(request)?;
        let request = Request {
            reference: hop.reference()?,
            deadline: Deadline::after(self.dialer.policy.total_timeout),
            ..*request
        };
        let in_url = Credentials::in_url(request.reference);
        let request = request.with_url_credentials(in_url.as_ref());
        let mut planned =
            self.routes
                .choose(&request, (&self.dialer.policy, Source::User), plan)?;
        self.routes.through_proxies(&request, &mut planned)?;
        Ok(planned)
    }

    /// Fetches what a reference names, and writes it to a sink. Redirects are followed as far as
    /// the policy allows.
    ///
    /// # Errors
    ///
    /// If any part of it cannot be fetched. What the sink received up to then is incomplete.
    pub fn fetch(
        &mut self,
        request: &Request<'_>,
        prompt: &mut dyn Prompt,
        sink: &mut dyn Sink,
    ) -> Result<Response> {
        let deadline = Deadline::after(self.dialer.policy.total_timeout);
        let request = &Request {
            deadline,
            ..*request
        };
        let trace = Trace::new(request.secrets());
        let mut pool = std::mem::take(&mut self.pool);
        let policy = &self.dialer.policy;
        let follower = Follower {
            dialer: &self.dialer,
            routes: &self.routes,
            request,
            prompt,
            output: Output::new(sink, policy, request),
            pool: &mut pool,
            trace: &trace,
            deadline,
        };
        let fetched = follower.follow();
        self.pool = pool;
        fetched.map_err(|error| {
            let error = error.masked(&trace.secrets());
            error.with_events(trace.events())
        })
    }
}
