//! Follows redirects, as far as the policy allows.

use crate::context::Context;
use crate::credentials::Credentials;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::{Deadline, Dialer, with_dns_host};
use crate::output::Output;
use crate::policy::{Refusal, Source, is_downgrade};
use crate::pool::Pool;
use crate::prompt::{NoPrompt, Prompt};
use crate::protocol::Outcome;
use crate::request::{Chain, Request};
use crate::response::Response;
use crate::route::{Routes, scheme};
use crate::trace::Trace;
use urikit::op::RepairError;
use urikit::op::repair::repair_for;
use urikit::{AnyRef, IriRef, ParseError, Standard, UriBuf};
use urikit_schemes::Edition;

/// One access and what it needs.
pub(crate) struct Follower<'a> {
    pub(crate) dialer: &'a Dialer,
    pub(crate) routes: &'a Routes,
    pub(crate) request: &'a Request<'a>,
    pub(crate) prompt: &'a mut dyn Prompt,
    pub(crate) output: Output<'a>,
    pub(crate) pool: &'a mut Pool,
    pub(crate) trace: &'a Trace,
    pub(crate) deadline: Deadline,
}

/// One URL in a chain of redirects.
pub(crate) struct Hop {
    /// The reference, with its fragment.
    text: String,
    standard: Standard,
    edition: Edition,
    source: Source,
}

/// A reference that the network gave, and the URL that it is relative to.
struct Redirect {
    base: String,
    reference: String,
    by_get: bool,
    /// The schemes that the protocol redirects to by default.
    targets: Vec<&'static str>,
}

impl Redirect {
    /// The scheme of the server that redirects; with a gateway, the gateway's.
    fn scheme(&self) -> Result<&str> {
        let scheme = self.base.split_once(':').map(|(scheme, _)| scheme);
        scheme.ok_or_else(|| Error::new(ErrorKind::Relative))
    }
}

impl Follower<'_> {
    /// Fetches the requested reference, and follows redirects.
    pub(crate) fn follow(mut self) -> Result<Response> {
        let mut hop = Hop::first(self.request)?;
        let first = origin(hop.reference()?);
        let mut fragment = fragment(self.request.reference);
        let in_url = Credentials::in_url(hop.reference()?);
        let requested = self.request.with_url_credentials(in_url.as_ref());
        let (mut credentials, mut chain) = (requested.credentials, requested.chain);
        let mut redirects = 0;
        while let Some(redirect) = self.access(&hop, credentials, chain)? {
            self.dialer.policy.check_redirects(redirects)?;
            redirects += 1;
            hop = Hop::redirected(&redirect).map_err(|error| {
                let error = error.at("following a redirect").of_network();
                error.received(redirect.reference.as_bytes())
            })?;
            let reference = hop.reference()?;
            let to = reference.redact().to_string();
            self.trace.record(Event::Redirected { to });
            let (from, to) = (redirect.scheme()?, scheme(reference)?);
            let allowed = self
                .dialer
                .policy
                .check_redirect(from, to, &redirect.targets);
            allowed.map_err(|refusal| Error::from(refusal).of_network())?;
            let rule = self.request.redirects;
            if rule.is_some_and(|rule| !rule.follows(reference)) {
                let to = reference.redact().to_string();
                return Err(Refusal::Target { to }.into());
            }
            if is_downgrade(from, to) {
                self.trace.record(Event::Downgraded);
            }
            // Credentials are for their origin only. Once dropped, they never return.
            if origin(reference) != first {
                credentials = None;
                chain.is_foreign = true;
            }
            chain.by_get |= redirect.by_get;
            fragment = self::fragment(reference).or(fragment);
        }
        let metadata = self.output.end()?;
        let reference = hop.reference()?;
        let suffix = reference
            .fragment()
            .map_or(0, |fragment| fragment.len() + 1);
        let final_uri = hop.text.get(..hop.text.len() - suffix);
        Ok(Response {
            uri: self.request.reference.as_str().to_owned(),
            final_uri: final_uri.unwrap_or(&hop.text).to_owned(),
            fragment,
            scheme: scheme(reference)?.to_ascii_lowercase(),
            metadata,
            received: self.output.received(),
            events: self.trace.events(),
        })
    }

    /// Fetches one URL by the protocol of its scheme.
    fn access(
        &mut self,
        hop: &Hop,
        credentials: Option<&Credentials>,
        chain: Chain,
    ) -> Result<Option<Redirect>> {
        let reference = hop.reference()?;
        // First, so that of several refusals the one about the scheme is reported.
        self.dialer
            .policy
            .check_scheme(scheme(reference)?, hop.source)?;
        if hop.source == Source::Network && reference.userinfo().is_some() {
            return Err(Refusal::Credentials.into());
        }
        let request = Request {
            reference,
            edition: hop.edition,
            credentials,
            chain,
            ..*self.request
        };
        let accessed = self.routes.choose(
            &request,
            (&self.dialer.policy, hop.source),
            |request, protocol| {
                let scheme = scheme(request.reference)?;
                let mut own_ports = protocol.own_ports().to_vec();
                own_ports.extend(self.routes.port_of(request));
                let mut context = Context {
                    dialer: self.dialer,
                    deadline: self.deadline,
                    trace: self.trace,
                    own_ports: &own_ports,
                    source: hop.source,
                    prompt: self.prompt,
                    no_prompt: NoPrompt,
                    pool: self.pool,
                    proxies: &self.routes.proxies,
                    scheme,
                    redirect_schemes: protocol.redirect_schemes(),
                };
                if request.range.is_some() && !protocol.has_ranges() {
                    let what = "this protocol cannot fetch a part of a body";
                    return Err(Error::new(ErrorKind::Unsupported(what)));
                }
                let (reference, by_get) =
                    match protocol.access(request, &mut context, &mut self.output)? {
                        Outcome::Done => return Ok(None),
                        Outcome::Redirect(reference) => (reference, false),
                        Outcome::SeeOther(reference) => (reference, true),
                    };
                // Relative to the URL that was requested: with a gateway, the gateway's.
                Ok(Some(Redirect {
                    base: request.reference.as_str().to_owned(),
                    reference,
                    by_get,
                    targets: protocol.redirect_schemes().to_vec(),
                }))
            },
        );
        match accessed {
            Err(error) if hop.source == Source::Network => Err(error.of_network()),
            other => other,
        }
    }
}

