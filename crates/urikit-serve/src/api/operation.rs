//! The operations: each reads parameters, and writes the JSON line that the command prints with
//! `--json`. Pages of text are left out unless `page` is set.

use super::extract;
use super::parameters::{
    A, ABOVE_ROOT, AS, B, BASE, CHARSET, COMPONENT, DEEP, DEFANG, DETECT, DIFF, DOCUMENT,
    DOCUMENT_BASE, DOCUMENT_CHARSET, FORM, GUESS, IDNA, IGNORE, IN, IRI, KEY, KINDS, LENIENT,
    LEVEL, LONE_PERCENT, NAME, PAGE, PARTLY, Parameter, REFANG, REL, RFC, SAME, SAME_SCHEME,
    SCHEME, SCHEME_TEXT, SLASH_RULE, STANDARD, STEP, TEMPLATES, TEXT, TEXT_PAGE, UNIQUE, URL,
};
use super::values::Values;
use crate::problem::{Problem, ProblemType};
use serde::Serialize;
use urikit::op::{Level, Options as ResolveOptions};
use urikit_access::Client;
use urikit_audit::{Keep, Severity, audit};
use urikit_domains::List;
use urikit_report::audit::{Audited, STANDARD as AUDITED, Site};
use urikit_report::base::Base;
use urikit_report::compare::Compare;
use urikit_report::explain::{Explanation, prefix};
use urikit_report::input::{Given, Unparsed};
use urikit_report::normalize::Normalize;
use urikit_report::parse::{ParsedRecord, plain};
use urikit_report::percent::{Direction, Options};
use urikit_report::record::WithResult;
use urikit_report::repairs::{Repairs, Tolerance};
use urikit_report::schemes::{SchemeRecord, find_facts, sorted};
use urikit_report::text::Layout;
use urikit_report::text::schemes::{Widths, page};
use urikit_report::text::style::unstyled;
use urikit_report::{OptionError, Reader, json};
use urikit_schemes::Edition;

/// An operation.
pub(crate) struct Operation {
    /// The last segment of the path.
    pub(crate) name: &'static str,
    /// A description in one sentence.
    pub(crate) about: &'static str,
    /// The parameters. Required parameters come first.
    pub(crate) parameters: &'static [&'static Parameter],
    /// The number of required parameters.
    pub(crate) required: usize,
    /// The subcommand that prints the same lines.
    pub(crate) subcommand: &'static str,
    /// True if the result can have any number of lines.
    pub(crate) has_many: bool,
    run: Run,
}

/// A function that writes the output lines of an operation.
enum Run {
    Alone(fn(&Values, &mut Vec<u8>) -> Result<(), Problem>),
    /// The client plans accesses.
    Planning(fn(&Values, &Client, &mut Vec<u8>) -> Result<(), Problem>),
}

/// The maximum length of references, in bytes. A record contains each component several times.
const MOST_REFERENCE: usize = 64 << 10;

impl Operation {
    /// Returns true if the key `result` is a page of text, which responses contain on request.
    pub(crate) fn has_page(&self) -> bool {
        let mut names = self.parameters.iter().map(|parameter| parameter.name);
        names.any(|name| name == TEXT_PAGE.name)
    }

    /// Runs the operation on these values, and appends its output lines to `out`. The client only
    /// plans accesses.
    ///
    /// # Errors
    ///
    /// Returns a problem if the values are invalid.
    pub(crate) fn run(
        &self,
        values: &Values,
        client: &Client,
        out: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let is_text = [TEXT.name, DOCUMENT.name]
            .iter()
            .any(|name| values.get(name).is_some());
        if !is_text && values.size() > MOST_REFERENCE {
            let detail = format!("the maximum for references is {MOST_REFERENCE} bytes");
            return Err(Problem::new(ProblemType::BodyTooLarge, detail));
        }
        match self.run {
            Run::Alone(run) => run(values, out),
            Run::Planning(run) => run(values, client, out),
        }
    }
}

