//! From a reference to what it names: the one way in.

use crate::context::Context;
use crate::delivery::Delivery;
use crate::error::{Error, ErrorKind, Result};
use crate::kept::Kept;
use crate::net::{Deadline, Dialer, Resolver, SystemResolver, Trust};
use crate::person::{Nobody, Person};
use crate::plan::Plan;
use crate::policy::{Entry, Policy, Refusal};
use crate::protocol::steps::Steps;
use crate::protocol::{self, Outcome, Protocol};
use crate::request::Request;
use crate::sink::{Known, Sink};
use crate::trace::Trace;
use std::sync::Arc;
use urikit::op::Options;
use urikit::scheme::{Edition, SchemeRegistry};
use urikit::{AnyRef, IriRef, Standard, UriRef, UriRefBuf};

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
    registry: SchemeRegistry,
    protocols: Vec<Box<dyn Protocol>>,
    kept: Kept,
}

/// What became of an access.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Meta {
    /// What was asked for, as written.
    pub uri: String,
    /// Where it finally came from, without a fragment.
    pub final_uri: String,
    /// The fragment: the last that was given on the way.
    pub fragment: Option<String>,
    /// The scheme that it finally came by.
    pub scheme: String,
    /// What is known of it.
    pub known: Known,
    /// How many bytes came, with the ones that were there before.
    pub received: u64,
    /// What was done, secrets masked.
    pub steps: Vec<String>,
}

/// Where an access stands.
struct Hop {
    /// The reference, with its fragment.
    text: String,
    standard: Standard,
    edition: Edition,
    entry: Entry,
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
            registry: SchemeRegistry::new(),
            protocols: protocol::all(),
            kept: Kept::default(),
        }
    }

    /// With schemes of one's own, and gateways.
    #[must_use]
    pub fn registry(mut self, registry: SchemeRegistry) -> Self {
        self.registry = registry;
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
        self.protocols.insert(0, Box::new(protocol));
        self
    }

    /// What would be done and sent. Nothing is connected to; what the policy says of scheme and gateway is heeded.
    ///
    /// # Errors
    ///
    /// Where the reference cannot be followed.
    pub fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let policy = &self.dialer.policy;
        policy.judge_scheme(scheme(request.reference)?, Entry::Person)?;
        let uri = uri(request.reference)?;
        let request = Request {
            reference: uri
                .as_ref()
                .map_or(request.reference, |uri| uri.as_uri_ref().as_any()),
            ..*request
        };
        self.with_gateway(&request, |request, protocol| protocol.plan(request))
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
        let fetched = self.follow(request, person, sink, &trace);
        fetched.map_err(|error| error.with_steps(trace.steps()))
    }

    fn follow(
        &mut self,
        request: &Request<'_>,
        person: &mut dyn Person,
        sink: &mut dyn Sink,
        trace: &Trace,
    ) -> Result<Meta> {
        let deadline = Deadline::after(self.dialer.policy.total_time);
        let mut delivery = Delivery::new(sink, &self.dialer.policy, request);
        let mut kept = std::mem::take(&mut self.kept);
        let uri = uri(request.reference)?;
        let reference = uri
            .as_ref()
            .map_or(request.reference, |uri| uri.as_uri_ref().as_any());
        let mut hop = Hop {
            text: reference.as_str().to_owned(),
            standard: reference.standard(),
            edition: request.edition,
            entry: Entry::Person,
        };
        let first = origin(reference);
        let mut fragment = request
            .reference
            .fragment()
            .map(|it| it.as_str().to_owned());
        let mut credentials = request.credentials;
        let mut hops = 0;
        let result = loop {
            let mut access = || {
                let reference = hop.reference()?;
                let request = Request {
                    reference,
                    edition: hop.edition,
                    credentials,
                    ..*request
                };
                self.dialer
                    .policy
                    .judge_scheme(scheme(reference)?, hop.entry)?;
                if hop.entry == Entry::Network && reference.userinfo().is_some() {
                    return Err(Refusal::Credentials.into());
                }
                self.with_gateway(&request, |request, protocol| {
                    let mut own_ports = protocol.own_ports().to_vec();
                    own_ports.extend(self.port_of(request));
                    let mut context = Context {
                        dialer: &self.dialer,
                        deadline,
                        trace,
                        own_ports: &own_ports,
                        entry: hop.entry,
                        person,
                        nobody: Nobody,
                        kept: &mut kept,
                    };
                    let outcome = protocol.access(request, &mut context, &mut delivery)?;
                    Ok((outcome, request.reference.as_str().to_owned()))
                })
            };
            // Where something leads is relative to what was asked for: of a gateway, its own URL.
            let (next, base) = match access() {
                Ok((Outcome::Done, _)) => break Ok(()),
                Ok((Outcome::Elsewhere(reference), base)) => (reference, base),
                Err(error) if hop.entry == Entry::Network => break Err(error.of_network()),
                Err(error) => break Err(error),
            };
            if let Err(refusal) = self.dialer.policy.judge_hop(hops) {
                break Err(refusal.into());
            }
            match Hop::lead_on(&base, &next) {
                Ok(next) => hop = next,
                Err(error) => {
                    let error = error.at("following a redirect").of_network();
                    break Err(error.received(next.as_bytes()));
                }
            }
            hops += 1;
            trace.note(format!("led on to {}", hop.redacted()));
            // Credentials leave with their origin only, and never come back.
            let reference = match hop.reference() {
                Ok(reference) => reference,
                Err(error) => break Err(error),
            };
            if origin(reference) != first {
                credentials = None;
            }
            if let Some(last) = reference.fragment() {
                fragment = Some(last.as_str().to_owned());
            }
        };
        self.kept = kept;
        result?;
        let known = delivery.end()?;
        let reference = hop.reference()?;
        let end = reference
            .fragment()
            .map_or(0, |fragment| fragment.len() + 1);
        let without = hop.text.get(..hop.text.len() - end);
        Ok(Meta {
            uri: request.reference.as_str().to_owned(),
            final_uri: without.unwrap_or(&hop.text).to_owned(),
            fragment,
            scheme: scheme(reference)?.to_ascii_lowercase(),
            known,
            received: delivery.received(),
            steps: trace.steps(),
        })
    }

    /// Chooses the protocol: that of a gateway for the scheme, if there is one.
    fn with_gateway<T>(
        &self,
        request: &Request<'_>,
        work: impl FnOnce(&Request<'_>, &dyn Protocol) -> Result<T>,
    ) -> Result<T> {
        let name = scheme(request.reference)?;
        let Some(gateway) = self.registry.gateway(name) else {
            return self.with_protocol(name, |protocol| work(request, protocol));
        };
        if gateway.is_proxy() {
            let proxy = Request {
                proxy: Some(gateway),
                // They are the server's behind the proxy, and not the proxy's.
                credentials: None,
                ..*request
            };
            let url = gateway.url().as_uri_ref();
            return self.with_protocol(scheme(url.as_any())?, |protocol| work(&proxy, protocol));
        }
        let url = gateway.ask(request.reference)?;
        let behind = Request {
            reference: url.as_uri_ref().as_any(),
            edition: Edition::Successor,
            credentials: None,
            ..*request
        };
        self.with_protocol(scheme(behind.reference)?, |protocol| {
            work(&behind, protocol)
        })
    }

    fn with_protocol<T>(
        &self,
        name: &str,
        work: impl FnOnce(&dyn Protocol) -> Result<T>,
    ) -> Result<T> {
        let is_it = |scheme: &&str| scheme.eq_ignore_ascii_case(name);
        let mut protocols = self.protocols.iter().map(AsRef::as_ref);
        let speaks = |protocol: &&dyn Protocol| protocol.schemes().iter().any(is_it);
        if let Some(protocol) = protocols.find(speaks) {
            return work(protocol);
        }
        if let Some(scheme) = self.registry.own(name) {
            return work(&Steps(scheme));
        }
        let scheme = name.to_ascii_lowercase();
        Err(Error::new(ErrorKind::NoProtocol { scheme }))
    }

    /// The port that the scheme of a request has: the proxy's, where there is one.
    fn port_of(&self, request: &Request<'_>) -> Option<u16> {
        let name = match request.proxy {
            Some(gateway) => gateway.url().as_uri_ref().scheme(),
            None => request.reference.scheme(),
        };
        self.registry.find(name?)?.facts().port
    }
}

