//! Builds a run from the records of its file. Nothing in them is trusted before it is checked.

use super::beside::Beside;
use super::copies::Copies;
use super::course::Course;
use super::flaw::Flaw;
use super::meter::POWER;
use super::mixed::{Mixed, MixedShare};
use super::plan::{Case, Plan};
use super::records::{Ended, Header, Imported, Launch, Reading, Record, Resume};
use super::repeats::{Repeats, SampleKind};
use super::request::Request;
use super::rolling::{RollingLaunch, RollingList, RollingPass};
use super::run::{ClockStart, LeftOut, Note, Run};
use super::sample::{Measured, Sample};
use std::collections::BTreeSet;
use std::path::Path;

/// Puts a run together, line by line.
pub(super) struct Builder {
    pub run: Run,
    unknown: u64,
    course: Course,
    copies: Copies,
    repeats: Repeats,
}

impl Builder {
    pub fn new(path: &Path, header: Header, whole_bytes: u64) -> Self {
        let course = Course::new(&header);
        let injected = header.injected.clone().map(|workload| Note::Injected { workload });
        let imported = header.origin.iter().flat_map(|origin| {
            let (tool, lacks) = (origin.tool.clone(), origin.lacks.join("; "));
            let failed = Note::Failed { workloads: origin.failed.clone() };
            let failed = Some(failed).filter(|_| !origin.failed.is_empty());
            [Note::Imported { tool, lacks }].into_iter().chain(failed)
        });
        let emulated = header.emulation().map(|seen| Note::Emulated { seen });
        let run = Run {
            whole_bytes,
            notes: injected
                .into_iter()
                .chain(emulated)
                .chain(imported.collect::<Vec<_>>())
                .collect(),
            ..Run::empty(path.to_owned(), header)
        };
        Self { run, unknown: 0, course, copies: Copies::default(), repeats: Repeats::default() }
    }

    pub fn note(&mut self, note: Note) {
        self.run.notes.push(note);
    }

    pub fn note_changed(&mut self) {
        if !self.run.notes.contains(&Note::Changed) {
            self.note(Note::Changed);
        }
    }

    pub fn add_line(
        &mut self,
        line: &[u8],
        digest_before: impl Fn() -> String,
    ) -> Result<(), String> {
        // The whole line at once: a parser of bytes would look at each name and string for itself.
        let line = str::from_utf8(line).map_err(|e| format!("is not JSON: {e}"))?;
        // Nearly all of a file: not by way of a tree, as the others are.
        match Record::of_line(line) {
            Ok(Some(record)) => self.add(record, digest_before),
            Ok(None) => {
                self.unknown += 1;
                Ok(())
            }
            Err(e) if e.is_data() => Err(e.to_string()),
            Err(e) => Err(format!("is not JSON: {e}")),
        }
    }

    fn add(&mut self, record: Record, digest_before: impl Fn() -> String) -> Result<(), String> {
        if self.run.close.is_some() && !matches!(record, Record::Resume(_)) {
            // No digest covers records after the close.
            self.note_changed();
        }
        match record {
            Record::Header(_) => return Err("a second header".to_owned()),
            Record::MeasuredMachine(measured) => {
                measured.check()?;
                self.course.look(measured.activity.since_ns, measured.activity.at_ns)?;
                self.run.measured_machine = Some(measured);
            }
            Record::Launch(launch) => self.add_launch(*launch)?,
            Record::Sample(sample) => self.add_sample(sample)?,
            Record::Sustained(sample) => self.add_sustained(*sample)?,
            Record::Beside(beside) => self.add_beside(*beside)?,
            Record::Mixed(mixed) => self.add_mixed(mixed)?,
            Record::RollingList(list) => self.add_rolling_list(list)?,
            Record::RollingLaunch(launch) => self.add_rolling_launch(*launch)?,
            Record::RollingPass(pass) => self.add_rolling_pass(pass)?,
            Record::RollingVerified(verified) => {
                self.course.rolling_verified(verified.launch, verified.at_ns)?;
                self.run.verified.insert(verified.launch);
            }
            Record::Verified(verified) => {
                self.course.verified(verified.launch, verified.at_ns)?;
                self.run.verified.insert(verified.launch);
            }
            Record::Outcome(outcome) => {
                self.course.outcome(outcome.case)?;
                self.run.outcomes.push(outcome);
            }
            Record::Telemetry(telemetry) => {
                self.course.aside("telemetry is", telemetry.at_ns)?;
                self.run.telemetry.push(telemetry);
            }
            Record::Reading(reading) => self.add_reading(reading)?,
            Record::Idle(idle) => {
                self.course.idle(&idle)?;
                self.run.idles.push(idle);
            }
            Record::Meter(meter) => {
                meter.check()?;
                self.run.meters.push(meter);
            }
            Record::Imported(imported) => self.add_imported(imported)?,
            Record::Activity(activity) => {
                self.course.look(activity.since_ns, activity.at_ns)?;
                self.run.activity.push(activity);
            }
            Record::Resume(resume) => self.add_resume(resume)?,
            // For readers of nothing but the file: this program judges anew.
            Record::Validity(_) => {}
            Record::Close(close) => {
                if close.sha256 != digest_before() {
                    self.note_changed();
                }
                self.course.now("the run ends", close.at_ns)?;
                self.run.close = Some(close);
            }
        }
        Ok(())
    }

