//! Builds the containers of the tests.

use std::io::{Cursor, Write as _};

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut out = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub(crate) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        out.append_data(&mut header, name, *bytes).unwrap();
    }
    out.into_inner().unwrap()
}

pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        out.start_file(*name, options).unwrap();
        out.write_all(bytes).unwrap();
    }
    out.finish().unwrap().into_inner()
}

/// Returns a document with a link and text on each page.
pub(crate) fn pdf(pages: &[(&str, &str)]) -> Vec<u8> {
    use lopdf::content::{Content, Operation};
    use lopdf::{Dictionary, Document, Object, Stream, StringFormat};
    let mut document = Document::with_version("1.5");
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    font.set("Subtype", Object::Name(b"Type1".to_vec()));
    font.set("BaseFont", Object::Name(b"Courier".to_vec()));
    font.set("Encoding", Object::Name(b"WinAnsiEncoding".to_vec()));
    let font = document.add_object(font);
    let mut fonts = Dictionary::new();
    fonts.set("F1", font);
    let mut resources = Dictionary::new();
    resources.set("Font", fonts);
    let resources = document.add_object(resources);
    let tree = document.new_object_id();
    let string = |text: &str| Object::String(text.as_bytes().to_vec(), StringFormat::Literal);
    let mut kids = Vec::new();
    for (uri, text) in pages {
        let operations = vec![
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec![Object::Name(b"F1".to_vec()), 12.into()]),
            Operation::new("Tj", vec![string(text)]),
            Operation::new("ET", vec![]),
        ];
        let content = Content { operations }.encode().unwrap();
        let mut content = Stream::new(Dictionary::new(), content);
        content.compress().unwrap();
        let content = document.add_object(content);
        let mut action = Dictionary::new();
        action.set("S", Object::Name(b"URI".to_vec()));
        action.set("URI", string(uri));
        let mut link = Dictionary::new();
        link.set("Subtype", Object::Name(b"Link".to_vec()));
        link.set("A", action);
        let link = document.add_object(link);
        let mut page = Dictionary::new();
        page.set("Type", Object::Name(b"Page".to_vec()));
        page.set("Parent", tree);
        page.set("Contents", content);
        page.set("Resources", resources);
        page.set("Annots", vec![link.into()]);
        kids.push(Object::from(document.add_object(page)));
    }
    let mut pages = Dictionary::new();
    pages.set("Type", Object::Name(b"Pages".to_vec()));
    pages.set("Count", i64::try_from(kids.len()).unwrap());
    pages.set("Kids", kids);
    document.objects.insert(tree, Object::Dictionary(pages));
    let mut catalog = Dictionary::new();
    catalog.set("Type", Object::Name(b"Catalog".to_vec()));
    catalog.set("Pages", tree);
    let catalog = document.add_object(catalog);
    document.trailer.set("Root", catalog);
    let mut out = Vec::new();
    document.save_to(&mut out).unwrap();
    out
}

pub(crate) fn warc(records: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (kind, url, content) in records {
        let length = content.len();
        write!(
            out,
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype={kind}\r\nContent-Length: {length}\r\n\r\n"
        )
        .unwrap();
        out.extend_from_slice(content);
        out.extend_from_slice(b"\r\n\r\n");
    }
    out
}

/// Returns an archive with a description, and records with these URLs, media types and contents.
pub(crate) fn arc(version: u8, records: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let extra = if version == 2 { "200 - - 0 x.arc " } else { "" };
    let about = format!("{version} 0 InternetArchive\nURL IP-address Archive-date\n\n");
    let about = [("filedesc://x.arc", "text/plain", about.as_bytes())];
    let mut out = Vec::new();
    for (url, kind, content) in about.iter().chain(records) {
        let length = content.len();
        writeln!(out, "{url} 127.0.0.1 19961104142103 {kind} {extra}{length}").unwrap();
        out.extend_from_slice(content);
        out.push(b'\n');
    }
    out
}
