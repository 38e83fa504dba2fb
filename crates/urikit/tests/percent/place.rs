//! Each component in its place in a reference, and read from there.

use urikit::component::Encoded;
use urikit::percent::Place;
use urikit::{AnyRef, Standard};

/// A reference of the standard with `text` in the place of the component; `None` where no reference
/// can have an empty text or this one there, whatever its characters.
pub(crate) fn put(component: Place, standard: Standard, text: &str) -> Option<String> {
    let rfc1630 = standard == Standard::Rfc1630;
    let first_letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
    match component {
        // `user = alphanum2 [ user ]`, `hostname = ialpha [ . hostname ]`
        Place::Userinfo | Place::User | Place::Password
            if rfc1630 && text.split(':').any(str::is_empty) =>
        {
            None
        }
        Place::Host if rfc1630 && !first_letter => None,
        Place::Host if standard == Standard::Rfc1738 && !is_host_name(text) => None,
        Place::Host if standard == Standard::Rfc1808 && text.is_empty() => None,
        // `search = xalphas [ + search ]`
        Place::Query | Place::QueryName | Place::QueryValue if rfc1630 && text.is_empty() => None,
        Place::Userinfo | Place::User => Some(format!("ftp://{text}@h/")),
        Place::Password => Some(format!("ftp://u:{text}@h/")),
        Place::Host => Some(format!("http://{text}/")),
        Place::Path => Some(format!("http://h/{text}")),
        Place::Segment => Some(format!("http://h/a/{text}/b")),
        Place::FirstSegment if standard == Standard::Rfc1738 => Some(format!("http://h/{text}/b")),
        Place::FirstSegment => Some(format!("{text}/b")),
        Place::Params => Some(format!("http://h/a;{text}")),
        Place::Parameter => Some(format!("http://h/a;x={text};y")),
        Place::QueryName | Place::QueryValue if rfc1630 => Some(format!("http://h/?{text}")),
        Place::Query => Some(format!("http://h/?{text}")),
        Place::QueryName => Some(format!("http://h/?{text}=v&w")),
        Place::QueryValue => Some(format!("http://h/?n={text}&w")),
        Place::Fragment => Some(format!("http://h/#{text}")),
        _ => panic!("nobody knows the place of {component}"),
    }
}

fn is_host_name(text: &str) -> bool {
    let url = format!("http://{text}/");
    Standard::Rfc1738.parse(&url).is_ok()
}

/// What stands in that place, read by the standard and split as its text says.
pub(crate) fn get(component: Place, reference: AnyRef<'_>) -> Option<&str> {
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
        Place::Userinfo => Some(reference.userinfo()?.as_str()),
        Place::User => Some(reference.user()?.as_str()),
        Place::Password => Some(reference.password()?.as_str()),
        Place::Host => Some(reference.host()?.as_str()),
        Place::Path => reference.path().as_str().strip_prefix('/'),
        Place::Segment => Some(reference.path().segments().nth(1)?.name().as_str()),
        Place::FirstSegment => {
            // Of an empty first segment only the slash is left.
            let first = reference.path().as_str().split('/').next()?;
            let is_absolute = reference.scheme().is_some();
            if is_absolute {
                reference.path().as_str().split('/').nth(1)
            } else {
                Some(first)
            }
        }
        Place::Params => params(),
        Place::Parameter => {
            let mut params = params()?.split(';');
            let first = params.next()?.strip_prefix("x=")?;
            (params.eq(["y"])).then_some(first)
        }
        Place::QueryName | Place::QueryValue if rfc1630 => query,
        Place::Query => query,
        Place::QueryName => {
            let (pair, rest) = query?.split_once('&')?;
            let (name, value) = pair.split_once('=')?;
            (rest == "w" && value == "v").then_some(name)
        }
        Place::QueryValue => {
            let (pair, rest) = query?.split_once('&')?;
            let (name, value) = pair.split_once('=')?;
            (rest == "w" && name == "n").then_some(value)
        }
        Place::Fragment => Some(reference.fragment()?.as_str()),
        _ => None,
    }
}