    fn add_launch(&mut self, launch: Launch) -> Result<(), String> {
        if let Some(origin) = &self.run.header.origin {
            return Err(format!("a launch in a run that {} measured", origin.tool));
        }
        self.course.launch(&launch, self.run.launches.len())?;
        launch.ready.check(&self.run.header.plan.cases[launch.case].cpus)?;
        self.run.launches.push(launch);
        Ok(())
    }

    fn add_sample(&mut self, sample: Sample) -> Result<(), String> {
        sample.check_ticks()?;
        let Sample { launch, case, round, .. } = sample;
        let place = self.course.sample((launch, case), round, sample.start_ns)?;
        if self.run.header.plan.cases[case].co_runner {
            return Err(format!("case {case} runs beside rows and has no samples alone"));
        }
        let sample_ns = self.run.header.timing(case).sample_ns;
        let left_out = self.check_sample(place, &sample.measured, sample_ns)?;
        self.course.advance(sample.end_ns);
        match left_out {
            None => {
                self.count(case, SampleKind::Alone, &sample.measured)?;
                self.run.samples.push(sample);
            }
            Some(left_out) => self.run.left_out.push(left_out),
        }
        Ok(())
    }

    fn add_sustained(&mut self, sample: Sample) -> Result<(), String> {
        sample.check_ticks()?;
        let Sample { launch, case, round, .. } = sample;
        let place = self.course.share((launch, case), round, sample.start_ns)?;
        let plan = &self.run.header.plan;
        if plan.sustain_ns.is_none() || !plan.cases[case].is_row() {
            return Err(format!("case {case} was not to be loaded without pauses"));
        }
        let left_out = self.check_sample(place, &sample.measured, plan.sustained_sample_ns())?;
        self.course.advance(sample.end_ns);
        match left_out {
            None => {
                self.count(case, SampleKind::Sustained, &sample.measured)?;
                self.run.sustained.push(sample);
            }
            Some(left_out) => self.run.left_out.push(left_out),
        }
        Ok(())
    }

    fn add_beside(&mut self, beside: Beside) -> Result<(), String> {
        let samples = [&beside.row, &beside.co_runners];
        let mut left_out = Vec::new();
        for (sample, is_row) in samples.into_iter().zip([true, false]) {
            sample.check_ticks()?;
            let (launch, case, round) = (sample.launch, sample.case, sample.round);
            let place = self.course.share((launch, case), round, sample.start_ns)?;
            let planned = &self.run.header.plan.cases[case];
            if (is_row && !planned.is_row()) || (!is_row && !planned.co_runner) {
                return Err(format!("case {case} can't be a sample beside co-runners or of them"));
            }
            // Co-runners work at least as long as the samples of this row.
            let sample_ns = self.run.header.timing(beside.row.case).sample_ns;
            left_out.extend(self.check_sample(place, &sample.measured, sample_ns)?);
        }
        let end_ns = samples.map(|sample| sample.end_ns);
        end_ns.into_iter().for_each(|end_ns| self.course.advance(end_ns));
        // They were measured together, so a bad sample discards both.
        if !left_out.is_empty() {
            self.run.left_out.extend(left_out);
            return Ok(());
        }
        for sample in samples {
            self.count(sample.case, SampleKind::Beside, &sample.measured)?;
        }
        self.run.beside.push(beside);
        Ok(())
    }

