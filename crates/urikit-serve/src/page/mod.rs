//! The page at `/`, and its assets.

mod assets;

use crate::api::method_not_allowed;
use crate::problem::{Problem, ProblemType};
use crate::state::Shared;
use askama::Template;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, RawQuery};
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use axum::routing::any;
use std::sync::Arc;
use urikit_report::Reader;
use urikit_report::audit::{FindingLine, findings};
use urikit_report::explain::{ComponentList, Explanation, Verdict, beginning, prefix};
use urikit_report::input::Unparsed;
use urikit_report::mask::Masked;

/// Returns the routes of the page.
pub(crate) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", any(page))
        .route("/assets/{name}", any(asset))
}

/// The page.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    /// The reference in the field; empty without one.
    url: &'a str,
    findings: Vec<FindingLine>,
    components: Option<ComponentList<'a>>,
    verdicts: Vec<Verdict>,
    notes: Vec<String>,
}

/// Renders the page that explains a reference.
///
/// ```
/// let page = urikit_serve::page::render("http://a/<b>");
/// assert!(page.contains("http://a/&#60;b&#62;"));
/// ```
pub fn render(url: &str) -> String {
    let input = Unparsed::from(url);
    let after = input.bytes.get(prefix(input.bytes)..).unwrap_or_default();
    let reference = beginning(after.into());
    let explanation = Explanation::new(input.into(), reference, Reader::default(), None);
    let findings = explanation
        .audit
        .as_ref()
        .map(|audit| findings(audit, &Masked::new(audit.input(), false)));
    let is_empty = url.is_empty();
    let page = Page {
        url,
        findings: findings.filter(|_| !is_empty).unwrap_or_default(),
        components: explanation.components(false).filter(|_| !is_empty),
        verdicts: if is_empty {
            Vec::new()
        } else {
            explanation.verdicts(false)
        },
        notes: if is_empty {
            Vec::new()
        } else {
            explanation.notes(false)
        },
    };
    // Writing to memory does not fail.
    page.render().unwrap_or_default()
}

/// Answers with the page for the parameter `url`.
async fn page(method: Method, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    get(&method)?;
    let query = query.unwrap_or_default();
    let url = crate::api::form_value(&query, "url").unwrap_or_default();
    Ok(typed(Body::from(render(&url)), "text/html; charset=utf-8"))
}

/// Answers with a script or style.
async fn asset(method: Method, Path(name): Path<String>) -> Result<Response, Problem> {
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
