//! Checks each request before it is answered, adds security fields to each response, and logs both.

mod clients;
mod hosts;
mod log;
mod proxies;
mod shared;

use crate::metrics::Listener;
use crate::problem::{Problem, ProblemType};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
pub(crate) use clients::{Clients, Connected};
pub(crate) use hosts::Hosts;
pub(crate) use log::Entry;
pub(crate) use proxies::Proxies;
pub(crate) use shared::Shared;
use std::net::IpAddr;
use std::sync::Arc;

/// The address of a client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// The path for health checks. On this path, any `Host` field is accepted, because health checks
/// often use an IP address.
pub(crate) const HEALTH: &str = "/healthz";

/// Checks a request, answers it, and logs it.
pub(crate) async fn guard(
    State(shared): State<Arc<Shared>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(Client(peer)) = request.extensions().get() {
        let client = shared.proxies.client(*peer, request.headers());
        request.extensions_mut().insert(Client(client));
    }
    let entry = log::Entry::new(&request);
    let mut response = match check(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    protect(response.headers_mut());
    let status = response.status();
    shared.metrics.response(Listener::Page, status.as_u16());
    entry.log(status);
    response
}

/// Refuses requests for other servers, from pages of other sites, or from clients that send too
/// many requests.
fn check(shared: &Shared, request: &Request) -> Result<(), Problem> {
    if let Some(Client(address)) = request.extensions().get()
        && !shared.clients.admit(*address)
    {
        let detail = "the client exceeded the limit on requests per second";
        let problem = Problem::new(ProblemType::TooManyRequests, detail);
        return Err(problem.field(header::RETRY_AFTER, "1"));
    }
    if request.uri().path() == HEALTH {
        return Ok(());
    }
    shared.hosts.check(request)
}

/// The header fields that every response has. Scripts and styles come only from this server, and
/// nothing else is loaded. No other page may show or read a response, and nothing is stored.
const FIELDS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src \
         'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With `no-referrer`, browsers would send `Origin: null` with the forms on the page.
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
    (header::CACHE_CONTROL, "no-store"),
];

fn protect(fields: &mut HeaderMap) {
    for (name, value) in FIELDS {
        fields
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
}
