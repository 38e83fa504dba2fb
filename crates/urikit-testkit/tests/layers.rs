//! Checks the structure of each crate. Dependencies between folders never form a cycle, but those
//! between files in one folder may. The modules at the core's root follow the order in
//! ARCHITECTURE.md.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)] // a test fails by panicking
#![allow(clippy::similar_names)]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use urikit_testkit::data::project_root;

/// The core's layers, from the lowest to the highest. Each layer may use those before it.
const CORE: [&str; 14] = [
    "bytes",
    "octet",
    "visible",
    "unknown",
    "standard",
    "grammar",
    "layout",
    "error",
    "parse",
    "component",
    "reference",
    "percent",
    "scheme",
    "op",
];

/// Pairs of modules, the first of which uses the second, each with a file that contains the use.
type Uses = BTreeMap<(String, String), PathBuf>;

/// Returns the dependencies among the modules at a crate's root.
fn uses(root: &Path) -> Uses {
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

/// Returns the module at the crate's root that contains the file.
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

/// Returns the prefix of `super`s that refers to the crate's root: `super::super::` in `a/b.rs`.
fn super_root(root: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(root).unwrap();
    let is_mod = path.file_stem().is_some_and(|stem| stem == "mod");
    "super::".repeat(inner.components().count() - usize::from(is_mod))
}

/// Returns the dependencies among the files and folders of `folder`, which they express with
/// `super`. Leaves out `mod.rs`, which exports their contents.
fn uses_in_folder(folder: &Path) -> Uses {
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

/// Returns the folders below `root` that are modules.
fn folders(root: &Path) -> Vec<PathBuf> {
    let files = files(root);
    let folders = files.iter().filter(|path| path.ends_with("mod.rs"));
    folders
        .map(|path| path.parent().unwrap().to_owned())
        .collect()
}

/// Returns the text without comments and unit tests, because tests may use any module.
fn without_tests(text: &str) -> String {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the names that follow `crate::`, including those in braces.
fn names_after_crate(text: &str) -> BTreeSet<String> {
    names_after(text, "crate::")
}

/// Returns the names that follow `path`, including those in braces. Ignores `path` at the end of a
/// longer path.
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

/// Returns the first name of each path in a list, up to the list's closing brace.
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

/// Returns the names that the crate's root exports, each with its module.
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

/// Returns the shortest cycle through one of the `folders`. Cycles among files are allowed.
fn cycle(uses: &Uses, folders: &BTreeSet<String>) -> Option<Vec<String>> {
    folders.iter().find_map(|folder| {
        let mut paths = VecDeque::from([vec![folder.clone()]]);
        let mut seen = BTreeSet::new();
        while let Some(path) = paths.pop_front() {
            for (user, used) in uses.keys() {
                if Some(user) != path.last() {
                    continue;
                }
                let longer = [&path[..], std::slice::from_ref(used)].concat();
                if used == folder {
                    return Some(longer);
                }
                if seen.insert(used.clone()) {
                    paths.push_back(longer);
                }
            }
        }
        None
    })
}

/// Returns the modules of `parent` that are folders.
fn subfolders(parent: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(parent)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let folders = entries.filter(|path| path.is_dir());
    folders
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect()
}

/// Returns the published crates, except for those that consist of a few files.
fn crates() -> Vec<PathBuf> {
    let all = fs::read_dir(project_root().join("crates")).unwrap();
    let sources = all.map(|entry| entry.unwrap().path().join("src"));
    sources
        .filter(|source| source.is_dir() && !subfolders(source).is_empty())
        .collect()
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
fn no_crate_has_a_cycle_of_folders() {
    let mut checked = 0;
    for root in crates() {
        let mut uses = uses(&root);
        let is_root = |module: &String| module == "lib" || module == "main";
        uses.retain(|(user, used), _| !is_root(user) && !is_root(used));
        checked += uses.len();
        if let Some(cycle) = cycle(&uses, &subfolders(&root)) {
            let files: Vec<_> = cycle
                .windows(2)
                .filter_map(|pair| uses.get(&(pair[0].clone(), pair[1].clone())))
                .collect();
            panic!("{}: {}: {files:?}", root.display(), cycle.join(" -> "));
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn no_folder_has_a_cycle_of_folders() {
    let (mut checked, mut cycles) = (0, Vec::new());
    for folder in crates().iter().flat_map(|root| folders(root)) {
        let uses = uses_in_folder(&folder);
        checked += uses.len();
        if let Some(cycle) = cycle(&uses, &subfolders(&folder)) {
            cycles.push(format!("{}: {}", folder.display(), cycle.join(" -> ")));
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
        pairs.collect::<Uses>()
    };
    let folders = ["b".to_owned()].into();
    assert_eq!(
        cycle(&uses(&[("a", "b"), ("a", "c"), ("b", "c")]), &folders),
        None
    );
    let found = cycle(&uses(&[("a", "b"), ("b", "c"), ("c", "b")]), &folders);
    assert_eq!(found.unwrap(), ["b", "c", "b"]);
    // Files of one folder may use each other.
    assert_eq!(cycle(&uses(&[("a", "c"), ("c", "a")]), &folders), None);
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
