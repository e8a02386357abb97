//! Runs with as many records of a kind as 8 MB hold.

use machine::Fact;
use record::fixture::{self, two_threads};
use record::{
    Activity, Beside, Case, Header, Idle, Imported, Launch, Meter, Origin, Outcome, Reading,
    Record, Resume, Sample, Telemetry, ThreadSpec, Variant, Verified,
};

const MS: u64 = 1_000_000;
/// The length of a sample, and the time between two.
const SAMPLE_NS: u64 = 50 * MS;
const STEP_NS: u64 = 60 * MS;

pub type Made = (Header, Vec<Record>, u64);

/// A run of many records of one kind.
pub struct Crowd {
    pub name: &'static str,
    /// Its header, its records, and when it ends.
    pub make: fn() -> Made,
}

pub const CROWDS: &[Crowd] = &[
    Crowd { name: "activity", make: activity },
    Crowd { name: "activity of one process", make: || activities(|_| 7) },
    Crowd { name: "outcomes", make: outcomes },
    Crowd { name: "launches", make: || launched(1, 7_000, 0) },
    Crowd { name: "launches of as many cases", make: || launched(4_000, 4_000, 0) },
    Crowd { name: "cases and launches of the last", make: last_case },
    Crowd { name: "samples", make: || launched(1, 1_000, 6) },
    Crowd { name: "samples of many cases", make: || launched(750, 750, 6) },
    Crowd { name: "samples that are left out", make: left_out },
    Crowd { name: "sustained", make: sustained },
    Crowd { name: "beside", make: beside },
    Crowd { name: "telemetry", make: telemetry },
    Crowd { name: "readings", make: || readings(|at| format!("fan_rpm.{}", at % 7)) },
    Crowd { name: "readings of as many sensors", make: || readings(|at| format!("power_w.{at}")) },
    Crowd { name: "idle times", make: idle },
    Crowd { name: "meters", make: meters },
    Crowd { name: "resumes", make: resumes },
    Crowd { name: "imported", make: || imports(1, 75_000) },
    Crowd { name: "imported of many cases", make: || imports(12_500, 12_500) },
    Crowd { name: "numbers of threads", make: numbers_of_threads },
    Crowd { name: "variants", make: variants },
];

/// A header with so many rows.
fn rows(count: usize) -> Header {
    let mut header = fixture::header();
    let definition = header.workloads["zip/zip"].clone();
    let names = (0..count).map(|number| format!("zip-{number}/zip"));
    let a_case = Case { thread_spec: ThreadSpec::Count(1), ..header.plan.cases.remove(0) };
    header.workloads = names.clone().map(|name| (name, definition.clone())).collect();
    header.categories[0].workloads = names.clone().collect();
    header.plan.cases = names.map(|workload| Case { workload, ..a_case.clone() }).collect();
    header.plan.timing.rounds_per_launch = 6;
    header.plan.sustain_ns = Some(86_400_000 * MS);
    header
}

fn at(place: usize) -> u64 {
    MS + place as u64 * STEP_NS
}

fn launch(place: usize, case: usize, at_ns: u64) -> Record {
    let Record::Launch(launch) = fixture::launch() else { unreachable!() };
    Record::Launch(Box::new(Launch { launch: place as u64, case, at_ns, ..*launch }))
}

fn sample((launch, case): (usize, usize), round: usize, start_ns: u64) -> Sample {
    let mut measured = two_threads([0, 1]);
    measured.threads.truncate(1);
    let length_ns = SAMPLE_NS + start_ns / 7 % 100_003;
    (measured.start_ns, measured.end_ns) = (start_ns, start_ns + length_ns);
    measured.process_elapsed_ns = length_ns;
    let thread = &mut measured.threads[0];
    (thread.ops, thread.elapsed_ns) = (1_000 + case as u64, length_ns);
    (thread.cpu_ns, thread.cpu_elapsed_ns) = (Some(length_ns), Some(length_ns));
    for pulse in [&mut thread.pulse_before, &mut thread.pulse_after] {
        (pulse.clock_ops, pulse.clock_ns) = (1_000_000, 1_000_000);
        (pulse.width_ops, pulse.width_ns) = (4_000_000, 1_000_000);
    }
    Sample {
        launch: launch as u64,
        case,
        round: round as u64,
        steal_ticks: Some(0),
        idle_ticks: None,
        total_ticks: None,
        measured,
    }
}

