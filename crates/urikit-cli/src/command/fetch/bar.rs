//! A progress bar on standard error, for transfers that take over a second.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};
use urikit_access::Metadata;

/// A progress bar that is shown if that is useful.
pub(super) struct Bar {
    is_wanted: bool,
    begun: Instant,
    size: Option<u64>,
    received: u64,
    entries: u64,
    shown: Option<ProgressBar>,
    /// The other bars, and a label to tell it from them.
    others: Option<(MultiProgress, String)>,
}

/// The longest label, in characters.
const MAX_LABEL: usize = 40;

impl Bar {
    /// A bar by itself, or one of several, with its label.
    pub(super) fn new(is_wanted: bool, others: Option<(&MultiProgress, String)>) -> Self {
        let shortened = |label: String| match label.char_indices().nth_back(MAX_LABEL) {
            Some((at, _)) => format!("…{}", label.get(at..).unwrap_or_default()),
            None => label,
        };
        Self {
            others: others.map(|(bars, label)| (bars.clone(), shortened(label))),
            is_wanted: is_wanted && std::io::stderr().is_terminal(),
            begun: Instant::now(),
            size: None,
            received: 0,
            entries: 0,
            shown: None,
        }
    }

    /// Never shows it, if so.
    pub(super) const fn hide_if(&mut self, is_hidden: bool) {
        self.is_wanted &= !is_hidden;
    }

    pub(super) fn begin(&mut self, known: &Metadata) {
        self.size = known.size;
        self.received = known.offset;
    }

    pub(super) fn add(&mut self, bytes: usize) {
        self.received = self.received.saturating_add(bytes as u64);
        self.show();
    }

    pub(super) fn add_entry(&mut self) {
        self.entries += 1;
        self.show();
    }

    fn show(&mut self) {
        if !self.is_wanted || self.begun.elapsed() < Duration::from_secs(1) {
            return;
        }
        let (size, others) = (self.size, &self.others);
        let bar = self.shown.get_or_insert_with(|| {
            let (bar, template) = match size {
                Some(size) => (
                    ProgressBar::new(size),
                    "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
                ),
                None => (
                    ProgressBar::no_length(),
                    "{spinner} {bytes} {bytes_per_sec} {msg}",
                ),
            };
            let template = match others {
                Some(_) => format!("{{prefix}} {template}"),
                None => template.to_owned(),
            };
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            match others {
                Some((bars, label)) => bars.add(bar).with_prefix(label.clone()),
                None => bar,
            }
        });
        bar.set_position(self.received);
        if self.entries > 0 {
            bar.set_message(format!("{} entries", self.entries));
        }
    }

    /// Removes the bar, before anything else is written.
    pub(super) fn clear(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }

    pub(super) fn end(&mut self) {
        self.clear();
    }
}
