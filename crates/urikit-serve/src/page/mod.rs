//! The HTML pages, and their assets.
//!
//! Each page is complete without scripts: its forms send the state as a query, and the server
//! renders the results. With scripts, each change of a field requests the part of the page that
//! contains the results.

mod assets;
mod convert;
mod difference;
mod examples;
mod explain;
mod host;
mod normal;
mod pair;
mod query;
mod redirect;
mod resolution;
mod ruler;
mod snippets;
mod state;
mod text;
mod words;

use crate::api::{SHORT, form_pairs, form_value, held, method_not_allowed, read_body, slow};
use crate::guard::Shared;
use crate::problem::{Problem, ProblemType};
use askama::Template;
use assets::STYLE;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, RawQuery, Request, State as Axum};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use axum::routing::any;
use convert::Conversions;
use examples::{EXAMPLES, Group, groups};
use explain::Sections;
use state::{State, escaped};
use std::sync::Arc;
use text::Links;
use urikit::percent::Place;
use urikit_report::Reader;
use urikit_report::explain::SchemeSection;
use urikit_schemes::Edition;

/// The addresses and names of the pages.
const PAGES: [(&str, &str); 4] = [
    ("/", "Explain"),
    ("/text", "Links in text"),
    ("/encode", "Encode"),
    ("/examples", "Examples"),
];

/// The maximum length of text that becomes part of an address, in bytes.
const LONGEST_TEXT: usize = 4000;

/// The result of a handler.
type Answer = Result<Response, Problem>;

/// Returns the routes of the pages.
pub(crate) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", any(explain_page))
        .route("/part", any(explain_part))
        .route("/query", any(edit_query))
        .route("/text", any(text_page))
        .route("/text/part", any(text_part))
        .route("/encode", any(encode_page))
        .route("/encode/part", any(encode_part))
        .route("/examples", any(examples_page))
        .route("/open", any(open))
        .route("/assets/{name}", any(asset))
}

/// The page that explains a reference.
#[derive(Template)]
#[template(path = "explain.html")]
struct ExplainPage {
    state: State,
    sections: Option<Sections>,
    handlers: String,
}

/// The results on the page that explains a reference.
#[derive(Template)]
#[template(path = "part.html")]
struct ExplainPart {
    sections: Option<Sections>,
    handlers: String,
}

/// The results as an HTML file for download.
#[derive(Template)]
#[template(path = "file.html")]
struct File {
    s: Sections,
}

/// The page that finds links in text.
#[derive(Template)]
#[template(path = "text.html")]
struct TextPage {
    text: String,
    links: Links,
}

/// The results on the page that finds links in text.
#[derive(Template)]
#[template(path = "text_part.html")]
struct TextPart {
    links: Links,
}

/// The page that encodes and decodes text.
#[derive(Template)]
#[template(path = "encode.html")]
struct EncodePage {
    c: Conversions,
}

/// The results on the page that encodes and decodes text.
#[derive(Template)]
#[template(path = "encode_part.html")]
struct EncodePart {
    c: Conversions,
}

/// The page with examples.
#[derive(Template)]
#[template(path = "examples.html")]
struct ExamplesPage {
    groups: Vec<Group>,
}

impl ExplainPage {
    const PATH: &str = "/";
}

impl TextPage {
    const PATH: &str = "/text";
}

impl EncodePage {
    const PATH: &str = "/encode";
}

impl ExamplesPage {
    const PATH: &str = "/examples";
}

/// Renders the page that explains a reference.
///
/// ```
/// let page = urikit_serve::page::render("http://a/<b>");
/// assert!(page.contains("http://a/&#60;b&#62;"));
/// ```
pub fn render(url: &str) -> String {
    let url = url.to_owned();
    let state = State {
        url,
        ..State::default()
    };
    write(&explain(state, &[]))
}

