//! The gateway shows resources of `ftp`, `gopher`, news, `wais`, `prospero`, `gemini`, `spartan`,
//! `nex` and `finger` servers as pages.
//!
//! ```text
//! connection → line (the request line) → hyper → Gateway::answer → Target → browse → transfer
//! ```
//!
//! A target is a path, such as `/gopher://host/1/`, or a complete URI, as proxies receive it.

mod browse;
mod line;
mod page;
mod respond;
mod target;
mod tokens;
mod transfer;

use crate::api::form_value;
use crate::config::GatewayConfig;
use crate::guard::{Entry, Hosts, Shared};
use crate::metrics::Listener;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use hyper::Request;
use hyper::body::Incoming;
pub(crate) use line::{LineError, Replayed, RequestLine, read as read_line};
use page::{Form, Frame, ICON, Links, STYLE, StartPage, name, scheme};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use target::Target;
pub(crate) use target::typed;
use tokens::Tokens;
use transfer::Pool;
use urikit::Uri;
use urikit_access::policy::{Refusal, SchemeRules};
use urikit_access::protocol::NewsProtocol;
use urikit_access::{Client, ErrorKind, Policy};

/// Schemes that browsers fetch themselves. A gateway for them would be an open proxy.
const REFUSED: [&str; 2] = ["http", "https"];

/// The size of the buffer of a connection to a server, in bytes. The buffer is small because many
/// transfers wait for slow clients.
const BUFFER: usize = 4 << 10;

/// The gateway.
pub(crate) struct Gateway {
    shared: Arc<Shared>,
    client: Client,
    schemes: Arc<[String]>,
    hosts: Hosts,
    /// True if requests with a complete URI are refused.
    is_public: bool,
    news_server: Option<String>,
    pool: Pool,
    /// The memory for the entries of listings.
    memory: page::Memory,
    most: usize,
    tokens: Option<Tokens>,
}

/// A request that has passed the checks.
struct Asked<'a> {
    method: &'a Method,
    fields: &'a HeaderMap,
    client: IpAddr,
    /// The scheme and the host with which absolute addresses begin.
    origin: String,
}

impl Gateway {
    /// `address` is the address on which the gateway listens.
    pub(crate) fn new(
        config: &GatewayConfig,
        public_hosts: &[String],
        address: SocketAddr,
        shared: Arc<Shared>,
    ) -> Self {
        // `all` must come first, because later rules remove schemes from it.
        let rules: SchemeRules = "all,-http,-https".parse().unwrap_or_default();
        let mut policy = Policy::new()
            .buffer(BUFFER)
            .schemes(rules)
            .allow_private(config.allow_private);
        for port in &config.allow_ports {
            policy = policy.allow_port(*port);
        }
        let mut client = urikit_report::protocols::client(policy);
        if let Some(server) = &config.news_server {
            client = client.protocol(NewsProtocol::new().server(server));
        }
        let mut schemes: Vec<String> = client
            .schemes()
            .filter(|scheme| is_allowed(&client, scheme))
            .map(str::to_owned)
            .collect();
        schemes.sort();
        schemes.dedup();
        Self {
            shared,
            client,
            schemes: schemes.into(),
            hosts: Hosts::new(&[address], public_hosts),
            is_public: !public_hosts.is_empty(),
            news_server: config.news_server.clone(),
            pool: Pool::new(config.transfers),
            memory: page::Memory::new(),
            most: config.transfers,
            tokens: Tokens::new(),
        }
    }

    /// Returns the schemes of the resources that the gateway shows.
    pub(crate) fn schemes(&self) -> Arc<[String]> {
        Arc::clone(&self.schemes)
    }

    /// Returns the number of transfers that are under way.
    pub(crate) fn transfers(&self) -> usize {
        self.most.saturating_sub(self.pool.free())
    }

    /// Answers a request. `client` is the address of the connection.
    pub(crate) async fn answer(
        &self,
        line: RequestLine,
        request: Request<Incoming>,
        client: IpAddr,
    ) -> Response {
        let (peer, fields) = (client, request.headers());
        let client = self.shared.proxies.client(peer, fields);
        let scheme = self.shared.proxies.scheme(peer, fields);
        let entry = Entry::of_target(Some(client), &line.method, &line.target);
        let mut response = self.checked(line, request, client, scheme).await;
        respond::protect(response.headers_mut());
        let status = response.status();
        self.shared
            .metrics
            .response(Listener::Gateway, status.as_u16());
        entry.log(status);
        response
    }