/// Launches in turn of so many cases, each with so many samples.
fn launched(cases: usize, launches: usize, samples: usize) -> Made {
    let mut records = Vec::new();
    for number in 0..launches {
        let case = number % cases;
        let first = number * (samples + 1);
        records.push(launch(number, case, at(first)));
        for place in first + 1..=first + samples {
            records.push(Record::Sample(sample((number, case), place, at(place))));
        }
        let (at_ns, verified) = (at(first + samples + 1), String::new());
        records.push(Record::Verified(Verified { launch: number as u64, at_ns, verified }));
    }
    (rows(cases), records, at(launches * (samples + 1)))
}

/// Each search for a launch of the others ends in vain.
fn last_case() -> Made {
    let cases = 10_000;
    let launches = 2_500;
    let records = (0..launches).map(|number| launch(number, cases - 1, at(number)));
    (rows(cases), records.collect(), at(launches))
}

fn activities(pid: fn(usize) -> u32) -> Made {
    let activity = |place: usize| {
        Record::Activity(Activity {
            since_ns: at(place),
            at_ns: at(place + 1),
            took_ns: 1,
            cpus: vec![0],
            processes: Some(vec![machine::Use {
                pid: pid(place),
                command: "x".to_owned(),
                cpu: None,
                ticks: 5,
                ended_ticks: 0,
            }]),
            ..Activity::default()
        })
    };
    let count = 22_500;
    (rows(1), (0..count).map(activity).collect(), at(count))
}

fn activity() -> Made {
    activities(|place| place as u32)
}

fn outcomes() -> Made {
    let count = 12_500;
    let outcome = |case: usize| {
        let outcome = fixture::wrong_answer(case);
        Record::Outcome(Outcome { message: "x".to_owned(), ..outcome })
    };
    (rows(count), (0..count).map(outcome).collect(), at(0))
}

/// Samples of many cases with somewhat too much CPU time.
fn left_out() -> Made {
    let (header, mut records, end_ns) = launched(750, 750, 6);
    for record in &mut records {
        if let Record::Sample(sample) = record {
            sample.measured.threads[0].cpu_ns = Some(120 * MS);
        }
    }
    (header, records, end_ns)
}

fn sustained() -> Made {
    let count = 6_500;
    let sample = |place: usize| Record::Sustained(Box::new(sample((0, 0), 0, at(20 * place))));
    let mut header = rows(1);
    // Each at least a second long.
    header.plan.sustain_ns = Some(1_000 * MS);
    let records = [launch(0, 0, MS)].into_iter().chain((0..count).map(sample));
    (header, records.collect(), at(20 * count))
}

/// A row beside as many co-runners as there are samples.
fn beside() -> Made {
    let count = 2_500;
    let mut header = rows(count + 1);
    for case in &mut header.plan.cases[1..] {
        (case.co_runner, case.cpus) = (true, vec![1]);
    }
    let mut records = vec![launch(0, 0, MS)];
    for place in 1..=count {
        let start_ns = at(2 * place);
        records.push(launch(place, place, start_ns));
        let mut co_runners = sample((place, place), place, start_ns);
        co_runners.measured.threads[0].cpu = 1;
        let row = sample((0, 0), place, start_ns);
        records.push(Record::Beside(Box::new(Beside { row, co_runners })));
    }
    (header, records, at(2 * count + 2))
}

fn telemetry() -> Made {
    let count = 35_000;
    let telemetry = |place: usize| {
        let (source, readings) = (format!("sensor {place}"), Fact::not_available("none"));
        Record::Telemetry(Telemetry { at_ns: at(place), source, readings })
    };
    (rows(1), (0..count).map(telemetry).collect(), at(count))
}

