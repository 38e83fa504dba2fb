//! The canonical request of a presigned S3 URL (AWS Signature Version 4). Escapes every octet that
//! is not unreserved, except slashes in keys, and sorts the pairs of the query.
//!
//! `cargo run --example s3_presign`

use urikit::grammar::ByteSet;
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::percent::encode_with;
use urikit::{UriBuf, UriBuilder, Value};

fn presign(bucket: &str, key: &str, query: &[(&str, &str)]) -> Result<UriBuf, urikit::EditError> {
    let escaped = *UNRESERVED.set();
    let path = encode_with(key, &escaped.or(ByteSet::of(b"/"))).to_string();
    let mut pairs: Vec<_> = query
        .iter()
        .map(|(name, value)| {
            let encoded = |text: &str| encode_with(text, &escaped).to_string();
            (encoded(name), encoded(value))
        })
        .collect();
    // S3 sorts by name, then by value. Sorting `name=value` strings gives another order, because
    // `=` sorts after `-`.
    pairs.sort();
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    UriBuilder::new()
        .scheme("https")
        .host(format!("{bucket}.s3.amazonaws.com"))
        .path(Value::encoded(format!("/{path}")))
        .query(pairs.join("&"))
        .build()
}

fn main() -> Result<(), urikit::EditError> {
    let query = [
        ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
        (
            "X-Amz-Credential",
            "AKIAEXAMPLE/20130524/us-east-1/s3/aws4_request",
        ),
        ("X-Amz-Date", "20130524T000000Z"),
        ("X-Amz-Expires", "86400"),
        ("X-Amz-SignedHeaders", "host"),
    ];
    let url = presign("examplebucket", "photos/2013/ein Bild+1.jpg", &query)?;
    println!(
        "GET\n{}\n{}\nhost:{}",
        url.path(),
        url.query().unwrap_or_default(),
        url.authority().map_or("", |authority| authority.as_str())
    );
    Ok(())
}

#[cfg(test)]
#[test]
fn everything_reserved_is_escaped() {
    let url = presign("b", "a b/c+d~é", &[("y", "1/2"), ("x", "%")]).unwrap();
    assert_eq!(
        url,
        "https://b.s3.amazonaws.com/a%20b/c%2Bd~%C3%A9?x=%25&y=1%2F2"
    );
    let query = [
        ("X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id", "1"),
        ("X-Amz-Server-Side-Encryption", "aws:kms"),
        ("a1", "2"),
        ("a", "2"),
        ("a", "1"),
    ];
    assert_eq!(
        presign("b", "k", &query).unwrap().query().unwrap(),
        "X-Amz-Server-Side-Encryption=aws%3Akms&X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id=1\
         &a=1&a=2&a1=2"
    );
    main().unwrap();
}
