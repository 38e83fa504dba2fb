//! Transfers: each fetches a URL on a thread of its own, and streams through a bounded channel.
//!
//! ```text
//! request → Pool (a turn) → thread: Client::fetch → Pipe → Page → channel → Stream → client
//! ```

use super::page::{Head, Page};
use crate::guard::Shared;
use axum::body::{Bytes, HttpBody};
use hyper::body::Frame;
use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::timeout;
use urikit::{AnyRef, Uri};
use urikit_access::listing::Entry;
use urikit_access::{
    Cancel, Client, Credentials, Error, ErrorKind, Metadata, Prompt, Redirects, Request, Sink,
    Terminal, Wanted,
};

/// The maximum time that a request waits for a turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// The length in bytes at which a piece of a body is sent. Each transfer that waits for its client
/// holds several pieces.
const SMALL: usize = 3 << 10;

/// The number of bytes after which a transfer may become one of the [`FAST`] fast transfers.
const SOME: usize = 256 << 10;

/// The time within which the client must receive [`SOME`] bytes.
const SOON: Duration = Duration::from_secs(1);

/// The maximum number of fast transfers, whose buffers are sent without being copied. Their clients
/// may stop reading, so this number limits the memory that they occupy: three buffers of length
/// [`WHOLE`] each.
const FAST: usize = 16;

/// The length of a fast transfer's buffers until the client has received [`MUCH`] bytes.
const MEDIUM: usize = 32 << 10;

/// The length of pieces once the client has quickly received [`MUCH`] bytes. Small pieces would
/// wake the client too often.
const LARGE: usize = 256 << 10;

/// The length of a fast transfer's buffers after [`MUCH`] bytes. Halving this length raises the
/// gateway's processor time by 14 %, because each piece wakes two threads.
const WHOLE: usize = 1 << 20;

/// The minimum length of a piece that is sent without being copied. The copy of a shorter piece
/// occupies exactly its length, instead of a large buffer.
const WORTH_TAKING: usize = 32 << 10;

/// The number of bytes after which a document is sent in large pieces. The system buffers about 4
/// MB for a client that has stopped reading, so a client that received less may be slow.
const MUCH: usize = 8 << 20;

/// The time after which a client counts as slow, for pieces of at most [`LARGE`] bytes. Longer
/// pieces may take four times as long.
const SLOW: Duration = Duration::from_millis(500);

/// The length, in bytes, at which a piece of a page may be sent before it is full.
const ENOUGH: usize = 2 << 10;

/// The maximum number of pieces waiting for the client.
const WAITING: usize = 1;

/// The size of the stack of a transfer's thread, in bytes. Unused parts of the stack take no
/// memory.
const STACK: usize = 1 << 20;

/// Limits the number of simultaneous transfers.
pub(super) struct Pool {
    turns: Arc<Semaphore>,
    /// One permit for each request that may wait.
    waiting: Semaphore,
    /// One permit for each fast transfer.
    fast: Arc<Semaphore>,
}

impl Pool {
    pub(super) fn new(transfers: usize) -> Self {
        let transfers = transfers.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            turns: Arc::new(Semaphore::new(transfers)),
            waiting: Semaphore::new(transfers),
            fast: Arc::new(Semaphore::new(FAST)),
        }
    }

    /// Waits for a turn. Returns `None` if too many requests are waiting, or no transfer ends in
    /// time.
    pub(super) async fn turn(&self) -> Option<Turn> {
        let turns = || Arc::clone(&self.turns);
        let permit = if let Ok(permit) = turns().try_acquire_owned() {
            permit
        } else {
            let _waiting = self.waiting.try_acquire().ok()?;
            timeout(PATIENCE, turns().acquire_owned())
                .await
                .ok()?
                .ok()?
        };
        Some(Turn {
            fast: Arc::clone(&self.fast),
            _permit: permit,
        })
    }

    /// Returns the number of transfers that can begin immediately.
    pub(super) fn free(&self) -> usize {
        self.turns.available_permits()
    }
}

/// The turn of one transfer.
pub(super) struct Turn {
    fast: Arc<Semaphore>,
    _permit: OwnedSemaphorePermit,
}

/// A request for a transfer.
pub(super) struct Order {
    pub(super) url: String,
    pub(super) wanted: Wanted,
    /// The first byte to fetch.
    pub(super) resume: u64,
    /// The version from which the transfer is resumed.
    pub(super) validator: Option<String>,
    pub(super) credentials: Option<Credentials>,
    /// Answers the questions in a form.
    pub(super) prompt: Box<dyn Prompt + Send>,
}

