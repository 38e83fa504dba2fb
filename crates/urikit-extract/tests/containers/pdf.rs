//! The structure of PDF files (ISO 32000-2): tables, object streams, filters, fonts and damage.

use crate::extracted;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fmt::Write as _;
use std::io::Write as _;

/// The beginning of every test file: a catalog, a tree, and a page with content 4 and font 5.
const BEGIN: [&str; 3] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F 5 0 R >> >> >>",
    "<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>",
];

const FONT: &str = "<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding >>";

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// Returns a stream with these keys.
fn stream(keys: &str, data: &[u8]) -> Vec<u8> {
    let head = format!("<< {keys} /Length {} >>\nstream\r\n", data.len());
    [head.as_bytes(), data, b"\nendstream"].concat()
}

/// Returns the header of a file followed by its objects, and the offset of each object.
fn objects<'o>(numbered: impl IntoIterator<Item = (usize, &'o [u8])>) -> (Vec<u8>, Vec<usize>) {
    let mut file = b"%PDF-1.5\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in numbered {
        offsets.push(file.len());
        writeln!(file, "{number} 0 obj").unwrap();
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    (file, offsets)
}

/// Returns a file with a table.
fn pdf(numbered: &[Vec<u8>]) -> Vec<u8> {
    let (mut file, offsets) = objects((1..).zip(numbered.iter().map(Vec::as_slice)));
    let start = file.len();
    let size = offsets.len() + 1;
    let mut table = format!("xref\n0 {size}\n0000000000 65535 f \n");
    for offset in offsets {
        writeln!(table, "{offset:010} 00000 n ").unwrap();
    }
    write!(
        file,
        "{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    )
    .unwrap();
    file
}

/// Returns a page with this content and font, and more objects, numbered from 6.
fn page(content: Vec<u8>, font: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let begin = BEGIN.map(|object| object.as_bytes().to_vec());
    let page = [content, font.as_bytes().to_vec()];
    pdf(&[&begin[..], &page, more].concat())
}

const TEXT: &[u8] = b"BT /F 12 Tf (http://a.example/) Tj ET";

const FOUND: [&str; 1] = ["x.pdf!/1: 1:1 http://a.example/"];

/// Some programs write white space or a byte order mark before the header.
#[test]
fn bytes_before_the_header() {
    let file = page(stream("", TEXT), FONT, &[]);
    for before in [&b"\n"[..], b"\xEF\xBB\xBF", b"\xEF\xBB\xBF\r\n "] {
        assert_eq!(extracted("x.pdf", &[before, &file].concat()), FOUND);
    }
    assert_eq!(extracted("x.pdf", &[b"x %PDF-", TEXT].concat()).len(), 1);
}

/// A URI should be in US-ASCII. It may be in UTF-8, or a text string.
#[test]
fn uris_of_links() {
    for (uri, expected) in [
        (&b"http://a.example/\xC3\xA9"[..], "\u{E9}"),
        (b"http://a.example/\xE9", "\u{E9}"),
        (
            b"\xFE\xFF\0h\0t\0t\0p\0:\0/\0/\0a\0.\0e\0x\0a\0m\0p\0l\0e\0/\0\xE9",
            "\u{E9}",
        ),
    ] {
        let action = [b"<< /A << /S /URI /URI (", uri, b") >> >>"].concat();
        let begin = BEGIN.map(|object| object.as_bytes().to_vec());
        let page = BEGIN[2].replace("/Contents 4 0 R", "/Annots [4 0 R]");
        let file = pdf(&[&begin[..2], &[page.into_bytes(), action]].concat());
        assert_eq!(
            extracted("x.pdf", &file),
            [format!("x.pdf!/1: - http://a.example/{expected}")]
        );
    }
}

#[test]
fn filters_and_lengths() {
    let deflated = zlib(TEXT);
    let mut hexadecimal = String::new();
    for octet in TEXT {
        write!(hexadecimal, "{octet:02x} ").unwrap();
    }
    hexadecimal.push('>');
    let both = zlib(hexadecimal.as_bytes());
    for (content, more) in [
        (stream("", TEXT), vec![]),
        (stream("/Filter /FlateDecode", &deflated), vec![]),
        (stream("/Filter [/FlateDecode]", &deflated), vec![]),
        (
            stream("/Filter 6 0 R", &deflated),
            vec![b"/FlateDecode".to_vec()],
        ),
        (
            stream("/Filter /ASCIIHexDecode", hexadecimal.as_bytes()),
            vec![],
        ),
        (
            stream("/Filter [/FlateDecode /ASCIIHexDecode]", &both),
            vec![],
        ),
    ] {
        assert_eq!(extracted("x.pdf", &page(content, FONT, &more)), FOUND);
    }
    let text = String::from_utf8(TEXT.to_vec()).unwrap();
    for length in ["6 0 R", "9999", "3", "-1", "4 0 R", "null"] {
        let content = format!("<< /Length {length} >> stream\n{text}\nendstream");
        let length = TEXT.len().to_string().into_bytes();
        let file = page(content.into_bytes(), FONT, &[length]);
        assert_eq!(extracted("x.pdf", &file), FOUND);
    }
    let parts = [b"[6 0 R 7 0 R]".to_vec(), FONT.into()];
    let more = [stream("", &TEXT[..12]), stream("", &TEXT[12..])];
    let begin = BEGIN.map(|object| object.as_bytes().to_vec());
    let file = pdf(&[&begin[..], &parts, &more].concat());
    assert_eq!(extracted("x.pdf", &file), FOUND);
}

/// Strings and names may be written with escapes (7.3.4, 7.3.5).
#[test]
fn notations() {
    for content in [
        "BT /F 12 Tf<687474703a2F2F612e6578616D706C652f> Tj ET",
        "BT /#46 12 Tf[(http)-50(:)20.5(\\057/a.example)<2F>]TJ ET",
        "BT /F 12 Tf (ht\\\ntp:\\57/a.exam\\160le/) Tj % a comment )\nET",
        "BT /F 12 Tf BI /W 1 ID \x00)(EI\x01 EI (http://a.example/) ' ET",
        "BT /F 12 Tf 1 2 (http://a.example/) \" ET",
    ] {
        let found = extracted("x.pdf", &page(stream("", content.as_bytes()), FONT, &[]));
        assert_eq!(found.len(), 1, "{content}: {found:?}");
        assert!(found[0].ends_with(" http://a.example/"), "{found:?}");
    }
}

#[test]
fn fonts() {
    let content = |string: &str| stream("", format!("BT /F 12 Tf {string} Tj ET").as_bytes());
    let map = "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <01> \
        <0068007400740070003A002F002F> endbfchar 2 beginbfrange <61> <7A> <0061> <02> <03> \
        [<002E> <002F>] endbfrange";
    let simple = "<< /Type /Font /Subtype /Type1 /ToUnicode 6 0 R >>";
    let map = [stream("", map.as_bytes())];
    let file = page(content("(\\001a\\002example\\003)"), simple, &map);
    assert_eq!(extracted("x.pdf", &file), FOUND);

    // Codes of simple fonts have one byte, even if the map uses two.
    let two = "1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfchar \
        <0001> <0068007400740070003A002F002F> endbfchar";
    let simple = "<< /Type /Font /Subtype /Type1 /ToUnicode 6 0 R /Encoding /WinAnsiEncoding >>";
    let two = [stream("", two.as_bytes())];
    let file = page(content("(\\001a.example/)"), simple, &two);
    assert_eq!(extracted("x.pdf", &file), FOUND);

    let wide = "1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange \
        <0000> <FFFF> <0020> endbfrange";
    let composite = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R >>";
    let mut codes = String::new();
    for octet in b"http://a.example/" {
        write!(codes, "{:04X}", octet - 0x20).unwrap();
    }
    let file = page(
        content(&format!("<{codes}>")),
        composite,
        &[stream("", wide.as_bytes())],
    );
    assert_eq!(extracted("x.pdf", &file), FOUND);

    let differences = "<< /Type /Font /Subtype /Type1 /Encoding << /Differences \
        [1 /h /t /p /colon /slash /unknown 7 /uni0061] >> >>";
    let file = page(
        content("(\\001\\002\\002\\003\\004\\005\\005\\007\\006.example\\005)"),
        differences,
        &[],
    );
    assert_eq!(extracted("x.pdf", &file), FOUND);

    for unknown in ["/Type0 /Encoding /Identity-H", "/Type1 /Encoding /Unknown"] {
        let unknown = format!("<< /Type /Font /Subtype {unknown} >>");
        let found = extracted("x.pdf", &page(content("<0041>"), &unknown, &[]));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("x.pdf!/1: failed: the text of "),
            "{found:?}"
        );
    }
}

