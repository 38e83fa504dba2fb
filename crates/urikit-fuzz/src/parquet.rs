//! Builds Parquet files from the fuzzer's input, and reads them back. Each file is valid or
//! contains one wrong number.

use urikit_parquet::{Error, Rows, Table};
use urikit_testkit::thrift::{FalseLength, Value, varint, zigzag};

/// Checks the reader. The first octets select the form of the file and a wrong number; all other
/// octets are the values in the file.
pub(crate) fn parquet(data: &[u8]) {
    let mut choices = Choices(data);
    let form = Form::chosen(&mut choices);
    let wrong = Wrong::chosen(&mut choices);
    let (values, body) = match wrong {
        Wrong::Body { .. } => (vec![Some(choices.0.to_vec()); 9], Some(choices.0)),
        _ => (values(&mut choices, form.level > 0), None),
    };
    let file = form.file(&values, wrong, body);
    let (read, error) = read(file.clone());
    let (entries, failed) = read_entries(file);
    let is_equal = match (&error, &failed) {
        // Both readers stop after about `ENOUGH` rows, but not at exactly the same row.
        _ if read.len().max(entries.len()) > ENOUGH => true,
        (None, None) => entries == read,
        // The two readers do not find errors in the same order, so only the values before the
        // errors are compared.
        _ => entries
            .iter()
            .zip(&read)
            .all(|(entry, value)| entry == value),
    };
    assert!(is_equal, "{form:?}, {wrong:?}: {error:?}, {failed:?}");
    let complete = error.is_none() && read.len() == values.len();
    match wrong {
        Wrong::Nothing => {
            assert!(
                complete,
                "{form:?}: {} of {}: {error:?}",
                read.len(),
                values.len()
            );
            assert_eq!(read, values, "{form:?}");
        }
        // All values read before the error must be correct.
        Wrong::Number(_, number) if EXTREMES.contains(&number) => {
            assert!(complete || error.is_some(), "{form:?}, {wrong:?}");
            assert_eq!(read, values[..read.len()], "{form:?}, {wrong:?}: {error:?}");
        }
        Wrong::Length(..) => {
            assert!(complete || error.is_some(), "{form:?}, {wrong:?}");
            assert_eq!(read, values[..read.len()], "{form:?}, {wrong:?}: {error:?}");
        }
        // A different number may describe another valid file, and an arbitrary body may be valid.
        Wrong::Number(..) | Wrong::Body { .. } => {}
    }
}

/// The remaining input. After the end of the input, all choices are 0.
struct Choices<'d>(&'d [u8]);

impl Choices<'_> {
    fn next(&mut self) -> usize {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        usize::from(*first)
    }

    fn number(&mut self) -> i64 {
        let bytes: [u8; 8] = std::array::from_fn(|_| u8::try_from(self.next()).unwrap());
        i64::from_le_bytes(bytes)
    }
}

/// Numbers that are invalid in every field.
const EXTREMES: [i64; 4] = [-1, i32::MAX as i64, i64::MAX, i64::MIN];

/// The part of a generated file that is wrong.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    Nothing,
    /// An integer in the metadata, identified by its index in the file.
    Number(usize, i64),
    /// The length of a string or list in the metadata, identified by its index in the file.
    Length(usize, u64),
    /// The body of the pages: the rest of the input. The page headers declare `values` values, and
    /// `length` bytes after decompression.
    Body {
        values: i64,
        length: i64,
    },
}

impl Wrong {
    fn chosen(choices: &mut Choices<'_>) -> Self {
        let kind = choices.next();
        let nth = choices.next() << 8 | choices.next();
        match kind % 5 {
            0 => Self::Nothing,
            1 => Self::Number(nth, EXTREMES[choices.next() % EXTREMES.len()]),
            2 => Self::Number(nth, choices.number()),
            3 => Self::Length(nth, [1 << 31, u64::MAX >> 1, u64::MAX][kind / 5 % 3]),
            _ => Self::Body {
                values: choices.number() >> (kind / 5 % 64),
                length: i64::try_from(nth).unwrap(),
            },
        }
    }
}

