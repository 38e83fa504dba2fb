//! Forms (RFC 1738, 3.4.5 and 3.4.9; Gopher+, 2.8), and searches whose words the user types.

use super::{get, get_fails, replies};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, plan};
use std::sync::{Arc, Mutex};
use urikit::Standard;
use urikit_access::{
    Buffer, Class, Client, ErrorKind, Prompt, Request, Response, Result, Terminal,
};
use urikit_testkit::servers::{Conversation, Scripted};

/// A user with these answers, who remembers the questions.
#[derive(Default)]
struct Answers {
    answers: Vec<&'static str>,
    asked: Vec<String>,
}

impl Answers {
    fn new(answers: &[&'static str]) -> Self {
        let answers = answers.iter().rev().copied().collect();
        Self {
            answers,
            asked: Vec::new(),
        }
    }

    fn next(&mut self, asked: String) -> Option<String> {
        self.asked.push(asked);
        self.answers.pop().map(str::to_owned)
    }
}

impl Prompt for Answers {
    fn password(&mut self, user: &str, host: &str) -> Option<String> {
        self.next(format!("secret: {user} @{host}"))
    }

    fn confirm(&mut self, _: &str) -> bool {
        false
    }

    fn input(&mut self, question: &str, default: &str) -> Option<String> {
        self.next(format!("{question} [{default}]"))
    }

    fn notify(&mut self, advice: &str) {
        self.asked.push(format!("told: {advice}"));
    }

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

fn fetch_for(
    prompt: &mut dyn Prompt,
    client: &mut Client,
    url: &str,
) -> Result<(Response, Buffer)> {
    let reference = Standard::Rfc3986.parse(url).unwrap();
    let mut buffer = Buffer::default();
    let response = client.fetch(&Request::new(reference), prompt, &mut buffer)?;
    Ok((response, buffer))
}

/// Starts a server with a form, which stores the data that follows a request with a data flag.
fn form(ask: &'static str) -> (Scripted, Arc<Mutex<Vec<String>>>) {
    let got = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&got);
    let server = Scripted::start(move |client| {
        let line = client.line().unwrap_or_default();
        if line.ends_with("\t1") {
            let mut lines = vec![line];
            while let Some(line) = client.line() {
                let is_last = line == ".";
                lines.push(line);
                if is_last {
                    break;
                }
            }
            *to.lock().unwrap() = lines;
            client.say("+7\r\nthanks!");
        } else {
            client.say(format!(
                "+-1\r\n+INFO: 0a\ta\th\t70\t?\r\n+ASK:\r\n{ask}.\r\n"
            ));
        }
    });
    (server, got)
}

/// A filled-in form in a URL is sent unchanged (3.4.9).
#[test]
fn a_filled_in_form_is_sent_unchanged() {
    for (path, request) in [
        ("0a_gopher_selector%09%09", "a_gopher_selector\t+\t1"),
        // Section 3.4.3 has a place for search words, but section 3.4.9 does not.
        ("7a%09words%09", "a\twords\t+\t1"),
    ] {
        let (server, got) = form("");
        let path = format!("{path}+%091%0D%0A+-1%0D%0Aone%0D%0A%0D%0Atwo%FF%0D%0A.%0D%0A");
        let (response, buffer) = get(&server, &path).unwrap();
        assert_eq!(
            *got.lock().unwrap(),
            [request, "+-1", "one", "", "two\u{fffd}", "."]
        );
        if path.starts_with('0') {
            assert_eq!(buffer.bytes, b"thanks!");
        }
        let is_sent = |event: &String| event.starts_with("> ");
        let sent: Vec<_> = response.rendered().into_iter().filter(is_sent).collect();
        let request = request.replace('\t', "\\t");
        assert_eq!(
            sent,
            [format!(
                "> {request}\\r\\n+-1\\r\\none\\r\\n\\r\\ntwo\\xff\\r\\n."
            )]
        );
        let url = format!("gopher://127.0.0.1:{}/{path}", server.port);
        let planned = plan(&client(), &url).unwrap().to_string();
        assert!(
            planned.contains(&format!("send     \"{request}\\r\\n+-1\\r\\none")),
            "{planned}"
        );
    }
}

/// The form is fetched, shown to the user, and sent with answers of each kind, in order (Gopher+,
/// 2.8).
#[test]
fn a_form_is_shown_to_the_user() {
    let (server, got) = form(
        " Note: Answer well\r\n Ask: How many volts?\t220\r\n AskP: Password?\r\n \
         Choose: Shock the administrator?\tYes\tNot!\r\n \
         Select: Which?\tred\tblue\r\n AskL: Why?\r\n AskF: Save as?\tout.txt\r\n",
    );
    let url = format!("gopher://127.0.0.1:{}/0a%09%09?", server.port);
    let mut client = client();
    let mut prompt = Answers::new(&[
        "9",
        "hunter2",
        "Maybe",
        "Not!",
        "red, blue",
        "first",
        "second",
        "",
        "mine",
    ]);
    let (response, buffer) = fetch_for(&mut prompt, &mut client, &url).unwrap();
    assert_eq!(buffer.bytes, b"thanks!");
    assert_eq!(
        prompt.asked,
        [
            "told: Answer well",
            "How many volts? [220]",
            "secret: Password? @127.0.0.1",
            "Shock the administrator? (Yes / Not!) [Yes]",
            "Shock the administrator? (Yes / Not!) [Yes]",
            "Which? (red / blue) []",
            "Why? (line by line; end with an empty line) []",
            "Why? (line by line; end with an empty line) []",
            "Why? (line by line; end with an empty line) []",
            "Save as? [out.txt]",
        ]
    );
    let got = got.lock().unwrap().clone();
    assert_eq!(
        got,
        [
            "a\t+\t1",
            "+-1",
            "9",
            "hunter2",
            "Not!",
            "red, blue",
            "2",
            "first",
            "second",
            "mine",
            "."
        ]
    );
    // Secrets are masked.
    assert!(
        !format!("{:?}", response.rendered()).contains("hunter2"),
        "{:?}",
        response.rendered()
    );
    assert!(
        response
            .rendered()
            .iter()
            .any(|step| step.contains("9\\r\\n***\\r\\nNot!")),
        "{:?}",
        response.rendered()
    );
    // The plan contains the steps that are known before the form is fetched, and describes the
    // others in words.
    let planned = plan(&client, &url).unwrap();
    let asked: Vec<String> = response
        .rendered()
        .iter()
        .filter(|step| !step.starts_with("> a\\t+\\t1"))
        .cloned()
        .collect();
    assert_as_planned(&planned, &asked);
    let planned = planned.to_string();
    assert!(
        planned.contains("asks the user to fill in the form"),
        "{planned}"
    );
}

/// Without a user, the error quotes the questions, and nothing is sent.
#[test]
fn an_unanswered_form_lists_its_questions() {
    let (server, got) = form(" Ask: How many volts?\r\n Choose: Shock?\tYes\tNot!\r\n");
    let error = get_fails(&server, "0a%09%09?");
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
    for question in ["Ask: How many volts?", "Choose: Shock?\\tYes\\tNot!"] {
        assert!(error.to_string().contains(question), "{error}");
        assert!(
            error.rendered().iter().any(|step| step.contains(question)),
            "{:?}",
            error.rendered()
        );
    }
    assert!(got.lock().unwrap().is_empty());
    // An incomplete answer fails.
    let mut prompt = Answers::new(&["9"]);
    let url = format!("gopher://127.0.0.1:{}/0a%09%09?", server.port);
    assert!(fetch_for(&mut prompt, &mut client(), &url).is_err());
    // After some attempts, an answer that is not one of the choices fails too.
    let mut prompt = Answers::new(&["9", "a", "b", "c", "Yes"]);
    let error = fetch_for(&mut prompt, &mut client(), &url).unwrap_err();
    assert!(
        error.to_string().contains("not one of the choices"),
        "{error}"
    );
    assert!(got.lock().unwrap().is_empty());
}

/// An answer remains one line, and cannot end the form.
#[test]
fn an_answer_is_one_line() {
    for answer in [".", "a\r\nb", "a\nb", "a\tb", "a\0b", "a\r"] {
        let (server, got) = form(" Ask: A?\r\n Ask: B?\r\n");
        let url = format!("gopher://127.0.0.1:{}/0a%09%09?", server.port);
        let mut prompt = Answers::new(&[answer, "b"]);
        let error = fetch_for(&mut prompt, &mut client(), &url).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Unsupported(_)) || error.class() == Class::Invalid,
            "{answer:?}: {error}"
        );
        assert!(got.lock().unwrap().is_empty(), "{answer:?}");
    }
}

