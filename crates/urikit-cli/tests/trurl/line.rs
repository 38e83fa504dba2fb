//! A command line of trurl, parsed as trurl parses it.

/// The contents of a command line. Options that both commands have are kept as they are.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Line {
    pub(crate) urls: Vec<String>,
    /// The number of URLs that are given with an option.
    pub(crate) url_options: usize,
    /// The options that `uri edit` has too.
    pub(crate) edits: Vec<String>,
    /// The separator of pairs, which is also part of the edits.
    pub(crate) separator: Option<String>,
    pub(crate) templates: Vec<String>,
    pub(crate) redirect: Option<String>,
    pub(crate) files: usize,
    pub(crate) json: bool,
    /// True if components are printed as written, not decoded.
    pub(crate) urlencode: bool,
    pub(crate) punycode: bool,
    pub(crate) as_idn: bool,
    pub(crate) quiet: bool,
    pub(crate) no_guess_scheme: bool,
    /// An option that has no equivalent here.
    pub(crate) other: Option<String>,
    /// An option that `uri edit` does not have, and whose value is missing.
    pub(crate) lacks_value: Option<String>,
}

const EDITS: [&str; 10] = [
    "-s",
    "--set",
    "-a",
    "--append",
    "--iterate",
    "--trim",
    "--qtrim",
    "--replace",
    "--replace-append",
    "--force-replace",
];

impl Line {
    pub(crate) fn new(arguments: &[String]) -> Self {
        let mut line = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--url" => line.value(argument, rest.next(), |line, text| {
                    line.urls.push(text);
                    line.url_options += 1;
                }),
                "-g" | "--get" => {
                    line.value(argument, rest.next(), |line, text| {
                        line.templates.push(text);
                    });
                }
                "--redirect" => {
                    line.value(argument, rest.next(), |line, text| {
                        line.redirect = Some(text);
                    });
                }
                "-f" | "--url-file" => line.value(argument, rest.next(), |line, _| line.files += 1),
                "--query-separator" => {
                    line.separator = rest.next().cloned();
                    line.edits.push(argument.clone());
                    line.edits.extend(line.separator.clone());
                }
                "--json" => line.json = true,
                "--urlencode" => line.urlencode = true,
                "--punycode" => line.punycode = true,
                "--as-idn" => line.as_idn = true,
                "--quiet" => line.quiet = true,
                "--no-guess-scheme" => line.no_guess_scheme = true,
                // `uri` always reports errors, and never accepts spaces.
                "--verify" | "--accept-space" => {}
                "--keep-port" | "--default-port" | "--sort-query" => {
                    line.edits.push(argument.clone());
                }
                edit if EDITS.contains(&edit) => {
                    line.edits.push(argument.clone());
                    line.edits.extend(rest.next().cloned());
                }
                template if template.starts_with("-g") => {
                    line.templates.push(template.replacen("-g", "", 1));
                }
                edit if edit.starts_with("-s") || edit.starts_with("--set=") => {
                    line.edits.push(argument.clone());
                }
                other if other.starts_with('-') => line.other = Some(argument.clone()),
                _ => line.urls.push(argument.clone()),
            }
        }
        line
    }

    fn value(
        &mut self,
        option: &str,
        value: Option<&String>,
        take: impl FnOnce(&mut Self, String),
    ) {
        match value {
            Some(value) => take(self, value.clone()),
            None => self.lacks_value = Some(option.to_owned()),
        }
    }
}
