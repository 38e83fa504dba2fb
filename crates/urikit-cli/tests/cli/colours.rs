//! Colours appear only on terminals, and not with `NO_COLOR`.

use crate::support::{Folder, command, run_with, uri};
use crate::terminal::on_terminal;

#[test]
fn components_are_coloured_on_terminals_only() {
    let arguments = ["parse", "http://u@a:80/b?c#d"];
    let screen = on_terminal(80, true, &arguments);
    assert!(
        screen.text.contains("host\t\x1b[38;5;28ma\x1b[0m\n"),
        "{}",
        screen.text
    );
    let plain = uri(arguments).out;
    assert_eq!(screen.plain(), plain);
    assert!(!plain.contains('\x1b'));
    assert_eq!(on_terminal(80, false, &arguments).text, plain);
    // A variable that asks for colours does not change data in a pipe.
    let mut forced = command();
    forced.args(arguments).env("CLICOLOR_FORCE", "1");
    assert_eq!(run_with(forced, b"").out, plain);
    // Control sequences in the data do not reach the terminal.
    let screen = on_terminal(
        80,
        true,
        &["parse", "--standard", "whatwg", "http://a/\u{9b}31m"],
    );
    assert!(!screen.text.contains('\u{9b}'), "{}", screen.text);
}

#[test]
fn names_and_lines_of_extract_are_coloured_on_terminals_only() {
    let folder = Folder::new();
    let file = folder.file("a.txt", "see\nhttp://a.example/\n");
    let arguments = ["extract", "-nH", file.as_str()];
    let screen = on_terminal(200, true, &arguments);
    let expected = format!("\x1b[38;5;133m{file}\x1b[0m:\x1b[38;5;28m2\x1b[0m:http://a.example/\n");
    assert_eq!(screen.text, expected);
    let plain = uri(arguments).out;
    assert_eq!(screen.plain(), plain);
    assert!(!plain.contains('\x1b'));
    assert_eq!(on_terminal(200, false, &arguments).text, plain);
    let context = ["extract", "-nH", "-C", "1", file.as_str()];
    let screen = on_terminal(200, true, &context);
    assert_eq!(screen.plain(), uri(context).out);
    assert!(screen.text.contains('\x1b'), "{}", screen.text);
}
