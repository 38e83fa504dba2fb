//! The commands in `docs/serve.md` print what the page shows.

use crate::server::Server;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

#[test]
fn commands_print_what_the_page_shows() {
    if Command::new("curl")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_err()
    {
        println!("SKIPPED: curl is not installed");
        return;
    }
    let server = Server::start(&["--quiet"]);
    let address = server.address.to_string();
    let page = include_str!("../../../../docs/serve.md");
    let mut count = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let mut shown = String::new();
        for line in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let line_here = line.replace("localhost:8738", &address);
            let output = Command::new("sh")
                .args(["-c", &line_here])
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let _ = write!(shown, "$ {line}\n{text}");
            if !text.ends_with('\n') {
                shown.push('\n');
            }
            count += 1;
        }
        assert_eq!(shown, block);
    }
    assert_eq!(count, 6);
}
