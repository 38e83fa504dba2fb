//! Performs one access: chooses the protocol or the gateway for each URL, and follows the redirects
//! that the policy allows.

use crate::context::Context;
use crate::deadline::Deadline;
use crate::error::{Class, Error, ErrorKind, Result, UrlError};
use crate::event::{Event, Trace};
use crate::hop::Hop;
use crate::host::with_dns_host;
use crate::http1;
use crate::mask;
use crate::net::{Dialer, check_host};
use crate::output::Output;
use crate::plan::{Action, Plan};
use crate::policy::{Policy, Refusal, Source, is_downgrade};
use crate::pool::Pool;
use crate::prompt::{NoPrompt, Prompt};
use crate::protocol::{Outcome, Protocol};
use crate::proxy::{Kind, Proxies, Proxy};
use crate::request::{Chain, Credentials, Request, Response};
use std::sync::Arc;
use urikit::op::RepairError;
use urikit::op::repair::repair_for;
use urikit::{AnyRef, IriRef, ParseError, Standard, UriBuf};
use urikit_schemes::{Edition, SchemeRegistry};

/// An access in progress, with the settings of its client.
pub(crate) struct Follower<'a> {
    pub(crate) dialer: &'a Dialer,
    pub(crate) routes: &'a Routes,
    pub(crate) request: &'a Request<'a>,
    pub(crate) prompt: &'a mut dyn Prompt,
    pub(crate) output: Output<'a>,
    pub(crate) pool: &'a Pool,
    pub(crate) trace: &'a Trace,
    pub(crate) deadline: &'a Deadline,
}

/// A URL in a chain of redirects.
#[derive(Clone)]
pub(crate) struct Link {
    /// The reference, with its fragment.
    text: String,
    standard: Standard,
    edition: Edition,
    source: Source,
}

/// The reference in a redirect, and the URL that this reference is relative to.
struct Redirect {
    base: String,
    reference: String,
    by_get: bool,
    /// True if the access can succeed without fetching the target.
    is_optional: bool,
    /// The schemes that servers of the protocol may redirect to by default.
    targets: Vec<&'static str>,
    /// The number of redirects that the protocol allows.
    max: usize,
}

/// The state of an access between two redirects.
#[derive(Clone)]
struct Position<'a> {
    link: Link,
    fragment: Option<String>,
    credentials: Option<&'a Credentials>,
    chain: Chain,
    /// False if the URL comes from another host, so the client must not connect to a private
    /// address.
    is_trusted: bool,
    /// True if the redirect from this URL was followed, and its target could not be fetched.
    redirect_failed: bool,
}

impl Redirect {
    /// Returns the scheme of the redirecting server, or the gateway's scheme if a gateway is used.
    fn scheme(&self) -> Result<&str> {
        let scheme = self.base.split_once(':').map(|(scheme, _)| scheme);
        scheme.ok_or_else(|| Error::new(ErrorKind::Relative))
    }
}

