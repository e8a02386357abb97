//! Measures a rolling mix: all threads go through one list of its work, each from another place on. A process of its own does
//! each item on each thread, asleep until it is its turn.

use super::context::RunContext;
use super::failure::Failure;
use super::launch::{Checked, LiveLaunch, impossible};
use super::mixed::{load, without_bytes};
use super::runner::Runner;
use crate::telemetry::monotonic_ns;
use catalog::Mix;
use record::{
    Record, RollingItem, RollingLaunch, RollingList, RollingPass, RollingShare, Timing, WriteError,
};
use std::time::{Duration, Instant};

/// The list is made when each row has this many samples alone.
const LEAST_ALONE: usize = 4;
/// An item lasts at least this long, so that changing the process (two pulses and a wake-up, some 4 ms) takes little of it, …
const LEAST_ITEM_S: f64 = 0.1;
/// … and has at least this many ops, so that whole ones fit its share of the time.
const LEAST_OPS: f64 = 10.0;
/// How often to look whether a worker takes too long, or the user stops the run.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// The list and the processes that do it.
pub(super) struct Rolling<'a> {
    mix: &'a Mix,
    list: Option<RollingList>,
    /// By item, and then by thread; empty while none is live.
    parts: Vec<Part>,
    /// How long the last pass took.
    took: Duration,
}

/// The process of one item on one thread.
#[derive(Debug)]
struct Part {
    launch: Option<LiveLaunch>,
    /// Passes until a fresh launch replaces this one.
    passes_left: u64,
}

/// Why a pass stops.
enum Trouble {
    /// A case failed.
    Case(usize, Failure),
    File(WriteError),
}

impl From<WriteError> for Trouble {
    fn from(error: WriteError) -> Self {
        Self::File(error)
    }
}

/// A thread on its way through the list.
struct Way {
    thread: usize,
    /// Places in the list, in the thread's order.
    places: Vec<usize>,
    /// When its open item was requested.
    sent_ns: u64,
    shares: Vec<RollingShare>,
    /// Cases with samples that must not be used, and why.
    strays: Vec<(usize, String)>,
}

impl Way {
    /// The place in the list of its open item; `None` at the end.
    fn open(&self) -> Option<usize> {
        self.places.get(self.shares.len()).copied()
    }
}

impl<'a> Rolling<'a> {
    /// `list` is known in a resumed run.
    pub fn new(mix: &'a Mix, list: Option<RollingList>) -> Self {
        Self { mix, list, parts: Vec::new(), took: Duration::ZERO }
    }

    /// Sends all threads through the list once, if all rows are live and there is time. First makes the list, when
    /// rows have enough samples for it.
    pub fn turn(
        &mut self,
        cases: &mut [Runner],
        run: &mut RunContext,
        until: Instant,
    ) -> Result<(), WriteError> {
        let result = self.try_turn(cases, run, until);
        self.settle(result, cases, run)
    }

    /// Runs the final verification of all processes and ends them, unless a row has ended already.
    pub fn finish(&mut self, cases: &mut [Runner], run: &mut RunContext) -> Result<(), WriteError> {
        let result = self.try_finish(cases, run);
        self.settle(result, cases, run)?;
        self.kill(run);
        Ok(())
    }

    /// Ends all processes without waiting for them.
    pub fn kill(&mut self, run: &mut RunContext) {
        for launch in self.parts.drain(..).filter_map(|part| part.launch) {
            run.let_go(&launch);
        }
    }

    /// Ends the case that failed, and with it all processes: a mix that lacks a part is not measured.
    fn settle(
        &mut self,
        result: Result<(), Trouble>,
        cases: &mut [Runner],
        run: &mut RunContext,
    ) -> Result<(), WriteError> {
        match result {
            Ok(()) => Ok(()),
            Err(Trouble::File(error)) => Err(error),
            Err(Trouble::Case(case, failure)) => {
                self.kill(run);
                cases[case].fail(failure, run)
            }
        }
    }

