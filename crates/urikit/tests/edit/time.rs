//! Much to edit: time grows with the length and no faster.

use std::hint::black_box;
use urikit::{UriBuilder, UriRef, Value};
use urikit_testkit::assert_linear;

#[test]
fn a_thousand_pairs_and_a_query_of_a_mebibyte_pass() {
    let pairs: Vec<String> = (0..1_000).map(|n| format!("k{n}=v%20{n}")).collect();
    let text = format!("http://h/?{}#f", pairs.join("&"));
    let mut url: urikit::UriRefBuf = text.parse().unwrap();
    url.query_set("k500", "new").unwrap();
    url.query_remove("k999").unwrap();
    assert_eq!(url.borrow().query_pairs().count(), 999);
    assert_eq!(url.borrow().query_get("k500").unwrap().as_str(), "k500=new");
    let mut expected = pairs.clone();
    expected.pop();
    *expected.get_mut(500).unwrap() = "k500=new".to_owned();
    assert_eq!(url.as_str(), format!("http://h/?{}#f", expected.join("&")));

    let long = "x".repeat(1 << 20);
    url.query_append("long", long.as_str()).unwrap();
    assert!(url.as_str().len() > 1 << 20);
    url.remove_fragment();
    assert!(url.as_str().ends_with(&long));
}

type Way = for<'a> fn(UriBuilder<'a>) -> UriBuilder<'a>;

const WAYS: [Way; 10] = [
    |edit| edit.scheme("ftp"),
    |edit| edit.push_segment("x"),
    |edit| edit.insert_segment(1, "x"),
    |edit| edit.remove_segment(1),
    |edit| edit.query_append("x", "y"),
    |edit| edit.query_set("a", "y"),
    |edit| edit.query_replace("b", "y"),
    |edit| edit.query_remove("a"),
    |edit| edit.query_remove(Value::lenient("%61")),
    |edit| edit.sort_query(),
];

/// Small enough that memory comes from the heap and not, page by page, from the system: on a busy machine the pages cost
/// more than the work.
const SIZE: usize = 4_000;

#[test]
fn time_is_linear() {
    for repeated in ["a=1&", "&", "a&", "%61=&", "/a", "//", "%2e/", "b&a&"] {
        let text = |times: usize| format!("http://h/{r}?{r}", r = repeated.repeat(times));
        for (nth, way) in WAYS.iter().enumerate() {
            assert_linear(&format!("{repeated} {nth}"), SIZE, |size| {
                let text = text(size);
                move || {
                    let reference = UriRef::parse(&text).unwrap();
                    let _ = black_box(way(reference.to_builder()).write_into(&mut String::new()));
                }
            });
        }
        assert_linear(repeated, SIZE, |size| {
            let text = text(size);
            move || {
                let reference = UriRef::parse(&text).unwrap();
                let path = reference.path().as_str().trim_start_matches('/');
                let below = reference.to_builder().join_below(path);
                let _ = black_box(below.write_into(&mut String::new()));
                let _ = black_box(reference.redact().to_string());
                let _ = black_box(reference.query().unwrap().decode().form().octets().count());
            }
        });
    }
}
