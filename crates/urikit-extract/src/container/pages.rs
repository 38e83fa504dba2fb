//! Reads the links and the text of the pages in a PDF. Each page is an entry, whose name is the
//! page number.
//!
//! A link in a PDF is an annotation and not part of the text, so its range is empty.
//!
//! Every object that is read counts against the limits of the file, even if it is read again for
//! another page. Only the file, one stream with its text, and small caches are kept in memory.

use super::Problem;
use super::pdf::file::{File, Indirect};
use super::pdf::filter::MAX_STREAM;
use super::pdf::object::Object;
use super::pdf::text::{Fonts, Text, text};
use super::pdf::{damaged, text_string};
use super::walk::{Entry, Flow, Walk};
use crate::document::Format;
use core::ops::ControlFlow;
use std::collections::HashSet;
use std::rc::Rc;

/// The number of unpacked bytes to count for an annotation, in addition to its URI.
const ANNOTATION: usize = 64;

/// Reads the pages of a document.
pub(super) fn entries(walk: &mut Walk<'_>, path: &str, bytes: &[u8]) -> Flow {
    let budget = walk.budget;
    let opened = File::open(bytes, budget).and_then(|file| {
        let root = file.pages()?;
        let root = root.ok_or_else(|| damaged("the PDF has no pages"))?;
        Ok((file, root))
    });
    let (file, root) = match opened {
        Ok(opened) => opened,
        Err(problem) => return walk.failed(path, &problem),
    };
    let mut pages = Pages {
        file: &file,
        fonts: Fonts::default(),
        path,
    };
    pages.read(walk, root)
}

/// A node of the page tree (7.7.3) that has not been read yet.
struct Node {
    number: u32,
    /// The resources that this node inherits from the nearest ancestor with resources.
    inherited: Option<Rc<Indirect>>,
}

struct Pages<'p> {
    file: &'p File<'p>,
    fonts: Fonts,
    path: &'p str,
}