    fn try_turn(
        &mut self,
        cases: &mut [Runner],
        run: &mut RunContext,
        until: Instant,
    ) -> Result<(), Trouble> {
        let rows = || cases.iter().filter(|case| case.case().is_row());
        if rows().any(|row| row.launch().is_none() || row.looks().len() < LEAST_ALONE) {
            return Ok(());
        }
        if self.list.is_none() {
            self.list = Some(make_list(&rows().collect::<Vec<_>>(), self.mix, run)?);
        }
        let Some(list) = self.list.clone() else { return Ok(()) };
        if !run.has_time_for(self.time(&list, run), until) {
            return Ok(());
        }
        self.renew(&list, cases, run)?;
        let start = Instant::now();
        self.pass(&list, cases, run)?;
        self.took = start.elapsed();
        Ok(())
    }

    /// How long the next pass will take, with launches that are due.
    fn time(&self, list: &RollingList, run: &RunContext) -> Duration {
        let asked_ns = list.items.iter().map(|item| item.sample_ns).sum();
        let due = self.parts.iter().filter(|part| part.passes_left == 0).count();
        let due = if self.parts.is_empty() { list.items.len() * threads(list, run) } else { due };
        self.took.max(Duration::from_nanos(asked_ns)) + run.costs().of_launching(due)
    }

    /// Starts processes that are missing, and replaces those that have done their passes.
    fn renew(
        &mut self,
        list: &RollingList,
        cases: &[Runner],
        run: &mut RunContext,
    ) -> Result<(), Trouble> {
        let threads = threads(list, run);
        let all = list.items.len() * threads;
        if self.parts.is_empty() {
            self.parts.extend((0..all).map(|_| Part { launch: None, passes_left: 0 }));
        }
        for (number, part) in self.parts.iter_mut().enumerate() {
            let (row, thread) = (&cases[list.items[number / threads].case], number % threads);
            if part.passes_left > 0 {
                continue;
            }
            let is_first = part.launch.is_none();
            part.finish(row.number(), run)?;
            part.start(row, thread, run)?;
            let passes = row.timing(&run.settings().plan.timing).rounds_per_launch;
            // Staggered, so that replacements are spread over the passes.
            part.passes_left = if is_first { 1 + number as u64 % passes } else { passes };
        }
        Ok(())
    }

    /// Measures and records a pass.
    fn pass(
        &mut self,
        list: &RollingList,
        cases: &mut [Runner],
        run: &mut RunContext,
    ) -> Result<(), Trouble> {
        let threads = threads(list, run);
        let start_ns = monotonic_ns();
        let ways = self.walk(list, threads, run)?;
        let end_ns = monotonic_ns();
        self.parts.iter_mut().for_each(|part| part.passes_left -= 1);
        let (shares, strays): (Vec<_>, Vec<_>) =
            ways.into_iter().map(|way| (way.shares, way.strays)).unzip();
        let strays = strays.concat();
        let pass = RollingPass { round: run.round(), start_ns, end_ns, threads: shares };
        pass.check(list, threads).map_err(|(case, what)| Trouble::Case(case, impossible(&what)))?;
        // A reader of the file discards a pass with a stray sample.
        if strays.is_empty() {
            for share in pass.shares() {
                run.count_sample(share.case, &share.measured)
                    .map_err(|failure| Trouble::Case(share.case, failure))?;
            }
        }
        run.write(&Record::RollingPass(pass))?;
        for (case, stray) in strays {
            cases[case].count_stray(Some(stray), run)?;
        }
        if cases.iter().any(|case| case.case().is_row() && case.has_ended()) {
            self.kill(run);
        }
        Ok(())
    }

