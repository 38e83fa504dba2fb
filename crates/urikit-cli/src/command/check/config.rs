//! `uri.toml`: a file with options of `uri check`. Each key in the section `[check]` is the name of
//! an option, without the leading hyphens.

use crate::exit::Exit;
use crate::files;
use crate::report::io_message;
use crate::safe::safe;
use crate::screen::say;
use crate::stdout::stdout;
use crate::style::ERROR;
use crate::suggest::did_you_mean;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

/// The name of the file that is read by default.
pub(super) const FILE: &str = "uri.toml";

/// Options that are not allowed in `uri.toml`.
const NOT_IN_FILE: [&str; 5] = ["config", "no-config", "explain-config", "help", "type-list"];

/// Inserts the options in `uri.toml` before those on the command line, which take precedence. Other
/// subcommands are not affected.
///
/// # Errors
///
/// Reports a file that cannot be read or has an invalid option. For `--explain-config`, prints the
/// options instead. Returns the exit status in both cases.
pub(crate) fn with_config(
    arguments: Vec<OsString>,
    root: fn() -> clap::Command,
) -> Result<Vec<OsString>, Exit> {
    let Some(at) = position(&arguments) else {
        return Ok(arguments);
    };
    let (before, after) = arguments.split_at(at + 1);
    let given: Vec<&OsStr> = after
        .iter()
        .map(OsString::as_os_str)
        .take_while(|word| *word != "--")
        .collect();
    let has = |name: &str| given.iter().any(|word| *word == name);
    let named = named(&given);
    let path = named.clone().unwrap_or_else(|| PathBuf::from(FILE));
    let mut options = Vec::new();
    if !has("--no-config") && (named.is_some() || path.exists()) {
        options = read(&path, named.is_some(), &root).map_err(|(message, exit)| {
            say!(
                "{ERROR}uri: {}{ERROR:#}: {}",
                safe(&path.to_string_lossy()),
                safe(&message)
            );
            exit
        })?;
    }
    if has("--explain-config") {
        return Err(explain(&options, &path, &given).unwrap_or(Exit::Io));
    }
    let mut all = before.to_vec();
    all.extend(options.into_iter().map(OsString::from));
    all.extend_from_slice(after);
    Ok(all)
}

/// Returns the position of the subcommand `check` in the command line.
fn position(arguments: &[OsString]) -> Option<usize> {
    let mut at = 1;
    loop {
        let word = arguments.get(at)?.to_str()?;
        match word {
            "check" => return Some(at),
            "--color" | "--max-output" => at += 2,
            _ if word.starts_with('-') => at += 1,
            _ => return None,
        }
    }
}

/// Returns the value of `--config`.
fn named(given: &[&OsStr]) -> Option<PathBuf> {
    let mut words = given.iter();
    while let Some(word) = words.next() {
        if *word == "--config" {
            return words.next().map(PathBuf::from);
        }
        let value = word
            .to_str()
            .and_then(|word| word.strip_prefix("--config="));
        if let Some(value) = value {
            return Some(PathBuf::from(value));
        }
    }
    None
}

/// Reads the options in a file. A file that the command line does not name is not trusted: it may
/// be part of somebody else's project.
fn read(
    path: &Path,
    is_named: bool,
    root: &dyn Fn() -> clap::Command,
) -> Result<Vec<String>, (String, Exit)> {
    let text = files::read_text(path).map_err(|error| (io_message(&error), Exit::Io))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| {
            let before = text.get(..span.start).unwrap_or_default();
            before.matches('\n').count() + 1
        });
        (format!("line {line}: {}", error.message()), Exit::Usage)
    })?;
    let usage = |message: String| (message, Exit::Usage);
    let section = match table.get("check") {
        None => return Ok(Vec::new()),
        Some(Value::Table(section)) => section,
        Some(_) => return Err(usage("`check` is not a section".to_owned())),
    };
    let mut command = root();
    command.build();
    let command = command.find_subcommand("check");
    let known = |name: &str| {
        let mut arguments = command.iter().flat_map(|command| command.get_arguments());
        let found = arguments.find(|argument| argument.get_long() == Some(name));
        found.filter(|_| !NOT_IN_FILE.contains(&name))
    };
    let mut options = Vec::new();
    for (key, value) in section {
        let Some(argument) = known(key) else {
            let arguments = command.iter().flat_map(|command| command.get_arguments());
            let names: Vec<&str> = arguments
                .filter_map(|argument| argument.get_long())
                .collect();
            let near = did_you_mean(key, names);
            return Err(usage(format!("[check] has no option `{key}`{near}")));
        };
        if let Some(danger) = danger(key, value)
            && !is_named
        {
            return Err(usage(format!(
                "`{key}` {danger}; to trust this file, add --config {FILE}"
            )));
        }
        let takes_value = argument.get_action().takes_values();
        push(key, value, takes_value, &mut options).map_err(usage)?;
    }
    Ok(options)
}

/// Describes the danger of an option that only a trusted file may set, or returns `None`.
fn danger(key: &str, value: &Value) -> Option<&'static str> {
    let is_any = |is: &dyn Fn(&str) -> bool| match value {
        Value::Array(values) => values.iter().filter_map(Value::as_str).any(is),
        value => value.as_str().is_some_and(is),
    };
    match key {
        _ if value.as_bool() == Some(false) => None,
        "allow-private" | "allow-host" => Some("permits requests to private addresses"),
        "allow-port" => Some("permits requests to other ports"),
        "proxy" => Some("sends requests to a proxy"),
        "cert" | "key" => Some("sends a client certificate"),
        "cacert" | "insecure" => Some("changes which servers are trusted"),
        "fix" => Some("changes files"),
        "header" if is_any(&|field| field.contains('$')) => Some("sends an environment variable"),
        "store" | "baseline" | "state" if is_any(&leaves_folder) => {
            Some("writes a file outside this folder")
        }
        _ => None,
    }
}

/// Returns true if a path may lead out of the current folder, even through a symbolic link.
fn leaves_folder(path: &str) -> bool {
    let path = Path::new(path);
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    !path.components().all(is_inside) || path.ancestors().any(Path::is_symlink)
}

/// Converts a key and its value to options.
fn push(
    key: &str,
    value: &Value,
    takes_value: bool,
    options: &mut Vec<String>,
) -> Result<(), String> {
    match value {
        Value::Boolean(yes) if !takes_value => {
            if *yes {
                options.push(format!("--{key}"));
            }
        }
        _ if !takes_value => return Err(format!("expected true or false for `{key}`")),
        Value::String(text) => options.push(format!("--{key}={text}")),
        Value::Integer(number) => options.push(format!("--{key}={number}")),
        Value::Array(values) => {
            for value in values {
                if matches!(value, Value::Array(_)) {
                    return Err(format!("expected strings or numbers for `{key}`"));
                }
                push(key, value, takes_value, options)?;
            }
        }
        _ => return Err(format!("expected strings or numbers for `{key}`")),
    }
    Ok(())
}

/// Prints each option with its origin: the file or the command line.
fn explain(options: &[String], path: &Path, given: &[&OsStr]) -> io::Result<Exit> {
    let mut out = stdout();
    for option in options {
        writeln!(out, "{}\t{}", safe(option), safe(&path.to_string_lossy()))?;
    }
    for word in given.iter().filter(|word| **word != "--explain-config") {
        writeln!(out, "{}\tcommand line", safe(&word.to_string_lossy()))?;
    }
    out.flush()?;
    Ok(Exit::Good)
}
