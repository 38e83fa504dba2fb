//! Chooses the protocol for a request: that of its scheme, or of the gateway for the scheme.

use crate::error::{Error, ErrorKind, Result};
use crate::http1;
use crate::plan::{Action, Plan};
use crate::policy::{Policy, Source};
use crate::protocol::Protocol;
use crate::proxy::{Kind, Proxies, Proxy};
use crate::request::Request;
use crate::url_error::UrlError;
use urikit::AnyRef;
use urikit_schemes::{Edition, SchemeRegistry};

/// Schemes, gateways and protocols.
pub(crate) struct Routes {
    pub(crate) registry: SchemeRegistry,
    /// The first one that supports a scheme is used.
    pub(crate) protocols: Vec<Box<dyn Protocol>>,
    pub(crate) proxies: Proxies,
}

impl Routes {
    /// Passes the request to the protocol of its scheme, or of a gateway for the scheme. The
    /// policy must allow both schemes, that of the request and that of the gateway.
    pub(crate) fn choose<T>(
        &self,
        request: &Request<'_>,
        (policy, source): (&Policy, Source),
        work: impl FnOnce(&Request<'_>, &dyn Protocol) -> Result<T>,
    ) -> Result<T> {
        let name = scheme(request.reference)?;
        policy.check_scheme(name, source)?;
        let Some(gateway) = self.registry.gateway(name) else {
            check_port(request.reference)?;
            let request = &Request {
                via: self.whole_uri_proxy(request.reference),
                ..*request
            };
            return self.with_protocol(name, |protocol| work(request, protocol));
        };
        if gateway.is_proxy() {
            let proxy = Request {
                proxy: Some(gateway),
                // They are for the server, not for the proxy.
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

    /// The proxy that gets the complete URI in a request line: an HTTP proxy, for `http`.
    fn whole_uri_proxy(&self, reference: AnyRef<'_>) -> Option<&Proxy> {
        let scheme = reference.scheme()?;
        let host = reference.host()?;
        let proxy = self.proxies.find(scheme, host.as_str())?;
        let is_http = proxy.kind == Kind::Http && scheme.eq_ignore_ascii_case("http");
        is_http.then_some(proxy)
    }

    /// Replaces the connections of a plan by those through proxies.
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

    /// The default port of the request's scheme, or of the proxy's if there is one.
    pub(crate) fn port_of(&self, request: &Request<'_>) -> Option<u16> {
        let name = match request.proxy {
            Some(gateway) => Some(gateway.url().scheme()),
            None => request.reference.scheme(),
        };
        self.registry.find(name?)?.facts().port
    }
}

/// Whether the port can be connected to. A grammar allows any number.
fn check_port(reference: AnyRef<'_>) -> Result<()> {
    let authority = reference.authority();
    let is_given = reference.port().is_some_and(|digits| !digits.is_empty());
    match authority.and_then(|authority| authority.port_number()) {
        None if is_given => Err(UrlError::PortRange.into()),
        _ => Ok(()),
    }
}

/// The scheme of a reference. A relative reference is an error.
pub(crate) fn scheme(reference: AnyRef<'_>) -> Result<&str> {
    reference
        .scheme()
        .ok_or_else(|| Error::new(ErrorKind::Relative))
}
