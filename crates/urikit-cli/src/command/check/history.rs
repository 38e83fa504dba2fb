//! `--store`, `--baseline` and `--since`: use the results of earlier runs and commits.

use super::warn;
use crate::exit::{Exit, Stop};
use crate::report::io_message;
use crate::safe::safe;
use crate::screen::say;
use crate::style::ERROR;
use clap::ValueHint;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;
use urikit_check::store::{Ages, FailAfter, Store, StoredProber, parse_days, today};
use urikit_check::{
    Baseline, Changes, Check, DamagedLines, Outcome, Prober, Profile, Reason, Report, Severities,
    Since, Source, State, StateError,
};

/// The maximum time to wait while another run writes the store.
const LOCK_LIMIT: Duration = Duration::from_secs(30);

/// Options that concern earlier runs and commits.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Earlier runs")]
pub(super) struct History {
    /// Keep the results of requests in FILE, one line per URL, and use them in later runs
    ///
    /// The file is meant to be committed: it contains dates without times, and a line changes only
    /// if its outcome changes or half of --max-age has passed. Lines for URLs that are no longer
    /// linked are removed.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    store: Option<PathBuf>,

    /// With --store, do not request a URL again if its last success is more recent than DAYS, such
    /// as 7d
    #[arg(long, value_name = "DAYS", value_parser = parse_days, default_value = "7d")]
    max_age: u32,

    /// With --store, count a link as broken only after a STREAK of failures, such as 3 (runs) or
    /// 7d
    ///
    /// Until then, the link is unverifiable.
    #[arg(long, value_name = "STREAK", value_parser = str::parse::<FailAfter>, default_value = "1")]
    fail_after: FailAfter,

    /// Request nothing: links without a recent result in --store are errors (not-in-store)
    #[arg(long, requires = "store")]
    check_store: bool,

    /// Treat the failures listed in FILE as notes, and an entry that no longer fails as an error
    /// (baseline-stale)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    baseline: Option<PathBuf>,

    /// Remove the stale entries from --baseline; create the file if it does not exist
    #[arg(long, requires = "baseline")]
    update_baseline: bool,

    /// Check only the links that may have been broken since the merge base of REF and HEAD
    ///
    /// This selects the links on added lines, and all links to a file, an id or a redirect that
    /// was removed.
    #[arg(long, value_name = "REF")]
    since: Option<String>,

    /// Record the progress in FILE, and continue from it if an earlier run was killed
    ///
    /// URLs for which an answer was received are not requested again. FILE also contains the pages
    /// that were read, and is removed at the end of a complete run.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["offline", "check_store", "dump", "explain"])]
    state: Option<PathBuf>,
}

/// The state of a run, and the path of its file.
pub(super) struct OpenState {
    path: PathBuf,
    pub(super) state: State,
}

impl OpenState {
    /// Finishes writing the state, and removes its file if the run is complete. Reports errors, and
    /// returns false if there were any.
    pub(super) fn end(self, is_complete: bool) -> bool {
        let written = self.state.finish();
        let removed = if is_complete {
            self.state.remove()
        } else {
            Ok(())
        };
        for error in [&written, &removed]
            .into_iter()
            .filter_map(|it| it.as_ref().err())
        {
            warn(&self.path, &io_message(error));
        }
        written.is_ok() && removed.is_ok()
    }
}

/// The report on a run, and the baseline.
pub(super) struct Checked {
    pub(super) report: Report,
    pub(super) baseline: Option<Baseline>,
    /// True if a file could not be read or written.
    pub(super) has_failed: bool,
}

impl History {
    /// Opens the state file. `of` describes the run.
    ///
    /// # Errors
    ///
    /// Reports an error, and returns the exit status.
    pub(super) fn state(&self, of: &str, is_quiet: bool) -> Result<Option<OpenState>, Exit> {
        let Some(path) = &self.state else {
            return Ok(None);
        };
        match State::open(path, of) {
            Ok(state) => {
                if !state.is_empty() && !is_quiet {
                    let path = path.to_string_lossy();
                    say!("continuing from {}: {} URLs", safe(&path), state.len());
                }
                let path = path.clone();
                Ok(Some(OpenState { path, state }))
            }
            Err(error) => {
                let message = match &error {
                    StateError::Io(error) => io_message(error),
                    error => error.to_string(),
                };
                warn(path, &message);
                Err(Exit::Io)
            }
        }
    }

