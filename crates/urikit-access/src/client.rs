//! The client, which is the entry point of the crate.

use crate::context::Context;
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Trace;
use crate::follow::{Follower, Link, Routes, scheme, targets};
use crate::net::{Dialer, Lookups, Resolver, SystemResolver, Trust};
use crate::output::{Output, Sink};
use crate::plan::Plan;
use crate::policy::{Policy, Source};
use crate::pool::{Pool, PoolLimits};
use crate::prompt::{NoPrompt, Prompt};
use crate::protocol;
use crate::protocol::{Custom, CustomAccess, Protocol};
use crate::proxy::Proxies;
use crate::request::{Credentials, Request, Response};
use crate::upload::{Body, Upload, Uploaded};
use std::fmt;
use std::io::Read;
use std::sync::Arc;
use urikit_schemes::SchemeRegistry;

/// Fetches and uploads resources under one policy, with one set of protocols. Reuses connections
/// where that is safe.
///
/// A client is a handle: cloning it is cheap, and any number of threads may use one client or its
/// clones at the same time. Clones share the [connections](PoolLimits) that are kept open between
/// accesses, and the resolver's answers: addresses for 60 seconds, and negative answers for 10
/// seconds. At most 32 lookups run at a time. Changing a setting of one clone does not affect the
/// other clones. A clone uses a connection only if the policy of the clone allows the connection,
/// and if the clone has the certificates, proxy and login that the connection was opened with.
///
/// An idle connection takes less than 1 KB, or 6 KB with TLS. An HTTP transfer takes up to 62 KB
/// more, or 76 KB with TLS: a TLS record as received and decrypted (33 KB), and hyper's buffers (33
/// KB). After the first 8 MiB, a transfer takes up to 100 KB more. Each recorded event (at most
/// 1000) adds the length of its text.
///
/// Each access blocks one thread. [`Scheduler`](crate::Scheduler) runs accesses to many hosts on a
/// few threads, and [`Cancel`](crate::Cancel) ends an access from another thread.
///
/// ```no_run
/// use urikit::UriRef;
/// use urikit_access::{Buffer, Client, NoPrompt, Policy, Request};
/// let url = UriRef::parse("gopher://gopher.floodgap.com/0/gopher/relevance.txt")?;
/// let client = Client::new(Policy::new());
/// let mut buffer = Buffer::default();
/// let response = client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// println!("{} bytes, {:?}", buffer.bytes.len(), response.metadata.media_type);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Client(Arc<Settings>);

impl fmt::Debug for Client {
    /// Formats the policy, the schemes of the protocols, the registry and the proxies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { dialer, routes, .. } = &*self.0;
        let protocols = routes.protocols.iter();
        let schemes: Vec<&str> = protocols
            .flat_map(|protocol| protocol.schemes().iter().copied())
            .collect();
        f.debug_struct("Client")
            .field("policy", &dialer.policy)
            .field("schemes", &schemes)
            .field("registry", &routes.registry)
            .field("proxies", &routes.proxies)
            .finish_non_exhaustive()
    }
}

/// The settings of a client, and the state that its clones share.
#[derive(Clone)]
struct Settings {
    dialer: Dialer,
    routes: Routes,
    pool: Pool,
}

impl Client {
    /// Creates a client with [all protocols](protocol::all) and the registered schemes, without
    /// gateways.
    pub fn new(policy: Policy) -> Self {
        Self(Arc::new(Settings {
            dialer: Dialer {
                policy,
                resolver: Lookups::new(SystemResolver),
                trust: Trust::default(),
            },
            routes: Routes {
                registry: Arc::new(SchemeRegistry::new()),
                protocols: protocol::all().into_iter().map(Arc::from).collect(),
                proxies: Proxies::new(),
            },
            pool: Pool::default(),
        }))
    }

    /// Returns a mutable reference to the settings. Changing these settings does not affect other
    /// clones.
    fn settings(&mut self) -> &mut Settings {
        Arc::make_mut(&mut self.0)
    }

