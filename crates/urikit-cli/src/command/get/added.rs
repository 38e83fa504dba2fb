//! `uri get --add`: prints the rows of tables with columns added.
//!
//! CSV rows and JSON lines are copied as written, and Parquet pages as stored
//! ([`sheet::Extended`](crate::sheet::Extended)). Rows are split into values only for output in
//! another format.

use super::template::Template;
use super::{Arguments, parse};
use crate::exit::{Exit, Stop};
use crate::fields::Subject;
use crate::input::{Input, Layout, LayoutKind, split_end, split_row, write_cell};
#[cfg(feature = "parquet")]
use crate::options::check_parquet;
use crate::options::{OutputFormat, RowSettings, RowWork, Tables, sheet};
use crate::output::{Output, Printed};
use crate::run::Work;
use crate::sheet::{Column, Format, Sheet};
#[cfg(feature = "parquet")]
use crate::sheet::{Converted, Extended, RowFormat, pack_row};
use crate::stdout::stdout;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use urikit_domains::List;
use urikit_report::reading::Failure;

/// A column to add.
#[derive(Clone, Debug)]
pub(super) struct Addition {
    name: String,
    template: String,
}

/// Parses `NAME=TEMPLATE`.
///
/// # Errors
///
/// Returns the message for a usage error.
pub(super) fn addition(text: &str) -> Result<Addition, String> {
    match text.split_once('=') {
        Some((name, template)) if !name.is_empty() => {
            Template::new(template)?;
            Ok(Addition {
                name: name.to_owned(),
                template: template.to_owned(),
            })
        }
        _ => Err("expected NAME=TEMPLATE, such as host='{host}'".to_owned()),
    }
}

/// Prints the rows of the input with columns added.
pub(super) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let usage = |message: String| Stop::usage("get", message);
    let names: Vec<_> = arguments.added.iter().map(|it| it.name.clone()).collect();
    let mut seen = HashSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(usage(format!("--add uses the name `{twice}` twice")));
    }
    let templates = arguments.added.iter();
    let templates = templates.map(|it| Template::new(&it.template));
    let templates = templates.collect::<Result<_, _>>().map_err(usage)?;
    let rows = arguments.common.rows_with("get", names.clone())?;
    let RowSettings {
        settings,
        format,
        is_safe,
    } = rows;
    let (separator, domains) = (arguments.separator.char, arguments.selection.domains());
    let output = settings.output.clone();
    settings.run_rows("get", arguments.selection, |tables| {
        if let Some(name) = names.iter().find(|name| tables.layout.names.contains(name)) {
            let message = format!("--add {name}: the table already has a column with this name");
            return Err(usage(message));
        }
        let (form, work) = build(&tables, &names, format, is_safe)?;
        Ok(RowWork {
            work: Box::new(Added {
                templates,
                separator,
                domains,
                output,
                form,
            }),
            ..work
        })
    })
}

/// The form of the output rows.
enum Form {
    /// CSV rows, copied from CSV with this separator. `end` is added to rows without a line
    /// ending.
    Csv { separator: u8, end: Vec<u8> },
    /// JSON lines, copied from JSON lines, with members added under these names.
    Json { added: Vec<String> },
    /// JSON objects, made from CSV rows.
    Objects { names: Vec<String>, separator: u8 },
    /// A table, made from rows of another format.
    Sheet { from: Layout, sheet: Arc<Sheet> },
    /// The values added to Parquet rows, packed for the writer. If `is_text`, all values are UTF-8.
    #[cfg(feature = "parquet")]
    Packed { is_text: bool },
}

/// A [`Work`] that does nothing. [`run`] replaces it.
struct NoWork;

impl Work for NoWork {
    fn input(&self, _: Input<'_>, _: &mut Printed) -> io::Result<Exit> {
        Ok(Exit::Good)
    }
}

