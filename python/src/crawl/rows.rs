//! The Arrow rows. Each page has one row, which contains a list of the links on the page.

use arrow_array::builder::{Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{Array as _, ArrayRef, ListArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use std::sync::Arc;

/// The columns of a link, which are all strings.
const LINK: [&str; 9] = [
    "uri",
    "base",
    "target",
    "host",
    "domain",
    "element",
    "attribute",
    "rel",
    "field",
];

/// A link on a page.
pub(super) struct Link<'l> {
    pub(super) uri: &'l str,
    pub(super) base: Option<&'l str>,
    pub(super) target: &'l str,
    pub(super) host: Option<&'l str>,
    pub(super) domain: Option<&'l str>,
    pub(super) element: Option<&'l str>,
    pub(super) attribute: Option<&'l str>,
    pub(super) rel: Option<&'l str>,
    pub(super) field: Option<&'l str>,
}

/// The columns of a page that are strings.
const PAGE: [&str; 7] = [
    "file",
    "url",
    "page",
    "host",
    "domain",
    "media_type",
    "problem",
];

/// A page.
#[derive(Default)]
pub(super) struct Page<'p> {
    pub(super) file: &'p str,
    pub(super) url: Option<&'p str>,
    pub(super) normal: Option<&'p str>,
    pub(super) host: Option<&'p str>,
    pub(super) domain: Option<&'p str>,
    pub(super) media_type: Option<&'p str>,
    pub(super) problem: Option<&'p str>,
    pub(super) status: Option<i32>,
    pub(super) skipped: i64,
}

/// Collects rows.
pub(super) struct Rows {
    pages: [StringBuilder; PAGE.len()],
    status: Int32Builder,
    skipped: Int64Builder,
    links: [StringBuilder; LINK.len()],
    /// For each page, the total number of links up to the end of the page.
    ends: Vec<i32>,
    count: i32,
    bytes: usize,
}

impl Rows {
    pub(super) fn new() -> Self {
        Self {
            pages: std::array::from_fn(|_| StringBuilder::new()),
            status: Int32Builder::new(),
            skipped: Int64Builder::new(),
            links: std::array::from_fn(|_| StringBuilder::new()),
            ends: vec![0],
            count: 0,
            bytes: 0,
        }
    }

    /// Returns the approximate size of the rows, in bytes.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.len() <= 1
    }

    /// Adds a link of the page that [`Self::end_page`] will add.
    pub(super) fn push(&mut self, link: &Link<'_>) {
        let values = [
            Some(link.uri),
            link.base,
            Some(link.target),
            link.host,
            link.domain,
            link.element,
            link.attribute,
            link.rel,
            link.field,
        ];
        self.bytes += append(&mut self.links, values);
        self.count += 1;
    }

    /// Adds a page, with the links that were added since the preceding page.
    pub(super) fn end_page(&mut self, page: &Page<'_>) {
        let values = [
            Some(page.file),
            page.url,
            page.normal,
            page.host,
            page.domain,
            page.media_type,
            page.problem,
        ];
        self.bytes += append(&mut self.pages, values);
        self.status.append_option(page.status);
        self.skipped.append_value(page.skipped);
        self.ends.push(self.count);
    }

    /// Returns the rows collected so far, and removes them.
    pub(super) fn take(&mut self) -> Result<ArrayRef, ArrowError> {
        let mut rows = std::mem::replace(self, Self::new());
        let field = |name: &str| Field::new(name, DataType::Utf8, true);
        let links = StructArray::try_new(
            LINK.iter().map(|name| field(name)).collect(),
            rows.links.iter_mut().map(finish).collect(),
            None,
        )?;
        let item = Arc::new(Field::new("element", links.data_type().clone(), true));
        let ends = OffsetBuffer::new(rows.ends.into());
        let links = ListArray::try_new(item, ends, Arc::new(links), None)?;

        let mut fields: Vec<Field> = PAGE.iter().map(|name| field(name)).collect();
        let mut columns: Vec<ArrayRef> = rows.pages.iter_mut().map(finish).collect();
        fields.push(Field::new("status", DataType::Int32, true));
        columns.push(Arc::new(rows.status.finish()));
        fields.push(Field::new("skipped", DataType::Int64, true));
        columns.push(Arc::new(rows.skipped.finish()));
        fields.push(Field::new("links", links.data_type().clone(), true));
        columns.push(Arc::new(links));
        let pages = StructArray::try_new(Fields::from(fields), columns, None)?;
        Ok(Arc::new(pages))
    }
}

/// The number of bytes that the offset and the validity of each value occupy.
const OVERHEAD: usize = 5;

/// Appends a value to each builder. Returns their size.
fn append<const N: usize>(builders: &mut [StringBuilder; N], values: [Option<&str>; N]) -> usize {
    let mut bytes = N * OVERHEAD;
    for (builder, value) in builders.iter_mut().zip(values) {
        bytes += value.map_or(0, str::len);
        builder.append_option(value);
    }
    bytes
}

fn finish(builder: &mut StringBuilder) -> ArrayRef {
    Arc::new(builder.finish())
}
