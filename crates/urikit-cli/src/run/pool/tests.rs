//! The order of results, limits, errors and panics.

use super::{Again, Limits, Sink, Turn, ahead, ordered, scheduled};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const fn limits(threads: usize, results: usize) -> Limits {
    Limits {
        threads,
        tasks: 16,
        results,
        gathering: Duration::from_millis(1),
    }
}

/// Runs each task once. The hosts of the tasks are unknown.
fn in_turn<T: Send + 'static>(
    tasks: impl Iterator<Item = u64> + Send + 'static,
    limits: Limits,
    work: impl Fn(u64, &Sink<T>) + Send + Sync + 'static,
    take: impl Fn(Turn<T>) -> io::Result<()> + Send + Sync + 'static,
) -> io::Result<()> {
    let once = move |task: &mut u64, sink: &Sink<T>| {
        work(*task, sink);
        None
    };
    scheduled(tasks, |_| String::new(), limits, once, take)
}

/// While a host must wait, its tasks occupy no worker, and the results keep their order.
#[test]
fn a_task_is_repeated_later() {
    let (log, taken) = (Arc::new(Mutex::new(Vec::new())), Arc::default());
    let (to, results) = (Arc::clone(&log), Arc::clone(&taken));
    let is_repeated = AtomicBool::new(false);
    let work = move |task: &mut u64, sink: &Sink<u64>| {
        to.lock().unwrap().push(*task);
        if *task == 0 && !is_repeated.swap(true, Ordering::SeqCst) {
            let delay = Duration::from_millis(100);
            let pauses = Some("0".to_owned());
            return Some(Again { delay, pauses });
        }
        sink.put(*task);
        None
    };
    let take = move |turn| {
        let results: &Mutex<Vec<u64>> = &results;
        results.lock().unwrap().extend(result(turn));
        Ok(())
    };
    let host = |task: &u64| (task % 4).to_string();
    let limits = Limits {
        threads: 2,
        tasks: 64,
        results: 64,
        gathering: Duration::ZERO,
    };
    scheduled(0..40, host, limits, work, take).unwrap();
    assert_eq!(*taken.lock().unwrap(), (0..40).collect::<Vec<_>>());
    // The other worker may begin another task of the host at the same time as the first one.
    let log = log.lock().unwrap();
    assert_eq!(log.len(), 41);
    let repeated = log.iter().rposition(|task| *task == 0).unwrap();
    assert!(log[repeated..].iter().all(|task| task % 4 == 0), "{log:?}");
}

#[test]
#[should_panic(expected = "the third task")]
fn a_panic_of_a_worker_is_passed_on() {
    let work = |task, sink: &Sink<u64>| {
        assert!(task != 3, "the third task");
        sink.put(task);
    };
    let _ = in_turn(0..10, limits(4, 1), work, |_| Ok(()));
}

#[test]
#[should_panic(expected = "the third is not found")]
fn a_panic_while_reading_is_passed_on() {
    let tasks = (0..10).inspect(|task| assert!(*task != 3, "the third is not found"));
    let work = |task, sink: &Sink<u64>| {
        sink.put(task);
    };
    let _ = in_turn(tasks, limits(4, 1), work, |_| Ok(()));
}

#[test]
fn results_keep_the_order_of_the_tasks() {
    // Early tasks are slow, and have more results than the queue holds.
    let work = |task, sink: &Sink<u64>| {
        std::thread::sleep(Duration::from_millis(4 - task % 4));
        for part in 0..40 {
            sink.put(task * 100 + part);
        }
    };
    for threads in [1, 2, 4, 40] {
        for by_workers in [false, true] {
            let taken = Arc::new(Mutex::new((Vec::new(), false)));
            let to = Arc::clone(&taken);
            let take = move |turn| {
                let (results, is_flushed) = &mut *to.lock().unwrap();
                *is_flushed = matches!(turn, Turn::Waiting);
                results.extend(result(turn));
                Ok(())
            };
            let (tasks, limits) = (ahead(0..40_u64, 3), limits(threads, 16));
            if by_workers {
                in_turn(tasks, limits, work, take).unwrap();
            } else {
                ordered(tasks, limits, work, take).unwrap();
            }
            let (results, is_flushed) = &*taken.lock().unwrap();
            assert_eq!(results.len(), 1600);
            assert!(results.is_sorted());
            assert!(is_flushed);
        }
    }
}

fn result<T>(turn: Turn<T>) -> Option<T> {
    match turn {
        Turn::Result(result) => Some(result),
        Turn::Waiting => None,
    }
}

