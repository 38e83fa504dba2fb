//! Connections that a later access can go on with.

use crate::net::Connection;
use std::any::Any;

/// What is kept: a connection, and what a protocol knows of its state.
pub trait Keep: Any + Send {
    /// The connection.
    fn connection(&mut self) -> &mut Connection;
}

/// Connections more than these are closed, the oldest first.
const MOST: usize = 8;

/// Kept connections, by origin.
#[derive(Default)]
pub(crate) struct Kept(Vec<(String, Box<dyn Any + Send>)>);

impl Kept {
    /// Takes out the one of that origin and type.
    pub(crate) fn take<T: Keep>(&mut self, origin: &str) -> Option<T> {
        let is_it = |(key, value): &(String, Box<dyn Any + Send>)| key == origin && value.is::<T>();
        let at = self.0.iter().position(is_it)?;
        let (_, value) = self.0.remove(at);
        value.downcast().ok().map(|value| *value)
    }

    pub(crate) fn put<T: Keep>(&mut self, origin: &str, value: T) {
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push((origin.to_owned(), Box::new(value)));
    }
}
