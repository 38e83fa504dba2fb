//! `uri parse`: prints the components of references.

use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::options::{Common, Print0, SchemeText, Selection};
use crate::output::{Output, Printed};
use crate::run::Work;
use crate::safe::safe;
use crate::sheet::{Column, Sheet};
use crate::style;
use anstyle::Style;
use std::io::{self, Write as _};
use urikit_domains::List;
use urikit_report::parse::{ParsedRecord, plain};
use urikit_report::reading::{Components, Failure, Reading};
use urikit_report::record::{DomainKeys, ErrorRecord};
use urikit_schemes::Edition;

/// Print the components of references as data
///
/// Components are printed as written: nothing is decoded, and an empty component differs from an
/// absent one. Plain output consists of `key<TAB>value` lines, with a blank line between inputs.
/// For an invalid input, the block of lines is empty, so inputs and blocks correspond. Passwords
/// are not masked.
///
/// With --json, each line also has `port_number` and `query_pairs`: a list of the pairs in the
/// query, each with its `key` and `value`, or `null` without a query. Keys and values are decoded,
/// or left as written if the decoded text is not UTF-8. If a name has no `=`, its `value` is
/// `null`. `domain` and `suffix` are the registrable domain and the public suffix of the host, and
/// `result` is the plain output.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri parse 'ftp://foo:@host.dom:21/%2Fetc/motd;type=a'
  uri parse --standard rfc1808 'http://a/b/c/d;p?q'
  uri parse --json -f urls.txt | jq -r 'select(.valid) | .host'
  uri parse --csv -f urls.txt > urls.csv
  uri parse --standard rfc3987 -f iris.txt > /dev/null && echo all good")]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    scheme_text: SchemeText,
}

/// Prints the components of every input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let names = Components::KEYS.map(Column::text);
    let after = ["domain", "suffix"].map(Column::text);
    let columns: Vec<_> = BEFORE.into_iter().chain(names).chain(after).collect();
    let settings = arguments.common.rows("parse", &columns)?;
    // No blank line precedes the first block. With filters, only a single thread knows which block
    // is the first.
    let settings = settings.in_order(arguments.selection.has_filters());
    let settings = settings.ending(arguments.print0)?;
    let work = Parse {
        is_coloured: style::are_on_stdout() && !settings.output.json,
        output: settings.output.clone(),
        edition: arguments.scheme_text.edition(),
        domains: arguments.selection.domains(),
    };
    settings.run("parse", arguments.selection, work)
}

struct Parse {
    output: Output,
    edition: Option<Edition>,
    domains: List,
    is_coloured: bool,
}

/// The columns that precede the components.
const BEFORE: [Column; 3] = [
    Column::text("input"),
    Column::flag("valid"),
    Column::text("error"),
];

impl Work for Parse {
    fn without_value(&self, input: Input<'_>, why: &Failure, to: &mut Printed) -> io::Result<()> {
        if self.output.json {
            let record = ParsedRecord::unread(input.given, self.output.reader, why);
            return self.output.record_with(&mut to.out, &record, None);
        }
        if let Some(sheet) = &self.output.sheet {
            let error = why.to_string();
            let cells = [None, Some("false"), Some(error.as_str())].into_iter();
            let cells = cells.chain(Components::KEYS.map(|_| None)).chain([None; 2]);
            let parts = ErrorRecord::from(why).cells();
            let cells: Vec<_> = cells.chain(parts.iter().map(Option::as_deref)).collect();
            return sheet.row(&mut to.out, &cells);
        }
        self.separate(input, to);
        if self.output.end != b'\n' {
            to.out.push(self.output.end);
        }
        Ok(())
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let reading = self.output.reader.read(input).by(self.edition);
        if self.output.json {
            let components = reading.components().filter(|_| reading.is_valid());
            let result = components.as_ref().map(plain);
            let record = ParsedRecord::new(input.given, &reading, &self.domains);
            let result = result.as_deref().map(str::as_bytes);
            self.output.record_with(&mut to.out, &record, result)?;
            if let Some(failure) = reading.failure() {
                to.rejected.add(failure.reason());
            }
        } else if let Some(sheet) = &self.output.sheet {
            self.row(sheet, input, &reading, to)?;
        } else {
            let is_separated = self.output.end == b'\n';
            self.separate(input, to);
            if let Some(components) = reading.components() {
                self.plain(&mut to.out, &components)?;
            }
            if !is_separated {
                to.out.push(self.output.end);
            }
            if let Some(failure) = reading.failure() {
                self.output.invalid(input, &failure, to);
            }
        }
        Ok(if reading.is_valid() {
            Exit::Good
        } else {
            Exit::No
        })
    }
}

impl Parse {
    /// Writes the blank line before the block of an input.
    fn separate(&self, input: Input<'_>, to: &mut Printed) {
        if self.output.end == b'\n' && input.index > 0 {
            to.out.push(b'\n');
        }
    }

    fn row(
        &self,
        sheet: &Sheet,
        input: Input<'_>,
        reading: &Reading<'_>,
        to: &mut Printed,
    ) -> io::Result<()> {
        let failure = reading.failure();
        let error = failure.as_ref().map(ToString::to_string);
        let given = String::from_utf8_lossy(input.given.unparsed.bytes);
        let valid = if reading.is_valid() { "true" } else { "false" };
        let mut cells = vec![Some(given.as_ref()), Some(valid), error.as_deref()];
        let components = reading.components();
        match &components {
            Some(components) => cells.extend(components.texts().map(|(_, text)| text)),
            None => cells.extend(Components::KEYS.map(|_| None)),
        }
        let host = components.as_ref().and_then(|it| it.host);
        let domain = DomainKeys::new(host, &self.domains);
        cells.extend([domain.domain, domain.suffix]);
        let parts = failure.as_ref().map(|it| ErrorRecord::from(it).cells());
        let parts = parts.unwrap_or_default();
        cells.extend(parts.iter().map(Option::as_deref));
        if self.output.terminal {
            let safe: Vec<_> = cells.iter().map(|cell| cell.map(safe)).collect();
            let safe: Vec<_> = safe.iter().map(Option::as_deref).collect();
            sheet.row(&mut to.out, &safe)?;
        } else {
            sheet.row(&mut to.out, &cells)?;
        }
        if let Some(failure) = &failure {
            self.output.invalid(input, failure, to);
        }
        Ok(())
    }

    fn plain(&self, out: &mut Vec<u8>, components: &Components<'_>) -> io::Result<()> {
        for (key, text) in components.texts() {
            if let Some(text) = text {
                let style = if self.is_coloured {
                    style::component(key)
                } else {
                    Style::new()
                };
                write!(out, "{key}\t{style}")?;
                self.output.text(out, text)?;
                writeln!(out, "{style:#}")?;
            }
        }
        if components.opaque {
            out.extend_from_slice(b"opaque\ttrue\n");
        }
        Ok(())
    }
}