/// Renders a file that explains a reference and needs no server. Passwords are masked.
///
/// ```
/// use urikit_serve::page::render_file;
/// let file = render_file("http://me:secret@a/", Default::default(), None);
/// assert!(file.contains("http://me:***@a/") && !file.contains("secret"));
/// ```
pub fn render_file(url: &str, standard: Reader, edition: Option<Edition>) -> String {
    let url = url.to_owned();
    let state = State {
        url,
        standard,
        ..State::default()
    };
    let s = Sections::of_file(state, edition);
    write(&File { s })
}

/// `schemes` are the schemes that the gateway opens.
fn explain(state: State, schemes: &[String]) -> ExplainPage {
    let sections = sections(&state, schemes);
    let handlers = handlers(schemes);
    ExplainPage {
        state,
        sections,
        handlers,
    }
}

fn sections(state: &State, schemes: &[String]) -> Option<Sections> {
    (!state.is_empty()).then(|| Sections::new(state.clone(), schemes))
}

/// Schemes for which browsers let pages register a handler without the prefix `web+` (HTML,
/// 8.9.1.3).
const SAFELISTED: [&str; 4] = ["ftp", "ftps", "news", "nntp"];

/// Returns the schemes for which browsers can open the gateway, separated by spaces.
fn handlers(schemes: &[String]) -> String {
    let names = schemes.iter().filter_map(|scheme| {
        let is_name = scheme.bytes().all(|byte| byte.is_ascii_lowercase());
        match scheme.as_str() {
            name if SAFELISTED.contains(&name) => Some(name.to_owned()),
            name if is_name => Some(format!("web+{name}")),
            _ => None,
        }
    });
    names.collect::<Vec<_>>().join(" ")
}

/// Redirects to the gateway, which shows a URL.
async fn open(method: Method, Axum(shared): Axum<Arc<Shared>>, request: Request) -> Answer {
    get(&method)?;
    let gateway = shared.gateway.as_ref().ok_or_else(|| {
        Problem::new(
            ProblemType::NotFound,
            "the gateway is off (--gateway-listen)",
        )
    })?;
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    let query = request.uri().query().unwrap_or_default();
    let url = form_value(query, "url").unwrap_or_default();
    redirect_to(&format!(
        "{}{}",
        gateway.url(host),
        crate::gateway::typed(&url)
    ))
}

/// Renders a template.
fn write(page: &impl Template) -> String {
    // Writing to memory does not fail.
    page.render().unwrap_or_default()
}

/// Renders a page. If the input of the page is long, a thread for slow work renders it.
async fn html<P: Template>(
    size: usize,
    shared: &Shared,
    page: impl FnOnce() -> P + Send + 'static,
) -> Result<Response, Problem> {
    let work = move || write(&page()).into_bytes();
    let page = if size <= SHORT {
        work()
    } else {
        slow(shared, || Ok(work())).await?
    };
    let body = Body::from(held(page, shared)?);
    Ok(typed(body, "text/html; charset=utf-8"))
}

/// Renders a page for the query of a request.
async fn from_query<P: Template>(
    (method, RawQuery(query), Axum(shared)): Get,
    page: impl FnOnce(&str) -> P + Send + 'static,
) -> Result<Response, Problem> {
    get(&method)?;
    let query = query.unwrap_or_default();
    html(query.len(), &shared, move || page(&query)).await
}

/// A request for a page.
type Get = (Method, RawQuery, Axum<Arc<Shared>>);

async fn explain_page(method: Method, query: RawQuery, shared: Axum<Arc<Shared>>) -> Answer {
    let schemes = shared.gateway_schemes();
    from_query((method, query, shared), move |query| {
        explain(State::from_query(query), &schemes)
    })
    .await
}

async fn explain_part(method: Method, query: RawQuery, shared: Axum<Arc<Shared>>) -> Answer {
    let schemes = shared.gateway_schemes();
    let part = move |query: &str| ExplainPart {
        sections: sections(&State::from_query(query), &schemes),
        handlers: handlers(&schemes),
    };
    from_query((method, query, shared), part).await
}

