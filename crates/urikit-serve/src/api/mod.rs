//! The API: `/api/v1/` with one path for each operation. Results are the lines that the command
//! prints with `--json`.

mod batch;
mod body;
mod extract;
mod openapi;
mod operation;
mod parameters;
mod values;

use crate::guard::Shared;
use crate::problem::{Problem, ProblemType};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
pub(crate) use body::{held, read as read_body};
use operation::{OPERATIONS, Operation};
use serde_json::Value;
use std::sync::Arc;
use values::Values;

/// The maximum length, in bytes, of an input that is not moved to a thread for slow work.
pub(crate) const SHORT: usize = 16 << 10;

/// The length that an explanation of a short reference rarely exceeds, in bytes. A buffer that
/// grows to this length in steps would copy the start of the response several times.
const TYPICAL: usize = 16 << 10;

/// Returns the routes of the API.
pub(crate) fn router() -> Router<Arc<Shared>> {
    let mut router = Router::new();
    for operation in &OPERATIONS {
        let path = format!("/api/v1/{}", operation.name);
        let handler = move |State(shared): State<Arc<Shared>>, request: Request| async move {
            answer(operation, &shared, request)
                .await
                .unwrap_or_else(IntoResponse::into_response)
        };
        router = router.route(&path, any(handler));
    }
    router.route("/api/v1/openapi.json", any(openapi::document))
}

/// Answers a request to an operation.
async fn answer(
    operation: &'static Operation,
    shared: &Arc<Shared>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let query = parts.uri.query().unwrap_or_default();
    let values = Values::from_query(query, operation.parameters)?;
    if matches!(parts.method, Method::GET | Method::HEAD) {
        return run(operation, values, shared).await;
    }
    if parts.method != Method::POST {
        return Err(method_not_allowed("GET, HEAD, POST"));
    }
    let media_type = parts.headers.get(header::CONTENT_TYPE);
    let media_type = media_type.and_then(|value| value.to_str().ok());
    let media_type = media_type.and_then(|value| value.split(';').next());
    let media_type = media_type.unwrap_or_default().trim().to_ascii_lowercase();
    match media_type.as_str() {
        "application/x-ndjson" | "application/jsonl" if !operation.has_many => {
            batch::answer(operation, values, body, shared)
        }
        "application/json" => {
            let body = body::read(body, shared).await?;
            let given = from_json(&body, operation)?;
            run(operation, given.or(&values), shared).await
        }
        "application/x-www-form-urlencoded" => {
            let body = body::read(body, shared).await?;
            let form = std::str::from_utf8(&body);
            let form = form.map_err(|_| {
                Problem::new(ProblemType::InvalidParameter, "the form is not UTF-8")
            })?;
            let given = Values::from_query(form, operation.parameters)?;
            run(operation, given.or(&values), shared).await
        }
        _ if operation.name == "extract" && !media_type.is_empty() => {
            let body = body::read(body, shared).await?;
            let mut given = Values::default();
            given.add("text", body.to_vec(), operation.parameters)?;
            run(operation, given.or(&values), shared).await
        }
        _ => {
            let detail = if operation.has_many {
                "expected application/json or application/x-www-form-urlencoded"
            } else {
                "expected application/json, application/x-www-form-urlencoded, or \
                 application/x-ndjson for a batch"
            };
            Err(Problem::new(ProblemType::UnsupportedMediaType, detail))
        }
    }
}

/// Returns the problem to report if a path does not support the method of the request.
pub(crate) fn method_not_allowed(allowed: &'static str) -> Problem {
    let detail = format!("expected one of these methods: {allowed}");
    Problem::new(ProblemType::MethodNotAllowed, detail).field(header::ALLOW, allowed)
}

/// Reads the values in a JSON object. A string is the value of the only required parameter.
fn from_json(json: &[u8], operation: &Operation) -> Result<Values, Problem> {
    let value: Value = serde_json::from_slice(json).map_err(|error| {
        let detail = format!(
            "not valid JSON at line {}, column {}",
            error.line(),
            error.column()
        );
        Problem::new(ProblemType::InvalidJson, detail)
    })?;
    match (value, operation.parameters) {
        (Value::Object(object), parameters) => Values::from_json(object, parameters),
        (Value::String(text), [only, ..]) if operation.required == 1 => {
            let mut values = Values::default();
            values.add(only.name, text.into_bytes(), operation.parameters)?;
            Ok(values)
        }
        _ => {
            let detail = "expected an object with the names and values of parameters";
            Err(Problem::new(ProblemType::InvalidJson, detail))
        }
    }
}

/// Runs an operation. If the input is long, the operation runs on a thread for slow work.
async fn run(
    operation: &'static Operation,
    values: Values,
    shared: &Shared,
) -> Result<Response, Problem> {
    let size = values.size();
    let planner = shared.planner.clone();
    let work = move || {
        let mut out = Vec::with_capacity(TYPICAL);
        operation.run(&values, &planner, &mut out).map(|()| out)
    };
    let out = if size <= SHORT {
        work()?
    } else {
        slow(shared, work).await?
    };
    let media_type = if operation.has_many {
        "application/x-ndjson"
    } else {
        "application/json"
    };
    Ok(json(Body::from(body::held(out, shared)?), media_type))
}

/// Runs slow work on another thread, when a processor is free.
pub(crate) async fn slow<T: Send + 'static>(
    shared: &Shared,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let _turn = shared.processors.acquire().await;
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => {
            tracing::error!(%error, "a task failed");
            Err(Problem::new(ProblemType::Internal, "the operation failed"))
        }
    }
}

/// Creates a response with this body.
fn json(body: Body, media_type: &'static str) -> Response {
    let mut response = Response::new(body);
    let media_type = HeaderValue::from_static(media_type);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    response
}

/// Returns the pairs in a form, as text.
pub(crate) fn form_pairs(query: &str) -> Vec<(String, String)> {
    let text = |text| String::from_utf8_lossy(&values::decoded(text)).into_owned();
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs
        .map(|(name, value)| (text(name), text(value)))
        .collect()
}

/// Returns the first value of a name in a form, as text.
pub(crate) fn form_value(query: &str, name: &str) -> Option<String> {
    let mut pairs = form_pairs(query).into_iter();
    Some(pairs.find(|(own, _)| own == name)?.1)
}
