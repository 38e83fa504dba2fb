//! Asks the shells for completions.

use crate::support::{Folder, run_with, uri};
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;
use urikit_testkit::servers::skip;

/// The text typed before the Tab key, and its completion.
const TYPED: [(&str, &str); 17] = [
    ("normalize --level ca", "case"),
    ("resolve --above-root ref", "refuse"),
    ("resolve --same-scheme in", "inherit"),
    ("encode --component fr", "fragment"),
    ("decode --component fr", "fragment"),
    ("parse --standard wh", "whatwg"),
    ("schemes gop", "gopher"),
    ("extract --scheme gop", "gopher"),
    ("edit -s ho", "host="),
    ("check --fail-on wa", "warning"),
    ("check --as markd", "markdown"),
    ("man pa", "parse"),
    ("help norm", "normalize"),
    // File names are completed only where they make sense.
    ("extract afi", "afile"),
    ("parse -f afi", "afile"),
    ("parse afi", "afi"),
    ("fetch --max-time afi", "afi"),
];

/// Returns a folder with a file, and a script for each shell.
fn folder() -> Folder {
    let folder = Folder::new();
    for (shell, name) in [("bash", "uri.bash"), ("zsh", "_uri"), ("fish", "uri.fish")] {
        folder.file(name, uri(["completions", shell]).out);
    }
    folder.file("afile", "");
    folder
}

/// Returns the last words of the lines that a shell on a terminal completes after Tab. `None` if
/// the shell, or `script` of util-linux, is not installed.
fn typed(shell: &str, start: &str) -> Option<Vec<String>> {
    let program = shell.split(' ').next()?;
    for program in [program, "script"] {
        Command::new(program).arg("--version").output().ok()?;
    }
    let folder = folder();
    let mut child = Command::new("script")
        .args(["-qec", shell, "/dev/null"])
        .current_dir(folder.path())
        .env("TERM", "dumb")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut keys = child.stdin.take().unwrap();
    let mut out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = out.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    writeln!(keys, "{start}").unwrap();
    writeln!(
        keys,
        "uri() {{ for last; do :; done; printf 'LAST<%s>\\n' \"$last\"; }}"
    )
    .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    for (typed, _) in TYPED {
        writeln!(keys, "uri {typed}\t").unwrap();
        std::thread::sleep(Duration::from_millis(150));
    }
    writeln!(keys, "exit").unwrap();
    drop(keys);
    let text = reader.join().unwrap();
    child.wait().unwrap();
    let words = text.split("LAST<").skip(1);
    let words = words.filter_map(|word| Some(word.split_once('>')?.0.to_owned()));
    Some(words.filter(|word| word != "%s").collect())
}

fn expected() -> Vec<String> {
    TYPED.map(|(_, word)| word.to_owned()).to_vec()
}

#[test]
fn bash_completes() {
    match typed("bash --norc --noprofile -i", ". ./uri.bash") {
        Some(words) => assert_eq!(words, expected()),
        None => skip("bash_completes", "bash"),
    }
}

#[test]
fn zsh_completes() {
    let start = "autoload -U compinit; compinit -D -u; . ./_uri; compdef _uri uri";
    match typed("zsh -f -i", start) {
        Some(words) => assert_eq!(words, expected()),
        None => skip("zsh_completes", "zsh"),
    }
}

#[test]
fn fish_completes() {
    if Command::new("fish").arg("--version").output().is_err() {
        return skip("fish_completes", "fish");
    }
    let folder = folder();
    for (typed, word) in TYPED {
        let mut fish = Command::new("fish");
        let asked = format!("source uri.fish; complete -C 'uri {typed}'");
        fish.args(["--no-config", "-c", &asked])
            .current_dir(folder.path());
        let outcome = run_with(fish, b"");
        let words: Vec<_> = outcome
            .out
            .lines()
            .map(|line| line.split('\t').next().unwrap())
            .collect();
        if typed.ends_with(word) {
            assert_eq!(words, [""; 0], "{typed}");
        } else {
            assert_eq!(words, [word], "{typed}");
        }
    }
}
