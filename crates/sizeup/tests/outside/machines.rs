//! Results from whole machines in an emulator: `tests/machines/test` boots them and runs `tests/machines/guest` there.
//! `SIZEUP_MACHINES` names the folders of results.

mod faults;

use record::{OutcomeKind, Run};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A machine: its folder, and what it is made of, which its name says.
struct Shape {
    folder: PathBuf,
    name: String,
    sockets: usize,
    cores_per_socket: usize,
    threads_per_core: usize,
}

impl Shape {
    /// `x86_64-2x8x2`: two sockets of eight cores of two threads.
    fn of(folder: &Path) -> Self {
        let name = folder.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let (_, numbers) = name.split_once('-').expect("an architecture and a shape");
        let numbers: Vec<usize> =
            numbers.split('x').map(|number| number.parse().expect("a number")).collect();
        let [sockets, cores_per_socket, threads_per_core] = numbers[..] else {
            panic!("{name} has not three numbers")
        };
        Self { folder: folder.to_owned(), name, sockets, cores_per_socket, threads_per_core }
    }

    fn cores(&self) -> usize {
        self.sockets * self.cores_per_socket
    }

    fn cpus(&self) -> usize {
        self.cores() * self.threads_per_core
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file))
            .unwrap_or_else(|e| panic!("{}: {file}: {e}", self.name))
    }

    fn run(&self, file: &str) -> Run {
        let path = self.folder.join(format!("{file}.run.jsonl"));
        record::read(&path).unwrap_or_else(|e| panic!("{}: {file}: {e}", self.name))
    }

    /// The core of each CPU, by the lowest CPU of that core, and its socket.
    fn places(&self) -> BTreeMap<u32, (u32, u32)> {
        let run = self.run("sweep");
        let cpus = run.header.machine.topology.cpus.iter();
        cpus.map(|cpu| (cpu.cpu, (cpu.core_key(), cpu.package))).collect()
    }
}

fn shapes() -> Vec<Shape> {
    let folders =
        std::env::var("SIZEUP_MACHINES").expect("`make test-machines` sets SIZEUP_MACHINES");
    let shapes: Vec<Shape> = folders
        .split(':')
        .filter(|path| !path.is_empty())
        .map(|path| Shape::of(Path::new(path)))
        .collect();
    assert!(!shapes.is_empty(), "no machine was booted");
    shapes
}

#[test]
#[ignore = "needs machines: make test-machines"]
fn a_machine_is_told_as_it_is() {
    for shape in shapes() {
        let answer: Value = serde_json::from_str(&shape.read("machine.json")).expect("JSON");
        let machine = &answer["data"];
        let topology = &machine["topology"];
        let numbers = ["sockets", "cores", "threads", "threads_per_core"]
            .map(|field| topology[field].as_u64().expect("a number") as usize);
        let expected = [shape.sockets, shape.cores(), shape.cpus(), shape.threads_per_core];
        assert_eq!(numbers, expected, "{}", shape.name);
        // The kernel speaks of SMT on x86 only.
        if shape.name.starts_with("x86_64") {
            assert_eq!(
                topology["smt"] == "on",
                shape.threads_per_core > 1,
                "{}: {topology}",
                shape.name
            );
        }
        let nodes: Vec<(&str, bool)> = machine["memory"]["nodes"]
            .as_array()
            .expect("nodes")
            .iter()
            .map(|node| {
                (
                    node["cpus"].as_str().expect("CPUs"),
                    node["memory_bytes"].as_u64() > Some(1 << 30),
                )
            })
            .collect();
        let per_node = shape.cpus() / shape.sockets;
        let of_nodes: Vec<String> = (0..shape.sockets)
            .map(|node| format!("{}-{}", node * per_node, (node + 1) * per_node - 1))
            .collect();
        let expected: Vec<(&str, bool)> =
            of_nodes.iter().map(|cpus| (cpus.as_str(), true)).collect();
        assert_eq!(nodes, expected, "{}", shape.name);
    }
}