impl Pages<'_> {
    /// Reads the pages of a tree, in order.
    fn read(&mut self, walk: &mut Walk<'_>, root: u32) -> Flow {
        let mut nodes = vec![Node {
            number: root,
            inherited: None,
        }];
        let mut seen = HashSet::new();
        let mut count = 0_u64;
        while let Some(Node { number, inherited }) = nodes.pop() {
            if !seen.insert(number) {
                continue;
            }
            let read = self.file.load(number).and_then(|node| {
                let kids = match node.object.dictionary() {
                    Some(dictionary) => self.file.get(dictionary, b"Kids")?,
                    None => return Err(damaged("a page is missing")),
                };
                let kids = kids.as_deref().and_then(Object::array).map(numbers);
                Ok((node, kids))
            });
            let (node, kids) = match read {
                Ok(read) => read,
                Err(problem) => {
                    walk.failed(self.path, &problem)?;
                    continue;
                }
            };
            let dictionary = node.object.dictionary();
            let has_resources = dictionary.is_some_and(|it| it.contains_key(&b"Resources"[..]));
            let resources = if has_resources {
                Some(Rc::clone(&node))
            } else {
                inherited
            };
            let Some(kids) = kids else {
                count += 1;
                let inner = format!("{}!/{count}", self.path);
                self.page(walk, &inner, &node, resources.as_deref())?;
                continue;
            };
            for number in kids.into_iter().rev() {
                let inherited = resources.clone();
                nodes.push(Node { number, inherited });
            }
        }
        ControlFlow::Continue(())
    }

    /// Reads the links and the text of a page.
    fn page(
        &mut self,
        walk: &mut Walk<'_>,
        inner: &str,
        page: &Indirect,
        resources: Option<&Indirect>,
    ) -> Flow {
        self.links(walk, inner, page)?;
        let budget = walk.budget;
        let mut damage = None;
        let text = self.content(walk, page, &mut damage).and_then(|content| {
            let resources = resources.and_then(|it| it.object.dictionary());
            let resources = resources
                .map(|it| self.file.get(it, b"Resources"))
                .transpose()?;
            let resources = resources.flatten();
            let resources = resources.as_deref().and_then(Object::dictionary);
            let text = text(self.file, budget, &mut self.fonts, resources, &content)?;
            budget.unpack(u64::try_from(text.characters.len()).unwrap_or(u64::MAX))?;
            Ok(text)
        });
        let text = match text {
            Ok(text) => text,
            Err(problem) => return walk.failed(inner, &problem),
        };
        let Text {
            characters,
            unknown,
            cut_in,
            damage: within,
            ..
        } = text;
        let entry = Entry {
            format: Some(Format::Text),
            ..Entry::new(inner, "")
        };
        walk.entry(entry, &mut characters.as_bytes())?;
        if let Some(problem) = damage.or(within) {
            walk.failed(inner, &problem)?;
        }
        if let Some(unknown) = unknown {
            walk.failed(inner, &Problem::Incomplete(unknown.to_string()))?;
        }
        if let Some(font) = cut_in {
            let message = "links may be truncated, because a font has no character widths";
            let problem = Problem::Incomplete(format!("{message} (font {font})"));
            return walk.failed(inner, &problem);
        }
        ControlFlow::Continue(())
    }

    /// Reports the links of a page (12.6.4.8).
    fn links(&self, walk: &mut Walk<'_>, inner: &str, page: &Indirect) -> Flow {
        let annotations = page
            .object
            .dictionary()
            .map(|page| self.file.get(page, b"Annots"));
        let annotations = match annotations.transpose() {
            Ok(annotations) => annotations.flatten(),
            Err(problem) => return walk.failed(inner, &problem),
        };
        let annotations = annotations
            .as_deref()
            .and_then(Object::array)
            .unwrap_or_default();
        for annotation in annotations {
            let uri = match self.uri(annotation) {
                Ok(uri) => uri,
                Err(problem) => {
                    walk.failed(inner, &problem)?;
                    continue;
                }
            };
            // Pages may share annotations, so each use counts.
            let length = ANNOTATION + uri.as_ref().map_or(0, String::len);
            let length = u64::try_from(length).unwrap_or(u64::MAX);
            if let Err(limit) = walk.budget.unpack(length) {
                return walk.failed(inner, &limit.into());
            }
            if let Some(uri) = uri {
                walk.link(inner, &uri)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the URI of an annotation's action.
    fn uri(&self, annotation: &Object) -> Result<Option<String>, Problem> {
        let annotation = self.file.resolve(annotation)?;
        let action = match annotation.dictionary() {
            Some(annotation) => self.file.get(annotation, b"A")?,
            None => None,
        };
        let uri = match action.as_deref().and_then(Object::dictionary) {
            Some(action) => self.file.get(action, b"URI")?,
            None => None,
        };
        Ok(match uri.as_deref() {
            Some(Object::String(uri)) => Some(uri_text(uri)),
            _ => None,
        })
    }

    /// Unpacks the content of a page (7.7.3.3), and stores the first error in `damage`.
    fn content(
        &self,
        walk: &Walk<'_>,
        page: &Indirect,
        damage: &mut Option<Problem>,
    ) -> Result<Vec<u8>, Problem> {
        let Some(contents) = page
            .object
            .dictionary()
            .and_then(|it| it.get(&b"Contents"[..]))
        else {
            return Ok(Vec::new());
        };
        let resolved = self.file.resolve(contents)?;
        let streams = match &*resolved {
            Object::Array(streams) => streams.as_slice(),
            _ => core::slice::from_ref(contents),
        };
        let mut content = Vec::new();
        for number in numbers(streams) {
            let unpacked = self
                .file
                .load(number)
                .and_then(|stream| self.file.unpack(&stream));
            let unpacked = match unpacked {
                Ok(unpacked) => unpacked,
                Err(problem) if walk.budget.exceeded().is_some() => return Err(problem),
                Err(problem) => {
                    damage.get_or_insert(problem);
                    continue;
                }
            };
            if content.len() + unpacked.bytes.len() > MAX_STREAM {
                return Err(damaged("the content of a page is larger than 64 MiB"));
            }
            content.extend_from_slice(&unpacked.bytes);
            content.push(b'\n');
            if let Some(problem) = unpacked.damage {
                damage.get_or_insert(problem);
            }
        }
        Ok(content)
    }
}

/// Returns the text of a URI, which must be in US-ASCII (12.6.4.8). Many programs write UTF-8, and
/// some write a text string (7.9.2.2).
fn uri_text(uri: &[u8]) -> String {
    match core::str::from_utf8(uri) {
        Ok(text) => text.strip_prefix('\u{FEFF}').unwrap_or(text).to_owned(),
        Err(_) => text_string(uri),
    }
}

/// Returns the object numbers of the references in an array.
fn numbers(objects: &[Object]) -> Vec<u32> {
    let number = |object: &Object| match object {
        Object::Reference(number) => Some(*number),
        _ => None,
    };
    objects.iter().filter_map(number).collect()
}