    /// Checks a request, and answers it.
    async fn checked(
        &self,
        line: RequestLine,
        request: Request<Incoming>,
        client: IpAddr,
        scheme: &str,
    ) -> Response {
        let RequestLine { method, target } = line;
        if !self.shared.clients.admit(client) {
            let text = "You sent too many requests. Try again in a second.";
            let status = StatusCode::TOO_MANY_REQUESTS;
            let mut response = respond::message(&self.frame(Form::Prefix, ""), status, text);
            respond::set(&mut response, header::RETRY_AFTER, "1");
            return response;
        }
        if method == Method::CONNECT {
            return self.refuse(Form::Proxy, "The gateway makes no tunnels.");
        }
        let Some(target) = Target::parse(&target) else {
            return respond::message(
                &self.frame(Form::Prefix, ""),
                StatusCode::NOT_FOUND,
                "This is neither an address of the gateway nor the URL of a resource.",
            );
        };
        if target == Target::Health {
            return Response::new(Body::from("ok\n"));
        }
        let is_proxy = matches!(
            &target,
            Target::Resource {
                form: Form::Proxy,
                ..
            }
        );
        if is_proxy && self.is_public {
            return self.refuse(Form::Proxy, "This gateway is not a proxy.");
        }
        if !is_proxy && let Err(why) = self.check_host(request.headers(), &method) {
            return self.refuse(Form::Prefix, why);
        }
        let (parts, body) = request.into_parts();
        let asked = Asked {
            method: &method,
            fields: &parts.headers,
            client,
            origin: origin(&parts.headers, scheme),
        };
        match target {
            Target::Resource { form, view, url } => {
                self.resource(&asked, body, form, view, url).await
            }
            _ if method != Method::GET && method != Method::HEAD => not_allowed(),
            Target::Style => {
                let mut response = Response::new(Body::from(STYLE));
                respond::set(
                    &mut response,
                    header::CONTENT_TYPE,
                    "text/css; charset=utf-8",
                );
                response
            }
            Target::Icon => {
                let mut response = Response::new(Body::from(ICON));
                respond::set(&mut response, header::CONTENT_TYPE, "image/svg+xml");
                response
            }
            Target::Go(query) => {
                let url = form_value(&query, "url").unwrap_or_default();
                respond::redirect(&target::typed(&url))
            }
            Target::Search(query) => search(&query),
            Target::Start | Target::Health => {
                let mut frame = self.frame(Form::Prefix, "");
                "Gateway".clone_into(&mut frame.title);
                let schemes = self.schemes.to_vec();
                respond::page(&frame, StatusCode::OK, &StartPage { schemes })
            }
        }
    }

    /// Checks `Host` and `Origin`, as the page does. Pages of the gateway have no origin, so their
    /// forms are sent with `Origin: null`; their tokens are checked instead.
    fn check_host(&self, fields: &HeaderMap, method: &Method) -> Result<(), &'static str> {
        let mut origins = fields.get_all(header::ORIGIN).iter();
        let is_own_form = method == Method::POST && origins.all(|origin| origin == "null");
        let checked = self.hosts.check_host(fields);
        let host = checked.map_err(|_| "The Host field names another server.")?;
        if is_own_form || Hosts::check_origin(fields, host) {
            Ok(())
        } else {
            Err("The request comes from a page of another site.")
        }
    }

    fn links(&self, form: Form) -> Links {
        Links {
            form,
            schemes: Arc::clone(&self.schemes),
        }
    }

    /// Returns the frame of a page about a URL from which the password has been removed.
    fn frame(&self, form: Form, url: &str) -> Frame {
        let last = name(url);
        let title = match (url, last.as_str()) {
            ("", _) => "Gateway",
            (url, "") => url,
            (_, last) => last,
        };
        Frame {
            links: self.links(form),
            title: title.to_owned(),
            url: url.to_owned(),
            has_feed: false,
        }
    }

    fn refuse(&self, form: Form, why: &'static str) -> Response {
        respond::message(&self.frame(form, ""), StatusCode::FORBIDDEN, why)
    }
}

/// Returns true if the policy of a client allows a scheme. The policy refuses schemes that access
/// this machine or involve its user.
fn is_allowed(client: &Client, scheme: &str) -> bool {
    let url = format!("{scheme}:");
    let Ok(url) = Uri::parse(&url) else {
        return false;
    };
    match client.plan(&urikit_access::Request::new(url)) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::Refused(Refusal::Scheme { .. })),
    }
}

/// Returns the scheme and the host with which absolute addresses begin.
fn origin(fields: &HeaderMap, scheme: &str) -> String {
    let host = fields.get(header::HOST).and_then(|host| host.to_str().ok());
    format!("{scheme}://{}", host.unwrap_or_default())
}

fn not_allowed() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    let methods = HeaderValue::from_static("GET, HEAD");
    response.headers_mut().insert(header::ALLOW, methods);
    response
}

/// Redirects to the URL of a search.
fn search(query: &str) -> Response {
    let value = |name| form_value(query, name).unwrap_or_default();
    let (url, words) = (value("url"), value("words"));
    let is_gopher = scheme(&url).is_none_or(|scheme| scheme.eq_ignore_ascii_case("gopher"));
    let url = if is_gopher {
        target::gopher_search(&url, &words)
    } else {
        target::with_query(&url, &words)
    };
    respond::redirect(&target::typed(&url))
}
