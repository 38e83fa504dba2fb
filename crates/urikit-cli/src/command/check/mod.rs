//! `uri check`: checks the links in files, folders and sites.
//!
//! The crate `urikit-check` does the work. This module converts the options to the crate's types,
//! and prints the report.

mod config;
mod fixing;
mod history;
mod network;
mod options;
mod text;

pub(crate) use config::with_config;

use crate::closed::stdin;
use crate::exit::{Exit, Stop};
use crate::input::matching;
use crate::options::words;
use crate::report::skipped_message;
use crate::safe::safe;
use crate::screen::say;
use crate::stdout::{colored, stdout};
use crate::style::ERROR;
use crate::usage;
use crate::walk::{self, Walking};
use clap::ValueHint;
use history::History;
use network::{NetworkOptions, RecursionOptions};
use options::{Choice, OutputFormat, SiteOption};
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use urikit_check::report::Summary;
use urikit_check::{
    Check, Grades, Offline, Preset, Prober, Profile, Report, Rule, Severities, Severity, Site,
    Source,
};
use urikit_extract::document::Format;

/// Check the links in files, folders and sites
///
/// Reads every format that `uri extract` reads. The command searches folders as ripgrep does. Each
/// reference is resolved against the document that contains it, and then looked up in the file
/// system, in a --site, or in the checkout if it refers to one of the project's pages on its forge.
/// Fragments are also checked: ids, headings, lines (#L10-L20) and text (#:~:text=…).
///
/// Other links are requested from their servers (http, https, ftp, gopher, gemini, spartan, nex,
/// finger, news, nntp, wais, prospero). Each URL is requested once, starting with HEAD, and once
/// more after a failure. The command obeys robots.txt, except that of the site being checked. If a
/// host limits the rate of requests, requests to it pause, while requests to other hosts continue.
/// Only public addresses are allowed, unless you add --allow-host or --allow-private. After Ctrl-C,
/// the command reports its results so far.
///
/// Each link has one outcome: ok, broken, unverifiable or not-checked. Each kind of outcome or
/// finding has a rule, whose severity can be changed with --severity. Errors and warnings are
/// printed; -v adds notes. To exclude links, write `uri-check: ignore` in a comment on their line,
/// or `uri-check: ignore-next-line` on the line before.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri check README.md docs/
  uri check --site https://example.org/docs/=./public ./public
  uri check --site https://example.org/=dist --preset netlify dist
  uri check --exclude '^https://staging\\.' --severity fragment-missing=warning .
  uri check --explain https://example.org/docs/a --site https://example.org/docs/=./public
  uri check --dump docs/
  uri check --recursive --scope https://example.org/docs/ https://example.org/docs/
  uri check --header 'api.example.org: Authorization: Bearer $TOKEN' https://example.org/

Rules, with their default severities:
  broken              error    the target does not exist
  fragment-missing    error    the target exists, but not the part named by the fragment
  wrong-case          error    the file name differs in case; the link only works on some systems
  outside-site        error    the path leads out of the site or the repository
  tls                 error    the certificate is not valid
  ambiguous           warning  parsers disagree about the reference
  unused-exclusion    warning  an --exclude option excludes nothing
  redirect-home       warning  the server redirects a page to its home page
  redirect-other-domain
                      warning  the server redirects to another domain
  redirect-permanent  note     the target has moved
  unverifiable        note     the target could not be checked
  not-checked         note     the link was not checked
  not-followed        note     a rule kept --recursive from reading some pages
  redirect-temporary  off      the server redirects temporarily
  insecure            off      the target is also available over https; a warning with --https
  parked              off      the domain is parked; a warning with --probe
  soft-404            off      the server sends the page for missing paths, too; a warning with
                               --probe

Exit status:
  0  no finding at or above --fail-on
  1  at least one such finding
  2  usage error
  3  something could not be read or written, or the run was interrupted

Environment:
  GITHUB_TOKEN, GITLAB_TOKEN
     tokens for the APIs of github.com and gitlab.com, used to check links to private projects
  http_proxy, https_proxy, all_proxy, no_proxy
     proxies, as for `uri fetch`