/// Redirects to the page that explains a reference with an edited query.
async fn edit_query(method: Method, RawQuery(query): RawQuery) -> Answer {
    get(&method)?;
    let query = query.unwrap_or_default();
    let mut state = State::from_query(&query);
    let values = |own: &str| {
        let pairs = form_pairs(&query).into_iter();
        let values = pairs.filter(|(name, _)| name == own);
        values.map(|(_, value)| value).collect::<Vec<_>>()
    };
    let fields: Vec<_> = values("name").into_iter().zip(values("value")).collect();
    state.url = query::edit(&state.url, &fields);
    redirect_to(&state.address())
}

async fn text_page(Axum(shared): Axum<Arc<Shared>>, request: Request) -> Answer {
    let form = match *request.method() {
        Method::GET | Method::HEAD => request.uri().query().unwrap_or_default().to_owned(),
        Method::POST => {
            let body = read_body(request.into_body(), &shared).await?;
            let form = String::from_utf8_lossy(&body).into_owned();
            let text = form_value(&form, "text").unwrap_or_default();
            if text.len() <= LONGEST_TEXT {
                return redirect_to(&format!("/text?text={}", escaped(&text)));
            }
            form
        }
        _ => return Err(method_not_allowed("GET, HEAD, POST")),
    };
    let page = move || {
        let text = form_value(&form, "text").unwrap_or_default();
        let links = links(text.as_bytes(), "");
        TextPage { text, links }
    };
    html(usize::MAX, &shared, page).await
}

/// Finds the links in a body, for the script of the page.
async fn text_part(Axum(shared): Axum<Arc<Shared>>, request: Request) -> Answer {
    if request.method() != Method::POST {
        return Err(method_not_allowed("POST"));
    }
    let query = request.uri().query().unwrap_or_default();
    let name = form_value(query, "name").unwrap_or_default();
    let body = read_body(request.into_body(), &shared).await?;
    let part = move || TextPart {
        links: links(&body, &name),
    };
    html(usize::MAX, &shared, part).await
}

/// Finds links. An empty document has no format.
fn links(document: &[u8], name: &str) -> Links {
    if document.is_empty() {
        return Links::default();
    }
    text::find(document, name)
}

async fn encode_page(method: Method, query: RawQuery, shared: Axum<Arc<Shared>>) -> Answer {
    let page = |query: &str| EncodePage {
        c: Conversions::from_query(query),
    };
    from_query((method, query, shared), page).await
}

async fn encode_part(method: Method, query: RawQuery, shared: Axum<Arc<Shared>>) -> Answer {
    let part = |query: &str| EncodePart {
        c: Conversions::from_query(query),
    };
    from_query((method, query, shared), part).await
}

async fn examples_page(method: Method, query: RawQuery, shared: Axum<Arc<Shared>>) -> Answer {
    let page = |_: &str| ExamplesPage { groups: groups() };
    from_query((method, query, shared), page).await
}

/// Answers with a script or a stylesheet.
async fn asset(method: Method, Path(name): Path<String>) -> Answer {
    get(&method)?;
    let asset = assets::find(&name)
        .ok_or_else(|| Problem::new(ProblemType::NotFound, "no asset has this name"))?;
    Ok(typed(Body::from(asset.content), asset.media_type))
}

/// Refuses other methods.
fn get(method: &Method) -> Result<(), Problem> {
    match *method {
        Method::GET | Method::HEAD => Ok(()),
        _ => Err(method_not_allowed("GET, HEAD")),
    }
}

fn typed(body: Body, media_type: &'static str) -> Response {
    let mut response = Response::new(body);
    let media_type = HeaderValue::from_static(media_type);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    response
}

/// Redirects to an address of this server.
fn redirect_to(address: &str) -> Answer {
    let address = HeaderValue::from_str(address).map_err(|_| {
        Problem::new(
            ProblemType::Internal,
            "the address cannot be used in a header field",
        )
    })?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(header::LOCATION, address);
    Ok(response)
}
