//! Tests of `telnet`, `rlogin` and `tn3270`: the builder.

use urikit::Standard;
use urikit_schemes::{BuildError, Session};
use urikit_testkit::Random;

#[test]
fn built_urls_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(854);
    for round in 0..3_000 {
        let user: Vec<u8> = (0..random.below(6)).map(|_| octet(&mut random)).collect();
        let password: Vec<u8> = (0..random.below(6)).map(|_| octet(&mut random)).collect();
        let begin = [Session::telnet, Session::rlogin, Session::tn3270][round % 3];
        let mut builder = begin("host.dom").port(2323).user(&user);
        let has_password = random.below(2) == 0;
        if has_password {
            builder = builder.password(&password);
        }
        let text = builder.clone().build().unwrap().into_string();
        let rfc1738 = builder.build_any(Standard::Rfc1738).unwrap();
        assert_eq!(rfc1738.as_str(), text);
        for standard in Standard::ALL.into_iter().skip(1) {
            let read = Session::read(standard.parse(&text).unwrap()).unwrap();
            assert_eq!(read.port(), Some(2323));
            assert_eq!(*read.user().unwrap().to_bytes(), *user, "{text}");
            let found = read.password().map(|found| found.to_bytes().into_owned());
            assert_eq!(found, has_password.then(|| password.clone()), "{text}");
        }
    }
}

/// Generates an octet. Half of the octets are delimiters.
fn octet(random: &mut Random) -> u8 {
    match random.below(2) {
        0 => *b"/;?:@&=%.~+#".get(random.below(12)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    }
}

#[test]
fn invalid_parts_are_not_built() {
    let build = |host| Session::rlogin(host).build().map(drop);
    assert!(matches!(build("a b"), Err(BuildError::Syntax(_))));
    assert!(matches!(build(""), Err(BuildError::Scheme(_))));
    assert!(matches!(build("h/x"), Err(BuildError::Scheme(_))));
    assert_eq!(build("u@h"), Err(BuildError::Misread { part: "user" }));
    let alone = Session::telnet("h").password("p").build();
    assert_eq!(alone.map(drop), Err(BuildError::Misread { part: "user" }));
    // RFC 1630 does not allow escapes in user and password, and its hostname may contain an `@`.
    let rfc1630 = |user| Session::telnet("h").user(user).build_any(Standard::Rfc1630);
    assert_eq!(rfc1630("a+b").unwrap().as_str(), "telnet://a+b@h");
    let space = rfc1630("a b").map(drop);
    assert_eq!(space, Err(BuildError::Misread { part: "user" }));
}
