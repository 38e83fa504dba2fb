//! The commands in `docs/gateway.md`, the unit for systemd and the container file.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use urikit_testkit::servers::{Folder, installed, skip};

const PAGE: &str = include_str!("../../../../docs/gateway.md");
const UNIT: &str = include_str!("../../../../docs/gateway/uri.service");
const CONTAINER: &str = include_str!("../../../../docs/gateway/Containerfile");

/// Joins continued lines, and splits the command in them into words.
fn words(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let line = text.lines().next().unwrap().split("  #").next().unwrap();
    line.split_whitespace().map(str::to_owned).collect()
}

/// Starts `uri` with these arguments, on free ports of loopback instead of the named ones. Checks
/// that it listens, and returns what it says about the page and the gateway.
fn starts(arguments: &[String]) {
    let mut given: Vec<_> = arguments.to_vec();
    for name in ["--listen", "--gateway-listen"] {
        match given.iter().position(|argument| argument == name) {
            Some(at) => "127.0.0.1:0".clone_into(&mut given[at + 1]),
            None => given.extend([name.to_owned(), "127.0.0.1:0".to_owned()]),
        }
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_uri"))
        .args(&given)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let lines = [(); 2].map(|()| lines.next().map(Result::unwrap).unwrap_or_default());
    child.kill().unwrap();
    child.wait().unwrap();
    let begins = [
        "Listening on http://127.0.0.1:",
        "Gateway on http://127.0.0.1:",
    ];
    let is_up = lines
        .iter()
        .zip(begins)
        .all(|(line, begin)| line.starts_with(begin));
    assert!(is_up, "{given:?}: {lines:?}");
}

#[test]
fn the_servers_of_the_page_start() {
    let mut count = 0;
    for block in PAGE.split("```sh\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for (at, _) in block.match_indices("uri serve") {
            starts(&words(&block[at..])[1..]);
            count += 1;
        }
    }
    assert_eq!(count, 2);
}

#[test]
fn the_unit_is_valid() {
    let (_, command) = UNIT.split_once("\nExecStart=").unwrap();
    let command = words(command);
    assert_eq!(command[0], "/usr/local/bin/uri");
    starts(&command[1..]);
    let Some(analyze) = installed("systemd-analyze") else {
        return skip("the_unit_is_valid", "systemd-analyze");
    };
    // The program must exist.
    let folder = Folder::new("unit");
    let unit = UNIT.replace("/usr/local/bin/uri", env!("CARGO_BIN_EXE_uri"));
    let unit = folder.write("uri.service", unit);
    let output = Command::new(analyze)
        .arg("verify")
        .arg(unit)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    // Units of the system may have mistakes of their own.
    assert!(
        output.status.success() && !text.contains("uri.service"),
        "{text}"
    );
}

#[test]
fn the_container_file_names_what_exists() {
    let list = |name: &str| -> Vec<String> {
        let line = CONTAINER.lines().find_map(|line| line.strip_prefix(name));
        serde_json::from_str(line.unwrap()).unwrap()
    };
    let command = [list("ENTRYPOINT "), list("CMD ")].concat();
    assert_eq!(command[0], "uri");
    starts(&command[1..]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for named in ["docs/gateway/Containerfile", "Cargo.lock"] {
        assert!(root.join(named).is_file(), "{named}");
    }
    assert!(CONTAINER.contains("cargo build --profile dist --locked -p urikit-cli\n"));
}
