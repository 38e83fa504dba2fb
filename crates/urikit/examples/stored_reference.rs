//! Stores a reference in a struct and returns its components.
//!
//! `cargo run --example stored_reference`

use urikit::UriRefBuf;

struct Link {
    text: String,
    target: UriRefBuf,
}

impl Link {
    fn describe(&self) -> String {
        let target = &self.target;
        format!(
            "{}: scheme {:?}, host {:?}, port {:?}, {} segments, query {:?}, fragment {:?}",
            self.text,
            target.scheme().unwrap_or("none"),
            target.host().map(|host| host.as_str()),
            target.port_or_default(),
            target.segments().count(),
            target.query().map(|query| query.as_str()),
            target.fragment().map(|fragment| fragment.as_str()),
        )
    }
}

fn main() -> Result<(), urikit::ParseError> {
    let links = [
        ("RFC 2396", "http://www.ietf.org/rfc/rfc2396.txt#section-3"),
        ("up", "../g?y"),
    ];
    for (text, target) in links {
        let link = Link {
            text: text.to_owned(),
            target: target.parse()?,
        };
        println!("{}", link.describe());
    }
    Ok(())
}

#[cfg(test)]
#[test]
fn describes_absolute_and_relative_references() {
    let link = |target: &str| Link {
        text: "x".to_owned(),
        target: target.parse().unwrap(),
    };
    assert_eq!(
        link("http://h/a/b?#").describe(),
        r#"x: scheme "http", host Some("h"), port Some(80), 2 segments, query Some(""), fragment Some("")"#
    );
    assert!(
        link("../g")
            .describe()
            .contains("host None, port None, 2 segments, query None")
    );
    main().unwrap();
}
