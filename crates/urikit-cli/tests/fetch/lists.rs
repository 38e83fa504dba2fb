//! The formats of lists.

use crate::fetch;
use crate::support::{Folder, keys};
use urikit_testkit::servers::Scripted;

/// A gopher server with one menu.
fn menu() -> Scripted {
    Scripted::start(|client| {
        client.line();
        client.say(
            "iWelcome\tfake\t(NULL)\t0\r\n0About this\t/about.txt\t127.0.0.1\t70\r\n\
             1More\t/more\t127.0.0.1\t70\r\n.\r\n",
        );
        client.close();
    })
}

#[test]
fn a_menu_is_text_json_or_references() {
    let server = menu();
    let url = format!("gopher://127.0.0.1:{}/", server.port);
    let outcome = fetch([url.as_str()]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert_eq!(
        outcome.out,
        "           Welcome\n\
         file       About this  gopher://127.0.0.1/0/about.txt\n\
         directory  More        gopher://127.0.0.1/1/more\n"
    );
    let outcome = fetch(["--list", "references", &url]);
    assert_eq!(
        outcome.out,
        "gopher://127.0.0.1/0/about.txt\ngopher://127.0.0.1/1/more\n"
    );
    let outcome = fetch(["--list", "references", "--print0", &url]);
    assert_eq!(
        outcome.out,
        "gopher://127.0.0.1/0/about.txt\0gopher://127.0.0.1/1/more\0"
    );
    let outcome = fetch(["--list", "json", &url]);
    let entries = outcome.json();
    assert_eq!(
        keys(&entries[1]),
        ["name", "kind", "reference", "size", "modified", "details"]
    );
    assert_eq!(entries[1]["name"], "About this");
    assert_eq!(entries[2]["kind"], "directory");
}

#[test]
fn a_list_can_be_written_to_a_file() {
    let server = menu();
    let folder = Folder::new();
    let to = folder.path().join("menu");
    let url = format!("gopher://127.0.0.1:{}/", server.port);
    assert_eq!(fetch(["-o", to.to_str().unwrap(), &url]).status, 0);
    assert!(
        std::fs::read_to_string(to)
            .unwrap()
            .contains("gopher://127.0.0.1/1/more")
    );
}
