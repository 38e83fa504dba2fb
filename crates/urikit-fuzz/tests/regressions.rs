//! Runs the checks on every input that once failed, and compares the lists of targets.

#![allow(clippy::unwrap_used, clippy::panic)] // a test fails by panicking

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use urikit_fuzz::{TARGETS, run};
use urikit_testkit::data::project_root;
use urikit_testkit::prospero;
use urikit_testkit::wais::exchanges;

/// Each file `fuzz/regressions/TARGET/NAME` is the input of a crash.
#[test]
fn every_crash_that_was_found_stays_fixed() {
    let folder = project_root().join("fuzz/regressions");
    let (mut count, mut failed) = (0, Vec::new());
    for target in fs::read_dir(folder).unwrap() {
        let target = target.unwrap();
        let name = target.file_name().into_string().unwrap();
        for file in fs::read_dir(target.path()).unwrap() {
            let path = file.unwrap().path();
            let data = fs::read(&path).unwrap();
            count += 1;
            if catch_unwind(|| run(&name, &data)).is_err() {
                failed.push(path);
            }
        }
    }
    println!("{count} inputs");
    assert!(failed.is_empty(), "{failed:?}");
}

/// The inputs are empty, one octet of each value, and strings that reach most of the code of each
/// check.
#[test]
fn every_check_takes_any_octets() {
    let texts: [&[u8]; 4] = [
        b"\0\0http://u:p@a.example:80/b/../%7Ec?d=e&f#g\nhttp://a.example/x?y",
        b"\x03\x04<a href='b?c&amp;d'>http://e.example/</a>\n[f](g) <URL:http://h/>",
        b"\x05HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        b"\x01\0Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a/\n--b--\n",
    ];
    for (name, check) in TARGETS {
        check(b"");
        for octet in 0..=255 {
            check(&[octet]);
        }
        for text in texts {
            assert!(
                catch_unwind(|| check(text)).is_ok(),
                "{name}: {}",
                text.escape_ascii()
            );
        }
    }
}

/// The inputs are recorded replies of WAIS and Prospero servers, in every order and in pieces.
#[test]
fn recorded_answers_pass() {
    let messages = exchanges().into_iter().flat_map(|it| it.responses);
    let wais: Vec<_> = messages.filter(|it| it.len() < 4096).collect();
    let datagrams = prospero::exchanges();
    let datagrams = datagrams.iter().flat_map(|it| &it.response);
    let prospero: Vec<_> = datagrams.map(|it| it.octets()).collect();
    assert!(wais.len() > 40 && prospero.len() > 50);
    for choice in [0, 6, 61, 255] {
        for message in &wais {
            run("wais", &[&[choice], &message[..]].concat());
            run("wais", &[&[choice], &message[25..]].concat());
        }
        let mut together = vec![choice];
        for datagram in &prospero {
            run("prospero", &[&[choice], &datagram[..]].concat());
            let length = u16::try_from(datagram.len()).unwrap();
            together.extend_from_slice(&length.to_be_bytes());
            together.extend_from_slice(datagram);
        }
        run("prospero", &together);
    }
}

/// A target without a file is never fuzzed, and a file without a target checks nothing.
#[test]
fn targets_have_files() {
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let manifest = fs::read_to_string(project_root().join("fuzz/Cargo.toml")).unwrap();
    let mut files = BTreeSet::new();
    for file in fs::read_dir(project_root().join("fuzz/fuzz_targets")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.contains(&format!("run(\"{name}\", data)")),
            "{name}: {text}"
        );
        let line = format!("path = \"fuzz_targets/{name}.rs\"");
        assert!(manifest.contains(&line), "{name}");
        files.insert(name);
    }
    assert_eq!(files, names);
}
