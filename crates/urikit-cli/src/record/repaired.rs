//! `repaired`: what became of an input that is not valid, and the changes.

use super::object::Object;
use crate::input::{Change, Changed, Repairs};
use crate::reading::Failure;
use serde::ser::{Serialize, Serializer};

impl<S: Serializer> Object<S> {
    /// With `--lenient` or `--guess`, writes `repaired`, and `repair_error`: why an input could not be repaired.
    pub(super) fn repairs(&mut self, repairs: Option<&Repairs>) -> Result<(), S::Error> {
        let Some(repairs) = repairs else {
            return Ok(());
        };
        self.repaired(repairs.made())?;
        let failure = repairs.failed().map(Failure::from);
        self.failure("repair_error", failure.as_ref())
    }

    /// The same for several inputs, each under its key; `null` if it is `null` for all of them.
    pub(crate) fn repairs_of(
        &mut self,
        inputs: &[(&'static str, Option<&Repairs>)],
    ) -> Result<(), S::Error> {
        let any = |has: fn(&Repairs) -> bool| inputs.iter().any(|(_, one)| one.is_some_and(has));
        if inputs.iter().all(|(_, repairs)| repairs.is_none()) {
            return Ok(());
        }
        let made = any(|repairs| repairs.made().is_some()).then_some(Made(inputs));
        self.field("repaired", &made)?;
        let failed = any(|repairs| repairs.failed().is_some()).then_some(Failed(inputs));
        self.field("repair_error", &failed)
    }

    /// Writes `repaired`, which is `null` for what was not repaired.
    pub(crate) fn repaired(&mut self, changed: Option<&Changed>) -> Result<(), S::Error> {
        self.field("repaired", &changed.map(Record))
    }
}

/// `repaired` of each input.
struct Made<'a>(&'a [(&'static str, Option<&'a Repairs>)]);

impl Serialize for Made<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        for (key, repairs) in self.0 {
            object.field(key, &repairs.and_then(Repairs::made).map(Record))?;
        }
        object.end()
    }
}

/// `repair_error` of each input.
struct Failed<'a>(&'a [(&'static str, Option<&'a Repairs>)]);

impl Serialize for Failed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        for (key, repairs) in self.0 {
            let failure = repairs.and_then(Repairs::failed).map(Failure::from);
            object.failure(key, failure.as_ref())?;
        }
        object.end()
    }
}

/// A repaired input.
struct Record<'a>(&'a Changed);

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let changes: Vec<_> = self.0.changes.iter().map(One).collect();
        let mut object = Object::new(serializer)?;
        object.field("text", &self.0.text)?;
        object.field("changes", &changes)?;
        object.end()
    }
}

struct One<'a>(&'a Change);

impl Serialize for One<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.field("offset", &self.0.offset)?;
        object.field("found", &self.0.found)?;
        object.field("became", &self.0.became)?;
        object.end()
    }
}
