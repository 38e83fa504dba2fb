//! Answers requests for resources on other servers.

use super::page::{
    Answers, Ask, AskPage, Context, Form, Head, Message, Question, SearchForm, SecretAnswer, View,
    choose, has_ranges, without_password,
};
use super::transfer::{self, Choose, Failure, Input, Order};
use super::{Asked, Gateway, REFUSED, respond, target};
use crate::api::form_pairs;
use axum::body::Body;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use tokio::time::timeout;
use urikit::Uri;
use urikit_access::policy::Refusal;
use urikit_access::{Credentials, ErrorKind, Event, NoPrompt, Prompt, Wanted};
use urikit_schemes::{Gopher, GopherPlus, ItemType, News, Newsgroups, Nntp, Wais, WaisTarget};

/// The maximum length of the body of a form, in bytes.
const MOST_FORM: usize = 64 << 10;

/// The number of articles on the page of a group.
const ARTICLES: u64 = 200;

/// A requested resource.
struct Resource<'a> {
    uri: Uri<'a>,
    /// The URL, without its password.
    url: String,
    /// The scheme, in lower case.
    scheme: String,
    form: Form,
    view: View,
}

impl Gateway {
    /// Answers a request for a resource.
    pub(super) async fn resource(
        &self,
        asked: &Asked<'_>,
        body: Incoming,
        form: Form,
        view: View,
        url: String,
    ) -> Response {
        let masked = without_password(&url);
        let frame = self.frame(form, &masked);
        let uri = match Uri::parse(&url) {
            Ok(uri) => uri,
            Err(error) if url == masked => {
                let text = format!("This is not a valid URL: {error}");
                return respond::message(&frame, StatusCode::BAD_REQUEST, text);
            }
            // The error would quote the password.
            Err(_) => {
                let text = "This is not a valid URL.";
                return respond::message(&frame, StatusCode::BAD_REQUEST, text);
            }
        };
        let scheme = uri.scheme().to_ascii_lowercase();
        if REFUSED.contains(&scheme.as_str()) {
            let text = "The gateway does not fetch http and https URLs, which browsers can fetch.";
            return respond::message(&frame, StatusCode::FORBIDDEN, text);
        }
        if !self.schemes.contains(&scheme) {
            let text = format!("The gateway does not show resources with the scheme `{scheme}`.");
            return respond::message(&frame, StatusCode::NOT_IMPLEMENTED, text);
        }
        // A password in an address would appear in the history and in links. Browsers ask for it
        // instead.
        if form == Form::Prefix && masked != url {
            return respond::redirect(&view_address(view, &masked));
        }
        let resource = Resource {
            uri,
            url: masked,
            scheme,
            form,
            view,
        };
        match *asked.method {
            Method::POST => self.answer_form(asked, body, &resource).await,
            Method::GET | Method::HEAD => match self.form(&resource) {
                Some(response) => response,
                None => self.fetch(asked, &resource).await,
            },
            _ => super::not_allowed(),
        }
    }

    /// Returns the search form if the URL contains no words to search for, or redirects to the
    /// search if a form was sent through a proxy.
    fn form(&self, resource: &Resource<'_>) -> Option<Response> {
        let text = resource.uri.as_str();
        if resource.form == Form::Proxy
            && resource.scheme == "wais"
            && let Some((database, words)) = text.split_once("?words=")
        {
            let words = words.replace('+', "%20");
            return Some(respond::redirect(&format!("{database}?{words}")));
        }
        let gopher = Gopher::read(resource.uri).ok()?;
        let is_search = gopher.item_type() == ItemType::SEARCH;
        if !is_search
            || gopher
                .search()
                .is_some_and(|words| !words.as_str().is_empty())
        {
            return None;
        }
        // Proxies receive the words in a form after a question mark.
        if resource.form == Form::Proxy
            && let Some((index, query)) = text.split_once('?')
        {
            let words = query
                .strip_prefix("words=")
                .unwrap_or(query)
                .replace('+', "%20");
            return Some(respond::redirect(&format!("{index}%09{words}")));
        }
        let frame = self.frame(resource.form, &resource.url);
        let form = search_form(resource, String::new());
        Some(respond::page(&frame, StatusCode::OK, &form))
    }

