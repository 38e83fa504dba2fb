//! Fetches a URL from an untrusted source. The README shows this program.
#![allow(clippy::unwrap_used)] // the example may panic

use urikit::Uri;
use urikit_access::policy::Refusal;
use urikit_access::{Buffer, Client, ErrorKind, NoPrompt, Policy, Request};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The defaults are for untrusted URLs: only public addresses, no files, no programs.
    let client = Client::new(Policy::new().schemes(["http", "https"]).max_bytes(1 << 20));

    // The policy checks the address of each connection: after DNS, and after every redirect.
    let request = Request::new(Uri::parse("http://169.254.169.254/latest/meta-data/")?);
    let mut page = Buffer::default(); // a sink in memory
    let error = client
        .fetch(&request, &mut NoPrompt, &mut page)
        .unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::Refused(Refusal::Address { .. })
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_runs() {
        super::main().unwrap();
    }
}