/// Invalid forms are errors, and so is a form that asks for a local file if the user does not
/// choose one.
#[test]
fn forms_that_are_not_asked() {
    for (ask, kind) in [
        (" ChooseF: Which file?\t/etc/passwd\r\n", "a local file"),
        (" AskQ: What?\r\n", "a Gopher+ question"),
        (" what is this\r\n", "a Gopher+ question"),
    ] {
        let (server, got) = form(ask);
        let url = format!("gopher://127.0.0.1:{}/0a%09%09?", server.port);
        let mut prompt = Answers::new(&["/etc/passwd", "yes"]);
        let error = fetch_for(&mut prompt, &mut client(), &url).unwrap_err();
        assert!(error.to_string().contains(kind), "{error}");
        assert!(prompt.asked.is_empty() && got.lock().unwrap().is_empty());
    }
    let error = get_fails(&replies("+-2\r\n+INFO: 0a\ta\th\t70\t+\r\n"), "0a%09%09?");
    assert!(
        error.to_string().contains("expected an `+ASK` block"),
        "{error}"
    );
    let many = " Ask: Again?\r\n".repeat(100);
    let reply = format!("+-2\r\n+INFO: 0a\ta\th\t70\t?\r\n+ASK:\r\n{many}");
    let error = get_fails(&replies(reply), "0a%09%09?");
    assert!(error.to_string().contains("fewer than 100"), "{error}");
}

