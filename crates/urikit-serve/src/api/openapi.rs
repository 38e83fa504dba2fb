//! The OpenAPI description, which contains the JSON schemas of the command.

use super::method_not_allowed;
use super::operation::{OPERATIONS, Operation};
use super::parameters::{Kind, Parameter};
use crate::problem::{Problem, ProblemType};
use axum::body::Body;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use urikit_report::schema::{COMMON, schema};

/// Returns the description.
pub(super) async fn document(method: Method) -> Result<Response, Problem> {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| description().to_string());
    if !matches!(method, Method::GET | Method::HEAD) {
        return Err(method_not_allowed("GET, HEAD"));
    }
    let mut response = Response::new(Body::from(DOCUMENT.as_str()));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    Ok(response)
}

fn description() -> Value {
    let paths = OPERATIONS.iter().map(|operation| {
        let path = format!("/api/v1/{}", operation.name);
        (path, path_item(operation))
    });
    let mut paths: Map<String, Value> = paths.collect();
    paths.insert("/healthz".to_owned(), health());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "uri serve",
            "summary": "Explains, parses, compares and audits URIs as each standard defines them.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [],
        "paths": paths,
        "components": { "schemas": schemas() },
    })
}

/// Returns the schemas of the command. References to the shared definitions become references
/// within the description.
fn schemas() -> Map<String, Value> {
    let mut schemas = Map::new();
    for operation in &OPERATIONS {
        if let Some(text) = schema(operation.subcommand) {
            let mut value: Value = serde_json::from_str(text).unwrap_or_default();
            localize(&mut value);
            if operation.has_page() {
                make_result_optional(&mut value);
            }
            schemas.insert(operation.subcommand.to_owned(), value);
        }
    }
    let mut common: Value = serde_json::from_str(COMMON).unwrap_or_default();
    localize(&mut common);
    if let Some(Value::Object(definitions)) = common.get_mut("$defs").map(Value::take) {
        let named = definitions.into_iter();
        schemas.extend(named.map(|(name, value)| (format!("common.{name}"), value)));
    }
    schemas.insert("problem".to_owned(), problem_schema());
    schemas
}

/// Changes the schema of an operation whose responses have the key `result` only on request.
fn make_result_optional(schema: &mut Value) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|key| key != "result");
    }
    if let Some(Value::String(about)) = schema.pointer_mut("/properties/result/description") {
        about.push_str(". Only with the parameter `page`");
    }
}

/// Removes identifiers, and converts references.
fn localize(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("$id");
            members.remove("$schema");
            if let Some(Value::String(target)) = members.get_mut("$ref") {
                let name = target.rsplit('/').next().unwrap_or_default();
                *target = format!("#/components/schemas/common.{name}");
            }
            members.values_mut().for_each(localize);
        }
        Value::Array(values) => values.iter_mut().for_each(localize),
        _ => {}
    }
}

fn problem_schema() -> Value {
    let names = ProblemType::ALL.map(|kind| format!("`{}` ({})", kind.name(), kind.status()));
    json!({
        "type": "object",
        "description": "Problem details (RFC 9457)",
        "properties": {
            "type": {
                "type": "string",
                "format": "uri",
                "description": format!("The type. Its fragment is one of {}", names.join(", ")),
            },
            "title": { "type": "string" },
            "status": { "type": "integer" },
            "detail": { "type": "string" },
            "parameter": { "type": "string", "description": "The parameter that is not valid" },
        },
        "required": ["type", "title", "status", "detail"],
    })
}

fn health() -> Value {
    json!({
        "get": {
            "operationId": "health",
            "summary": "Answers while the server accepts requests.",
            "responses": {
                "200": { "description": "`ok`", "content": { "text/plain": {} } },
            },
        },
    })
}

fn path_item(operation: &Operation) -> Value {
    let reference = json!({
        "$ref": format!("#/components/schemas/{}", operation.subcommand),
    });
    let (result, media_type) = if operation.has_many {
        let line = json!({
            "description": "The schema of each line",
            "$ref": format!("#/components/schemas/{}", operation.subcommand),
        });
        (json!({ "schema": line }), "application/x-ndjson")
    } else {
        (json!({ "schema": reference }), "application/json")
    };
    let parameters = operation
        .parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| {
            json!({
                "name": parameter.name,
                "in": "query",
                "description": parameter.about,
                "required": index < operation.required,
                "schema": parameter_schema(parameter),
            })
        });
    let optional = operation.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "in": "query",
            "description": format!("{} A value in the body takes precedence.", parameter.about),
            "schema": parameter_schema(parameter),
        })
    });
    let members = operation.parameters.iter();
    let members: Map<String, Value> = members
        .map(|parameter| {
            let mut schema = parameter_schema(parameter);
            if let Some(members) = schema.as_object_mut() {
                members.insert("description".to_owned(), parameter.about.into());
            }
            (parameter.name.to_owned(), schema)
        })
        .collect();
    let object = json!({
        "type": "object",
        "properties": members,
        "additionalProperties": false,
    });
    let mut body = Map::new();
    let form = json!({ "schema": object.clone() });
    body.insert("application/json".to_owned(), json!({ "schema": object }));
    body.insert("application/x-www-form-urlencoded".to_owned(), form);
    let mut success = Map::new();
    success.insert(media_type.to_owned(), result);
    if operation.name == "extract" {
        body.insert("*/*".to_owned(), json!({}));
    }
    if !operation.has_many {
        let lines = "One object or string per line.";
        body.insert(
            "application/x-ndjson".to_owned(),
            json!({ "schema": { "description": lines } }),
        );
        success.insert(
            "application/x-ndjson".to_owned(),
            json!({ "schema": { "description": "One result or problem per line." } }),
        );
    }
    let responses = json!({
        "200": { "description": "The result", "content": success },
        "default": {
            "description": "A problem",
            "content": {
                "application/problem+json": {
                    "schema": { "$ref": "#/components/schemas/problem" },
                },
            },
        },
    });
    json!({
        "get": {
            "operationId": operation.name,
            "summary": operation.about,
            "parameters": parameters.collect::<Vec<_>>(),
            "responses": responses.clone(),
        },
        "post": {
            "operationId": format!("{}-post", operation.name),
            "summary": operation.about,
            "parameters": optional.collect::<Vec<_>>(),
            "requestBody": { "required": true, "content": body },
            "responses": responses,
        },
    })
}

fn parameter_schema(parameter: &Parameter) -> Value {
    match parameter.kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Word(words) => json!({ "type": "string", "enum": words() }),
        Kind::Names => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Words(words) => {
            json!({ "type": "array", "items": { "type": "string", "enum": words() } })
        }
    }
}