/// Chooses the form of the rows and the destination.
fn build(
    tables: &Tables<'_>,
    added: &[String],
    format: Option<OutputFormat>,
    is_safe: bool,
) -> Result<(Form, RowWork), Stop> {
    let layout = tables.layout;
    let to_stdout = |header: Vec<u8>| RowWork {
        work: Box::new(NoWork),
        out: Box::new(stdout()),
        header,
    };
    let names = || layout.names.iter().chain(added).cloned();
    let form = match (layout.kind, format) {
        #[cfg(feature = "parquet")]
        (LayoutKind::Parquet, None | Some(OutputFormat::Parquet)) => {
            check_parquet("get")?;
            let out = Extended::new(stdout(), tables.paths.clone(), added)?;
            let work = RowWork {
                out: Box::new(out),
                ..to_stdout(Vec::new())
            };
            return Ok((Form::Packed { is_text: true }, work));
        }
        #[cfg(feature = "parquet")]
        (LayoutKind::Parquet, format) => {
            let table = format.and_then(OutputFormat::of_sheet);
            let is_text = table.is_none();
            let format = |names| match table {
                Some(table) => {
                    let sheet = Sheet::new(table, &columns(names));
                    RowFormat::Sheet(sheet.without_formulas(is_safe))
                }
                None => RowFormat::Json(names),
            };
            let out = Converted::new(stdout(), tables.paths.clone(), added, format)?;
            let work = RowWork {
                out: Box::new(out),
                ..to_stdout(Vec::new())
            };
            return Ok((Form::Packed { is_text }, work));
        }
        (LayoutKind::Json, None | Some(OutputFormat::Jsonl)) => Form::Json {
            added: added.to_vec(),
        },
        (LayoutKind::Csv { separator }, None) => csv(separator, layout),
        (LayoutKind::Csv { separator: b',' }, Some(OutputFormat::Csv)) if !is_safe => {
            csv(b',', layout)
        }
        (LayoutKind::Csv { separator: b'\t' }, Some(OutputFormat::Tsv)) if !is_safe => {
            csv(b'\t', layout)
        }
        (LayoutKind::Csv { separator }, Some(OutputFormat::Jsonl)) => Form::Objects {
            names: names().collect(),
            separator,
        },
        (_, format) => {
            let comma = Format::Csv { separator: b',' };
            let format = format.and_then(OutputFormat::of_sheet).unwrap_or(comma);
            let sheet = sheet(format, "get", &columns(names().collect()))?;
            let sheet = sheet.without_formulas(is_safe);
            let out = sheet.out(Box::new(stdout()))?;
            let work = RowWork {
                out,
                ..to_stdout(sheet.header())
            };
            let (from, sheet) = (layout.clone(), Arc::new(sheet));
            return Ok((Form::Sheet { from, sheet }, work));
        }
    };
    let mut header = Vec::new();
    if let Form::Csv { separator, end } = &form {
        header.extend_from_slice(split_end(&layout.header).0);
        for name in added {
            header.push(*separator);
            write_cell(&mut header, name.as_bytes(), *separator);
        }
        header.extend_from_slice(end);
    }
    Ok((form, to_stdout(header)))
}

/// Returns text columns with these names.
fn columns(names: Vec<String>) -> Vec<Column> {
    let column = |name: String| Column {
        name: name.into(),
        ..Column::text("")
    };
    names.into_iter().map(column).collect()
}

/// Returns the form of rows copied from CSV.
fn csv(separator: u8, layout: &Layout) -> Form {
    let end = match split_end(&layout.header).1 {
        [] => b"\n",
        end => end,
    };
    Form::Csv {
        separator,
        end: end.to_vec(),
    }
}

struct Added {
    templates: Vec<Template>,
    separator: char,
    domains: List,
    output: Output,
    form: Form,
}

type Cell = Option<Vec<u8>>;

impl Work for Added {
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let (mut cells, failure) = self.fill(input);
        let unwritten = self.row(input, &mut cells, &mut to.out)?;
        let failure = failure.or(unwritten);
        if let Some(failure) = &failure {
            self.output.invalid(input, failure, to);
        }
        Ok(if failure.is_none() {
            Exit::Good
        } else {
            Exit::No
        })
    }

    fn without_value(&self, input: Input<'_>, _: &Failure, to: &mut Printed) -> io::Result<()> {
        let mut cells = vec![None; self.templates.len()];
        self.row(input, &mut cells, &mut to.out).map(drop)
    }

    fn dropped(&self, to: &mut Printed) {
        let _ = to;
        #[cfg(feature = "parquet")]
        if matches!(self.form, Form::Packed { .. }) {
            pack_row::<&[u8]>(&mut to.out, None);
        }
    }
}

impl Added {
    /// Fills the added cells. An absent value, and all values of an invalid reference, are null.
    fn fill(&self, input: Input<'_>) -> (Vec<Cell>, Option<Failure>) {
        let mut memory = String::new();
        let reference = match parse(self.output.reader, input.into(), &mut memory) {
            Ok(reference) => Some(Subject::new(reference, self.separator, &self.domains)),
            Err(error) => {
                let text = input
                    .text
                    .filter(|_| self.templates.iter().any(Template::is_unparsed));
                if text.is_none() {
                    return (vec![None; self.templates.len()], Some(error));
                }
                None
            }
        };
        let mut failure = None;
        let cells = self.templates.iter().map(|template| {
            let mut cell = Vec::new();
            let filled = match &reference {
                Some(subject) => template.fill(subject, &mut cell),
                None if template.is_unparsed() => {
                    template.fill_unparsed(input.text.unwrap_or_default(), &mut cell)
                }
                None => Ok(false),
            };
            match filled {
                Ok(is_there) => is_there.then_some(cell),
                Err(unfilled) => {
                    failure.get_or_insert(Failure::Operation(unfilled.to_string()));
                    None
                }
            }
        });
        let cells = cells.collect();
        if reference.is_none() && !self.templates.iter().all(Template::is_unparsed) {
            let mut memory = String::new();
            let invalid = parse(self.output.reader, input.into(), &mut memory).err();
            failure = failure.or(invalid);
        }
        (cells, failure)
    }

