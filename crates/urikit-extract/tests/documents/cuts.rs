//! A document has the same references however it is cut into pieces.

use super::{extractor, pieces, rows};
use urikit_extract::document::Format;

#[test]
fn html_cut_at_every_byte() {
    cut("html.toml", Format::Html);
}

#[test]
fn text_cut_at_every_byte() {
    cut("text.toml", Format::Text);
}

#[test]
fn mail_cut_at_every_byte() {
    cut("mail.toml", Format::Mail);
}

fn cut(name: &str, format: Format) {
    let mut count = 0;
    for row in rows::read(name).row {
        let extractor = extractor(row.base.as_deref()).deep(row.deep);
        let document = row.bytes();
        let complete = pieces(&extractor, format, [document.as_slice()]);
        for cut in 0..=document.len() {
            let (first, second) = document.split_at(cut);
            let found = pieces(&extractor, format, [first, second]);
            assert_eq!(found, complete, "{} cut at {cut}", row.origin);
            count += 1;
        }
        let found = pieces(&extractor, format, document.chunks(1));
        assert_eq!(found, complete, "{} byte by byte", row.origin);
    }
    println!("{count} cuts");
}
