//! Each component in its place in a reference, and read from there.

use urikit::component::Encoded;
use urikit::op::percent::Component;
use urikit::{AnyRef, Standard};

/// A reference of the standard with `text` in the place of the component; `None` where no reference
/// can have an empty text or this one there, whatever its characters.
pub(crate) fn put(component: Component, standard: Standard, text: &str) -> Option<String> {
    let rfc1630 = standard == Standard::Rfc1630;
    let first_letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
    match component {
        // `user = alphanum2 [ user ]`, `hostname = ialpha [ . hostname ]`
        Component::Userinfo | Component::User | Component::Password
            if rfc1630 && text.split(':').any(str::is_empty) =>
        {
            None
        }
        Component::Host if rfc1630 && !first_letter => None,
        Component::Host if standard == Standard::Rfc1738 && !is_host_name(text) => None,
        Component::Host if standard == Standard::Rfc1808 && text.is_empty() => None,
        // `search = xalphas [ + search ]`
        Component::Query | Component::QueryName | Component::QueryValue
            if rfc1630 && text.is_empty() =>
        {
            None
        }
        Component::Userinfo | Component::User => Some(format!("ftp://{text}@h/")),
        Component::Password => Some(format!("ftp://u:{text}@h/")),
        Component::Host => Some(format!("http://{text}/")),
        Component::Path => Some(format!("http://h/{text}")),
        Component::Segment => Some(format!("http://h/a/{text}/b")),
        Component::FirstSegment if standard == Standard::Rfc1738 => {
            Some(format!("http://h/{text}/b"))
        }
        Component::FirstSegment => Some(format!("{text}/b")),
        Component::Params => Some(format!("http://h/a;{text}")),
        Component::Parameter => Some(format!("http://h/a;x={text};y")),
        Component::QueryName | Component::QueryValue if rfc1630 => {
            Some(format!("http://h/?{text}"))
        }
        Component::Query => Some(format!("http://h/?{text}")),
        Component::QueryName => Some(format!("http://h/?{text}=v&w")),
        Component::QueryValue => Some(format!("http://h/?n={text}&w")),
        Component::Fragment => Some(format!("http://h/#{text}")),
        _ => panic!("nobody knows the place of {component}"),
    }
}

fn is_host_name(text: &str) -> bool {
    let url = format!("http://{text}/");
    Standard::Rfc1738.parse(&url).is_ok()
}

/// What stands in that place, read by the standard and split as its text says.
pub(crate) fn get(component: Component, reference: AnyRef<'_>) -> Option<&str> {
    let rfc1630 = reference.standard() == Standard::Rfc1630;
    let params = || {
        let segment = reference.path().segments().next()?.as_str();
        Some(reference.params().map_or_else(
            || segment.split_once(';').map_or("", |(_, params)| params),
            |params| params.as_str(),
        ))
    };
    let query = reference.query().map(Encoded::as_str);
    match component {
        Component::Userinfo => Some(reference.userinfo()?.as_str()),
        Component::User => Some(reference.user()?.as_str()),
        Component::Password => Some(reference.password()?.as_str()),
        Component::Host => Some(reference.host()?.as_str()),
        Component::Path => reference.path().as_str().strip_prefix('/'),
        Component::Segment => Some(reference.path().segments().nth(1)?.name().as_str()),
        Component::FirstSegment => {
            // Of an empty first segment only the slash is left.
            let first = reference.path().as_str().split('/').next()?;
            let is_absolute = reference.scheme().is_some();
            if is_absolute {
                reference.path().as_str().split('/').nth(1)
            } else {
                Some(first)
            }
        }
        Component::Params => params(),
        Component::Parameter => {
            let mut params = params()?.split(';');
            let first = params.next()?.strip_prefix("x=")?;
            (params.eq(["y"])).then_some(first)
        }
        Component::QueryName | Component::QueryValue if rfc1630 => query,
        Component::Query => query,
        Component::QueryName => {
            let (pair, rest) = query?.split_once('&')?;
            let (name, value) = pair.split_once('=')?;
            (rest == "w" && value == "v").then_some(name)
        }
        Component::QueryValue => {
            let (pair, rest) = query?.split_once('&')?;
            let (name, value) = pair.split_once('=')?;
            (rest == "w" && name == "n").then_some(value)
        }
        Component::Fragment => Some(reference.fragment()?.as_str()),
        _ => None,
    }
}
