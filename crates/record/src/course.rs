//! Checks the chronology of a run's records. One process measures samples one after another and records each when it
//! ends, so times never decrease from one record to the next; only a resume may find a reset clock.

use super::records::{Header, Launch, Resume};
use super::rolling::RollingLaunch;
use super::telemetry::Idle;
use std::collections::BTreeMap;

/// State of a run after the records so far.
#[derive(Debug)]
pub(super) struct Course {
    /// The time of the last start or resume.
    start_ns: u64,
    /// The time of the last record, on the clock of the last start or resume.
    pub last_ns: u64,
    /// Time spent, over all starts.
    pub spent_ns: u64,
    /// The kind of the last record, for messages.
    last: &'static str,
    /// The time of the last activity record.
    looked_ns: u64,
    /// Starts and resumes.
    starts: u64,
    round: u64,
    /// Launch → case.
    launches: BTreeMap<u64, usize>,
    cases: Vec<CaseCourse>,
    /// Processes of a rolling mix, by their case and thread.
    rolling: BTreeMap<(usize, usize), Live>,
}

#[derive(Debug, Clone, Default)]
struct CaseCourse {
    rounds_per_launch: u64,
    live: Option<Live>,
    has_outcome: bool,
}

/// A launch without a final record; it is over anyway once the run was resumed.
#[derive(Debug, Clone)]
struct Live {
    launch: u64,
    /// The start or resume that it belongs to.
    start: u64,
    /// Its index among all launches.
    place: usize,
    /// Samples of its case alone, without those of a mix.
    samples: u64,
}

/// A resumed run continues counting from the largest number, and tools that count in floating point lose digits from 2^53
/// on: half of that leaves room for both.
const MOST_NUMBER: u64 = 1 << 52;
/// 36 years after a machine's start: sums of times and of what can happen in them stay in range.
const MOST_TIME_NS: u64 = 1 << 60;

fn check_number(what: &str, number: u64) -> Result<(), String> {
    if number <= MOST_NUMBER { Ok(()) } else { Err(format!("{what} {number} is too large")) }
}

/// Checks that a clock can have shown this time.
pub(super) fn check_time(what: &str, at_ns: u64) -> Result<(), String> {
    if at_ns <= MOST_TIME_NS {
        return Ok(());
    }
    Err(format!("{what} at {at_ns} ns, more than 36 years after the machine"))
}

impl Course {
    pub fn new(header: &Header) -> Self {
        Self {
            start_ns: header.started_ns,
            last_ns: header.started_ns,
            spent_ns: 0,
            last: "the run started",
            looked_ns: header.started_ns,
            starts: 0,
            round: 0,
            launches: BTreeMap::new(),
            cases: (0..header.plan.cases.len())
                .map(|case| CaseCourse {
                    rounds_per_launch: header.timing(case).rounds_per_launch,
                    ..CaseCourse::default()
                })
                .collect(),
            rolling: BTreeMap::new(),
        }
    }

    pub fn now(&mut self, what: &str, at_ns: u64) -> Result<(), String> {
        self.check_start(what, at_ns)?;
        self.advance(at_ns);
        Ok(())
    }

    /// Something was read on the side, perhaps while a sample was open, and written when there was time.
    pub fn aside(&mut self, what: &str, at_ns: u64) -> Result<(), String> {
        if at_ns < self.start_ns {
            let start_ns = self.start_ns;
            return Err(format!("{what} at {at_ns} ns, before the start at {start_ns} ns"));
        }
        check_time(what, at_ns)?;
        self.advance(at_ns);
        Ok(())
    }

    /// The machine was left idle.
    pub fn idle(&mut self, idle: &Idle) -> Result<(), String> {
        let Idle { start_ns, end_ns } = *idle;
        if !(self.start_ns..=end_ns).contains(&start_ns) {
            return Err(format!("idle from {start_ns} to {end_ns} ns"));
        }
        self.now("an idle time ends", end_ns)
    }

    /// Checks that something can have started at this time.
    fn check_start(&self, what: &str, at_ns: u64) -> Result<(), String> {
        let (last, last_ns) = (self.last, self.last_ns);
        if at_ns < last_ns {
            return Err(format!("{what} at {at_ns} ns, but {last} at {last_ns} ns"));
        }
        check_time(what, at_ns)
    }

    /// Advances the time to the end of a record.
    pub fn advance(&mut self, at_ns: u64) {
        let step_ns = at_ns.saturating_sub(self.last_ns);
        self.spent_ns = self.spent_ns.saturating_add(step_ns);
        self.last_ns += step_ns;
        self.last = "the previous record ended";
    }

    pub fn check_case(&self, case: usize) -> Result<(), String> {
        let cases = self.cases.len();
        if case < cases {
            Ok(())
        } else {
            Err(format!("unknown case {case}: the plan has {cases}"))
        }
    }

    /// A worker is ready and replaces the case's previous one. `place` is its index among all launches.
    pub fn launch(&mut self, launch: &Launch, place: usize) -> Result<(), String> {
        let Launch { launch: number, case, at_ns, .. } = *launch;
        let start = self.enter(number, case)?;
        self.cases[case].live = Some(Live { launch: number, start, place, samples: 0 });
        self.now(&format!("launch {number} is ready"), at_ns)
    }