    fn add_mixed(&mut self, mixed: Mixed) -> Result<(), String> {
        let Plan { mix, cases, .. } = &self.run.header.plan;
        if mix.is_none() {
            return Err("a mix record, but the plan has no mix".to_owned());
        }
        let rows = cases.iter().filter(|case| case.is_row()).count();
        let cases: BTreeSet<usize> = mixed.shares.iter().map(|share| share.case).collect();
        if (cases.len(), mixed.shares.len()) != (rows, rows) {
            return Err(format!("{} shares for {rows} cases", mixed.shares.len()));
        }
        let mut left_out = Vec::new();
        for MixedShare { launch, case, measured, .. } in &mixed.shares {
            let place = self.course.share((*launch, *case), mixed.round, measured.start_ns)?;
            let of_share = || Some(LeftOut { case: *case, what: Mixed::stray(measured)? });
            let left_out_alone = self.check_sample(place, measured, Mixed::SAMPLE_NS)?;
            left_out.extend(left_out_alone.or_else(of_share));
        }
        for share in &mixed.shares {
            self.course.advance(share.measured.end_ns);
        }
        // All shares were measured together, so one bad share discards them all.
        if !left_out.is_empty() {
            self.run.left_out.extend(left_out);
            return Ok(());
        }
        for share in &mixed.shares {
            self.count(share.case, SampleKind::Mixed, &share.measured)?;
        }
        self.run.mixed.push(mixed);
        Ok(())
    }

    fn add_rolling_list(&mut self, list: RollingList) -> Result<(), String> {
        let Plan { rolling, cases, .. } = &self.run.header.plan;
        if rolling.is_none() {
            return Err("a list, but the plan has no rolling mix".to_owned());
        }
        if self.run.rolling_list.is_some() {
            return Err("a second list of the rolling mix".to_owned());
        }
        list.check(cases)?;
        self.course.now("the list is made", list.at_ns)?;
        self.run.rolling_list = Some(list);
        Ok(())
    }

    fn add_rolling_launch(&mut self, launch: RollingLaunch) -> Result<(), String> {
        let RollingLaunch { case, thread, .. } = launch;
        if self.run.rolling_list.is_none() {
            return Err("a launch of a rolling mix without a list".to_owned());
        }
        self.course.rolling_launch(&launch, self.run.rolling_launches.len())?;
        let Case { threads, cpus, .. } = &self.run.header.plan.cases[case];
        let Some(cpu) = cpus.get(thread) else {
            return Err(format!("thread {thread} of case {case}, which has {threads}"));
        };
        launch.ready.check(&[*cpu])?;
        RollingLaunch::check_kind(&launch.ready)?;
        self.run.rolling_launches.push(launch);
        Ok(())
    }

    fn add_rolling_pass(&mut self, pass: RollingPass) -> Result<(), String> {
        let Some(list) = &self.run.rolling_list else {
            return Err("a pass of a rolling mix without a list".to_owned());
        };
        let cases = &self.run.header.plan.cases;
        let threads = cases[list.items[0].case].threads;
        self.course.pass(pass.round, pass.start_ns)?;
        pass.check(list, threads).map_err(|(case, what)| format!("case {case}: {what}"))?;
        let mut left_out = Vec::new();
        for (thread, shares) in pass.threads.iter().enumerate() {
            for (share, place) in shares.iter().zip(list.order(thread, threads)) {
                let case = share.case;
                let launch = self.course.rolling_place(share.launch, (case, thread))?;
                let request = Request {
                    cpus: &[cases[case].cpus[thread]],
                    ready: &self.run.rolling_launches[launch].ready,
                    sample_ns: list.items[place].sample_ns,
                };
                match request.check(&share.measured) {
                    Ok(()) => {}
                    Err(Flaw::Stray(what)) => left_out.push(LeftOut { case, what }),
                    Err(Flaw::Lie(what)) => return Err(what),
                }
            }
        }
        self.course.advance(pass.end_ns);
        // All of it was measured together, so one bad sample discards the pass.
        if !left_out.is_empty() {
            self.run.left_out.extend(left_out);
            return Ok(());
        }
        for share in pass.shares() {
            self.count(share.case, SampleKind::Rolling, &share.measured)?;
        }
        self.run.rolling_passes.push(pass);
        Ok(())
    }

