//! Uses serde to read a configuration that contains references. A field of type `UriBuf` rejects
//! text without a scheme.
//!
//! `cargo run --example config --features serde`

use serde::{Deserialize, Serialize};
use urikit::{UriBuf, UriRefBuf};

#[derive(Debug, Deserialize, Serialize)]
struct Config {
    upstream: UriBuf,
    health: UriRefBuf,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = r#"{"upstream":"http://10.0.0.7:8080/api/","health":"health?full"}"#;
    let config: Config = serde_json::from_str(text)?;
    println!("{}", config.health.resolve_against(&config.upstream)?);
    println!("{}", serde_json::to_string(&config)?);

    let without_scheme = r#"{"upstream":"example.com/a","health":""}"#;
    if let Err(error) = serde_json::from_str::<Config>(without_scheme) {
        println!("{error}");
    }
    Ok(())
}

#[cfg(test)]
#[test]
fn a_base_without_a_scheme_is_rejected() {
    let read = |text| serde_json::from_str::<Config>(text);
    assert!(read(r#"{"upstream":"/a","health":"b"}"#).is_err());
    let config = read(r#"{"upstream":"http://h/a","health":"b"}"#).unwrap();
    assert_eq!(
        config.health.resolve_against(&config.upstream).unwrap(),
        "http://h/b"
    );
    main().unwrap();
}
