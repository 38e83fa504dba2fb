//! Benchmarks for functions that map Arrow columns to Arrow columns, on one thread. The `url` crate
//! is used in the same way for comparison: each row of the array is read, and the result is
//! appended to Arrow's builder.

use crate::data::Texts;
use crate::rounds::Contestant;
use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, StringArray, StringViewArray};
use std::hint::black_box;
use std::sync::Arc;
use urikit_columns::urikit_domains::List;
use urikit_columns::urikit_keys::{Profile, Steps};
use urikit_columns::{self as columns, OnError, Options, Reader};

fn each(
    name: &'static str,
    texts: Texts,
    work: impl Fn(&dyn Array) -> ArrayRef + 'static,
) -> Contestant {
    let column: StringArray = texts.iter().copied().map(Some).collect();
    Contestant {
        name,
        run: Box::new(move || {
            let result = work(black_box(&column));
            result.len() - black_box(&result).null_count()
        }),
    }
}

const ONE: Options = Options::new().threads(1);

pub fn host(texts: Texts) -> Vec<Contestant> {
    let views: StringViewArray = texts.iter().copied().map(Some).collect();
    vec![
        each("urikit", texts, |column| {
            columns::host(column, ONE).unwrap()
        }),
        each("urikit, Utf8View", texts, move |_| {
            columns::host(&views, ONE).unwrap()
        }),
        each("urikit, java-net-uri", texts, |column| {
            columns::host(column, ONE.reader(Reader::JavaNetUri)).unwrap()
        }),
        each("urikit, whatwg", texts, |column| {
            columns::host(column, ONE.reader(Reader::Whatwg)).unwrap()
        }),
        each("url", texts, by_url),
    ]
}

/// Returns the host column, parsed with the `url` crate.
fn by_url(column: &dyn Array) -> ArrayRef {
    let column = column.as_any().downcast_ref::<StringArray>().unwrap();
    let mut hosts = StringBuilder::new();
    for text in column {
        let url = text.and_then(|text| url::Url::parse(text).ok());
        hosts.append_option(url.as_ref().and_then(url::Url::host_str));
    }
    Arc::new(hosts.finish())
}

pub fn others(texts: Texts) -> Vec<Contestant> {
    let list = List::builtin();
    let surt = |profile: Profile| {
        move |column: &dyn Array| columns::surt(column, profile, OnError::Null, 1).unwrap()
    };
    let steps: Steps = "strip-tracking,sort-query,drop-fragment".parse().unwrap();
    vec![
        each("parse", texts, |column| {
            Arc::new(columns::parse(column, ONE).unwrap())
        }),
        each("registrable_domain", texts, move |column| {
            columns::registrable_domain(column, &list, ONE).unwrap()
        }),
        each("surt ia-python", texts, surt(Profile::IaPython)),
        each("surt ia-java", texts, surt(Profile::IaJava)),
        each("surt urikit", texts, surt(Profile::Urikit)),
        each("canonicalize", texts, move |column| {
            columns::canonicalize(column, steps, ONE).unwrap()
        }),
        each("key", texts, |column| {
            columns::key(column, urikit::op::Level::Scheme, ONE).unwrap()
        }),
        each("url, host", texts, by_url),
    ]
}