    /// Counts a sample that figures use.
    fn count(&mut self, case: usize, kind: SampleKind, sample: &Measured) -> Result<(), String> {
        self.repeats.add(case, kind, sample);
        self.copies.add(case, sample)
    }

    /// Why a sample of the launch at this index must not be used; `None` if it is fine.
    fn check_sample(
        &self,
        place: usize,
        sample: &Measured,
        sample_ns: u64,
    ) -> Result<Option<LeftOut>, String> {
        let Launch { case, ready, .. } = &self.run.launches[place];
        let cpus = &self.run.header.plan.cases[*case].cpus;
        match (Request { cpus, ready, sample_ns }).check(sample) {
            Ok(()) => Ok(None),
            Err(Flaw::Stray(what)) => Ok(Some(LeftOut { case: *case, what })),
            Err(Flaw::Lie(what)) => Err(what),
        }
    }

    fn add_reading(&mut self, reading: Reading) -> Result<(), String> {
        // Readings of external meters may be imported after the run has ended.
        if !reading.source.starts_with(POWER) {
            self.course.aside("a reading is", reading.at_ns)?;
        }
        self.run.readings.push(reading);
        Ok(())
    }

    fn add_imported(&mut self, imported: Imported) -> Result<(), String> {
        if self.run.header.origin.is_none() {
            return Err("an imported figure in a measured run".to_owned());
        }
        self.course.check_case(imported.case)?;
        if !Imported::POSSIBLE_PER_S.contains(&imported.per_s) {
            return Err(format!("impossible throughput: {} per second", imported.per_s));
        }
        if imported.bytes_per_op == Some(0) {
            return Err("an op of 0 bytes".to_owned());
        }
        self.run.imported.push(imported);
        Ok(())
    }

    fn add_resume(&mut self, resume: Resume) -> Result<(), String> {
        if self.run.is_complete() {
            return Err("the run continues after it was complete".to_owned());
        }
        self.run.close = None;
        if self.course.resume(&resume)? {
            self.run.last_clock = ClockStart {
                launches: self.run.launches.len(),
                samples: self.run.samples.len(),
                readings: self.run.readings.len(),
                idles: self.run.idles.len(),
                mixed: self.run.mixed.len(),
                rolling_passes: self.run.rolling_passes.len(),
                sustained: self.run.sustained.len(),
                activity: self.run.activity.len(),
                resumes: self.run.resumes.len(),
            };
        }
        self.run.resumes.push(resume);
        Ok(())
    }

    pub fn finish(mut self) -> Run {
        (self.run.last_ns, self.run.spent_ns) = (self.course.last_ns, self.course.spent_ns);
        self.run.repeated = self.repeats.cases();
        let was_measured = self.run.header.origin.is_none();
        match self.run.close.as_ref().map(|close| close.ended) {
            None => self.note(if was_measured { Note::Open } else { Note::OpenImport }),
            Some(Ended::Interrupted) => self.note(Note::Interrupted),
            Some(_) => {}
        }
        if was_measured && self.run.header.plan.timing.sample_ns < LEAST_SAMPLE_NS {
            self.note(Note::ShortSamples);
        }
        if self.unknown > 0 {
            self.note(Note::Unknown { records: self.unknown });
        }
        self.run
    }
}

/// The method requires samples of at least 50 ms.
const LEAST_SAMPLE_NS: u64 = 50_000_000;
