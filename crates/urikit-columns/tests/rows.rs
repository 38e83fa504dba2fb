//! Each kernel gives, row by row, what the library gives for one text, for every layout of the
//! column; and the results do not depend on the number of threads.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod support;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_select::concat::concat;
use support::{few_values, layouts, strings, texts};
use urikit::Standard;
use urikit::op::{Level, Options as Resolve};
use urikit::percent::{self, Place};
use urikit_audit::java::JavaUri;
use urikit_audit::{Lenient, Reader as _, Reading, Urllib, Whatwg};
use urikit_columns::urikit_domains::List;
use urikit_columns::urikit_keys::{Canonicalizer, Profile, Steps};
use urikit_columns::{self as columns, ColumnError, Decoding, OnError, Options, Reader};

/// The number of the standard to try, since all take long.
const STANDARDS: [Standard; 7] = Standard::ALL;

/// Holds a kernel against a function of one text, for every layout.
fn same(
    name: &str,
    kernel: impl Fn(&dyn Array) -> Result<ArrayRef, ColumnError>,
    one: impl Fn(&str) -> Option<String>,
) {
    let texts = texts();
    let few = few_values();
    let mut columns: Vec<_> = layouts(&texts)
        .into_iter()
        .map(|(layout, column)| (layout, texts.clone(), column))
        .collect();
    columns.push(("few values", few.0, few.1));
    for (layout, texts, column) in columns {
        let expected: Vec<_> = texts.iter().map(|text| one(text.as_deref()?)).collect();
        let result = kernel(&column).unwrap();
        assert_eq!(result.len(), texts.len(), "{name}, {layout}");
        for (row, (found, expected)) in strings(&result).iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{name}, {layout}: {:?}", texts[row]);
        }
    }
}

fn own(text: impl AsRef<str>) -> Option<String> {
    Some(text.as_ref().to_owned())
}

#[test]
fn parts_by_standards() {
    for standard in STANDARDS {
        let parse = |text: &str| standard.parse(text).map(|it| it.as_str().to_owned()).ok();
        let any = |text: &str| standard.parse(text).ok().is_some();
        assert!(any("http://a/") && parse("http://a/").is_some());
        let options = Options::from(standard);
        same(
            "scheme",
            |c| columns::scheme(c, options),
            |t| own(standard.parse(t).ok()?.scheme()?),
        );
        same(
            "authority",
            |c| columns::authority(c, options),
            |t| own(standard.parse(t).ok()?.authority()?.as_str()),
        );
        same(
            "userinfo",
            |c| columns::userinfo(c, options),
            |t| own(standard.parse(t).ok()?.userinfo()?),
        );
        same(
            "host",
            |c| columns::host(c, options),
            |t| own(standard.parse(t).ok()?.host()?.as_str()),
        );
        same(
            "port",
            |c| columns::port(c, options),
            |t| own(standard.parse(t).ok()?.port()?),
        );
        same(
            "path",
            |c| columns::path(c, options),
            |t| own(standard.parse(t).ok()?.path()),
        );
        same(
            "query",
            |c| columns::query(c, options),
            |t| own(standard.parse(t).ok()?.query()?),
        );
        same(
            "fragment",
            |c| columns::fragment(c, options),
            |t| own(standard.parse(t).ok()?.fragment()?),
        );
        same(
            "host_kind",
            |c| columns::host_kind(c, options),
            |t| own(standard.parse(t).ok()?.host_kind()?.as_str()),
        );
        same(
            "path_query",
            |c| columns::path_query(c, options),
            |t| {
                let reference = standard.parse(t).ok()?;
                let query = reference
                    .query()
                    .map_or(String::new(), |query| format!("?{query}"));
                Some(format!("{}{query}", reference.path()))
            },
        );
    }
}

