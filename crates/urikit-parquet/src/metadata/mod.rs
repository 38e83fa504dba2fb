//! The metadata: the footer of the file and the headers of pages.

mod footer;
mod page;
mod schema;
mod thrift;

pub(crate) use footer::{Chunk, Footer};
pub use page::MAX_PAGE;
pub(crate) use page::{Content, Data, Header, LevelsAt};
pub(crate) use schema::Physical;
pub use schema::{Column, MAX_DEPTH};
