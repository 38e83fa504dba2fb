//! ARDP, the Asynchronous Reliable Delivery Protocol, over UDP: one message each way.
//!
//! ```text
//! octets  field              default     octets  field                       default
//! 0       version, length    required    9-10    seconds to wait             as before
//! 1-2     connection id      0           11      flags                       0
//! 3-4     packet number      1           12      option                      0
//! 5-6     number of packets  see below   13-     fields of flags and option
//! 7-8     received through   0                   data
//! ```
//!
//! A header may end after any field. A number of packets of 0 is not known yet: servers know it
//! when they send the last packet. If the packet number is left out too, it is 1.
//!
//! Nothing here uses a socket or a clock: [`Exchange`] takes datagrams and the time, and returns
//! what to send. It is written from the description of the protocol (Neuman, "The Prospero
//! Protocol") and from what servers send.

mod exchange;
mod header;
mod message;

pub use exchange::{Exchange, Failure, MAX_DATA, Progress, Timing};
pub use header::{Header, Malformed, Notice, PLEASE_ACKNOWLEDGE, SEQUENCED_CONTROL};
pub use message::{Message, TooLong};