/// All operations.
pub(crate) static OPERATIONS: [Operation; 11] = [
    Operation {
        name: "explain",
        about: "Explains a reference: components, verdicts, parsers, risks, and the steps to fetch it.",
        parameters: &[&URL, &STANDARD, &SCHEME_TEXT, &LENIENT, &GUESS, &TEXT_PAGE],
        required: 1,
        subcommand: "explain",
        has_many: false,
        run: Run::Planning(explain),
    },
    Operation {
        name: "parse",
        about: "Splits a reference into its components.",
        parameters: &[&URL, &STANDARD, &SCHEME_TEXT, &LENIENT, &GUESS],
        required: 1,
        subcommand: "parse",
        has_many: false,
        run: Run::Alone(parse),
    },
    Operation {
        name: "resolve",
        about: "Resolves a reference against a base.",
        parameters: &[
            &URL,
            &BASE,
            &STANDARD,
            &ABOVE_ROOT,
            &SAME_SCHEME,
            &SLASH_RULE,
            &LENIENT,
            &GUESS,
        ],
        required: 2,
        subcommand: "resolve",
        has_many: false,
        run: Run::Alone(resolve),
    },
    Operation {
        name: "normalize",
        about: "Returns the normal form of a reference, or its key in web archives.",
        parameters: &[&URL, &STANDARD, &LEVEL, &KEY, &STEP, &LENIENT, &GUESS],
        required: 1,
        subcommand: "normalize",
        has_many: false,
        run: Run::Alone(normalize),
    },
    Operation {
        name: "compare",
        about: "Finds the level at which two references are equivalent.",
        parameters: &[&A, &B, &STANDARD, &DIFF, &IGNORE, &LENIENT, &GUESS],
        required: 2,
        subcommand: "compare",
        has_many: false,
        run: Run::Alone(compare),
    },
    Operation {
        name: "audit",
        about: "Reports where parsers disagree about a reference, and which risks it poses.",
        parameters: &[&URL, &TEXT_PAGE],
        required: 1,
        subcommand: "audit",
        has_many: false,
        run: Run::Alone(audit_one),
    },
    Operation {
        name: "same-site",
        about: "Decides whether the target of a reference on a page is on the site of the page.",
        parameters: &[&URL, &PAGE, &SAME, &TEXT_PAGE],
        required: 2,
        subcommand: "audit",
        has_many: false,
        run: Run::Alone(same_site),
    },
    Operation {
        name: "extract",
        about: "Finds the references in a document.",
        parameters: &[
            &DOCUMENT,
            &AS,
            &DOCUMENT_BASE,
            &KINDS,
            &REFANG,
            &DEFANG,
            &TEMPLATES,
            &DETECT,
            &DEEP,
            &SCHEME,
            &IN,
            &REL,
            &UNIQUE,
            &DOCUMENT_CHARSET,
            &STANDARD,
        ],
        required: 1,
        subcommand: "extract",
        has_many: true,
        run: Run::Alone(extract::extract),
    },
    Operation {
        name: "encode",
        about: "Percent-encodes text for a component, or converts an IRI to a URI.",
        parameters: &[
            &TEXT, &COMPONENT, &PARTLY, &CHARSET, &FORM, &IRI, &IDNA, &RFC,
        ],
        required: 1,
        subcommand: "encode",
        has_many: false,
        run: Run::Alone(encode),
    },
    Operation {
        name: "decode",
        about: "Percent-decodes text, or converts a URI to an IRI.",
        parameters: &[
            &TEXT,
            &COMPONENT,
            &CHARSET,
            &FORM,
            &LONE_PERCENT,
            &IRI,
            &RFC,
        ],
        required: 1,
        subcommand: "decode",
        has_many: false,
        run: Run::Alone(decode),
    },
    Operation {
        name: "schemes",
        about: "Describes a scheme, or all known schemes.",
        parameters: &[&NAME],
        required: 0,
        subcommand: "schemes",
        has_many: true,
        run: Run::Alone(schemes),
    },
];

/// Writes a record with its result as a line.
fn line(out: &mut Vec<u8>, record: &impl Serialize, result: Option<&[u8]>) -> Result<(), Problem> {
    json::line(out, &WithResult::new(record, result), false).map_err(|_| unserializable())
}

/// Writes a record. The key `result`, a page of text, is added only on request, because writing the
/// page takes half of the time of `explain`, and programs seldom need the page.
fn line_with_page(
    values: &Values,
    out: &mut Vec<u8>,
    record: &impl Serialize,
    page: impl FnOnce() -> Option<String>,
) -> Result<(), Problem> {
    if values.flag(TEXT_PAGE.name)? {
        let page = page().as_deref().map(unstyled);
        return line(out, record, page.as_deref().map(str::as_bytes));
    }
    json::line(out, record, false).map_err(|_| unserializable())
}