/// A font with a width for each character: 0.5 of its size, and 0.25 for a space.
const WIDE: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /X \
    /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /uni00AD] >> \
    /FirstChar 32 /LastChar 255 /Widths 6 0 R >>";

/// The positions of pieces of text decide whether they belong together.
#[test]
fn pieces() {
    let widths = format!("[250 {}]", "500 ".repeat(223)).into_bytes();
    for (content, expected) in [
        // A piece ends at or near the beginning of the next one.
        ("(http://a.) Tj 45 0 Td (example/) Tj", "http://a.example/"),
        (
            "(http://a.) Tj 45.9 0 Td (example/) Tj",
            "http://a.example/",
        ),
        (
            "1 0 0 1 9 9 Tm (http://a.) Tj ET BT 1 0 0 1 54 9 Tm (example/) Tj",
            "http://a.example/",
        ),
        (
            "[(http://a) -50 (.)] TJ [(exam) 20 (ple/)] TJ",
            "http://a.example/",
        ),
        (
            "2 0 0 2 0 0 Tm (http://a.) Tj 45 0 Td (example/) Tj",
            "http://a.example/",
        ),
        (
            "0 1 -1 0 9 9 Tm (http://a.) Tj 45 0 Td (example/) Tj",
            "http://a.example/",
        ),
        // The spacing and the scaling of characters matter.
        (
            "1 Tc (http://a.) Tj 54 0 Td (example/) Tj",
            "http://a.example/",
        ),
        (
            "200 Tz (http://a.) Tj 90 0 Td (example/) Tj",
            "http://a.example/",
        ),
        ("2 Tw (http://a.) Tj 45 0 Td ( b) Tj", "http://a."),
        // Here, the pieces are separated by gaps, are on different lines, or are superscripts.
        ("(http://a.example/) Tj 92 0 Td (b) Tj", "http://a.example/"),
        ("[(http://a.example/) -250 (b)] TJ", "http://a.example/"),
        (
            "(http://a.example/) Tj 0 -12 Td (b) Tj",
            "http://a.example/",
        ),
        (
            "14 TL (http://a.example/) Tj T* (b) Tj",
            "http://a.example/",
        ),
        ("14 TL (http://a.example/) Tj (b) '", "http://a.example/"),
        (
            "(http://a.example/) Tj 85 3 Td (b) Tj",
            "http://a.example/b",
        ),
        // A hyphen at the end of a line belongs to a URL, but a soft hyphen does not.
        (
            "(http://a.example/b-) Tj 0 -12 Td (c) Tj",
            "http://a.example/b-c",
        ),
        (
            "(http://a.example/b\\001) Tj 0 -12 Td (c) Tj",
            "http://a.example/bc",
        ),
        (
            "(http://a.example/ b-) Tj 0 -12 Td (http://c/) Tj",
            "http://a.example/",
        ),
        (
            "(http://a.example/b-) Tj 0 -99 Td (c) Tj",
            "http://a.example/b-",
        ),
        (
            "q 3 0 0 3 0 0 cm Q (http://a.) Tj 45 0 Td (example/) Tj",
            "http://a.example/",
        ),
    ] {
        let content = stream("", format!("BT /F 10 Tf {content} ET").as_bytes());
        let found = extracted("x.pdf", &page(content, WIDE, std::slice::from_ref(&widths)));
        let first = found.first().and_then(|found| found.rsplit(' ').next());
        assert_eq!(first, Some(expected.trim_end_matches('.')), "{found:?}");
    }
    // A composite font with the widths of some glyphs, and a default width for all others.
    let composite = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R \
        /DescendantFonts [<< /DW 500 /W [1 [9 9] 46 [400 700] 58 58 500] >>] >>";
    let map = "1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange \
        <0020> <00FF> <0020> endbfrange";
    let codes = |text: &str| {
        let mut codes = String::new();
        for octet in text.bytes() {
            write!(codes, "{octet:04X}").unwrap();
        }
        codes
    };
    // The string has two slashes, a dot, and six other characters.
    let content = format!(
        "BT /F 10 Tf <{}> Tj 48 0 Td <{}> Tj ET",
        codes("http://a."),
        codes("example/")
    );
    let file = page(
        stream("", content.as_bytes()),
        composite,
        &[stream("", map.as_bytes())],
    );
    assert_eq!(extracted("x.pdf", &file), FOUND);
}

