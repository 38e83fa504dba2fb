//! The state of a run: URLs that were answered are not requested again.

use crate::{network_of, policy, response, server, site};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use urikit_access::Client;
use urikit_check::{Check, Network, Recursion, Report, Source, State, StateError};
use urikit_testkit::servers::Scripted;

const PAGES: usize = 40;

/// A site in which each page links to two others, with broken links, fragments and redirects. The
/// server is so slow that a run can be stopped at several points.
fn pages() -> Scripted {
    server(|method, path, number| {
        std::thread::sleep(Duration::from_millis(10));
        let html = |body: String| {
            let fields = "Content-Type: text/html\r\nETag: \"1\"\r\n";
            Some(response(method, "200 OK", fields, &body))
        };
        let page = path
            .strip_prefix("/p/")
            .and_then(|page| page.parse::<usize>().ok());
        match page {
            Some(page) if page < PAGES => {
                let (one, two) = ((page * 2 + 1) % PAGES, (page * 2 + 2) % PAGES);
                html(format!(
                    "<a href={one}> <a href={two}> <a href={two}#top> <a href={one}#no> \
                     <a href=/404?{page}> <a href=/r/{page}> <p id=top>"
                ))
            }
            _ => match path.strip_prefix("/r/") {
                Some(page) => {
                    let to = format!("Location: /p/{page}\r\n");
                    Some(response(method, "301 Moved Permanently", &to, ""))
                }
                None if path.starts_with("/404") => Some(response(method, "404 Not Found", "", "")),
                None => site(method, path, number),
            },
        }
    })
}

fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("urikit-{name}-{}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// Runs a check, which stops after this number of answers.
fn run(server: &Scripted, state: Option<&State>, answers: usize) -> Report {
    let check = Check::new().recursion(Some(Recursion::new()));
    let stop = check.stop();
    let network: Network = network_of(Client::new(policy()))
        .robots(false)
        .per_host(2)
        .stop(Arc::clone(&stop));
    let flag = Arc::clone(&stop);
    let network = network.progress(move |progress| {
        if progress.done >= answers {
            flag.store(true, Ordering::Relaxed);
        }
    });
    let start = Source::url(format!("http://127.0.0.1:{}/p/0", server.port));
    match state {
        Some(state) => check.run([start], &state.prober(&network, stop)),
        None => check.run([start], &network),
    }
}

fn lines(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for document in report.documents() {
        lines.extend(document.links().map(|checked| format!("{checked:?}")));
    }
    lines.extend(
        report
            .findings()
            .iter()
            .map(|finding| format!("{finding:?}")),
    );
    lines
}

#[test]
fn a_run_continues_where_it_was_interrupted() {
    let whole = pages();
    let expected = lines(&run(&whole, None, usize::MAX));
    assert!(expected.len() > PAGES * 5);
    let server = pages();
    let path = path("state");
    let known = AtomicUsize::new(0);
    let mut stops = 0;
    let report = loop {
        let state = State::open(&path, "this run").unwrap();
        assert!(state.len() >= known.load(Ordering::Relaxed));
        known.store(state.len(), Ordering::Relaxed);
        // Each run gets a little farther.
        let report = run(&server, Some(&state), 8 + 8 * stops);
        let is_complete = !lines(&report)
            .iter()
            .any(|line| line.contains("Interrupted"));
        state.finish().unwrap();
        if is_complete {
            state.remove().unwrap();
            break report;
        }
        drop(state);
        // If a run is killed, the last frame may be cut off at any byte.
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(&[200, 0, 0, 0, 55, 255, 255, 255, 1, 2][..stops.min(10)])
            .unwrap();
        stops += 1;
        assert!(stops < 100);
    };
    assert!(stops > 1, "{stops}");
    let port = |line: &String| line.replace(&server.port.to_string(), &whole.port.to_string());
    let found: Vec<_> = lines(&report).iter().map(port).collect();
    assert_eq!(found, expected);
    assert!(!path.exists());
    // Only requests that an interruption cancelled are made again: two at a time.
    let pages = |log: &[String]| {
        log.iter()
            .filter(|line| line.starts_with("GET /p/"))
            .count()
    };
    let (again, once) = (pages(&server.log()), pages(&whole.log()));
    assert!(again <= once + 2 * stops, "{again} {once} {stops}");
}

#[test]
fn a_complete_state_needs_no_requests() {
    let server = pages();
    let path = path("complete-state");
    let state = State::open(&path, "x").unwrap();
    let expected = lines(&run(&server, Some(&state), usize::MAX));
    let requests = server.log().len();
    drop(state);
    let state = State::open(&path, "x").unwrap();
    assert_eq!(lines(&run(&server, Some(&state), usize::MAX)), expected);
    assert_eq!(server.log().len(), requests);
    state.remove().unwrap();
}

#[test]
fn other_files_are_refused() {
    let path = path("refused-state");
    let open = |of: &str| State::open(&path, of).map(|state| state.len());
    fs::write(&path, "# Notes\n").unwrap();
    assert!(matches!(open("a"), Err(StateError::Foreign)));
    assert_eq!(fs::read(&path).unwrap(), b"# Notes\n");
    fs::write(&path, "{\"uri-check-state\":2,\"of\":\"a\"}\n").unwrap();
    assert!(matches!(open("a"), Err(StateError::Foreign)));
    // If the first line is incomplete, a new state begins.
    for cut in ["", "{", "{\"uri-check"] {
        fs::write(&path, cut).unwrap();
        assert_eq!(open("a").unwrap(), 0);
    }
    assert!(matches!(open("b"), Err(StateError::OtherRun { of }) if of == "a"));
    let state = State::open(&path, "a").unwrap();
    assert!(matches!(open("a"), Err(StateError::InUse)));
    let server = pages();
    run(&server, Some(&state), usize::MAX);
    let known = state.len();
    drop(state);
    let good = fs::read(&path).unwrap();
    let damaged = |at: usize| {
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(&path, &bad).unwrap();
        let found = open("a");
        assert!(
            matches!(found, Err(StateError::Damaged { .. })),
            "{at}: {found:?}"
        );
        assert_eq!(
            fs::read(&path).unwrap(),
            bad,
            "a damaged file stays as it is"
        );
    };
    // The length, its check, the checksum and the payload of the first frame.
    let first = 1 + good.iter().position(|byte| *byte == b'\n').unwrap();
    for at in [
        first,
        first + 3,
        first + 4,
        first + 8,
        first + 20,
        good.len() - 1,
    ] {
        damaged(at);
    }
    // Any end may be missing.
    for length in (first..good.len()).step_by(97) {
        fs::write(&path, &good[..length]).unwrap();
        assert!(open("a").unwrap() <= known);
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn errors_of_the_file_are_reported() {
    // Reading returns zeros, and writing fails as on a full disk.
    let full = std::path::Path::new("/dev/full");
    if full.exists() {
        assert!(matches!(State::open(full, "a"), Err(StateError::Foreign)));
    }
    let absent = std::env::temp_dir().join("urikit-absent/state");
    assert!(matches!(State::open(&absent, "a"), Err(StateError::Io(_))));
}
