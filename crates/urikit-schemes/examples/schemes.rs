//! Reads URLs according to the specifications of their schemes, and builds URLs.
//!
//! `cargo run -p urikit-schemes --example schemes`

use urikit::Uri;
use urikit_schemes::{Data, Ftp, Gopher, Mailto, find, warnings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Each scheme has its own type.
    let url = Uri::parse("mailto:jo@example.com,al@example.org?subject=Hello%20there")?;
    let mailto = Mailto::read(url)?;
    for address in mailto.addresses() {
        println!("to {} at {}", address.local_part(), address.domain());
    }
    println!(
        "subject: {}",
        mailto
            .header("subject")
            .ok_or("no subject")?
            .decode_utf8()?
    );

    let url = Uri::parse("data:text/plain,A%20brief%20note")?;
    let octets: Vec<u8> = Data::read(url)?.octets()?.collect();
    println!("{}", String::from_utf8(octets)?);

    // Parsing the URL that a builder returns yields the same parts.
    let url = Ftp::builder("host.dom").cwd("/etc").file("motd").build()?;
    println!("{url} retrieves {}", Ftp::read(&url)?.name());
    let url = Uri::parse("gopher://host.dom/7index%09foo%20bar")?;
    println!(
        "searches for {}",
        Gopher::read(url)?
            .search()
            .ok_or("no search")?
            .decode_utf8()?
    );

    // Read a URL of any scheme, selected by name.
    for name in ["http", "nntp", "urn"] {
        let facts = find(name).ok_or("an unknown scheme")?.facts();
        println!("{name}: {}, port {:?}", facts.title, facts.port);
    }

    // This URL is valid, but dangerous to follow (RFC 1738, 6).
    for warning in warnings(Uri::parse("gopher://host.dom:25/1HELO%20a%0D%0A")?) {
        println!("{warning}");
    }
    Ok(())
}