impl Follower<'_> {
    /// Fetches the requested reference, and follows redirects.
    pub(crate) fn follow(mut self) -> Result<Response> {
        let link = Link::first(self.request)?;
        let in_url = Credentials::in_url(link.reference()?);
        let requested = self.request.with_url_credentials(in_url.as_ref());
        let mut position = Position {
            link,
            fragment: fragment(self.request.reference),
            credentials: requested.credentials,
            chain: requested.chain,
            is_trusted: !requested.chain.is_foreign,
            redirect_failed: false,
        };
        let mut redirects = 0;
        // The position before the last optional redirect.
        let mut other_way = None;
        loop {
            match self.step(&mut position, &mut redirects) {
                Ok(Step::Done) => break,
                Ok(Step::Redirected { before }) => other_way = before.or(other_way),
                Err(error) => match other_way.take() {
                    Some(before) if !self.output.has_begun() && error.class() != Class::Local => {
                        let url = position.link.reference()?.display_redacted().to_string();
                        let note = format!("{url} cannot be fetched: {error}");
                        self.trace.record(Event::Note(note.into()));
                        position = Position {
                            redirect_failed: true,
                            ..*before
                        };
                    }
                    _ => return Err(error),
                },
            }
        }
        let metadata = self.output.end()?;
        let Position { link, fragment, .. } = position;
        let reference = link.reference()?;
        let suffix = reference
            .fragment()
            .map_or(0, |fragment| fragment.len() + 1);
        let final_uri = link.text.get(..link.text.len() - suffix);
        let (hops, events) = self.trace.take();
        Ok(Response {
            uri: self.request.reference.as_str().to_owned(),
            final_uri: final_uri.unwrap_or(&link.text).to_owned(),
            fragment,
            scheme: scheme(reference)?.to_ascii_lowercase(),
            metadata,
            received: self.output.received(),
            hops,
            events,
        })
    }

    /// Fetches one URL, or moves to the target of its redirect. `redirects` is the number of
    /// redirects so far.
    fn step<'p>(&mut self, at: &mut Position<'p>, redirects: &mut usize) -> Result<Step<'p>> {
        let Some(redirect) = self.access(at)? else {
            return Ok(Step::Done);
        };
        let next = Link::redirected(&redirect);
        let target = next.as_ref().map_or(&redirect.reference, |next| &next.text);
        self.trace.locate(target);
        if self.request.takes_redirects {
            return Ok(Step::Done);
        }
        self.check_redirects(*redirects, &redirect)?;
        *redirects += 1;
        let before = redirect.is_optional.then(|| Box::new(at.clone()));
        let from_host = host(at.link.reference()?);
        let from_origin = origin(at.link.reference()?);
        at.link = next.map_err(|error| {
            let error = error
                .with_step("following a redirect")
                .with_network_source();
            error.with_received(redirect.reference.as_bytes())
        })?;
        at.redirect_failed = false;
        let reference = at.link.reference()?;
        at.is_trusted &= host(reference) == from_host;
        let to = reference.display_redacted().to_string();
        self.trace.record(Event::Redirected { to });
        let (from, to) = (redirect.scheme()?, scheme(reference)?);
        let policy = &self.dialer.policy;
        let allowed = policy.check_redirect(from, to, &redirect.targets);
        allowed.map_err(|refusal| Error::from(refusal).with_network_source())?;
        let rule = self.request.redirects;
        if rule.is_some_and(|rule| !rule.follows(reference)) {
            let to = reference.display_redacted().to_string();
            return Err(Refusal::Target { to }.into());
        }
        if is_downgrade(from, to) {
            self.trace.record(Event::Downgraded);
        }
        // Credentials are dropped at the first redirect to another origin. The credentials stay
        // dropped even if a later redirect returns to the first origin, because the other server
        // could choose any URL there.
        if origin(reference) != from_origin {
            at.credentials = None;
            at.chain.is_foreign = true;
        }
        at.chain.by_get |= redirect.by_get;
        at.fragment = fragment(reference).or(at.fragment.take());
        Ok(Step::Redirected { before })
    }

    /// Checks whether another redirect is allowed after this many redirects. If the redirects form
    /// a loop, the error lists the URLs in the loop.
    fn check_redirects(&self, redirects: usize, redirect: &Redirect) -> Result<()> {
        let max = redirect.max;
        let refusal = match self.dialer.policy.check_redirects(redirects) {
            Err(refusal) => refusal,
            Ok(()) if redirects >= max => Refusal::Redirects { max },
            Ok(()) => return Ok(()),
        };
        let hops = self.trace.hops();
        let urls = cycle(&hops);
        let error = Error::from(match refusal {
            Refusal::Redirects { max } if !urls.is_empty() => Refusal::RedirectLoop { max, urls },
            other => other,
        });
        let status = hops.last().map(Hop::status_text).unwrap_or_default();
        let comma = if status.is_empty() { "" } else { ", " };
        let to = &redirect.reference;
        Err(error.with_received(format!("{status}{comma}to {to}").as_bytes()))
    }

    /// Fetches one URL with the protocol for its scheme.
    fn access(&mut self, at: &Position<'_>) -> Result<Option<Redirect>> {
        let link = &at.link;
        self.trace.begin_hop(&link.text);
        let reference = link.reference()?;
        // The scheme is checked first, so that an error about it takes precedence.
        self.dialer
            .policy
            .check_scheme(scheme(reference)?, link.source)?;
        if link.source == Source::Network && reference.userinfo().is_some() {
            return Err(Refusal::Credentials.into());
        }
        let request = Request {
            reference,
            edition: link.edition,
            credentials: at.credentials,
            chain: at.chain,
            ..*self.request
        };
        let own_dialer = self.dialer.for_url(reference, at.is_trusted);
        let dialer = own_dialer.as_ref().unwrap_or(self.dialer);
        let accessed = self.routes.choose(
            &request,
            &dialer.policy,
            link.source,
            |request, protocol| {
                let scheme = scheme(request.reference)?;
                let own_ports = self.routes.own_ports(protocol, request);
                let mut context = Context {
                    dialer,
                    deadline: self.deadline,
                    trace: self.trace,
                    own_ports: &own_ports,
                    source: link.source,
                    prompt: self.prompt,
                    no_prompt: NoPrompt,
                    pool: self.pool,
                    proxies: &self.routes.proxies,
                    scheme,
                    redirect_schemes: targets(protocol, scheme),
                    redirect_failed: at.redirect_failed,
                };
                if request.range.is_some() && !protocol.has_ranges() {
                    let what = "this protocol cannot fetch part of a body";
                    return Err(Error::new(ErrorKind::Unsupported(what)));
                }
                let outcome = protocol.access(request, &mut context, &mut self.output)?;
                let (by_get, is_optional) = (
                    matches!(outcome, Outcome::SeeOther(_)),
                    matches!(outcome, Outcome::TryFirst(_)),
                );
                let (Outcome::Redirect(reference)
                | Outcome::TryFirst(reference)
                | Outcome::SeeOther(reference)) = outcome
                else {
                    return Ok(None);
                };
                // A redirect is relative to the URL that was requested, which is the gateway's URL
                // if a gateway is used.
                Ok(Some(Redirect {
                    base: request.reference.as_str().to_owned(),
                    reference,
                    by_get,
                    is_optional,
                    targets: targets(protocol, scheme).to_vec(),
                    max: protocol.max_redirects(),
                }))
            },
        );
        match accessed {
            Err(error) if link.source == Source::Network => Err(error.with_network_source()),
            other => other,
        }
    }
}