/// Ligatures become letters, whether they come from the map, the encoding or the glyph names.
#[test]
fn ligatures() {
    let map = "1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <01> <FB03> \
        <02> <00660069> endbfchar 1 beginbfrange <20> <7A> <0020> endbfrange";
    for (font, text) in [
        (
            "/Encoding << /Differences [1 /ffi /fi] >>",
            "o\\001ce-\\002le",
        ),
        (
            "/Encoding << /Differences [1 /f_f_i /fi.alt] >>",
            "o\\001ce-\\002le",
        ),
        ("/Encoding /MacRomanEncoding", "off\\151ce-\\336le"),
        ("/Encoding /StandardEncoding", "off\\151ce-\\256le"),
        ("/ToUnicode 6 0 R", "o\\001ce-\\002le"),
    ] {
        let content = stream("", format!("BT /F 9 Tf (http://{text}/) Tj ET").as_bytes());
        let font = format!("<< /Type /Font /Subtype /Type1 {font} >>");
        let file = page(content, &font, &[stream("", map.as_bytes())]);
        assert_eq!(
            extracted("x.pdf", &file),
            ["x.pdf!/1: 1:1 http://office-file/"],
            "{font}"
        );
    }
}

/// The standard fonts need no widths in the file. In other fonts without widths, the pieces of a
/// line cannot be joined, which is reported.
#[test]
fn fonts_without_widths() {
    let font = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>");
    // The widths of `http://a.`, from the AFM files of the 14 fonts
    for (name, width) in [
        ("Helvetica", 3.336),
        ("Arial,Italic", 3.336),
        ("ABCDEF+Helvetica-BoldOblique", 3.611),
        ("Times-Roman", 3.084),
        ("Courier-Bold", 5.4),
    ] {
        let right = width * 10.0;
        let content = format!("BT /F 10 Tf (http://a.) Tj {right} 0 Td (example/) Tj ET");
        let file = page(stream("", content.as_bytes()), &font(name), &[]);
        assert_eq!(extracted("x.pdf", &file), FOUND, "{name}");
        // A gap of half a character ends the link.
        let right = right + 5.0;
        let content = format!("BT /F 10 Tf (http://a.) Tj {right} 0 Td (example/) Tj ET");
        let file = page(stream("", content.as_bytes()), &font(name), &[]);
        assert_eq!(extracted("x.pdf", &file).len(), 1, "{name}");
        assert_ne!(extracted("x.pdf", &file), FOUND, "{name}");
    }
    let cut =
        "x.pdf!/1: failed: links may be truncated, because a font has no character widths (font X)";
    for (content, message) in [
        ("(http://a.example/) Tj 90 0 Td (b) Tj", Some(cut)),
        ("(http://a.example/) Tj 0 -12 Td (b) Tj", None),
        ("(a) Tj 9 0 Td (http://a.example/) Tj", None),
    ] {
        let content = format!("BT /F 10 Tf {content} ET");
        let file = page(stream("", content.as_bytes()), &font("X"), &[]);
        let expected: Vec<_> = message.into_iter().map(str::to_owned).collect();
        let found = extracted("x.pdf", &file);
        let failed: Vec<_> = found
            .iter()
            .filter(|it| it.contains("failed"))
            .cloned()
            .collect();
        assert_eq!(failed, expected, "{content}");
        assert_eq!(found.len(), 1 + expected.len(), "{content}");
    }
}

