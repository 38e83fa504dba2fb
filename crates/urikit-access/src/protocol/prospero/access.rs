//! Fetches an object: by an access method, as its contents, or as a listing.

use super::config::Prospero;
use super::information::{Information, denied, metadata, shown};
use super::listing::Listing;
use super::method::{ACCESS_METHOD, Method};
use super::object::Object;
use super::session::{Answer, ask};
use super::text::Attribute;
use crate::context::Context;
use crate::error::Result;
use crate::listing::{Entry, EntryKind};
use crate::output::Output;
use crate::protocol::Outcome;
use crate::request::{Request, Wanted};
use crate::sink::Metadata;

/// An access in progress.
pub(super) struct Access<'a, 'c, 'd> {
    pub(super) prospero: Prospero,
    pub(super) object: Object,
    pub(super) context: &'a mut Context<'c>,
    pub(super) output: &'a mut Output<'d>,
}

impl Access<'_, '_, '_> {
    pub(super) fn run(mut self, request: &Request<'_>) -> Result<Outcome> {
        let commands = self.object.information()?;
        let answer = match ask(self.prospero, &self.object, &commands, self.context)? {
            Answer::Text(answer) => answer,
            Answer::Elsewhere(server) => {
                return Ok(Outcome::Redirect(self.object.on(server).url()?));
            }
        };
        match Information::read(&answer, self.context)? {
            Information::Moved(object) => Ok(Outcome::Redirect(object.url()?)),
            Information::Failed(line) if request.wanted == Wanted::Metadata => Err(denied(line)),
            // A directory need not be an object, such as one that is made of the links of others.
            Information::Failed(line) if !is_final(line) => {
                let listed = self.list()?;
                listed.ok_or_else(|| denied(line))
            }
            Information::Failed(line) => Err(denied(line)),
            Information::Attributes(attributes) if request.wanted == Wanted::Metadata => {
                self.output.begin(metadata(&attributes))?;
                Ok(Outcome::Done)
            }
            Information::Attributes(attributes) => self.body(&attributes),
        }
    }

    /// Follows an access method. An object without one is a directory.
    fn body(&mut self, attributes: &[Attribute<'_>]) -> Result<Outcome> {
        let methods = attributes
            .iter()
            .filter(|attribute| *attribute.name == *ACCESS_METHOD)
            .map(|attribute| Method {
                words: &attribute.value,
                host: &self.object.host,
                name: &self.object.name,
            });
        let urls: Vec<_> = methods.clone().filter_map(|method| method.url()).collect();
        let is_allowed = |url: &&String| {
            let scheme = url.split(':').next().unwrap_or_default();
            self.context.check_redirect(scheme).is_ok()
        };
        let allowed = urls.iter().find(is_allowed);
        let has_contents = methods.clone().any(|method| method.is_contents());
        let is_directory = methods.count() == 0;
        // If none is allowed, the policy says why.
        if let Some(url) = allowed.or_else(|| urls.first().filter(|_| !has_contents)) {
            return Ok(Outcome::Redirect(url.clone()));
        }
        let failure = if has_contents {
            match self.contents(metadata(attributes))? {
                Ok(outcome) => return Ok(outcome),
                Err(failure) => Some(failure),
            }
        } else {
            None
        };
        if is_directory && let Some(outcome) = self.list()? {
            return Ok(outcome);
        }
        self.show(attributes, failure.as_deref())
    }

    /// Fetches the contents, or returns the line that says why there are none.
    fn contents(&mut self, metadata: Metadata) -> Result<std::result::Result<Outcome, Vec<u8>>> {
        let commands = self.object.contents()?;
        let answer = match ask(self.prospero, &self.object, &commands, self.context)? {
            Answer::Text(answer) => answer,
            Answer::Elsewhere(server) => {
                return Ok(Ok(Outcome::Redirect(self.object.on(server).url()?)));
            }
        };
        let attributes = match Information::read(&answer, self.context)? {
            Information::Moved(object) => return Ok(Ok(Outcome::Redirect(object.url()?))),
            Information::Failed(line) => return Ok(Err(line.to_vec())),
            Information::Attributes(attributes) => attributes,
        };
        let mut parts = Vec::new();
        for attribute in attributes {
            let is_contents = *attribute.name == *b"CONTENTS";
            match attribute.value.as_slice() {
                [kind, data, ..] if is_contents && **kind == *b"DATA" => parts.push(data.to_vec()),
                [kind, tag, data, ..] if is_contents && **kind == *b"TAGGED" => {
                    parts.push([tag, &b": "[..], data, b"\n"].concat());
                }
                _ => {}
            }
        }
        if parts.is_empty() {
            return Ok(Err(b"no contents".to_vec()));
        }
        self.output.begin(metadata)?;
        for part in parts {
            self.output.bytes(&part)?;
        }
        Ok(Ok(Outcome::Done))
    }

    /// Lists a directory; `None` if it is none.
    fn list(&mut self) -> Result<Option<Outcome>> {
        let listing = Listing {
            prospero: self.prospero,
            context: self.context,
            output: self.output,
        };
        listing.list(&self.object)
    }

    /// Shows the attributes, because there is nothing to follow.
    fn show(&mut self, attributes: &[Attribute<'_>], failure: Option<&[u8]>) -> Result<Outcome> {
        self.context
            .note("no access method can be followed: the attributes are listed");
        self.output.begin(Metadata {
            is_listing: true,
            ..metadata(attributes)
        })?;
        for attribute in attributes {
            let text = [&attribute.name, &b" "[..], &shown(&attribute.value)].concat();
            let kind = if *attribute.name == *ACCESS_METHOD {
                EntryKind::Other
            } else {
                EntryKind::Text
            };
            self.output.entry(&Entry::new(kind, &text))?;
        }
        if let Some(failure) = failure {
            self.output.entry(&Entry::new(EntryKind::Error, failure))?;
        }
        Ok(Outcome::Done)
    }
}

/// Whether a failure is about the object, and not about how it is asked for.
fn is_final(line: &[u8]) -> bool {
    let is_word = |word: &[u8]| line.split(u8::is_ascii_whitespace).any(|it| it == word);
    is_word(b"NOT-AUTHORIZED") || is_word(b"VERSION-NOT-SUPPORTED")
}
