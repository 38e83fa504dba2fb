//! `rlogin` and `tn3270`: external programs and their arguments.

use crate::support::Rendered as _;
use crate::support::{client, fails, fetch_with, plan, policy};
use crate::user::TestUser;
use std::fs;
use std::net::IpAddr;
use urikit::Standard;
use urikit_access::policy::Refusal;
use urikit_access::protocol::{RloginProtocol, Tn3270Protocol};
use urikit_access::{
    Buffer, Class, Client, ErrorKind, Policy, Prompt, Request, Resolver, Response, Result, Wanted,
};
use urikit_testkit::servers::Folder;

/// Resolves every name to one address.
struct FixedAddress(&'static str);

impl Resolver for FixedAddress {
    fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec![self.0.parse().unwrap()])
    }
}

/// A program that writes its arguments to a file.
fn program(folder: &Folder, status: u8) -> String {
    let log = folder.path().join("log");
    let script = format!(
        "#!/bin/sh\nprintf '%s|' \"$#\" \"$@\" >>{}\nexit {status}\n",
        log.display()
    );
    let path = folder.program("program", script);
    path.to_str().unwrap().to_owned()
}

fn with(program: &str, policy: Policy) -> Client {
    Client::new(policy)
        .protocol(RloginProtocol::new().program(program))
        .protocol(Tn3270Protocol::new().program(program))
        .resolver(FixedAddress("10.0.0.1"))
}

fn fetch_with_prompt(client: &mut Client, url: &str, prompt: &mut dyn Prompt) -> Result<Response> {
    let reference = Standard::Rfc3986.parse(url).unwrap();
    client.fetch(&Request::new(reference), prompt, &mut Buffer::default())
}

fn agreeing() -> TestUser {
    let mut user = TestUser::new();
    user.agrees = true;
    user
}

#[test]
fn a_program_is_started_with_consent() {
    let folder = Folder::new("programs");
    let program = program(&folder, 0);
    let mut client = with(&program, policy());
    for (url, shown, arguments) in [
        ("rlogin://guest:hunter2@H.dom/", "-- H.dom", "2|--|H.dom|"),
        ("rlogin://h%2Edom:513", "-- h.dom", "2|--|h.dom|"),
        ("rlogin://[::1]/", "-- ::1", "2|--|::1|"),
        (
            "tn3270://guest:hunter2@h.dom/",
            "[h.dom]:23",
            "1|[h.dom]:23|",
        ),
        ("tn3270://h.dom:992", "[h.dom]:992", "1|[h.dom]:992|"),
        ("tn3270://127.0.0.1/", "[127.0.0.1]:23", "1|[127.0.0.1]:23|"),
        ("tn3270://[::1]:24/", "[::1]:24", "1|[::1]:24|"),
        // x3270 would interpret these hosts as a prefix and as a session file.
        ("tn3270://L/", "[L]:23", "1|[L]:23|"),
        ("tn3270://a.c3270/", "[a.c3270]:23", "1|[a.c3270]:23|"),
    ] {
        let mut user = agreeing();
        let response = fetch_with_prompt(&mut client, url, &mut user).unwrap();
        assert_eq!(folder.read("log"), arguments, "{url}");
        fs::remove_file(folder.path().join("log")).unwrap();
        assert_eq!(user.asked, [format!("Start `{program} {shown}`?")]);
        // The user and password in the URL are shown to the user, but not passed to the program.
        let told: &[&str] = &["Log in as the user: guest", "The password: hunter2"];
        assert_eq!(user.notices, if url.contains("guest") { told } else { &[] });
        // The access took the planned steps.
        let planned = plan(&client, url).unwrap();
        let mut planned: Vec<String> = planned.steps().iter().map(ToString::to_string).collect();
        let last = format!("then     asks before starting \"{program} {shown}\"");
        assert_eq!(planned.pop().unwrap(), last);
        planned.push(format!("started {program} {shown}"));
        assert_eq!(response.rendered(), planned);
        assert!(!format!("{planned:?}").contains("hunter2"));
    }
}

/// Programs need a terminal, and consent.
#[test]
fn nothing_is_started_without_a_terminal_or_consent() {
    let folder = Folder::new("no-consent");
    let mut client = with(&program(&folder, 0), policy());
    for url in ["rlogin://h.dom/", "tn3270://h.dom/"] {
        let error = fetch_with_prompt(&mut client, url, &mut TestUser::new()).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::NoConsent)),
            "{error}"
        );
        assert_eq!(error.class(), Class::Refused);
        let error = fails(&mut client, url);
        assert_eq!(
            error.to_string(),
            "the URL identifies a session, which needs a terminal"
        );
        let error = fetch_with(&mut client, url, |it| it.wanted(Wanted::Metadata)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the URL identifies a session, which has no metadata"
        );
    }
    assert_eq!(folder.read("log"), "");
}