impl Hop {
    fn reference(&self) -> Result<AnyRef<'_>> {
        let parsed = self.standard.parse(&self.text);
        parsed.map_err(|error| Error::new(ErrorKind::Invalid(error)))
    }

    /// What another reference, which the network gave, leads to from a base.
    fn lead_on(base: &str, reference: &str) -> Result<Self> {
        let invalid = |error| Error::new(ErrorKind::Invalid(error));
        let base = UriRef::parse(base).map_err(invalid)?;
        let reference = UriRef::parse(reference).map_err(invalid)?;
        let resolved = reference.resolve_with(base, Options::default());
        let (target, _) =
            resolved.map_err(|_| Error::new(ErrorKind::Protocol("a target that resolves")))?;
        Ok(Self {
            text: target.into_string(),
            standard: Standard::Rfc3986,
            edition: Edition::Successor,
            entry: Entry::Network,
        })
    }

    /// The reference, for people.
    fn redacted(&self) -> String {
        match self.reference() {
            Ok(reference) => reference.redact().to_string(),
            Err(_) => "a reference".to_owned(),
        }
    }
}

/// An IRI as the URI that protocols have, its host as the DNS has it (RFC 3987, 3.1). What is no IRI stays.
fn uri(reference: AnyRef<'_>) -> Result<Option<UriRefBuf>> {
    if reference.standard() != Standard::Rfc3987 {
        return Ok(None);
    }
    let iri = IriRef::parse_as(reference.as_str());
    let uri = iri
        .map(UriRef::to_uri_idna)
        .map_err(|error| Error::new(ErrorKind::Invalid(error)))?;
    uri.map(Some).map_err(|_| Error::new(ErrorKind::NoAddress))
}

fn scheme(reference: AnyRef<'_>) -> Result<&str> {
    reference
        .scheme()
        .ok_or_else(|| Error::new(ErrorKind::Relative))
}

/// Scheme, host and port: whom credentials are for.
fn origin(reference: AnyRef<'_>) -> Option<(String, String, Option<u16>)> {
    let scheme = reference.scheme()?.to_ascii_lowercase();
    let host = reference.host()?.as_str().to_ascii_lowercase();
    let default = || urikit::scheme::find(&scheme).and_then(|scheme| scheme.facts().port);
    let port = reference.port().filter(|port| !port.is_empty());
    let port = port.map_or_else(default, |port| port.parse().ok());
    Some((scheme, host, port))
}
