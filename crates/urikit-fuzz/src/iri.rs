//! IRIs to URIs and back, and repairs.

use crate::input;
use urikit::op::RepairError;
use urikit::op::repair::{Repaired, repair_for};
use urikit::{Iri, IriRef, Uri, UriRef, repair as repair_text};

/// An IRI or a URI.
pub(crate) fn iri(data: &[u8]) {
    let text = input::text(data);
    if let Ok(iri) = IriRef::parse(&text) {
        to_uri(iri);
    }
    if let Ok(uri) = UriRef::parse(&text) {
        let iri = uri.to_iri();
        let place = format!("{uri} {iri}");
        assert_eq!(
            IriRef::parse(iri.as_str()).unwrap(),
            iri.borrow(),
            "{place}"
        );
        assert_eq!(uri.display_iri().to_string(), iri.as_str());
        let back = iri.to_uri();
        assert_eq!(back.to_iri(), iri, "{place} {back}");
        assert_eq!(back.form(), uri.form(), "{place} {back}");
    }
}

fn to_uri(iri: IriRef<'_>) {
    let uri = iri.to_uri();
    let place = format!("{iri} {uri}");
    assert_eq!(
        UriRef::parse(uri.as_str()).unwrap(),
        uri.borrow(),
        "{place}"
    );
    assert_eq!(IriRef::from(uri.borrow()).to_uri(), uri, "{place}");
    assert_eq!(iri.display_uri().to_string(), uri.as_str());
    assert_eq!(
        (uri.form(), uri.port(), uri.scheme()),
        (iri.form(), iri.port(), iri.scheme()),
        "{place}"
    );
    let decoded = crate::components::decoded;
    assert_eq!(decoded(uri.as_str()), decoded(iri.as_str()), "{place}");
    if let Ok(looked_up) = iri.to_uri_idna() {
        let again = UriRef::parse(looked_up.as_str()).unwrap();
        assert_eq!(again, looked_up.borrow(), "{place}");
        assert_eq!(again.path(), uri.path(), "{place}");
    }
    if let Ok(iri) = Iri::try_from(iri) {
        assert_eq!(iri.to_uri(), uri, "{place}");
    }
}

/// A base, unless its line is empty, and a text to repair.
pub(crate) fn repair(data: &[u8]) {
    let text = input::text(data);
    let outcome = repair_text(&text);
    repaired(&text, &outcome);
    let (base, text) = input::two(&text);
    if let Ok(base) = Uri::parse(base) {
        repaired(text, &repair_for(text, base));
    }
}

fn repaired(text: &str, outcome: &Result<Repaired, RepairError>) {
    let valid = UriRef::parse(text);
    let repaired = match outcome {
        Ok(repaired) => repaired,
        Err(error) => {
            assert!(valid.is_err(), "{text:?}: {error}");
            let offset = match error {
                RepairError::Parse(error) => error.offset(),
                RepairError::NotADomainName { offset } => *offset,
                _ => 0,
            };
            assert!(text.is_char_boundary(offset), "{text:?}: {error}");
            return;
        }
    };
    let reference = repaired.reference.as_str();
    assert!(UriRef::parse(reference).is_ok(), "{text:?}: {reference}");
    if valid.is_ok() {
        assert!(repaired.changes.is_empty(), "{text:?}");
    }
    // The changes, made in the text, give the result.
    let (mut made, mut at) = (String::new(), 0);
    for change in &repaired.changes {
        made.push_str(&text[at..change.offset]);
        made.push_str(&change.became);
        at = change.offset + change.found.len();
        assert_eq!(text[change.offset..at], *change.found, "{text:?}");
    }
    made.push_str(&text[at..]);
    assert_eq!(made, reference, "{text:?}");
    let again = repair_text(reference).unwrap();
    assert!(again.changes.is_empty(), "{text:?}: {reference}");
}
