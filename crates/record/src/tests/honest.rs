//! A run as it is measured: every step takes time, and is recorded when it ends.

use super::*;
use ThreadSpec::Count;
use machine::CpuList;

pub(super) const SAMPLE_NS: u64 = 50 * MS;

/// A machine with two CPUs: a case on one of them, one on both, and one on four threads.
fn header() -> Header {
    let mut header = fixture::header();
    header.machine.limits.allowed_cpus = CpuList::from(vec![0, 1]);
    let case = header.plan.cases.remove(0);
    let case = |cpus: &[u32]| Case {
        thread_spec: Count(cpus.len()),
        threads: cpus.len(),
        cpus: cpus.to_vec(),
        ..case.clone()
    };
    header.plan.cases = vec![case(&[0]), case(&[0, 1]), case(&[0, 1, 0, 1])];
    header
}

/// A run as it is measured: what happens in it takes time.
pub(super) struct Honest {
    pub records: Vec<Record>,
    pub now_ns: u64,
    pub looked_ns: u64,
    pub round: u64,
    pub launches: u64,
    /// Each case's launch, if it has a live one.
    pub live: [Option<u64>; 3],
    pub has_outcome: [bool; 3],
    pub samples: [u64; 3],
    pub sampled: u64,
}

impl Honest {
    pub fn start() -> Self {
        Self {
            records: vec![Record::Header(Box::new(header()))],
            now_ns: 1_000,
            looked_ns: 1_000,
            round: 0,
            launches: 0,
            live: [None; 3],
            has_outcome: [false; 3],
            samples: [0; 3],
            sampled: 0,
        }
    }

    pub fn launch(&mut self, case: usize) {
        self.verify(case);
        if self.has_outcome[case] {
            return;
        }
        self.now_ns += MS;
        let Record::Launch(launch) = launch() else { unreachable!() };
        let (number, at_ns) = (self.launches, self.now_ns);
        self.records.push(Record::Launch(Box::new(Launch {
            launch: number,
            case,
            at_ns,
            ..*launch
        })));
        self.live[case] = Some(number);
        self.samples[case] = 0;
        self.launches += 1;
    }

    pub fn measured(&mut self, case: usize, length_ns: u64) -> Measured {
        let cpus = header().plan.cases[case].cpus.clone();
        let mut sample = two_threads([0, 1]);
        let mut thread = sample.threads[0].clone();
        self.sampled += 1;
        (thread.ops, thread.elapsed_ns) = (1_000 + self.sampled % 7, length_ns);
        (thread.cpu_ns, thread.cpu_elapsed_ns) = (Some(length_ns / 3), Some(length_ns));
        thread.pulse_after.clock_ns += self.sampled;
        sample.threads = cpus.iter().map(|&cpu| ThreadSample { cpu, ..thread.clone() }).collect();
        (sample.start_ns, sample.end_ns) = (self.now_ns, self.now_ns + length_ns);
        sample.process_elapsed_ns = length_ns;
        sample
    }

    pub fn sample(&mut self, case: usize) {
        if self.samples[case] == header().plan.timing.rounds_per_launch {
            self.verify(case);
        }
        if self.live[case].is_none() {
            self.launch(case);
        }
        let Some(launch) = self.live[case] else { return };
        self.now_ns += MS;
        let measured = self.measured(case, SAMPLE_NS + self.sampled % 5);
        self.now_ns = measured.end_ns;
        self.samples[case] += 1;
        let (round, steal_ticks) = (self.round, Some(0));
        self.records.push(Record::Sample(Sample {
            launch,
            case,
            round,
            steal_ticks,
            idle_ticks: None,
            total_ticks: None,
            measured,
        }));
    }

    pub fn verify(&mut self, case: usize) {
        let Some(launch) = self.live[case].take() else { return };
        self.now_ns += 1;
        let (at_ns, verified) = (self.now_ns, String::new());
        self.records.push(Record::Verified(Verified { launch, at_ns, verified }));
    }

    pub fn fail(&mut self, case: usize) {
        if std::mem::replace(&mut self.has_outcome[case], true) {
            return;
        }
        self.live[case] = None;
        self.records.push(Record::Outcome(Outcome {
            case,
            outcome: OutcomeKind::Failed,
            kind: "died".to_owned(),
            message: String::new(),
            hint: String::new(),
            stderr: String::new(),
        }));
    }