    /// Returns the paths of the store, the baseline and the state, which contain URLs but are not
    /// documents.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let files = [&self.store, &self.baseline, &self.state];
        let files = files.into_iter().flatten();
        files
            .filter_map(|file| std::fs::canonicalize(file).ok())
            .collect()
    }

    /// Restricts the run to the links that a change can break.
    pub(super) fn restrict(&self, check: Check, profile: Option<Profile>) -> Result<Check, Stop> {
        let Some(reference) = &self.since else {
            return Ok(check);
        };
        let folder = std::env::current_dir()?;
        let since = Changes::since(&folder, reference).and_then(|found| Since::new(found, profile));
        let since =
            since.map_err(|error| Stop::usage("check", format!("--since {reference}: {error}")))?;
        Ok(check.since(since))
    }

    /// Runs the check with the store and the baseline.
    pub(super) fn run(
        &self,
        check: Check,
        sources: impl Iterator<Item = Source> + Send,
        prober: &dyn Prober,
        accepted: &[RangeInclusive<u16>],
        severities: &Severities,
    ) -> Checked {
        let mut has_failed = false;
        let stop = check.stop();
        let mut report = match &self.store {
            None => check.run(sources, prober),
            Some(path) => {
                let ages = Ages {
                    max_age: self.max_age,
                    fail_after: self.fail_after,
                };
                match Store::read(path, ages, today()) {
                    Ok((store, damaged)) => {
                        report_damage(path, &damaged);
                        let accepts = |status| accepted.iter().any(|range| range.contains(&status));
                        let inner = (!self.check_store).then_some(prober);
                        let prober = StoredProber::new(store, inner).accept(&accepts);
                        let report = check.run(sources, &prober);
                        let is_stopped = stop.load(std::sync::atomic::Ordering::Relaxed);
                        let is_complete = !is_stopped && report.failures().is_empty();
                        has_failed |= !self.write(path, prober.into_store(), &report, is_complete);
                        report
                    }
                    Err(error) => {
                        warn(path, &io_message(&error));
                        has_failed = true;
                        check.run(sources, prober)
                    }
                }
            }
        };
        let baseline = self.baseline.as_ref().map(|path| {
            let (baseline, is_good) = self.compare(path, &mut report, severities);
            has_failed |= !is_good;
            baseline
        });
        Checked {
            report,
            baseline,
            has_failed,
        }
    }

    /// Writes the store. Returns false if the file could not be written.
    fn write(&self, path: &Path, mut store: Store, report: &Report, is_complete: bool) -> bool {
        if self.check_store {
            return true;
        }
        for document in report.documents() {
            document.links().for_each(|checked| store.learn(&checked));
        }
        let is_complete = is_complete && self.since.is_none();
        let result = store.write(path, is_complete, LOCK_LIMIT);
        if let Err(error) = &result {
            warn(path, &io_message(error));
        }
        result.is_ok()
    }

    /// Compares the results with the baseline. Returns the baseline, and false if the file cannot
    /// be read or written.
    fn compare(
        &self,
        path: &Path,
        report: &mut Report,
        severities: &Severities,
    ) -> (Baseline, bool) {
        let (mut baseline, damaged) = match Baseline::read(path) {
            Ok(read) => read,
            Err(error) => {
                warn(path, &io_message(&error));
                return (Baseline::default(), false);
            }
        };
        report_damage(path, &damaged);
        let is_new = self.update_baseline && !path.exists();
        for document in report.documents() {
            for checked in document.links() {
                if is_new {
                    baseline.add_failures(&checked, severities);
                }
                baseline.observe(&checked);
            }
        }
        // A baseline entry is stale only if this run read its file, or if the file is gone.
        let stale = {
            let read = report.documents().filter(|document| self.is_read(document));
            let plain = |name: &str| name.strip_prefix("./").unwrap_or(name).to_owned();
            let names: HashSet<String> = read.map(|document| plain(document.name())).collect();
            baseline.stale(&|file| names.contains(file) || !Path::new(file).exists())
        };
        let mut is_good = true;
        if self.update_baseline {
            baseline.remove(&stale);
            if is_new || !stale.is_empty() {
                let result = baseline.write(path);
                if let Err(error) = &result {
                    warn(path, &io_message(error));
                }
                is_good = result.is_ok();
            }
        } else {
            for known in stale {
                report.add_finding(known.finding());
            }
        }
        (baseline, is_good)
    }

    /// Returns true if the run checked all links in a document.
    fn is_read(&self, document: &urikit_check::DocumentReport<'_>) -> bool {
        let is_interrupted = |checked: urikit_check::Checked| {
            checked.outcome == Outcome::NotChecked(Reason::Interrupted)
        };
        self.since.is_none() && !document.links().any(is_interrupted)
    }
}

/// Reports damaged lines, which are skipped.
fn report_damage(path: &Path, damaged: &DamagedLines) {
    let path = path.to_string_lossy();
    for (line, problem) in &damaged.first {
        say!(
            "{ERROR}uri: {}:{line}{ERROR:#}: skipped: {}",
            safe(&path),
            safe(problem)
        );
    }
    let more = damaged.count - damaged.first.len();
    if more > 0 {
        say!(
            "{ERROR}uri: {}{ERROR:#}: skipped {more} more lines",
            safe(&path)
        );
    }
}
