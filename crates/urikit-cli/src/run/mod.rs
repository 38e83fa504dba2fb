//! The loop of every command: inputs in, results and messages out, in the order of the inputs.
//!
//! The first inputs are processed on the thread that reads them, and written at once: a few
//! inputs, or a pipe that somebody types into, need no threads. When much input is available, a
//! pool of workers takes over ([`pool`]). Either way memory is bounded: results are written in
//! parts before they grow large. Slow work on single inputs, such as fetching, is done by such a pool
//! from the first, one input at a time.

mod batch_work;
mod batches;
mod each;
mod intake;
mod part;
pub(crate) mod pool;
mod streams;
mod work;

pub(crate) use batch_work::BatchWork;
pub(crate) use batches::Run;
pub(crate) use intake::Intake;
pub(crate) use work::Work;