/// Reads values from the input. An octet below 64 is the length of the value that follows, and any
/// other octet represents a null or repetitions of the preceding value.
fn values(choices: &mut Choices<'_>, may_be_null: bool) -> Vec<Option<Vec<u8>>> {
    let mut values: Vec<Option<Vec<u8>>> = Vec::new();
    while !choices.0.is_empty() && values.len() < 5000 {
        let choice = choices.next();
        match choice {
            0..64 => {
                let length = choice.min(choices.0.len());
                values.push(Some(choices.0[..length].to_vec()));
                choices.0 = &choices.0[length..];
            }
            64..96 if may_be_null => values.push(None),
            _ => {
                let last = values.last().cloned().unwrap_or(Some(Vec::new()));
                values.extend(vec![last; choice]);
            }
        }
    }
    values
}

/// The form of a file.
#[derive(Clone, Copy, Debug)]
struct Form {
    /// The number that identifies the encoding.
    encoding: i64,
    /// The number that identifies the compression codec.
    codec: i64,
    /// True for version 2 pages.
    is_v2: bool,
    /// The definition level of a value that is not null: the number of optional groups, including
    /// the column itself.
    level: usize,
    groups: usize,
    pages: usize,
}

impl Form {
    fn chosen(choices: &mut Choices<'_>) -> Self {
        let (one, two) = (choices.next(), choices.next());
        Self {
            encoding: [0, 8, 6, 7][one % 4],
            codec: [0, 1, 6, 2, 5, 7][one / 4 % 6],
            is_v2: one >= 128,
            level: two % 4,
            groups: 1 + two / 4 % 3,
            pages: 1 + two / 16 % 5,
        }
    }

    /// Writes a file that contains `values` or, if there is a `body`, this body in each page.
    fn file(&self, values: &[Option<Vec<u8>>], wrong: Wrong, body: Option<&[u8]>) -> Vec<u8> {
        let mut writer = FileWriter {
            out: b"PAR1".to_vec(),
            wrong,
            integers: 0,
            lengths: 0,
        };
        let size = values.len().div_ceil(self.groups).max(1);
        let groups: Vec<_> = values.chunks(size).collect();
        let groups: Vec<_> = groups
            .into_iter()
            .map(|group| self.group(&mut writer, group, body))
            .collect();
        writer.footer(&mut self.footer(values.len(), groups));
        writer.out
    }

    /// Writes the pages of a row group. Returns its metadata.
    fn group(&self, to: &mut FileWriter, values: &[Option<Vec<u8>>], body: Option<&[u8]>) -> Value {
        let start = to.out.len();
        let has_dictionary = self.encoding == 8;
        let mut dictionary: Vec<&[u8]> = values.iter().flatten().map(Vec::as_slice).collect();
        dictionary.sort_unstable();
        dictionary.dedup();
        if has_dictionary {
            let plain: Vec<u8> = dictionary.iter().flat_map(|it| prefixed(it)).collect();
            let header = vec![(1, int(dictionary.len())), (2, Value::int32(0))];
            self.page(to, 2, (7, header), &[], plain);
        }
        let data = to.out.len();
        for page in values.chunks(values.len().div_ceil(self.pages).max(1)) {
            let levels = self.levels(page);
            let encoded = self.encoded(page, &dictionary);
            let (mut before, mut content) = (Vec::new(), encoded);
            let header = if self.is_v2 {
                before.clone_from(&levels);
                let nulls = page.iter().filter(|it| it.is_none()).count();
                let numbers = [page.len(), nulls, page.len()].map(int);
                let lengths = [levels.len(), 0].map(int);
                let encoding = [Value::int32(self.encoding)];
                let fields = numbers.into_iter().chain(encoding).chain(lengths);
                let mut fields: Vec<_> = (1..).zip(fields).collect();
                fields.push((7, Value::Bool(true)));
                (8, fields)
            } else {
                if self.level > 0 {
                    let length = u32::try_from(levels.len()).unwrap().to_le_bytes();
                    content = [&length, &levels[..], &content].concat();
                }
                let fields = [page.len(), usize::try_from(self.encoding).unwrap(), 3, 3].map(int);
                (5, (1..).zip(fields).collect())
            };
            let kind = if self.is_v2 { 3 } else { 0 };
            match (body, to.wrong) {
                (Some(body), Wrong::Body { values, length }) => {
                    let mut fields = header.1;
                    fields[0].1 = Value::int32(values);
                    let mut header = Value::Struct(vec![
                        (1, Value::int32(kind)),
                        (2, Value::int32(length)),
                        (3, int(body.len())),
                        (header.0, Value::Struct(fields)),
                    ]);
                    to.structure(&mut header);
                    to.out.extend_from_slice(body);
                }
                _ => self.page(to, kind, header, &before, content),
            }
        }
        let mut column = vec![
            (1, Value::int32(6)),
            (2, Value::List(5, vec![Value::int32(self.encoding)])),
            (3, Value::List(8, vec![Value::text("url")])),
            (4, Value::int32(self.codec)),
            (5, long(values.len())),
            (6, long(to.out.len() - start)),
            (7, long(to.out.len() - start)),
            (9, long(data)),
        ];
        if has_dictionary {
            column.push((11, long(start)));
        }
        let other = Value::Struct(vec![(2, long(0))]);
        let column = Value::Struct(vec![(2, long(start)), (3, Value::Struct(column))]);
        Value::Struct(vec![
            (1, Value::List(12, vec![other, column])),
            (2, long(to.out.len() - start)),
            (3, long(values.len())),
        ])
    }

