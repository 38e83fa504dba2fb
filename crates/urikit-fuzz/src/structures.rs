//! Builds containers with a correct structure, whose numbers, names and order come from the
//! fuzzer's input. Mutations of valid files would rarely reach the code that uses numbers from a
//! file.

use crate::documents::read_container;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write as _;

/// Makes choices from the octets of the input. After the end of the input, each choice is 0.
struct Choices<'d> {
    rest: &'d [u8],
}

impl Choices<'_> {
    fn octet(&mut self) -> u8 {
        let (first, rest) = self.rest.split_first().unwrap_or((&0, &[]));
        self.rest = rest;
        *first
    }

    fn below(&mut self, count: usize) -> usize {
        usize::from(self.octet()) % count
    }

    fn chance(&mut self) -> bool {
        self.octet() & 1 == 1
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Chooses a number that a file may declare: often a small one, sometimes one at a limit of its
    /// type.
    fn number(&mut self) -> i64 {
        let octet = self.octet();
        match octet {
            0..200 => i64::from(octet % 50),
            200..220 => i64::from(octet) << self.below(24),
            220..240 => -i64::from(octet % 8),
            _ => self.of(&[
                i64::from(i32::MAX),
                i64::from(u32::MAX),
                1 << 32,
                i64::MAX,
                i64::MIN,
                u16::MAX.into(),
                (1 << 33) - 1,
            ]),
        }
    }

    fn octets(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.octet()).collect()
    }
}

/// Dictionary keys that the PDF reader looks up.
const KEYS: [&str; 24] = [
    "A",
    "Annots",
    "Contents",
    "DecodeParms",
    "Differences",
    "Encoding",
    "Encrypt",
    "F1",
    "Filter",
    "First",
    "Font",
    "Index",
    "Kids",
    "Length",
    "N",
    "Pages",
    "Prev",
    "Resources",
    "Root",
    "Size",
    "ToUnicode",
    "URI",
    "W",
    "XRefStm",
];

/// PDF names that are used as values. The reader recognizes most of these names.
const NAMES: [&str; 18] = [
    "ASCII85Decode",
    "ASCIIHexDecode",
    "BrotliDecode",
    "Catalog",
    "F1",
    "FlateDecode",
    "Font",
    "Identity-H",
    "LZWDecode",
    "MacRomanEncoding",
    "ObjStm",
    "Page",
    "Pages",
    "RunLengthDecode",
    "Type0",
    "UniGB-UCS2-H",
    "XRef",
    "uni0041",
];

/// The number of objects in a generated PDF file.
const OBJECTS: usize = 12;

/// Builds and reads a PDF file: its header, objects, cross-reference table and trailer.
pub(crate) fn pdf(data: &[u8]) {
    let mut choices = Choices { rest: data };
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for number in 1..=OBJECTS {
        offsets.push(file.len());
        let number = if choices.below(16) == 15 {
            choices.below(OBJECTS)
        } else {
            number
        };
        file.extend_from_slice(format!("{number} 0 obj ").as_bytes());
        object(&mut choices, number, &mut file);
        let end = choices.of(&["\nendobj\n", "\nendobj\n", "\nendobj\n", "\n"]);
        file.extend_from_slice(end.as_bytes());
    }
    let table = file.len();
    if choices.below(4) == 0 {
        // The cross-reference table is a stream.
        file.extend_from_slice(b"13 0 obj ");
        let mut entries = Vec::new();
        for offset in &offsets {
            let kind = choices.of(&[1, 1, 2, 0]);
            let value = if kind == 1 {
                *offset
            } else {
                choices.below(OBJECTS)
            };
            entries.push(kind);
            entries.extend_from_slice(&u16::try_from(value).unwrap_or(u16::MAX).to_be_bytes());
            entries.push(choices.octet());
        }
        let keys = "/Type /XRef /W [1 2 1] /Index [1 12] /Size 14 /Root 1 0 R ";
        stream(&mut choices, keys, &entries, &mut file);
    } else {
        file.extend_from_slice(b"xref\n0 13\n0000000000 65535 f \n");
        for offset in &offsets {
            let offset = match choices.below(16) {
                0 => offsets[choices.below(OBJECTS)],
                1 => choices.below(256),
                _ => *offset,
            };
            file.extend_from_slice(format!("{offset:010} 00000 n \n").as_bytes());
        }
        file.extend_from_slice(b"trailer << /Size 13 /Root 1 0 R ");
        for _ in 0..choices.below(3) {
            let key = choices.of(&KEYS);
            file.extend_from_slice(format!("/{key} ").as_bytes());
            value(&mut choices, 2, &mut file);
        }
        file.extend_from_slice(b">>\n");
    }
    let start = if choices.below(16) == 15 {
        choices.below(256)
    } else {
        table
    };
    file.extend_from_slice(format!("startxref\n{start}\n%%EOF").as_bytes());
    read_container(&file);
}