    /// Fetches a resource.
    async fn fetch(&self, asked: &Asked<'_>, resource: &Resource<'_>) -> Response {
        let is_page = matches!(resource.view, View::Page | View::Feed);
        let group = group(resource.uri, self.news_server.as_deref()).filter(|_| is_page);
        let (choose, order): (Choose, Order) = if let Some(group) = group {
            (
                newest(group.clone(), resource),
                order_of(asked, group, Wanted::Metadata),
            )
        } else if let Some(questions) = questions(resource.uri) {
            let page = AskPage {
                frame: self.frame(resource.form, &resource.url),
                action: view_address(View::Page, &resource.url),
                token: self.token(asked, resource),
                held: Vec::new(),
            };
            let choose: Choose = Box::new(move |_, _| (Head::html(), Box::new(page)));
            (choose, order_of(asked, questions, Wanted::Body))
        } else {
            let range = self.range(asked, resource).await;
            let context = self.context(asked, resource, range);
            let mut order = order_of(asked, resource.uri.as_str().to_owned(), Wanted::Body);
            if let Some((first, _)) = range {
                order.resume = first;
                let version = asked.fields.get(header::IF_RANGE);
                let version = version.and_then(|version| version.to_str().ok());
                order.validator = version.map(|version| version.trim_matches('"').to_owned());
            }
            let choose: Choose = Box::new(move |metadata, first| choose(context, metadata, first));
            (choose, order)
        };
        self.transfer(asked, resource, order, choose).await
    }

    /// Returns the positions of the first and last byte of the requested range. Returns `None` if
    /// the response is the complete document. If the last bytes are requested, the server is first
    /// asked for the length of the document.
    async fn range(
        &self,
        asked: &Asked<'_>,
        resource: &Resource<'_>,
    ) -> Option<(u64, Option<u64>)> {
        let range = range(asked.fields).filter(|_| has_ranges(&resource.scheme))?;
        let count = match range {
            Range::From(first, last) => return Some((first, last)),
            Range::Last(count) => count,
        };
        let order = order_of(asked, resource.uri.as_str().to_owned(), Wanted::Metadata);
        let choose: Choose = Box::new(|metadata, _| {
            let head = Head {
                length: metadata.size.filter(|_| !metadata.is_listing),
                ..Head::html()
            };
            (head, Box::new(Empty))
        });
        let turn = self.pool.turn().await?;
        self.shared.metrics.transfer();
        let started = transfer::start(self.client.clone(), order, choose, turn).await;
        // The transfer of the document will report any error again.
        let length = started.ok()?.0.length.filter(|length| *length > 0)?;
        Some((length.saturating_sub(count), Some(length - 1)))
    }

    fn context(
        &self,
        asked: &Asked<'_>,
        resource: &Resource<'_>,
        range: Option<(u64, Option<u64>)>,
    ) -> Context {
        let wais = Wais::read(resource.uri).ok();
        let words = wais.and_then(|wais| match wais.target() {
            WaisTarget::Search(words) => {
                Some(String::from_utf8_lossy(&words.to_bytes()).into_owned())
            }
            WaisTarget::Database if !wais.database().as_str().is_empty() => Some(String::new()),
            _ => None,
        });
        Context {
            links: self.links(resource.form),
            url: resource.url.clone(),
            scheme: resource.scheme.clone(),
            view: resource.view,
            origin: asked.origin.clone(),
            form: words.map(|words| search_form(resource, words)),
            earlier: earlier(resource),
            range,
            memory: self.memory.clone(),
        }
    }

    /// Answers a filled-in Gopher+ form, or a form with sensitive input for a gemini server.
    async fn answer_form(
        &self,
        asked: &Asked<'_>,
        body: Incoming,
        resource: &Resource<'_>,
    ) -> Response {
        let has_form = questions(resource.uri).is_some() || resource.scheme == "gemini";
        if !has_form || resource.form == Form::Proxy {
            return super::not_allowed();
        }
        let frame = self.frame(resource.form, &resource.url);
        let body = timeout(
            self.shared.limits.body_time,
            Limited::new(body, MOST_FORM).collect(),
        );
        let Ok(Ok(body)) = body.await else {
            let text = "The form is too long, or did not arrive in time.";
            return respond::message(&frame, StatusCode::PAYLOAD_TOO_LARGE, text);
        };
        let body = body.to_bytes();
        let mut fields = form_pairs(&String::from_utf8_lossy(&body));
        let token = fields.iter().position(|(name, _)| name == "token");
        let token = token.map(|at| fields.remove(at).1).unwrap_or_default();
        let url = resource.uri.as_str();
        let tokens = self.tokens.as_ref();
        if !tokens.is_some_and(|tokens| tokens.check(&token, url, asked.client)) {
            let text = "The form is too old, or was not sent from its page. Open it again.";
            return respond::message(&frame, StatusCode::FORBIDDEN, text);
        }
        let mut order = order_of(asked, url.to_owned(), Wanted::Body);
        let answers = Answers::new(fields);
        let answers: Box<dyn Prompt + Send> = match &*resource.scheme {
            "gemini" => Box::new(SecretAnswer(answers)),
            _ => Box::new(answers),
        };
        order.prompt = answers;
        let context = self.context(asked, resource, None);
        let choose: Choose = Box::new(move |metadata, first| choose(context, metadata, first));
        self.transfer(asked, resource, order, choose).await
    }