    /// Writes a page. The bytes in `before` precede the content and are not compressed.
    fn page(
        &self,
        to: &mut FileWriter,
        kind: i64,
        (id, fields): (i16, Vec<(i16, Value)>),
        before: &[u8],
        content: Vec<u8>,
    ) {
        let length = before.len() + content.len();
        let body = [before, &self.compressed(content)].concat();
        let mut header = Value::Struct(vec![
            (1, Value::int32(kind)),
            (2, int(length)),
            (3, int(body.len())),
            (id, Value::Struct(fields)),
        ]);
        to.structure(&mut header);
        to.out.extend_from_slice(&body);
    }

    fn compressed(&self, content: Vec<u8>) -> Vec<u8> {
        match self.codec {
            1 => snap::raw::Encoder::new().compress_vec(&content).unwrap(),
            6 => zstd::bulk::compress(&content, 1).unwrap(),
            2 => {
                let mut out = Vec::new();
                let level = flate2::Compression::fast();
                let mut gzip = flate2::bufread::GzEncoder::new(&*content, level);
                std::io::copy(&mut gzip, &mut out).unwrap();
                out
            }
            5 => {
                let block = lz4_flex::block::compress(&content);
                let lengths = [content.len(), block.len()].map(|it| u32::try_from(it).unwrap());
                [
                    &lengths[0].to_be_bytes(),
                    &lengths[1].to_be_bytes(),
                    &block[..],
                ]
                .concat()
            }
            7 => lz4_flex::block::compress(&content),
            _ => content,
        }
    }

    /// Returns the definition levels of values. The level of a null is one less than that of other
    /// values.
    fn levels(&self, values: &[Option<Vec<u8>>]) -> Vec<u8> {
        if self.level == 0 {
            return Vec::new();
        }
        let levels = values
            .iter()
            .map(|it| self.level - usize::from(it.is_none()));
        hybrid(&levels.collect::<Vec<_>>(), bits(self.level))
    }

    fn encoded(&self, values: &[Option<Vec<u8>>], dictionary: &[&[u8]]) -> Vec<u8> {
        let present: Vec<&[u8]> = values.iter().flatten().map(Vec::as_slice).collect();
        let lengths = |of: &[&[u8]]| deltas(&of.iter().map(|it| it.len()).collect::<Vec<_>>());
        match self.encoding {
            8 => {
                let index = |it: &&[u8]| dictionary.binary_search(it).unwrap();
                let indices: Vec<_> = present.iter().map(index).collect();
                let width = bits(dictionary.len());
                let mut out = vec![u8::try_from(width).unwrap()];
                out.extend(hybrid(&indices, width));
                out
            }
            6 => [lengths(&present), present.concat()].concat(),
            7 => {
                let (mut last, mut prefixes, mut rest) = (&[][..], Vec::new(), Vec::new());
                for value in present {
                    let same = value.iter().zip(last).take_while(|(a, b)| a == b).count();
                    prefixes.push(same);
                    rest.push(&value[same..]);
                    last = value;
                }
                [deltas(&prefixes), lengths(&rest), rest.concat()].concat()
            }
            _ => present.iter().flat_map(|it| prefixed(it)).collect(),
        }
    }