#[test]
fn parts_by_other_parsers() {
    type Read = for<'a> fn(&'a str) -> Option<Reading<'a>>;
    let readers: [(Reader, Read); 3] = [
        (Reader::Whatwg, |text| Whatwg.read(text).ok()),
        (Reader::Urllib, |text| Urllib.read(text).ok()),
        (Reader::Lenient, |text| Lenient.read(text).ok()),
    ];
    for (reader, read) in readers {
        same(
            "scheme",
            |c| columns::scheme(c, reader),
            |t| own(read(t)?.scheme?),
        );
        same(
            "authority",
            |c| columns::authority(c, reader),
            |t| own(read(t)?.authority?),
        );
        same(
            "userinfo",
            |c| columns::userinfo(c, reader),
            |t| own(read(t)?.userinfo?),
        );
        same(
            "host",
            |c| columns::host(c, reader),
            |t| own(read(t)?.host?),
        );
        same(
            "port",
            |c| columns::port(c, reader),
            |t| own(read(t)?.port?),
        );
        same("path", |c| columns::path(c, reader), |t| own(read(t)?.path));
        same(
            "query",
            |c| columns::query(c, reader),
            |t| own(read(t)?.query?),
        );
        same(
            "fragment",
            |c| columns::fragment(c, reader),
            |t| own(read(t)?.fragment?),
        );
    }
    let java = Reader::JavaNetUri;
    same(
        "scheme",
        |c| columns::scheme(c, java),
        |t| own(JavaUri::parse(t).ok()?.scheme()?),
    );
    same(
        "authority",
        |c| columns::authority(c, java),
        |t| own(JavaUri::parse(t).ok()?.raw_authority()?),
    );
    same(
        "userinfo",
        |c| columns::userinfo(c, java),
        |t| own(JavaUri::parse(t).ok()?.raw_user_info()?),
    );
    same(
        "host",
        |c| columns::host(c, java),
        |t| own(JavaUri::parse(t).ok()?.host()?),
    );
    same(
        "port",
        |c| columns::port(c, java),
        |t| own(JavaUri::parse(t).ok()?.port()?.to_string()),
    );
    same(
        "path",
        |c| columns::path(c, java),
        |t| own(JavaUri::parse(t).ok()?.raw_path()?),
    );
    same(
        "query",
        |c| columns::query(c, java),
        |t| own(JavaUri::parse(t).ok()?.raw_query()?),
    );
    same(
        "fragment",
        |c| columns::fragment(c, java),
        |t| own(JavaUri::parse(t).ok()?.raw_fragment()?),
    );
}

/// `parse` is all parts, and port numbers are those of the texts.
#[test]
fn parse_is_each_part() {
    for reader in Reader::ALL {
        for (layout, column) in layouts(&texts()) {
            let parsed = columns::parse(&column, reader).unwrap();
            let parts: [(&str, ArrayRef); 8] = [
                ("scheme", columns::scheme(&column, reader).unwrap()),
                ("userinfo", columns::userinfo(&column, reader).unwrap()),
                ("host", columns::host(&column, reader).unwrap()),
                ("port", columns::port(&column, reader).unwrap()),
                ("path", columns::path(&column, reader).unwrap()),
                ("query", columns::query(&column, reader).unwrap()),
                ("fragment", columns::fragment(&column, reader).unwrap()),
                ("host_kind", columns::host_kind(&column, reader).unwrap()),
            ];
            assert_eq!(parsed.num_columns(), parts.len());
            for (name, part) in &parts {
                let field = parsed.column_by_name(name).unwrap();
                assert_eq!(strings(field), strings(part), "{name}, {reader}, {layout}");
            }
            let reasons = columns::reason(&column, reader).unwrap();
            for row in 0..column.len() {
                let is_null = column
                    .logical_nulls()
                    .is_some_and(|nulls| nulls.is_null(row));
                assert_eq!(
                    parsed.is_null(row),
                    is_null || reasons.is_valid(row),
                    "{reader}"
                );
            }
            let numbers = columns::port_number(&column, reader).unwrap();
            let numbers = numbers.as_primitive::<Int32Type>();
            for (row, port) in strings(&parts[3].1).iter().enumerate() {
                let expected = port.as_deref().and_then(|port| port.parse::<i64>().ok());
                let most = if reader == Reader::JavaNetUri {
                    i64::from(i32::MAX)
                } else {
                    65_535
                };
                let expected = expected.filter(|port| *port <= most);
                let found = numbers.is_valid(row).then(|| i64::from(numbers.value(row)));
                assert_eq!(found, expected, "{reader}: {port:?}");
            }
        }
    }
}

