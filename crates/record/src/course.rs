//! The course of a run: its records in the order in which they were written. One process measures one sample after
//! another and writes down each when it ends, so time never runs back from one record to the next; only a resume may find
//! a clock that started anew.

use super::records::{Header, Launch, Resume};
use std::collections::BTreeMap;

/// What has happened so far.
#[derive(Debug)]
pub(super) struct Course {
    /// When the last thing was recorded, on the clock of the last start or resume.
    pub last_ns: u64,
    /// Time that was spent, over all starts.
    pub spent_ns: u64,
    /// What the last thing was.
    last: &'static str,
    /// When it was last looked at who used the machine.
    looked_ns: u64,
    /// Starts and resumes.
    starts: u64,
    round: u64,
    rounds_per_launch: u64,
    /// The case of each launch.
    launches: BTreeMap<u64, usize>,
    cases: Vec<CaseCourse>,
}

#[derive(Debug, Clone, Default)]
struct CaseCourse {
    live: Option<Live>,
    has_outcome: bool,
}

/// A launch that has not ended, but perhaps with the start of the run that it was of.
#[derive(Debug, Clone)]
struct Live {
    launch: u64,
    /// Of the run's starts.
    start: u64,
    /// Its place among all launches.
    place: usize,
    /// Samples that it gave of its case alone.
    samples: u64,
}

/// A resumed run counts on from the greatest number.
fn check_number(what: &str, number: u64) -> Result<(), String> {
    if number < u64::MAX { Ok(()) } else { Err(format!("{what} {number} can have no successor")) }
}

impl Course {
    pub fn new(header: &Header) -> Self {
        Self {
            last_ns: header.started_ns,
            spent_ns: 0,
            last: "the run started",
            looked_ns: header.started_ns,
            starts: 0,
            round: 0,
            rounds_per_launch: header.plan.timing.rounds_per_launch,
            launches: BTreeMap::new(),
            cases: vec![CaseCourse::default(); header.plan.cases.len()],
        }
    }

    /// Something was recorded.
    pub fn now(&mut self, what: &str, at_ns: u64) -> Result<(), String> {
        self.check_start(what, at_ns)?;
        self.advance(at_ns);
        Ok(())
    }

    /// Whether something can have begun then.
    fn check_start(&self, what: &str, at_ns: u64) -> Result<(), String> {
        let (last, last_ns) = (self.last, self.last_ns);
        if at_ns < last_ns {
            return Err(format!("{what} at {at_ns} ns, but {last} at {last_ns} ns"));
        }
        Ok(())
    }

    /// Moves the time on to the end of what was recorded.
    pub fn advance(&mut self, at_ns: u64) {
        let step_ns = at_ns.saturating_sub(self.last_ns);
        self.spent_ns = self.spent_ns.saturating_add(step_ns);
        self.last_ns += step_ns;
        self.last = "what was recorded before it ended";
    }

    pub fn check_case(&self, case: usize) -> Result<(), String> {
        let cases = self.cases.len();
        if case < cases { Ok(()) } else { Err(format!("there is no case {case}, only {cases}")) }
    }

    /// A worker is ready; it takes the place of the case's last one.
    pub fn launch(&mut self, launch: &Launch) -> Result<(), String> {
        let Launch { launch: number, case, at_ns, .. } = *launch;
        self.check_case(case)?;
        check_number("launch", number)?;
        if self.cases[case].has_outcome {
            return Err(format!("launch {number} is of case {case}, which has an outcome"));
        }
        let place = self.launches.len();
        if self.launches.insert(number, case).is_some() {
            return Err(format!("launch {number} was there before"));
        }
        let start = self.starts;
        self.cases[case].live = Some(Live { launch: number, start, place, samples: 0 });
        self.now(&format!("launch {number} is ready"), at_ns)
    }

    /// A launch gives a sample of its case alone; gives the launch's place among all.
    pub fn sample(
        &mut self,
        ids: (u64, usize),
        round: u64,
        start_ns: u64,
    ) -> Result<usize, String> {
        let most = self.rounds_per_launch;
        let place = self.share(ids, round, start_ns)?;
        let live = self.live(ids)?;
        if live.samples >= most {
            return Err(format!("launch {} gives more than the {most} samples of a launch", ids.0));
        }
        live.samples += 1;
        Ok(place)
    }

    /// The same beside the other cases of a mix, not counted. The time stands until all of them have ended.
    pub fn share(&mut self, ids: (u64, usize), round: u64, start_ns: u64) -> Result<usize, String> {
        let place = self.live(ids)?.place;
        check_number("round", round)?;
        if round < self.round {
            return Err(format!("round {round} follows on round {}", self.round));
        }
        self.round = round;
        self.check_start("the sample starts", start_ns)?;
        Ok(place)
    }

    fn live(&mut self, (launch, case): (u64, usize)) -> Result<&mut Live, String> {
        if self.launches.get(&launch) != Some(&case) {
            return Err(format!(
                "the window is of launch {launch} and case {case}, which don't belong together"
            ));
        }
        let start = self.starts;
        let live = self.cases[case].live.as_mut();
        live.filter(|live| (live.launch, live.start) == (launch, start))
            .ok_or_else(|| format!("launch {launch} has ended and gives no sample any more"))
    }

    /// A launch has ended well.
    pub fn verified(&mut self, launch: u64, at_ns: u64) -> Result<(), String> {
        let Some(&case) = self.launches.get(&launch) else {
            return Err(format!("there is no launch {launch}"));
        };
        self.live((launch, case))?;
        self.cases[case].live = None;
        self.now(&format!("launch {launch} is verified"), at_ns)
    }

    /// A case has come to another end than being measured.
    pub fn outcome(&mut self, case: usize) -> Result<(), String> {
        self.check_case(case)?;
        let of = &mut self.cases[case];
        of.live = None;
        if std::mem::replace(&mut of.has_outcome, true) {
            return Err(format!("case {case} has an outcome already"));
        }
        Ok(())
    }

    /// It was looked at who used the machine.
    pub fn look(&mut self, since_ns: u64, at_ns: u64) -> Result<(), String> {
        if since_ns > at_ns {
            return Err("activity that ends before it starts".to_owned());
        }
        if since_ns < self.looked_ns {
            let looked_ns = self.looked_ns;
            return Err(format!("activity since {since_ns} ns, but before {looked_ns} ns is told"));
        }
        self.looked_ns = at_ns;
        self.now("activity until now is told", at_ns)
    }

    /// The run goes on with other workers; says whether its clock has started anew.
    pub fn resume(&mut self, resume: &Resume) -> bool {
        let is_anew = resume.at_ns < self.last_ns;
        self.starts += 1;
        (self.last_ns, self.looked_ns) = (resume.at_ns, resume.at_ns);
        self.last = "the run went on";
        is_anew
    }
}
