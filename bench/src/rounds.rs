//! Runs contestants in rounds, and measures the CPU time of a thread.

use rustix::time::{ClockId, clock_gettime};

/// An implementation of the work.
pub struct Contestant {
    pub name: &'static str,
    /// Does the work once, and returns the number of accepted strings, or another count.
    pub run: Box<dyn FnMut() -> usize>,
}

/// The implementations to compare, beginning with Urikit's.
pub struct Group {
    pub work: &'static str,
    pub data: &'static str,
    /// The number of strings, and their total length in bytes.
    pub texts: usize,
    pub bytes: usize,
    pub contestants: Vec<Contestant>,
}

/// The results of a group of contestants.
pub struct Outcome {
    pub work: &'static str,
    pub data: &'static str,
    pub texts: usize,
    pub bytes: usize,
    pub lines: Vec<Line>,
}

/// The result of one contestant.
pub struct Line {
    pub name: &'static str,
    /// The median time for one string, in nanoseconds.
    pub ns: f64,
    /// The time relative to that of the first contestant.
    pub ratio: f64,
    pub counted: usize,
}

impl Group {
    pub fn run(mut self, rounds: usize) -> Outcome {
        let mut counted = Vec::new();
        let mut times = vec![Vec::new(); self.contestants.len()];
        // A warm-up round fills the caches, and triggers the detection of processor features.
        for contestant in &mut self.contestants {
            counted.push((contestant.run)());
        }
        for _ in 0..rounds {
            for (contestant, times) in self.contestants.iter_mut().zip(&mut times) {
                let start = cpu_ns();
                std::hint::black_box((contestant.run)());
                times.push(cpu_ns() - start);
            }
        }
        let ours = times.first().cloned().unwrap_or_default();
        let lines = self.contestants.iter().zip(&times).zip(counted);
        let lines = lines.map(|((contestant, times), counted)| Line {
            name: contestant.name,
            ns: median(times.clone()) / self.texts as f64,
            ratio: median(
                times
                    .iter()
                    .zip(&ours)
                    .map(|(time, our)| time / our)
                    .collect(),
            ),
            counted,
        });
        Outcome {
            lines: lines.collect(),
            work: self.work,
            data: self.data,
            texts: self.texts,
            bytes: self.bytes,
        }
    }
}

/// Returns the CPU time of this thread, in nanoseconds.
fn cpu_ns() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
