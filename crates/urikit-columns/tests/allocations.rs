//! Tests that rows do not allocate: for a hundred times as many rows, only the growth of vectors
//! needs a few more allocations.

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

/// Counts the allocations for a number of rows.
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

/// A name, and a call whose result is dropped.
type Kernel = (String, Box<dyn Fn(&dyn Array)>);

/// Makes a kernel from a call, in which `$c` is the column.
macro_rules! kernel {
    ($name:expr, |$c:ident| $call:expr) => {
        (
            format!("{} {}", stringify!($call), $name),
            Box::new(move |$c: &dyn Array| drop(black_box($call))) as Box<dyn Fn(&dyn Array)>,
        )
    };
}

fn one(reader: Reader) -> Options {
    Options::from(reader).threads(1)
}

/// The functions that every reader supports.
fn of_reader(r: Reader) -> Vec<Kernel> {
    vec![
        kernel!(r, |c| columns::host(c, one(r))),
        kernel!(r, |c| columns::parse(c, one(r))),
        kernel!(r, |c| columns::query_pairs(c, Decoding::Form, one(r))),
        kernel!(r, |c| columns::path_segments(c, Decoding::Decoded, one(r))),
    ]
}

/// The functions that only standards support.
fn of_standard(standard: Standard) -> Vec<Kernel> {
    let r = Reader::Standard(standard);
    let names = "strip-tracking,sort-query,strip-session-ids,drop-fragment";
    let steps: Steps = names.parse().unwrap();
    vec![
        kernel!(r, |c| columns::normalize(c, Level::Scheme, one(r))),
        kernel!(r, |c| columns::key(c, Level::Scheme, one(r))),
        kernel!(r, |c| columns::resolve(c, "http://a/b", one(r))),
        kernel!(r, |c| columns::compare(c, c, one(r))),
        kernel!(r, |c| columns::diagnose(c, one(r))),
        kernel!(r, |c| columns::encode(c, Place::Segment, one(r))),
        kernel!(r, |c| columns::decode(c, Place::Segment, one(r))),
        kernel!(r, |c| columns::canonicalize(c, steps, one(r))),
    ]
}

#[test]
fn no_allocation_for_a_row() {
    let mut kernels: Vec<Kernel> = Vec::new();
    // The WHATWG parser allocates, and Python's parser converts schemes and hosts to lower case.
    let allocate = [Reader::Whatwg, Reader::Urllib];
    let readers = Reader::ALL.into_iter();
    kernels.extend(
        readers
            .filter(|it| !allocate.contains(it))
            .flat_map(of_reader),
    );
    kernels.extend(Standard::ALL.into_iter().flat_map(of_standard));
    let (r, list) = (Reader::default(), List::builtin());
    kernels.push(kernel!(r, |c| columns::registrable_domain(
        c,
        &list,
        one(r)
    )));
    for profile in Profile::ALL {
        kernels.push(kernel!(profile, |c| columns::surt(
            c,
            profile,
            OnError::Null,
            1
        )));
    }
    assert!(kernels.len() > 90);
    let mut different = Vec::new();
    for (name, kernel) in &kernels {
        // The first call loads tables.
        count(6, kernel.as_ref());
        let (few, many) = (count(60, kernel.as_ref()), count(6000, kernel.as_ref()));
        // Vectors grow by doubling, which happens about seven more times.
        if many > few + 350 {
            different.push(format!("{name}: {few} for 60 rows, {many} for 6000"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