fn readings(source: fn(usize) -> String) -> Made {
    let count = 50_000;
    let reading = |place: usize| {
        Record::Reading(Reading {
            at_ns: at(place),
            source: source(place),
            value: 80.0 + place as f64,
        })
    };
    let (header, mut records, from_ns) = launched(20, 20, 6);
    let shift = |record: Record| match record {
        Record::Reading(reading) => {
            Record::Reading(Reading { at_ns: from_ns + reading.at_ns, ..reading })
        }
        other => other,
    };
    records.extend((0..count).map(reading).map(shift));
    (header, records, from_ns + at(count))
}

fn idle() -> Made {
    let count = 55_000;
    let idle =
        |place: usize| Record::Idle(Idle { start_ns: at(place), end_ns: at(place) + STEP_NS / 2 });
    (rows(1), (0..count).map(idle).collect(), at(count))
}

/// Meters that were joined, each with some readings.
fn meters() -> Made {
    let (header, mut records, end_ns) = launched(20, 20, 6);
    for meter in 0..4_500 {
        let source = format!("power_w.{meter}");
        let (file, run_sha256) = ("x".to_owned(), "0".repeat(64));
        records.push(Record::Meter(Meter {
            source: source.clone(),
            file,
            offset_ns: 0,
            run_sha256,
        }));
        for place in 0..9 {
            let (at_ns, value) = (at(place * 14), (100 + place) as f64);
            records.push(Record::Reading(Reading { at_ns, source: source.clone(), value }));
        }
    }
    (header, records, end_ns)
}

fn resumes() -> Made {
    let count = 50_000;
    let resume = |place: usize| {
        Record::Resume(Resume { at_unix_ns: 1 + at(place), at_ns: at(place), torn_bytes: 0 })
    };
    (rows(1), (0..count).map(resume).collect(), at(count))
}

fn origin() -> Option<Origin> {
    let (tool, sources, lacks) = ("a test".to_owned(), Vec::new(), Vec::new());
    Some(Origin { tool, sources, lacks, failed: Vec::new() })
}

fn imports(cases: usize, figures: usize) -> Made {
    let mut header = rows(cases);
    header.origin = origin();
    let figure = |place: usize| {
        let per_s = 1_000.0 + (place * 7_919 % 1_009) as f64;
        Record::Imported(Imported { case: place % cases, per_s, bytes_per_op: Some(10) })
    };
    (header, (0..figures).map(figure).collect(), 2_000)
}

/// A workload on each number of threads, and as many workloads on different numbers.
fn numbers_of_threads() -> Made {
    const MOST: usize = 850;
    let mut header = rows(2 * MOST);
    header.origin = origin();
    for (place, case) in header.plan.cases.iter_mut().enumerate() {
        case.threads = place % MOST + 1;
        case.thread_spec = ThreadSpec::Count(case.threads);
        case.cpus = (0..case.threads as u32).collect();
        if place < MOST {
            case.workload = "zip-0/zip".to_owned();
        }
    }
    let per_s = |case: usize| 1_000.0 * (case % MOST + 1) as f64;
    let figure = |case: usize| Imported { case, per_s: per_s(case), bytes_per_op: None };
    (header, (0..2 * MOST).map(figure).map(Record::Imported).collect(), 2_000)
}

fn variants() -> Made {
    let workloads = 12;
    let (mut header, records, end_ns) =
        launched(workloads * Variant::MOST, workloads * Variant::MOST, 6);
    let name = |number: usize| format!("v{}", number / workloads);
    for (number, case) in header.plan.cases.iter_mut().enumerate() {
        case.workload = format!("zip-{}/zip", number % workloads);
        case.variant = Some(name(number));
    }
    let names = (0..Variant::MOST).map(|variant| name(variant * workloads));
    header.variants = names.map(|name| Variant { name, ..Variant::default() }).collect();
    header.workloads = (header.plan.cases.iter())
        .map(|case| (case.workload.clone(), header.workloads[&case.workload].clone()))
        .collect();
    header.categories[0].workloads = header.workloads.keys().cloned().collect();
    (header, records, end_ns)
}
