//! Conditional requests.

use std::sync::Mutex;
use urikit_access::{Client, Policy};
use urikit_check::{Network, Outcome, Prober as _, Request, RequestId, Validators};
use urikit_testkit::servers::Scripted;

#[test]
fn validators() {
    let server = Scripted::start(|client| {
        while let Some(line) = client.line() {
            let mut is_known = false;
            while let Some(field) = client.line().filter(|field| !field.is_empty()) {
                is_known |= field == "If-None-Match: \"1\"";
            }
            client.say(if line.contains("robots") {
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
            } else if is_known {
                "HTTP/1.1 304 Not Modified\r\n\r\n"
            } else {
                "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n"
            });
        }
    });
    let network = Network::new(Client::new(Policy::new().allow_private(true)));
    let probe = |validators: Option<Validators>| {
        let request = Request {
            is_page: false,
            is_source: false,
            id: RequestId(7),
            url: format!("http://127.0.0.1:{}/", server.port),
            needs_content: false,
            fragments: Vec::new(),
            validators,
        };
        let answers = Mutex::new(Vec::new());
        network.probe(vec![request], &|id, probed| {
            assert_eq!(id, RequestId(7));
            answers.lock().unwrap().push(probed);
            Vec::new()
        });
        let mut answers = answers.into_inner().unwrap();
        assert_eq!(answers.len(), 1);
        answers.pop().unwrap()
    };
    let first = probe(None);
    assert_eq!((first.outcome, first.not_modified), (Outcome::Ok, false));
    let etag = Some("\"1\"".to_owned());
    let modified = None;
    assert_eq!(first.validators, Some(Validators { etag, modified }));
    let second = probe(first.validators.clone());
    assert_eq!(second.validators, first.validators);
    assert_eq!((second.outcome, second.not_modified), (Outcome::Ok, true));
}