#[test]
#[ignore = "needs machines: make test-machines"]
fn pairs_of_cpus_are_told_by_what_they_share() {
    for shape in shapes() {
        let answer: Value = serde_json::from_str(&shape.read("measured.json")).expect("JSON");
        let measured = &answer["data"]["measured"];
        let places = shape.places();
        let pairs = measured["core_to_core"]["pairs"].as_array().expect("pairs");
        let mut seen = BTreeSet::new();
        for pair in pairs {
            let place = |cpu: &Value| places[&(cpu.as_u64().expect("a CPU") as u32)];
            let ((core_a, socket_a), (core_b, socket_b)) = (place(&pair["a"]), place(&pair["b"]));
            let relation = pair["relation"].as_str().expect("a relation");
            let is_right = match relation {
                "smt-siblings" => core_a == core_b,
                "same-l3" | "same-socket" => core_a != core_b && socket_a == socket_b,
                _ => socket_a != socket_b,
            };
            assert!(is_right, "{}: {pair}", shape.name);
            seen.insert(relation);
        }
        let has = |relation: &str| seen.contains(relation);
        assert_eq!(has("smt-siblings"), shape.threads_per_core > 1, "{}", shape.name);
        assert_eq!(has("other-socket"), shape.sockets > 1, "{}", shape.name);
        let clocks = measured["clocks"].as_array().expect("clocks");
        assert_eq!(clocks.last().expect("a step")["cores"], shape.cores(), "{}", shape.name);
        assert_ne!(measured["emulation"], "none seen", "{}", shape.name);
    }
}

#[test]
#[ignore = "needs machines: make test-machines"]
fn no_row_is_refused_on_any_number_of_threads() {
    for shape in shapes() {
        let run = shape.run("sweep");
        let counts: BTreeSet<usize> = run.judged_cases().map(|(_, case)| case.threads).collect();
        for count in [1, 2, 8, 16, 32] {
            assert_eq!(
                counts.contains(&count),
                count <= shape.cpus(),
                "{}: {counts:?}",
                shape.name
            );
        }
        for file in ["sweep", "workers", "cores", "threads", "socket"] {
            let run = shape.run(file);
            for (number, case) in run.judged_cases() {
                let outcome = run.outcome(number);
                assert!(outcome.is_none(), "{}: {file}: {case:?}: {outcome:?}", shape.name);
                assert!(
                    run.samples_of(number).next().is_some(),
                    "{}: {file}: {case:?}",
                    shape.name
                );
            }
            // The emulator's CPUs stand still for longer than any that is for sale, so that a few are left out; many
            // are a bound that is wrong.
            let (left_out, kept) = (&run.left_out, run.samples.len());
            assert!(left_out.len() <= 1 + kept / 20, "{}: {file}: {left_out:?}", shape.name);
        }
        let suite = shape.run("workers");
        let is_control = |case: usize| suite.header.plan.cases[case].control;
        let controls = suite.samples.iter().filter(|sample| is_control(sample.case));
        assert!(controls.count() > 0, "{}: no control was measured", shape.name);
        assert!(run.is_complete(), "{}: {:?}", shape.name, run.notes);
    }
}

/// Threads that were seen: process → thread of the launch → CPUs where it ran, and may run.
type Seen = BTreeMap<u32, BTreeMap<usize, BTreeSet<(u32, String)>>>;

fn seen(shape: &Shape) -> Seen {
    let mut seen = Seen::new();
    for line in shape.read("threads").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [pid, thread, ran, allowed] = words[..] else { panic!("{}: {line}", shape.name) };
        let number = |text: &str| text.parse::<u32>().expect("a number");
        let threads = seen.entry(number(pid)).or_default();
        threads
            .entry(number(thread) as usize)
            .or_default()
            .insert((number(ran), allowed.to_owned()));
    }
    seen
}