    /// Waits for a turn, transfers the resource, and answers the request.
    async fn transfer(
        &self,
        asked: &Asked<'_>,
        resource: &Resource<'_>,
        order: Order,
        choose: Choose,
    ) -> Response {
        let metrics = &self.shared.metrics;
        let frame = self.frame(resource.form, &resource.url);
        let Some(turn) = self.pool.turn().await else {
            metrics.busy();
            let text = "Too many transfers are running. Try again later.";
            let status = StatusCode::SERVICE_UNAVAILABLE;
            let mut response = respond::message(&frame, status, text);
            respond::set(&mut response, header::RETRY_AFTER, "10");
            return response;
        };
        metrics.transfer();
        let is_resumed = order.resume > 0;
        let started = transfer::start(self.client.clone(), order, choose, turn).await;
        match started {
            Ok((head, stream)) => respond::document(&head, Body::new(stream.counted(&self.shared))),
            Err(Failure::Redirect(to)) => {
                if let Some(address) = self.links(resource.form).address(&to) {
                    return respond::redirect(&address);
                }
                let text = "The server redirects to a URL that the gateway does not open.";
                respond::message(&frame, StatusCode::BAD_GATEWAY, text)
            }
            // RFC 9110, 14.2: a server may ignore a range.
            Err(Failure::Error(error))
                if is_resumed && matches!(error.kind(), ErrorKind::CannotResume) =>
            {
                let context = self.context(asked, resource, None);
                let order = order_of(asked, resource.uri.as_str().to_owned(), Wanted::Body);
                let choose: Choose =
                    Box::new(move |metadata, first| choose_whole(context, metadata, first));
                Box::pin(self.transfer(asked, resource, order, choose)).await
            }
            Err(Failure::Input(input, _))
                if resource.scheme == "gemini" && resource.form == Form::Prefix =>
            {
                self.ask(asked, resource, &input)
            }
            Err(Failure::Error(error) | Failure::Input(_, error)) => {
                let status = status(error.kind());
                if status == StatusCode::UNAUTHORIZED && resource.scheme == "gemini" {
                    let text = "The server requires a certificate from the user, which the gateway \
                                does not have.";
                    return respond::message(&frame, StatusCode::FORBIDDEN, text);
                }
                if status == StatusCode::UNAUTHORIZED {
                    return self.ask_for_login(resource);
                }
                // A database without a description can still be searched.
                let text = error.to_string();
                let mut content = Message::new(text);
                content.link = refused_redirect(&error).and_then(|to| {
                    let to = without_password(to);
                    Some((self.links(resource.form).address(&to)?, to))
                });
                let mut response = respond::page(&frame, status, &content);
                if let Some(after) = error.retry_after() {
                    let seconds = after.as_secs().to_string();
                    respond::set(&mut response, header::RETRY_AFTER, &seconds);
                }
                let can_search = matches!(error.kind(), ErrorKind::Unsupported(_))
                    && Wais::read(resource.uri)
                        .is_ok_and(|wais| wais.target() == WaisTarget::Database);
                if can_search {
                    let form = search_form(resource, String::new());
                    return respond::page(&frame, StatusCode::OK, &form);
                }
                response
            }
        }
    }

    /// Returns the form for the input that a gemini server asks for. The answer becomes the query
    /// of the URL (Gemini 0.24.1, Status codes). Sensitive input is sent with POST instead, so that
    /// it is neither in an address nor in the log.
    fn ask(&self, asked: &Asked<'_>, resource: &Resource<'_>, input: &Input) -> Response {
        let frame = self.frame(resource.form, &resource.url);
        let question = match input.question.trim() {
            "" => "Input",
            question => question,
        };
        if input.is_secret {
            let ask = Ask {
                action: view_address(View::Page, &resource.url),
                token: self.token(asked, resource),
                questions: vec![Question {
                    name: format!("0:{}", input.question),
                    text: question.to_owned(),
                    kind: "password",
                    values: Vec::new(),
                }],
            };
            return respond::page(&frame, StatusCode::OK, &ask);
        }
        let form = SearchForm {
            label: question.to_owned(),
            button: "Send",
            ..SearchForm::new(resource.url.clone())
        };
        respond::page(&frame, StatusCode::OK, &form)
    }