    fn footer(&self, rows: usize, groups: Vec<Value>) -> Value {
        let text = |name: &str| (4, Value::text(name));
        let mut schema = vec![
            Value::Struct(vec![text("schema"), (5, int(2))]),
            Value::Struct(vec![(1, Value::int32(2)), (3, Value::int32(0)), text("id")]),
        ];
        for _ in 1..self.level {
            schema.push(Value::Struct(vec![
                (3, Value::int32(1)),
                text("group"),
                (5, int(1)),
            ]));
        }
        let repetition = (3, int(self.level.min(1)));
        schema.push(Value::Struct(vec![
            (1, Value::int32(6)),
            repetition,
            text("url"),
        ]));
        Value::Struct(vec![
            (1, Value::int32(1)),
            (2, Value::List(12, schema)),
            (3, long(rows)),
            (4, Value::List(12, groups)),
        ])
    }
}

/// Writes the Thrift structures of a file, in which one number may be wrong.
struct FileWriter {
    out: Vec<u8>,
    wrong: Wrong,
    /// The number of integers and the number of lengths written so far.
    integers: usize,
    lengths: usize,
}

impl FileWriter {
    fn structure(&mut self, structure: &mut Value) {
        let integers = structure.integers();
        let count = integers.len();
        if let Wrong::Number(nth, number) = self.wrong
            && let Some(nth) = nth.checked_sub(self.integers)
            && let Some(integer) = integers.into_iter().nth(nth)
        {
            *integer = number;
        }
        self.integers += count;
        let wrong = match self.wrong {
            Wrong::Length(nth, length) => {
                let nth = nth.checked_sub(self.lengths);
                nth.map(|nth| FalseLength { nth, length })
            }
            _ => None,
        };
        self.lengths += structure.write(&mut self.out, wrong);
    }

    fn footer(&mut self, footer: &mut Value) {
        let start = self.out.len();
        self.structure(footer);
        let length = u32::try_from(self.out.len() - start).unwrap();
        self.out.extend_from_slice(&length.to_le_bytes());
        self.out.extend_from_slice(b"PAR1");
    }
}

fn int(number: usize) -> Value {
    Value::int32(i64::try_from(number).unwrap())
}

fn long(number: usize) -> Value {
    Value::int64(i64::try_from(number).unwrap())
}

fn prefixed(value: &[u8]) -> Vec<u8> {
    let length = u32::try_from(value.len()).unwrap();
    [&length.to_le_bytes(), value].concat()
}

/// Returns the number of bits that a number needs.
fn bits(number: usize) -> usize {
    (usize::BITS - number.leading_zeros()).try_into().unwrap()
}

/// Writes numbers as runs if they repeat, and otherwise as groups of eight.
fn hybrid(numbers: &[usize], width: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = numbers;
    while let [first, ..] = rest {
        let run = rest.iter().take_while(|it| *it == first).count();
        if run >= 8 || run == rest.len() {
            varint(&mut out, (run as u64) << 1);
            out.extend_from_slice(&first.to_le_bytes()[..width.div_ceil(8)]);
            rest = &rest[run..];
        } else {
            let group = rest.len().min(8);
            varint(&mut out, 3);
            out.extend(packed(&rest[..group], 8, width));
            rest = &rest[group..];
        }
    }
    out
}

/// Packs numbers, least significant bit first, and pads them with zeros up to `count` numbers.
fn packed(numbers: &[usize], count: usize, width: usize) -> Vec<u8> {
    let mut out = vec![0; count * width / 8];
    for (nth, number) in numbers.iter().enumerate() {
        for bit in (0..width).filter(|bit| number >> bit & 1 == 1) {
            let at = nth * width + bit;
            out[at / 8] |= 1 << (at % 8);
        }
    }
    out
}

