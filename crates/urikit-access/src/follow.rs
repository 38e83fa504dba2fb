//! From hop to hop: where the network leads, as far as the policy lets it.

use crate::context::Context;
use crate::delivery::Delivery;
use crate::error::{Error, ErrorKind, Result};
use crate::kept::Kept;
use crate::meta::Meta;
use crate::net::{Deadline, Dialer};
use crate::person::{Nobody, Person};
use crate::policy::{Refusal, Source};
use crate::protocol::Outcome;
use crate::request::{Credentials, Request};
use crate::route::{Routes, scheme};
use crate::trace::Trace;
use urikit::op::Options;
use urikit::scheme::Edition;
use urikit::{AnyRef, IriRef, ParseError, Standard, UriRef};

/// One access, with all that it needs.
pub(crate) struct Follower<'a> {
    pub(crate) dialer: &'a Dialer,
    pub(crate) routes: &'a Routes,
    pub(crate) request: &'a Request<'a>,
    pub(crate) person: &'a mut dyn Person,
    pub(crate) delivery: Delivery<'a>,
    pub(crate) kept: &'a mut Kept,
    pub(crate) trace: &'a Trace,
    pub(crate) deadline: Deadline,
}

/// Where an access stands.
pub(crate) struct Hop {
    /// The reference, with its fragment.
    text: String,
    standard: Standard,
    edition: Edition,
    source: Source,
}

/// What a hop came to.
enum End {
    Done,
    /// The network leads on: from a base to a reference.
    Elsewhere {
        base: String,
        reference: String,
    },
}

impl Follower<'_> {
    /// Follows the request's reference, and where it leads.
    pub(crate) fn follow(mut self) -> Result<Meta> {
        let mut hop = Hop::first(self.request)?;
        let first = origin(hop.reference()?);
        let mut fragment = fragment(self.request.reference);
        let mut credentials = self.request.credentials;
        let mut hops = 0;
        while let End::Elsewhere { base, reference } = self.access(&hop, credentials)? {
            self.dialer.policy.judge_hop(hops)?;
            hops += 1;
            hop = Hop::led(&base, &reference).map_err(|error| {
                let error = error.at("following a redirect").of_network();
                error.received(reference.as_bytes())
            })?;
            let reference = hop.reference()?;
            self.trace.note(format!("led on to {}", reference.redact()));
            // Credentials leave with their origin only, and never come back.
            if origin(reference) != first {
                credentials = None;
            }
            fragment = self::fragment(reference).or(fragment);
        }
        let known = self.delivery.end()?;
        let reference = hop.reference()?;
        let behind = reference
            .fragment()
            .map_or(0, |fragment| fragment.len() + 1);
        let final_uri = hop.text.get(..hop.text.len() - behind);
        Ok(Meta {
            uri: self.request.reference.as_str().to_owned(),
            final_uri: final_uri.unwrap_or(&hop.text).to_owned(),
            fragment,
            scheme: scheme(reference)?.to_ascii_lowercase(),
            known,
            received: self.delivery.received(),
            steps: self.trace.steps(),
        })
    }

    /// One hop: the scheme is judged, and its protocol has its turn.
    fn access(&mut self, hop: &Hop, credentials: Option<&Credentials>) -> Result<End> {
        let reference = hop.reference()?;
        // Of several refusals, the scheme's is told.
        self.dialer
            .policy
            .judge_scheme(scheme(reference)?, hop.source)?;
        if hop.source == Source::Network && reference.userinfo().is_some() {
            return Err(Refusal::Credentials.into());
        }
        let request = Request {
            reference,
            edition: hop.edition,
            credentials,
            ..*self.request
        };
        let accessed = self.routes.choose(
            &request,
            (&self.dialer.policy, hop.source),
            |request, protocol| {
                let mut own_ports = protocol.own_ports().to_vec();
                own_ports.extend(self.routes.port_of(request));
                let mut context = Context {
                    dialer: self.dialer,
                    deadline: self.deadline,
                    trace: self.trace,
                    own_ports: &own_ports,
                    source: hop.source,
                    person: self.person,
                    nobody: Nobody,
                    kept: self.kept,
                };
                match protocol.access(request, &mut context, &mut self.delivery)? {
                    Outcome::Done => Ok(End::Done),
                    // Where it leads is relative to what was asked for: of a gateway, its own URL.
                    Outcome::Elsewhere(reference) => Ok(End::Elsewhere {
                        base: request.reference.as_str().to_owned(),
                        reference,
                    }),
                }
            },
        );
        match accessed {
            Err(error) if hop.source == Source::Network => Err(error.of_network()),
            other => other,
        }
    }
}

impl Hop {
    /// What a request asks for: an IRI as the URI that protocols have, its host as the DNS has it (RFC 3987, 3.1).
    pub(crate) fn first(request: &Request<'_>) -> Result<Self> {
        let (mut text, mut standard) = (
            request.reference.as_str().to_owned(),
            request.reference.standard(),
        );
        if standard == Standard::Rfc3987 {
            let iri = IriRef::parse_as(&text).map_err(invalid)?;
            let uri = iri
                .to_uri_idna()
                .map_err(|_| Error::new(ErrorKind::NoAddress))?;
            (text, standard) = (uri.into_string(), Standard::Rfc3986);
        }
        Ok(Self {
            text,
            standard,
            edition: request.edition,
            source: Source::User,
        })
    }

    /// What another reference, which the network gave, leads to from a base. The user of the base is not the network's
    /// to go on with.
    fn led(base: &str, reference: &str) -> Result<Self> {
        let mut base = UriRef::parse(base).map_err(invalid)?;
        let mut anonymous = String::new();
        if base.userinfo().is_some() {
            let edited = base.edit().userinfo(None).write_into(&mut anonymous);
            edited.map_err(|_| Error::new(ErrorKind::Protocol("a base that resolves")))?;
            base = UriRef::parse(&anonymous).map_err(invalid)?;
        }
        let reference = UriRef::parse(reference).map_err(invalid)?;
        let resolved = reference.resolve_with(base, Options::default());
        let (target, _) =
            resolved.map_err(|_| Error::new(ErrorKind::Protocol("a target that resolves")))?;
        Ok(Self {
            text: target.into_string(),
            standard: Standard::Rfc3986,
            edition: Edition::Successor,
            source: Source::Network,
        })
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

/// Scheme, host and port: whom credentials are for.
fn origin(reference: AnyRef<'_>) -> Option<(String, String, Option<u16>)> {
    let scheme = reference.scheme()?.to_ascii_lowercase();
    let host = reference.host()?.as_str().to_ascii_lowercase();
    let default = || urikit::scheme::find(&scheme).and_then(|scheme| scheme.facts().port);
    let port = reference.port().filter(|port| !port.is_empty());
    let port = port.map_or_else(default, |port| port.parse().ok());
    Some((scheme, host, port))
}