/// Glyphs without a known character are counted, and their font is reported.
#[test]
fn unknown_glyphs() {
    let text = stream("", b"BT /F 9 Tf (\x01\x02\x01) Tj ET");
    for (font, message) in [
        (
            "/Subtype /Type1 /BaseFont /ABCDEF+Own /Encoding << /Differences [1 /g1 /g2] >>",
            Some("the text of 3 glyphs is unknown (font ABCDEF+Own)"),
        ),
        (
            "/Subtype /Type1 /BaseFont /ZapfDingbats /Encoding << /Differences [1 /a1 /a2] >>",
            None,
        ),
        (
            "/Subtype /Type1 /BaseFont /X /Encoding << /Differences [1 /arrow /ball] >>",
            None,
        ),
        (
            "/Subtype /Type0 /BaseFont /Wide /Encoding /Identity-H",
            Some("the text of 2 glyphs is unknown (font Wide)"),
        ),
    ] {
        let font = format!("<< /Type /Font {font} >>");
        let found = extracted("x.pdf", &page(text.clone(), &font, &[]));
        let expected = message.map(|it| format!("x.pdf!/1: failed: {it}"));
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{font}");
    }
    let none = stream("", b"BT (ab) Tj ET");
    let found = extracted("x.pdf", &page(none, FONT, &[]));
    assert_eq!(found, ["x.pdf!/1: failed: the text of 2 glyphs is unknown"]);
}

