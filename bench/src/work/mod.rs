//! The kinds of work for which implementations are compared.

mod columns;
mod extract;
mod keys;
mod operations;
mod parse;

use crate::data::{Data, List, Texts};
use crate::rounds::{Contestant, Group};

pub fn groups(data: &Data) -> Vec<Group> {
    let mut groups = Vec::new();
    add(&mut groups, "parse", &data.urls, parse::urls);
    add(&mut groups, "parse-short", &data.short, parse::urls);
    add(&mut groups, "parse", &data.authorities, parse::urls);
    for list in data
        .authorities
        .iter()
        .filter(|list| list.name == "long-queries")
    {
        add(&mut groups, "pairs", [list], parse::pairs);
    }
    let logs = data.urls.iter().chain(&data.authorities);
    for list in logs.filter(|list| ["generated", "web", "long-queries"].contains(&list.name)) {
        add(&mut groups, "log-uris", [list], parse::uris);
        add(&mut groups, "log", [list], parse::counted);
    }
    for (list, _) in &data.relative {
        add(&mut groups, "parse-relative", [list], parse::references);
    }
    add(&mut groups, "standards", &data.common, parse::standards);
    add(&mut groups, "components", &data.urls, parse::components);
    for (list, base) in &data.relative {
        let contestants = operations::resolve(list.texts, base);
        groups.push(group("resolve", list, contestants));
        let contestants = operations::parse_and_resolve(list.texts, base);
        groups.push(group("parse-and-resolve", list, contestants));
    }
    add(&mut groups, "normalize", &data.urls, operations::normalize);
    let web = data.urls.iter().filter(|list| list.name == "web");
    groups.extend(web.map(keys::group));
    add(&mut groups, "audit", &data.urls, operations::audit);
    add(&mut groups, "column-host", &data.urls, columns::host);
    add(&mut groups, "column", &data.urls, columns::others);
    add(&mut groups, "decode", &data.encoded, parse::decoding);
    for list in &data.texts {
        match list.name {
            "text_html" => add(&mut groups, "html", [list], extract::html),
            "mail" => add(&mut groups, "mail", [list], extract::mail),
            "text_md" => add(&mut groups, "markdown", [list], extract::markdown),
            _ => {}
        }
    }
    add(&mut groups, "extract", &data.texts, extract::links);
    groups
}

/// Adds a group for each list.
fn add<'a>(
    groups: &mut Vec<Group>,
    work: &'static str,
    lists: impl IntoIterator<Item = &'a List>,
    contestants: fn(Texts) -> Vec<Contestant>,
) {
    groups.extend(
        lists
            .into_iter()
            .map(|list| group(work, list, contestants(list.texts))),
    );
}

fn group(work: &'static str, list: &List, contestants: Vec<Contestant>) -> Group {
    Group {
        work,
        data: list.name,
        texts: list.texts.len(),
        bytes: list.texts.iter().map(|text| text.len()).sum(),
        contestants,
    }
}

/// Creates a contestant that calls `work` for each string. The closure returns whether the string
/// was accepted.
fn each(
    name: &'static str,
    texts: Texts,
    mut work: impl FnMut(&'static str) -> bool + 'static,
) -> Contestant {
    let run = move || {
        texts
            .iter()
            .filter(|text| work(std::hint::black_box(*text)))
            .count()
    };
    Contestant {
        name,
        run: Box::new(run),
    }
}