/// Writes numbers in the DELTA_BINARY_PACKED encoding, in blocks of 128.
fn deltas(numbers: &[usize]) -> Vec<u8> {
    let number = |it: &usize| i64::try_from(*it).unwrap();
    let mut out = Vec::new();
    for header in [128, 4, numbers.len()] {
        varint(&mut out, header as u64);
    }
    zigzag(&mut out, numbers.first().map_or(0, number));
    let pairs = numbers.windows(2);
    let deltas: Vec<i64> = pairs.map(|it| number(&it[1]) - number(&it[0])).collect();
    for block in deltas.chunks(128) {
        let least = *block.iter().min().unwrap();
        zigzag(&mut out, least);
        let offset = |it: &i64| usize::try_from(it - least).unwrap();
        let small: Vec<Vec<usize>> = block
            .chunks(32)
            .map(|it| it.iter().map(offset).collect())
            .collect();
        let width = |it: &Vec<usize>| bits(it.iter().copied().max().unwrap_or(0));
        for nth in 0..4 {
            out.push(
                small
                    .get(nth)
                    .map_or(0, |it| u8::try_from(width(it)).unwrap()),
            );
        }
        for it in &small {
            out.extend(packed(it, 32, width(it)));
        }
    }
    out
}

/// The maximum number of rows to read. A run of a few bytes can represent up to 2³¹ rows.
const ENOUGH: usize = 1 << 17;

/// Reads all text columns of a file until an error occurs.
fn read(file: Vec<u8>) -> (Vec<Option<Vec<u8>>>, Option<Error>) {
    let mut values = Vec::new();
    let error = read_to(file, &mut values).err();
    (values, error)
}

fn read_to(file: Vec<u8>, to: &mut Vec<Option<Vec<u8>>>) -> Result<(), Error> {
    let table = Table::open(file)?;
    for column in table.columns() {
        assert!(column.is_named(&column.path()));
    }
    for mut group in table.row_groups(1)? {
        while let Some(pages) = group.next_pages()? {
            let rows = pages.rows();
            assert_eq!(
                rows.start,
                to.len() as u64 + 1,
                "the number of the first row"
            );
            let mut values = pages.values(usize::MAX);
            while let Some(next) = values.next_rows(Vec::new())? {
                add(next, to);
                assert_eq!(
                    values.rows().start,
                    to.len() as u64 + 1,
                    "the number of a row"
                );
                if to.len() > ENOUGH {
                    return Ok(());
                }
            }
            assert_eq!(rows.end, to.len() as u64 + 1, "the number of the last row");
        }
    }
    Ok(())
}

/// Reads the values of a column through `Table::entries`, up to the first error.
fn read_entries(file: Vec<u8>) -> (Vec<Option<Vec<u8>>>, Option<Error>) {
    let mut values = Vec::new();
    let read = || {
        let table = Table::open(file)?;
        for place in table.chunks(1)? {
            let mut entries = table.entries(&place)?;
            while let Some(entry) = entries.next_entry()? {
                values.push(entry.value.map(<[u8]>::to_vec));
                if values.len() > ENOUGH {
                    return Ok(());
                }
            }
        }
        Ok(())
    };
    let error = read().err();
    (values, error)
}

fn add(rows: Rows, to: &mut Vec<Option<Vec<u8>>>) {
    match rows {
        Rows::Stored(stored) => {
            let mut rest = &stored.data[..];
            for _ in 0..stored.count {
                let (length, after) = rest.split_first_chunk().unwrap();
                let length = usize::try_from(u32::from_le_bytes(*length)).unwrap();
                to.push(Some(after[..length].to_vec()));
                rest = &after[length..];
            }
            assert!(rest.is_empty());
        }
        Rows::Decoded(decoded) => {
            let mut start = 0;
            let mut without = decoded.without.iter().peekable();
            for (nth, end) in decoded.ends.iter().enumerate() {
                let is_null = without.next_if(|(at, _)| *at == nth).is_some();
                to.push((!is_null).then(|| decoded.data[start..*end].to_vec()));
                start = *end;
            }
            assert_eq!((start, without.next()), (decoded.data.len(), None));
        }
    }
}
