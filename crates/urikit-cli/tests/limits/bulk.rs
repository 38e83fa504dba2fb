//! Bulk files need constant memory: an input eight times as long needs no more memory.

use crate::peak::run;
use crate::support::Folder;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

/// The decompressed size of a small file, in bytes.
const LENGTH: usize = 5 << 20;

/// The size of a small file that fills a row group of the Parquet writer.
const FOR_PARQUET: usize = 12 << 20;

/// Writes a compressed file of repeated records with this decompressed size.
fn write(path: &Path, header: &str, record: &str, length: usize) {
    let mut out = GzEncoder::new(File::create(path).unwrap(), Compression::fast());
    let block = record.repeat((64 << 10) / record.len());
    out.write_all(header.as_bytes()).unwrap();
    for _ in 0..length / block.len() {
        out.write_all(block.as_bytes()).unwrap();
    }
    out.finish().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_files() {
    let folder = Folder::new();
    let warc = "WARC/1.0\r\nWARC-Target-URI: http://a.example/b\r\nContent-Length: 600\r\n\r\n";
    let warc = format!("{warc}{}\r\n\r\n", "x".repeat(600));
    for (name, header, record, arguments) in [
        (
            "lines",
            "",
            "http://a.example/b?c\n",
            &["get", "{host}"][..],
        ),
        (
            "csv",
            "id,url\n",
            "1,http://a.example/b?c\n",
            &["get", "{host}", "--column", "url"],
        ),
        (
            "json",
            "",
            "{\"id\":1,\"url\":\"http://a.example/b?c\"}\n",
            &["normalize", "--field", "url"],
        ),
        (
            "csv with a column",
            "id,url\n",
            "1,http://a.example/b?c\n",
            &["get", "--add", "host={host}", "--column", "url"],
        ),
        (
            "json with a key",
            "",
            "{\"id\":1,\"url\":\"http://a.example/b?c\"}\n",
            &["get", "--add", "host={host}", "--field", "url"],
        ),
        ("warc", "", &warc, &["get", "{host}"]),
        #[cfg(feature = "parquet")]
        (
            "parquet",
            "",
            "http://a.example/b?c\n",
            &["parse", "--output-format", "parquet"],
        ),
    ] {
        let length = if name == "parquet" {
            FOR_PARQUET
        } else {
            LENGTH
        };
        let peaks = [1, 8].map(|times| {
            let path = folder.path().join("file.gz");
            write(&path, header, record, times * length);
            let file = path.to_str().unwrap();
            let run = run(&[arguments, &["-f", file]].concat(), None);
            assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{name}");
            run.peak
        });
        println!(
            "{name}: {} MB, and for 8 times as much {} MB",
            peaks[0] >> 20,
            peaks[1] >> 20
        );
        // The Parquet writer holds one row group in memory.
        let most = if name == "parquet" { 320 } else { 48 };
        assert!(peaks[1] < most << 20, "{name}: {peaks:?}");
        assert!(peaks[1] < peaks[0] + (10 << 20), "{name}: {peaks:?}");
    }
}
