//! What a prospero URL means as data, and what a client asks for (RFC 1738, 3.11).

use super::super::{AccessError, Detail, Details, Fields, Step};
use super::{Prospero, Suffix};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

impl<'a> Prospero<'a> {
    /// Its meaning as named values: `hsoname`, `version`, and `fields` (RFC 1630: `attributes`),
    /// decoded.
    pub fn details(&self) -> Details<'a> {
        let details = Details::new("prospero", self.specification())
            .with("hsoname", self.hsoname())
            .with("version", self.version());
        if matches!(self.suffix, Suffix::Version(_)) {
            return details.with("attributes", self.attributes());
        }
        let fields = self.fields().map(|field| {
            let fields: Fields<'a> =
                vec![("name", field.name.into()), ("value", field.value.into())];
            Detail::Fields(fields)
        });
        details.with("fields", Detail::list(fields))
    }

    /// What a client asks for, in words: a directory server answers with access methods.
    ///
    /// # Errors
    ///
    /// If a part decodes to a control character, which no line of the protocol may contain, or the
    /// port is above 65535.
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let mut steps = vec![Step::connect(self.host(), self.port())?];
        let what = "asks the directory server for the access methods of";
        steps.push(Step::act_in_line(what, self.hsoname(), "object name")?);
        if let Some(version) = self.version() {
            steps.push(Step::act_in_line("in the version", version, "version")?);
        }
        if let Some(attributes) = self.attributes() {
            steps.push(Step::act("with the attributes", attributes));
        }
        for field in self.fields().filter(|field| !field.is_version()) {
            let what = "with the field";
            let mut with = Vec::new();
            for (part, end) in [(field.name, &b"="[..]), (field.value, b"")] {
                Step::act_in_line(what, part, "field")?;
                with.extend(part.decode());
                with.extend_from_slice(end);
            }
            let with = Cow::Owned(with);
            steps.push(Step::Act { what, with });
        }
        let what = "follows one of them, which has a URL of its own";
        steps.push(Step::say(what));
        Ok(steps)
    }
}