/// The result of one step.
enum Step<'a> {
    /// The output is complete, or the caller handles the redirect itself.
    Done,
    Redirected {
        /// The position before the redirect, if the access can succeed without fetching the target.
        before: Option<Box<Position<'a>>>,
    },
}

impl Link {
    /// Returns the requested reference. Maps an IRI to a URI, and a host with escapes or non-ASCII
    /// characters to its DNS name (RFC 3986, 3.2.2; RFC 3987, 3.1).
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
        let link = Self {
            text,
            standard,
            edition: request.edition,
            source: Source::User,
        };
        Ok(link.with_dns_host())
    }

    /// Resolves a redirect. Drops the userinfo of the base, because a redirect must not inherit it.
    fn redirected(redirect: &Redirect) -> Result<Self> {
        let mut base = UriBuf::parse(&redirect.base).map_err(invalid)?;
        base.remove_userinfo()
            .map_err(|_| Error::new(ErrorKind::Protocol("a valid base URI")))?;
        // Some servers send references without the necessary escapes. Browsers and curl follow them
        // anyway.
        let repaired = repair_for(&redirect.reference, &base).map_err(|error| match error {
            RepairError::Parse(error) => invalid(error),
            _ => Error::new(ErrorKind::HostNotFound),
        })?;
        let target = repaired
            .reference
            .resolve_against(&base)
            .map_err(|_| Error::new(ErrorKind::Protocol("a valid redirect target")))?;
        let link = Self {
            text: target.into_string(),
            standard: Standard::Rfc3986,
            edition: Edition::Successor,
            source: Source::Network,
        };
        Ok(link.with_dns_host())
    }

    /// Converts the host to its DNS name. Leaves the host unchanged if it cannot be a DNS name; a
    /// later lookup of that host fails.
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

