//! Two threads pass a cache line back and forth.
//!
//! Each swaps the value that the other left for its own (compare-and-exchange, without a pause in between), so that the line
//! goes over as it does between locks. Half of a round trip is the time one way.

use super::batches::batch_times;
use super::pin::pin;
use machine::{BatchTimes, CorePair, CoreToCore, MeasuredPair, Relation, RelationTimes};
use stats::median;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Round trips in a batch: 25 µs within a core, 1 ms across sockets.
const TRIPS: u64 = 1_000;
/// Batches of a visit to a pair, behind one that wakes the cores.
const BATCHES: usize = 7;
/// Visits to a pair, so that a moment's disturbance is in few of its batches.
const VISITS: usize = 3;
/// After so long a visit ends with the batches that it has: something else has one of the CPUs. Of few pairs it may take its
/// share of all the time, for on a busy machine both threads are rarely on their CPUs at once.
const LONGEST_VISIT: Duration = Duration::from_millis(150);
/// So many attempts are made between two looks at the time.
const ATTEMPTS: u32 = 1 << 14;

/// Measures pairs of CPUs, each several times in turn while there is time, and at least once.
///
/// # Errors
/// When a thread can't be bound to a CPU.
pub fn core_to_core(pairs: &[CorePair], time: Duration) -> Result<CoreToCore, String> {
    let started = Instant::now();
    let longest = (time / (VISITS * pairs.len().max(1)) as u32).max(LONGEST_VISIT);
    let mut batches_ns: Vec<Vec<f64>> = vec![Vec::new(); pairs.len()];
    for visit in 0..VISITS {
        if visit > 0 && started.elapsed() > time {
            break;
        }
        for (pair, batches_ns) in pairs.iter().zip(&mut batches_ns) {
            batches_ns.extend(visit_pair(pair.a, pair.b, longest)?);
        }
    }
    let pairs = pairs.iter().zip(&batches_ns);
    let pairs = pairs.map(|(&pair, ns)| MeasuredPair { pair, one_way: batch_times(ns) });
    Ok(by_relation(pairs.collect()))
}

/// Pairs with a summary of each relation.
fn by_relation(pairs: Vec<MeasuredPair>) -> CoreToCore {
    let mut of_relation: BTreeMap<Relation, Vec<&BatchTimes>> = BTreeMap::new();
    for MeasuredPair { pair, one_way } in &pairs {
        of_relation.entry(pair.relation).or_default().extend(one_way);
    }
    let known = of_relation.into_iter().filter(|(_, times)| !times.is_empty());
    let summary = |(relation, times): (Relation, Vec<&BatchTimes>)| {
        let ns: Vec<f64> = times.iter().map(|times| times.ns).collect();
        let spreads: Vec<f64> = times.iter().map(|times| times.spread()).collect();
        RelationTimes {
            relation,
            pairs: ns.len(),
            ns: median(&ns),
            range_ns: [
                ns.iter().copied().fold(f64::INFINITY, f64::min),
                ns.iter().copied().fold(0.0, f64::max),
            ],
            spread: median(&spreads),
        }
    };
    CoreToCore { relations: known.map(summary).collect(), pairs }
}

/// The line that is passed, alone in its pair of lines, which some cores fetch together.
#[repr(align(128))]
struct PassedLine(AtomicU64);

/// Whose turn it is.
const OURS: u64 = 0;
const THEIRS: u64 = 1;

/// A pair at work, and when it must be done.
struct Visit {
    line: PassedLine,
    is_over: AtomicBool,
    ends: Instant,
}

impl Visit {
    /// Waits for the line to say `from` and leaves `to` there. Whether there was time for it.
    fn pass(&self, from: u64, to: u64) -> bool {
        loop {
            for _ in 0..ATTEMPTS {
                let swap =
                    self.line.0.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed);
                if swap.is_ok() {
                    return true;
                }
            }
            if Instant::now() > self.ends {
                self.is_over.store(true, Ordering::Relaxed);
            }
            if self.is_over.load(Ordering::Relaxed) {
                return false;
            }
        }
    }

    fn answer(&self, cpu: u32) -> Result<(), String> {
        let pinned = pin(cpu);
        if pinned.is_err() {
            self.is_over.store(true, Ordering::Relaxed);
        }
        pinned?;
        let trips = TRIPS * (BATCHES as u64 + 1);
        // If one side ends early, the other ends, too.
        (0..trips).all(|_| self.pass(THEIRS, OURS));
        Ok(())
    }

    /// One way in ns, of each batch that was completed.
    fn ask(&self, cpu: u32) -> Result<Vec<f64>, String> {
        let pinned = pin(cpu);
        if pinned.is_err() {
            self.is_over.store(true, Ordering::Relaxed);
        }
        pinned?;
        let mut batches_ns = Vec::new();
        for batch in 0..=BATCHES {
            let start = Instant::now();
            // The last trip of a batch is complete when the next one's turn is ours again.
            if !(0..TRIPS).all(|_| self.pass(OURS, THEIRS)) {
                break;
            }
            if batch > 0 {
                batches_ns.push(start.elapsed().as_nanos() as f64 / (2 * TRIPS) as f64);
            }
        }
        Ok(batches_ns)
    }
}