    /// Appends a row with these cells. If part of the row cannot be written, returns the reason.
    fn row(
        &self,
        input: Input<'_>,
        cells: &mut [Cell],
        out: &mut Vec<u8>,
    ) -> io::Result<Option<Failure>> {
        #[cfg(feature = "parquet")]
        if let Form::Packed { is_text } = self.form {
            let failure = if is_text { only_text(cells) } else { None };
            pack_row(out, Some(&*cells));
            return Ok(failure);
        }
        // The reader could not split the row, and has already reported that.
        if input.row.is_empty() {
            return Ok(None);
        }
        let mut failure = None;
        match &self.form {
            Form::Csv { separator, end } => {
                let (row, line_end) = split_end(input.row);
                out.extend_from_slice(row);
                for cell in cells {
                    out.push(*separator);
                    write_cell(out, cell.as_deref().unwrap_or_default(), *separator);
                }
                let line_end = if line_end.is_empty() { end } else { line_end };
                out.extend_from_slice(line_end);
            }
            Form::Json { added } => {
                failure = only_text(cells);
                let row = input.row.trim_ascii_end();
                let row = row.strip_suffix(b"}").unwrap_or(row);
                out.extend_from_slice(row);
                let is_empty = row.trim_ascii_end().ends_with(b"{");
                let members = added.iter().zip(cells.iter());
                members_of(members, !is_empty, out)?;
                out.extend_from_slice(b"}\n");
            }
            Form::Objects { names, separator } => {
                let mut all = own(split_row(split_end(input.row).0, *separator));
                all.extend(cells.iter_mut().map(Option::take));
                failure = only_text(&mut all);
                out.push(b'{');
                members_of(names.iter().zip(&all), false, out)?;
                out.extend_from_slice(b"}\n");
            }
            Form::Sheet { from, sheet } => {
                let mut all = if let LayoutKind::Csv { separator } = from.kind {
                    own(split_row(split_end(input.row).0, separator))
                } else {
                    let (all, unknown) = values(input.row, &from.names)?;
                    failure = unknown.map(|key| {
                        let why = format!("`{key}` is not a key of the first line");
                        Failure::Operation(why)
                    });
                    all
                };
                all.extend(cells.iter_mut().map(Option::take));
                if sheet.format == Format::Parquet {
                    failure = failure.or_else(|| only_text(&mut all));
                }
                sheet.row(out, &all)?;
            }
            #[cfg(feature = "parquet")]
            Form::Packed { .. } => {}
        }
        Ok(failure)
    }
}

/// Converts CSV cells. CSV has no null values.
fn own(cells: Vec<std::borrow::Cow<'_, [u8]>>) -> Vec<Cell> {
    cells
        .into_iter()
        .map(|cell| Some(cell.into_owned()))
        .collect()
}

/// Replaces values that are not UTF-8 with null. Returns an error if any value was replaced.
fn only_text(cells: &mut [Cell]) -> Option<Failure> {
    let mut failure = None;
    for cell in cells {
        if cell
            .as_ref()
            .is_some_and(|cell| std::str::from_utf8(cell).is_err())
        {
            *cell = None;
            let why = "a value is left out because it is not UTF-8, which this format requires";
            failure = Some(Failure::Operation(why.to_owned()));
        }
    }
    failure
}

/// Appends members of an object. If the object already has members, a comma precedes the first new
/// member.
fn members_of<'c>(
    members: impl Iterator<Item = (&'c String, &'c Cell)>,
    mut has_others: bool,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    for (name, cell) in members {
        if std::mem::replace(&mut has_others, true) {
            out.push(b',');
        }
        serde_json::to_writer(&mut *out, name)?;
        out.push(b':');
        let text = cell.as_deref().map(String::from_utf8_lossy);
        serde_json::to_writer(&mut *out, &text)?;
    }
    Ok(())
}

/// Returns the values of an object under these names, and another key of the object, if any. A
/// string becomes text, null becomes an absent value, and any other value stays JSON.
fn values(row: &[u8], names: &[String]) -> io::Result<(Vec<Cell>, Option<String>)> {
    let object: Members<'_> = serde_json::from_slice(row)?;
    let mut cells = vec![None; names.len()];
    let mut unknown = None;
    for (key, value) in object.0 {
        let place = names.iter().position(|name| *name == key);
        let Some(cell) = place.and_then(|place| cells.get_mut(place)) else {
            unknown = Some(key);
            continue;
        };
        *cell = match value.get() {
            "null" => None,
            text if text.starts_with('"') => {
                Some(serde_json::from_str::<String>(text)?.into_bytes())
            }
            json => Some(json.as_bytes().to_vec()),
        };
    }
    Ok((cells, unknown))
}

/// The members of an object, in order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> serde::de::Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        json.deserialize_map(Object)
    }
}
