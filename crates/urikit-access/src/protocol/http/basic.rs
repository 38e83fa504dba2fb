//! The "Basic" authentication scheme (RFC 7617).

use crate::error::{Error, ErrorKind, Result};
use crate::request::Credentials;
use urikit_mime::base64;
use urikit_schemes::Line;

/// The `Authorization` field, whose value is secret.
pub(super) fn line(credentials: &Credentials) -> Result<Line> {
    let (user, password) = (&credentials.user, &credentials.password);
    // "The user-id and password MUST NOT contain any control characters" (RFC 7617, 2).
    let mut checked = Line::command("");
    checked.push(user.bytes(), "user")?;
    checked.push(password.bytes(), "password")?;
    if user.contains(':') {
        let what = "a user name with a colon cannot be sent over HTTP (RFC 7617, 2)";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    let text = base64::encode(format!("{user}:{password}").as_bytes()).to_string();
    let mut line = Line::command("Authorization: Basic ");
    line.push_secret(text.bytes(), "password")?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::line;
    use crate::request::Credentials;

    #[test]
    fn examples_of_the_rfc() {
        // RFC 7617, 2 and 2.1
        for (user, password, text) in [
            ("Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123\u{a3}", "dGVzdDoxMjPCow=="),
        ] {
            let (user, password) = (user.to_owned(), password.to_owned());
            let line = line(&Credentials { user, password }).unwrap();
            assert_eq!(
                line.octets(),
                format!("Authorization: Basic {text}").as_bytes()
            );
            assert_eq!(&line.masked()[..], b"Authorization: Basic ***");
        }
    }

    #[test]
    fn colons_and_control_characters_are_refused() {
        for (user, password) in [("a:b", "c"), ("a\r\nb", "c"), ("a", "b\0c")] {
            let (user, password) = (user.to_owned(), password.to_owned());
            assert!(line(&Credentials { user, password }).is_err());
        }
    }
}
