//! Suggests corrections for unknown names and options, and recognizes misplaced URLs.

use strsim::osa_distance;
use urikit::IriRef;

/// Returns true if an argument that should be something else is a URL with an authority.
pub(crate) fn is_url(text: &str) -> bool {
    IriRef::parse(text).is_ok_and(|url| url.scheme().is_some() && url.authority().is_some())
}

/// Returns the name that was probably meant by `word`: the most similar one, if few letters differ.
/// Of equally similar names, prefers one with the same first letter.
pub(crate) fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let lower = word.to_ascii_lowercase();
    let most = lower.chars().count() / 3 + 1;
    names
        .into_iter()
        .map(|name| (osa_distance(&lower, &name.to_ascii_lowercase()), name))
        .filter(|(distance, name)| *distance <= most && *distance < name.chars().count())
        .min_by_key(|(distance, name)| {
            let first = |text: &str| text.bytes().next().map(|byte| byte.to_ascii_lowercase());
            (*distance, first(name) != first(&lower))
        })
        .filter(|(_, name)| *name != word) // the name itself was rejected for another reason
        .map(|(_, name)| name)
}

/// Returns `; did you mean "NAME"?` with the nearest name, or nothing.
pub(crate) fn did_you_mean<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    match nearest(word, names) {
        Some(name) => format!("; did you mean \"{name}\"?"),
        None => String::new(),
    }
}

/// Options of other programs, with the subcommands of `uri` that resemble these programs, and
/// advice on what to use instead. For these options, a similarly spelled name would mislead:
/// curl's `--fail` does not mean `--mail`.
const ELSEWHERE: [(&[&str], &[&str], &str); 39] = [
    // curl
    (
        SEND,
        &["--fail", "--fail-with-body"],
        "an HTTP error is always a failure",
    ),
    (BOTH, &["--url"], "give the URL as an argument"),
    (
        FETCH,
        &["--dump-header", "-D"],
        "`--meta FILE` writes the attributes",
    ),
    (
        FETCH,
        &["--remote-name-all"],
        "`-O` applies to all references",
    ),
    (FETCH, &["--output-dir"], "use `-o FOLDER/`"),
    (BOTH, &["--referer", "-e"], "use `-H 'Referer: URL'`"),
    (
        FETCH,
        &["--get", "-G", "--url-query"],
        "add pairs with `uri edit -a query=NAME=VALUE`",
    ),
    (
        FETCH,
        &["--data-urlencode"],
        "encode data with `uri encode --component query-value`",
    ),
    (
        BOTH,
        &["--globoff", "-g"],
        "brackets and braces have no special meaning here",
    ),
    (FETCH, &["--upload-file", "-T"], "use `uri send FILE URL`"),
    (
        SEND,
        &["--upload-file", "-T"],
        "give the file as an argument",
    ),
    // wget
    (FETCH, &["--input-file"], "use `-f FILE`"),
    (FETCH, &["--output-document"], "use `-o FILE`"),
    (FETCH, &["--spider"], "use `--head`"),
    (FETCH, &["--level", "-l"], "use `--depth`"),
    (FETCH, &["--mirror"], "use `--recursive`"),
    (BOTH, &["--no-check-certificate"], "use `--insecure`"),
    (BOTH, &["--timeout"], "use `--max-time`"),
    (FETCH, &["--tries", "-t"], "use `--retry`"),
    // trurl
    (
        &["get"],
        &["--get", "-g"],
        "the template is the first argument",
    ),
    (&["edit"], &["--get", "-g"], "use `uri get TEMPLATE`"),
    (TRURL, &["--redirect"], "use `uri resolve --base URL REF`"),
    (TRURL, &["--accept-space"], "use `--lenient`"),
    (TRURL, &["--url"], "give the URL as an argument"),
    (
        TRURL,
        &["--verify"],
        "the exit status is 1 if a reference is invalid",
    ),
    (
        TRURL,
        &["--no-guess-scheme"],
        "schemes are guessed only with `--guess`",
    ),
    (
        TRURL,
        &["--urlencode"],
        "components are printed as written, without `:decode`",
    ),
    (TRURL, &["--punycode"], "use `uri get '{host:puny}'`"),
    (TRURL, &["--as-idn"], "use `uri get '{host:idn}'`"),
    // ripgrep and grep
    (
        EXTRACT,
        &["--only-matching", "-o"],
        "only the references are printed",
    ),
    (
        EXTRACT,
        &["--recursive", "-r", "-R"],
        "folders are always searched",
    ),
    (
        EXTRACT,
        &["--search-zip", "-z"],
        "compressed files are always searched",
    ),
    (EXTRACT, &["--vimgrep"], "use `-H --column`"),
    (EXTRACT, &["--encoding", "-E"], "use `--charset`"),
    (
        EXTRACT,
        &["--regexp", "-e", "--invert-match"],
        "select references with `--where`",
    ),
    (EXTRACT, &["--include", "--iglob"], "use `--glob`"),
    (EXTRACT, &["--exclude"], "use `--glob '!PATTERN'`"),
    (
        EXTRACT,
        &["--url-file"],
        "use `--files-from FILE` to read file names",
    ),
    (EXTRACT, &["--format"], "use `--as FORMAT`"),
];

const FETCH: &[&str] = &["fetch"];
const SEND: &[&str] = &["send"];
const BOTH: &[&str] = &["fetch", "send"];
const TRURL: &[&str] = &["edit", "get", "parse", "normalize"];
const EXTRACT: &[&str] = &["extract"];

/// Returns the advice for an option that `subcommand` does not have: the equivalent of another
/// program's option, the subcommands that have the option, or a similarly spelled option.
pub(crate) fn option(root: &clap::Command, subcommand: &str, option: &str) -> Option<String> {
    let elsewhere = ELSEWHERE.iter().find(|(subcommands, options, _)| {
        subcommands.contains(&subcommand) && options.contains(&option)
    });
    if let Some((_, _, advice)) = elsewhere {
        return Some((*advice).to_owned());
    }
    let long = option.strip_prefix("--")?;
    let longs = |command: &clap::Command| -> Vec<String> {
        let visible = command
            .get_arguments()
            .filter(|argument| !argument.is_hide_set());
        visible
            .filter_map(|argument| argument.get_long().map(str::to_owned))
            .collect()
    };
    let own = longs(root.find_subcommand(subcommand)?);
    let typo = own
        .iter()
        .find(|name| osa_distance(name, long) == 1 && name.chars().next() == long.chars().next());
    if let Some(name) = typo {
        return Some(format!("did you mean `--{name}`?"));
    }
    let others: Vec<_> = root
        .get_subcommands()
        .filter(|other| longs(other).iter().any(|name| name == long))
        .map(|other| format!("`uri {}`", other.get_name()))
        .collect();
    (!others.is_empty()).then(|| format!("it is an option of {}", others.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn few_letters_differ() {
        let names = ["host", "path", "port", "password", "query"];
        for (word, expected) in [
            ("hots", Some("host")),
            ("Pasword", Some("password")),
            ("qery", Some("query")),
            ("HOST", Some("host")),
            ("host", None),
            ("x", None),
            ("fragment", None),
        ] {
            assert_eq!(nearest(word, names), expected, "{word}");
        }
        assert_eq!(nearest("htps", ["ftps", "https"]), Some("https"));
    }
}
