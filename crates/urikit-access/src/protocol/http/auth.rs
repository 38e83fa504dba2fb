//! Logs in with the "Basic" (RFC 7617) and "Digest" (RFC 7616) authentication schemes.

use super::command::Command;
use crate::command::{Argument, Secret};
use crate::error::{Error, ErrorKind, Result};
use crate::http1::{Head, text};
use crate::request::Credentials;
use digest_auth::{AlgorithmType, AuthContext, WwwAuthenticateHeader};
use urikit_mime::base64;

/// Returns the `Authorization` field for the "Basic" scheme.
pub(super) fn basic(credentials: &Credentials) -> Result<Command> {
    token(credentials).map(Command::Authorization)
}

/// Encodes the user and the password in base64.
fn token(credentials: &Credentials) -> Result<Secret> {
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

/// The answer to the challenge of a 401 response.
pub(super) struct Answer {
    /// The `Authorization` field.
    pub(super) field: Command,
    /// True if the server refused the last answer only because of its nonce (RFC 7616, 3.3).
    pub(super) is_stale: bool,
}

/// Answers the Digest challenge in a 401 response. Returns `None` if the response contains no
/// Digest challenge. If the response contains several challenges, answers the one with the
/// strongest algorithm (RFC 7616, 3.7).
pub(super) fn answer(head: &Head, context: &AuthContext<'_>) -> Result<Option<Answer>> {
    let challenges = head.all("WWW-Authenticate").filter_map(|value| {
        let scheme = value.get(.."Digest ".len())?;
        let challenge = text(value);
        scheme
            .eq_ignore_ascii_case(b"Digest ")
            .then(|| digest_auth::parse(&challenge).ok())?
    });
    let strength = |challenge: &WwwAuthenticateHeader| match challenge.algorithm.algo {
        AlgorithmType::MD5 => 0,
        AlgorithmType::SHA2_256 => 1,
        AlgorithmType::SHA2_512_256 => 2,
    };
    let Some(mut challenge) = challenges.max_by_key(strength) else {
        return Ok(None);
    };
    let answer = challenge.respond(context).map_err(|_| {
        let kind = ErrorKind::Protocol("a valid Digest challenge (RFC 7616)");
        Error::new(kind).with_received(&head.line)
    })?;
    let answer = answer.to_header_string();
    let parameters = answer.strip_prefix("Digest ").unwrap_or(&answer);
    let parameters = Secret::new(parameters.bytes(), "answer to the challenge")?;
    Ok(Some(Answer {
        field: Command::Digest(parameters),
        is_stale: challenge.stale,
    }))
}

#[cfg(test)]
mod tests {
    use super::{answer, basic};
    use crate::command::Command as _;
    use crate::http1::Head;
    use crate::request::Credentials;
    use digest_auth::AuthContext;

    #[test]
    fn basic_credentials_of_the_rfc() {
        // RFC 7617, 2 and 2.1
        for (user, password, text) in [
            ("Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123\u{a3}", "dGVzdDoxMjPCow=="),
        ] {
            let (user, password) = (user.to_owned(), password.to_owned());
            let line = basic(&Credentials { user, password }).unwrap();
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
            assert!(basic(&Credentials { user, password }).is_err());
        }
    }

    fn answered(challenges: &[&str]) -> Option<String> {
        let mut response = http::Response::builder().status(401);
        let mut lines = vec![b"HTTP/1.1 401 Unauthorized".to_vec()];
        for challenge in challenges {
            response = response.header("www-authenticate", *challenge);
            lines.push(format!("WWW-Authenticate: {challenge}").into_bytes());
        }
        lines.push(Vec::new());
        let lines: Vec<_> = lines.iter().map(Vec::as_slice).collect();
        let head = Head::new(&response.body(()).unwrap(), &lines).unwrap();
        let context = AuthContext::new("Mufasa", "Circle of Life", "/dir/index.html");
        let field = answer(&head, &context).unwrap()?.field;
        assert_eq!(field.masked(), b"Authorization: Digest ***");
        Some(String::from_utf8(field.octets()).unwrap())
    }

    /// RFC 7616, 3.9.1: the strongest algorithm is chosen.
    #[test]
    fn the_strongest_challenge_is_answered() {
        let challenge = |algorithm: &str| {
            format!(
                "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", \
                 algorithm={algorithm}, nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", \
                 opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
            )
        };
        let (sha, md5) = (challenge("SHA-256"), challenge("MD5"));
        let field = answered(&[&md5, &sha, "Basic realm=\"a\""]).unwrap();
        assert!(
            field.starts_with("Authorization: Digest username=\"Mufasa\""),
            "{field}"
        );
        assert!(
            field.contains("algorithm=SHA-256") && field.contains("qop=auth"),
            "{field}"
        );
        assert!(!field.contains("Circle"), "{field}");
        assert_eq!(answered(&["Basic realm=\"a\""]), None);
        assert_eq!(answered(&["Digest"]), None);
    }
}
