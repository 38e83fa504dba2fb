//! Fields of references by name, such as `{host}` and `{query:q:decode}`: for templates, and for
//! the left sides of `--where`.

mod domain;
mod field;
mod fill;
mod how;
mod spelling;
mod subject;
mod what;

pub(crate) use domain::read_list;
pub(crate) use field::{Field, Unfilled};
pub(crate) use subject::Subject;
