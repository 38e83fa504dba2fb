//! Properties of every URL, tested on URLs generated from the rules of the RFCs, on mutated ones,
//! and on random ones.

use super::{client, outline};
use urikit::{AnyRef, Standard, UriBuf};
use urikit_access::protocol::{gopher, news};
use urikit_access::{Action, Client, Command as _, ErrorKind, Plan, Result, UrlError};
use urikit_schemes::{Edition, Ftp, Gopher, GopherPlus, ItemType, Mailto, News, Nntp, Session};
use urikit_testkit::Random;
use urikit_testkit::abnf::{self, Generator, Grammar, Mutator};

/// The number of URLs to generate from the rules of each standard.
const GENERATED: usize = 20_000;

fn plan_of(client: &Client, url: &str) -> Result<Plan> {
    let reference = Standard::Rfc3986.parse(url).unwrap();
    outline(client, reference, Edition::Successor)
}

/// Returns every command that is sent.
fn sent(plan: &Plan) -> Vec<Vec<u8>> {
    let commands = plan.commands();
    commands.map(|(command, _)| command.octets()).collect()
}

#[test]
fn what_is_no_url_of_its_scheme_has_no_plan_and_no_plan_smuggles_a_line() {
    let client = client();
    let mut planned = 0;
    for name in ["rfc1630", "rfc1738"] {
        let grammar = Grammar::load(&abnf::dir(), name).unwrap();
        let mut generator = Generator::new(&grammar, 20_261_121);
        let mut mutator = Mutator::new(20_261_121);
        let mut before = String::new();
        for _ in 0..GENERATED {
            let text = generator.generate(grammar.start());
            for text in [&text, &mutator.mutate(&text, &before)] {
                for standard in [Standard::Rfc1630, Standard::Rfc1738, Standard::Rfc3986] {
                    if let Ok(reference) = standard.parse(text) {
                        planned += usize::from(check(&client, reference));
                    }
                }
            }
            before = text;
        }
    }
    assert!(planned > 10_000, "{planned}");
}

/// Checks the plan for a reference. Returns false if the reference has no plan.
fn check(client: &Client, reference: AnyRef<'_>) -> bool {
    let Some(scheme) = reference.scheme().and_then(urikit_schemes::find) else {
        return false;
    };
    let mut is_planned = false;
    for edition in [Edition::Original, Edition::Successor] {
        let verdict = scheme.check(reference, edition);
        let plan = outline(client, reference, edition);
        assert!(verdict.is_ok() || plan.is_err(), "{reference}");
        for (command, _) in plan.iter().flat_map(Plan::commands) {
            let request: Option<&gopher::Command> = command.downcast_ref();
            let is_form = matches!(
                request.and_then(|request| request.plus.as_ref()),
                Some(gopher::Plus::Form(_))
            );
            let is_control = |octet: &u8| octet.is_ascii_control() && *octet != b'\t';
            assert!(
                is_form || !command.octets().iter().any(is_control),
                "{reference}: {command:?}"
            );
        }
        is_planned |= plan.is_ok();
    }
    is_planned
}

/// The grammars allow escaped control characters, which a client must not send.
#[test]
fn what_no_client_sends_is_built_and_has_no_plan() {
    let client = client();
    let text = "a\nb";
    for url in [
        Ftp::builder("h").file(text).build(),
        Gopher::builder("h").item(ItemType::FILE, text).build(),
        News::group(text).build(),
        Nntp::builder("h", text).build(),
    ] {
        let error = plan_of(&client, url.unwrap().as_str()).unwrap_err();
        let octet = b'\n';
        assert!(
            matches!(error.kind(), ErrorKind::Url(UrlError::Control { octet: found, .. })
                if *found == octet),
            "{error}"
        );
    }
    // The user and password of a session are never sent.
    let session = Session::telnet("h").user(text).password(text).build();
    let plan = plan_of(&client, session.unwrap().as_str()).unwrap();
    assert!(sent(&plan).is_empty());
}

#[test]
fn sessions_send_nothing_and_show_no_password_in_the_plan() {
    let client = client();
    let mut steps = 0;
    for scheme in ["telnet", "rlogin", "tn3270"] {
        let text = format!("{scheme}://user:secret@h:513");
        let url = Standard::Rfc1630.parse(&text).unwrap();
        for step in outline(&client, url, Edition::Original).unwrap().steps() {
            steps += 1;
            assert!(!matches!(step.action, Action::Send(_)));
            assert!(!format!("{step:?} {step} {}", step.unmasked()).contains("secret"));
        }
    }
    assert!(steps > 6, "{steps}");
}

#[test]
fn no_command_contains_the_fragment_or_the_userinfo() {
    let plan = plan_of(&client(), "https://user:secret@h/a?b#fragment").unwrap();
    assert!(plan.commands().count() >= 3);
    for line in sent(&plan) {
        let sent = String::from_utf8(line).unwrap();
        for kept in ["user", "secret", "fragment", "#", "@"] {
            assert!(!sent.contains(kept), "{sent}");
        }
    }
}