/// Forms are painted where a page refers to them, with their own fonts or those of the page.
#[test]
fn forms() {
    let page_with = |content: &str, forms: &[Vec<u8>]| {
        let page = b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources \
            << /Font << /F 5 0 R >> /XObject << /X 6 0 R /Y 7 0 R >> >> >>";
        let first = [BEGIN[0].into(), BEGIN[1].into(), page.to_vec()];
        let rest = [stream("", content.as_bytes()), FONT.into()];
        extracted("x.pdf", &pdf(&[&first[..], &rest, forms].concat()))
    };
    let form = |keys: &str, text: &str| stream(&format!("/Subtype /Form {keys}"), text.as_bytes());
    let text = "BT /F 9 Tf (http://a.example/) Tj ET";
    let own = "/Resources << /Font << /F 5 0 R /G 5 0 R >> /XObject << /X 6 0 R >> >>";
    let inner = form("/Matrix [1 0 0 1 0 0]", text);
    assert_eq!(page_with("/X Do", std::slice::from_ref(&inner)), FOUND);
    let outer = form(own, "q /X Do Q");
    assert_eq!(page_with("/Y Do /Z Do", &[inner.clone(), outer]), FOUND);
    let font = form(own, &text.replace("/F", "/G"));
    assert_eq!(page_with("/X Do", &[font]), FOUND);
    // Images have no text, and a form does not change the font of the page.
    let image = stream("/Subtype /Image", text.as_bytes());
    assert_eq!(page_with("/X Do", &[image]), [""; 0]);
    let other = form("", "/F 1 Tf");
    let found = page_with(&format!("/F 9 Tf /X Do {text}"), &[other]);
    assert_eq!(found, FOUND);
    let wrong = stream("/Subtype /Form /Filter /Unknown", b"");
    let found = page_with(&format!("/X Do {text}"), &[wrong]);
    assert_eq!(found[0], FOUND[0]);
    assert_eq!(
        found[1],
        "x.pdf!/1: failed: a stream has the unknown filter Unknown"
    );
    let itself = form("", "/X Do");
    assert_eq!(
        page_with("/X Do", &[itself]),
        ["x.pdf!/1: failed: forms are nested too deeply"]
    );
}

