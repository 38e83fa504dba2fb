//! `uri completions`: generates completion scripts for shells.

use crate::exit::{Exit, Stop};
use crate::stdout::stdout;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;
use std::fmt::Write as _;
use std::io::Write as _;

/// Print a completion script for your shell
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri completions bash > ~/.local/share/bash-completion/completions/uri
  uri completions zsh > ~/.zfunc/_uri
  uri completions fish > ~/.config/fish/completions/uri.fish

Files:
  ~/.local/share/bash-completion/completions/    where bash-completion looks
  ~/.zfunc/                                      a folder in zsh's $fpath
  ~/.config/fish/completions/                    where fish looks")]
pub(crate) struct Arguments {
    /// Generate the script for this shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Prints the script for `command`.
pub(crate) fn run(arguments: &Arguments, command: Command) -> Result<Exit, Stop> {
    let mut command = with_values(command);
    // `generate` panics if it cannot write, so its output goes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "uri", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let script = match arguments.shell {
        Shell::Bash => without_files_in_bash(script, &command),
        Shell::Fish => with_arguments_in_fish(&script, &command),
        _ => script,
    };
    let mut out = stdout();
    out.write_all(script.as_bytes())?;
    out.flush()?;
    Ok(Exit::Good)
}

/// Returns the command line for the generator. File names are completed only for the values of file
/// options.
fn with_values(command: Command) -> Command {
    let names = command
        .get_subcommands()
        .map(|one| one.get_name().to_owned());
    let names: Vec<String> = names.collect();
    let no_files = |arg: Arg| match arg.get_value_hint() {
        ValueHint::Unknown if arg.is_positional() || arg.get_action().takes_values() => {
            arg.value_hint(ValueHint::Other)
        }
        _ => arg,
    };
    command
        .mut_subcommands(|subcommand| subcommand.mut_args(no_files))
        .mut_subcommand("man", |man| {
            man.mut_arg("subcommand", |arg| {
                arg.value_parser(PossibleValuesParser::new(names))
            })
        })
}

/// Returns true if the arguments of a subcommand are files.
fn takes_files(subcommand: &Command) -> bool {
    subcommand
        .get_positionals()
        .any(|arg| arg.get_value_hint() == ValueHint::FilePath)
}

/// Stops bash from offering file names if nothing matches, which is its default.
fn without_files_in_bash(script: String, command: &Command) -> String {
    let names = command.get_subcommands().filter(|one| !takes_files(one));
    let names = names.map(|one| one.get_name().replace('-', "__subcmd__"));
    let cases = names.map(|name| format!("uri__subcmd__{name}"));
    cases
        .chain(["uri".to_owned()])
        .fold(script, |script, case| {
            let start = format!("        {case})\n            opts=");
            let quiet = "compopt +o default +o bashdefault 2>/dev/null";
            script.replace(
                &start,
                &format!("        {case})\n            {quiet}\n            opts="),
            )
        })
}

/// Adds the values of positional arguments to the fish script, because the generator omits them.
fn with_arguments_in_fish(script: &str, command: &Command) -> String {
    // The generator offers the names after `uri help` only if the line contains no name, and it
    // counts `help` itself.
    let lines = script.lines().map(|line| {
        if line.contains("using_subcommand help; and not ") {
            line.replacen(" help\" ", "\" ", 1) + "\n"
        } else {
            format!("{line}\n")
        }
    });
    let mut script: String = lines.collect();
    for subcommand in command.get_subcommands().filter(|one| !takes_files(one)) {
        let name = subcommand.get_name();
        let words: Vec<_> = subcommand
            .get_positionals()
            .flat_map(Arg::get_possible_values)
            .map(|value| value.get_name().to_owned())
            .collect();
        let words = if words.is_empty() {
            String::new()
        } else {
            format!(" -a \"{}\"", words.join(" "))
        };
        let condition = format!("__fish_uri_using_subcommand {name}");
        let _ = writeln!(script, "complete -c uri -n \"{condition}\" -f{words}");
    }
    script
}