#[test]
fn references() {
    let base = "http://a/b/c/d;p?q";
    for standard in STANDARDS {
        for level in Level::ALL {
            same(
                "normalize",
                |c| columns::normalize(c, level, standard),
                |t| {
                    let mut out = String::new();
                    standard.parse(t).ok()?.normalize_into(level, &mut out);
                    Some(out)
                },
            );
        }
        same(
            "resolve",
            |c| columns::resolve(c, base, standard),
            |t| {
                let mut out = String::new();
                let base = standard.parse(base).unwrap();
                let reference = standard.parse(t).ok()?;
                reference
                    .resolve_into(base, Resolve::default(), &mut out)
                    .ok()?;
                Some(out)
            },
        );
        for place in [Place::Segment, Place::QueryValue, Place::Host] {
            same(
                "encode",
                |c| columns::encode(c, place, standard),
                |t| Some(percent::encode(t, place, standard).ok()?.to_string()),
            );
            same(
                "decode",
                |c| columns::decode(c, place, standard),
                |t| own(percent::decode(t, place, standard).ok()?.to_utf8().ok()?),
            );
        }
        let steps: Steps = "strip-tracking,sort-query,strip-session-ids"
            .parse()
            .unwrap();
        same(
            "canonicalize",
            |c| columns::canonicalize(c, steps, standard),
            |t| {
                let mut out = String::new();
                Canonicalizer::new(steps).write(standard.parse(t).ok()?, &mut out);
                Some(out)
            },
        );
    }
    same(
        "normalize",
        |c| columns::normalize(c, Level::Scheme, Reader::Whatwg),
        |t| own(Whatwg.parse(t).ok()?),
    );
    same(
        "resolve",
        |c| columns::resolve(c, base, Reader::Whatwg),
        |t| own(Whatwg.parse(base).unwrap().join(t).ok()?),
    );
}

#[test]
fn pieces() {
    let options = Options::new();
    let reference = |text| Standard::Rfc3986.parse(text).ok();
    same(
        "query_value",
        |c| columns::query_value(c, "q", Decoding::Written, options),
        |t| own(reference(t)?.query_get("q")?.value()?),
    );
    same(
        "query_value",
        |c| columns::query_value(c, "y", Decoding::Form, options),
        |t| own(reference(t)?.query_get("y")?.value()?.to_form_utf8().ok()?),
    );
    for (_, column) in layouts(&texts()) {
        let of = columns::query_pairs(&column, Decoding::Written, options).unwrap();
        let segments = columns::path_segments(&column, Decoding::Decoded, options).unwrap();
        for (row, text) in texts().iter().enumerate() {
            let reference = text.as_deref().and_then(reference);
            let expected = reference.and_then(|it| it.query()).map(|query| {
                let pairs = query.pairs('&');
                pairs
                    .map(|pair| (own(pair.name()), pair.value().and_then(own)))
                    .collect::<Vec<_>>()
            });
            let found = list(&of, row).map(|pairs| {
                let field = |name| strings(pairs.as_struct().column_by_name(name).unwrap());
                field("name")
                    .into_iter()
                    .zip(field("value"))
                    .collect::<Vec<_>>()
            });
            assert_eq!(found, expected, "{text:?}");
            let expected = reference.and_then(|it| {
                let texts = it
                    .segments()
                    .map(|segment| segment.to_utf8().ok().and_then(own));
                texts.map(|text| text.map(Some)).collect::<Option<Vec<_>>>()
            });
            assert_eq!(
                list(&segments, row).map(|it| strings(&it)),
                expected,
                "{text:?}"
            );
        }
    }
}

/// The list in a row.
fn list(array: &ArrayRef, row: usize) -> Option<ArrayRef> {
    let is_large = matches!(array.data_type(), arrow_schema::DataType::LargeList(_));
    array.is_valid(row).then(|| match is_large {
        true => array.as_list::<i64>().value(row),
        false => array.as_list::<i32>().value(row),
    })
}

#[test]
fn domains_and_keys() {
    let options = Options::new();
    for list in [List::builtin(), List::builtin().with_private(true)] {
        let host = |text| Some(Standard::Rfc3986.parse(text).ok()?.host()?.as_str());
        same(
            "registrable_domain",
            |c| columns::registrable_domain(c, &list, options),
            |t| own(list.domain(host(t)?)?.registrable()?),
        );
        same(
            "public_suffix",
            |c| columns::public_suffix(c, &list, options),
            |t| own(list.domain(host(t)?)?.suffix()),
        );
        same(
            "subdomain",
            |c| columns::subdomain(c, &list, options),
            |t| own(list.domain(host(t)?)?.subdomain()?),
        );
    }
    for profile in Profile::ALL {
        same(
            "surt",
            |c| columns::surt(c, profile, OnError::Null, 0),
            |t| profile.surt(t).ok(),
        );
    }
    for (_, column) in layouts(&texts()) {
        let keys = columns::key(&column, Level::Path, options).unwrap();
        let keys = keys.as_primitive::<UInt64Type>();
        let normal = columns::normalize(&column, Level::Path, options).unwrap();
        for (row, text) in strings(&normal).iter().enumerate() {
            let expected = text
                .as_ref()
                .map(|text| xxhash_rust::xxh3::xxh3_64(text.as_bytes()));
            assert_eq!(keys.is_valid(row).then(|| keys.value(row)), expected);
        }
    }
    // Of "http://a/", by the package xxhash of PyPI.
    let known = columns::key(
        &StringArray::from(vec!["http://a/"]),
        Level::Scheme,
        options,
    );
    assert_eq!(
        known.unwrap().as_primitive::<UInt64Type>().value(0),
        0x28CB_FF48_0307_D536
    );
}

