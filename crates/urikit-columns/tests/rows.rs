//! Tests that each function returns the same results as the library does for the text of each row,
//! in every layout of columns and with any number of threads.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod support;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, StringArray};
use support::{few_values, layouts, strings, texts};
use urikit::Standard;
use urikit::op::{Level, Options as Resolve};
use urikit::percent::{self, Place};
use urikit_audit::java::JavaUri;
use urikit_audit::{Lenient, Reader as _, Reading, Urllib, Whatwg};
use urikit_columns::urikit_domains::List;
use urikit_columns::urikit_keys::{Canonicalizer, Profile, Steps};
use urikit_columns::{self as columns, ColumnError, Decoding, OnError, Options, Reader};

const STANDARDS: [Standard; 7] = Standard::ALL;

/// Compares a kernel with a function on one text, for every layout.
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

#[allow(clippy::unnecessary_wraps)] // for use at the end of functions that return an `Option`
fn own(text: impl AsRef<str>) -> Option<String> {
    Some(text.as_ref().to_owned())
}

#[test]
fn parts_by_standards() {
    for standard in STANDARDS {
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

/// `parse` returns all components, and port numbers match their digits.
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
    let base = "http://a/b/c/d";
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
                |t| {
                    own(percent::decode(t, place, standard)
                        .ok()?
                        .decode_utf8()
                        .ok()?)
                },
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

fn reference(text: &str) -> Option<urikit::AnyRef<'_>> {
    Standard::Rfc3986.parse(text).ok()
}

#[test]
fn pieces() {
    let options = Options::new();
    same(
        "query_value",
        |c| columns::query_value(c, "q", Decoding::Written, options),
        |t| own(reference(t)?.query_get_raw("q")?.value()?),
    );
    same(
        "query_value",
        |c| columns::query_value(c, "y", Decoding::Form, options),
        |t| {
            let pair = reference(t)?.query_get_raw("y")?;
            let value = pair.value().map(|value| value.decode_form_utf8());
            own(value.transpose().ok()?.unwrap_or_default())
        },
    );
    let texts = texts();
    for (_, column) in layouts(&texts) {
        let of = columns::query_pairs(&column, Decoding::Written, options).unwrap();
        let segments = columns::path_segments(&column, Decoding::Decoded, options).unwrap();
        for (row, text) in texts.iter().enumerate() {
            let reference = text.as_deref().and_then(reference);
            let expected = reference.and_then(|it| it.query()).map(|query| {
                let pairs = query.pairs('&');
                pairs
                    .map(|pair| (own(pair.name()), pair.value().and_then(own)))
                    .collect::<Vec<_>>()
            });
            assert_eq!(pairs(&of, row), expected, "{text:?}");
            let expected = reference.and_then(|it| {
                let texts = it
                    .segments()
                    .map(|segment| segment.decode_utf8().ok().and_then(own));
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

/// Returns the pairs in a row.
fn pairs(array: &ArrayRef, row: usize) -> Option<Vec<(Option<String>, Option<String>)>> {
    let pairs = list(array, row)?;
    let field = |name| strings(pairs.as_struct().column_by_name(name).unwrap());
    Some(field("name").into_iter().zip(field("value")).collect())
}

/// Pairs are decoded as by `form_pairs_decoded`, which follows the parser of forms in the WHATWG
/// URL Standard, 5.1: empty sequences are skipped, and a missing value is empty.
#[test]
fn forms() {
    let queries = [
        "?a",
        "?",
        "?&",
        "?&&a=1&&b&",
        "?a&a=1",
        "?=",
        "?=&a",
        "?a+b=c+d&%61=%2B",
        "/",
    ];
    let texts: Vec<_> = queries.map(|text| Some(text.to_owned())).into();
    for (_, column) in layouts(&texts) {
        let of = columns::query_pairs(&column, Decoding::Form, Options::new()).unwrap();
        let value = columns::query_value(&column, "a", Decoding::Form, Options::new()).unwrap();
        let values = strings(&value);
        for (row, text) in queries.into_iter().enumerate() {
            let reference = reference(text).unwrap();
            let decoded = reference.form_pairs_decoded().map(Result::unwrap);
            let decoded = decoded.map(|(name, value)| (name.into_owned(), value.into_owned()));
            let decoded: Vec<_> = decoded.collect();
            let first = decoded.iter().find(|(name, _)| name == "a");
            assert_eq!(
                values[row],
                first.map(|(_, value)| value.clone()),
                "{text:?}"
            );
            let expected = decoded
                .into_iter()
                .map(|(name, value)| (Some(name), Some(value)));
            let expected = reference.query().map(|_| expected.collect());
            assert_eq!(pairs(&of, row), expected, "{text:?}");
        }
    }
}

/// Returns the list in a row.
fn list(array: &ArrayRef, row: usize) -> Option<ArrayRef> {
    let is_large = matches!(array.data_type(), arrow_schema::DataType::LargeList(_));
    array.is_valid(row).then(|| {
        if is_large {
            array.as_list::<i64>().value(row)
        } else {
            array.as_list::<i32>().value(row)
        }
    })
}

fn host(text: &str) -> Option<&str> {
    Some(reference(text)?.host()?.as_str())
}

#[test]
fn domains_and_keys() {
    let options = Options::new();
    for list in [List::builtin(), List::builtin().with_private(true)] {
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
    // The hash of "http://a/", computed by PyPI's package xxhash.
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
                    .map(|text| urikit::AnyRefBuf::parse(&text, Standard::Rfc3986).ok())
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

#[test]
fn names_of_each_row() {
    let urls = StringArray::from(vec![Some("?a=1&b=2"), Some("?a=1&b=2"), Some("?a"), None]);
    let names = StringArray::from(vec![Some("b"), None, Some("a"), Some("a")]);
    let one = |row: usize| {
        let url = urls.slice(row, 1);
        let name = names.is_valid(row).then(|| names.value(row))?;
        let found = columns::query_value(&url, name, Decoding::Written, Options::new()).unwrap();
        let found = found.as_string::<i32>();
        found.is_valid(0).then(|| found.value(0).to_owned())
    };
    let found =
        columns::query_value_each(&urls, &names, Decoding::Written, Options::new()).unwrap();
    let expected: StringArray = (0..urls.len()).map(one).collect();
    assert_eq!(found.as_string(), &expected);
    assert_eq!(
        expected,
        StringArray::from(vec![Some("2"), None, None, None])
    );
}

/// Spark's `parse_url(url, 'QUERY', 'id')` matches `(&|^)id=([^&]*)`.
#[test]
fn java_needs_a_value() {
    let urls = StringArray::from(vec!["/?id&id=2", "/?id", "/?id=&id=2"]);
    let value = |reader| {
        let found = columns::query_value(&urls, "id", Decoding::Written, reader).unwrap();
        found.as_string::<i32>().clone()
    };
    let java = StringArray::from(vec![Some("2"), None, Some("")]);
    assert_eq!(value(Options::from(Reader::JavaNetUri)), java);
    let others = StringArray::from(vec![None, None, Some("")]);
    assert_eq!(value(Options::new()), others);
}
