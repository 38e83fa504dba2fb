//! Schedules with a simulated clock, and threads that share one.

use super::{Begun, HostLimits, NextTask, Schedule, Scheduler, Taken};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn limits(tasks: usize, delay: u64) -> HostLimits {
    HostLimits {
        tasks,
        delay: Duration::from_millis(delay),
    }
}

/// Workers that each need some time for a task, on a simulated clock.
struct Simulation {
    schedule: Schedule<&'static str>,
    begun: Instant,
    now: Duration,
    workers: usize,
    running: Vec<(Duration, Begun<&'static str>)>,
    /// The beginnings: milliseconds, host and task.
    log: Vec<(u128, String, &'static str)>,
}

impl Simulation {
    fn new(limits: HostLimits, workers: usize, tasks: &[(&str, &'static str)]) -> Self {
        let mut schedule = Schedule::new(limits);
        for (host, task) in tasks {
            schedule.add(host, *task);
        }
        Self {
            schedule,
            begun: Instant::now(),
            now: Duration::ZERO,
            workers,
            running: Vec::new(),
            log: Vec::new(),
        }
    }

    /// Runs until no task is left. `time` returns how long a task takes, and `end` is called when
    /// it ends.
    fn run(
        &mut self,
        time: impl Fn(&str) -> u64,
        mut end: impl FnMut(&mut Schedule<&'static str>, &Begun<&'static str>, Instant),
    ) {
        loop {
            let next = if self.running.len() < self.workers {
                self.schedule.next(self.begun + self.now)
            } else {
                NextTask::Wait
            };
            let ends = self.running.iter().map(|(ends, _)| *ends).min();
            match next {
                NextTask::Begin(begun) => {
                    let host = begun.host.to_string();
                    self.log.push((self.now.as_millis(), host, begun.task));
                    let ends = self.now + Duration::from_millis(time(begun.task));
                    self.running.push((ends, begun));
                    continue;
                }
                NextTask::Idle => return,
                NextTask::WaitUntil(until) if ends.is_none_or(|it| self.begun + it > until) => {
                    self.now = until - self.begun;
                    continue;
                }
                NextTask::WaitUntil(_) | NextTask::Wait => {}
            }
            self.now = ends.expect("a running task");
            let at = self.running.iter().position(|(ends, _)| *ends == self.now);
            let (_, begun) = self.running.remove(at.unwrap());
            self.schedule.end(&begun.host);
            end(&mut self.schedule, &begun, self.begun + self.now);
        }
    }

    fn log(&self) -> Vec<(u128, &'static str)> {
        self.log.iter().map(|(at, _, task)| (*at, *task)).collect()
    }
}

#[test]
fn tasks_begin_in_order_within_the_limits_of_their_hosts() {
    let tasks = [
        ("a", "a1"),
        ("a", "a2"),
        ("a", "a3"),
        ("b", "b1"),
        ("c", "c1"),
    ];
    let mut simulation = Simulation::new(limits(2, 0), 8, &tasks);
    simulation.run(|_| 100, |_, _, _| {});
    let expected = [(0, "a1"), (0, "a2"), (0, "b1"), (0, "c1"), (100, "a3")];
    assert_eq!(simulation.log(), expected);
    // Without limits, tasks begin in the order in which they were added, regardless of their hosts.
    let mut simulation = Simulation::new(HostLimits::default(), 2, &tasks);
    simulation.run(|_| 100, |_, _, _| {});
    let expected = [(0, "a1"), (0, "a2"), (100, "a3"), (100, "b1"), (200, "c1")];
    assert_eq!(simulation.log(), expected);
}

#[test]
fn a_delay_separates_the_tasks_of_a_host() {
    let tasks = [("a", "a1"), ("a", "a2"), ("b", "b1"), ("a", "a3")];
    let mut simulation = Simulation::new(limits(9, 50), 8, &tasks);
    simulation.run(|_| 500, |_, _, _| {});
    let expected = [(0, "a1"), (0, "b1"), (50, "a2"), (100, "a3")];
    assert_eq!(simulation.log(), expected);
}

/// After a Retry-After, requests to this host wait, but requests to other hosts do not.
#[test]
fn a_paused_host_occupies_no_worker() {
    let tasks = [
        ("a", "a1"),
        ("a", "a2"),
        ("b", "b1"),
        ("b", "b2"),
        ("b", "b3"),
    ];
    let mut simulation = Simulation::new(limits(1, 0), 2, &tasks);
    let mut repeated = false;
    simulation.run(
        |_| 100,
        |schedule, begun, now| {
            if begun.task == "a1" && !repeated {
                repeated = true;
                let until = now + Duration::from_secs(60);
                schedule.pause("a", until);
                schedule.add_again(begun.clone(), until);
            }
        },
    );
    let expected = [
        (0, "a1"),
        (0, "b1"),
        (100, "b2"),
        (200, "b3"),
        (60_100, "a1"), // its place in the order has not changed
        (60_200, "a2"),
    ];
    assert_eq!(simulation.log(), expected);
}

#[test]
fn a_pause_is_never_shortened() {
    let (mut schedule, now) = (Schedule::new(HostLimits::default()), Instant::now());
    let at = |seconds| now + Duration::from_secs(seconds);
    schedule.pause("a", at(60));
    schedule.pause("a", at(30));
    schedule.add("a", "a1");
    assert_eq!(schedule.next(at(59)), NextTask::WaitUntil(at(60)));
    assert_eq!(schedule.paused().collect::<Vec<_>>(), [("a", at(60))]);
    assert!(matches!(schedule.next(at(60)), NextTask::Begin(_)));
    assert_eq!(schedule.next(at(60)), NextTask::Wait);
    schedule.end("a");
    assert_eq!(schedule.next(at(60)), NextTask::Idle);
    // Ending tasks that never began changes nothing.
    schedule.end("a");
    schedule.end("b");
    assert_eq!(schedule.next(at(60)), NextTask::Idle);
}

/// Many hosts, some of them slow, keep all workers busy; memory is freed at the end.
#[test]
fn ten_thousand_hosts() {
    let mut schedule = Schedule::new(limits(1, 1000));
    for number in 0..10_000_u32 {
        for _ in 0..3 {
            schedule.add(&format!("{number}.example"), number);
        }
    }
    let (mut now, mut begun) = (Instant::now(), HashMap::<u32, Instant>::new());
    let mut count = 0;
    loop {
        match schedule.next(now) {
            NextTask::Begin(it) => {
                count += 1;
                let before = begun.insert(it.task, now);
                assert!(before.is_none_or(|before| now >= before + Duration::from_secs(1)));
                schedule.end(&it.host);
            }
            NextTask::WaitUntil(until) => now = until,
            NextTask::Wait => panic!("nothing is running"),
            NextTask::Idle => break,
        }
    }
    assert_eq!((count, schedule.waiting()), (30_000, 0));
    assert_eq!(schedule.next(now + Duration::from_secs(1)), NextTask::Idle);
    let rest = (
        schedule.hosts.len(),
        schedule.paused.len(),
        schedule.ready.len(),
    );
    assert_eq!(rest, (0, 0, 0));
}

#[test]
fn threads_keep_the_limits() {
    let scheduler = Scheduler::new(limits(2, 0));
    for number in 0..400 {
        scheduler.add(&format!("{}.example", number % 10), number);
    }
    scheduler.close();
    let busy: Vec<AtomicUsize> = (0..10).map(|_| AtomicUsize::new(0)).collect();
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| {
                while let Some((number, turn)) = scheduler.take() {
                    let busy = &busy[number % 10];
                    assert!(busy.fetch_add(1, Ordering::SeqCst) < 2);
                    std::thread::sleep(Duration::from_micros(200));
                    busy.fetch_sub(1, Ordering::SeqCst);
                    done.lock().unwrap().push(number);
                    drop(turn);
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_unstable();
    assert_eq!(done, (0..400).collect::<Vec<_>>());
}

/// Two workers, a paused host and a repeated task: all threads end, soon after the last task.
#[test]
fn threads_wait_for_paused_hosts_and_repeated_tasks() {
    let scheduler = Scheduler::new(limits(1, 0));
    for (host, task) in [("a", 1), ("a", 2), ("b", 3), ("b", 4)] {
        scheduler.add(host, (task, 0));
    }
    scheduler.close();
    let (begun, done) = (Instant::now(), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while let Some(((task, attempt), turn)) = scheduler.take() {
                    if task == 1 && attempt < 2 {
                        assert_eq!(turn.host(), "a");
                        let wait = Duration::from_millis(60);
                        turn.retry((task, attempt + 1), wait, Some("a"));
                        continue;
                    }
                    done.lock().unwrap().push((task, begun.elapsed()));
                }
            });
        }
    });
    let done = done.into_inner().unwrap();
    let order: Vec<_> = done.iter().map(|(task, _)| *task).collect();
    assert_eq!(order, [3, 4, 1, 2]);
    assert!(done[2].1 >= Duration::from_millis(120), "{done:?}");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_panic_ends_the_task() {
    let scheduler = Scheduler::new(limits(1, 0));
    for task in 0..3 {
        scheduler.add("a", task);
    }
    scheduler.close();
    let count = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let panics = scope.spawn(|| {
            let _turn = scheduler.take();
            panic!("of a worker");
        });
        assert!(panics.join().is_err());
        while scheduler.take().is_some() {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    assert_eq!(count.into_inner(), 2);
}

#[test]
fn a_cleared_scheduler_ends_its_workers() {
    let scheduler = Scheduler::new(HostLimits::default());
    scheduler.pause("a", Duration::from_secs(1000));
    scheduler.add("a", ());
    let (host, time) = scheduler.next_paused().unwrap();
    assert!(host == "a" && time > Duration::from_secs(900));
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| scheduler.take().is_none()))
            .collect();
        std::thread::sleep(Duration::from_millis(20));
        scheduler.clear();
        assert!(workers.into_iter().all(|worker| worker.join().unwrap()));
    });
}

