//! The page as JSON.

use super::notes;
use super::subject::Subject;
use crate::reading::Reading;
use crate::record::{AMPERSAND, Object, Record, Steps};
use serde::ser::{Serialize, Serializer};

/// All that the page shows.
pub(super) struct Page<'a>(pub(super) &'a Subject<'a>);

impl Serialize for Page<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let verdicts = self.0.readings.each_ref().map(|reading| Record {
            input: self.0.reference.into(),
            reading,
            separator: AMPERSAND,
        });
        let mut object = Object::new(serializer)?;
        object.input(self.0.input)?;
        object.lossy("reference", self.0.reference)?;
        object.field("standard", self.0.chosen.name())?;
        object.field("valid", &self.0.chosen().is_some_and(Reading::is_valid))?;
        let failure = self.0.chosen().and_then(Reading::failure);
        object.error(failure.as_ref())?;
        object.field("normalized", &self.0.normalized())?;
        object.field("verdicts", &verdicts)?;
        object.audit(self.0.audit.as_ref())?;
        object.field("notes", &notes::all(self.0, true))?;
        let requested = self.0.requested();
        let plan = requested.as_ref().and_then(|plan| plan.as_ref().ok());
        object.field("plan", &plan.map(Steps))?;
        let error = requested.as_ref().and_then(|plan| plan.as_ref().err());
        object.access_error("plan_error", error)?;
        object.end()
    }
}