    /// Replaces the policy. Other clones keep their policy. The new policy applies to every
    /// access, including accesses over connections that another clone has opened.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.settings().dialer.policy = policy;
        self
    }

    /// Sets the limits on connections that are kept open between accesses. This client, and
    /// clones that are made afterwards, get an empty pool.
    #[must_use]
    pub fn pool_limits(mut self, limits: PoolLimits) -> Self {
        self.settings().pool = Pool::new(limits);
        self
    }

    /// Sets custom schemes and gateways. The registry defines how URLs with a custom scheme are
    /// parsed; [`custom`](Self::custom) and [`protocol`](Self::protocol) define how to access
    /// them.
    #[must_use]
    pub fn registry(mut self, registry: SchemeRegistry) -> Self {
        self.settings().routes.registry = Arc::new(registry);
        self
    }

    /// Sets proxies. The policy checks the addresses that the client asks the proxy to connect to.
    /// If the proxy resolves host names, the policy cannot check their addresses;
    /// [`Event::Unchecked`](crate::Event::Unchecked) reports such hosts. A proxy itself may have a
    /// private address.
    #[must_use]
    pub fn proxies(mut self, proxies: Proxies) -> Self {
        self.settings().routes.proxies = proxies;
        self
    }

    /// Replaces the resolver for host names. The policy checks the addresses that the resolver
    /// returns. This client and its later clones start without cached answers or pooled
    /// connections.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        let settings = self.settings();
        settings.dialer.resolver = Lookups::new(resolver);
        settings.pool = Pool::default();
        self
    }

    /// Also trusts the CA or self-signed server certificates in a PEM file (RFC 7468), in
    /// addition to the system's trust store. (On a system without a trust store, Mozilla's list is
    /// used.)
    ///
    /// # Errors
    ///
    /// Fails if the file contains no certificate or an invalid one.
    pub fn root_certificates(mut self, pem: &[u8]) -> Result<Self> {
        let trust = &mut self.settings().dialer.trust;
        *trust = trust.and(pem)?;
        Ok(self)
    }

    /// Presents this certificate chain to TLS servers that ask for one. Both arguments are in PEM
    /// format (RFC 7468), and may have the same content.
    ///
    /// # Errors
    ///
    /// Fails if the certificate or the key is missing, or if they do not match.
    pub fn client_certificate(mut self, certificate: &[u8], key: &[u8]) -> Result<Self> {
        let trust = &mut self.settings().dialer.trust;
        *trust = trust.identified(certificate, key)?;
        Ok(self)
    }

    /// Trusts every TLS server, regardless of its certificate. Use this for tests only: anyone on
    /// the network path can read and change the data. Each connection records
    /// [`Event::Unverified`](crate::Event::Unverified).
    #[must_use]
    pub fn unverified(mut self) -> Self {
        let trust = &mut self.settings().dialer.trust;
        *trust = trust.unchecked();
        self
    }

    /// Adds a protocol. The new protocol takes precedence over protocols added earlier, so it can
    /// replace a default protocol with one that has different settings.
    #[must_use]
    pub fn protocol(mut self, protocol: impl Protocol + 'static) -> Self {
        let protocols = &mut self.settings().routes.protocols;
        protocols.insert(0, Arc::new(protocol));
        self
    }

    /// Adds a custom scheme whose plan only connects, sends lines and receives the response.
    #[must_use]
    pub fn custom(self, access: impl CustomAccess + 'static) -> Self {
        self.protocol(Custom(access))
    }

    /// Returns the schemes of all protocols, in lower case. A scheme that several protocols
    /// implement appears several times.
    ///
    /// ```
    /// use urikit_access::{Client, Policy};
    /// let client = Client::new(Policy::new());
    /// assert!(client.schemes().any(|scheme| scheme == "gopher"));
    /// ```
    pub fn schemes(&self) -> impl Iterator<Item = &str> {
        let protocols = self.0.routes.protocols.iter();
        protocols.flat_map(|protocol| protocol.schemes().iter().copied())
    }

    /// Returns what [`fetch`](Self::fetch) would do and send, without connecting. The policy
    /// checks the scheme, the gateway, the ports, and the addresses that can be determined without
    /// a name server.
    ///
    /// # Errors
    ///
    /// Fails if the reference cannot be fetched, or if the policy refuses it.
    pub fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        self.planned(request, |request, protocol| {
            let plan = protocol.plan(request)?;
            let own_ports = self.0.routes.own_ports(protocol, request);
            self.0
                .dialer
                .check_plan(request.reference, &plan, &own_ports)?;
            Ok(plan)
        })
    }

    /// Returns what a client would do, even if this client cannot do it because a setting is
    /// missing (a news server, for example), or because the crate does not implement the scheme
    /// (`urn`, for example). If this client can carry out the request, returns the
    /// [`plan`](Self::plan).
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
    /// Fails if no client can access the reference, or if the scheme is unknown.
    pub fn outline(&self, request: &Request<'_>) -> Result<Plan> {
        match self.planned(request, |request, protocol| protocol.outline(request)) {
            Err(error) if matches!(error.kind(), ErrorKind::NoProtocol { .. }) => {
                let link = Link::first(request)?;
                let request = Request {
                    reference: link.reference()?,
                    ..*request
                };
                protocol::outline(&request)?.ok_or(error)
            }
            planned => planned,
        }
    }

    /// Returns what [`upload`](Self::upload) would do and send, without connecting.
    ///
    /// # Errors
    ///
    /// Fails if the scheme of the reference does not support uploads.
    pub fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        let deadline = self.deadline(&upload.request);
        self.sender(upload, &deadline).plan()
    }

    /// Sends the content of `source` to a reference. Writes the body of the server's response to
    /// `sink`; only `http` servers send one.
    ///
    /// ```
    /// use urikit_access::{Buffer, Client, NoPrompt, Policy, Upload};
    /// let path = std::env::temp_dir().join("urikit upload");
    /// let url = urikit_schemes::File::from_path(&path)?.build()?;
    /// let client = Client::new(Policy::permissive());
    /// let upload = Upload::new(url.as_uri());
    /// let (mut body, mut reply) = (&b"hello"[..], Buffer::default());
    /// let sent = client.upload(&upload, &mut NoPrompt, &mut body, &mut reply)?;
    /// assert_eq!(sent.sent, 5);
    /// assert_eq!(std::fs::read(&path)?, b"hello");
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the body cannot be sent completely. The server may keep the part of the body that
    /// it received.
    pub fn upload(
        &self,
        upload: &Upload<'_>,
        prompt: &mut dyn Prompt,
        source: &mut dyn Read,
        sink: &mut dyn Sink,
    ) -> Result<Uploaded> {
        let deadline = self.deadline(&upload.request);
        let trace = Trace::new(&upload.request);
        let sender = self.sender(upload, &deadline);
        let sent = sender.send(source, sink, prompt, &self.0.pool, &trace);
        sent.map_err(|error| error.with_trace(&trace))
    }

    fn deadline(&self, request: &Request<'_>) -> Deadline {
        let deadline = Deadline::after(self.0.dialer.policy.total_timeout);
        deadline.with_cancel(request.cancel)
    }

    fn sender<'a>(&'a self, upload: &'a Upload<'a>, deadline: &'a Deadline) -> Sender<'a> {
        Sender {
            dialer: &self.0.dialer,
            routes: &self.0.routes,
            upload,
            deadline,
        }
    }

    fn planned(
        &self,
        request: &Request<'_>,
        plan: impl FnOnce(&Request<'_>, &dyn Protocol) -> Result<Plan>,
    ) -> Result<Plan> {
        let link = Link::first(request)?;
        let deadline = self.deadline(request);
        let request = Request {
            reference: link.reference()?,
            deadline: &deadline,
            ..*request
        };
        let in_url = Credentials::in_url(request.reference);
        let request = request.with_url_credentials(in_url.as_ref());
        let Settings { dialer, routes, .. } = &*self.0;
        let mut planned = routes.choose(&request, &dialer.policy, Source::User, plan)?;
        routes.through_proxies(&request, &mut planned)?;
        Ok(planned)
    }

    /// Fetches a reference, and writes the body or the listing to `sink`. Follows the redirects
    /// that the policy allows.
    ///
    /// # Errors
    ///
    /// Fails if the body cannot be fetched completely. The sink may already have received the
    /// beginning of the body.
    pub fn fetch(
        &self,
        request: &Request<'_>,
        prompt: &mut dyn Prompt,
        sink: &mut dyn Sink,
    ) -> Result<Response> {
        let deadline = &self.deadline(request);
        let request = &Request {
            deadline,
            ..*request
        };
        let trace = Trace::new(request);
        let Settings {
            dialer,
            routes,
            pool,
        } = &*self.0;
        let follower = Follower {
            dialer,
            routes,
            request,
            prompt,
            output: Output::new(sink, &dialer.policy, request),
            pool,
            trace: &trace,
            deadline,
        };
        let fetched = follower.follow();
        fetched.map_err(|error| error.with_trace(&trace))
    }
}

