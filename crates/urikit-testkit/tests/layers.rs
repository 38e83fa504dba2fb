//! The layers of each crate: in each folder, files and folders use one another in one direction
//! only, and those at the core's root in the order that ARCHITECTURE.md gives.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)] // a test fails by panicking
#![allow(clippy::similar_names)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use urikit_testkit::data::project_root;

/// The core's layers, the lowest first. Each may use those before it.
const CORE: [&str; 14] = [
    "bytes",
    "octet",
    "visible",
    "grammar",
    "layout",
    "standard",
    "error",
    "scan",
    "parse",
    "component",
    "reference",
    "percent",
    "scheme",
    "op",
];

/// What the modules of a crate use: (user, used) and a file that does.
fn uses(root: &Path) -> BTreeMap<(String, String), PathBuf> {
    let main = ["lib.rs", "main.rs"].map(|name| root.join(name));
    let main = main.iter().find(|path| path.exists()).unwrap();
    let exported = exported(&without_tests(&fs::read_to_string(main).unwrap()));
    let mut found = BTreeMap::new();
    for path in files(root) {
        let module = module(root, &path);
        let text = without_tests(&fs::read_to_string(&path).unwrap());
        let text = text.replace(&super_root(root, &path), "crate::");
        for name in names_after_crate(&text) {
            let used = exported.get(&name).cloned().unwrap_or(name);
            let is_module = root.join(&used).is_dir() || root.join(format!("{used}.rs")).exists();
            if is_module && used != module {
                found.insert((module.clone(), used), path.clone());
            }
        }
    }
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ext| ext == "rs") && name != "tests.rs" {
            found.push(path);
        }
    }
    found
}

/// The module at the crate's root that a file belongs to.
fn module(root: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(root).unwrap();
    let first = inner
        .components()
        .next()
        .unwrap()
        .as_os_str()
        .to_str()
        .unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// How a file writes the crate's root by `super`: `super::super::` in `a/b.rs`.
fn super_root(root: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(root).unwrap();
    let is_mod = path.file_stem().is_some_and(|stem| stem == "mod");
    "super::".repeat(inner.components().count() - usize::from(is_mod))
}

/// What the files and folders of `folder` use of one another by `super`. Its own file, `mod.rs`,
/// is not among them, since it exports what they contain.
fn uses_in_folder(folder: &Path) -> BTreeMap<(String, String), PathBuf> {
    let main = without_tests(&fs::read_to_string(folder.join("mod.rs")).unwrap());
    let exported = exported(&main);
    let mut found = BTreeMap::new();
    for path in files(folder) {
        let module = module(folder, &path);
        if module == "mod" {
            continue;
        }
        let text = without_tests(&fs::read_to_string(&path).unwrap());
        let own_folder = super_root(folder, &path);
        for name in names_after(&text, &own_folder) {
            let used = exported.get(&name).cloned().unwrap_or(name);
            let is_module =
                folder.join(&used).is_dir() || folder.join(format!("{used}.rs")).exists();
            if is_module && used != module {
                found.insert((module.clone(), used), path.clone());
            }
        }
    }
    found
}

/// All folders below `root` that are modules.
fn folders(root: &Path) -> Vec<PathBuf> {
    let files = files(root);
    let folders = files.iter().filter(|path| path.ends_with("mod.rs"));
    folders
        .map(|path| path.parent().unwrap().to_owned())
        .collect()
}

/// The text without comments and without its unit tests, which may use anything.
fn without_tests(text: &str) -> String {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that follow `crate::`, also in braces.
fn names_after_crate(text: &str) -> BTreeSet<String> {
    names_after(text, "crate::")
}

/// The names that follow `path`, which no longer path ends with, also in braces.
fn names_after(text: &str, path: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices(path) {
        let rest = &text[at + path.len()..];
        if text[..at].ends_with("::") || rest.starts_with("super::") {
            continue;
        }
        match rest.strip_prefix('{') {
            Some(inner) => names.extend(first_names(inner)),
            None => names.extend(identifier(rest)),
        }
    }
    names
}

/// The first name of each path in a list, up to its closing brace.
fn first_names(list: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let (mut depth, mut begins) = (0, true);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            c if c.is_whitespace() => {}
            _ if begins => {
                names.extend(identifier(&list[at..]));
                begins = false;
            }
            _ => {}
        }
    }
    names
}

fn identifier(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &text[..end.unwrap_or(text.len())];
    (!name.is_empty()).then(|| name.to_owned())
}

/// The names that the crate's root exports, with the module that each is from.
fn exported(main: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for statement in main.split(';') {
        let Some((_, path)) = statement.split_once("use ") else {
            continue;
        };
        let Some((module, rest)) = path.trim().split_once("::") else {
            continue;
        };
        let last = rest.rsplit("::").next().unwrap_or(rest);
        let names = match last.strip_prefix('{').or(rest.strip_prefix('{')) {
            Some(list) => first_names(list),
            None => identifier(last).into_iter().collect(),
        };
        found.extend(names.into_iter().map(|name| (name, module.to_owned())));
    }
    found
}

