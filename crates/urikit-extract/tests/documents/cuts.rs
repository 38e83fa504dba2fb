//! Wherever a document is cut, what is found is the same.

use super::{extractor, pieces, rows};
use urikit_extract::document::Format;

#[test]
fn html_is_cut_at_every_byte() {
    let mut count = 0;
    for row in rows::read("html.toml").row {
        let extractor = extractor(row.base.as_deref());
        let document = row.document.as_bytes();
        let whole = pieces(&extractor, Format::Html, [document]);
        for cut in 0..=document.len() {
            let (first, second) = document.split_at(cut);
            let found = pieces(&extractor, Format::Html, [first, second]);
            assert_eq!(found, whole, "{} cut at {cut}", row.origin);
            count += 1;
        }
        let found = pieces(&extractor, Format::Html, document.chunks(1));
        assert_eq!(found, whole, "{} byte by byte", row.origin);
    }
    println!("{count} cuts");
}
