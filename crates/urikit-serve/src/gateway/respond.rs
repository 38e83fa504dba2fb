//! Responses with the fields that protect browsers from foreign content.

use super::page::{Frame, Head, Message};
use askama::Template;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

/// The fields of every response. All pages of the gateway would share one origin, so none of them
/// may run scripts or have that origin: `sandbox` without `allow-scripts` and `allow-same-origin`.
const FIELDS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "sandbox allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads; \
         default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Sets the fields of every response.
pub(super) fn protect(fields: &mut HeaderMap) {
    for (name, value) in FIELDS {
        fields.insert(name, HeaderValue::from_static(value));
    }
}

/// Sets a field. A value that a field cannot contain is left out.
pub(super) fn set(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// Returns a page with this status.
pub(super) fn page(frame: &Frame, status: StatusCode, content: &impl Template) -> Response {
    let mut response = Response::new(Body::from(frame.page(content)));
    *response.status_mut() = status;
    set(
        &mut response,
        header::CONTENT_TYPE,
        "text/html; charset=utf-8",
    );
    response
}

/// Returns a page with a message.
pub(super) fn message(frame: &Frame, status: StatusCode, text: impl Into<String>) -> Response {
    page(frame, status, &Message::new(text))
}

/// Redirects to an address.
pub(super) fn redirect(address: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    set(&mut response, header::LOCATION, address);
    response
}

/// Returns a response that contains a document.
pub(super) fn document(head: &Head, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(head.status).unwrap_or(StatusCode::OK);
    if let Some(location) = &head.location {
        *response.status_mut() = StatusCode::SEE_OTHER;
        set(&mut response, header::LOCATION, location);
    }
    set(&mut response, header::CONTENT_TYPE, &head.media_type);
    if let Some(length) = head.length {
        set(&mut response, header::CONTENT_LENGTH, &length.to_string());
    }
    if let Some(range) = &head.range {
        set(&mut response, header::CONTENT_RANGE, range);
    }
    if head.has_ranges {
        set(&mut response, header::ACCEPT_RANGES, "bytes");
    }
    if let Some(modified) = &head.modified {
        let date = modified.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
        set(&mut response, header::LAST_MODIFIED, &date);
    }
    if let Some(validator) = &head.validator {
        let plain = validator.trim_matches('"');
        if plain
            .bytes()
            .all(|byte| byte.is_ascii_graphic() || byte == b' ')
        {
            set(&mut response, header::ETAG, &format!("\"{plain}\""));
        }
    }
    if let Some(name) = &head.download {
        set(
            &mut response,
            header::CONTENT_DISPOSITION,
            &attachment(name),
        );
    }
    response
}

/// Returns the disposition of a document that browsers store (RFC 6266; RFC 8187).
fn attachment(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let plain: String = name
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect();
    if plain == name {
        return format!("attachment; filename=\"{plain}\"");
    }
    let escaped = super::page::escaped(name);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{escaped}")
}

#[cfg(test)]
mod tests {
    use super::attachment;

    #[test]
    fn names_of_downloads_are_quoted() {
        assert_eq!(attachment("a.svg"), "attachment; filename=\"a.svg\"");
        assert_eq!(
            attachment("a\"; x\r\n"),
            "attachment; filename=\"a___x__\"; filename*=UTF-8''a%22%3B%20x%0D%0A"
        );
    }
}
