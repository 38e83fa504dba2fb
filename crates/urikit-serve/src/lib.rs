//! A server that explains, parses, compares and audits URIs: pages for people, and an HTTP API that
//! returns what the command `uri` prints with `--json`.
//!
//! It listens on loopback by default. Requests for other hosts, which DNS rebinding causes, and
//! requests from pages of other sites are refused. [`Limits`] bounds the time, the memory and the
//! connections that clients can use. Errors are problem details (RFC 9457) with a [`ProblemType`].
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
mod guard;
mod logs;
pub mod page;
mod problem;
mod server;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::any;
pub use config::{Config, ConfigError, Limits};
use guard::Shared;
pub use logs::LogFormat;
use problem::Problem;
pub use problem::ProblemType;
pub use server::{ServeError, Server};
use std::sync::Arc;

/// Returns all routes.
fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .merge(api::router())
        .merge(page::router())
        .route(guard::HEALTH, any(async || "ok\n"))
        .fallback(async || {
            let detail = "the API is below /api/v1/, and the page at /";
            Problem::new(ProblemType::NotFound, detail)
        })
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}
