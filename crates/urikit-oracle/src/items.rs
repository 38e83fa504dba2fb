//! The items that are still to be matched, stored as lists that share their tails.
//!
//! An item is a list of elements to match, one after another. Lists are interned, so an item is a
//! number, and a right-recursive rule (`xalphas = xalpha [ xalphas ]`) returns to its initial list
//! instead of producing ever longer lists. This technique is Antimirov's partial derivative,
//! applied to the elements of the grammar.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::compile::{Op, Program};
use super::node::Name;

/// The number of a list; [`DONE`] is the number of the empty list.
pub(crate) type Item = u32;

/// Nothing remains to be matched.
pub(crate) const DONE: Item = 0;

/// The first element of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Head {
    Done,
    Op(usize),
    /// The number of remaining repetitions.
    Loop {
        of: usize,
        min: u32,
        max: Option<u32>,
    },
    /// The strings that an inner list matches, except those that the list of names matches.
    /// Characters that have already been read are no longer part of either list.
    Except {
        inner: Item,
        names: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Cell {
    head: Head,
    tail: Item,
}

/// The lists that have occurred so far.
#[derive(Debug)]
pub(crate) struct Items {
    pub program: Program,
    cells: Vec<Cell>,
    cell_numbers: HashMap<Cell, Item>,
    names: Vec<Vec<Name>>,
    name_numbers: HashMap<Vec<Name>, usize>,
    /// The cached results of [`begins`](Items::begins).
    begins: HashMap<Item, Rc<[Item]>>,
}

impl Items {
    pub(crate) fn new(program: Program) -> Self {
        let mut items = Self {
            program,
            cells: Vec::new(),
            cell_numbers: HashMap::new(),
            names: Vec::new(),
            name_numbers: HashMap::new(),
            begins: HashMap::new(),
        };
        let done = items.list(Head::Done, DONE);
        debug_assert_eq!(done, DONE);
        items
    }

    /// Returns the initial items of a rule, or no items if the rule matches nothing.
    pub(crate) fn start(&mut self, rule: usize) -> Vec<Item> {
        let Some(body) = self.program.bodies[rule] else {
            return Vec::new();
        };
        let list = self.list(Head::Op(body), DONE);
        self.begins(list).to_vec()
    }

    /// Returns the items that remain after matching `c`, sorted.
    pub(crate) fn step(&mut self, items: &[Item], c: char) -> Vec<Item> {
        let nexts: BTreeSet<Item> = items
            .iter()
            .filter_map(|item| self.after(*item, c))
            .collect();
        let mut found = BTreeSet::new();
        for next in nexts {
            found.extend(self.begins(next).iter());
        }
        found.into_iter().collect()
    }

    /// Returns all lists that can be reached from a list without consuming a character. Each
    /// returned list begins with a character, or is [`DONE`].
    fn begins(&mut self, list: Item) -> Rc<[Item]> {
        if let Some(known) = self.begins.get(&list) {
            return Rc::clone(known);
        }
        let mut found = BTreeSet::new();
        self.expand(list, &mut found);
        let found: Rc<[Item]> = found.into_iter().collect();
        self.begins.insert(list, Rc::clone(&found));
        found
    }

    fn list(&mut self, head: Head, tail: Item) -> Item {
        let cell = Cell { head, tail };
        *self.cell_numbers.entry(cell).or_insert_with(|| {
            self.cells.push(cell);
            (self.cells.len() - 1) as Item
        })
    }

    fn name_list(&mut self, names: Vec<Name>) -> usize {
        *self.name_numbers.entry(names).or_insert_with_key(|names| {
            self.names.push(names.clone());
            self.names.len() - 1
        })
    }

    /// Expands a list until it begins with a character or is [`DONE`].
    fn expand(&mut self, list: Item, found: &mut BTreeSet<Item>) {
        let mut seen = HashSet::new();
        let mut open = vec![list];
        while let Some(list) = open.pop() {
            if !seen.insert(list) {
                continue;
            }
            let Cell { head, tail } = self.cells[list as usize];
            match head {
                Head::Done => {
                    found.insert(DONE);
                }
                Head::Op(op) => self.expand_op(op, list, tail, &mut open, found),
                Head::Loop { of, min, max } => {
                    if min == 0 {
                        open.push(tail);
                    }
                    if max != Some(0) {
                        let (min, max) = (min.saturating_sub(1), max.map(|max| max - 1));
                        // After the last repetition, the tail follows directly, so recursion in
                        // this position does not lengthen the list.
                        let rest = if max == Some(0) {
                            tail
                        } else {
                            self.list(Head::Loop { of, min, max }, tail)
                        };
                        open.push(self.list(Head::Op(of), rest));
                    }
                }
                Head::Except { inner, names } => {
                    for inner in self.begins(inner).iter().copied() {
                        if inner != DONE {
                            found.insert(self.list(Head::Except { inner, names }, tail));
                        } else if !self.names[names].iter().any(|name| name.text.is_empty()) {
                            open.push(tail);
                        }
                    }
                }
            }
        }
    }

    fn expand_op(
        &mut self,
        op: usize,
        list: Item,
        tail: Item,
        open: &mut Vec<Item>,
        found: &mut BTreeSet<Item>,
    ) {
        match &self.program.ops[op] {
            Op::Set(_) => {
                found.insert(list);
            }
            Op::Sequence(ops) => {
                let mut rest = tail;
                for op in ops.clone().into_iter().rev() {
                    rest = self.list(Head::Op(op), rest);
                }
                open.push(rest);
            }
            Op::Choice(ops) => {
                for op in ops.clone() {
                    open.push(self.list(Head::Op(op), tail));
                }
            }
            Op::Repeat { of, min, max } => {
                let head = Head::Loop {
                    of: *of,
                    min: *min,
                    max: *max,
                };
                open.push(self.list(head, tail));
            }
            Op::Rule(rule) => {
                if let Some(body) = self.program.bodies[*rule] {
                    open.push(self.list(Head::Op(body), tail));
                }
            }
            Op::Except { rule, names } => {
                let names = names.clone();
                if let Some(body) = self.program.bodies[*rule] {
                    let inner = self.list(Head::Op(body), DONE);
                    open.extend(self.except(inner, names, tail));
                }
            }
        }
    }

    /// Returns the rest of a list after its first character, if that character can be `c`.
    fn after(&mut self, item: Item, c: char) -> Option<Item> {
        let Cell { head, tail } = self.cells[item as usize];
        match head {
            Head::Op(op) => match &self.program.ops[op] {
                Op::Set(ranges) => ranges
                    .iter()
                    .any(|range| (range.0..=range.1).contains(&u32::from(c)))
                    .then_some(tail),
                _ => None,
            },
            Head::Except { inner, names } => {
                let inner = self.after(inner, c)?;
                let names = without_first(&self.names[names], c);
                self.except(inner, names, tail)
            }
            Head::Done | Head::Loop { .. } => None,
        }
    }

    /// Makes a list that matches `inner` except for the names, followed by the tail. Returns a list
    /// without exceptions once no name can match, and `None` if only excluded names can still
    /// match.
    fn except(&mut self, inner: Item, names: Vec<Name>, tail: Item) -> Option<Item> {
        if names.is_empty() {
            return Some(self.concatenate(inner, tail));
        }
        if !self.has_more_than(inner, &names) {
            return None;
        }
        let names = self.name_list(names);
        Some(self.list(Head::Except { inner, names }, tail))
    }

    fn concatenate(&mut self, first: Item, then: Item) -> Item {
        let Cell { head, tail } = self.cells[first as usize];
        match head {
            Head::Done => then,
            head => {
                let rest = self.concatenate(tail, then);
                self.list(head, rest)
            }
        }
    }

    /// Returns true if the list matches a string other than the names.
    fn has_more_than(&mut self, list: Item, names: &[Name]) -> bool {
        if names.is_empty() {
            return true;
        }
        let begins = self.begins(list);
        if begins.contains(&DONE) && !names.iter().any(|name| name.text.is_empty()) {
            return true;
        }
        let examples: Vec<char> = self.program.alphabet.examples().collect();
        examples.into_iter().any(|c| {
            let rest = without_first(names, c);
            begins.iter().any(|item| {
                self.after(*item, c)
                    .is_some_and(|next| self.has_more_than(next, &rest))
            })
        })
    }
}

/// Returns the names that begin with `c`, without this first character.
fn without_first(names: &[Name], c: char) -> Vec<Name> {
    let same =
        |first: char, any_case: bool| first == c || (any_case && first.eq_ignore_ascii_case(&c));
    let rest = |name: &Name| {
        let mut chars = name.text.chars();
        let first = chars.next()?;
        same(first, name.any_case).then(|| Name {
            text: chars.as_str().to_owned(),
            any_case: name.any_case,
        })
    };
    names.iter().filter_map(rest).collect()
}
