//! Connections kept open for later accesses.

use crate::net::Connection;
use std::any::Any;

/// A connection that can be kept open between accesses, with what its protocol knows of its state.
pub trait Pooled: Any + Send {
    /// The connection.
    fn connection(&mut self) -> &mut Connection;
}

/// When another connection is put into a full pool, the oldest is closed.
const MAX_CONNECTIONS: usize = 8;

/// Open connections, by origin.
#[derive(Default)]
pub(crate) struct Pool(Vec<(String, Box<dyn Any + Send>)>);

impl Pool {
    /// Removes and returns the connection of this origin and type.
    pub(crate) fn take<T: Pooled>(&mut self, origin: &str) -> Option<T> {
        let is_it = |(key, value): &(String, Box<dyn Any + Send>)| key == origin && value.is::<T>();
        let at = self.0.iter().position(is_it)?;
        let (_, value) = self.0.remove(at);
        value.downcast().ok().map(|value| *value)
    }

    pub(crate) fn put<T: Pooled>(&mut self, origin: &str, value: T) {
        if self.0.len() == MAX_CONNECTIONS {
            self.0.remove(0);
        }
        self.0.push((origin.to_owned(), Box::new(value)));
    }
}
