//! What a person would type here for a command line of trurl.
//!
//! trurl normalises each URL that it reads, sets components, and prints: so do `uri normalize`, `uri edit` and
//! `uri get`, each for itself. Its texts are data, as with `--raw`. It guesses schemes and adds slashes, and nothing
//! here does: where a row has more in it than that, what it would add is written out.

use crate::line::Line;
use crate::support::{Outcome, uri};
use crate::template::translate;

/// Commands, each of which has the lines of the one before as its references.
pub(crate) struct Plan {
    urls: Vec<String>,
    stages: Vec<Stage>,
    /// The standard: RFC 3987 where trurl is given more than US-ASCII.
    pub(crate) standard: &'static str,
    /// Whether the answer is components, and no references or JSON.
    pub(crate) is_template: bool,
    /// Whether components in JSON are as written.
    pub(crate) urlencode: bool,
    /// Whether a scheme or slash is written out that trurl would add.
    pub(crate) is_written_out: bool,
}

/// The words before the references, and those behind.
struct Stage {
    before: Vec<String>,
    behind: Vec<String>,
}

impl Stage {
    fn new(before: &[&str], behind: &[String]) -> Self {
        Self {
            before: before.iter().map(|&word| word.to_owned()).collect(),
            behind: behind.to_vec(),
        }
    }
}

impl Plan {
    /// The commands, or what nothing here does.
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
            // Nothing but options: they make a reference of the empty one.
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

    /// Runs one command after the other, until one of them finds something wrong.
    pub(crate) fn run(&self) -> Outcome {
        let mut references = self.urls.clone();
        let mut outcome = None;
        for stage in &self.stages {
            let mut words = stage.before.clone();
            words.splice(1..1, ["--standard", self.standard].map(str::to_owned));
            words.extend(references);
            words.extend(stage.behind.iter().cloned());
            let done = uri(words);
            if done.status != 0 {
                return done;
            }
            references = done.out.lines().map(str::to_owned).collect();
            outcome = Some(done);
        }
        outcome.expect("a command at least")
    }
}

fn stages(line: &Line) -> Vec<Stage> {
    let mut stages = vec![Stage::new(&["normalize", "--level", "path"], &[])];
    if let Some(reference) = &line.redirect {
        // What was read is the base, and stands behind the option.
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
        stages.push(Stage::new(
            &[&["edit", "--raw"], json].concat(),
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
            stage.behind.push("--quiet".to_owned());
        }
    }
    stages
}

/// The URL with the scheme that curl guesses by the host's first label.
fn with_scheme(url: &str) -> String {
    if url.is_empty() || url.contains("://") {
        url.to_owned()
    } else if url.starts_with("ftp.") {
        format!("ftp://{url}")
    } else {
        format!("http://{url}")
    }
}

/// The options with the slash that trurl puts before a path.
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

/// Whether a template gives a reference and nothing else.
fn is_url(template: &str) -> bool {
    let field = template
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    field.and_then(|field| field.rsplit(':').next()) == Some("url")
}