/// Predictor 2 is the TIFF predictor, for components of any size (7.4.4.4).
#[test]
fn prediction_of_tiff() {
    for (bits, colors) in [(1, 1), (2, 1), (4, 3), (8, 1), (8, 4), (16, 2)] {
        // The rows have 16 bytes.
        let columns = 128 / bits / colors;
        let mut text = TEXT.to_vec();
        text.resize(text.len().next_multiple_of(16), b' ');
        for row in text.chunks_mut(16) {
            let mut samples: Vec<u32> = (0..128 / bits)
                .map(|at| {
                    (0..bits).fold(0, |sample, bit| {
                        let bit = at * bits + bit;
                        sample << 1 | u32::from(row[bit / 8] >> (7 - bit % 8) & 1)
                    })
                })
                .collect();
            for at in (colors..columns * colors).rev() {
                samples[at] = samples[at].wrapping_sub(samples[at - colors]) & ((1 << bits) - 1);
            }
            row.fill(0);
            for bit in 0..128 {
                let sample = samples[bit / bits] >> (bits - 1 - bit % bits) & 1;
                row[bit / 8] |= u8::try_from(sample << (7 - bit % 8)).unwrap();
            }
        }
        let keys = format!(
            "/Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns {columns} \
             /Colors {colors} /BitsPerComponent {bits} >>"
        );
        let file = page(stream(&keys, &zlib(&text)), FONT, &[]);
        // If each pixel has 12 bits, the last bits of a row are padding.
        if columns * colors * bits == 128 {
            assert_eq!(extracted("x.pdf", &file), FOUND, "{bits} {colors}");
        } else {
            extracted("x.pdf", &file);
        }
    }
    let keys = "/Filter /FlateDecode /DecodeParms << /Predictor 2 /BitsPerComponent 3 >>";
    let found = extracted("x.pdf", &page(stream(keys, &zlib(TEXT)), FONT, &[]));
    assert_eq!(
        found,
        ["x.pdf!/1: failed: a predictor has an invalid number of bits"]
    );
}

/// A table in a stream, with rows encoded with PNG filters, and objects in an object stream.
#[test]
fn object_streams() {
    let mut members = String::new();
    let mut index = String::new();
    for (number, object) in [(1, BEGIN[0]), (2, BEGIN[1]), (3, BEGIN[2]), (5, FONT)] {
        write!(index, "{number} {} ", members.len()).unwrap();
        members += object;
        members.push(' ');
    }
    let keys = format!(
        "/Type /ObjStm /N 4 /First {} /Filter /FlateDecode",
        index.len()
    );
    let within = stream(&keys, &zlib((index + &members).as_bytes()));
    let content = stream("", TEXT);
    let (mut file, offsets) = objects([(4, content.as_slice()), (6, within.as_slice())]);
    let at = |index: usize| u16::try_from(offsets[index]).unwrap().to_be_bytes();
    let rows = [
        [0, 0, 0, 0],
        [2, 0, 6, 0],
        [2, 0, 6, 1],
        [2, 0, 6, 2],
        [1, at(0)[0], at(0)[1], 0],
        [2, 0, 6, 3],
        [1, at(1)[0], at(1)[1], 0],
    ];
    // Each row uses a different PNG filter (ISO/IEC 15948, 9.2): none, sub, up, average, Paeth.
    let mut predicted = Vec::new();
    let mut above = [0_u8; 4];
    for (number, row) in rows.into_iter().enumerate() {
        let kind = u8::try_from(number % 5).unwrap();
        predicted.push(kind);
        for at in 0..4 {
            let left = if at > 0 { row[at - 1] } else { 0 };
            let corner = if at > 0 { above[at - 1] } else { 0 };
            let (a, b, c) = (i32::from(left), i32::from(above[at]), i32::from(corner));
            let nearest = [(a, left), (b, above[at]), (c, corner)];
            let nearest = nearest
                .into_iter()
                .min_by_key(|it| (a + b - c - it.0).abs());
            let prediction = match kind {
                0 => 0,
                1 => left,
                2 => above[at],
                3 => u8::try_from(i32::midpoint(a, b)).unwrap(),
                _ => nearest.unwrap().1,
            };
            predicted.push(row[at].wrapping_sub(prediction));
        }
        above = row;
    }
    let start = file.len();
    let keys = "/Type /XRef /Size 7 /W [1 2 1] /Root 1 0 R /Filter /FlateDecode \
        /DecodeParms << /Predictor 15 /Columns 4 >>";
    file.extend_from_slice(b"9 0 obj\n");
    file.extend_from_slice(&stream(keys, &zlib(&predicted)));
    write!(file, "\nendobj\nstartxref\n{start}\n%%EOF").unwrap();
    assert_eq!(extracted("x.pdf", &file), FOUND);
    // Without its table, the file is searched for objects.
    assert_eq!(extracted("x.pdf", &file[..start]), FOUND);
}

