//! Runs the rows with the library, and puts each component into a reference and reads it back.

use urikit::component::Encoded;
use urikit::grammar::ByteSet;
use urikit::percent::{
    EncodeError, Place, Reading, decode, encode, encode_into, escape_unreserved, latin1,
    unescape_unreserved,
};
use urikit::{AnyRef, Standard};
use urikit_testkit::rows::{Broken, Encode, percent};

fn standard(name: &str) -> Standard {
    name.parse().expect("a standard")
}

fn component(name: &str) -> Place {
    name.parse().expect("a component")
}

/// The octets of a row's data.
fn data(row: &Encode) -> Vec<u8> {
    if !row.octets.is_empty() {
        return row.octets.clone();
    }
    if row.latin1 {
        return latin1(&row.data).unwrap().into_owned();
    }
    row.data.clone().into_bytes()
}

#[test]
fn data_and_text() {
    for row in percent().encode {
        let (data, component) = (data(&row), component(&row.component));
        for name in &row.standards {
            let standard = standard(name);
            let place = format!("{name}: {row:?}");
            if !row.decode_only {
                let escaped = encode(&data, component, standard).expect(&place);
                let escaped = if row.form { escaped.form() } else { escaped };
                let reading = if row.partly {
                    Reading::Partly
                } else {
                    Reading::Data
                };
                let text = escaped.reading(reading).to_string();
                assert_eq!(text, row.text, "{place}");
            }
            if !row.partly {
                let decoded = decode(&row.text, component, standard).expect(&place);
                let decoded = if row.form { decoded.form() } else { decoded };
                assert_eq!(decoded.to_bytes(), data, "{place}");
                if row.latin1 {
                    assert_eq!(decoded.to_latin1(), row.data, "{place}");
                } else if row.octets.is_empty() {
                    assert_eq!(decoded.decode_utf8().expect(&place), row.data, "{place}");
                }
            }
        }
    }
}

#[test]
fn what_is_refused_and_where() {
    for row in percent().broken {
        for name in &row.standards {
            assert_eq!(offset(&row, standard(name)), row.offset, "{name}: {row:?}");
        }
    }
}

fn offset(row: &Broken, standard: Standard) -> usize {
    let component = component(&row.component);
    match row.by.as_str() {
        "decode" => {
            let error = decode(&row.input, component, standard).unwrap_err();
            assert_eq!(error.expected().unwrap().to_string(), "a hexadecimal digit");
            assert!(error.section().unwrap().starts_with("RFC "));
            error.offset()
        }
        "encode" => match encode(&row.input, component, standard).unwrap_err() {
            EncodeError::NoEscapes(error) | EncodeError::InvalidHost(error) => error.offset(),
            error => panic!("{row:?}: {error}"),
        },
        "latin1" => latin1(&row.input).unwrap_err().offset(),
        by => panic!("{by}"),
    }
}

#[test]
fn more_and_fewer_characters_escaped() {
    for row in percent().safer {
        let set = ByteSet::of(row.set.as_bytes());
        for name in &row.standards {
            let read = |text| standard(name).parse(text).unwrap();
            assert_eq!(
                escape_unreserved(read(&row.plain), &set).as_ref(),
                Ok(&row.safe),
                "{name}: {row:?}"
            );
            assert_eq!(
                escape_unreserved(read(&row.safe), &set).as_ref(),
                Ok(&row.safe),
                "{name}: {row:?}"
            );
            assert_eq!(
                unescape_unreserved(read(&row.safe), &set).as_ref(),
                Ok(&row.plain),
                "{name}: {row:?}"
            );
            assert_eq!(
                unescape_unreserved(read(&row.plain), &set).as_ref(),
                Ok(&row.plain),
                "{name}: {row:?}"
            );
        }
    }
}

#[test]
fn what_a_standard_does_not_have() {
    for component in [Place::Params, Place::Parameter] {
        let error = encode("a", component, Standard::Rfc1630).unwrap_err();
        assert_eq!(error.to_string(), format!("RFC 1630 has no {component}"));
    }
    let mut out = "held".to_owned();
    let error = encode_into("é", Place::User, Standard::Rfc1630, Reading::Data, &mut out);
    assert_eq!(
        error.unwrap_err().to_string(),
        "escapes are not allowed here: expected a userinfo character or the end, but found `é` (U+00E9) at byte 0 \
         (user, RFC 1630, BNF for specific URL schemes)"
    );
    assert_eq!(out, "held");
}

/// If the rewritten reference would be invalid or have different components, the library returns an
/// error and leaves the buffer unchanged.
#[test]
fn what_cannot_be_rewritten() {
    let dot = ByteSet::of(b".A");
    let group = Standard::Rfc1738.parse("news:comp.infosystems").unwrap();
    let mut out = "held".to_owned();
    let error = urikit::percent::escape_unreserved_into(group, &dot, &mut out).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the rewritten reference would be invalid: "),
        "{error}"
    );
    let scheme = Standard::Rfc1808.parse("a%41:b").unwrap();
    let error = urikit::percent::unescape_unreserved_into(scheme, &dot, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the rewritten reference would have different components"
    );
    assert_eq!(out, "held");
}

#[test]
fn names_and_components() {
    for component in Place::ALL {
        assert_eq!(component.as_str().to_uppercase().parse(), Ok(component));
    }
    let error = "scheme".parse::<Place>().unwrap_err().to_string();
    assert!(
        error.starts_with("unknown component; expected one of userinfo, user, "),
        "{error}"
    );
}

/// Returns a reference of the standard with `text` as the component. Returns `None` if no reference
/// can contain this text there.
pub(crate) fn put(component: Place, standard: Standard, text: &str) -> Option<String> {
    let rfc1630 = standard == Standard::Rfc1630;
    match component {
        // `user = alphanum2 [ user ]`
        Place::Userinfo | Place::User | Place::Password
            if rfc1630 && text.split(':').any(str::is_empty) =>
        {
            None
        }
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
        _ => panic!("unknown place of {component}"),
    }
}

/// Returns the component, as the standard parses and splits it.
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
            // An empty first segment leaves only its slash.
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
