//! From a reference to what it names: the one way in.

use crate::delivery::Delivery;
use crate::error::Result;
use crate::follow::{Follower, Hop};
use crate::kept::Kept;
use crate::meta::Meta;
use crate::net::{Deadline, Dialer, Resolver, SystemResolver, Trust};
use crate::person::Person;
use crate::plan::Plan;
use crate::policy::{Policy, Source};
use crate::protocol::{self, Protocol};
use crate::request::Request;
use crate::route::Routes;
use crate::sink::Sink;
use crate::trace::Trace;
use std::sync::Arc;
use urikit::scheme::SchemeRegistry;

/// Follows references, under one policy, with one set of protocols. Connections are kept between accesses where that
/// is safe.
///
/// ```no_run
/// use urikit::UriRef;
/// use urikit_access::{Client, Held, Nobody, Policy, Request};
/// let url = UriRef::parse("gopher://gopher.floodgap.com/0/gopher/relevance.txt")?;
/// let mut held = Held::default();
/// let meta = Client::new(Policy::new()).fetch(&Request::new(url.as_any()), &mut Nobody, &mut held)?;
/// println!("{} bytes, {:?}", held.bytes.len(), meta.known.media_type);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Client {
    dialer: Dialer,
    routes: Routes,
    kept: Kept,
}

impl Client {
    /// With all protocols, the schemes of the texts, and no gateway.
    pub fn new(policy: Policy) -> Self {
        Self {
            dialer: Dialer {
                policy,
                resolver: Arc::new(SystemResolver),
                trust: Trust::default(),
            },
            routes: Routes {
                registry: SchemeRegistry::new(),
                protocols: protocol::all(),
            },
            kept: Kept::default(),
        }
    }

    /// With schemes of one's own, and gateways.
    #[must_use]
    pub fn registry(mut self, registry: SchemeRegistry) -> Self {
        self.routes.registry = registry;
        self
    }

    /// With another resolver of names. What it says is judged all the same.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.dialer.resolver = Arc::new(resolver);
        self
    }

    /// Trusts those whom the root certificates in a PEM text (RFC 7468) vouch for, as well as those whom Mozilla's do.
    ///
    /// # Errors
    ///
    /// Where there is no certificate in it, or one that cannot be read.
    pub fn root_certificates(mut self, pem: &[u8]) -> Result<Self> {
        self.dialer.trust = self.dialer.trust.and(pem)?;
        Ok(self)
    }

    /// With one more protocol, which comes before the others: for other schemes, or one of these with other
    /// settings.
    #[must_use]
    pub fn protocol(mut self, protocol: impl Protocol + 'static) -> Self {
        self.routes.protocols.insert(0, Box::new(protocol));
        self
    }

    /// What would be done and sent. Nothing is connected to; what the policy says of scheme and gateway is heeded.
    ///
    /// # Errors
    ///
    /// Where the reference cannot be followed.
    pub fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let hop = Hop::first(request)?;
        let request = Request {
            reference: hop.reference()?,
            ..*request
        };
        self.routes.choose(
            &request,
            (&self.dialer.policy, Source::User),
            |request, protocol| protocol.plan(request),
        )
    }

    /// Follows a reference, and delivers what it names.
    ///
    /// # Errors
    ///
    /// Whatever keeps all of it from being delivered. What the sink got until then is not the whole.
    pub fn fetch(
        &mut self,
        request: &Request<'_>,
        person: &mut dyn Person,
        sink: &mut dyn Sink,
    ) -> Result<Meta> {
        let trace = Trace::default();
        let mut kept = std::mem::take(&mut self.kept);
        let policy = &self.dialer.policy;
        let follower = Follower {
            dialer: &self.dialer,
            routes: &self.routes,
            request,
            person,
            delivery: Delivery::new(sink, policy, request),
            kept: &mut kept,
            trace: &trace,
            deadline: Deadline::after(policy.total_time),
        };
        let fetched = follower.follow();
        self.kept = kept;
        fetched.map_err(|error| error.with_steps(trace.steps()))
    }
}
