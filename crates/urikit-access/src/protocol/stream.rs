//! Receives bodies that end when the connection ends.

use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::output::Output;
use crate::request::Request;

/// Fails if a request asks for something that these protocols do not support, such as a proxy or
/// the rest of a body.
pub(super) fn check(request: &Request<'_>) -> Result<()> {
    if request.proxy.is_some() {
        let what = "a proxy must be an HTTP server";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    if request.resume > 0 && request.wants_body() {
        return Err(Error::new(ErrorKind::CannotResume));
    }
    Ok(())
}

/// Passes to the output everything that the server sends before it closes the connection. Over
/// TLS, the server must end the connection with an alert.
pub(super) fn pass_on(connection: &mut Connection, output: &mut Output<'_>) -> Result<()> {
    while !connection.peek()?.is_empty() {
        pass_on_buffer(connection, output)?;
    }
    Ok(())
}

/// Passes to the output everything in the connection's buffer.
pub(super) fn pass_on_buffer(connection: &mut Connection, output: &mut Output<'_>) -> Result<()> {
    let count = connection.peek()?.len();
    if let Some(buffer) = connection.take_buffer(count) {
        return output.buffer(buffer);
    }
    output.bytes(connection.peek()?)?;
    connection.consume(count);
    Ok(())
}

/// Fails if the server closes the connection without sending any data. The server may have failed,
/// and protocols without headers have no other way to report this.
pub(super) fn check_not_empty(connection: &mut Connection) -> Result<()> {
    if connection.peek()?.is_empty() {
        let (expected, received) = (None, 0);
        let error = connection.failed(ErrorKind::EndedEarly { expected, received });
        return Err(error.with_step("reading the reply"));
    }
    Ok(())
}