Files:
  uri.toml  its section [check] has options without leading hyphens: exclude = [\"^http://\"]")]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// Files, folders, patterns in quotes, such as 'docs/**/*.md', and URLs of pages; `-` is
    /// standard input
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Format of the documents, such as markdown or html [default: detected from names and
    /// contents]
    ///
    /// FORMAT is one of text, html, mail, markdown, xml, css, csv, tsv, rst, asciidoc, org, latex,
    /// roff, jupyter, icalendar, har, gemtext and wat. The option has no effect on pages of
    /// servers.
    #[arg(
        long = "as",
        value_name = "FORMAT",
        value_parser = words::<Format>(Format::ALL.map(Format::as_str)),
        hide_possible_values = true
    )]
    input: Option<Format>,

    /// Look up URLs that begin with PREFIX in FOLDER; may be repeated, and the longest prefix wins
    ///
    /// The order of precedence is: the exact file, `_redirects` and `netlify.toml`, the rules of
    /// --preset, and finally the status 404. URLs with the prefix are never requested from a
    /// server, and other URLs are never looked up in the folder.
    #[arg(long = "site", value_name = "PREFIX=FOLDER", value_parser = options::site)]
    sites: Vec<SiteOption>,

    /// Hosting service whose rules for index files and extensions apply to the sites: plain,
    /// github-pages, gitlab-pages, netlify, vercel or cloudflare-pages
    #[arg(
        long,
        value_name = "NAME",
        value_parser = words::<Preset>(Preset::ALL.map(Preset::name)),
        hide_possible_values = true,
        hide_default_value = true,
        default_value_t = Preset::default()
    )]
    preset: Preset,

    /// Print how a URL is mapped to a file, and exit
    #[arg(long, value_name = "URL")]
    explain: Option<String>,

    /// Tool that makes ids from headings [default: detected from the site's files, otherwise
    /// github]
    ///
    /// TOOL is one of github, mdbook, mkdocs, sphinx, pandoc, rustdoc, gitlab, docusaurus,
    /// vitepress and hugo.
    #[arg(
        long,
        value_name = "TOOL",
        value_parser = words::<Profile>(Profile::ALL.map(Profile::name)),
        hide_possible_values = true
    )]
    slugs: Option<Profile>,

    /// Do not check fragments
    #[arg(long)]
    no_fragments: bool,

    /// Do not use the checkout to look up the project's pages on its forge
    #[arg(long)]
    no_forge: bool,

    #[command(flatten)]
    choice: Choice,

    /// The statuses given with --accept.
    #[arg(skip)]
    accepted: Vec<std::ops::RangeInclusive<u16>>,

    /// Make no requests: links to other servers are not checked
    #[arg(long)]
    offline: bool,

    #[command(flatten)]
    recursion: RecursionOptions,

    #[command(flatten)]
    network: NetworkOptions,

    /// Print the targets of the links that would be checked, and exit
    #[arg(long)]
    dump: bool,

    /// Set the severity of a rule: error, warning, note or off; may be repeated
    #[arg(long, value_name = "RULE=LEVEL", value_parser = options::severity)]
    severity: Vec<options::SeverityOption>,

    /// Exit with status 1 if a finding has at least this severity: error, warning, note or off
    /// (which is the same as note)
    #[arg(
        long,
        value_name = "LEVEL",
        value_parser = words::<Severity>(Severity::ALL.map(Severity::name)),
        hide_possible_values = true,
        default_value_t = Severity::Error
    )]
    fail_on: Severity,

    /// Print the report as text, json, jsonl, sarif, junit, github, markdown, gitlab or html
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = words::<OutputFormat>(OutputFormat::NAMES.iter().copied()),
        hide_possible_values = true,
        default_value = "text"
    )]
    format: OutputFormat,

    #[command(flatten)]
    history: History,

    /// Fix references in the files: follow permanent redirects, use https, correct the case, and
    /// update references to moved files and to ids that are missing but similar to existing ones
    ///
    /// A moved file is found through Git's history, or else by its name if only one file has that
    /// name. Only the bytes of the reference change, and only if the file has not changed since it
    /// was read. The report shows the links as they were before the corrections.
    #[arg(long)]
    fix: bool,

    /// With --fix, print a patch for `git apply` instead of the report
    #[arg(long, requires = "fix")]
    dry_run: bool,

    /// Read options from the section [check] of FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, default_value = config::FILE)]
    config: PathBuf,

    /// Ignore uri.toml
    #[arg(long)]
    no_config: bool,

    /// Print the options in effect and where they come from, and exit
    #[arg(long)]
    explain_config: bool,

    /// Print notes, too
    #[arg(short, long)]
    verbose: bool,

    /// Print nothing; only set the exit status
    #[arg(short, long)]
    quiet: bool,

    /// Names in --files-from end with a NUL, not a newline
    #[arg(short = '0', long)]
    null: bool,

    #[command(flatten)]
    walking: Walking,

    /// Use at most N threads and make at most N requests at a time; 0 means one thread per core and
    /// up to 256 requests
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    jobs: usize,
}

