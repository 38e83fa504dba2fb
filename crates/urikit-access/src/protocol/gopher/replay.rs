//! Reads replies from memory, for fuzz targets.

use super::attributes::{self, Items};
use super::menu::Menu;
use super::reply::{Body, End, Head};
use crate::error::Result;
use crate::net::Connection;
use std::fmt::Write as _;
use std::time::Duration;

const MAX_LINE: usize = 64 << 10;

fn body(connection: Connection, end: End, ahead: Vec<u8>) -> Body {
    Body::new(connection, end, ahead, MAX_LINE, Duration::from_millis(1))
}

/// Reads the head of a Gopher+ reply, and its data as a menu.
pub fn menu(octets: &[u8], piece: usize) -> String {
    let mut connection = Connection::replay(octets, piece);
    let mut found = String::new();
    let head = match Head::receive(&mut connection) {
        Ok(head) => head,
        Err(error) => return format!("{:?}", error.kind()),
    };
    let _ = writeln!(found, "{head:?}");
    let body = match head {
        Head::None(ahead) => body(connection, End::LastLineOrClose, ahead),
        Head::Data(end) | Head::Failure(end) => body(connection, end, Vec::new()),
    };
    if let Err(error) = lines(body, &mut found) {
        let _ = write!(found, "{:?}", error.kind());
    }
    found
}

/// Reads the lines of a menu.
fn lines(mut body: Body, found: &mut String) -> Result<()> {
    let mut menu = Menu::default();
    while let Some(line) = body.line()? {
        let _ = writeln!(found, "{:?}", menu.entry(&line));
    }
    let _ = write!(found, "{:?} {}", menu.denial(), body.lacks_last_line());
    Ok(())
}

/// Reads the attributes of the items in a directory.
pub fn attributes(octets: &[u8], piece: usize) -> String {
    let connection = Connection::replay(octets, piece);
    let mut found = String::new();
    let mut items = Items::new(body(connection, End::LastLineOrClose, Vec::new()), MAX_LINE);
    let mut menu = Menu::default();
    loop {
        match items.next() {
            Ok(None) => return found,
            Err(error) => return format!("{found}{:?}", error.kind()),
            Ok(Some(item)) => {
                let _ = writeln!(found, "{:?}", attributes::metadata(&item));
                match attributes::entry(&mut menu, &item) {
                    Ok(entry) => drop(writeln!(found, "{entry:?}")),
                    Err(error) => drop(writeln!(found, "{:?}", error.kind())),
                }
            }
        }
    }
}
