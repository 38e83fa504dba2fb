//! The work that is compared.

mod audit;
mod columns;
mod components;
mod decode;
mod documents;
mod extract;
mod log;
mod normalize;
mod pairs;
mod parse;
mod resolve;

use crate::data::{Data, List, Texts};
use crate::rounds::{Contestant, Group};

pub fn groups(data: &Data) -> Vec<Group> {
    let mut groups = Vec::new();
    groups.extend(
        data.urls
            .iter()
            .map(|list| group("parse", list, parse::all(list.texts))),
    );
    groups.extend(
        data.short
            .iter()
            .map(|list| group("parse-short", list, parse::all(list.texts))),
    );
    groups.extend(
        data.authorities
            .iter()
            .map(|list| group("parse", list, parse::all(list.texts))),
    );
    groups.extend(
        data.authorities
            .iter()
            .filter(|list| list.name == "long-queries")
            .map(|list| group("pairs", list, pairs::all(list.texts))),
    );
    let logs = data.urls.iter().chain(&data.authorities);
    for list in logs.filter(|list| ["generated", "web", "long-queries"].contains(&list.name)) {
        groups.push(group("log-uris", list, log::uris(list.texts)));
        groups.push(group("log", list, log::counted(list.texts)));
    }
    let relative = data.relative.iter().map(|(list, _)| list);
    groups
        .extend(relative.map(|list| group("parse-relative", list, parse::references(list.texts))));
    groups.extend(
        data.common
            .iter()
            .map(|list| group("standards", list, parse::standards(list.texts))),
    );
    groups.extend(
        data.urls
            .iter()
            .map(|list| group("components", list, components::all(list.texts))),
    );
    for (list, base) in &data.relative {
        groups.push(group("resolve", list, resolve::parsed(list.texts, base)));
        groups.push(group(
            "parse-and-resolve",
            list,
            resolve::texts(list.texts, base),
        ));
    }
    groups.extend(
        data.urls
            .iter()
            .map(|list| group("normalize", list, normalize::all(list.texts))),
    );
    groups.extend(
        data.urls
            .iter()
            .map(|list| group("audit", list, audit::all(list.texts))),
    );
    groups.extend(
        data.urls
            .iter()
            .map(|list| group("column-host", list, columns::host(list.texts))),
    );
    groups.extend(
        data.urls
            .iter()
            .map(|list| group("column", list, columns::others(list.texts))),
    );
    groups.extend(
        data.encoded
            .iter()
            .map(|list| group("decode", list, decode::all(list.texts))),
    );
    for list in &data.texts {
        match list.name {
            "text_html" => groups.push(group("html", list, documents::html(list.texts))),
            "mail" => groups.push(group("mail", list, documents::mail(list.texts))),
            "text_md" => groups.push(group("markdown", list, documents::markdown(list.texts))),
            _ => {}
        }
    }
    groups.extend(
        data.texts
            .iter()
            .map(|list| group("extract", list, extract::all(list.texts))),
    );
    groups
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

/// Creates a contestant that does `work` for each string. It returns whether the string was
/// accepted.
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