fn visit_pair(a: u32, b: u32, longest: Duration) -> Result<Vec<f64>, String> {
    let visit = Visit {
        line: PassedLine(AtomicU64::new(OURS)),
        is_over: AtomicBool::new(false),
        ends: Instant::now() + longest,
    };
    thread::scope(|scope| {
        let cannot = |e| format!("no thread can be started: {e}");
        let other = thread::Builder::new().spawn_scoped(scope, || visit.answer(b));
        let other = other.map_err(cannot)?;
        // Without it the other one waits until the visit's time is over.
        let one = thread::Builder::new().spawn_scoped(scope, || visit.ask(a)).map_err(cannot)?;
        let batches_ns = one.join().map_err(|_| "a thread that measures died".to_owned())??;
        other.join().map_err(|_| "a thread that measures died".to_owned())??;
        Ok(batches_ns)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sched::{CpuSet, sched_getaffinity};
    use nix::unistd::Pid;

    fn allowed() -> Vec<u32> {
        let set = sched_getaffinity(Pid::from_raw(0)).unwrap();
        let is_in = |cpu: &usize| set.is_set(*cpu).unwrap();
        (0..CpuSet::count()).filter(is_in).map(|cpu| cpu as u32).collect()
    }

    fn pair(a: u32, b: u32, relation: Relation, ns: Option<f64>) -> MeasuredPair {
        let one_way = ns.and_then(|ns| batch_times(&[ns; 5]));
        MeasuredPair { pair: CorePair { a, b, relation }, one_way }
    }

    #[test]
    fn a_line_goes_from_one_thread_to_another_and_back_as_often_as_was_asked_for() {
        let visit = Visit {
            line: PassedLine(AtomicU64::new(OURS)),
            is_over: AtomicBool::new(false),
            ends: Instant::now() + Duration::from_secs(60),
        };
        let cpu = allowed()[0];
        let batches = thread::scope(|scope| {
            let other = scope.spawn(|| {
                // Where a single CPU is there, both share it.
                (0..TRIPS * (BATCHES as u64 + 1)).all(|_| visit.pass(THEIRS, OURS))
            });
            let batches = scope.spawn(|| visit.ask(*allowed().last().unwrap_or(&cpu)).unwrap());
            assert!(other.join().unwrap());
            batches.join().unwrap()
        });
        assert_eq!(batches.len(), BATCHES);
        assert!(batches.iter().all(|ns| *ns > 0.0), "{batches:?}");
        assert_eq!(visit.line.0.load(Ordering::Relaxed), OURS);
    }

    #[test]
    fn a_thread_that_is_never_answered_ends_in_time() {
        let visit = Visit {
            line: PassedLine(AtomicU64::new(THEIRS)),
            is_over: AtomicBool::new(false),
            ends: Instant::now() + Duration::from_millis(20),
        };
        assert_eq!(visit.ask(allowed()[0]).unwrap(), Vec::<f64>::new());
    }

    #[test]
    fn a_cpu_that_is_not_there_is_named() {
        let missing = CpuSet::count() as u32 - 1;
        let pair = CorePair { a: missing, b: allowed()[0], relation: Relation::SameSocket };
        let why = core_to_core(&[pair], Duration::ZERO).unwrap_err();
        assert!(why.starts_with(&format!("no thread can be bound to CPU {missing}: ")), "{why}");
    }

    #[test]
    fn relations_have_the_median_and_the_ends_of_their_pairs() {
        use Relation::{OtherSocket, SameL3};
        let pairs = vec![
            pair(0, 4, OtherSocket, None),
            pair(0, 1, SameL3, Some(20.0)),
            pair(0, 2, SameL3, Some(30.0)),
            pair(1, 2, SameL3, Some(22.0)),
        ];
        let [times] = &by_relation(pairs).relations[..] else { panic!("one has a figure") };
        assert_eq!(
            (times.relation, times.pairs, times.ns, times.range_ns),
            (SameL3, 3, 22.0, [20.0, 30.0])
        );
    }
}
