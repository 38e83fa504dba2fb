//! `--allow-host`: allows private addresses for hosts that the user chooses.

use crate::support::uri;
use urikit_testkit::servers::Scripted;

/// A server that redirects `/to?URL` to the URL.
fn server() -> Scripted {
    Scripted::start(|client| {
        while let Some((first, _)) = crate::request(client) {
            let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
            client.say(match target.split_once('?') {
                Some((_, to)) => {
                    format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")
                }
                None => "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".to_owned(),
            });
        }
    })
}

#[test]
fn only_the_named_host_may_be_private() {
    let server = server();
    let port = server.port;
    let at = |host: &str, rest: &str| format!("http://{host}:{port}{rest}");
    let (local, loopback) = (format!("localhost:{port}"), format!("127.0.0.1:{port}"));
    let run = |rule: &str, url: &str| {
        let outcome = uri(["fetch", "--allow-host", rule, url]);
        (outcome.out, outcome.status)
    };
    let hello = ("hello".to_owned(), 0);
    let refused = (String::new(), 4);
    assert_eq!(run(&local, &at("localhost", "/")), hello);
    assert_eq!(run(&local, &at("LOCALHOST", "/")), hello);
    assert_eq!(run(&loopback, &at("127.0.0.1", "/")), hello);
    assert_eq!(
        run(&format!("*.localhost:{port}"), &at("127.0.0.1", "/")),
        refused
    );
    assert_eq!(run(&local, &at("127.0.0.1", "/")), refused);
    // Without a port, the rule applies to the default port.
    assert_eq!(run("localhost", &at("localhost", "/")), refused);
    // A redirect on the same host keeps the permission, but a redirect from another host never gets
    // it.
    assert_eq!(run(&local, &at("localhost", "/to?/there")), hello);
    let both = |url: &str| {
        let outcome = uri([
            "fetch",
            "--allow-host",
            &local,
            "--allow-host",
            &loopback,
            url,
        ]);
        (outcome.out, outcome.status)
    };
    assert_eq!(both(&at("localhost", "/")), hello);
    let away = at("localhost", &format!("/to?{}", at("127.0.0.1", "/")));
    assert_eq!(both(&away), refused);
    // A redirect from another host cannot use a pooled connection that the user's URL opened.
    let outcome = uri([
        "fetch",
        "--allow-host",
        &local,
        "--allow-host",
        &loopback,
        &at("127.0.0.1", "/"),
        &away,
    ]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("hello", 4),
        "{outcome:?}"
    );
    let back = format!("{}/to?{}", at("127.0.0.1", ""), at("localhost", "/"));
    let out_and_back = at("localhost", &format!("/to?{back}"));
    assert_eq!(both(&out_and_back), refused);
    // The environment can also contain rules.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_uri"));
    command.args(["fetch", &at("localhost", "/")]);
    command.env("URI_ALLOW_HOSTS", format!("a.test, {local}"));
    assert_eq!(command.output().unwrap().stdout, b"hello");
    command.env("URI_ALLOW_HOSTS", "http://a.test");
    assert_eq!(command.output().unwrap().status.code(), Some(2));
    let plan = uri([
        "fetch",
        "--plan",
        "--allow-host",
        &local,
        &at("localhost", "/"),
    ]);
    assert_eq!(plan.status, 0, "{plan:?}");
    assert_eq!(uri(["fetch", "--plan", &at("localhost", "/")]).status, 4);
}

/// The data connection of ftp goes to the host of the control connection.
#[test]
fn a_data_connection_has_the_permission_of_its_control_connection() {
    let data = Scripted::start(|client| {
        client.say("hello");
        client.close();
    });
    let port = data.port;
    let server = Scripted::start(move |client| {
        client.say("220 hi\r\n");
        while let Some(line) = client.line() {
            let reply = match line.split(' ').next().unwrap_or_default() {
                "USER" => "230 in\r\n".to_owned(),
                "EPSV" => format!("229 ok (|||{port}|)\r\n"),
                "RETR" => "150 now\r\n226 done\r\n".to_owned(),
                "SIZE" => "213 5\r\n".to_owned(),
                "MDTM" => "500 no\r\n".to_owned(),
                _ => "200 ok\r\n".to_owned(),
            };
            client.say(reply);
        }
    });
    let rule = format!("localhost:{}", server.port);
    let outcome = uri(["fetch", "--allow-host", &rule, &format!("ftp://{rule}/a")]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("hello", 0),
        "{outcome:?}"
    );
}
