//! Office documents and e-books: the references that a reader sees, and their locations.

use crate::build::zip;
use std::fmt::Write as _;
use std::io::Cursor;
use std::ops::ControlFlow;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::Extractor;

/// Returns the references with their entries and locations: `ENTRY: LOCATION: TARGET`.
fn located(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (*name, text.as_bytes()))
        .collect();
    let archive = zip(&files);
    let mut found = Vec::new();
    Extractor::new().positions(true).unpack(
        Container::Zip,
        "x",
        Input::File(&mut Cursor::new(&archive)),
        Limits::default(),
        &mut |path, event| {
            let path = path.strip_prefix("x!/").unwrap_or(path);
            match event {
                Event::Reference(reference) => {
                    let place = reference.place();
                    let part = files.iter().find(|(name, _)| *name == path).unwrap().1;
                    let range = reference.range();
                    assert!(!range.is_empty() && part.get(range).is_some());
                    let mut location = Vec::new();
                    location.extend(place.slide().map(|it| format!("slide {it}")));
                    location.extend(place.sheet().map(str::to_owned));
                    location.extend(place.cell().map(str::to_owned));
                    location.extend(place.paragraph().map(|it| it.to_string()));
                    found.push(format!(
                        "{path}: {}: {}",
                        location.join(" "),
                        reference.uri()
                    ));
                }
                Event::Failed(problem) => found.push(format!("{path}: {problem}")),
                _ => {}
            }
            ControlFlow::Continue(())
        },
    );
    found
}

const TYPES: (&str, &str) = (
    "[Content_Types].xml",
    "<Types xmlns='http://no.example/types'><Default Extension='xml' ContentType='a/b'/></Types>",
);

/// Returns a part with these relationships: `ID TARGET`, outside the package if the target has a
/// colon.
fn relationships(list: &[&str]) -> String {
    let mut found = "<Relationships xmlns='http://no.example/r'>".to_owned();
    for one in list {
        let (id, target) = one.split_once(' ').unwrap();
        let mode = if target.contains(':') {
            " TargetMode='External'"
        } else {
            ""
        };
        write!(
            found,
            "<Relationship Id='{id}' Type='http://no.example/' Target='{target}'{mode}/>"
        )
        .unwrap();
    }
    found + "</Relationships>"
}

#[test]
fn documents_of_word() {
    let document = "<?xml version='1.0'?><w:document xmlns:w='http://no.example/w' \
        xmlns:r='http://no.example/r'><w:body>\
        <w:p><w:r><w:t>at http://a.exa</w:t></w:r><w:r><w:t>mple/?b&amp;c</w:t></w:r></w:p>\
        <w:p><w:hyperlink r:id='h1' w:anchor='top'><w:r><w:t>one</w:t></w:r></w:hyperlink></w:p>\
        <w:tbl><w:tr><w:tc><w:p><w:hyperlink r:id='h2'><w:r><w:t>two</w:t></w:r></w:hyperlink>\
        <w:hyperlink w:anchor='only'><w:r><w:t>three</w:t></w:r></w:hyperlink></w:p></w:tc></w:tr>\
        </w:tbl>\
        <w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText> HYPERLINK \
        &quot;http://a.example/</w:instrText></w:r><w:r><w:instrText>field&quot; \\o \
        &quot;tip&quot; </w:instrText></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r>\
        <w:r><w:t>http://a.example/text</w:t></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>\
        <w:p><w:fldSimple w:instr=' HYPERLINK \"http://a.example/simple\" '/>\
        <w:fldSimple w:instr=' PAGEREF http://no.example/ '/></w:p>\
        <w:p><w:del><w:r><w:delText>http://no.example/del</w:delText></w:r></w:del>\
        <mc:AlternateContent><mc:Choice Requires='wps'><w:p><w:r><w:t>http://a.example/box</w:t>\
        </w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>http://no.example/fallback</w:t></w:r>\
        </w:p></mc:Fallback></mc:AlternateContent>\
        <w:r><w:t>www</w:t><w:tab/><w:t>http://a.example/d</w:t><w:br/><w:t>e</w:t>\
        <w:noBreakHyphen/><w:t>f</w:t></w:r></w:p>\
        <w:p><w:drawing><a:graphicData uri='http://no.example/picture'><pic:blipFill>\
        <a:blip r:link='h3'/></pic:blipFill></a:graphicData></w:drawing></w:p>\
        </w:body></w:document>";
    let rels = relationships(&[
        "h1 http://b.example/?c&amp;d",
        "h2 mailto:jo@b.example",
        "h3 file:///picture.png",
        "h4 http://no.example/unused",
        "s styles.xml",
    ]);
    let found = located(&[
        TYPES,
        ("_rels/.rels", &relationships(&["r word/document.xml"])),
        (
            "docProps/app.xml",
            "<Properties xmlns='http://no.example/p'>http://no.example/</Properties>",
        ),
        ("word/document.xml", document),
        ("word/_rels/document.xml.rels", &rels),
        (
            "word/styles.xml",
            "<w:styles xmlns:w='http://no.example/w'><w:t>http://no.example/</w:t></w:styles>",
        ),
        (
            "word/header1.xml",
            "<w:hdr><w:p/><w:p><w:r><w:t>http://h.example/</w:t></w:r></w:p></w:hdr>",
        ),
        ("word/afchunk.html", "<a href='http://a.example/chunk'>"),
        ("customXml/item1.xml", "<x>http://no.example/</x>"),
    ]);
    let part = |rest: &str| format!("word/document.xml: {rest}");
    assert_eq!(
        found,
        [
            part("1: http://a.example/?b&c"),
            part("2: http://b.example/?c&d#top"),
            part("3: mailto:jo@b.example"),
            part("4: http://a.example/field"),
            part("4: http://a.example/text"),
            part("5: http://a.example/simple"),
            part("7: http://a.example/box"),
            part("6: http://a.example/d"),
            part("8: file:///picture.png"),
            "word/header1.xml: 2: http://h.example/".to_owned(),
            "word/afchunk.html: : http://a.example/chunk".to_owned(),
        ]
    );
}

