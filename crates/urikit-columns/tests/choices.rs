//! Tests the options: threads, the treatment of rejected rows, and unsupported combinations.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod support;

use arrow_array::{Array, ArrayRef, StringArray};
use arrow_select::concat::concat;
use support::{few_values, layouts, strings, texts};
use urikit::Standard;
use urikit::op::Level;
use urikit::percent::Place;
use urikit_columns::urikit_keys::{Profile, Steps};
use urikit_columns::{self as columns, ColumnError, Decoding, OnError, Options, Reader};

#[allow(clippy::unnecessary_wraps)] // a row is optional
fn own(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Returns a column that is long enough to be divided among threads.
fn large() -> ArrayRef {
    let column: ArrayRef = layouts(&texts()).swap_remove(0).1;
    let copies = 100_000 / column.len() + 1;
    concat(&vec![column.as_ref(); copies]).unwrap()
}

#[test]
fn threads_do_not_matter() {
    let column = large();
    let one = Options::new().threads(1);
    let expected = [
        columns::parse(&column, one).unwrap().into(),
        columns::host(&column, one).unwrap().to_data(),
        columns::query_pairs(&column, Decoding::Written, one)
            .unwrap()
            .to_data(),
        columns::findings(&column, 1).unwrap().to_data(),
        columns::key(&column, Level::Scheme, one).unwrap().to_data(),
        columns::surt(&column, Profile::IaPython, OnError::Keep, 1)
            .unwrap()
            .to_data(),
    ];
    for threads in [0, 2, 3, 7, 64] {
        let options = Options::new().threads(threads);
        let found = [
            columns::parse(&column, options).unwrap().into(),
            columns::host(&column, options).unwrap().to_data(),
            columns::query_pairs(&column, Decoding::Written, options)
                .unwrap()
                .to_data(),
            columns::findings(&column, threads).unwrap().to_data(),
            columns::key(&column, Level::Scheme, options)
                .unwrap()
                .to_data(),
            columns::surt(&column, Profile::IaPython, OnError::Keep, threads)
                .unwrap()
                .to_data(),
        ];
        assert_eq!(found, expected, "{threads} threads");
    }
}

#[test]
fn the_first_rejected_row_is_raised() {
    let column = large();
    let texts = strings(&column);
    let is_rejected = |text: &Option<String>| {
        text.as_deref()
            .is_some_and(|text| Standard::Rfc3986.parse(text).is_err())
    };
    let first = texts.iter().position(is_rejected).unwrap();
    for threads in [0, 1, 2, 7] {
        let options = Options::new().on_error(OnError::Raise).threads(threads);
        match columns::host(&column, options).unwrap_err() {
            ColumnError::Row { row, .. } => assert_eq!(row, first, "{threads} threads"),
            error => panic!("{error}"),
        }
    }
    // With a dictionary, the error contains the first row with the value. Unused values are
    // ignored.
    let (texts, dictionary) = few_values();
    let first = texts.iter().position(is_rejected).unwrap();
    let options = Options::new().on_error(OnError::Raise);
    match columns::host(&dictionary, options).unwrap_err() {
        ColumnError::Row { row, .. } => assert_eq!(row, first),
        error => panic!("{error}"),
    }
    let (_, unused) = layouts(&[Some("http://a/".to_owned())]).swap_remove(6);
    assert!(columns::host(&unused, options).is_ok());
}

#[test]
fn offsets_of_invalid_utf8_refer_to_the_row() {
    let raise = Options::new().on_error(OnError::Raise);
    let column = StringArray::from(vec!["http://h/a/b%FF?q=1&r=x%C3%FF#f"]);
    let offset = |result: Result<ArrayRef, ColumnError>| match result.unwrap_err() {
        ColumnError::Row { reason, .. } => reason.offset(),
        error => panic!("{error}"),
    };
    for decoding in [Decoding::Decoded, Decoding::Form] {
        let segments = columns::path_segments(&column, decoding, raise);
        assert_eq!(offset(segments), Some(12));
        assert_eq!(
            offset(columns::query_pairs(&column, decoding, raise)),
            Some(23)
        );
        let value = columns::query_value(&column, "r", decoding, raise);
        assert_eq!(offset(value), Some(23));
    }
    let found = columns::decode(&column, Place::Path, raise);
    assert_eq!(offset(found), Some(12));
}

#[test]
fn rejected_rows_keep_their_text() {
    let keep = Options::new().on_error(OnError::Keep);
    let column = StringArray::from(vec![Some("HTTP://A|"), None, Some("HTTP://A")]);
    let kept = |result: Result<ArrayRef, ColumnError>| strings(&result.unwrap());
    let expected = |last: &str| vec![own("HTTP://A|"), None, own(last)];
    assert_eq!(
        kept(columns::normalize(&column, Level::Case, keep)),
        expected("http://a")
    );
    assert_eq!(
        kept(columns::resolve(&column, "http://b/", keep)),
        expected("HTTP://A")
    );
    assert_eq!(
        kept(columns::canonicalize(&column, Steps::NONE, keep)),
        expected("HTTP://A")
    );
    assert_eq!(
        kept(columns::surt(&column, Profile::Urikit, OnError::Keep, 1)),
        expected("a)/")
    );
    for error in [
        columns::host(&column, keep).unwrap_err(),
        columns::parse(&column, keep).map(drop).unwrap_err(),
        columns::key(&column, Level::Case, keep)
            .map(drop)
            .unwrap_err(),
    ] {
        assert!(matches!(error, ColumnError::Keep { .. }), "{error}");
    }
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let column = StringArray::from(vec!["http://a/"]);
    for reader in [Reader::JavaNetUri, Reader::Urllib, Reader::Lenient] {
        let errors = [
            columns::normalize(&column, Level::Scheme, reader).unwrap_err(),
            columns::resolve(&column, "http://a/", reader).unwrap_err(),
            columns::compare(&column, &column, reader).unwrap_err(),
            columns::encode(&column, Place::Segment, reader).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, ColumnError::Reader { .. }), "{error}");
        }
    }
    let error = columns::normalize(&column, Level::Case, Reader::Whatwg).unwrap_err();
    assert!(matches!(error, ColumnError::Level), "{error}");
    let error = columns::resolve(&column, "/relative", Options::new()).unwrap_err();
    assert!(matches!(error, ColumnError::Base(_)), "{error}");
    let error = columns::encode(&column, Place::Params, Standard::Rfc1630).unwrap_err();
    assert!(matches!(error, ColumnError::NoSuchPlace(_)), "{error}");
    let numbers = arrow_array::Int32Array::from(vec![1]);
    let error = columns::host(&numbers, Options::new()).unwrap_err();
    assert!(matches!(error, ColumnError::NotText(_)), "{error}");
    // Empty columns and columns of nulls are accepted.
    let empty = StringArray::from(Vec::<&str>::new());
    assert_eq!(columns::host(&empty, Options::new()).unwrap().len(), 0);
    let nulls = arrow_array::NullArray::new(3);
    assert_eq!(
        columns::parse(&nulls, Options::new()).unwrap().null_count(),
        3
    );
    let keys = arrow_array::Int8Array::from(vec![None, None]);
    let values: ArrayRef = std::sync::Arc::new(empty);
    let dictionary = arrow_array::DictionaryArray::new(keys, values);
    assert_eq!(
        columns::host(&dictionary, Options::new())
            .unwrap()
            .null_count(),
        2
    );
}