/// The last version of an object applies, both in the table and in a file that is searched.
#[test]
fn updates() {
    let old = page(
        stream("", b"BT /F 1 Tf (http://old.example/) Tj ET"),
        FONT,
        &[],
    );
    let first = String::from_utf8_lossy(&old);
    let first: usize = first.lines().rev().nth(1).unwrap().parse().unwrap();
    let mut file = old.clone();
    let offset = file.len();
    file.extend_from_slice(b"4 0 obj\n");
    file.extend_from_slice(&stream("", TEXT));
    file.extend_from_slice(b"\nendobj\n");
    let start = file.len();
    write!(
        file,
        "xref\n4 1\n{offset:010} 00000 n \ntrailer\n<< /Size 6 /Root 1 0 R /Prev {first} >>\n\
         startxref\n{start}\n%%EOF\n"
    )
    .unwrap();
    assert_eq!(extracted("x.pdf", &file), FOUND);
    let shifted = [b"%PDF-1.5\n%more\n", &file[9..]].concat();
    assert_eq!(extracted("x.pdf", &shifted), FOUND);
    // Without the last table, the file is its earlier version.
    let found = extracted("x.pdf", &file[..start]);
    assert_eq!(found, ["x.pdf!/1: 1:1 http://old.example/"]);
    let without = String::from_utf8(file)
        .unwrap()
        .replace("startxref", "start");
    assert_eq!(extracted("x.pdf", without.as_bytes()), FOUND);
}

/// The data before the damage in a stream is read, and the damage is reported.
#[test]
fn damaged_streams() {
    let long = [TEXT, &b" %".repeat(20_000)].concat();
    let mut data = zlib(&long);
    let last = data.len() - 1;
    data[last] ^= 1;
    let found = extracted(
        "x.pdf",
        &page(stream("/Filter /FlateDecode", &data), FONT, &[]),
    );
    assert_eq!(found[0], FOUND[0]);
    assert!(found[1].starts_with("x.pdf!/1: failed: "), "{found:?}");
    let found = extracted("x.pdf", &page(stream("/Filter /Unknown", TEXT), FONT, &[]));
    assert_eq!(
        found,
        ["x.pdf!/1: failed: a stream has the unknown filter Unknown"]
    );
    let locked = page(stream("", TEXT), FONT, &[]);
    let locked = String::from_utf8(locked).unwrap();
    let locked = locked.replace("/Size", "/Encrypt 7 0 R /Size");
    let found = extracted("x.pdf", locked.as_bytes());
    assert_eq!(
        found,
        ["x.pdf: failed: the PDF is encrypted, but does not say how"]
    );
}