#[test]
fn workbooks() {
    let workbook = "<workbook xmlns='http://no.example/x' xmlns:r='http://no.example/r'><sheets>\
        <sheet name='Prices &amp; more' sheetId='1' r:id='r1'/>\
        <sheet name='Other' sheetId='2' r:id='r2'/></sheets></workbook>";
    let strings = "<sst xmlns='http://no.example/x'><si><t>x</t></si>\
        <si><r><t>see http://a.</t></r><r><t>example/s</t></r><rPh><t>no</t></rPh></si>\
        <si/><si><t>http://no.example/unused</t></si><si><t>http://a.example/?t&amp;u</t></si></sst>";
    let first = "<worksheet xmlns='http://no.example/x'><sheetData><row>\
        <c r='A1' t='s'><v>1</v></c><c r='B1' t='s'><v>0</v></c><c r='C1'><v>1</v></c></row><row>\
        <c r='A2' t='inlineStr'><is><t>http://a.example/i</t></is></c>\
        <c r='B2' t='str'><f>HYPERLINK(&quot;http://a.example/f&quot;,&quot;x&quot;)</f><v>x</v></c>\
        <c r='C2' t='s'><v>4</v></c><c r='D2' t='s'><v>1</v></c><c r='E2' t='s'><v>9</v></c>\
        </row></sheetData><hyperlinks><hyperlink ref='A1:B2' r:id='h1'/>\
        <hyperlink ref='C1' location='Other!A1'/></hyperlinks>\
        <headerFooter><oddHeader>&amp;C http://a.example/head</oddHeader></headerFooter></worksheet>";
    let comments = "<comments xmlns='http://no.example/x'><commentList><comment ref='C3'><text><r>\
        <t>http://a.example/comment</t></r></text></comment></commentList></comments>";
    let found = located(&[
        TYPES,
        ("xl/worksheets/sheet1.xml", first),
        (
            "xl/worksheets/_rels/sheet1.xml.rels",
            &relationships(&["h1 http://b.example/", "c ../comments1.xml"]),
        ),
        ("xl/comments1.xml", comments),
        (
            "xl/worksheets/sheet2.xml",
            "<worksheet><sheetData><row><c r='A1' t='s'><v>1</v></c></row></sheetData></worksheet>",
        ),
        ("xl/workbook.xml", workbook),
        (
            "xl/_rels/workbook.xml.rels",
            &relationships(&["r1 worksheets/sheet1.xml", "r2 /xl/worksheets/sheet2.xml"]),
        ),
        ("xl/sharedStrings.xml", strings),
        (
            "xl/styles.xml",
            "<styleSheet>http://no.example/</styleSheet>",
        ),
    ]);
    let sheet = |rest: &str| format!("xl/worksheets/sheet1.xml: Prices & more {rest}");
    assert_eq!(
        found,
        [
            sheet("A1: http://a.example/s"),
            sheet("A2: http://a.example/i"),
            sheet("B2: http://a.example/f"),
            sheet("C2: http://a.example/?t&u"),
            sheet("D2: http://a.example/s"),
            sheet("A1:B2: http://b.example/"),
            "xl/worksheets/sheet1.xml: Prices & more: http://a.example/head".to_owned(),
            "xl/comments1.xml: Prices & more C3: http://a.example/comment".to_owned(),
            "xl/worksheets/sheet2.xml: Other A1: http://a.example/s".to_owned(),
        ]
    );
}