    /// Returns the token of a form.
    fn token(&self, asked: &Asked<'_>, resource: &Resource<'_>) -> String {
        match &self.tokens {
            Some(tokens) => tokens.make(resource.uri.as_str(), asked.client),
            None => String::new(),
        }
    }

    /// Makes the browser ask for a user and a password. The realm names the server, so the
    /// browser sends them only to the same server, and only for the same folder.
    fn ask_for_login(&self, resource: &Resource<'_>) -> Response {
        let frame = self.frame(resource.form, &resource.url);
        let text = "The server requires a user and a password.";
        let mut response = respond::message(&frame, StatusCode::UNAUTHORIZED, text);
        let authority = resource.uri.authority();
        let host = authority.map(|all| {
            let port = all.port().map(|port| format!(":{port}"));
            format!("{}{}", all.host().as_str(), port.unwrap_or_default())
        });
        let host = host.unwrap_or_default();
        let realm = format!(
            "Basic realm=\"{}://{host}\", charset=\"UTF-8\"",
            resource.scheme
        );
        respond::set(&mut response, header::WWW_AUTHENTICATE, &realm);
        response
    }
}

/// Returns an order that has neither a range nor answers.
fn order_of(asked: &Asked<'_>, url: String, wanted: Wanted) -> Order {
    Order {
        url,
        wanted,
        resume: 0,
        validator: None,
        credentials: credentials(asked.fields),
        prompt: Box::new(NoPrompt),
    }
}

/// Chooses the page for a complete document, after its server refused a range.
fn choose_whole(
    context: Context,
    metadata: &urikit_access::Metadata,
    first: &[u8],
) -> (Head, Box<dyn super::page::Page>) {
    let context = Context {
        view: View::Raw,
        ..context
    };
    choose(context, metadata, first)
}

/// Returns the address of a view of a URL.
fn view_address(view: View, url: &str) -> String {
    match view {
        View::Raw => format!("/raw/{url}"),
        View::Feed => format!("/feed/{url}"),
        View::Page | View::Sorted(_) => target::typed(url),
    }
}

fn search_form(resource: &Resource<'_>, words: String) -> SearchForm {
    let is_prefix = resource.form == Form::Prefix;
    let own = resource.url.split(['?']).next().unwrap_or_default();
    let form = SearchForm {
        words,
        ..SearchForm::new(resource.url.clone())
    };
    if is_prefix {
        form
    } else {
        SearchForm {
            action: own.to_owned(),
            url: None,
            ..form
        }
    }
}

/// Returns the target of a redirect that the policy refuses, such as one from a gemini server to
/// another scheme. The user may follow it.
fn refused_redirect(error: &urikit_access::Error) -> Option<&str> {
    let is_refused = matches!(
        error.kind(),
        ErrorKind::Refused(Refusal::Redirect { .. } | Refusal::Scheme { .. })
    );
    match error.events().last()? {
        Event::Redirected { to } if is_refused => Some(to),
        _ => None,
    }
}

/// Returns the status for an error.
fn status(kind: &ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Invalid(_) | ErrorKind::Url(_) | ErrorKind::Relative => StatusCode::BAD_REQUEST,
        ErrorKind::Refused(_) | ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::LoginRequired | ErrorKind::NoPassword => StatusCode::UNAUTHORIZED,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Timeout(_) => StatusCode::GATEWAY_TIMEOUT,
        ErrorKind::NoProtocol { .. } | ErrorKind::Unsupported(_) => StatusCode::NOT_IMPLEMENTED,
        ErrorKind::Local(_) => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_GATEWAY,
    }
}

/// Returns the user and the password that the browser asked for (RFC 7617).
fn credentials(fields: &HeaderMap) -> Option<Credentials> {
    let value = fields.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let octets: Result<Vec<u8>, _> = urikit_mime::base64::decode(encoded.trim().bytes()).collect();
    let text = String::from_utf8(octets.ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    Some(Credentials {
        user: user.to_owned(),
        password: password.to_owned(),
    })
}

/// A range in a request (RFC 9110, 14.1.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Range {
    /// From one byte to another, or to the end.
    From(u64, Option<u64>),
    /// The number of bytes at the end.
    Last(u64),
}