/// Checks all links.
pub(crate) fn run(mut arguments: Arguments) -> Result<Exit, Stop> {
    if arguments.walking.type_list {
        stdout().write_all(walk::type_list().as_bytes())?;
        return Ok(Exit::Good);
    }
    let check = arguments.check()?;
    if let Some(url) = &arguments.explain {
        let mut out = stdout();
        for step in check.explain(url) {
            writeln!(out, "{}", safe(&step))?;
        }
        out.flush()?;
        return Ok(Exit::Good);
    }
    let paths = std::mem::take(&mut arguments.paths);
    if paths.is_empty() && arguments.walking.files_from.is_empty() {
        if io::stdin().is_terminal() {
            return Ok(usage::no_files("check"));
        }
        return arguments.report(check, vec![PathBuf::from("-")]);
    }
    arguments.report(check, paths)
}

impl Arguments {
    /// Converts the options.
    fn check(&mut self) -> Result<Check, Stop> {
        let folder = std::env::current_dir()?;
        self.accepted = self.choice.accepted();
        let mut check = Check::new()
            .selection(self.choice.selection())
            .profile(self.slugs)
            .format(self.input)
            .fragments(!self.no_fragments)
            .forges(!self.no_forge)
            .moved(self.fix)
            .folder(folder)
            .recursion(self.recursion.recursion())
            .jobs(self.jobs);
        for option in &self.sites {
            let site = Site::new(&option.prefix, &option.folder, self.preset);
            check = check.site(site.map_err(|error| {
                let message = format!(
                    "--site {}={}: {error}",
                    option.prefix,
                    option.folder.display()
                );
                Stop::usage("check", message)
            })?);
        }
        self.history.restrict(check, self.slugs)
    }

    /// Returns the prober that checks links to servers.
    fn prober(&self, check: &Check, paths: &[PathBuf]) -> Result<Box<dyn Prober>, Stop> {
        if self.offline {
            return Ok(Box::new(Offline));
        }
        let network = self.network.network(self.jobs, self.quiet);
        let network = network.map_err(|message| Stop::usage("check", message))?;
        let mut network = network.stop(check.stop());
        let pages = paths.iter().filter_map(|path| path.to_str());
        let sites = self.sites.iter().map(|site| site.prefix.as_str());
        for url in pages.filter(|path| is_url(path)).chain(sites) {
            network = network.own_site(url);
        }
        Ok(Box::new(network))
    }

    /// Describes a run for the state file: its paths, and the options that change the results.
    fn description(&self, paths: &[PathBuf]) -> String {
        let paths = paths.iter().map(|path| path.to_string_lossy());
        let options = self.recursion.description().into_iter();
        let options = options.chain(self.network.description());
        let words: Vec<_> = paths.chain(options.map(Cow::Owned)).collect();
        words.join(" ")
    }

    /// Checks the links in `paths`, and prints the report.
    fn report(mut self, check: Check, paths: Vec<PathBuf>) -> Result<Exit, Stop> {
        let prober = self.prober(&check, &paths)?;
        let state = match self.history.state(&self.description(&paths), self.quiet) {
            Ok(state) => state,
            Err(exit) => return Ok(exit),
        };
        let walker = self.walking.walker("check")?;
        let lists = std::mem::take(&mut self.walking.files_from);
        let end = if self.null { b'\0' } else { b'\n' };
        let paths = paths.into_iter().flat_map(expanded).collect();
        let own = self.history.files();
        let is_document = move |found: &walk::Source| match found {
            walk::Source::Found(path, _) => !own.iter().any(|own| is_same(own, path)),
            _ => true,
        };
        let sources = walk::sources(paths, lists, end, walker);
        let sources = sources.filter(is_document).map(source);
        if self.dump {
            return dump(&check.list(sources));
        }
        let stop = check.stop();
        network::stop_at_signals(&stop)?;
        let mut severities = Severities::default();
        if self.network.https {
            severities.set(Rule::Insecure, Severity::Warning);
        }
        if self.network.probe {
            severities.set(Rule::Parked, Severity::Warning);
            severities.set(Rule::Soft404, Severity::Warning);
        }
        for option in &self.severity {
            severities.set(option.rule, option.severity);
        }
        let run = |prober: &dyn Prober| {
            self.history
                .run(check, sources, prober, &self.accepted, &severities)
        };
        let checked = match &state {
            Some(state) => run(&state.state.prober(&*prober, Arc::clone(&stop))),
            None => run(&*prober),
        };
        let is_interrupted = stop.load(Ordering::Relaxed);
        let report = checked.report;
        let grades = Grades::new(&severities, checked.baseline.as_ref()).fail_on(self.fail_on);
        for failure in report.failures() {
            warn(Path::new(&failure.name), &failure.reason);
        }
        if let Some(first) = report.skipped().first().filter(|_| !self.quiet) {
            let count = u64::try_from(report.skipped().len()).unwrap_or(u64::MAX);
            let message = skipped_message(count);
            say!("uri: {}: {message}", safe(first));
        }
        let mut has_failed = checked.has_failed || !report.failures().is_empty() || is_interrupted;
        if self.fix {
            let mut out = stdout();
            let patch = self.dry_run.then_some(&mut out as &mut dyn io::Write);
            has_failed |= !fixing::fix_files(&report, &grades, patch)?;
            out.flush()?;
        }
        if !self.quiet && !self.dry_run {
            self.print(&report, &grades)?;
        }
        if is_interrupted {
            say!("{ERROR}uri: interrupted{ERROR:#}: the remaining links were not checked");
        }
        // Save the state last: if saving fails, the report has already been written.
        if let Some(state) = state {
            has_failed |= !state.end(!is_interrupted);
        }
        let summary = Summary::of(&report, &grades)?;
        let mut found = summary.severities.iter().filter(|(_, count)| **count > 0);
        Ok(match found.any(|(severity, _)| grades.fails(*severity)) {
            _ if has_failed => Exit::Io,
            true => Exit::No,
            false => Exit::Good,
        })
    }

