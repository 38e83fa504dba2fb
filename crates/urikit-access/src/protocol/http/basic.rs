//! The "Basic" authentication scheme (RFC 7617).

use super::command::Command;
use crate::command::{Argument, Secret};
use crate::error::{Error, ErrorKind, Result};
use crate::request::Credentials;

/// The `Authorization` field.
pub(super) fn field(credentials: &Credentials) -> Result<Command> {
    let (user, password) = (&credentials.user, &credentials.password);
    // "The user-id and password MUST NOT contain any control characters" (RFC 7617, 2).
    Argument::new(user.bytes(), "user")?;
    Argument::new(password.bytes(), "password")?;
    if user.contains(':') {
        let what = "a user name with a colon cannot be sent over HTTP (RFC 7617, 2)";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    let text = base64(format!("{user}:{password}").as_bytes());
    let text = Secret::new(text.bytes(), "password")?;
    Ok(Command::Authorization(text))
}

/// Base64 with padding (RFC 4648, 4).
fn base64(octets: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(octets.len().div_ceil(3) * 4);
    for group in octets.chunks(3) {
        let octet = |at: usize| usize::from(group.get(at).copied().unwrap_or_default());
        let bits = octet(0) << 16 | octet(1) << 8 | octet(2);
        for at in 0..4 {
            let digit = ALPHABET.get(bits >> (18 - 6 * at) & 63).copied();
            let digit = digit.filter(|_| at <= group.len());
            text.push(digit.map_or('=', char::from));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{base64, field};
    use crate::command::Command as _;
    use crate::request::Credentials;

    #[test]
    fn examples_of_the_rfcs() {
        // RFC 4648, 10
        for (octets, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(octets.as_bytes()), text);
        }
        assert_eq!(base64(b"\xff\xfe\xfd"), "//79");
        // RFC 7617, 2 and 2.1
        for (user, password, text) in [
            ("Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123\u{a3}", "dGVzdDoxMjPCow=="),
        ] {
            let (user, password) = (user.to_owned(), password.to_owned());
            let line = field(&Credentials { user, password }).unwrap();
            assert_eq!(
                line.octets(),
                format!("Authorization: Basic {text}").as_bytes()
            );
            assert_eq!(line.masked(), b"Authorization: Basic ***");
        }
    }

    #[test]
    fn colons_and_control_characters_are_refused() {
        for (user, password) in [("a:b", "c"), ("a\r\nb", "c"), ("a", "b\0c")] {
            let (user, password) = (user.to_owned(), password.to_owned());
            assert!(field(&Credentials { user, password }).is_err());
        }
    }
}