/// Writes a PDF object. The first objects are the page tree, and the other objects are of any kind.
fn object(choices: &mut Choices<'_>, number: usize, file: &mut Vec<u8>) {
    let more = |choices: &mut Choices<'_>, file: &mut Vec<u8>, begin: &str| {
        file.extend_from_slice(begin.as_bytes());
        for _ in 0..choices.below(4) {
            let key = choices.of(&KEYS);
            file.extend_from_slice(format!("/{key} ").as_bytes());
            value(choices, 3, file);
        }
        file.extend_from_slice(b">>");
    };
    match number {
        1 => more(choices, file, "<< /Type /Catalog /Pages 2 0 R "),
        2 => more(choices, file, "<< /Type /Pages /Kids [3 0 R 4 0 R 11 0 R] "),
        3 | 4 => more(
            choices,
            file,
            "<< /Type /Page /Contents 5 0 R /Annots 6 0 R \
             /Resources << /Font << /F1 7 0 R >> >> ",
        ),
        5 => {
            let mut content = b"BT /F1 12 Tf ".to_vec();
            for _ in 0..choices.below(40) {
                value(choices, 2, &mut content);
                let operators = [
                    "Tj ", "TJ ", "' ", "\" ", "Tf ", "ET ", "BI ID ", "T* ", "", "",
                ];
                content.extend_from_slice(choices.of(&operators).as_bytes());
            }
            stream(choices, "", &content, file);
        }
        7 => more(
            choices,
            file,
            "<< /Type /Font /Encoding 8 0 R /ToUnicode 9 0 R ",
        ),
        9 => {
            let mut map = Vec::new();
            for _ in 0..choices.below(10) {
                for _ in 0..choices.below(7) {
                    let count = choices.below(5);
                    let code = choices.octets(count);
                    map.push(b'<');
                    for octet in code {
                        write!(map, "{octet:02X}").unwrap();
                    }
                    map.extend_from_slice(b"> ");
                }
                let ends = [
                    "endbfchar ",
                    "endbfrange ",
                    "endcodespacerange ",
                    "[<0041>] ",
                ];
                map.extend_from_slice(choices.of(&ends).as_bytes());
            }
            stream(choices, "", &map, file);
        }
        10 => {
            let mut index = Vec::new();
            let mut members = Vec::new();
            for _ in 0..choices.below(8) {
                let offset = match choices.below(4) {
                    0 => choices.number(),
                    1 => 0,
                    _ => i64::try_from(members.len()).unwrap(),
                };
                write!(index, "{} {offset} ", choices.below(OBJECTS + 2)).unwrap();
                value(choices, 3, &mut members);
            }
            let count = if choices.chance() {
                choices.number()
            } else {
                8
            };
            let first = if choices.below(8) == 0 {
                choices.number()
            } else {
                i64::try_from(index.len()).unwrap()
            };
            let keys = format!("/Type /ObjStm /N {count} /First {first} ");
            stream(choices, &keys, &[index, members].concat(), file);
        }
        _ => value(choices, 4, file),
    }
}

/// Writes a stream, which may be compressed or have a wrong length.
fn stream(choices: &mut Choices<'_>, keys: &str, data: &[u8], file: &mut Vec<u8>) {
    let mut data = data.to_vec();
    let filter = choices.below(8);
    if filter < 2 {
        let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
        out.write_all(&data).unwrap();
        data = out.finish().unwrap();
    }
    let filter = match filter {
        0 => "/Filter /FlateDecode ".to_owned(),
        1 => format!(
            "/Filter [/FlateDecode] /DecodeParms << /Predictor {} /Columns {} /Colors {} >> ",
            choices.number(),
            choices.number(),
            choices.number()
        ),
        2 => format!("/Filter /{} ", choices.of(&NAMES)),
        3 => format!("/Filter [/{} /{}] ", choices.of(&NAMES), choices.of(&NAMES)),
        _ => String::new(),
    };
    let length = match choices.below(8) {
        0 => choices.number().to_string(),
        1 => format!("{} 0 R", choices.below(OBJECTS)),
        _ => data.len().to_string(),
    };
    file.extend_from_slice(format!("<< {keys}{filter}/Length {length} >> stream\n").as_bytes());
    file.extend_from_slice(&data);
    file.extend_from_slice(b"\nendstream");
}

