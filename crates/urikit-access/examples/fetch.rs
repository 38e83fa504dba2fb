//! Prints the plan for a URL, and then fetches the URL under a policy.
//!
//! `cargo run -p urikit-access --example fetch -- gopher://gopher.floodgap.com/`

use std::time::Duration;
use urikit::Uri;
use urikit_access::{Buffer, Client, NoPrompt, Policy, Request};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1);
    let text = text
        .as_deref()
        .unwrap_or("data:text/plain;charset=utf-8,A%20brief%20note");
    let request = Request::new(Uri::parse(text)?);

    // The user typed the URL, so `data` is allowed. Private addresses are refused.
    let policy = Policy::permissive()
        .schemes(["http", "https", "ftp", "gopher", "data"])
        .max_bytes(1 << 20)
        .max_redirects(3)
        .total_timeout(Duration::from_secs(20));
    let client = Client::new(policy);

    // Making a plan does not open a connection.
    print!("{}", client.plan(&request)?);

    // `NoPrompt` declines every question, and the buffer is an in-memory sink.
    let mut buffer = Buffer::default();
    let response = client.fetch(&request, &mut NoPrompt, &mut buffer)?;
    println!("{}: {:?}", response.final_uri, response.metadata.media_type);
    for entry in &buffer.entries {
        println!("{entry:?}"); // a directory or a menu
    }
    println!("{}", String::from_utf8_lossy(&buffer.bytes));

    // The client checks the policy before it connects.
    let local = Request::new(Uri::parse("http://127.0.0.1/admin")?);
    match client.fetch(&local, &mut NoPrompt, &mut Buffer::default()) {
        Ok(_) => println!("connected"),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