#[test]
fn tasks_are_not_far_ahead_of_the_one_whose_turn_it_is() {
    let begun = Arc::new(Mutex::new(0_u64));
    let (count, most) = (Arc::clone(&begun), Arc::new(Mutex::new(0)));
    let tasks = (0..100_u64).inspect(move |nth| *count.lock().unwrap() = *nth);
    let work = |task, sink: &Sink<u64>| {
        if task % 20 == 0 {
            std::thread::sleep(Duration::from_millis(20));
        }
        sink.put(task);
    };
    let furthest = Arc::clone(&most);
    let take = move |turn| {
        if let Some(task) = result(turn) {
            let ahead: u64 = *begun.lock().unwrap() - task;
            let mut furthest = furthest.lock().unwrap();
            *furthest = ahead.max(*furthest);
        }
        Ok(())
    };
    ordered(tasks, limits(2, 1), work, take).unwrap();
    let most = *most.lock().unwrap();
    assert!((2..=17).contains(&most), "{most}");
}

#[test]
fn work_stops_when_the_output_is_closed() {
    let work = |_, sink: &Sink<()>| {
        sink.put(());
    };
    let closed = |_| Err(std::io::ErrorKind::BrokenPipe.into());
    assert!(ordered(0..u64::MAX, limits(2, 1), work, closed).is_err());
    assert!(in_turn(0..u64::MAX, limits(2, 1), work, closed).is_err());
}

#[test]
#[should_panic(expected = "the third task")]
fn a_panic_is_passed_on() {
    let work = |task, sink: &Sink<i32>| {
        assert!(task != 3, "the third task");
        sink.put(task);
    };
    let _ = ordered(0..10, limits(2, 1), work, |_| Ok(()));
}

#[test]
#[should_panic(expected = "the third is not found")]
fn a_panic_while_reading_ahead_is_passed_on() {
    let tasks = (0..10).inspect(|task| assert!(*task != 3, "the third is not found"));
    let work = |task, sink: &Sink<i32>| {
        sink.put(task);
    };
    let _ = ordered(ahead(tasks, 1), limits(2, 1), work, |_| Ok(()));
}

/// Workers that were waiting at the time of the error end, and so do those that check for it later.
#[test]
fn no_worker_outlives_an_error() {
    for by_workers in [false, true] {
        let alive = Arc::new(());
        let token = Arc::clone(&alive);
        let work = move |task, sink: &Sink<u64>| {
            let _ = &token;
            for part in 0..10 {
                sink.put(task * 100 + part);
            }
        };
        let take = |turn| match result(turn) {
            Some(5..) => Err(std::io::ErrorKind::BrokenPipe.into()),
            _ => Ok(()),
        };
        let outcome = if by_workers {
            in_turn(0..u64::MAX, limits(4, 2), work, take)
        } else {
            ordered(0..u64::MAX, limits(4, 2), work, take)
        };
        assert!(outcome.is_err());
        let is_alone = |_: &u32| {
            std::thread::sleep(Duration::from_millis(1));
            Arc::strong_count(&alive) == 1
        };
        assert!((0..10_000).find(is_alone).is_some(), "{by_workers}");
    }
}

#[test]
fn a_panic_while_writing_ends_the_work() {
    let work = |task, sink: &Sink<u64>| {
        sink.put(task);
    };
    let take = |turn| {
        assert!(result(turn) != Some(3), "the third result");
        Ok(())
    };
    assert!(in_turn(0..u64::MAX, limits(2, 1), work, take).is_err());
}

/// The current task may exceed the limit.
#[test]
fn the_results_of_others_do_not_block_the_task_whose_turn_it_is() {
    let work = |task, sink: &Sink<u64>| {
        if task == 0 {
            std::thread::sleep(Duration::from_millis(20));
        }
        for part in 0..10 {
            sink.put(task * 100 + part);
        }
    };
    let mut count = 0;
    let take = |turn| {
        count += u64::from(result(turn).is_some());
        Ok(())
    };
    ordered(0..20_u64, limits(4, 3), work, take).unwrap();
    assert_eq!(count, 200);
}

/// Neither thread waits forever if the other one is slow or stops early.
#[test]
fn found_tasks_are_taken_in_order() {
    for most in [1, 2, 3, 16] {
        for pause in [0, 7] {
            let slow = move |nth: u64, every| {
                if pause > 0 && nth.is_multiple_of(every) {
                    thread::sleep(Duration::from_micros(300));
                }
                nth
            };
            let tasks = (0..500).map(move |nth| slow(nth, pause));
            let taken = ahead(tasks, most).map(|nth| slow(nth, 5));
            assert_eq!(taken.collect::<Vec<_>>(), (0..500).collect::<Vec<_>>());
        }
        assert_eq!(ahead(0.., most).take(100).count(), 100);
    }
}
