//! What is done with a base and each input, and how the answer is printed.

use super::{Base, BaseArgument};
use crate::answers::Answers;
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::{Given, Input};
use crate::reading::{Error, Failure, serialize_input};
use crate::run::Work;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::io;

/// How a reference and its base are related to an answer.
pub(super) trait Relate: Send + Sync + 'static {
    /// The subcommand.
    const NAME: &'static str;

    /// The answer; it has a text.
    type Answer: AsRef<str>;

    /// What becomes of `input`.
    fn relate(&self, base: &Base, input: Given<'_>) -> Result<Self::Answer, Failure>;

    /// Writes the keys that stand between `standard` and `error`.
    fn keys<O: SerializeStruct>(
        answer: Result<&Self::Answer, &Failure>,
        object: &mut O,
    ) -> Result<(), O::Error>;
}

/// Does it with every input.
pub(super) fn run<R: Relate>(
    relation: R,
    argument: BaseArgument,
    common: Common,
) -> io::Result<Exit> {
    let base = match Base::new(argument.base, common.standard, common.show_secrets) {
        Ok(base) => base,
        Err(exit) => return Ok(exit),
    };
    let work = Related {
        relation,
        base,
        answers: common.answers(),
    };
    common.run(R::NAME, work)
}

struct Related<R> {
    relation: R,
    base: Base,
    answers: Answers,
}

impl<R: Relate> Work for Related<R> {
    fn input(
        &self,
        input: Input<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let answer = self.relation.relate(&self.base, input.into());
        let answer = answer.as_ref();
        let record = Record::<R> {
            base: &self.base,
            input: input.into(),
            answer,
        };
        let text = answer.map(AsRef::as_ref);
        self.answers.one(input, text, &record, out, messages)
    }
}

/// One answer as `--json` prints it. The keys and their order are a public interface.
struct Record<'a, R: Relate> {
    base: &'a Base,
    input: Given<'a>,
    answer: Result<&'a R::Answer, &'a Failure>,
}

impl<R: Relate> Serialize for Record<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Related", 8)?;
        object.serialize_field("base", self.base.text)?;
        serialize_input::<S>(&mut object, self.input)?;
        object.serialize_field("standard", self.base.reader.name())?;
        R::keys(self.answer, &mut object)?;
        object.serialize_field("error", &self.answer.err().cloned().map(Error))?;
        object.end()
    }
}