/// Returns the URLs of a redirect loop, if the last redirect leads back to an earlier URL. The list
/// begins and ends with the same URL. Passwords are masked.
fn cycle(hops: &[Hop]) -> Vec<String> {
    let redirects: Vec<_> = hops.iter().filter(|hop| hop.location.is_some()).collect();
    let target = redirects.last().and_then(|hop| hop.location.as_deref());
    let target = target.and_then(|target| target.split('#').next());
    let Some(last) = redirects.iter().rposition(|hop| Some(&*hop.uri) == target) else {
        return Vec::new();
    };
    // The chain may have entered the loop at a URL other than the target.
    let members = redirects.get(last..).unwrap_or_default();
    let is_member = |hop: &&Hop| members.iter().any(|member| member.uri == hop.uri);
    let begin = redirects.iter().position(is_member).unwrap_or(last);
    let first = redirects.get(begin).map(|hop| &*hop.uri);
    let urls = redirects
        .iter()
        .skip(begin)
        .take(members.len())
        .map(|hop| &*hop.uri);
    let masked = |url: &str| String::from_utf8_lossy(&mask::urls(url.as_bytes())).into_owned();
    urls.chain(first).map(masked).collect()
}

fn invalid(error: ParseError) -> Error {
    Error::new(ErrorKind::Invalid(error))
}

fn host(reference: AnyRef<'_>) -> Option<String> {
    let host = reference.host()?.as_str();
    Some(host.to_ascii_lowercase())
}

fn fragment(reference: AnyRef<'_>) -> Option<String> {
    reference
        .fragment()
        .map(|fragment| fragment.as_str().to_owned())
}

/// Returns the schemes that a server with this `scheme` may redirect to by default. The list is
/// empty if a gateway with another protocol serves the scheme: an HTTP proxy for `gopher` must not
/// redirect to `http`.
pub(crate) fn targets<'p>(protocol: &'p dyn Protocol, scheme: &str) -> &'p [&'static str] {
    let is_it = |name: &&str| name.eq_ignore_ascii_case(scheme);
    if protocol.schemes().iter().any(is_it) {
        protocol.redirect_schemes()
    } else {
        &[]
    }
}

/// The scheme, host and port of a URL.
type Origin = (String, String, Option<u16>);

/// Returns the origin of a reference. Credentials are sent to one origin only.
fn origin(reference: AnyRef<'_>) -> Option<Origin> {
    let scheme = reference.scheme()?.to_ascii_lowercase();
    let host = reference.host()?.as_str().to_ascii_lowercase();
    let default = || urikit_schemes::find(&scheme).and_then(|scheme| scheme.facts().port);
    let port = reference.port().filter(|port| !port.is_empty());
    let port = port.map_or_else(default, |port| port.parse().ok());
    Some((scheme, host, port))
}

/// The routes of a client: schemes, gateways, protocols and proxies.
#[derive(Clone)]
pub(crate) struct Routes {
    pub(crate) registry: Arc<SchemeRegistry>,
    /// For each scheme, the first protocol that supports it is used.
    pub(crate) protocols: Vec<Arc<dyn Protocol>>,
    pub(crate) proxies: Proxies,
}

