//! Checks that the work, counted in instructions, grows linearly with the length of any input, even
//! in pieces of one octet. All inputs are measured together: at this size, a single input that
//! takes quadratic time would outweigh all others.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::hint::black_box;
use urikit_mime::transfer::{Decoder, Encoding};
use urikit_mime::{ContentType, base64, boundary, header};
use urikit_testkit::instructions::{assert_linear_in_instructions, size_of_work};

/// The text to repeat after a media type.
const PARAMETERS: [&str; 12] = [
    "; a*1=b", "; a*0=b", ";", "; a", "=", "(", "()", "\\", "\"", "; a=\"\\", "\n a=b", "; a*=%41",
];

/// The text to repeat in a header, a multipart or a body.
const OTHER: [&str; 14] = [
    "a: b\n", "a:", "\n a", "\n", " ", "=", "= ", "=\r", "= \n", "a \n", "QUJD\n", "Q", "--b",
    "--b\n",
];

#[test]
fn work() {
    let Some(size) = size_of_work() else {
        match assert_linear_in_instructions("work", 1 << 14) {
            Some(ratio) => println!("hostile mail: {ratio:.3} times the instructions for 4 n"),
            None => println!(
                "SKIPPED hostile mail: valgrind is not installed; \
                 ./test --install installs it"
            ),
        }
        return;
    };
    for part in PARAMETERS {
        let value = ["a/b", &*part.repeat(size / part.len())].concat();
        let content = ContentType::parse(value.as_bytes()).unwrap();
        black_box((content.parameter("a"), content.boundary()));
    }
    for part in OTHER {
        let text = part.repeat(size / part.len()).into_bytes();
        let (head, body) = header::split(&text);
        black_box((
            header::fields(&text).count(),
            header::fields(head).count(),
            body,
        ));
        black_box(boundary::parts(&text, b"b").count());
        black_box(base64::decode(text.iter().copied()).count());
        for encoding in [Encoding::QuotedPrintable, Encoding::Base64] {
            for length in [1, size.max(1)] {
                let mut decoder = Decoder::new(encoding);
                let mut count = 0;
                for piece in text.chunks(length) {
                    decoder.push(piece, |run| count += run.octets().len());
                }
                decoder.finish(|run| count += run.octets().len());
                black_box(count);
            }
        }
    }
}
