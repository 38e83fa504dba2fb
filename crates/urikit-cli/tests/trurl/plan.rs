//! The equivalent of a command line of trurl.
//!
//! trurl normalizes each URL, sets components, and prints the result. The equivalents are `uri
//! normalize`, `uri edit` and `uri get`, one after another. trurl treats text as data, as `--raw`
//! does. trurl also guesses schemes and adds slashes, which `uri` does not do. Unless a row tests
//! only these additions, the plan adds them to the row's text.

use crate::line::Line;
use crate::support::{Outcome, uri};
use crate::template::translate;

/// A sequence of commands. Each command reads the output lines of the previous command as
/// references.
pub(crate) struct Plan {
    urls: Vec<String>,
    stages: Vec<Stage>,
    /// The standard: RFC 3987 if trurl's arguments are not US-ASCII.
    pub(crate) standard: &'static str,
    /// True if the output consists of components, not of references or JSON.
    pub(crate) is_template: bool,
    /// True if components in JSON are as written.
    pub(crate) urlencode: bool,
    /// True if the plan added a scheme or slash that trurl would add.
    pub(crate) is_written_out: bool,
}

/// The words before and after the references.
struct Stage {
    before: Vec<String>,
    after: Vec<String>,
}

impl Stage {
    fn new(before: &[&str], after: &[String]) -> Self {
        Self {
            before: before.iter().map(|&word| word.to_owned()).collect(),
            after: after.to_vec(),
        }
    }
}

impl Plan {
    /// Returns the commands, or the feature that has no equivalent here.
    pub(crate) fn new(arguments: &[String]) -> Result<Self, String> {
        let mut line = Line::new(arguments);
        if line.files > 0 {
            return Err("the suite lacks its files".to_owned());
        }
        if let Some(option) = line.other {
            return Err(option);
        }
        if let Some(option) = line.lacks_value {
            return Err(format!("`{option}` without its value"));
        }
        if line.templates.len() > 1 {
            return Err("a second template".to_owned());
        }
        let urls: Vec<String> = if line.no_guess_scheme {
            line.urls.clone()
        } else {
            line.urls.iter().map(|url| with_scheme(url)).collect()
        };
        let edits = with_slash(&line.edits);
        let is_written_out = urls != line.urls || edits != line.edits;
        if is_written_out && arguments.len() == line.urls.len() + line.url_options {
            return Err("a guess alone".to_owned());
        }
        line.edits = edits;
        let standard = if arguments.iter().all(|text| text.is_ascii()) {
            "rfc3986"
        } else {
            "rfc3987"
        };
        Ok(Self {
            stages: stages(&line),
            // Without URLs, the options are applied to the empty reference.
            urls: if urls.is_empty() && !line.edits.is_empty() {
                vec![String::new()]
            } else {
                urls
            },
            standard,
            is_template: line.templates.iter().any(|template| !is_url(template)),
            urlencode: line.urlencode,
            is_written_out,
        })
    }

    /// Runs the commands in order, until one fails.
    pub(crate) fn run(&self) -> Outcome {
        let mut references = self.urls.clone();
        let mut outcome = None;
        for stage in &self.stages {
            let mut words = stage.before.clone();
            words.splice(1..1, ["--standard", self.standard].map(str::to_owned));
            words.extend(references);
            words.extend(stage.after.iter().cloned());
            let done = uri(words);
            if done.status != 0 {
                return done;
            }
            references = done.out.lines().map(str::to_owned).collect();
            outcome = Some(done);
        }
        outcome.expect("at least one command")
    }
}

fn stages(line: &Line) -> Vec<Stage> {
    let mut stages = vec![Stage::new(&["normalize", "--level", "path"], &[])];
    if let Some(reference) = &line.redirect {
        // The URL is the base, so it follows the option.
        let reference = [reference.clone()];
        stages.push(Stage::new(&["resolve", "--base"], &reference));
    }
    let template = line
        .templates
        .first()
        .map(|text| translate(text, line.urlencode));
    let template = template
        .or_else(|| line.punycode.then(|| "{puny:url}".to_owned()))
        .or_else(|| line.as_idn.then(|| "{idn:url}".to_owned()));
    let json_of_edit = line.json && template.is_none();
    if !line.edits.is_empty() || json_of_edit {
        let json: &[&str] = if json_of_edit { &["--json"] } else { &[] };
        // `uri edit` requires an edit. This one changes nothing, because all URLs have a scheme.
        let changes_nothing = |edit: &String| edit == "--keep-port";
        let none: &[&str] = if line.edits.iter().all(changes_nothing) {
            &["-s", "scheme?=http"]
        } else {
            &[]
        };
        stages.push(Stage::new(
            &[&["edit", "--raw"], json, none].concat(),
            &line.edits,
        ));
    }
    if let Some(template) = template {
        let mut stage = Stage::new(&["get", &template], &[]);
        stage.before.extend(line.json.then(|| "--json".to_owned()));
        if let Some(separator) = &line.separator {
            stage
                .before
                .extend(["--query-separator".to_owned(), separator.clone()]);
        }
        stages.push(stage);
    }
    if line.quiet {
        for stage in &mut stages {
            stage.after.push("--quiet".to_owned());
        }
    }
    stages
}

/// Returns the URL with the scheme that curl guesses from the host's first label.
fn with_scheme(url: &str) -> String {
    if url.is_empty() || url.contains("://") {
        url.to_owned()
    } else if url.starts_with("ftp.") {
        format!("ftp://{url}")
    } else {
        format!("http://{url}")
    }
}

/// Returns the options with the slash that trurl puts before a path.
fn with_slash(edits: &[String]) -> Vec<String> {
    let slash = |edit: &String| match edit.strip_prefix("path=") {
        Some(path) if !path.starts_with('/') => format!("path=/{path}"),
        _ => edit.clone(),
    };
    let of_set = |at: usize| at > 0 && matches!(edits[at - 1].as_str(), "-s" | "--set");
    let edits = edits.iter().enumerate();
    edits
        .map(|(at, edit)| {
            if of_set(at) {
                slash(edit)
            } else {
                edit.clone()
            }
        })
        .collect()
}

/// Returns true if a template consists of a single reference.
fn is_url(template: &str) -> bool {
    let field = template
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    field.and_then(|field| field.rsplit(':').next()) == Some("url")
}