fn unserializable() -> Problem {
    Problem::new(ProblemType::Internal, "the record cannot be serialized")
}

/// Reports options that are mutually exclusive.
fn conflict(error: &OptionError) -> Problem {
    // The message names the options of the command.
    Problem::new(
        ProblemType::InvalidParameter,
        error.to_string().replace("--", ""),
    )
}

/// Returns the chosen standard.
fn reader(values: &Values) -> Result<Reader, Problem> {
    Ok(values.parsed(STANDARD.name)?.unwrap_or_default())
}

/// Returns the chosen edition of the scheme's specification.
fn edition(values: &Values) -> Result<Option<Edition>, Problem> {
    match values.text(SCHEME_TEXT.name)? {
        None => Ok(None),
        Some("original") => Ok(Some(Edition::Original)),
        Some("successor") => Ok(Some(Edition::Successor)),
        Some(_) => Err(Problem::parameter(
            SCHEME_TEXT.name,
            "expected original or successor",
        )),
    }
}

/// Returns the changes that may be made to inputs.
fn tolerance(values: &Values, reader: Reader) -> Result<Option<Tolerance>, Problem> {
    let (lenient, guess) = (values.flag(LENIENT.name)?, values.flag(GUESS.name)?);
    Tolerance::new(reader, lenient, guess).map_err(|error| conflict(&error))
}

/// Adds repairs to an input.
fn with<'a>(input: Unparsed<'a>, repairs: Option<&'a Repairs>) -> Given<'a> {
    Given {
        unparsed: input,
        repairs,
    }
}

fn explain(values: &Values, client: &Client, out: &mut Vec<u8>) -> Result<(), Problem> {
    let reader = reader(values)?;
    let tolerance = tolerance(values, reader)?;
    let input = Unparsed::from(values.required(URL.name)?);
    let begin = prefix(input.bytes);
    let after = Unparsed::from(input.bytes.get(begin..).unwrap_or_default());
    let repairs = tolerance.map(|it| Repairs::of(after, it, || None).after(begin));
    let reference = with(after, repairs.as_ref()).reference();
    let input = with(input, repairs.as_ref());
    let explanation =
        Explanation::new(input, reference, reader, edition(values)?).with_client(client);
    let is_valid = reader.read(reference).is_valid();
    line_with_page(values, out, &explanation.record(), || {
        is_valid.then(|| Layout::default().explain(&explanation))
    })
}

fn parse(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    let reader = reader(values)?;
    let tolerance = tolerance(values, reader)?;
    let input = Unparsed::from(values.required(URL.name)?);
    let repairs = tolerance.map(|tolerance| Repairs::of(input, tolerance, || None));
    let input = with(input, repairs.as_ref());
    let reading = reader.read(input.reference()).by(edition(values)?);
    let components = reading.components().filter(|_| reading.is_valid());
    let result = components.as_ref().map(plain);
    let record = ParsedRecord::new(input, &reading, &List::default());
    line(out, &record, result.as_deref().map(str::as_bytes))
}

fn resolve(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    let reader = reader(values)?;
    let tolerance = tolerance(values, reader)?;
    let above_root = values.parsed(ABOVE_ROOT.name)?;
    let same_scheme = values.parsed(SAME_SCHEME.name)?;
    let slash_rule = values.parsed(SLASH_RULE.name)?;
    let options = urikit_report::base::options(reader, above_root, same_scheme, slash_rule);
    let options: ResolveOptions = options.map_err(|error| conflict(&error))?;
    let base = Base::new(values.required(BASE.name)?.into(), reader).map_err(|failure| {
        Problem::parameter(BASE.name, failure.verdict(reader, &failure.summary()))
    })?;
    let input = Unparsed::from(values.required(URL.name)?);
    let repairs = tolerance.map(|tolerance| Repairs::of(input, tolerance, || base.to_uri()));
    let input = with(input, repairs.as_ref());
    let target = base.resolve(input.reference(), options);
    let target = target.as_ref();
    let result = target.ok().map(|target| target.text.as_bytes());
    line(out, &base.resolved(input, target), result)
}