    /// Prints the report.
    fn print(&self, report: &Report, grades: &Grades<'_>) -> io::Result<()> {
        match self.format {
            OutputFormat::Text => {
                let least = if self.verbose {
                    Severity::Note
                } else {
                    Severity::Warning
                };
                let mut out = colored();
                text::write(report, grades, least, &mut out)?;
                network::hosts(report.hosts(), self.verbose, &mut out)?;
                out.flush()
            }
            OutputFormat::Report(format) => {
                let mut out = io::BufWriter::new(stdout());
                urikit_check::report::write(format, report, grades, &mut out)?;
                out.flush()
            }
        }
    }
}

/// Returns true if `path` names the file whose canonical path is `own`.
fn is_same(own: &Path, path: &Path) -> bool {
    own.file_name() == path.file_name() && path.canonicalize().is_ok_and(|path| path == own)
}

/// Reports an error about a file.
fn warn(path: &Path, message: &str) {
    say!(
        "{ERROR}uri: {}{ERROR:#}: {}",
        safe(&path.to_string_lossy()),
        safe(message)
    );
}

/// Returns the files that match a pattern given in quotes. A path that exists is not treated as a
/// pattern. A pattern that matches nothing is kept as a path, so that an error is reported when it
/// is opened.
fn expanded(path: PathBuf) -> Vec<PathBuf> {
    let pattern = path
        .to_str()
        .filter(|text| text.contains(['*', '?', '[']) && !is_url(text));
    match pattern.filter(|_| !path.exists()).map(matching) {
        Some(Ok(paths)) => paths,
        _ => vec![path],
    }
}

/// Converts a source that the walker found to the type that `urikit-check` reads.
fn source(source: walk::Source) -> Source {
    let name = source.name();
    match source {
        walk::Source::Stdin => {
            let mut content = Vec::new();
            match stdin().and_then(|mut stdin| stdin.read_to_end(&mut content)) {
                Ok(_) => Source::text(name, content),
                Err(error) => Source::unreadable(name, crate::report::io_message(&error)),
            }
        }
        walk::Source::File(path) if is_url(&name) && !path.exists() => Source::url(name),
        walk::Source::File(path) => Source::file(path),
        walk::Source::Found(path, length) => {
            let folder: PathBuf = path.components().take(length).collect();
            let folder = if length == 0 {
                Path::new(".").to_owned()
            } else {
                folder
            };
            Source::found(path, folder)
        }
        walk::Source::Unreadable(_, error) => {
            Source::unreadable(name, crate::report::io_message(&error))
        }
    }
}

/// Returns true if a path is the URL of a page.
fn is_url(path: &str) -> bool {
    let schemes = ["https://", "http://", "gemini://", "spartan://"];
    schemes.iter().any(|scheme| path.starts_with(scheme))
}

/// Prints the targets of the links that are not excluded.
fn dump(report: &Report) -> Result<Exit, Stop> {
    let mut out = stdout();
    for document in report.documents() {
        for checked in document.links() {
            let is_excluded = checked.outcome.reason() == Some(&urikit_check::Reason::Excluded);
            if !is_excluded {
                let link = checked.link;
                writeln!(out, "{}", safe(&link.target.unwrap_or(link.reference)))?;
            }
        }
    }
    out.flush()?;
    Ok(if report.failures().is_empty() {
        Exit::Good
    } else {
        Exit::Io
    })
}