#[test]
fn another_thread_is_needed_only_for_a_task_that_may_begin() {
    let scheduler = Scheduler::new(limits(1, 0));
    for (host, task) in [("a", 1), ("a", 2), ("b", 3)] {
        scheduler.add(host, task);
    }
    scheduler.close();
    let (task, turn) = scheduler.take().unwrap();
    assert!(task == 1 && scheduler.needs_thread());
    let (task, other) = scheduler.take().unwrap();
    // The second task waits for its host.
    assert!(task == 3 && !scheduler.needs_thread());
    let (task, turn) = scheduler.take_after(turn).unwrap();
    assert!(task == 2 && !scheduler.needs_thread());
    // A thread must wait until the time at which the task may be repeated.
    other.retry(4, Duration::from_millis(20), None);
    assert!(scheduler.needs_thread());
    let (task, last) = scheduler.take_after(turn).unwrap();
    assert_eq!(task, 4);
    assert!(scheduler.take_after(last).is_none());
}

/// Threads that wait for a paused host do not wake each other again and again.
#[test]
fn threads_sleep_during_a_pause() {
    let scheduler = Scheduler::new(limits(1, 0));
    scheduler.pause("a", Duration::from_millis(200));
    scheduler.add("a", ());
    scheduler.close();
    let idle = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                loop {
                    match scheduler.take_within(Duration::MAX) {
                        Taken::Task(..) => {}
                        Taken::None => drop(idle.fetch_add(1, Ordering::SeqCst)),
                        Taken::Closed => break,
                    }
                }
            });
        }
        std::thread::sleep(Duration::from_millis(50));
        scheduler.add("a", ());
    });
    let idle = idle.into_inner();
    assert!(idle < 100, "{idle}");
}
