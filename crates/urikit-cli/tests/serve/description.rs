//! The OpenAPI description: valid, complete, and with the schemas of the command.

use crate::server::Server;
use boon::{Compiler, Draft, Schemas};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use urikit_testkit::servers::python_of;

/// Checks a value against a schema of the description.
fn check(description: &Value, name: &str, value: &Value) {
    let mut compiler = Compiler::new();
    compiler.set_default_draft(Draft::V2020_12);
    let url = "http://uri.invalid/openapi.json";
    compiler.add_resource(url, description.clone()).unwrap();
    let mut schemas = Schemas::new();
    let schema = format!("{url}#/components/schemas/{name}");
    let index = compiler.compile(&schema, &mut schemas).unwrap();
    let outcome = schemas.validate(value, index);
    assert!(outcome.is_ok(), "{name}: {}", outcome.unwrap_err());
}

#[test]
fn results_match_the_description() {
    let server = Server::start(&["--quiet"]);
    let description = server.get("/api/v1/openapi.json").json();
    for (path, item) in description["paths"].as_object().unwrap() {
        let Some(operation) = path.strip_prefix("/api/v1/") else {
            assert_eq!(path, "/healthz");
            continue;
        };
        let mut parameters = Vec::new();
        for parameter in item["get"]["parameters"].as_array().unwrap() {
            if parameter["required"] == true {
                let name = parameter["name"].as_str().unwrap();
                parameters.push((name, &b"http://a.example/b?c"[..]));
            }
        }
        let response = server.ask(operation, &parameters);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        let content = &item["get"]["responses"]["200"]["content"];
        let media_type = response.field("content-type").unwrap();
        let schema = content[media_type]["schema"]["$ref"].as_str().unwrap();
        let name = schema.strip_prefix("#/components/schemas/").unwrap();
        for line in response.text().lines() {
            check(&description, name, &serde_json::from_str(line).unwrap());
        }
        let problem = server.ask(operation, &[("nothing", b"")]);
        check(&description, "problem", &problem.json());
    }
}

#[test]
fn schemas_are_those_of_the_command() {
    let server = Server::start(&["--quiet"]);
    let description = server.get("/api/v1/openapi.json").json();
    for subcommand in ["explain", "parse", "audit", "extract", "schemes", "compare"] {
        let output = Command::new(env!("CARGO_BIN_EXE_uri"))
            .args(["json-schema", subcommand])
            .output()
            .unwrap();
        let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
        let copy = &description["components"]["schemas"][subcommand];
        let mut required = schema["required"].as_array().unwrap().clone();
        if matches!(subcommand, "explain" | "audit") {
            // `result` contains a page of text, which the server adds only on request.
            required.retain(|key| key != "result");
        }
        assert_eq!(copy["required"], Value::Array(required), "{subcommand}");
        for key in ["title", "type"] {
            assert_eq!(copy[key], schema[key], "{subcommand} {key}");
        }
        let keys = |schema: &Value| -> Vec<String> {
            schema["properties"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect()
        };
        assert_eq!(keys(copy), keys(&schema), "{subcommand}");
    }
}

/// `./test --install` installs the validator from PyPI.
#[test]
fn the_description_is_valid() {
    let Some(python) = python_of("openapi-spec-validator", "openapi") else {
        return;
    };
    let server = Server::start(&["--quiet"]);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openapi.json");
    std::fs::write(&file, server.get("/api/v1/openapi.json").body).unwrap();
    let output = Command::new(python)
        .args(["-m", "openapi_spec_validator", "--schema", "3.1"])
        .arg(&file)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