    /// A worker of a rolling mix is ready and replaces that of its case and thread. `place` is its index among these.
    pub fn rolling_launch(&mut self, launch: &RollingLaunch, place: usize) -> Result<(), String> {
        let RollingLaunch { launch: number, case, thread, at_ns, .. } = *launch;
        let start = self.enter(number, case)?;
        self.rolling.insert((case, thread), Live { launch: number, start, place, samples: 0 });
        self.now(&format!("launch {number} is ready"), at_ns)
    }

    /// Checks that a launch is new, and returns the start or resume that it belongs to.
    fn enter(&mut self, number: u64, case: usize) -> Result<u64, String> {
        self.check_case(case)?;
        check_number("launch", number)?;
        if self.cases[case].has_outcome {
            return Err(format!(
                "launch {number} belongs to case {case}, which already has an outcome"
            ));
        }
        if self.launches.insert(number, case).is_some() {
            return Err(format!("launch {number} is defined twice"));
        }
        Ok(self.starts)
    }

    /// A launch measured a sample of its case alone. Returns the launch's index among all.
    pub fn sample(
        &mut self,
        ids: (u64, usize),
        round: u64,
        start_ns: u64,
    ) -> Result<usize, String> {
        let place = self.share(ids, round, start_ns)?;
        let most = self.cases[ids.1].rounds_per_launch;
        let live = self.live(ids)?;
        if live.samples >= most {
            return Err(format!("launch {} has more than {most} samples", ids.0));
        }
        live.samples += 1;
        Ok(place)
    }

    /// As [`Self::sample`], but for a share of a mix: it is not counted, and the time only advances when all shares end.
    pub fn share(&mut self, ids: (u64, usize), round: u64, start_ns: u64) -> Result<usize, String> {
        let place = self.live(ids)?.place;
        self.enter_round(round)?;
        self.check_start("the sample starts", start_ns)?;
        Ok(place)
    }

    fn enter_round(&mut self, round: u64) -> Result<(), String> {
        check_number("round", round)?;
        if round < self.round {
            return Err(format!("round {round} follows round {}", self.round));
        }
        self.round = round;
        Ok(())
    }

    /// A pass of a rolling mix started. The time only advances when it ends.
    pub fn pass(&mut self, round: u64, start_ns: u64) -> Result<(), String> {
        self.enter_round(round)?;
        self.check_start("the pass starts", start_ns)
    }

    /// The index of a live process of a rolling mix among all of these.
    pub fn rolling_place(
        &self,
        launch: u64,
        (case, thread): (usize, usize),
    ) -> Result<usize, String> {
        let live = self.rolling.get(&(case, thread));
        let is_it = |live: &&Live| (live.launch, live.start) == (launch, self.starts);
        let live = live.filter(is_it);
        let place = live.map(|live| live.place);
        place.ok_or_else(|| format!("launch {launch} does not do case {case} on thread {thread}"))
    }

    /// A launch of a rolling mix passed its final verification.
    pub fn rolling_verified(&mut self, launch: u64, at_ns: u64) -> Result<(), String> {
        let before = self.rolling.len();
        let start = self.starts;
        self.rolling.retain(|_, live| (live.launch, live.start) != (launch, start));
        if self.rolling.len() == before {
            return Err(format!("launch {launch} of a rolling mix has ended or never began"));
        }
        self.now(&format!("launch {launch} is verified"), at_ns)
    }

    fn live(&mut self, (launch, case): (u64, usize)) -> Result<&mut Live, String> {
        if self.launches.get(&launch) != Some(&case) {
            return Err(format!(
                "the sample names launch {launch} and case {case}, but that launch has another case"
            ));
        }
        let start = self.starts;
        let live = self.cases[case].live.as_mut();
        live.filter(|live| (live.launch, live.start) == (launch, start))
            .ok_or_else(|| format!("launch {launch} has ended but a later sample names it"))
    }

    /// A launch passed its final verification.
    pub fn verified(&mut self, launch: u64, at_ns: u64) -> Result<(), String> {
        let Some(&case) = self.launches.get(&launch) else {
            return Err(format!("unknown launch {launch}"));
        };
        self.live((launch, case))?;
        self.cases[case].live = None;
        self.now(&format!("launch {launch} is verified"), at_ns)
    }

    pub fn outcome(&mut self, case: usize) -> Result<(), String> {
        self.check_case(case)?;
        let course = &mut self.cases[case];
        course.live = None;
        if std::mem::replace(&mut course.has_outcome, true) {
            return Err(format!("case {case} already has an outcome"));
        }
        self.rolling.retain(|(other, _), _| *other != case);
        Ok(())
    }

    pub fn look(&mut self, since_ns: u64, at_ns: u64) -> Result<(), String> {
        if since_ns > at_ns {
            return Err("activity that ends before it starts".to_owned());
        }
        if since_ns < self.looked_ns {
            let looked_ns = self.looked_ns;
            return Err(format!(
                "activity since {since_ns} ns overlaps activity until {looked_ns} ns"
            ));
        }
        self.looked_ns = at_ns;
        self.now("activity ends", at_ns)
    }

    /// The run continues with new workers. Returns whether its clock was reset.
    pub fn resume(&mut self, resume: &Resume) -> Result<bool, String> {
        check_time("the run resumed", resume.at_ns)?;
        let is_anew = resume.at_ns < self.last_ns;
        self.starts += 1;
        (self.start_ns, self.last_ns, self.looked_ns) = (resume.at_ns, resume.at_ns, resume.at_ns);
        self.last = "the run resumed";
        Ok(is_anew)
    }
}
