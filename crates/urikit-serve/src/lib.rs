//! A server that explains, parses, compares and audits URIs: pages for people, and an HTTP API that
//! returns what the command `uri` prints with `--json`.
//!
//! The server listens on loopback by default. The server refuses requests for other hosts, which
//! are a sign of DNS rebinding, and requests from pages of other sites. [`Limits`] bounds the
//! time, the memory and the connections that clients can use. Errors are problem details (RFC
//! 9457) with a [`ProblemType`].
//!
//! ```no_run
//! use urikit_serve::{Config, LogFormat, Server};
//!
//! LogFormat::Text.start();
//! let server = Server::bind(Config::default())?;
//! println!("http://{}/", server.addresses()[0]);
//! server.run()?; // until SIGTERM or SIGINT
//! # Ok::<(), urikit_serve::ServeError>(())
//! ```

mod api;
mod config;
mod gateway;
mod guard;
mod logs;
mod metrics;
pub mod page;
mod problem;
mod server;

use axum::Router;
use axum::extract::Request;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::routing::any;
pub use config::{Config, ConfigError, GatewayConfig, Limits};
use gateway::Gateway;
use guard::Shared;
pub use logs::LogFormat;
use metrics::Gauges;
use problem::Problem;
pub use problem::ProblemType;
pub use server::{ServeError, Server};
use std::sync::Arc;

/// The path of the counters. Requests for a public host cannot access this path, so that a proxy
/// in front of the server does not publish the counters.
const METRICS: &str = "/metrics";

/// Returns all routes.
fn router(shared: Arc<Shared>, gateway: Option<Arc<Gateway>>) -> Router {
    let counters = {
        let shared = Arc::clone(&shared);
        move |request: Request| async move {
            if shared.hosts.is_public(request.headers()) {
                return Err(not_found());
            }
            let gauges = Gauges {
                connections: shared.clients.connections(),
                transfers: gateway.as_ref().map(|gateway| gateway.transfers()),
            };
            let media_type = "text/plain; version=0.0.4; charset=utf-8";
            let fields = [(header::CONTENT_TYPE, media_type)];
            Ok((fields, shared.metrics.text(&gauges)))
        }
    };
    Router::new()
        .merge(api::router())
        .merge(page::router())
        .route(METRICS, any(counters))
        .route(guard::HEALTH, any(async || "ok\n"))
        .fallback(async || not_found())
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

fn not_found() -> Problem {
    let detail = "the API is under /api/v1/, and the web page is at /";
    Problem::new(ProblemType::NotFound, detail)
}
