//! Prints the generated strings, one per line, repeated up to the requested count, as input for
//! the command.
//!
//! ```sh
//! lines urls|relative|queries COUNT
//! ```
//!
//! The module has no dependencies, so `bench/command` can build this program without the other
//! libraries.

#[path = "../generate.rs"]
#[allow(dead_code)] // the other benches use the rest
mod generate;

use std::io::{self, BufWriter, Write as _};

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let texts = match args.next().as_deref() {
        Some("urls") => generate::urls(),
        Some("relative") => generate::relative(),
        Some("queries") => generate::queries(),
        _ => return Err(io::Error::other("expected `urls`, `relative` or `queries`")),
    };
    let count = args.next().and_then(|count| count.parse().ok());
    let count = count.ok_or_else(|| io::Error::other("expected a count"))?;
    let mut out = BufWriter::new(io::stdout().lock());
    for text in texts.iter().cycle().take(count) {
        writeln!(out, "{text}")?;
    }
    out.flush()
}