/// The user types the words of a search (RFC 1436, 3.7).
#[test]
fn search_words_are_asked_for() {
    let server = replies("0Found\t/f\th\t70\r\n.\r\n");
    let url = format!("gopher://127.0.0.1:{}/7find", server.port);
    let mut prompt = Answers::new(&["red hat + 100%"]);
    let (_, buffer) = fetch_for(&mut prompt, &mut client(), &url).unwrap();
    assert_eq!(buffer.entries.len(), 1);
    assert_eq!(server.log(), ["find\tred hat + 100%"]);
    assert_eq!(prompt.asked, ["Search 127.0.0.1 for []"]);
    for words in ["", "a\tb", "a\r\nb", "a\0"] {
        let mut prompt = Answers::new(&[words]);
        let error = fetch_for(&mut prompt, &mut client(), &url).unwrap_err();
        assert!(error.rendered().is_empty(), "{words:?}: {error}");
    }
    assert_eq!(server.log().len(), 1);
    let planned = plan(&client(), &url).unwrap().to_string();
    assert_eq!(
        planned,
        format!(
            "then     asks the user for words to search for\nconnect  127.0.0.1:{}\n\
             then     sends the search words, preceded by a TAB and the selector \"find\"\n",
            server.port
        )
    );
}

/// A user who chooses a file.
struct Choosing(Vec<String>, &'static [u8]);

impl urikit_access::Prompt for Choosing {
    fn password(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn confirm(&mut self, _: &str) -> bool {
        false
    }

    fn input(&mut self, _: &str, _: &str) -> Option<String> {
        Some("tim".to_owned())
    }

    fn file(&mut self, question: &str, host: &str) -> Option<Vec<u8>> {
        self.0.push(format!("{question} {host}"));
        Some(self.1.to_vec())
    }

    fn notify(&mut self, _: &str) {}

    fn terminal(&mut self) -> Option<urikit_access::Terminal> {
        None
    }
}

/// The file is the rest of the data block (Gopher+, 2.8). The server's suggestion is not a default.
#[test]
fn a_file_that_the_user_chose() {
    let server = Scripted::start(|client: &mut Conversation| {
        let line = client.line().unwrap_or_default();
        if line.contains("!+ASK") {
            client.say(
                "+-2\r\n+INFO: 0a\ta\th\t70\t?\r\n+ASK:\r\n Ask: Who?\r\n \
                        ChooseF: Which file?\t/etc/passwd\r\n",
            );
        } else {
            let mut lines = vec![line];
            while lines.len() < 4 {
                lines.push(client.line().unwrap_or_default());
            }
            client.say(format!("+-2\r\n{}", lines.join("|")));
        }
        client.close();
    });
    let url = format!("gopher://127.0.0.1:{}/0a%09%09?", server.port);
    let mut prompt = Choosing(Vec::new(), b"one\r\n");
    let (_, buffer) = fetch_for(&mut prompt, &mut client(), &url).unwrap();
    let text = String::from_utf8_lossy(&buffer.bytes).into_owned();
    assert_eq!(text, "a\t+\t1|+10|tim|one");
    assert_eq!(prompt.0, ["Which file? 127.0.0.1"]);
}

/// An item of type 2 with words is a query to a phone book (RFC 2378).
#[test]
fn phone_books() {
    let server = Scripted::start(|client: &mut Conversation| {
        while let Some(line) = client.line() {
            match &*line {
                "query roger rabbit" => client.say(
                    "102:There were 2 matches to your query.\r\n\
                     -200:1:            name: rabbit roger\r\n\
                     -200:1:         address: Toontown\r\n-200:1:                : California\r\n\
                     -508:2:           phone: not present\r\n\
                     -200:2:            name: rabbit r.\r\n200:Ok.\r\n",
                ),
                "query nobody" => client.say("501:No matches to your query.\r\n"),
                "query all" => client.say("502:Too many entries to print.\r\n"),
                "query cut" => client.say("-200:1:name: x\r\n-2"),
                "quit" => client.say("200:Bye!\r\n"),
                _ => client.say("what\r\n"),
            };
            if line == "query cut" {
                client.close();
            }
        }
    });
    let at = format!("gopher://127.0.0.1:{}/2%09", server.port);
    let url = format!("{at}roger%20rabbit");
    let (response, buffer) = crate::support::fetch(&mut client(), &url).unwrap();
    let text = "name: rabbit roger\naddress: Toontown\n\tCalifornia\n\nname: rabbit r.\n";
    assert_eq!(String::from_utf8_lossy(&buffer.bytes), text);
    let planned = plan(&client(), &url).unwrap();
    crate::support::assert_as_planned(&planned, &response.rendered());
    for (words, message) in [
        (
            "nobody",
            "searching the phone book at 127.0.0.1: not found on the server",
        ),
        ("all", "502:Too many"),
        ("cut", "ended too early"),
        ("what", "expected a line from a phone book"),
        ("a%0D%0Aquit", "found %0D"),
        ("%20", "a phone book needs words"),
    ] {
        let error = crate::support::fails(&mut client(), &format!("{at}{words}"));
        assert!(error.to_string().contains(message), "{words}: {error}");
    }
}