/// Decides how a document is shown, from its metadata and first bytes.
pub(super) type Choose = Box<dyn FnOnce(&Metadata, &[u8]) -> (Head, Box<dyn Page>) + Send>;

/// The reason why a transfer has no body.
pub(super) enum Failure {
    /// The server redirects to this URL.
    Redirect(String),
    /// The server asks for input that the order does not contain. The error also reports the
    /// missing input.
    Input(Input, Error),
    /// Another error.
    Error(Error),
}

/// Input that a server asks for.
pub(super) struct Input {
    pub(super) question: String,
    /// True if the answer must not be visible.
    pub(super) is_secret: bool,
}

/// Starts a transfer, and waits for the head of its response. Dropping the future or the body
/// cancels the transfer.
pub(super) async fn start(
    client: Client,
    order: Order,
    choose: Choose,
    turn: Turn,
) -> Result<(Head, Stream), Failure> {
    let (first, head) = oneshot::channel();
    let (sender, receiver) = mpsc::channel(WAITING);
    let cancel = Cancel::new();
    let stream = Stream {
        receiver,
        shared: None,
        _guard: Guard(cancel.clone()),
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    let thread = thread.name("transfer".to_owned()).spawn(move || {
        let pipe = Pipe {
            choose: Some(choose),
            metadata: Metadata::default(),
            first: Some(first),
            page: None,
            out: Vec::new(),
            sent: 0,
            since: Instant::now(),
            last: 0,
            is_fast: false,
            fast: None,
            sender,
            is_enough: false,
            turn,
        };
        run(&client, order, pipe, &cancel);
    });
    let system = |error| Failure::Error(Error::new(ErrorKind::Local(error)));
    thread.map_err(system)?;
    match head.await {
        Ok(head) => Ok((head?, stream)),
        Err(_) => Err(system(io::Error::other("the transfer failed"))),
    }
}

/// Fetches on the current thread.
fn run(client: &Client, order: Order, mut pipe: Pipe, cancel: &Cancel) {
    let stops = Stop::default();
    let mut prompt = Noting {
        prompt: order.prompt,
        unanswered: None,
    };
    let fetched = Uri::parse(&order.url)
        .map_err(|error| Error::new(ErrorKind::Invalid(error)))
        .and_then(|url| {
            let mut request = Request::new(url).cancel(cancel).redirects(&stops);
            request.wanted = order.wanted;
            request.credentials = order.credentials.as_ref();
            request.resume = order.resume;
            request.validator = order.validator.as_deref();
            client.fetch(&request, &mut prompt, &mut pipe)
        });
    let target = stops
        .0
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    match (fetched, target) {
        (Ok(_), _) => pipe.end(None),
        (Err(_), Some(target)) if pipe.first.is_some() => pipe.fail(Failure::Redirect(target)),
        (Err(error), _) => match prompt.unanswered {
            Some(input) if pipe.first.is_some() => pipe.fail(Failure::Input(input, error)),
            _ => pipe.end(Some(error)),
        },
    }
}

/// Takes note of the first question without an answer.
struct Noting {
    prompt: Box<dyn Prompt + Send>,
    unanswered: Option<Input>,
}

impl Noting {
    fn note(&mut self, question: &str, is_secret: bool) {
        self.unanswered.get_or_insert_with(|| Input {
            question: question.to_owned(),
            is_secret,
        });
    }
}

impl Prompt for Noting {
    fn password(&mut self, user: &str, host: &str) -> Option<String> {
        let answer = self.prompt.password(user, host);
        if answer.is_none() {
            self.note(user, true);
        }
        answer
    }

    fn confirm(&mut self, question: &str) -> bool {
        self.prompt.confirm(question)
    }

    fn input(&mut self, question: &str, default: &str) -> Option<String> {
        let answer = self.prompt.input(question, default);
        if answer.is_none() {
            self.note(question, false);
        }
        answer
    }

    fn notify(&mut self, message: &str) {
        self.prompt.notify(message);
    }

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

/// Takes note of the target of a redirect, which the browser will follow.
#[derive(Default)]
struct Stop(Mutex<Option<String>>);

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

impl Redirects for Stop {
    fn follows(&self, to: AnyRef<'_>) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(to.as_str().to_owned());
        false
    }
}

/// Converts the data that arrives to a page, and sends the page.
struct Pipe {
    choose: Option<Choose>,
    metadata: Metadata,
    /// Receives the head, once.
    first: Option<oneshot::Sender<Result<Head, Failure>>>,
    page: Option<Box<dyn Page>>,
    out: Vec<u8>,
    /// The number of bytes that the client received quickly.
    sent: usize,
    /// The time at which counting these bytes began.
    since: Instant,
    /// The length of the previous piece, which may have to be sent before the next piece.
    last: usize,
    /// True if the client received [`SOME`] bytes within [`SOON`].
    is_fast: bool,
    /// The permit of a fast transfer.
    fast: Option<Arc<OwnedSemaphorePermit>>,
    sender: mpsc::Sender<io::Result<Bytes>>,
    /// True if the page needs no more data.
    is_enough: bool,
    turn: Turn,
}

/// Takes the output. A small piece is copied, so that it occupies exactly its length. Large pieces
/// are not copied, because copying them would take longer than fetching them. `sent` is the number
/// of bytes sent so far.
fn piece_of(out: &mut Vec<u8>, sent: usize) -> Bytes {
    if sent >= MUCH || out.len() > LARGE {
        return std::mem::take(out).into();
    }
    let piece = Bytes::copy_from_slice(out);
    out.clear();
    piece
}

/// A buffer that is being sent. The permit is kept until the client has received the buffer.
struct Whole {
    buffer: Vec<u8>,
    _fast: Arc<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for Whole {
    fn as_ref(&self) -> &[u8] {
        &self.buffer
    }
}

/// Returns an error: the client has gone, or needs nothing more.
fn gone() -> io::Error {
    io::Error::other("the client needs no more data")
}

impl Pipe {
    /// Chooses the page, and sends the head of the response.
    fn choose(&mut self, bytes: &[u8]) {
        let Some(choose) = self.choose.take() else {
            return;
        };
        let (head, mut page) = choose(&self.metadata, bytes);
        page.begin(&mut self.out);
        self.page = Some(page);
        if let Some(first) = self.first.take() {
            // If the client has gone, the transfer has been cancelled.
            let _ = first.send(Ok(head));
        }
    }

    /// Returns the length at which a piece of a document is sent if the client is waiting for it.
    const fn enough(&self) -> usize {
        if self.sent < MUCH { 1 } else { LARGE / 2 }
    }

    /// Returns the length at which a piece is sent.
    const fn full(&self) -> usize {
        if self.sent < MUCH { SMALL } else { LARGE }
    }

    /// Counts the bytes that the client received quickly. Fast clients get large pieces, because
    /// small pieces take 25 times the processor time.
    fn count(&mut self, bytes: usize) {
        let before = self.sent;
        if before == 0 {
            self.since = Instant::now();
        }
        self.sent = self.sent.saturating_add(bytes);
        self.last = bytes;
        if before < SOME && self.sent >= SOME {
            self.is_fast = self.since.elapsed() < SOON;
        }
    }

    /// Sends the output. Waits for the client only if the output is long.
    fn flush(&mut self, enough: usize) -> io::Result<()> {
        if self.out.len() >= self.full() {
            self.send_output()?;
        } else if self.out.len() >= enough {
            self.offer_output();
        }
        self.check_full()
    }

    /// Sends the output if the client is waiting for it.
    fn offer_output(&mut self) {
        let Ok(place) = self.sender.try_reserve() else {
            return;
        };
        let piece = piece_of(&mut self.out, self.sent);
        let length = piece.len();
        place.send(Ok(piece));
        self.count(length);
    }

    /// Sends the output.
    fn send_output(&mut self) -> io::Result<()> {
        let piece = piece_of(&mut self.out, self.sent);
        self.send(piece)
    }

    /// Sends a piece. Waits for the client.
    fn send(&mut self, piece: Bytes) -> io::Result<()> {
        let length = piece.len();
        let is_long = length.max(self.last) > LARGE;
        let slow = if is_long { 4 * SLOW } else { SLOW };
        let begun = Instant::now();
        self.sender.blocking_send(Ok(piece)).map_err(|_| gone())?;
        if begun.elapsed() > slow {
            self.sent = 0;
            self.last = length;
            self.is_fast = false;
            self.fast = None;
        } else {
            self.count(length);
        }
        Ok(())
    }

    /// Fails if the page needs no more data.
    fn check_full(&mut self) -> io::Result<()> {
        if self.page.as_ref().is_some_and(|page| page.is_full()) {
            self.is_enough = true;
            return Err(gone());
        }
        Ok(())
    }

    /// Sends the entries that the page kept and that are ready.
    fn send_kept(&mut self, is_end: bool) -> io::Result<()> {
        while let Some(page) = &mut self.page
            && page.kept(is_end, &mut self.out)
        {
            self.flush(ENOUGH)?;
        }
        Ok(())
    }

    fn fail(&mut self, failure: Failure) {
        if let Some(first) = self.first.take() {
            let _ = first.send(Err(failure));
        }
    }

    /// Ends the response.
    fn end(&mut self, failed: Option<Error>) {
        let failed = failed.filter(|_| !self.is_enough);
        match failed {
            Some(error) if self.first.is_some() => return self.fail(Failure::Error(error)),
            _ => self.choose(b""),
        }
        if self.send_kept(true).is_err() {
            return; // the client has gone
        }
        let text = failed.map(|error| error.to_string());
        let is_shown = match &mut self.page {
            Some(page) => page.end(text.as_deref(), &mut self.out),
            None => true,
        };
        if !self.out.is_empty() {
            let rest = piece_of(&mut self.out, self.sent);
            let _ = self.sender.blocking_send(Ok(rest));
        }
        if !is_shown {
            let text = text.unwrap_or_default();
            let _ = self.sender.blocking_send(Err(io::Error::other(text)));
        }
    }
}

impl Sink for Pipe {
    fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        self.metadata = metadata.clone();
        if metadata.is_listing {
            self.choose(b"");
        }
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.choose(bytes);
        // A server may send a lot of data at once. Converting at most half the length of a piece at
        // a time keeps the output below twice that length.
        for part in bytes.chunks(self.full() / 2) {
            if let Some(page) = &mut self.page {
                page.bytes(part, &mut self.out);
            }
            self.flush(self.enough())?;
        }
        Ok(())
    }

    /// Sends the buffer of a fast transfer without copying it, and replaces it with a new buffer,
    /// which may be longer.
    fn buffer(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        let is_whole = self.is_fast || self.sent >= MUCH;
        let page = self.page.as_mut().filter(|_| is_whole);
        if !page.is_some_and(|page| page.take(buffer)) {
            self.bytes(buffer)?;
            // Send the output now unless more bytes have already arrived, because the server may
            // send the next bytes much later.
            let is_drained = buffer.len() < buffer.capacity();
            if is_drained && !self.out.is_empty() {
                self.send_output()?;
            }
            return self.flush(1);
        }
        if !self.out.is_empty() {
            self.send_output()?;
        }
        if self.is_fast && self.fast.is_none() {
            let permit = Arc::clone(&self.turn.fast).try_acquire_owned();
            self.fast = permit.ok().map(Arc::new);
        }
        match &self.fast {
            Some(fast) if buffer.len() >= WORTH_TAKING => {
                let whole = Whole {
                    buffer: std::mem::take(buffer),
                    _fast: Arc::clone(fast),
                };
                self.send(Bytes::from_owner(whole))?;
            }
            _ => self.send(Bytes::copy_from_slice(buffer))?,
        }
        let is_slow = self.sent < MUCH && !self.is_fast;
        let length = if self.sent < MUCH { MEDIUM } else { WHOLE };
        if is_slow || buffer.capacity() > LARGE {
            *buffer = Vec::new(); // so that a slow client or server does not occupy it
        } else if self.fast.is_some() && buffer.capacity() < length {
            *buffer = Vec::with_capacity(length);
        }
        self.check_full()
    }

    fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        self.choose(b"");
        if let Some(page) = &mut self.page {
            page.entry(entry, &mut self.out);
        }
        self.flush(ENOUGH)?;
        self.send_kept(false)
    }
}

/// Cancels a transfer when the client no longer waits for it.
struct Guard(Cancel);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The body of a response.
pub(super) struct Stream {
    receiver: mpsc::Receiver<io::Result<Bytes>>,
    /// Counts the bytes.
    shared: Option<Arc<Shared>>,
    _guard: Guard,
}

impl Stream {
    /// Counts the bytes of the body.
    pub(super) fn counted(mut self, shared: &Arc<Shared>) -> Self {
        self.shared = Some(Arc::clone(shared));
        self
    }
}

impl HttpBody for Stream {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let received = self.receiver.poll_recv(context);
        if let (Poll::Ready(Some(Ok(piece))), Some(shared)) = (&received, &self.shared) {
            shared.metrics.bytes(piece.len());
        }
        received.map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}
