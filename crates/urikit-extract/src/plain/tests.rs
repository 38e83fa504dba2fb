use super::opaque::{OPAQUE, may_be_opaque};
use super::start::is_known;
use super::text::{Input, Term, term, unescape};

#[test]
fn classes_of_characters() {
    assert_eq!(term('é'), Term::Include);
    assert_eq!(term('例'), Term::Include);
    assert_eq!(term('。'), Term::Soft);
    assert_eq!(term('「'), Term::Open('」'));
    assert_eq!(term('）'), Term::Close);
    for c in [
        '\u{A0}', '\u{200B}', '\u{200E}', '”', '»', '\u{3000}', '"', '|', '\\', '\u{85}',
    ] {
        assert_eq!(term(c), Term::Hard, "{c:?}");
    }
    // The joiners occur within words of some scripts.
    assert_eq!(term('\u{200D}'), Term::Include);
}

#[test]
fn removes_both_kinds_of_escape() {
    for (link, expected) in [
        ("http:\\/\\/a\\/b", "http://a/b"),
        (
            "http:\\u002F\\u002fa?b\\u003Dc\\u0026\\u00e9",
            "http://a?b=c&\u{e9}",
        ),
        ("a\\b\\u12", "a\\b\\u12"),
    ] {
        assert_eq!(unescape(link), expected);
    }
}

#[test]
fn may_be_opaque_accepts_each_scheme_of_the_list() {
    for (name, _) in OPAQUE {
        assert!(is_known(name), "{name:?}");
        for name in [name.to_vec(), name.to_ascii_uppercase()] {
            assert!(
                may_be_opaque(&Input::new(&name, true), name.len()),
                "{name:?}"
            );
        }
    }
    assert!(!may_be_opaque(&Input::new(b"note", true), 4));
}