fn normalize(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    let reader = reader(values)?;
    let tolerance = tolerance(values, reader)?;
    let normalize = Normalize {
        reader,
        level: values.parsed(LEVEL.name)?.unwrap_or(Level::Scheme),
        key: values.parsed(KEY.name)?,
        steps: values.list(STEP.name)?,
    };
    let is_exclusive = values.get(LEVEL.name).is_some() || values.get(STEP.name).is_some();
    if normalize.key.is_some() && is_exclusive {
        let detail = "excludes level and step";
        return Err(Problem::parameter(KEY.name, detail));
    }
    normalize.check().map_err(|error| conflict(&error))?;
    let input = Unparsed::from(values.required(URL.name)?);
    let repairs = tolerance.map(|tolerance| Repairs::of(input, tolerance, || None));
    let input = with(input, repairs.as_ref());
    let normal = normalize.normalize(input.reference());
    let normal = normal.as_deref();
    let result = normal.ok().map(str::as_bytes);
    line(out, &normalize.record(input, normal), result)
}

fn compare(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    let reader = reader(values)?;
    let tolerance = tolerance(values, reader)?;
    let compare = Compare {
        reader,
        ignore: values.list(IGNORE.name)?,
        diff: values.flag(DIFF.name)?,
    };
    let pair = [values.required(A.name)?, values.required(B.name)?].map(Unparsed::from);
    let repairs = pair.map(|input| Some(Repairs::of(input, tolerance?, || None)));
    let [a, b] = pair;
    let comparison = compare.compare([with(a, repairs[0].as_ref()), with(b, repairs[1].as_ref())]);
    let plain = comparison.plain();
    line(
        out,
        &comparison.record(),
        plain.as_deref().map(str::as_bytes),
    )
}

fn audit_one(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    let input = Unparsed::from(values.required(URL.name)?);
    let failure = AUDITED.read(input).failure();
    let audit = input.text.map(audit);
    let record = Audited::new(input, failure.as_ref(), audit.as_ref());
    line_with_page(values, out, &record, || {
        let audit = audit.as_ref()?;
        Some(Layout::default().audit(audit, Severity::Medium, ""))
    })
}

fn same_site(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    let page = values.required(PAGE.name)?;
    let page = std::str::from_utf8(page).map_err(|_| Problem::parameter(PAGE.name, "not UTF-8"))?;
    let keep = values.parsed::<Keep>(SAME.name)?.unwrap_or_default();
    let site = Site::new(page.to_owned(), keep)
        .map_err(|error| Problem::parameter(PAGE.name, error.to_string()))?;
    let input = Unparsed::from(values.required(URL.name)?);
    let failure = AUDITED.read(input).failure();
    let audit = input.text.and_then(|text| site.audit(text));
    let record = site.record(input, failure.as_ref(), audit.as_ref());
    line_with_page(values, out, &record, || {
        let audit = audit.as_ref()?;
        Some(Layout::default().site_audit(audit, Severity::Medium))
    })
}

fn encode(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    convert(values, out, Direction::Encode)
}

fn decode(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    convert(values, out, Direction::Decode)
}

fn convert(values: &Values, out: &mut Vec<u8>, direction: Direction) -> Result<(), Problem> {
    let options = Options {
        direction,
        reader: reader(values)?,
        component: values.parsed(COMPONENT.name)?,
        charset: values.parsed(CHARSET.name)?.unwrap_or_default(),
        form: values.flag(FORM.name)?,
        partly: values.flag(PARTLY.name)?,
        is_lenient: values.flag(LONE_PERCENT.name)?,
        is_complete: values.flag(IRI.name)?,
        idna: values.flag(IDNA.name)?,
    };
    let conversion = options.check().map_err(|error| conflict(&error))?;
    let input = Unparsed::from(values.required(TEXT.name)?);
    let converted = conversion.convert(input.bytes);
    let converted = converted.as_deref();
    line(out, &conversion.record(input, converted), converted.ok())
}

fn schemes(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    if let Some(name) = values.text(NAME.name)? {
        let facts = find_facts(name)
            .ok_or_else(|| Problem::parameter(NAME.name, "not the name of a known scheme"))?;
        let mut text = String::new();
        page(&mut text, facts, usize::MAX);
        return line(
            out,
            &SchemeRecord::new(&facts),
            Some(unstyled(&text).as_bytes()),
        );
    }
    let known = sorted();
    let widths = Widths::new(&known, usize::MAX);
    for facts in &known {
        let mut text = String::new();
        widths.row(&mut text, facts);
        line(
            out,
            &SchemeRecord::new(facts),
            Some(unstyled(&text).as_bytes()),
        )?;
    }
    Ok(())
}