impl Hop {
    /// The requested reference. An IRI is mapped to a URI, and a host with escapes or beyond
    /// US-ASCII to its name in the DNS (RFC 3986, 3.2.2; RFC 3987, 3.1).
    pub(crate) fn first(request: &Request<'_>) -> Result<Self> {
        let (mut text, mut standard) = (
            request.reference.as_str().to_owned(),
            request.reference.standard(),
        );
        if standard == Standard::Rfc3987 {
            let iri = IriRef::parse(&text).map_err(invalid)?;
            let uri = iri
                .to_uri_idna()
                .map_err(|_| Error::new(ErrorKind::HostNotFound))?;
            (text, standard) = (uri.into_string(), Standard::Rfc3986);
        }
        let hop = Self {
            text,
            standard,
            edition: request.edition,
            source: Source::User,
        };
        Ok(hop.with_dns_host())
    }

    /// Resolves a redirect. The userinfo of the base is left out: a server must not reuse it.
    fn redirected(redirect: &Redirect) -> Result<Self> {
        let mut base = UriBuf::parse(&redirect.base).map_err(invalid)?;
        base.remove_userinfo()
            .map_err(|_| Error::new(ErrorKind::Protocol("a base that resolves")))?;
        // Servers send references that are not escaped, and browsers and curl follow them.
        let repaired = repair_for(&redirect.reference, &base).map_err(|error| match error {
            RepairError::Parse(error) => invalid(error),
            _ => Error::new(ErrorKind::HostNotFound),
        })?;
        let target = repaired
            .reference
            .resolve_against(&base)
            .map_err(|_| Error::new(ErrorKind::Protocol("a target that resolves")))?;
        let hop = Self {
            text: target.into_string(),
            standard: Standard::Rfc3986,
            edition: Edition::Successor,
            source: Source::Network,
        };
        Ok(hop.with_dns_host())
    }

    /// The same with its host as the DNS has it. A host that is no name of the DNS stays, and is
    /// not found when it is looked up.
    fn with_dns_host(mut self) -> Self {
        if let Some(text) = self.reference().ok().and_then(with_dns_host) {
            self.text = text;
        }
        self
    }

    pub(crate) fn reference(&self) -> Result<AnyRef<'_>> {
        self.standard.parse(&self.text).map_err(invalid)
    }
}

fn invalid(error: ParseError) -> Error {
    Error::new(ErrorKind::Invalid(error))
}

fn fragment(reference: AnyRef<'_>) -> Option<String> {
    reference
        .fragment()
        .map(|fragment| fragment.as_str().to_owned())
}

/// Scheme, host and port. Credentials are sent to one origin only.
fn origin(reference: AnyRef<'_>) -> Option<(String, String, Option<u16>)> {
    let scheme = reference.scheme()?.to_ascii_lowercase();
    let host = reference.host()?.as_str().to_ascii_lowercase();
    let default = || urikit_schemes::find(&scheme).and_then(|scheme| scheme.facts().port);
    let port = reference.port().filter(|port| !port.is_empty());
    let port = port.map_or_else(default, |port| port.parse().ok());
    Some((scheme, host, port))
}
