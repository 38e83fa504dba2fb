//! `repaired`: what became of an input that is not valid, and the changes.

use super::object::Object;
use serde::ser::{Serialize, Serializer};
use urikit::op::{Repair, Repaired};

impl<S: Serializer> Object<S> {
    /// Writes `repaired`, which is `null` for what was not repaired.
    pub(crate) fn repaired(&mut self, repaired: Option<&Repaired>) -> Result<(), S::Error> {
        self.field("repaired", &repaired.map(Record))
    }
}

struct Record<'a>(&'a Repaired);

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let changes: Vec<_> = self.0.changes.iter().map(Change).collect();
        let mut object = Object::new(serializer)?;
        object.field("text", self.0.reference.as_str())?;
        object.field("changes", &changes)?;
        object.end()
    }
}

struct Change<'a>(&'a Repair);

impl Serialize for Change<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.field("offset", &self.0.offset)?;
        object.field("found", &self.0.found)?;
        object.field("became", &self.0.became)?;
        object.end()
    }
}
