//! Selects the entries whose content a reader of an office document or e-book sees.
//!
//! All other entries describe the document or the archive: manifests, relationships, styles,
//! settings and metadata. In an Office Open XML document, the relationships of a part are read
//! before the part, because they contain the targets of the part's hyperlinks.

use super::Problem;
use super::archives::zip_problem;
use super::limits::Unpacked;
use super::walk::{Flow, ReadSeek, Walk, in_memory};
use crate::document::TooLong;
use crate::found::Location;
use crate::markup::office::{
    Part, Relationship, SharedStrings, relationships, shared_strings, sheets_and_slides,
};
use core::ops::ControlFlow;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use zip::ZipArchive;

/// The maximum size of a part with relationships, or with the list of sheets or slides, in bytes.
/// An Excel sheet has at most 65,530 hyperlinks.
const MAX_LIST: usize = 16 << 20;

type Archive<'a> = ZipArchive<&'a mut dyn ReadSeek>;

/// The kind of a package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    OpenXml,
    OpenDocument,
    Epub,
}

/// The role of an entry in its package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// An entry that is not visible to readers of the document.
    Hidden,
    /// A part of an office document.
    Part,
    /// An ordinary file, such as a page of a book or an embedded document.
    File,
}

/// A document in an archive.
pub(super) struct Package {
    kind: Kind,
    /// The sheet or slide that each part belongs to, by the name of the part.
    locations: HashMap<String, Location>,
    strings: Option<Arc<SharedStrings>>,
}

impl Package {
    /// Recognizes a document from the names of its entries, and reads its lists of sheets or
    /// slides. Returns `None` for other archives.
    pub(super) fn open(
        walk: &mut Walk<'_>,
        path: &str,
        archive: &mut Archive<'_>,
    ) -> Result<Option<Self>, Flow> {
        let Some(kind) = kind(archive) else {
            return Ok(None);
        };
        let mut package = Self {
            kind,
            locations: HashMap::new(),
            strings: None,
        };
        if kind == Kind::OpenXml {
            package.read_lists(walk, path, archive)?;
        }
        Ok(Some(package))
    }

    /// Returns the role of the entry with this name.
    pub(super) fn role(&self, name: &str) -> Role {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let extension = extension(file);
        let is = |extensions: &[&str]| {
            extensions
                .iter()
                .any(|known| extension.eq_ignore_ascii_case(known))
        };
        match self.kind {
            Kind::Epub
                if folder == "META-INF"
                    || name == "mimetype"
                    || is(&["opf", "ncx", "css", "js"]) =>
            {
                Role::Hidden
            }
            Kind::OpenDocument if matches!(file, "content.xml" | "styles.xml") => Role::Part,
            Kind::OpenDocument
                if folder == "META-INF"
                    || name == "mimetype"
                    || folder.starts_with("Configurations2")
                    || folder == "Thumbnails"
                    || is(&["xml", "rdf"]) =>
            {
                Role::Hidden
            }
            Kind::OpenXml if is(&["rels", "vml"]) || !is_in_document(name) && is(&["xml"]) => {
                Role::Hidden
            }
            Kind::OpenXml if is(&["xml"]) => Role::Part,
            _ => Role::File,
        }
    }

    /// Reads the targets of a part's hyperlinks.
    pub(super) fn part(
        &self,
        walk: &mut Walk<'_>,
        path: &str,
        archive: &mut Archive<'_>,
        name: &str,
    ) -> Result<Part, Flow> {
        let mut part = Part {
            location: self.locations.get(name).cloned().unwrap_or_default(),
            strings: self.strings.clone(),
            ..Part::default()
        };
        if self.kind == Kind::OpenXml {
            for relationship in relationships_of(walk, path, archive, name)? {
                if relationship.is_external {
                    part.targets.insert(relationship.id, relationship.target);
                }
            }
        }
        Ok(part)
    }

    fn read_lists(
        &mut self,
        walk: &mut Walk<'_>,
        path: &str,
        archive: &mut Archive<'_>,
    ) -> Result<(), Flow> {
        let main = |archive: &Archive<'_>, start: &str| {
            let is_main = |name: &String| name.starts_with(start) && extension(name) == "xml";
            names(archive).find(is_main)
        };
        for start in ["xl/workbook", "ppt/presentation"] {
            if let Some(name) = main(archive, start) {
                self.locate(walk, path, archive, &name)?;
            }
        }
        let Some(name) = main(archive, "xl/sharedStrings") else {
            return Ok(());
        };
        let limit = walk.extractor.max_length();
        if let Some(document) = read(walk, path, archive, &name, limit)? {
            let strings = shared_strings(&document, walk.extractor.text_finder());
            if strings.is_partial {
                let what = "the links in its strings need more than 64 MiB of memory";
                let problem = Problem::Io(io::Error::new(io::ErrorKind::InvalidData, what));
                go_on(walk.failed(&format!("{path}!/{name}"), &problem))?;
            }
            self.strings = Some(Arc::new(strings));
        }
        Ok(())
    }

    /// Finds the parts of each sheet or slide, such as its notes and comments.
    fn locate(
        &mut self,
        walk: &mut Walk<'_>,
        path: &str,
        archive: &mut Archive<'_>,
        main: &str,
    ) -> Result<(), Flow> {
        let Some(document) = read(walk, path, archive, main, MAX_LIST)? else {
            return Ok(());
        };
        let mut targets = HashMap::new();
        for relationship in relationships_of(walk, path, archive, main)? {
            targets.insert(relationship.id, resolve(main, &relationship.target));
        }
        let mut listed = Vec::new();
        for (number, (id, sheet)) in (1..).zip(sheets_and_slides(&document)) {
            let Some(name) = targets.get(&id).filter(|name| has(archive, name)) else {
                continue;
            };
            let location = match sheet {
                Some(sheet) => Location::of_sheet(sheet),
                None => Location::of_slide(number),
            };
            // A part is read once, even if the list contains it several times.
            if !self.locations.contains_key(name) {
                self.locations.insert(name.clone(), location.clone());
                listed.push((name, location));
            }
        }
        for (name, location) in listed {
            for relationship in relationships_of(walk, path, archive, name)? {
                let target = resolve(name, &relationship.target);
                if !relationship.is_external && has(archive, &target) {
                    self.locations.entry(target).or_insert(location.clone());
                }
            }
        }
        Ok(())
    }
}

