//! Batches of records.

use super::cells::Cells;
use super::records::Records;
use std::io;

/// How many bytes and how many records make a batch.
const ENOUGH: usize = 64 << 10;
const MANY: usize = 8 << 10;

/// Makes batches of records with consecutive numbers.
pub(in crate::input) struct Filler {
    records: Box<dyn Records>,
    /// The longest value, in bytes.
    max: usize,
    /// A record that was read too early, with its number.
    held: Option<(u64, Cells)>,
    /// Why no more records follow.
    failed: Option<io::Error>,
}

impl Filler {
    pub(in crate::input) fn new(records: Box<dyn Records>, max: usize) -> Self {
        Self {
            records,
            max,
            held: None,
            failed: None,
        }
    }

    /// Fills `cells`, and returns the number of its first record; `None` after the last. It waits
    /// for one record only.
    ///
    /// # Errors
    ///
    /// If the next record cannot be read.
    pub(in crate::input) fn fill(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        cells.reserve(ENOUGH + ENOUGH / 16);
        let mut first = None;
        if let Some((number, held)) = self.held.take() {
            cells.append(&held);
            first = Some(number);
        }
        while cells.data.len() < ENOUGH && cells.len() < MANY {
            if first.is_some() && self.records.may_wait() {
                break;
            }
            match self.records.next(cells) {
                Ok(None) => break,
                Ok(Some(number)) => {
                    self.limit(cells);
                    let first = *first.get_or_insert(number);
                    let before = cells.len() as u64 - 1;
                    if number != first + before {
                        self.held = Some((number, cells.pop()));
                        break;
                    }
                }
                // The values before it come first.
                Err(error) if first.is_some() => {
                    self.failed = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(first)
    }

    /// Rejects the last value if it is too long.
    fn limit(&self, cells: &mut Cells) {
        let (last, before) = match cells.ends.as_slice() {
            [.., before, last] => (*last, *before),
            [last] => (*last, 0),
            [] => return,
        };
        if last - before > self.max {
            cells.pop();
            cells.push_too_long(self.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cells, Filler, Records};
    use std::io;

    /// Records with these numbers. 0 is an error, and odd ones have no value.
    struct Fixed(std::vec::IntoIter<u64>);

    impl Records for Fixed {
        fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
            let number = self.0.next();
            match number {
                Some(0) => return Err(io::Error::other("broken")),
                Some(number) if number % 2 == 1 => cells.push_broken("odd"),
                Some(number) => cells.push(number.to_string().as_bytes()),
                None => {}
            }
            Ok(number)
        }

        fn may_wait(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_batch_has_consecutive_numbers_and_precedes_an_error() {
        let records = Fixed(vec![4, 5, 6, 9, 100, 0].into_iter());
        let mut filler = Filler::new(Box::new(records), 2);
        let mut batch = || {
            let mut cells = Cells::default();
            let first = filler.fill(&mut cells)?;
            let text = String::from_utf8_lossy(&cells.data).into_owned();
            let broken: Vec<_> = cells.broken.iter().map(|(nth, _)| *nth).collect();
            io::Result::Ok((first, text, cells.ends, broken))
        };
        let long = "46".to_owned();
        assert_eq!(batch().unwrap(), (Some(4), long, vec![1, 1, 2], vec![1]));
        assert_eq!(batch().unwrap(), (Some(9), String::new(), vec![0], vec![0]));
        assert_eq!(
            batch().unwrap(),
            (Some(100), String::new(), vec![0], vec![0])
        );
        assert_eq!(batch().unwrap_err().to_string(), "broken");
        assert_eq!(batch().unwrap().0, None);
    }
}