/// A cycle among the modules, if there is one.
fn cycle(uses: &BTreeMap<(String, String), PathBuf>) -> Option<Vec<String>> {
    fn visit(
        uses: &BTreeMap<(String, String), PathBuf>,
        path: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        let last = path.last().unwrap().clone();
        if let Some(at) = path[..path.len() - 1].iter().position(|name| *name == last) {
            return Some(path[at..].to_vec());
        }
        if done.contains(&last) {
            return None;
        }
        for (user, used) in uses.keys() {
            if *user == last {
                path.push(used.clone());
                if let Some(cycle) = visit(uses, path, done) {
                    return Some(cycle);
                }
                path.pop();
            }
        }
        done.insert(last);
        None
    }

    let mut done = BTreeSet::new();
    let modules: BTreeSet<_> = uses.keys().map(|(user, _)| user.clone()).collect();
    modules
        .into_iter()
        .find_map(|module| visit(uses, &mut vec![module], &mut done))
}

#[test]
fn the_core_has_its_layers_in_order() {
    let root = project_root().join("crates/urikit/src");
    let order = |module: &str| CORE.iter().position(|layer| *layer == module);
    let uses = uses(&root);
    assert!(uses.len() > 20, "{uses:?}");
    for ((user, used), path) in uses {
        if user == "lib" {
            continue;
        }
        let (Some(above), Some(below)) = (order(&user), order(&used)) else {
            panic!("{}: {user} or {used} is not a layer", path.display());
        };
        assert!(
            below < above,
            "{}: {user} uses {used}, a layer above it",
            path.display()
        );
    }
}

#[test]
fn no_crate_has_a_cycle_of_modules() {
    for name in [
        "urikit-mime",
        "urikit-schemes",
        "urikit-domains",
        "urikit-extract",
        "urikit-audit",
        "urikit-access",
        "urikit-historic",
        "urikit-columns",
        "urikit-cli",
    ] {
        let uses = uses(&project_root().join("crates").join(name).join("src"));
        let inner: BTreeMap<_, _> = uses
            .into_iter()
            .filter(|((user, used), _)| {
                !["lib", "main"]
                    .iter()
                    .any(|root| user == root || used == root)
            })
            .collect();
        // `urikit-keys` has folders that know nothing of one another.
        let least = if name == "urikit-domains" { 2 } else { 10 };
        assert!(inner.len() > least, "{name}: {inner:?}");
        if let Some(cycle) = cycle(&inner) {
            let files: Vec<_> = cycle
                .windows(2)
                .filter_map(|pair| inner.get(&(pair[0].clone(), pair[1].clone())))
                .collect();
            panic!("{name}: {}: {files:?}", cycle.join(" -> "));
        }
    }
}

#[test]
fn no_folder_has_a_cycle_of_files() {
    let (mut checked, mut cycles) = (0, Vec::new());
    for name in [
        "urikit",
        "urikit-mime",
        "urikit-schemes",
        "urikit-domains",
        "urikit-keys",
        "urikit-extract",
        "urikit-audit",
        "urikit-access",
        "urikit-historic",
        "urikit-columns",
        "urikit-cli",
    ] {
        for folder in folders(&project_root().join("crates").join(name).join("src")) {
            let uses = uses_in_folder(&folder);
            checked += uses.len();
            if let Some(cycle) = cycle(&uses) {
                cycles.push(format!("{}: {}", folder.display(), cycle.join(" -> ")));
            }
        }
    }
    assert!(checked > 100, "{checked}");
    assert!(cycles.is_empty(), "{}", cycles.join("\n"));
}

#[test]
fn a_cycle_is_found() {
    let uses = |pairs: &[(&str, &str)]| {
        let pairs = pairs
            .iter()
            .map(|(a, b)| (((*a).to_owned(), (*b).to_owned()), PathBuf::new()));
        pairs.collect::<BTreeMap<_, _>>()
    };
    assert_eq!(cycle(&uses(&[("a", "b"), ("a", "c"), ("b", "c")])), None);
    let found = cycle(&uses(&[("a", "b"), ("b", "c"), ("c", "b")])).unwrap();
    assert_eq!(found, ["b", "c", "b"]);
    let text = "use crate::{a::{b, c}, D};\nlet x = crate::e::f();";
    assert_eq!(
        names_after_crate(text),
        ["D", "a", "e"].map(str::to_owned).into()
    );
    let text = "use super::a::B;\nuse super::{c, d::E};\nsuper::super::f::g();";
    let names = ["a", "c", "d"].map(str::to_owned);
    assert_eq!(names_after(text, "super::"), names.into());
    assert_eq!(names_after(text, "super::super::"), ["f".to_owned()].into());
    let main = "mod a;\npub use a::{B, C};\npub use a::d::E;\npub use f::g::{H};";
    let exported = exported(main);
    assert_eq!(
        (&*exported["C"], &*exported["E"], &*exported["H"]),
        ("a", "a", "f")
    );
}