/// The host cannot become an option, a second argument, or a shell command.
#[test]
fn the_host_cannot_become_an_option_or_a_command() {
    let folder = Folder::new("arguments");
    let client = with(&program(&folder, 0), policy());
    for scheme in ["rlogin", "tn3270"] {
        for host in [
            "-l",
            "-e",
            "--",
            "-oProxyCommand=x",
            "%2Dl",
            "%2D%2Dhelp",
            "a%20b",
            "a%09b",
            "a%0Ab",
            "a%00b",
            "a;touch%20x",
            "$(touch%20x)",
            "a&b",
            "a%7Cb",
            "%60x%60",
            "a%22b",
            "a'b",
            "a%5Cb",
            "a%2Fb",
            "a%40b",
            "u%40-l",
            "a%3A23",
            "L%3Aa",
            "%5Ba%5D",
            "%5D",
            "*",
            "~",
            "",
            "%2E%2E%2Fx",
            "@",
            "[v1.-l]",
        ] {
            for port in ["", ":", ":23"] {
                let url = format!("{scheme}://{host}{port}/");
                let Ok(reference) = Standard::Rfc3986.parse(&url) else {
                    continue;
                };
                let mut user = agreeing();
                let result =
                    client.fetch(&Request::new(reference), &mut user, &mut Buffer::default());
                let log = folder.read("log");
                let _ = fs::remove_file(folder.path().join("log"));
                match result {
                    // In brackets, the host cannot be an option.
                    Ok(_) => {
                        let inner = host.replace("%2D", "-");
                        assert_eq!(
                            (scheme, log),
                            ("tn3270", format!("1|[{inner}]:23|")),
                            "{url}"
                        );
                        assert!(inner.starts_with('-'), "{url}");
                    }
                    Err(error) => {
                        assert_eq!(log, "", "{url}");
                        assert!(user.asked.is_empty(), "{url}: {:?}", user.asked);
                        let is_expected = matches!(
                            error.kind(),
                            ErrorKind::HostNotFound
                                | ErrorKind::Url(_)
                                | ErrorKind::Unsupported(_)
                                | ErrorKind::Refused(
                                    Refusal::Program { .. } | Refusal::Port { .. }
                                )
                        );
                        assert!(is_expected, "{url}: {error}");
                    }
                }
            }
        }
    }
    assert!(!std::path::Path::new("x").exists());
}

/// The policy applies to programs too.
#[test]
fn ports_and_addresses_are_checked() {
    let folder = Folder::new("judged");
    let program = program(&folder, 0);
    for url in [
        "rlogin://h.dom/",
        "tn3270://h.dom/",
        "tn3270://127.0.0.1/",
        "rlogin://[::ffff:10.0.0.1]/",
    ] {
        let strict = Client::new(Policy::permissive())
            .protocol(RloginProtocol::new().program(&program))
            .protocol(Tn3270Protocol::new().program(&program));
        let mut strict = strict.resolver(FixedAddress("127.0.0.1"));
        let error = fetch_with_prompt(&mut strict, url, &mut agreeing()).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. })),
            "{url}: {error}"
        );
    }
    let mut client = with(&program, policy())
        .protocol(RloginProtocol::new().program(&program).port_option("-p"));
    for url in [
        "tn3270://h.dom:25/",
        "tn3270://h.dom:0/",
        "tn3270://h.dom:513/",
        "rlogin://h.dom:25/",
        "rlogin://h.dom:23/",
    ] {
        let error = fetch_with_prompt(&mut client, url, &mut agreeing()).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Port { .. })),
            "{url}: {error}"
        );
    }
    assert_eq!(folder.read("log"), "");
}

#[test]
fn ports_are_passed_to_programs_that_accept_them() {
    let folder = Folder::new("port");
    let program = program(&folder, 0);
    let url = "rlogin://h.dom:2222/";
    let error = fetch_with_prompt(&mut with(&program, policy()), url, &mut agreeing()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the program for rlogin has no option for a port"
    );
    assert!(plan(&with(&program, policy()), url).is_err());
    let rlogin = RloginProtocol::new().program(&program).port_option("-p");
    let mut client = with(&program, policy()).protocol(rlogin);
    let planned = plan(&client, url).unwrap().to_string();
    assert!(
        planned.ends_with(&format!("\"{program} -p 2222 -- h.dom\"\n")),
        "{planned}"
    );
    fetch_with_prompt(&mut client, url, &mut agreeing()).unwrap();
    assert_eq!(folder.read("log"), "4|-p|2222|--|h.dom|");
    for url in ["rlogin://h.dom:99999/", "tn3270://h.dom:99999/"] {
        let error = fetch_with_prompt(&mut client, url, &mut agreeing()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Url(_)), "{url}: {error}");
    }
}

#[test]
fn failing_and_missing_programs_are_errors() {
    let folder = Folder::new("fails");
    let failing = program(&folder, 3);
    let error = fetch_with_prompt(
        &mut with(&failing, policy()),
        "tn3270://h.dom/",
        &mut agreeing(),
    )
    .unwrap_err();
    assert!(
        error.to_string().ends_with("it ended with exit status: 3"),
        "{error}"
    );
    let error = fetch_with_prompt(
        &mut with("/no/such/program", policy()),
        "rlogin://h.dom/",
        &mut agreeing(),
    )
    .unwrap_err();
    assert!(
        error.to_string().starts_with("starting /no/such/program: "),
        "{error}"
    );
    assert_eq!(error.class(), Class::Local);
    // The plan shows the default programs.
    for (url, line) in [
        ("rlogin://h.dom/", "rlogin -- h.dom"),
        ("tn3270://h.dom/", "c3270 [h.dom]:23"),
    ] {
        let planned = plan(&client(), url).unwrap().to_string();
        assert!(
            planned.ends_with(&format!("asks before starting \"{line}\"\n")),
            "{planned}"
        );
    }
}
