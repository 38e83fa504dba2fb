//! Parses the URLs in a file a given number of times, so that instructions can be counted in an
//! emulator. `./target-check instructions` runs this program twice and divides the difference by
//! the number of URLs.
//!
//! ```text
//! urikit-instructions PARSER|LEVEL FILE PASSES
//! ```

use std::hint::black_box;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [parser, file, passes] = args.as_slice() else {
        return ExitCode::FAILURE;
    };
    let (Ok(text), Ok(passes)) = (std::fs::read_to_string(file), passes.parse::<usize>()) else {
        return ExitCode::FAILURE;
    };
    let parse: fn(&str) -> bool = match parser.as_str() {
        "fluent-uri" => |text| black_box(fluent_uri::Uri::parse(text)).is_ok(),
        "oxiri" => |text| black_box(oxiri::Iri::parse(text)).is_ok(),
        level if urikit::limit_scanner(level) => |text| black_box(urikit::Uri::parse(text)).is_ok(),
        _ => return ExitCode::FAILURE,
    };
    let texts: Vec<&str> = text.lines().collect();
    for _ in 0..passes {
        for text in &texts {
            black_box(parse(black_box(text)));
        }
    }
    ExitCode::SUCCESS
}
