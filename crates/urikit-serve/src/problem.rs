//! Errors as problem details (RFC 9457).

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;

/// The types of problems. `docs/serve.md` has a section for each type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemType {
    /// A parameter is unknown, missing, repeated or invalid.
    InvalidParameter,
    /// The body is not the JSON that the operation expects.
    InvalidJson,
    /// The path is unknown.
    NotFound,
    /// The path does not support the method.
    MethodNotAllowed,
    /// The media type of the body is not supported.
    UnsupportedMediaType,
    /// The `Host` field is missing, or names another server.
    ForeignHost,
    /// The request comes from a page of another site.
    ForeignOrigin,
    /// The body, or a line of a batch, is too long.
    BodyTooLarge,
    /// A batch has too many lines.
    BatchTooLong,
    /// The body did not arrive in time, or a batch took too long.
    Timeout,
    /// The client sent too many requests.
    TooManyRequests,
    /// The server is busy.
    Busy,
    /// A file cannot be read as a document of its format.
    UnreadableDocument,
    /// A bug in the server.
    Internal,
}

impl ProblemType {
    /// All types.
    pub const ALL: [Self; 14] = [
        Self::InvalidParameter,
        Self::InvalidJson,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::UnsupportedMediaType,
        Self::ForeignHost,
        Self::ForeignOrigin,
        Self::BodyTooLarge,
        Self::BatchTooLong,
        Self::Timeout,
        Self::TooManyRequests,
        Self::Busy,
        Self::UnreadableDocument,
        Self::Internal,
    ];

    /// Returns the name: the fragment of the type's URI.
    ///
    /// ```
    /// use urikit_serve::ProblemType;
    /// assert_eq!(ProblemType::BodyTooLarge.name(), "body-too-large");
    /// assert_eq!(ProblemType::BodyTooLarge.status(), 413);
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvalidParameter => "invalid-parameter",
            Self::InvalidJson => "invalid-json",
            Self::NotFound => "not-found",
            Self::MethodNotAllowed => "method-not-allowed",
            Self::UnsupportedMediaType => "unsupported-media-type",
            Self::ForeignHost => "foreign-host",
            Self::ForeignOrigin => "foreign-origin",
            Self::BodyTooLarge => "body-too-large",
            Self::BatchTooLong => "batch-too-long",
            Self::Timeout => "timeout",
            Self::TooManyRequests => "too-many-requests",
            Self::Busy => "busy",
            Self::UnreadableDocument => "unreadable-document",
            Self::Internal => "internal",
        }
    }

    /// Returns the title: one sentence that is the same for all problems of the type.
    pub const fn title(self) -> &'static str {
        match self {
            Self::InvalidParameter => "A parameter is not valid.",
            Self::InvalidJson => "The body is not the expected JSON.",
            Self::NotFound => "The path is unknown.",
            Self::MethodNotAllowed => "The path does not support this method.",
            Self::UnsupportedMediaType => "The media type of the body is not supported.",
            Self::ForeignHost => "The Host field names another server.",
            Self::ForeignOrigin => "The request comes from another site.",
            Self::BodyTooLarge => "The body is too large.",
            Self::BatchTooLong => "The batch has too many lines.",
            Self::Timeout => "The request took too long.",
            Self::TooManyRequests => "The client sent too many requests.",
            Self::Busy => "The server is busy.",
            Self::UnreadableDocument => "The document cannot be read.",
            Self::Internal => "The server failed.",
        }
    }

    /// Returns the HTTP status.
    pub const fn status(self) -> u16 {
        self.code().as_u16()
    }

    const fn code(self) -> StatusCode {
        match self {
            Self::InvalidParameter | Self::InvalidJson => StatusCode::BAD_REQUEST,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::BodyTooLarge | Self::BatchTooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::UnreadableDocument => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// The page that describes the types of problems.
const TYPES: &str = "https://github.com/urikit/urikit/blob/main/docs/serve.md#";

/// A problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    pub(crate) kind: ProblemType,
    detail: Cow<'static, str>,
    /// The name of the invalid parameter.
    parameter: Option<&'static str>,
    /// The value of the field `Allow` or `Retry-After`.
    field: Option<(header::HeaderName, HeaderValue)>,
}

impl Problem {
    /// Creates a problem. The detail is one sentence, which does not repeat any part of an input.
    pub(crate) fn new(kind: ProblemType, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            parameter: None,
            field: None,
        }
    }

    /// Creates the problem of an invalid parameter.
    pub(crate) fn parameter(parameter: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            parameter: Some(parameter),
            ..Self::new(ProblemType::InvalidParameter, detail)
        }
    }

    /// Adds a field to the response.
    pub(crate) fn field(mut self, name: header::HeaderName, value: &'static str) -> Self {
        self.field = Some((name, HeaderValue::from_static(value)));
        self
    }

    /// Returns the JSON object, on one line.
    pub(crate) fn json(&self) -> String {
        let details = Details {
            r#type: format!("{TYPES}{}", self.kind.name()),
            title: self.kind.title(),
            status: self.kind.status(),
            detail: &self.detail,
            parameter: self.parameter,
        };
        serde_json::to_string(&details).unwrap_or_default()
    }
}

/// The members of a problem details object.
#[derive(serde::Serialize)]
struct Details<'a> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'static str>,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.json()));
        *response.status_mut() = self.kind.code();
        let fields = response.headers_mut();
        let json = HeaderValue::from_static("application/problem+json");
        fields.insert(header::CONTENT_TYPE, json);
        if let Some((name, value)) = self.field {
            fields.insert(name, value);
        }
        response
    }
}