/// Writes a PDF value.
fn value(choices: &mut Choices<'_>, depth: usize, file: &mut Vec<u8>) {
    let kinds = if depth == 0 { 6 } else { 8 };
    let text = match choices.below(kinds) {
        0 => choices.number().to_string(),
        1 => format!("{} 0 R", choices.below(OBJECTS + 2)),
        2 => format!("/{}", choices.of(&NAMES)),
        3 => {
            let text = [
                "(http://a.example/)",
                "(a\\)\\012(b))",
                "<0041",
                "<41 4>",
                "(http:",
                "()",
            ];
            choices.of(&text).to_owned()
        }
        4 => choices
            .of(&["null", "true", "-0.5", "-200", "1e9", "."])
            .to_owned(),
        5 => {
            let count = choices.below(9);
            file.push(b'(');
            let string = choices.octets(count);
            file.extend_from_slice(&string);
            ")".to_owned()
        }
        kind => {
            let count = choices.below(6);
            file.extend_from_slice(if kind == 6 { b"[" } else { b"<<" });
            for _ in 0..count {
                if kind == 7 {
                    let key = choices.of(&KEYS);
                    file.extend_from_slice(format!("/{key} ").as_bytes());
                }
                value(choices, depth - 1, file);
            }
            if kind == 6 { "]" } else { ">>" }.to_owned()
        }
    };
    file.extend_from_slice(text.as_bytes());
    file.push(b' ');
}

/// The names of archive entries.
const FILES: [&str; 8] = [
    "a.html",
    "b.txt",
    "c.zip",
    "d/",
    "../e.html",
    "f.gz",
    "word/document.xml",
    "",
];

/// Returns the content of an archive entry.
fn content(choices: &mut Choices<'_>) -> Vec<u8> {
    let html = b"<base href='http://a.example/'><a href='b'>";
    match choices.below(6) {
        0 => html.to_vec(),
        1 => b"http://a.example/".to_vec(),
        2 => {
            let count = choices.below(64);
            choices.octets(count)
        }
        3 => html.repeat(choices.below(64)),
        4 => Vec::new(),
        _ => b"PK\x05\x06".to_vec(),
    }
}

/// Returns the low `N` octets of a number, as a file stores it in a field of `N` octets.
fn little_endian<const N: usize>(number: i64) -> [u8; N] {
    let octets = number.to_le_bytes();
    core::array::from_fn(|at| octets[at])
}