    /// All threads go through the list at the same time. Each gets its next item as soon as it has answered.
    fn walk(
        &mut self,
        list: &RollingList,
        threads: usize,
        run: &RunContext,
    ) -> Result<Vec<Way>, Trouble> {
        let mut ways: Vec<Way> = Vec::new();
        for thread in 0..threads {
            let places: Vec<usize> = list.order(thread, threads).collect();
            let sent_ns = self.request(list, places[0], (thread, threads))?;
            ways.push(Way { thread, places, sent_ns, shares: Vec::new(), strays: Vec::new() });
        }
        loop {
            let open: Vec<(usize, usize)> =
                ways.iter().filter_map(|way| Some((way.thread, way.open()?))).collect();
            if open.is_empty() {
                return Ok(ways);
            }
            let launches = open.iter().map(|(thread, place)| &self.parts[place * threads + thread]);
            let launches: Vec<&LiveLaunch> =
                launches.filter_map(|part| part.launch.as_ref()).collect();
            let answered = LiveLaunch::answered(&launches, LONGEST_WAIT);
            let insists = run.is_insisted();
            for ((thread, place), has_answered) in open.into_iter().zip(answered) {
                let way = &mut ways[thread];
                let waited = Duration::from_nanos(monotonic_ns().saturating_sub(way.sent_ns));
                let asked = Duration::from_nanos(list.items[place].sample_ns);
                // Reading says why there is no answer.
                let is_late = waited > asked + run.settings().answer_timeout;
                if has_answered || insists || is_late {
                    self.step(list, (way, place), threads)?;
                }
            }
        }
    }

    /// Requests the thread's next item, and reads the answer to its open one.
    fn step(
        &mut self,
        list: &RollingList,
        (way, place): (&mut Way, usize),
        threads: usize,
    ) -> Result<(), Trouble> {
        let sent_ns = way.sent_ns;
        // First, so that the thread does not wait for us.
        if let Some(next) = way.places.get(way.shares.len() + 1) {
            way.sent_ns = self.request(list, *next, (way.thread, threads))?;
        }
        let item = &list.items[place];
        let launch = self.live(list, place, (way.thread, threads))?;
        let sample = launch.sample(&timing(item), sent_ns);
        let Checked { measured, stray, .. } =
            sample.map_err(|failure| Trouble::Case(item.case, failure))?;
        let launch = launch.number;
        way.shares.push(RollingShare { launch, case: item.case, measured });
        way.strays.extend(stray.map(|stray| (item.case, stray)));
        Ok(())
    }

    /// Requests an item on a thread, and returns the time of the request.
    fn request(
        &mut self,
        list: &RollingList,
        place: usize,
        on: (usize, usize),
    ) -> Result<u64, Trouble> {
        let item = list.items[place];
        let sent = self.live(list, place, on)?.request(&timing(&item));
        sent.map_err(|failure| Trouble::Case(item.case, failure))
    }

    /// The process of an item on a thread.
    fn live(
        &mut self,
        list: &RollingList,
        place: usize,
        (thread, threads): (usize, usize),
    ) -> Result<&mut LiveLaunch, Trouble> {
        let lost = || Failure::new("launch", "its worker is not running", "");
        let launch = self.parts[place * threads + thread].launch.as_mut();
        launch.ok_or_else(|| Trouble::Case(list.items[place].case, lost()))
    }

    fn try_finish(&mut self, cases: &[Runner], run: &mut RunContext) -> Result<(), Trouble> {
        // Nothing of a case may follow its outcome.
        if cases.iter().any(|case| case.case().is_row() && case.has_ended()) {
            return Ok(());
        }
        let Some(list) = &self.list else { return Ok(()) };
        let threads = threads(list, run);
        for (number, part) in self.parts.iter_mut().enumerate() {
            part.finish(list.items[number / threads].case, run)?;
        }
        Ok(())
    }
}

impl Part {
    fn start(&mut self, row: &Runner, thread: usize, run: &mut RunContext) -> Result<(), Trouble> {
        let case = row.number();
        let failed = |failure| Trouble::Case(case, failure);
        let launch = run.launch(&row.task().on_thread(thread)).map_err(failed)?;
        RollingLaunch::check_kind(&launch.ready).map_err(|what| {
            failed(Failure::new("mix", what, "measure this mix without --rolling"))
        })?;
        run.write(&Record::RollingLaunch(Box::new(RollingLaunch {
            launch: launch.number,
            case,
            thread,
            at_ns: monotonic_ns(),
            ready: launch.ready.clone(),
        })))?;
        run.keep_alive(&launch);
        self.launch = Some(launch);
        Ok(())
    }