/// Returns the name of an entry.
pub(super) fn name(archive: &Archive<'_>, index: usize) -> String {
    match archive.name_for_index(index) {
        Some(Ok(name)) => name.into_owned(),
        _ => String::new(),
    }
}

fn names<'a>(archive: &'a Archive<'_>) -> impl Iterator<Item = String> + 'a {
    (0..archive.len()).map(|index| name(archive, index))
}

/// Returns the extension of a file name.
fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Recognizes a package from the names of its entries.
fn kind(archive: &Archive<'_>) -> Option<Kind> {
    let has = |name: &str| has(archive, name);
    let any = |is_it: fn(&str) -> bool| names(archive).any(|name| is_it(&name));
    if [
        "word/document.xml",
        "xl/workbook.xml",
        "ppt/presentation.xml",
    ]
    .into_iter()
    .any(has)
        || has("[Content_Types].xml") && any(is_in_document)
    {
        Some(Kind::OpenXml)
    } else if has("content.xml") && has("META-INF/manifest.xml") {
        Some(Kind::OpenDocument)
    } else {
        let is_epub = (has("META-INF/container.xml") || has("mimetype"))
            && any(|name| extension(name) == "opf");
        is_epub.then_some(Kind::Epub)
    }
}

/// Returns true if an archive has an entry with this name.
fn has(archive: &Archive<'_>, name: &str) -> bool {
    archive.index_for_name_raw(name.as_bytes()).is_some()
}

/// Returns true for the parts of a document, workbook or presentation.
fn is_in_document(name: &str) -> bool {
    ["word/", "xl/", "ppt/"]
        .iter()
        .any(|folder| name.starts_with(folder))
}

/// Returns the name of the part that is the target of a relationship of `source` (ISO/IEC 29500-2,
/// 6.5.3.4).
fn resolve(source: &str, target: &str) -> String {
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let start = if target.starts_with('/') { "" } else { folder };
    let mut segments: Vec<&str> = start.split('/').filter(|it| !it.is_empty()).collect();
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    segments.join("/")
}

fn relationships_of(
    walk: &mut Walk<'_>,
    path: &str,
    archive: &mut Archive<'_>,
    name: &str,
) -> Result<Vec<Relationship>, Flow> {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let name = format!("{folder}/_rels/{file}.rels");
    let document = read(walk, path, archive, name.trim_start_matches('/'), MAX_LIST)?;
    Ok(document.map(|it| relationships(&it)).unwrap_or_default())
}

/// Reads an entry into memory. Returns `None` if the archive does not contain the entry, or if the
/// entry cannot be read. Reports why an entry cannot be read.
fn read(
    walk: &mut Walk<'_>,
    path: &str,
    archive: &mut Archive<'_>,
    name: &str,
    limit: usize,
) -> Result<Option<Vec<u8>>, Flow> {
    let Some(index) = archive.index_for_name_raw(name.as_bytes()) else {
        return Ok(None);
    };
    let inner = format!("{path}!/{name}");
    if let Err(limit) = walk.budget.entry() {
        return go_on(walk.failed(&inner, &limit.into())).map(|()| None);
    }
    let file = match archive.by_index(index) {
        Ok(file) => file,
        Err(error) => {
            return go_on(walk.failed(&inner, &zip_problem(error))).map(|()| None);
        }
    };
    let mut file = Unpacked {
        inner: file,
        budget: walk.budget,
    };
    let problem = match in_memory(&mut file, limit) {
        Ok(Some(bytes)) => return Ok(Some(in_utf8(bytes))),
        Ok(None) => Problem::TooLong(TooLong { limit }),
        Err(error) => error.into(),
    };
    go_on(walk.failed(&inner, &problem)).map(|()| None)
}

/// Decodes text that begins with a UTF-16 byte order mark.
fn in_utf8(bytes: Vec<u8>) -> Vec<u8> {
    match encoding_rs::Encoding::for_bom(&bytes) {
        Some((encoding, _)) if encoding != encoding_rs::UTF_8 => {
            encoding.decode(&bytes).0.into_owned().into_bytes()
        }
        _ => bytes,
    }
}

/// Converts `Break` to an error, so that `?` stops reading.
fn go_on(flow: Flow) -> Result<(), Flow> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(flow),
    }
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn targets_of_relationships() {
        for (source, target, expected) in [
            (
                "xl/workbook.xml",
                "worksheets/sheet1.xml",
                "xl/worksheets/sheet1.xml",
            ),
            (
                "xl/workbook.xml",
                "/xl/worksheets/sheet1.xml",
                "xl/worksheets/sheet1.xml",
            ),
            (
                "ppt/slides/slide1.xml",
                "../notes/n1.xml",
                "ppt/notes/n1.xml",
            ),
            ("a.xml", "../../b.xml", "b.xml"),
            ("a.xml", "./b.xml", "b.xml"),
        ] {
            assert_eq!(resolve(source, target), expected);
        }
    }
}
