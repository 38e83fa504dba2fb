//! Resolving takes four times as many instructions for four times the length.

use urikit::Standard;
use urikit::op::{Options, RelativeOptions};
use urikit_testkit::instructions::{assert_linear_in_instructions, size_of_work};

/// Resolves what makes a careless algorithm look again and again.
fn work(standard: Standard, size: usize) {
    let base = standard.parse("http://a/b").unwrap();
    let up = "../".repeat(size);
    let texts = [
        up.clone(),
        format!("{}{up}", "a/".repeat(size)),
        format!("a{}", "/.".repeat(size)),
        format!("a{}", "/..".repeat(size)),
        format!("a{}", "//".repeat(size)),
    ];
    for text in &texts {
        let reference = standard.parse(text).unwrap();
        let mut target = String::new();
        let _ = std::hint::black_box(reference.resolve_into(base, Options::default(), &mut target));
        let mut relative = String::new();
        if let Ok(target) = standard.parse(&target) {
            let _ = std::hint::black_box(target.relative_to_into(
                base,
                RelativeOptions::default(),
                &mut relative,
            ));
        }
    }
    // What RFC 1630 counts, and a long way down from it, and up again.
    let runs = runs_of_slashes(8 * size);
    let down = format!("{runs}{}", "b/".repeat(size));
    for (base, target) in [(&runs, &down), (&down, &runs)] {
        if let (Ok(base), Ok(target)) = (standard.parse(base), standard.parse(target)) {
            let mut relative = String::new();
            let _ = std::hint::black_box(target.relative_to_into(
                base,
                RelativeOptions::default(),
                &mut relative,
            ));
        }
    }
}

/// A path with as many runs of slashes of different lengths as that many bytes have room for.
fn runs_of_slashes(size: usize) -> String {
    let mut text = String::from("x:");
    for length in 1.. {
        if text.len() + length > size {
            break;
        }
        text += &"/".repeat(length);
        text.push('a');
    }
    text
}

/// One test for each standard, so that a square in any of them shows.
macro_rules! linear {
    ($($name:ident = $standard:ident,)*) => {$(
        #[test]
        fn $name() {
            if let Some(size) = size_of_work() {
                return work(Standard::$standard, size);
            }
            let name = concat!("steps::", stringify!($name));
            match assert_linear_in_instructions(name, 2_000) {
                Some(ratio) => println!("{name}: {ratio:.3} times the instructions for 4 n"),
                None => println!("SKIPPED {name}: valgrind is not installed"),
            }
        }
    )*};
}

linear! {
    rfc1630 = Rfc1630,
    rfc1808 = Rfc1808,
    rfc2396 = Rfc2396,
    rfc2732 = Rfc2732,
    rfc3986 = Rfc3986,
    rfc3987 = Rfc3987,
}