/// An upload in progress, with the settings of its client.
pub(crate) struct Sender<'a> {
    pub(crate) dialer: &'a Dialer,
    pub(crate) routes: &'a Routes,
    pub(crate) upload: &'a Upload<'a>,
    pub(crate) deadline: &'a Deadline,
}

impl Sender<'_> {
    /// Returns the plan that [`send`](Self::send) would carry out.
    pub(crate) fn plan(&self) -> Result<Plan> {
        let mut plan = self.with_protocol(|upload, protocol| {
            let plan = protocol.plan_upload(upload)?;
            let own_ports = self.routes.own_ports(protocol, &upload.request);
            let reference = upload.request.reference;
            self.dialer.check_plan(reference, &plan, &own_ports)?;
            Ok(plan)
        })?;
        self.routes
            .through_proxies(&self.upload.request, &mut plan)?;
        Ok(plan)
    }

    /// Sends the body. Does not follow redirects.
    pub(crate) fn send(
        &self,
        source: &mut dyn Read,
        sink: &mut dyn Sink,
        prompt: &mut dyn Prompt,
        pool: &Pool,
        trace: &Trace,
    ) -> Result<Uploaded> {
        let policy = &self.dialer.policy;
        let mut body = Body::new(source, self.upload.size, policy, self.deadline);
        let mut output = Output::new(sink, policy, &self.upload.request);
        self.with_protocol(|upload, protocol| {
            let scheme = scheme(upload.request.reference)?;
            let own_ports = self.routes.own_ports(protocol, &upload.request);
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
                redirect_schemes: targets(protocol, scheme),
                redirect_failed: false,
            };
            protocol.upload(upload, &mut context, &mut body, &mut output)
        })?;
        let metadata = if output.has_begun() {
            output.end()?
        } else {
            crate::output::Metadata::default()
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
        let link = Link::first(&self.upload.request)?;
        let request = Request {
            reference: link.reference()?,
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
            let what = "uploads through a gateway are not supported";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let policy = &self.dialer.policy;
        (self.routes).choose(&request, policy, Source::User, |request, protocol| {
            let upload = Upload {
                request: *request,
                ..*self.upload
            };
            work(&upload, protocol)
        })
    }
}