    /// Runs the final verification, if there is a process, and ends it.
    fn finish(&mut self, case: usize, run: &mut RunContext) -> Result<(), Trouble> {
        let Some(launch) = self.launch.take() else { return Ok(()) };
        run.let_go(&launch);
        let verified = run.end(launch).map_err(|failure| Trouble::Case(case, failure))?;
        Ok(run.write(&Record::RollingVerified(verified))?)
    }
}

/// Without warm-up, because coming back to a core where other work ran is part of a mix.
fn timing(item: &RollingItem) -> Timing {
    Timing { warmup_ns: 0, sample_ns: item.sample_ns, rounds_per_launch: 1 }
}

/// On how many threads the rows of a list are.
fn threads(list: &RollingList, run: &RunContext) -> usize {
    run.settings().plan.cases[list.items[0].case].threads
}

/// Makes the list from the rows' samples alone, and records it.
fn make_list(rows: &[&Runner], mix: &Mix, run: &mut RunContext) -> Result<RollingList, Trouble> {
    let mut work = Vec::new();
    for demand in &mix.demands {
        let Some(row) = rows.iter().find(|row| row.case().workload == demand.workload) else {
            continue;
        };
        let is_rated = mix.has_rates();
        if let Some(failure) = is_rated.then(|| without_bytes(row, mix)).flatten() {
            return Err(Trouble::Case(row.number(), failure));
        }
        work.push(Work {
            case: row.number(),
            share: if is_rated { load(row, mix) } else { demand.weight.unwrap_or(f64::NAN) },
            op_s: row.case().threads as f64 / row.ops_per_s_alone(),
        });
    }
    let list = RollingList { at_ns: monotonic_ns(), items: items(&work) };
    run.write(&Record::RollingList(list.clone()))?;
    Ok(list)
}

/// A row's part of the list.
struct Work {
    case: usize,
    /// Its part of the time, relative to the others.
    share: f64,
    /// How long an op takes on each of the row's threads.
    op_s: f64,
}

/// So many ops of each that it takes its share of the pass, and that the shortest item is long enough.
fn items(work: &[Work]) -> Vec<RollingItem> {
    let unit_s = |work: &Work| LEAST_ITEM_S.max(LEAST_OPS * work.op_s) / work.share;
    let unit_s = work.iter().map(unit_s).fold(0.0, f64::max);
    let item = |work: &Work| {
        let ops = (unit_s * work.share / work.op_s).round().max(1.0);
        let sample_ns = (ops * work.op_s * 1e9) as u64;
        let (least, most) = Timing::POSSIBLE_SAMPLE_NS.into_inner();
        RollingItem { case: work.case, ops: ops as u64, sample_ns: sample_ns.clamp(least, most) }
    };
    work.iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_has_its_share_of_the_time_and_the_shortest_is_long_enough() {
        let work = |case, share, op_s| Work { case, share, op_s };
        let list = items(&[work(0, 3.0, 0.001), work(1, 1.0, 0.000_01), work(2, 1.5, 0.002)]);
        let ops: Vec<u64> = list.iter().map(|item| item.ops).collect();
        assert_eq!(ops, [300, 10_000, 75]);
        let ms: Vec<u64> = list.iter().map(|item| item.sample_ns / 1_000_000).collect();
        assert_eq!(ms, [300, 100, 150]);
        // Ten ops of the second take a second, so the first takes two.
        let slow = items(&[work(0, 2.0, 0.001), work(1, 1.0, 0.1)]);
        assert_eq!((slow[0].ops, slow[1].ops), (2_000, 10));
    }
}