impl Routes {
    /// Passes the request to the protocol for its scheme or, if a gateway serves that scheme, to
    /// the protocol for the gateway's scheme. The policy must allow both schemes.
    pub(crate) fn choose<T>(
        &self,
        request: &Request<'_>,
        policy: &Policy,
        source: Source,
        work: impl FnOnce(&Request<'_>, &dyn Protocol) -> Result<T>,
    ) -> Result<T> {
        let name = scheme(request.reference)?;
        policy.check_scheme(name, source)?;
        let Some(gateway) = self.registry.gateway(name) else {
            check_port(request.reference)?;
            let via = self.whole_uri_proxy(request.reference);
            if via.is_some() {
                self.check_target(request, policy)?;
            }
            let request = &Request { via, ..*request };
            return self.with_protocol(name, |protocol| work(request, protocol));
        };
        self.check_target(request, policy)?;
        if gateway.is_proxy() {
            let proxy = Request {
                proxy: Some(gateway),
                // The credentials are for the server, not for the proxy.
                credentials: None,
                ..*request
            };
            let name = gateway.url().scheme();
            policy.check_scheme(name, source)?;
            return self.with_protocol(name, |protocol| work(&proxy, protocol));
        }
        let url = gateway.ask(request.reference)?;
        let forwarded = Request {
            reference: (&url).into(),
            edition: Edition::Successor,
            credentials: None,
            ..*request
        };
        let name = scheme(forwarded.reference)?;
        policy.check_scheme(name, source)?;
        self.with_protocol(name, |protocol| work(&forwarded, protocol))
    }

    /// Checks the server in a reference that is sent to a gateway or a proxy. The server's address
    /// cannot be checked, because the gateway or the proxy resolves the name.
    fn check_target(&self, request: &Request<'_>, policy: &Policy) -> Result<()> {
        let Some(authority) = request.reference.authority() else {
            return Ok(());
        };
        let host = authority.host();
        let default = self.port_of(request);
        let (port, own_ports) = (authority.port_number(), default.as_slice());
        let server = port.or(default).unwrap_or_default();
        let policy = policy.at(host.as_str(), server, own_ports);
        check_host(host.as_str(), &policy)?;
        if let Some(port) = port {
            policy.check_port(port, own_ports)?;
        }
        Ok(())
    }

    /// Returns the proxy that receives the complete URI in the request line, which is the HTTP
    /// proxy for an `http` URL. Returns `None` for other URLs and proxies.
    fn whole_uri_proxy(&self, reference: AnyRef<'_>) -> Option<&Proxy> {
        let scheme = reference.scheme()?;
        let host = reference.host()?;
        let proxy = self.proxies.find(scheme, host.as_str())?;
        let is_http = proxy.kind == Kind::Http && scheme.eq_ignore_ascii_case("http");
        is_http.then_some(proxy)
    }

    /// Replaces the connections in a plan with connections through proxies.
    pub(crate) fn through_proxies(&self, request: &Request<'_>, plan: &mut Plan) -> Result<()> {
        let scheme = scheme(request.reference)?;
        plan.replace_connections(|host, port| {
            let Some(proxy) = self.proxies.find(scheme, host) else {
                return Ok(None);
            };
            let mut steps = vec![Action::ConnectProxy(proxy.host.clone(), proxy.port)];
            if proxy.kind == Kind::Http {
                let lines = http1::connect_lines(host, port, proxy.token().as_ref())?;
                steps.extend(lines.into_iter().map(Action::send));
            } else {
                steps.push(Action::AskProxy(host.to_owned(), port));
            }
            Ok(Some(steps))
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
        let scheme = name.to_ascii_lowercase();
        Err(Error::new(ErrorKind::NoProtocol { scheme }))
    }

    /// Returns the ports that the policy allows by default for a request.
    pub(crate) fn own_ports(&self, protocol: &dyn Protocol, request: &Request<'_>) -> Vec<u16> {
        let mut ports = protocol.own_ports().to_vec();
        ports.extend(self.port_of(request));
        ports
    }

    /// Returns the default port of the request's scheme, or of the gateway's scheme if the gateway
    /// is a proxy.
    fn port_of(&self, request: &Request<'_>) -> Option<u16> {
        let name = match request.proxy {
            Some(gateway) => Some(gateway.url().scheme()),
            None => request.reference.scheme(),
        };
        let name = name?;
        let registered = self
            .registry
            .find(name)
            .and_then(|scheme| scheme.facts().port);
        registered.or_else(|| urikit::scheme::known(name)?.port)
    }
}

/// Checks that the port is at most 65535. The generic grammar does not limit the port.
fn check_port(reference: AnyRef<'_>) -> Result<()> {
    let authority = reference.authority();
    let is_given = reference.port().is_some_and(|digits| !digits.is_empty());
    match authority.and_then(|authority| authority.port_number()) {
        None if is_given => Err(UrlError::PortRange.into()),
        _ => Ok(()),
    }
}

/// Returns the scheme of a reference, which must not be relative.
pub(crate) fn scheme(reference: AnyRef<'_>) -> Result<&str> {
    reference
        .scheme()
        .ok_or_else(|| Error::new(ErrorKind::Relative))
}
