//! Limits, and files that are cut or changed.

use crate::build::{arc, bzip2, gzip, pdf, tar, warc, xz, zip, zstd};
use crate::{PAGE, extracted, extracted_within};
use urikit_extract::container::{Container, Limits};
use urikit_testkit::Random;

#[test]
fn limits() {
    let mut deep = gzip(b"http://a.example/");
    for _ in 0..20 {
        deep = gzip(&deep);
    }
    let found = extracted("x.gz", &deep);
    assert_eq!(
        found,
        ["x.gz: failed: containers are nested more than 8 levels deep"]
    );

    let zeros = vec![b' '; 70 << 20];
    for (name, bomb) in [
        ("x.gz", gzip(&zeros)),
        ("x.zst", zstd(&zeros)),
        ("x.xz", xz(&zeros)),
        ("x.bz2", bzip2(&zeros)),
        ("x.zip", zip(&[("a.txt", &zeros)])),
    ] {
        assert!(bomb.len() < 1 << 20);
        let low = Limits::default().max_ratio(1);
        let found = extracted_within(name, &bomb, low, false);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].ends_with("more than 1 times its size"),
            "{found:?}"
        );
        let low = Limits::default().max_unpacked(1 << 20);
        let found = extracted_within(name, &bomb, low, true);
        assert!(found[0].ends_with("more than 1048576 bytes"), "{found:?}");
    }

    let files = [
        ("a", &b"http://a.example/"[..]),
        ("b", b"http://b.example/"),
        ("c", b"x"),
    ];
    let low = Limits::default().max_entries(2);
    for file in [tar(&files), zip(&files)] {
        let found = extracted_within("x", &file, low, false);
        assert_eq!(
            found,
            [
                "x!/a: 1:1 http://a.example/",
                "x!/b: 1:1 http://b.example/",
                "x!/c: failed: has more than 2 entries",
            ]
        );
    }
}

/// Pages that share a list of links report each link again.
#[test]
fn links_that_pages_of_pdf_share() {
    let mut document = lopdf::Document::load_mem(&pdf(&[("http://a.example/", "x"); 100])).unwrap();
    let pages: Vec<_> = document.get_pages().into_values().collect();
    let page = document.get_dictionary(pages[0]).unwrap();
    let link = page.get(b"Annots").unwrap().as_array().unwrap()[0].clone();
    let shared = document.add_object(vec![link; 1000]);
    for page in pages {
        let page = document.get_object_mut(page).unwrap();
        page.as_dict_mut().unwrap().set("Annots", shared);
    }
    let mut file = Vec::new();
    document.save_to(&mut file).unwrap();
    let low = Limits::default().max_unpacked(1 << 20);
    let found = extracted_within("x.pdf", &file, low, false);
    let (last, links) = found.split_last().unwrap();
    assert!(
        last.ends_with("failed: unpacks to more than 1048576 bytes"),
        "{last}"
    );
    assert!((10_000..17_000).contains(&links.len()), "{}", links.len());
    assert_eq!(extracted("x.pdf", &file).len(), 100_000);
}

/// References before the damage are reported, even if there are only a few.
#[test]
fn what_precedes_damage() {
    let link = b"http://a.example/ and more that is not needed for anything";
    let mut changed = gzip(link);
    let at = changed.len() - 6;
    changed[at] ^= 1;
    let gzip = gzip(link);
    let zstd = zstd(link);
    let inner = tar(&[("b.txt.gz", &changed)]);
    for (name, file, path, message) in [
        (
            "a.txt.gz",
            &gzip[..gzip.len() - 4],
            "a.txt.gz!/a.txt",
            "end of file",
        ),
        ("a.txt.gz", &changed, "a.txt.gz!/a.txt", "checksum"),
        ("a.tar", &inner, "a.tar!/b.txt.gz!/b.txt", "checksum"),
        ("a.txt.zst", &zstd[..zstd.len() - 1], "a.txt.zst!/a.txt", ""),
    ] {
        let found = extracted(name, file);
        let (last, found) = found.split_last().unwrap();
        assert!(last.starts_with(&format!("{path}: failed: ")), "{last}");
        assert!(last.contains(message), "{last}");
        if !name.ends_with("zst") {
            assert_eq!(found, [format!("{path}: 1:1 http://a.example/")]);
        }
    }
}

/// Reading never panics, whichever byte is changed, and truncated files are reported.
#[test]
fn damaged_files() {
    let files = [
        ("a.html", PAGE),
        ("b.xml", b"<?xml version='1.0'?><a href='b'/>"),
    ];
    let seeds = [
        ("x.gz", gzip(PAGE)),
        ("x.zst", zstd(PAGE)),
        ("x.xz", xz(PAGE)),
        ("x.bz2", bzip2(PAGE)),
        ("x.arc", arc(1, &[("http://a.example/", "text/html", PAGE)])),
        ("x.tar", tar(&files)),
        ("x.zip", zip(&files)),
        ("x.pdf", pdf(&[("http://a.example/", "x")])),
        (
            "x.warc",
            warc(&[
                ("resource", "http://a.example/", PAGE),
                ("response", "b", b"HTTP/1.1 200\r\n\r\nx"),
            ]),
        ),
    ];
    let mut random = Random::new(7);
    for (name, seed) in &seeds {
        for length in 0..seed.len() {
            let cut = &seed[..length];
            if Container::guess(name, cut).is_some() {
                let found = extracted_within(name, cut, Limits::default(), true);
                let is_reported = found.iter().any(|line| line.contains("failed"));
                // A tar archive needs no end marker.
                assert!(
                    is_reported || ["x.tar", "x.pdf", "x.warc", "x.arc"].contains(name),
                    "{name} {length}: {found:?}"
                );
            }
        }
        for _ in 0..1000 {
            let mut bytes = seed.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                bytes[at] = u8::try_from(random.below(256)).unwrap();
            }
            if Container::guess(name, &bytes).is_some() {
                extracted_within(name, &bytes, Limits::default(), random.chance(50));
            }
        }
    }
}
