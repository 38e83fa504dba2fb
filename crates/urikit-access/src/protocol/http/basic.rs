//! The "Basic" authentication scheme (RFC 7617).

use super::command::Command;
use crate::command::{Argument, Secret};
use crate::credentials::Credentials;
use crate::error::{Error, ErrorKind, Result};
use urikit_mime::base64;

/// The `Authorization` field.
pub(super) fn field(credentials: &Credentials) -> Result<Command> {
    token(credentials).map(Command::Authorization)
}

/// User and password in base64.
pub(super) fn token(credentials: &Credentials) -> Result<Secret> {
    let (user, password) = (&credentials.user, &credentials.password);
    // "The user-id and password MUST NOT contain any control characters" (RFC 7617, 2).
    Argument::new(user.bytes(), "user")?;
    Argument::new(password.bytes(), "password")?;
    if user.contains(':') {
        let what = "a user name with a colon cannot be sent over HTTP (RFC 7617, 2)";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    let text = base64::encode(format!("{user}:{password}").as_bytes()).to_string();
    Ok(Secret::new(text.bytes(), "password")?)
}

#[cfg(test)]
mod tests {
    use super::field;
    use crate::command::Command as _;
    use crate::credentials::Credentials;

    #[test]
    fn examples_of_the_rfc() {
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