#[test]
#[ignore = "needs machines: make test-machines"]
fn threads_run_where_their_placement_says() {
    for shape in shapes() {
        let places = shape.places();
        let mut planned: BTreeSet<Vec<u32>> = BTreeSet::new();
        for placement in ["cores", "threads", "socket"] {
            for (_, case) in shape.run(placement).judged_cases() {
                let distinct = |part: fn(&(u32, u32)) -> u32| {
                    case.cpus.iter().map(|cpu| part(&places[cpu])).collect::<BTreeSet<u32>>().len()
                };
                let (cores, sockets) = (distinct(|place| place.0), distinct(|place| place.1));
                let threads = case.threads;
                let expected = match placement {
                    "cores" => (threads.min(shape.cores()), None),
                    "threads" => (threads.div_ceil(shape.threads_per_core), None),
                    // A socket's second threads come before the next socket.
                    _ => (
                        threads.min(shape.cores_per_socket).max(threads / shape.threads_per_core),
                        Some(threads.div_ceil(shape.cores_per_socket * shape.threads_per_core)),
                    ),
                };
                let name = &shape.name;
                assert_eq!(cores, expected.0, "{name}: {placement}: {case:?}");
                assert_eq!(sockets, expected.1.unwrap_or(sockets), "{name}: {placement}: {case:?}");
                planned.insert(case.cpus.clone());
            }
        }
        planned.extend(shape.run("sweep").header.plan.cases.iter().map(|case| case.cpus.clone()));
        let seen = seen(&shape);
        // A thread ran where it was pinned, and its launch's threads are pinned as a case says.
        for (pid, threads) in &seen {
            let pinned = threads.iter().map(|(thread, at)| Some((*thread, pinned_cpu(at)?)));
            // While it starts, a thread may be anywhere that its process may be.
            let Some(pinned) = pinned.collect::<Option<Vec<(usize, u32)>>>() else { continue };
            let is_of =
                |cpus: &Vec<u32>| pinned.iter().all(|(thread, cpu)| cpus.get(*thread) == Some(cpu));
            assert!(planned.iter().any(is_of), "{}: process {pid} on {pinned:?}", shape.name);
        }
        let most = seen.values().map(BTreeMap::len).max();
        assert_eq!(most, Some(shape.cpus()), "{}: threads that were seen of a launch", shape.name);
    }
}

/// The only CPU where a thread ran and may run.
fn pinned_cpu(at: &BTreeSet<(u32, String)>) -> Option<u32> {
    let mut at = at.iter();
    let (ran, allowed) = at.next()?;
    (at.next().is_none() && *allowed == ran.to_string()).then_some(*ran)
}

#[test]
#[ignore = "needs machines: make test-machines"]
fn what_memory_cannot_hold_is_refused_and_what_it_can_is_measured() {
    for shape in shapes() {
        let run = shape.run("memory");
        for (number, case) in run.judged_cases() {
            let outcome = run.outcome(number);
            match case.threads {
                1 => assert!(outcome.is_none(), "{}: {outcome:?}", shape.name),
                _ => {
                    let outcome = outcome.expect("it is refused");
                    let is_refused = (outcome.outcome, outcome.kind.as_str());
                    assert_eq!(is_refused, (OutcomeKind::Unavailable, "memory"), "{}", shape.name);
                }
            }
        }
    }
}

#[test]
#[ignore = "needs machines: make test-machines"]
fn a_run_that_was_killed_is_gone_on_with() {
    for shape in shapes() {
        let (before, after) = (shape.run("before"), shape.run("killed"));
        assert!(!before.is_complete() && !before.samples.is_empty(), "{}", shape.name);
        assert!(after.is_complete(), "{}: {:?}", shape.name, after.notes);
        assert_eq!(after.samples[..before.samples.len()], before.samples[..], "{}", shape.name);
        assert!(after.samples.len() > before.samples.len(), "{}", shape.name);
    }
}

#[test]
#[ignore = "needs machines: make test-machines"]
fn every_command_ended_as_it_should() {
    for shape in shapes() {
        let expected = [
            "sweep: 0",
            "workers: 0",
            "cores: 0",
            "threads: 0",
            "socket: 0",
            "memory: 3",
            "resumed: 0",
        ]
        .map(|line| line.replace(": ", ": exit status "));
        let statuses = shape.read("statuses");
        for (status, expected) in statuses.lines().zip(&expected) {
            let command = status.split(':').next().unwrap_or_default();
            let [said, measured] = ["txt", "run.jsonl"].map(|end| {
                let file = if command == "resumed" { "killed" } else { command };
                shape.read(&format!("{file}.{end}"))
            });
            let outcomes = measured.lines().filter(|line| line.contains(r#""record":"outcome""#));
            let outcomes: Vec<&str> = outcomes.collect();
            assert_eq!(status, expected, "{}: {said}{outcomes:#?}", shape.name);
        }
        assert_eq!(statuses.lines().count(), expected.len(), "{}: {statuses}", shape.name);
    }
}