/// Returns the requested range. Returns `None` if the field is to be ignored, because it is not
/// valid, has several ranges, or asks for the last 0 bytes.
fn range(fields: &HeaderMap) -> Option<Range> {
    let value = fields.get(header::RANGE)?.to_str().ok()?;
    let (first, last) = value.strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u64>().ok().filter(|_| is_number)
    };
    if first.is_empty() {
        return number(last).filter(|count| *count > 0).map(Range::Last);
    }
    let first = number(first)?;
    if last.is_empty() {
        return Some(Range::From(first, None));
    }
    let last = number(last).filter(|last| first <= *last)?;
    Some(Range::From(first, Some(last)))
}

/// Returns the URL of the questions in a Gopher+ form.
fn questions(uri: Uri<'_>) -> Option<String> {
    let gopher = Gopher::read(uri).ok()?;
    if gopher.plus() != Some(GopherPlus::FormItem) {
        return None;
    }
    let selector = gopher.selector().to_bytes();
    let url = Gopher::builder(gopher.host().as_str())
        .port(gopher.port()?)
        .item(gopher.item_type(), &*selector)
        .attributes(&["+ASK"])
        .build();
    Some(url.ok()?.as_str().to_owned())
}

/// Returns the nntp URL of a complete group.
fn group(uri: Uri<'_>, server: Option<&str>) -> Option<String> {
    if let Ok(nntp) = Nntp::read(uri) {
        let is_group = nntp.article().is_none() && nntp.host().is_some();
        return is_group.then(|| uri.as_str().to_owned());
    }
    let news = News::read(uri).ok()?;
    let Some(Newsgroups::One(name)) = news.newsgroups() else {
        return None;
    };
    if uri.scheme().eq_ignore_ascii_case("snews") {
        return None; // nntp URLs have no form for TLS
    }
    let server = match (uri.authority(), server) {
        (Some(authority), _) => {
            let port = authority.port().map(|port| format!(":{port}"));
            format!("{}{}", authority.host().as_str(), port.unwrap_or_default())
        }
        (None, server) => server?.to_owned(),
    };
    Some(format!("nntp://{server}/{}", name.as_str()))
}

/// Redirects to the page with the newest articles of a group, once their numbers are known.
fn newest(group: String, resource: &Resource<'_>) -> Choose {
    let (view, form) = (resource.view, resource.form);
    Box::new(move |metadata, _| {
        let number = |name: &str| {
            let found = metadata.attributes.iter().find(|(own, _)| own == name);
            found.and_then(|(_, value)| value.parse::<u64>().ok())
        };
        let (first, last) = (number("first").unwrap_or(1), number("last").unwrap_or(0));
        let begin = last.saturating_sub(ARTICLES - 1).max(first).max(1);
        let url = format!(
            "{}/{begin}-{}",
            group.trim_end_matches('/'),
            last.max(begin)
        );
        let head = Head {
            status: 303,
            location: Some(match form {
                Form::Prefix => view_address(view, &url),
                Form::Proxy => url,
            }),
            ..Head::html()
        };
        (head, Box::new(Empty))
    })
}

/// A page without content.
struct Empty;

impl super::page::Page for Empty {
    fn end(&mut self, _: Option<&str>, _: &mut Vec<u8>) -> bool {
        true
    }
}

/// Returns the address of the articles before a range.
fn earlier(resource: &Resource<'_>) -> Option<String> {
    let (group, range) = resource.url.rsplit_once('/')?;
    let (first, _) = range.split_once('-')?;
    let first: u64 = first.parse().ok()?;
    if resource.scheme != "nntp" || first <= 1 {
        return None;
    }
    let begin = first.saturating_sub(ARTICLES).max(1);
    let url = format!("{group}/{begin}-{}", first - 1);
    Some(match resource.form {
        Form::Prefix => format!("/{url}"),
        Form::Proxy => url,
    })
}

#[cfg(test)]
mod tests {
    use super::{Range, range};
    use axum::http::{HeaderMap, header};

    #[test]
    fn ranges() {
        for (value, expected) in [
            ("bytes=0-", Some(Range::From(0, None))),
            ("bytes=2-2", Some(Range::From(2, Some(2)))),
            ("bytes=-5", Some(Range::Last(5))),
            ("bytes=-0", None),
            ("bytes=-", None),
            ("bytes=3-2", None),
            ("bytes=+1-2", None),
            ("bytes=0-1,3-4", None),
            ("bytes=--1", None),
            ("lines=0-1", None),
        ] {
            let fields = HeaderMap::from_iter([(header::RANGE, value.parse().unwrap())]);
            assert_eq!(range(&fields), expected, "{value}");
        }
    }
}