#[test]
fn the_audit() {
    for (_, column) in layouts(&texts()) {
        let agreed = columns::agree(&column, 0).unwrap();
        let findings = columns::findings(&column, 0).unwrap();
        for (row, text) in texts().iter().enumerate() {
            let report = text.as_deref().map(urikit_audit::audit);
            let expected = report
                .as_ref()
                .map(|report| report.agreement().is_unanimous());
            assert_eq!(
                agreed.is_valid(row).then(|| agreed.value(row)),
                expected,
                "{text:?}"
            );
            let expected = report.map(|report| {
                let findings = report.findings().iter();
                let texts =
                    findings.map(|it| (it.code.to_string(), i64::try_from(it.offset).unwrap()));
                texts.collect::<Vec<_>>()
            });
            let found = list(&findings, row).map(|found| {
                let codes = strings(found.as_struct().column_by_name("code").unwrap());
                let offsets = found.as_struct().column_by_name("offset").unwrap().clone();
                let offsets = offsets.as_primitive::<Int64Type>().values().to_vec();
                codes.into_iter().flatten().zip(offsets).collect::<Vec<_>>()
            });
            assert_eq!(found, expected, "{text:?}");
        }
    }
}

#[test]
fn diagnoses() {
    for standard in STANDARDS {
        for (_, column) in layouts(&texts()) {
            let diagnoses = columns::diagnose(&column, standard).unwrap();
            let field = |name| strings(diagnoses.column_by_name(name).unwrap());
            let offsets = diagnoses.column_by_name("offset").unwrap();
            let offsets = offsets.as_primitive::<Int64Type>();
            for (row, text) in texts().iter().enumerate() {
                let error = text.as_deref().and_then(|text| standard.parse(text).err());
                assert_eq!(diagnoses.is_valid(row), error.is_some(), "{text:?}");
                let Some(error) = error else { continue };
                assert_eq!(usize::try_from(offsets.value(row)).unwrap(), error.offset());
                assert_eq!(field("production")[row].as_deref(), error.production());
                assert_eq!(field("section")[row].as_deref(), error.section());
                assert_eq!(field("message")[row], Some(error.to_string()));
                break; // each row would be slow
            }
        }
    }
    let column = StringArray::from(vec!["|", "http://a/"]);
    for reader in [
        Reader::Whatwg,
        Reader::JavaNetUri,
        Reader::Urllib,
        Reader::Lenient,
    ] {
        assert_eq!(columns::diagnose(&column, reader).unwrap().null_count(), 2);
    }
}

#[test]
fn two_columns() {
    let texts = texts();
    let others: Vec<_> = texts
        .iter()
        .cycle()
        .skip(3)
        .take(texts.len())
        .cloned()
        .collect();
    for ((_, left), (_, right)) in layouts(&texts).iter().zip(layouts(&others).iter().rev()) {
        let by = columns::compare(left, right, Options::new()).unwrap();
        let targets = columns::resolve_each(left, right, Options::new()).unwrap();
        for (row, (by, target)) in strings(&by).iter().zip(strings(&targets)).enumerate() {
            let parse = |text: &Option<String>| {
                text.clone()
                    .map(|text| urikit::AnyRefBuf::parse(text, Standard::Rfc3986).ok())
            };
            let pair = parse(&texts[row])
                .flatten()
                .zip(parse(&others[row]).flatten());
            let expected = pair.as_ref().map(|(left, right)| {
                left.compare(right)
                    .map_or("different", |by| by.name())
                    .to_owned()
            });
            assert_eq!(*by, expected);
            let expected = pair.and_then(|(left, right)| {
                let mut out = String::new();
                left.resolve_into(&right, Resolve::default(), &mut out)
                    .ok()?;
                Some(out)
            });
            assert_eq!(target, expected);
        }
    }
    let (three, two) = (
        StringArray::from(vec![""; 3]),
        StringArray::from(vec![""; 2]),
    );
    let error = columns::compare(&three, &two, Options::new()).unwrap_err();
    assert!(matches!(error, ColumnError::Lengths { left: 3, right: 2 }));
}

/// Large enough to be divided.
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
    // Of a dictionary, the first row that has the value, and no value that no row has.
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
    // Empty columns, and columns of nulls.
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