/// Slides are numbered in the order of the presentation, not by their file names.
#[test]
fn presentations() {
    let list = "<p:presentation xmlns:p='http://no.example/p'><p:sldIdLst>\
        <p:sldId id='256' r:id='r2'/><p:sldId id='257' r:id='r1'/></p:sldIdLst></p:presentation>";
    let slide = |text: &str| {
        format!(
            "<p:sld xmlns:p='http://no.example/p'><p:txBody><a:p><a:r><a:rPr>\
             <a:hlinkClick r:id='h1'/></a:rPr><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sld>"
        )
    };
    let found = located(&[
        TYPES,
        ("ppt/presentation.xml", list),
        (
            "ppt/_rels/presentation.xml.rels",
            &relationships(&["r1 slides/slide1.xml", "r2 slides/slide2.xml"]),
        ),
        ("ppt/slides/slide1.xml", &slide("http://a.example/1")),
        (
            "ppt/slides/_rels/slide1.xml.rels",
            &relationships(&["h1 http://b.example/"]),
        ),
        ("ppt/slides/slide2.xml", &slide("http://a.example/2")),
        (
            "ppt/slides/_rels/slide2.xml.rels",
            &relationships(&["n ../notesSlides/n.xml", "h1 slide1.xml"]),
        ),
        (
            "ppt/notesSlides/n.xml",
            "<p:notes><a:p><a:r><a:t>http://a.example/n</a:t></a:r></a:p></p:notes>",
        ),
        (
            "ppt/theme/theme1.xml",
            "<a:theme><a:t>http://no.example/</a:t></a:theme>",
        ),
    ]);
    assert_eq!(
        found,
        [
            "ppt/slides/slide1.xml: slide 2 1: http://b.example/",
            "ppt/slides/slide1.xml: slide 2 1: http://a.example/1",
            "ppt/slides/slide2.xml: slide 1 1: http://a.example/2",
            "ppt/notesSlides/n.xml: slide 1 1: http://a.example/n",
        ]
    );
}

/// In an e-book, the pages are read, but not the lists of files.
#[test]
fn books() {
    let page = "\n<a href='http://a.example/'>";
    let list = "<package><dc:source>http://no.example/</dc:source><item href='1.xhtml'/></package>";
    let found = located(&[
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            "<rootfile full-path='OEBPS/content.opf'/>",
        ),
        ("OEBPS/content.opf", list),
        ("OEBPS/toc.ncx", "<content src='1.xhtml'/>"),
        ("OEBPS/style.css", "@font-face { src: url(a.ttf) }"),
        ("OEBPS/1.xhtml", page),
        (
            "OEBPS/2.svg",
            "<svg><a xlink:href='http://b.example/'/></svg>",
        ),
    ]);
    assert_eq!(
        found,
        [
            "OEBPS/1.xhtml: : http://a.example/",
            "OEBPS/2.svg: : http://b.example/",
        ]
    );
}

