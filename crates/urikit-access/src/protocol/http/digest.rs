//! The "Digest" authentication scheme (RFC 7616).

use super::command::Command;
use crate::command::Secret;
use crate::credentials::Credentials;
use crate::error::{Error, ErrorKind, Result};
use crate::http1::{Head, text};
use digest_auth::{AlgorithmType, AuthContext, HttpMethod, WwwAuthenticateHeader};

/// What to do about the challenge of a 401 response.
pub(super) struct Answer {
    /// The field that answers it.
    pub(super) field: Command,
    /// Whether only the nonce of the answer before was refused (RFC 7616, 3.3).
    pub(super) is_stale: bool,
}

/// The answer to the challenge of a 401 response; `None` if there is no challenge of this scheme. Of
/// several, the one with the strongest algorithm is answered (RFC 7616, 3.7).
pub(super) fn answer(
    head: &Head,
    credentials: &Credentials,
    (method, target, body): (&str, &str, &[u8]),
) -> Result<Option<Answer>> {
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
    let context = AuthContext::new_with_method(
        &*credentials.user,
        &*credentials.password,
        target,
        Some(body),
        HttpMethod::from(method.to_owned()),
    );
    let answer = challenge.respond(&context).map_err(|_| {
        let kind = ErrorKind::Protocol("a challenge by RFC 7616");
        Error::new(kind).received(&head.line)
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
    use super::answer;
    use crate::command::Command as _;
    use crate::credentials::Credentials;
    use crate::http1::Head;

    fn answered(challenges: &[&str]) -> Option<String> {
        let mut response = http::Response::builder().status(401);
        let mut lines = vec![b"HTTP/1.1 401 Unauthorized".to_vec()];
        for challenge in challenges {
            response = response.header("www-authenticate", *challenge);
            lines.push(format!("WWW-Authenticate: {challenge}").into_bytes());
        }
        lines.push(Vec::new());
        let head = Head::new(&response.body(()).unwrap(), &lines).unwrap();
        let credentials = Credentials {
            user: "Mufasa".to_owned(),
            password: "Circle of Life".to_owned(),
        };
        let field = answer(&head, &credentials, ("GET", "/dir/index.html", b""))
            .unwrap()?
            .field;
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
