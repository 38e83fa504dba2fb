//! Clusters of short options that include an `f`, such as `-fsSL`. In curl, `-f` means "fail on
//! errors", which is the default here. As a separate argument, `-f FILE` names a list of
//! references.

use std::ffi::{OsStr, OsString};

/// Removes each `f` from the clusters of short options of `uri fetch`. `command` defines these
/// options.
pub(crate) fn without_fail(
    arguments: Vec<OsString>,
    command: impl FnOnce() -> clap::Command,
) -> Vec<OsString> {
    let Some(first) = after_subcommand(&arguments) else {
        return arguments;
    };
    // Few command lines contain a cluster, and building the command takes time.
    let has_cluster = |argument: &OsString| {
        let letters = argument.as_encoded_bytes().strip_prefix(b"-");
        letters.is_some_and(|letters| letters.len() > 1 && letters.contains(&b'f'))
    };
    if !arguments.iter().skip(first).any(has_cluster) {
        return arguments;
    }
    let mut command = command();
    command.build();
    let Some(fetch) = command.find_subcommand("fetch") else {
        return arguments;
    };
    let mut changed = Vec::with_capacity(arguments.len());
    let mut arguments = arguments.into_iter();
    changed.extend(arguments.by_ref().take(first));
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            changed.push(argument);
            break;
        }
        let (argument, has_value) = without(fetch, argument);
        changed.extend(argument);
        if has_value {
            changed.extend(arguments.next());
        }
    }
    changed.extend(arguments);
    changed
}

/// Returns the index after the subcommand, if that is `fetch`.
fn after_subcommand(arguments: &[OsString]) -> Option<usize> {
    let mut rest = arguments.iter().enumerate().skip(1);
    loop {
        let (index, argument) = rest.next()?;
        if argument == "--color" {
            rest.next();
        } else if !argument.as_encoded_bytes().starts_with(b"-") {
            return (argument == "fetch").then_some(index + 1);
        }
    }
}

/// Removes each `f` from an argument if it is a cluster. Returns true if the next argument is the
/// value of an option.
fn without(fetch: &clap::Command, argument: OsString) -> (Option<OsString>, bool) {
    let Some(text) = argument.to_str() else {
        return (Some(argument), false);
    };
    let takes_value = |is_it: &dyn Fn(&clap::Arg) -> bool| {
        let mut options = fetch.get_arguments();
        options.any(|option| is_it(option) && option.get_action().takes_values())
    };
    if let Some(name) = text.strip_prefix("--") {
        // A value after `=` is part of the same argument.
        let has_value = takes_value(&|option| option.get_long() == Some(name));
        return (Some(argument), has_value);
    }
    let Some(letters) = text.strip_prefix('-') else {
        return (Some(argument), false);
    };
    let is_cluster = letters.chars().count() > 1;
    let mut changed = String::from("-");
    let mut rest = letters;
    while let Some(letter) = rest.chars().next() {
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        if letter == 'f' && is_cluster {
            continue;
        }
        changed.push(letter);
        if takes_value(&|option| option.get_short() == Some(letter)) {
            // The rest of the argument is the value of this option. If nothing is left, the next
            // argument is the value.
            changed.push_str(rest);
            return (Some(changed.into()), rest.is_empty());
        }
    }
    let is_empty = changed == "-" && is_cluster;
    let kept = (!is_empty).then(|| OsStr::new(&changed).to_owned());
    (kept, false)
}
