//! `uri get --add`: the rows of Parquet as CSV and JSON lines.

use crate::support::{Folder, uri};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fmt::Write as _;
use std::sync::Arc;

/// The values of a column that are present.
enum Values<'a> {
    Flags(&'a [bool]),
    Integers(&'a [i32]),
    Longs(&'a [i64]),
    Times(&'a [[u32; 3]]),
    Floats(&'a [f32]),
    Doubles(&'a [f64]),
    Bytes(&'a [&'a [u8]]),
    Fixed(&'a [&'a [u8]]),
}

/// A file with these columns, each with its type, the levels of its rows, and its values.
fn file(columns: &[(&str, &[i16], Values<'_>)]) -> Vec<u8> {
    let mut schema = String::from("message m {");
    for (column, levels, _) in columns {
        let repetition = if levels.is_empty() {
            "required"
        } else {
            "optional"
        };
        let _ = write!(schema, "{repetition} {column};");
    }
    schema.push('}');
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for (_, levels, values) in columns {
        let mut column = group.next_column().unwrap().unwrap();
        let levels = (!levels.is_empty()).then_some(*levels);
        match (column.untyped(), values) {
            (ColumnWriter::BoolColumnWriter(to), Values::Flags(it)) => {
                to.write_batch(it, levels, None).unwrap()
            }
            (ColumnWriter::Int32ColumnWriter(to), Values::Integers(it)) => {
                to.write_batch(it, levels, None).unwrap()
            }
            (ColumnWriter::Int64ColumnWriter(to), Values::Longs(it)) => {
                to.write_batch(it, levels, None).unwrap()
            }
            (ColumnWriter::Int96ColumnWriter(to), Values::Times(it)) => {
                let it: Vec<_> = it.iter().map(|it| Int96::from(it.to_vec())).collect();
                to.write_batch(&it, levels, None).unwrap()
            }
            (ColumnWriter::FloatColumnWriter(to), Values::Floats(it)) => {
                to.write_batch(it, levels, None).unwrap()
            }
            (ColumnWriter::DoubleColumnWriter(to), Values::Doubles(it)) => {
                to.write_batch(it, levels, None).unwrap()
            }
            (ColumnWriter::ByteArrayColumnWriter(to), Values::Bytes(it)) => {
                let it: Vec<_> = it.iter().map(|it| ByteArray::from(it.to_vec())).collect();
                to.write_batch(&it, levels, None).unwrap()
            }
            (ColumnWriter::FixedLenByteArrayColumnWriter(to), Values::Fixed(it)) => {
                let it = it.iter().map(|it| FixedLenByteArray::from(it.to_vec()));
                let it: Vec<_> = it.collect();
                to.write_batch(&it, levels, None).unwrap()
            }
            _ => panic!("values of another type"),
        };
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.into_inner().unwrap()
}

const ADD: [&str; 6] = ["get", "-q", "--add", "host={host}", "--column", "url"];

const URLS: &[&[u8]] = &[b"http://a/?x,y", b"b c"];

#[test]
fn values_keep_their_types() {
    let one: &[i16] = &[1, 0, 0];
    let table = file(&[
        ("binary url (UTF8)", &[1, 1, 0], Values::Bytes(URLS)),
        ("binary plain", one, Values::Bytes(&[b"\"q\""])),
        ("boolean flag", one, Values::Flags(&[true])),
        ("int32 i", one, Values::Integers(&[-1])),
        ("int32 u (UINT_32)", one, Values::Integers(&[-1])),
        ("int64 ul (UINT_64)", one, Values::Longs(&[-1])),
        ("int64 l", &[], Values::Longs(&[i64::MIN, 0, 7])),
        ("float f", one, Values::Floats(&[0.1])),
        ("double d", &[], Values::Doubles(&[f64::NAN, 1e300, -2.0])),
        ("int32 day (DATE)", one, Values::Integers(&[19_723])),
        (
            "int32 time (TIME_MILLIS)",
            one,
            Values::Integers(&[45_296_789]),
        ),
        (
            "int64 at (TIMESTAMP(NANOS,true))",
            one,
            Values::Longs(&[1_700_000_000_000_000_001]),
        ),
        (
            "int64 local (TIMESTAMP(MICROS,false))",
            one,
            Values::Longs(&[-1]),
        ),
        ("int96 old", one, Values::Times(&[[1, 0, 2_440_589]])),
        ("int64 price (DECIMAL(18,2))", one, Values::Longs(&[-5])),
        (
            "fixed_len_byte_array(9) sum (DECIMAL(20,1))",
            one,
            Values::Fixed(&[b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xF5"]),
        ),
        (
            "fixed_len_byte_array(16) id (UUID)",
            one,
            Values::Fixed(&[b"0123456789abcdef"]),
        ),
    ]);
    let folder = Folder::new();
    let file = folder.file("t.parquet", table);
    let csv = uri(ADD.iter().chain(&["--csv", "-f", &file]));
    let header = "url,plain,flag,i,u,ul,l,f,d,day,time,at,local,old,price,sum,id,host\n";
    let expected = [
        header,
        "\"http://a/?x,y\",\"\"\"q\"\"\",true,-1,4294967295,18446744073709551615,\
         -9223372036854775808,0.1,NaN,2024-01-01,12:34:56.789,2023-11-14T22:13:20.000000001Z,\
         1969-12-31T23:59:59.999999,1970-01-02T00:00:00.000000001,-0.05,-1.1,\
         30313233-3435-3637-3839-616263646566,a\n",
        "b c,,,,,,0,,1e300,,,,,,,,,\n",
        ",,,,,,7,,-2.0,,,,,,,,,\n",
    ]
    .concat();
    assert_eq!(csv.out, expected, "{}", csv.err);
    assert_eq!(csv.status, 1, "one URL is not valid, and one is null");
    let tsv = uri(ADD.iter().chain(&["--output-format", "tsv", "-f", &file]));
    let row = "http://a/?x,y\t\"\"\"q\"\"\"\ttrue\t-1\t";
    assert!(tsv.out.contains(row), "{}", tsv.out);
    let json = uri(ADD.iter().chain(&["--output-format", "jsonl", "-f", &file]));
    let expected = concat!(
        r#"{"url":"http://a/?x,y","plain":"\"q\"","flag":true,"i":-1,"u":4294967295,"#,
        r#""ul":18446744073709551615,"l":-9223372036854775808,"f":0.1,"d":null,"#,
        r#""day":"2024-01-01","time":"12:34:56.789","at":"2023-11-14T22:13:20.000000001Z","#,
        r#""local":"1969-12-31T23:59:59.999999","old":"1970-01-02T00:00:00.000000001","#,
        r#""price":-0.05,"sum":-1.1,"id":"30313233-3435-3637-3839-616263646566","host":"a"}"#,
        "\n",
        r#"{"url":"b c","plain":null,"flag":null,"i":null,"u":null,"ul":null,"l":0,"f":null,"#,
        r#""d":1e300,"day":null,"time":null,"at":null,"local":null,"old":null,"price":null,"#,
        r#""sum":null,"id":null,"host":null}"#,
        "\n",
        r#"{"url":null,"plain":null,"flag":null,"i":null,"u":null,"ul":null,"l":7,"f":null,"#,
        r#""d":-2.0,"day":null,"time":null,"at":null,"local":null,"old":null,"price":null,"#,
        r#""sum":null,"id":null,"host":null}"#,
        "\n",
    );
    assert_eq!(json.out, expected, "{}", json.err);
    // A filter drops rows, and a formula gets an apostrophe.
    let some = ["--csv", "--csv-safe", "--where", "host", "-f", &file];
    let some = uri(ADD.iter().chain(&some));
    assert_eq!(some.out.lines().count(), 2);
    assert!(some.out.contains(",'-0.05,"), "{}", some.out);
}

#[test]
fn files_are_one_table_in_order() {
    let folder = Folder::new();
    let mut expected = String::from("url,n,year,host\n");
    for year in [2024, 2025] {
        let path = folder.path().join(format!("year={year}"));
        std::fs::create_dir(&path).unwrap();
        let urls: Vec<_> = (0..30_000).map(|nth| format!("http://h{nth}/")).collect();
        let urls: Vec<_> = urls.iter().map(String::as_bytes).collect();
        let numbers: Vec<_> = (0..30_000).collect();
        let table = file(&[
            ("binary url (UTF8)", &[], Values::Bytes(&urls)),
            ("int64 n", &[], Values::Longs(&numbers)),
        ]);
        std::fs::write(path.join("t.parquet"), table).unwrap();
        for nth in numbers {
            let _ = writeln!(expected, "http://h{nth}/,{nth},{year},h{nth}");
        }
    }
    let path = folder.path().to_str().unwrap();
    for jobs in ["-j1", "-j2"] {
        let outcome = uri(ADD.iter().chain(&["--csv", "-f", path, jobs]));
        assert!(outcome.out == expected, "{jobs}: {}", outcome.err);
        assert_eq!(outcome.status, 0);
    }
}

#[test]
fn values_without_text_are_counted() {
    let folder = Folder::new();
    let table = file(&[
        ("binary url", &[], Values::Bytes(&[b"//a", b"//b"])),
        ("binary x", &[], Values::Bytes(&[b"\xFF", b"y"])),
        ("int32 day (DATE)", &[], Values::Integers(&[0, i32::MAX])),
    ]);
    let file = folder.file("t.parquet", table);
    let get = ["get", "--add", "h={host}", "--column", "url", "-f", &file];
    let json = uri(get.iter().chain(&["--output-format", "jsonl"]));
    assert_eq!(
        json.out,
        "{\"url\":\"//a\",\"x\":null,\"day\":\"1970-01-01\",\"h\":\"a\"}\n\
         {\"url\":\"//b\",\"x\":\"y\",\"day\":null,\"h\":\"b\"}\n"
    );
    let message = "2 values are left out: they are not UTF-8, which this format requires, or not in \
                   the years -9999 to 9999";
    assert_eq!(
        (json.err, json.status),
        (format!("uri: {file}: {message}\n"), 3)
    );
    let csv = uri(get.iter().chain(&["--csv", "--where", "host=b"]));
    assert_eq!(
        (csv.out.as_str(), csv.status),
        ("url,x,day,h\n//b,y,,b\n", 3)
    );
}

#[test]
fn some_columns_have_no_text() {
    let folder = Folder::new();
    let bytes: &[&[u8]] = &[b"ab"];
    for (kind, values, message) in [
        (
            "fixed_len_byte_array(2) x",
            Values::Fixed(bytes),
            "the column `x` is binary, so rows can be written only as Parquet",
        ),
        (
            "binary x (BSON)",
            Values::Bytes(bytes),
            "the column `x` is binary",
        ),
        (
            "binary x (DECIMAL(39,2))",
            Values::Bytes(bytes),
            "the column `x` is a decimal with more than 38 digits",
        ),
    ] {
        let table = file(&[
            ("binary url", &[], Values::Bytes(&[b"//a"])),
            (kind, &[], values),
        ]);
        let file = folder.file("t.parquet", table);
        for format in ["--csv", "--json"] {
            let get = ["get", "--add", "h={host}", "--column", "url"];
            let outcome = uri(get.iter().chain(&[format, "-f", &file]));
            assert_eq!((outcome.out.as_str(), outcome.status), ("", 3), "{kind}");
            assert!(outcome.err.contains(message), "{kind}: {}", outcome.err);
        }
    }
}
