//! Nothing is allocated for a single row: a hundred times as many rows take hardly more
//! allocations, those by which vectors grow.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use allocation_counter::measure;
use arrow_array::{Array, StringArray, StringViewArray};
use std::hint::black_box;
use urikit::Standard;
use urikit::op::Level;
use urikit::percent::Place;
use urikit_columns::urikit_domains::List;
use urikit_columns::urikit_keys::{Profile, Steps};
use urikit_columns::{self as columns, Decoding, OnError, Options, Reader};

const URLS: [&str; 6] = [
    "https://user@www.example.co.uk:8443/path/to/page?query=1&q=%41+b&jsessionid=x#fragment",
    "HTTP://www2.Example.com:80/%7Euser/../a//b/?b=2&a=1",
    "http://[2001:db8::7]/c=GB?one&utm_source=x",
    "http://a b/", // rejected
    "ftp://192.0.2.16/",
    "mailto:John.Doe@example.com",
];

/// The allocations for this many rows.
fn count(rows: usize, kernel: &dyn Fn(&dyn Array)) -> u64 {
    let texts: Vec<_> = URLS.into_iter().cycle().take(rows).collect();
    let columns: [Box<dyn Array>; 2] = [
        Box::new(StringArray::from(texts.clone())),
        Box::new(StringViewArray::from(texts)),
    ];
    let all = columns
        .iter()
        .map(|column| measure(|| kernel(column.as_ref())).count_total);
    all.sum()
}

#[test]
fn no_allocation_for_a_row() {
    let one = |reader: Reader| Options::from(reader).threads(1);
    let list = List::builtin();
    let steps: Steps = "strip-tracking,sort-query,strip-session-ids,drop-fragment"
        .parse()
        .unwrap();
    let mut kernels: Vec<(String, Box<dyn Fn(&dyn Array)>)> = Vec::new();
    for reader in Reader::ALL
        .into_iter()
        .filter(|reader| *reader != Reader::Whatwg)
    {
        // Python converts letters of schemes and hosts, which takes memory.
        if reader != Reader::Urllib {
            kernels.push((
                format!("host {reader}"),
                Box::new(move |c| drop(black_box(columns::host(c, one(reader))))),
            ));
            kernels.push((
                format!("parse {reader}"),
                Box::new(move |c| drop(black_box(columns::parse(c, one(reader))))),
            ));
            kernels.push((
                format!("query_pairs {reader}"),
                Box::new(move |c| {
                    drop(black_box(columns::query_pairs(
                        c,
                        Decoding::Form,
                        one(reader),
                    )))
                }),
            ));
            kernels.push((
                format!("path_segments {reader}"),
                Box::new(move |c| {
                    drop(black_box(columns::path_segments(
                        c,
                        Decoding::Decoded,
                        one(reader),
                    )))
                }),
            ));
        }
    }
    for standard in Standard::ALL {
        let reader = Reader::Standard(standard);
        kernels.push((
            format!("normalize {reader}"),
            Box::new(move |c| drop(black_box(columns::normalize(c, Level::Scheme, one(reader))))),
        ));
        kernels.push((
            format!("key {reader}"),
            Box::new(move |c| drop(black_box(columns::key(c, Level::Scheme, one(reader))))),
        ));
        kernels.push((
            format!("resolve {reader}"),
            Box::new(move |c| drop(black_box(columns::resolve(c, "http://a/b", one(reader))))),
        ));
        kernels.push((
            format!("compare {reader}"),
            Box::new(move |c| drop(black_box(columns::compare(c, c, one(reader))))),
        ));
        kernels.push((
            format!("diagnose {reader}"),
            Box::new(move |c| drop(black_box(columns::diagnose(c, one(reader))))),
        ));
        kernels.push((
            format!("encode {reader}"),
            Box::new(move |c| drop(black_box(columns::encode(c, Place::Segment, one(reader))))),
        ));
        kernels.push((
            format!("decode {reader}"),
            Box::new(move |c| drop(black_box(columns::decode(c, Place::Segment, one(reader))))),
        ));
        kernels.push((
            format!("canonicalize {reader}"),
            Box::new(move |c| drop(black_box(columns::canonicalize(c, steps, one(reader))))),
        ));
    }
    kernels.push((
        "registrable_domain".into(),
        Box::new(move |c| {
            drop(black_box(columns::registrable_domain(
                c,
                &list,
                one(Reader::default()),
            )))
        }),
    ));
    for profile in Profile::ALL {
        kernels.push((
            format!("surt {profile}"),
            Box::new(move |c| drop(black_box(columns::surt(c, profile, OnError::Null, 1)))),
        ));
    }
    let mut different = Vec::new();
    for (name, kernel) in &kernels {
        // Tables are read once.
        count(6, kernel.as_ref());
        let (few, many) = (count(60, kernel.as_ref()), count(6000, kernel.as_ref()));
        // Each vector grows by doubling: about seven times more often.
        if many > few + 350 {
            different.push(format!("{name}: {few} for 60 rows, {many} for 6000"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