#[test]
fn open_documents() {
    let manifest = (
        "META-INF/manifest.xml",
        "<manifest:manifest xmlns:manifest='http://no.example/'><x href='http://no.example/'/>\
         </manifest:manifest>",
    );
    let text = "<office:document-content xmlns:office='http://no.example/o'><office:body>\
        <office:text><text:tracked-changes><text:p>http://no.example/del</text:p>\
        </text:tracked-changes><text:h>http://a.<text:span>example/</text:span>h</text:h>\
        <text:p><text:a xlink:href='http://b.example/?c&amp;d'>x</text:a>\
        <text:a xlink:href='#place'>y</text:a><text:a xlink:href='../z.odt'>z</text:a></text:p>\
        <text:p>a<text:s text:c='2'/>http://a.example/b<text:tab/>c<text:note><text:note-body>\
        <text:p>http://a.example/note</text:p></text:note-body></text:note> http://a.example/e\
        </text:p><draw:image xlink:href='Pictures/1.png'/>\
        <draw:image xlink:href='http://a.example/1.png'/></office:text></office:body>\
        </office:document-content>";
    let styles = "<office:document-styles xmlns:style='http://no.example/s'><style:header><text:p>\
        http://a.example/header</text:p></style:header></office:document-styles>";
    let found = located(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", text),
        ("styles.xml", styles),
        ("meta.xml", "<x>http://no.example/</x>"),
        ("settings.xml", "<x>http://no.example/</x>"),
        ("manifest.rdf", "<x>http://no.example/</x>"),
        manifest,
    ]);
    assert_eq!(
        found,
        [
            "content.xml: 1: http://a.example/h",
            "content.xml: 2: http://b.example/?c&d",
            "content.xml: 2: ../z.odt",
            "content.xml: 3: http://a.example/b",
            "content.xml: 4: http://a.example/note",
            "content.xml: 3: http://a.example/e",
            "content.xml: : http://a.example/1.png",
            "styles.xml: 1: http://a.example/header",
        ]
    );

    let sheets = "<office:document-content><office:body><office:spreadsheet>\
        <table:table table:name='One'><table:table-row table:number-rows-repeated='3'/>\
        <table:table-row><table:table-cell table:number-columns-repeated='2'/>\
        <table:table-cell><text:p>http://a.example/c4</text:p></table:table-cell>\
        <table:covered-table-cell/><table:table-cell \
        table:formula='of:=HYPERLINK(&quot;http://a.example/f&quot;)'/></table:table-row>\
        </table:table><table:table table:name='Two'><table:table-row><table:table-cell><text:p>\
        <text:a xlink:href='http://b.example/'>x</text:a></text:p></table:table-cell>\
        </table:table-row></table:table></office:spreadsheet></office:body>\
        </office:document-content>";
    assert_eq!(
        located(&[("content.xml", sheets), manifest]),
        [
            "content.xml: One C4: http://a.example/c4",
            "content.xml: One E4: http://a.example/f",
            "content.xml: Two A1: http://b.example/",
        ]
    );

    let slides = "<office:document-content><office:body><office:presentation><draw:page/>\
        <draw:page><draw:a xlink:href='http://b.example/'/><text:p>http://a.example/</text:p>\
        </draw:page></office:presentation></office:body></office:document-content>";
    assert_eq!(
        located(&[("content.xml", slides), manifest]),
        [
            "content.xml: slide 2: http://b.example/",
            "content.xml: slide 2 1: http://a.example/",
        ]
    );
}

/// An archive that is not a document, although some of its names also occur in documents.
#[test]
fn other_archives() {
    let xml = "<?xml version='1.0'?><a href='http://a.example/'/>";
    for files in [
        [("[Content_Types].xml", xml), ("lib/docs.xml", xml)],
        [("content.xml", xml), ("styles.xml", xml)],
        [("META-INF/container.xml", xml), ("word.xml", xml)],
    ] {
        assert_eq!(located(&files).len(), 2);
    }
}

/// Damaged parts are reported, and the other parts are read.
#[test]
fn damaged_parts() {
    let long = relationships(&["x http://a.example/"]) + &" ".repeat(16 << 20);
    let found = located(&[
        (
            "word/document.xml",
            "<w:document><w:p><w:t>http://a.example/</w:t><",
        ),
        ("word/_rels/document.xml.rels", &long),
    ]);
    assert_eq!(
        found,
        [
            "word/_rels/document.xml.rels: \
             expected a document, or a block of Markdown, of at most 16777216 bytes, but found a \
             longer one",
            "word/document.xml: 1: http://a.example/",
        ]
    );
}