/// An octet in a URL cannot end a command or begin another argument.
#[test]
fn every_news_command_is_one_line_of_its_own_arguments() {
    let client = client();
    for octet in 0..=255_u8 {
        for url in [
            format!("news:a%{octet:02X}b"),
            format!("news:*%{octet:02X}b"),
            format!("nntp://h/a%{octet:02X}b/1"),
            format!("nntp://a%{octet:02X}b@h/g"),
            format!("nntp://u:a%{octet:02X}b@h/g"),
            format!("news:a%{octet:02X}b@c.d"),
        ] {
            for edition in [Edition::Original, Edition::Successor] {
                let reference = Standard::Rfc3986.parse(&url).unwrap();
                // RFC 4643, 3.1 allows spaces in a login, because it extends to the end of the
                // line.
                let is_login = url.contains("@h/");
                let is_space = octet == b' ';
                let is_bad = octet < b' ' || octet == 0x7F || is_space && !is_login;
                match outline(&client, reference, edition) {
                    Ok(plan) => {
                        assert!(!is_bad, "{url}");
                        for (command, _) in plan.commands() {
                            let words = command.octets();
                            let words = words.split(|octet| *octet == b' ').count();
                            let expected = match command.downcast_ref().unwrap() {
                                news::Command::Capabilities | news::Command::List => 1,
                                news::Command::ListActive(_) => 3,
                                news::Command::AuthinfoUser(user) => {
                                    3 + usize::from(user.octets().contains(&b' '))
                                }
                                news::Command::AuthinfoPass(password) => {
                                    3 + usize::from(password.octets().contains(&b' '))
                                }
                                _ => 2,
                            };
                            assert_eq!(words, expected, "{url}");
                        }
                    }
                    Err(error) => match error.kind() {
                        ErrorKind::Url(UrlError::Control { octet: found, .. }) => {
                            assert!(is_bad && *found == octet, "{url}");
                        }
                        ErrorKind::Url(UrlError::Unfit { octet: found, .. }) => {
                            assert_eq!(*found, octet);
                        }
                        ErrorKind::Url(UrlError::Read(_)) => {}
                        _ => panic!("{url}: {error}"),
                    },
                }
            }
        }
    }
}

/// Returns random octets without a TAB.
fn octets(random: &mut Random) -> Vec<u8> {
    let octet = |random: &mut Random| match random.below(2) {
        0 => *b"/;?:@&=%.+".get(random.below(10)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    let octets = (0..random.below(6)).map(|_| octet(random));
    octets.filter(|octet| *octet != b'\t').collect()
}

#[test]
fn gopher_forms_are_sent_as_they_were_filled_in() {
    let mut random = Random::new(349);
    let mut compared = 0;
    for _ in 0..2_000 {
        let values: Vec<Vec<u8>> = (0..=random.below(3)).map(|_| octets(&mut random)).collect();
        let Ok(url) = Gopher::builder("h").item(b'0', "s").form(&values).build() else {
            continue;
        };
        let read = Gopher::read(url.as_uri()).unwrap();
        assert!(matches!(read.plus(), Some(GopherPlus::Form(_))));
        let command = gopher::Command::of(&read);
        let controls = |octet: &u8| *octet < b' ' || *octet == 0x7F;
        if values.iter().flatten().any(controls) {
            assert!(command.is_err(), "{url}");
            continue;
        }
        let mut expected = b"s\t+\t1\r\n+-1\r\n".to_vec();
        for value in &values {
            expected.extend_from_slice(value);
            expected.extend_from_slice(b"\r\n");
        }
        // The connection sends the last line ending.
        expected.extend_from_slice(b".");
        assert_eq!(command.unwrap().octets(), expected);
        compared += 1;
    }
    assert!(compared > 500, "{compared}");
}

/// Only a form is sent as several lines, and a line has at most two TABs.
#[test]
fn no_gopher_url_smuggles_a_line() {
    let mut random = Random::new(70);
    let mut compared = 0;
    for _ in 0..20_000 {
        let mut text = "gopher://h/".to_owned();
        for _ in 0..random.below(12) {
            let pieces = [
                "1", "+", "-1", "%09", "%0D", "%0A", "%0D%0A", "%00", ".", "a", "?", "!",
            ];
            let piece: &&str = random.pick(&pieces);
            text.push_str(piece);
        }
        let url = Standard::Rfc3986.parse(&text).unwrap();
        let command = gopher::Command::of(&Gopher::read(url).unwrap());
        let Ok(command) = command else { continue };
        if matches!(command.plus, Some(gopher::Plus::Form(_))) {
            continue;
        }
        let octets = command.octets();
        assert!(
            !octets
                .iter()
                .any(|octet| matches!(octet, 0 | b'\r' | b'\n')),
            "{text}"
        );
        assert!(octets.split(|octet| *octet == b'\t').count() <= 3, "{text}");
        compared += 1;
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn every_mailto_url_that_is_built_can_be_composed() {
    let client = client();
    let url = |url: UriBuf| plan_of(&client, url.as_str()).unwrap();
    for name in ["body", "Body", "BODY"] {
        let built = Mailto::unaddressed().header(name, "a\nb\rc\r\n\td").build();
        assert!(url(built.unwrap()).steps().len() >= 3);
    }
    let mut random = Random::new(6068);
    for _ in 0..500 {
        let value: Vec<u8> = (0..random.below(8))
            .map(|_| u8::try_from(random.below(256)).unwrap())
            .filter(|octet| !octet.is_ascii_control())
            .collect();
        let built = Mailto::builder("a@b.example")
            .header("x-any", &value)
            .subject(&value)
            .body(&value)
            .build();
        let reference = built.unwrap();
        let plan = plan_of(&client, reference.as_str());
        // A message cannot contain text that is not UTF-8.
        match (std::str::from_utf8(&value), plan) {
            (Ok(_), plan) => assert!(plan.unwrap().steps().len() >= 4),
            (Err(_), plan) => assert!(plan.is_err(), "{reference}"),
        }
    }
}
