//! Finds files that have moved, for links to their old paths.

use super::{Run, lock};
use crate::document::file_url;
use crate::moved::Places;
use crate::site::{decode_path, push_path};
use crate::table::Answer;
use crate::{Outcome, Reason};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use urikit::Iri;

/// A target whose file does not exist.
struct Missing {
    target: usize,
    /// The path relative to the folder.
    path: PathBuf,
}

/// A folder, and the prefix of its files' URLs.
type Root = (PathBuf, String);

impl Run {
    /// For each target whose file is missing, records the new URL of the file as the answer, if
    /// known.
    pub(super) fn find_moved(&self) {
        for ((folder, prefix), missing) in self.missing() {
            let paths: Vec<_> = missing.iter().map(|missing| &*missing.path).collect();
            let places = Places::find(&folder, &paths);
            let mut table = lock(&self.table);
            for Missing { target, path } in &missing {
                let new = places.of(path);
                let url = new.and_then(|new| {
                    let mut url = prefix.clone();
                    push_path(&mut url, new)?;
                    Some(url)
                });
                if let (Some(to), Some(target)) = (url, table.targets.get_mut(*target)) {
                    target.answer = Outcome::Broken(Reason::Moved { to }).into();
                }
            }
        }
    }

    /// Returns the targets whose files do not exist, grouped by folder.
    fn missing(&self) -> BTreeMap<Root, Vec<Missing>> {
        let table = lock(&self.table);
        let mut missing: BTreeMap<Root, Vec<Missing>> = BTreeMap::new();
        for (number, target) in table.targets.iter().enumerate() {
            let Answer::Other(other) = &target.answer else {
                continue;
            };
            if !matches!(other.outcome, Outcome::Broken(Reason::NoSuchFile { .. })) {
                continue;
            }
            let url = table.strings.get(target.url);
            if let Some((root, path)) = self.place_of(url) {
                let target = number;
                missing
                    .entry(root)
                    .or_default()
                    .push(Missing { target, path });
            }
        }
        missing
    }

    /// Returns the folder of the site or repository to which a URL belongs, and the path in this
    /// folder.
    fn place_of(&self, url: &str) -> Option<(Root, PathBuf)> {
        let path = url.split('?').next().unwrap_or_default();
        let (root, inner) = if let Some(path) = path.strip_prefix("file://") {
            let path = decode_path(path)?.into_owned();
            let folder = self.bases.start_of(Path::new(&path))?;
            let inner = Path::new(&path).strip_prefix(&folder).ok()?.to_owned();
            let prefix = file_url(&folder)?;
            ((folder, prefix), inner)
        } else {
            let url = Iri::parse(path).ok()?.normalize().to_string();
            let site = self.check.sites.of(&url)?;
            let inner = url.strip_prefix(site.prefix())?;
            let inner = PathBuf::from(decode_path(inner)?.into_owned());
            let folder = site.folder().to_owned();
            ((folder, site.prefix().to_owned()), inner)
        };
        let is_file = !path.ends_with('/') && inner.file_name().is_some();
        is_file.then_some((root, inner))
    }
}