/// Builds and reads a zip archive (PKWARE's APPNOTE, 4.3): local headers, the central directory,
/// and its end record.
pub(crate) fn zip(data: &[u8]) {
    let mut choices = Choices { rest: data };
    let choices = &mut choices;
    let mut file = Vec::new();
    let mut directory = Vec::new();
    let count = 1 + choices.below(6);
    for _ in 0..count {
        let name = choices.of(&FILES);
        let content = content(choices);
        let mut checksum = flate2::Crc::new();
        checksum.update(&content);
        let mut method = [0, 0];
        let mut packed = content.clone();
        if choices.chance() {
            let mut out = flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast());
            out.write_all(&content).unwrap();
            packed = out.finish().unwrap();
            method = [8, 0];
        }
        if choices.below(16) == 15 {
            method = [choices.octet(), 0];
        }
        let mut size = |right: usize| match choices.below(16) {
            15 => choices.number(),
            _ => i64::try_from(right).unwrap(),
        };
        let sizes = [
            little_endian::<4>(size(packed.len())),
            little_endian::<4>(size(content.len())),
        ]
        .concat();
        let offset = size(file.len());
        let name_length = little_endian::<2>(size(name.len()));
        let flags = [choices.of(&[0, 0, 0, 8, 1]), choices.of(&[0, 0, 8])];
        let mut sum = checksum.sum();
        if choices.below(16) == 15 {
            sum ^= 1;
        }
        let extra = match choices.below(8) {
            // The sizes in zip64 format (4.5.3).
            7 => [&[1, 0, 16, 0][..], &choices.number().to_le_bytes(), &[0; 8]].concat(),
            6 => {
                let count = choices.below(12);
                choices.octets(count)
            }
            _ => Vec::new(),
        };
        let common = [
            &[20, 0][..],
            &flags,
            &method,
            &[0, 0, 0x21, 0],
            &sum.to_le_bytes(),
            &sizes,
            &name_length,
            &little_endian::<2>(i64::try_from(extra.len()).unwrap()),
        ]
        .concat();
        file.extend_from_slice(&[b"PK\x03\x04", &common[..], name.as_bytes(), &extra].concat());
        file.extend_from_slice(&packed);
        directory.extend_from_slice(
            &[
                &b"PK\x01\x02\x14\x00"[..],
                &common,
                &[0; 10],
                &little_endian::<4>(offset),
                name.as_bytes(),
                &extra,
            ]
            .concat(),
        );
    }
    let mut field = |right: usize| match choices.below(16) {
        15 => choices.number(),
        _ => i64::try_from(right).unwrap(),
    };
    let counts = little_endian::<2>(field(count));
    let size = little_endian::<4>(field(directory.len()));
    let offset = little_endian::<4>(field(file.len()));
    file.extend_from_slice(&directory);
    file.extend_from_slice(
        &[
            &b"PK\x05\x06\0\0\0\0"[..],
            &counts,
            &counts,
            &size,
            &offset,
            &[0, 0],
        ]
        .concat(),
    );
    read_container(&file);
}

/// Builds and reads a tape archive (POSIX.1-2017, pax): headers with chosen types and sizes, and
/// their data.
pub(crate) fn tar(data: &[u8]) {
    let mut choices = Choices { rest: data };
    let choices = &mut choices;
    let mut file = Vec::new();
    for _ in 0..=choices.below(6) {
        let kind = choices.of(b"000000LKxgS157\0");
        let content = match kind {
            b'L' | b'K' => [choices.of(&FILES).as_bytes(), b"\0"].concat(),
            b'x' | b'g' => {
                let record = format!(" path={}\n", choices.of(&FILES));
                let length = match choices.below(4) {
                    0 => choices.number(),
                    _ => i64::try_from(record.len() + 2).unwrap(),
                };
                let size = format!("{} size={}\n", 8 + choices.below(4), choices.number());
                format!("{length}{record}{size}").into_bytes()
            }
            _ => content(choices),
        };
        let mut header = [0; 512];
        let name = choices.of(&FILES).as_bytes();
        header[..name.len()].copy_from_slice(name);
        header[100..108].copy_from_slice(b"0000644\0");
        let size = match choices.below(8) {
            0 => u64::try_from(choices.number()).unwrap_or(u64::MAX),
            _ => u64::try_from(content.len()).unwrap(),
        };
        if size < 1 << 33 {
            header[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
        } else {
            // GNU's format for large numbers.
            header[124] = 0x80;
            header[128..136].copy_from_slice(&size.to_be_bytes());
        }
        header[156] = kind;
        header[257..265].copy_from_slice(choices.of(&[b"ustar\x0000", b"ustar  \0"]));
        if kind == b'S' {
            // The map of a sparse file: the offset and length of each part, and the real size.
            for at in [386, 398, 410, 422, 483] {
                let number = choices.number().unsigned_abs() & 0o77_777_777_777;
                header[at..at + 12].copy_from_slice(format!("{number:011o}\0").as_bytes());
            }
            header[482] = u8::from(choices.below(4) == 0);
        }
        header[148..156].copy_from_slice(b"        ");
        let sum: u32 = header.iter().map(|octet| u32::from(*octet)).sum();
        let sum = if choices.below(16) == 15 {
            sum + 1
        } else {
            sum
        };
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        file.extend_from_slice(&header);
        file.extend_from_slice(&content);
        file.resize(file.len().next_multiple_of(512), 0);
    }
    if choices.chance() {
        file.extend_from_slice(&[0; 1024]);
    }
    read_container(&file);
}