    pub fn end_round(&mut self) {
        let source = "load1".to_owned();
        self.records.push(Record::Reading(Reading { at_ns: self.now_ns, source, value: 1.0 }));
        let since_ns = std::mem::replace(&mut self.looked_ns, self.now_ns);
        let at_ns = self.now_ns;
        self.records.push(Record::Activity(Activity { since_ns, at_ns, ..Activity::default() }));
        self.round += 1;
    }

    pub fn resume(&mut self, at_ns: u64) {
        (self.now_ns, self.looked_ns) = (at_ns, at_ns);
        self.live = [None; 3];
        self.round += 1;
        self.records.push(Record::Resume(Resume { at_unix_ns: 9, at_ns, torn_bytes: 0 }));
    }
}

/// Two rounds of the first two cases: the header is line 1, launches are 2 and 3, samples 4, 5, 8 and 9, and after each round
/// come a reading and an activity.
pub(super) fn honest() -> Honest {
    let mut run = Honest::start();
    run.launch(0);
    run.launch(1);
    for _ in 0..2 {
        run.sample(0);
        run.sample(1);
        run.end_round();
    }
    run
}

/// Writes these records and a close record at a time, with a correct digest, and reads the file.
pub(super) fn read_back(records: &[Record], closed_ns: u64) -> Result<Run, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.jsonl");
    let Record::Header(header) = &records[0] else { unreachable!() };
    let mut writer = Writer::create(&path, header).unwrap();
    records[1..].iter().for_each(|record| writer.write(record).unwrap());
    writer.close(Ended::Budget, closed_ns).unwrap();
    let run = read(&path).map_err(|e| {
        let read_back = e.to_string();
        read_back.rsplit_once("x.jsonl: ").map_or(read_back.clone(), |(_, what)| what.to_owned())
    })?;
    assert_eq!(run.notes, []);
    Ok(run)
}

/// Why a run's file is refused.
#[track_caller]
pub(super) fn refused(run: &Honest) -> String {
    read_back(&run.records, run.now_ns).unwrap_err()
}

#[test]
fn a_run_that_was_measured_is_read() {
    let run = honest();
    let read = read_back(&run.records, run.now_ns).unwrap();
    assert_eq!((read.samples.len(), read.last_ns), (4, run.now_ns));
}

/// Something that happens in a run.
#[derive(Debug, Clone)]
enum Step {
    Sample(usize),
    Launch(usize),
    Verify(usize),
    Fail(usize),
    EndRound,
    /// On the same clock, or on one that starts anew.
    Resume(bool),
}

fn step() -> impl Strategy<Value = Step> {
    let case = 0..3_usize;
    prop_oneof![
        6 => case.clone().prop_map(Step::Sample),
        1 => case.clone().prop_map(Step::Launch),
        1 => case.clone().prop_map(Step::Verify),
        1 => case.prop_map(Step::Fail),
        1 => Just(Step::EndRound),
        1 => any::<bool>().prop_map(Step::Resume),
    ]
}

/// When a record says that something happened, if it does.
fn time_of(record: &mut Record) -> Option<&mut u64> {
    match record {
        Record::Launch(launch) => Some(&mut launch.at_ns),
        Record::Sample(sample) => Some(&mut sample.measured.start_ns),
        Record::Verified(verified) => Some(&mut verified.at_ns),
        _ => None,
    }
}

proptest! {
    #[test]
    fn a_run_is_believed_whatever_happened_in_it_and_no_record_of_another_time(
        steps in prop::collection::vec(step(), 0..60),
        at in any::<prop::sample::Index>(),
    ) {
        let mut run = Honest::start();
        for step in steps {
            match step {
                Step::Sample(case) => run.sample(case),
                Step::Launch(case) => run.launch(case),
                Step::Verify(case) => run.verify(case),
                Step::Fail(case) => run.fail(case),
                Step::EndRound => run.end_round(),
                Step::Resume(is_anew) => run.resume(if is_anew { 7 } else { run.now_ns + 7 }),
            }
        }
        let read = read_back(&run.records, run.now_ns);
        prop_assert!(read.is_ok(), "{:?}", read);
        let place = at.index(run.records.len());
        // Nothing of this clock was so early.
        if let Some(time) = time_of(&mut run.records[place]) {
            *time = 6;
            prop_assert!(read_back(&run.records, run.now_ns).is_err());
        }
    }
}
