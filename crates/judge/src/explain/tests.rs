use super::evidence::evidence;
use super::side::Side;
use super::*;
use crate::compare::{Pairs, Sheet};
use catalog::Family;
use estimate::ViewKind;
use machine::{Fact, Topology};
use proptest::prelude::*;
use record::fixture::run;
use record::{Run, ThreadSpec};
use std::collections::BTreeMap;

/// Traits of a made-up machine's row, on one thread and, by default, on all its cores.
#[derive(Debug, Clone)]
struct Made {
    name: &'static str,
    /// Ops in 10⁹ cycles of a core outside the kernel.
    per_cycle: f64,
    kernel: f64,
    faults_per_op: u64,
    /// Throughput per core with all at work, over that of a core alone.
    scaling: f64,
}

const PLAIN: Made =
    Made { name: "a/x", per_cycle: 1.0, kernel: 0.0, faults_per_op: 0, scaling: 1.0 };

/// A run of these rows, each on one thread and on all of so many cores, at a clock in GHz.
fn machine(cores: u32, ghz: f64, rows: &[Made]) -> Run {
    let names: Vec<(&str, &[u64])> =
        rows.iter().flat_map(|row| [(row.name, &[1; 40][..]), (row.name, &[1; 40][..])]).collect();
    let mut run = run(&names);
    run.header.machine.topology = Topology::with_siblings(cores, |cpu| vec![cpu]);
    run.header.workloads = names
        .iter()
        .map(|(name, _)| ((*name).to_owned(), run.header.workloads[*name].clone()))
        .collect::<BTreeMap<_, _>>();
    for (number, case) in run.header.plan.cases.iter_mut().enumerate() {
        if number % 2 == 1 {
            (case.thread_spec, case.threads) = (ThreadSpec::All, cores as usize);
            case.cpus = (0..cores).collect();
        }
    }
    for sample in &mut run.samples {
        let row = &rows[sample.case / 2];
        let threads = if sample.case % 2 == 1 { cores } else { 1 };
        let is_alone = sample.case.is_multiple_of(2);
        let kept = if is_alone { 1.0 } else { row.scaling };
        // A little noise: nothing that was measured has no spread.
        let noise = 1.0 + 0.001 * (sample.round % 3) as f64;
        let ops = 1e6 * row.per_cycle * (1.0 - row.kernel) * kept * ghz * noise;
        let measured = &mut sample.measured;
        measured.start_ns = 3_000 + sample.round * 1_000_000_000 + sample.case as u64 * 60_000_000;
        measured.end_ns = measured.start_ns + 50_000_000;
        measured.process_elapsed_ns = 50_000_000;
        measured.process_cpu_ns = 50_000_000 * u64::from(threads);
        let thread = &mut measured.threads[0];
        (thread.ops, thread.elapsed_ns) = (ops as u64, 50_000_000);
        (thread.cpu_ns, thread.cpu_elapsed_ns) = (Some(50_000_000), Some(50_000_000));
        thread.system_ns = Some((row.kernel * 50_000_000.0) as u64);
        thread.minor_faults = Some(row.faults_per_op * ops as u64);
        for pulse in [&mut thread.pulse_before, &mut thread.pulse_after] {
            (pulse.clock_ops, pulse.clock_ns) = ((ghz * 1e6 / 3.0) as u64, 1_000_000);
            (pulse.width_ops, pulse.width_ns) = ((ghz * 4e6) as u64, 1_000_000);
        }
        let thread = thread.clone();
        measured.threads =
            (0..threads).map(|cpu| record::ThreadSample { cpu, ..thread.clone() }).collect();
    }
    run
}

fn group(label: &str, run: &Run) -> Group {
    let figures = Sheet::of(run, ViewKind::Uncontended);
    Group::of(label.to_owned(), ViewKind::Uncontended, vec![figures]).expect("a run")
}

fn explained(baseline: &Run, other: &Run) -> ExplainedPair {
    let (baseline, other) = (group("old", baseline), group("new", other));
    explain(&Pairs::of(&baseline, &other, &[]))
}

fn row(pair: &ExplainedPair, threads: ThreadSpec) -> &ExplainedRow {
    pair.rows.iter().find(|row| row.threads == threads).expect("the row")
}

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 0.01, "{found}, not {expected}");
}

#[test]
fn a_ratio_is_cores_times_clock_times_the_rest() {
    let old = machine(2, 3.0, &[Made { kernel: 0.5, ..PLAIN }]);
    let new = machine(4, 2.4, &[Made { per_cycle: 1.2, kernel: 0.2, scaling: 0.9, ..PLAIN }]);
    let explanation = explained(&old, &new);
    let all = row(&explanation, ThreadSpec::All);
    for (kind, expected) in [
        (FactorKind::Cores, 2.0),
        (FactorKind::Clock, 0.8),
        (FactorKind::Kernel, 0.8 / 0.5),
        (FactorKind::WorkPerCycle, 1.2),
        (FactorKind::Scaling, 0.9),
    ] {
        assert_near(all.factor(kind), expected);
    }
    let one = row(&explanation, ThreadSpec::Count(1));
    assert_near(one.factor(FactorKind::Cores), 1.0);
    assert_near(one.factor(FactorKind::WorkPerCycle), 1.2);
    assert!(one.factors.iter().all(|factor| factor.kind != FactorKind::Scaling));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn factors_multiply_to_the_ratio_and_hold_it_in_their_lines(
        cores in 1_u32..5, ghz in 1.0..5.0_f64, per_cycle in 0.2..5.0_f64, kernel in 0.0..0.9_f64,
        scaling in 0.3..1.5_f64,
    ) {
        let made = Made { per_cycle, kernel, scaling, ..PLAIN };
        let explanation = explained(&machine(2, 3.0, &[PLAIN]), &machine(cores, ghz, &[made]));
        for row in &explanation.rows {
            let product: f64 = row.factors.iter().map(|factor| factor.ratio.centre).product();
            prop_assert!((product / row.ratio.centre - 1.0).abs() < 0.01, "{row:?}");
        }
        for line in &explanation.lines {
            let product: f64 = line.factors.iter().map(|factor| factor.ratio.centre).product();
            prop_assert!((product / line.ratio.centre - 1.0).abs() < 0.01, "{line:?}");
        }
    }
}

#[test]
fn what_has_no_clock_is_unexplained_beside_its_cores() {
    let rows: &[_] = &[("a/x", ThreadSpec::Count(1), 1, &[100.0, 101.0][..])];
    let import = record::fixture::imported("m", &catalog::Unit::Ops, rows);
    let explanation = explained(&import, &import);
    assert!(!explanation.rows[0].is_explained());
    assert_eq!((explanation.lines.len(), explanation.outliers.len()), (0, 0));
}

/// Ten rows that are alike on both machines, and one that is not.
fn with_one(apart: Made) -> (Vec<Made>, Vec<Made>) {
    const NAMES: [&str; 10] =
        ["b/x", "c/x", "d/x", "e/x", "f/x", "g/x", "h/x", "i/x", "j/x", "k/x"];
    let alike: Vec<Made> = NAMES.map(|name| Made { name, ..PLAIN }).into();
    let (mut old, mut new) = (alike.clone(), alike);
    old.push(Made { name: apart.name, ..PLAIN });
    new.push(apart);
    (old, new)
}

fn outliers(apart: Made) -> Vec<Outlier> {
    let (old, new) = with_one(apart);
    explained(&machine(1, 3.0, &old), &machine(1, 3.0, &new)).outliers
}

#[test]
fn a_row_far_from_the_others_is_ranked_first_with_the_factor_that_makes_it_so() {
    let found = outliers(Made { kernel: 0.75, faults_per_op: 5_222, ..PLAIN });
    // On one thread, and on all.
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[0].workload.as_str(), found[0].kind), ("a/x", FactorKind::Kernel));
    assert_near(found[0].ratio.centre, 0.25);
    assert_near(found[0].apart, 0.25);
    let evidence = found[0].evidence.as_deref().expect("the kernel's share");
    assert_eq!(evidence, "CPU time in the kernel: 75 % on new (5,222 page faults/op), 0 % on old");
}

#[test]
fn among_few_rows_nothing_is_usual_but_what_the_machine_gives_all() {
    // Two of three rows are eight times as fast: their median is no measure of the third.
    let named = |name, per_cycle| Made { name, per_cycle, ..PLAIN };
    let old = ["b/x", "c/x", "d/x"].map(|name| named(name, 1.0));
    let new = [named("b/x", 8.0), named("c/x", 8.0), named("d/x", 1.0)];
    let found = explained(&machine(1, 3.0, &old), &machine(1, 2.4, &new)).outliers;
    let mut names: Vec<&str> = found.iter().map(|outlier| outlier.workload.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["b/x", "b/x", "c/x", "c/x"]);
    assert!(found.iter().all(|outlier| (outlier.expected - 0.8).abs() < 0.01), "{found:?}");
}

#[test]
fn what_nothing_was_measured_of_is_unexplained_and_rows_that_are_alike_are_no_outliers() {
    let found = outliers(Made { per_cycle: 1.5, ..PLAIN });
    assert_eq!((found[0].kind, found[0].evidence.clone()), (FactorKind::WorkPerCycle, None));
    assert!(outliers(Made { per_cycle: 1.05, ..PLAIN }).is_empty());
}

#[test]
fn another_path_of_the_library_is_the_evidence_of_more_work_per_cycle() {
    let (old, new) = with_one(Made { per_cycle: 2.0, ..PLAIN });
    let with_path = |made: &[Made], path: &str| {
        let mut run = machine(1, 3.0, made);
        for launch in &mut run.launches {
            let path = if launch.case >= 20 { path } else { "sse2" };
            launch.ready.build.paths = BTreeMap::from([("lib".to_owned(), path.to_owned())]);
        }
        run
    };
    let found = explained(&with_path(&old, "sse2"), &with_path(&new, "avx512")).outliers;
    let evidence = found[0].evidence.as_deref().expect("the paths");
    assert_eq!(evidence, "lib uses \"avx512\" on new, \"sse2\" on old");
}

#[test]
fn instruction_sets_that_one_cpu_lacks_are_named_within_an_architecture() {
    let with = |features: &[&str]| {
        let mut run = machine(1, 3.0, &[PLAIN]);
        let features = features.iter().map(|name| (*name).to_owned()).collect();
        run.header.machine.cpu.features = Fact::Known(features);
        run
    };
    let explanation = explained(&with(&["aes", "avx2"]), &with(&["aes", "avx2", "avx512f"]));
    assert_eq!(explanation.only_other, ["avx512f"]);
    assert!(explanation.only_baseline.is_empty());
    assert!(explanation.switched_off.is_empty());
    let mut off = with(&["aes", "avx2", "avx512f"]);
    off.header.plan.isa = vec![machine::IsaSwitch::NoAvx512];
    let explanation = explained(&with(&["aes", "avx2", "avx512f"]), &off);
    assert_eq!(explanation.only_baseline, ["avx512f"]);
    let says = "avx512f: switched off on new by --isa no-avx512";
    assert_eq!(explanation.switched_off, [says]);
    let across = explained(&with(&["aes"]), &with(&["asimd"]));
    assert!(across.only_other.is_empty() && across.only_baseline.is_empty());
}

#[test]
fn rows_that_something_slows_are_found_without_another_machine() {
    let slowed = Made { name: "slow/x", kernel: 0.8, faults_per_op: 100, ..PLAIN };
    let crowded = Made { name: "crowded/x", scaling: 0.5, ..PLAIN };
    let run = machine(2, 3.0, &[PLAIN, slowed, crowded]);
    let found = standouts(&[&group("m", &run)]);
    let causes: Vec<(&str, Cause)> =
        found.iter().map(|standout| (standout.workload.as_str(), standout.cause)).collect();
    assert_eq!(
        causes,
        [
            ("slow/x", Cause::PageFaults),
            ("slow/x", Cause::PageFaults),
            ("crowded/x", Cause::Scaling)
        ]
    );
    assert_near(found[0].loss, 0.8);
    assert_eq!(found[2].evidence, "a core does 50 % of the work per cycle that it does alone");
    assert!(standouts(&[&group("m", &machine(2, 3.0, &[PLAIN]))]).is_empty());
}

/// A run of a plain row on one machine, whose collections take so much of the time.
fn collecting(share: f64) -> Run {
    let mut run = machine(1, 3.0, &[PLAIN]);
    for thread in run.samples.iter_mut().flat_map(|sample| &mut sample.measured.threads) {
        thread.gc_ns = Some((share * thread.elapsed_ns as f64) as u64);
    }
    run
}

#[test]
fn collections_that_stop_a_row_are_found() {
    let found = standouts(&[&group("m", &collecting(0.25))]);
    assert_eq!(found[0].cause, Cause::Collections);
    assert_eq!(found[0].evidence, "garbage collections stop it for 25 % of the time");
    assert_near(found[0].loss, 0.25);
    assert!(standouts(&[&group("m", &collecting(0.05))]).is_empty());
}

#[test]
fn collections_are_evidence_of_another_speed_where_they_take_some_of_the_time() {
    let said = |baseline: f64, other: f64| {
        let (baseline, other) = (collecting(baseline), collecting(other));
        let (old, new) = (group("old", &baseline), group("new", &other));
        let side = |group| Side::of(group, "a/x", ThreadSpec::Count(1)).expect("the row");
        evidence(FactorKind::WorkPerCycle, side(&old), side(&new))
    };
    let both = said(0.12, 0.31).expect("it is worth a word");
    assert_eq!(both, "time in garbage collections: 31 % on new, 12 % on old");
    assert_eq!(said(0.01, 0.04), None);
}

/// A run of a row, and of others that measure the kernel and the memory; families as their tables have them.
fn gauged(ghz: f64, row: Made, memory: f64) -> Run {
    let made = [
        row,
        Made { name: "syscall/linux", kernel: 0.9, ..PLAIN },
        Made { name: "page-fault/linux", kernel: 0.9, faults_per_op: 1000, ..PLAIN },
        Made { name: "memory-triad/stream", per_cycle: memory, scaling: 0.5, ..PLAIN },
        Made { name: "memory-random-read/loads", per_cycle: memory, scaling: 0.75, ..PLAIN },
    ];
    let mut run = machine(2, ghz, &made);
    for (name, family) in [
        ("syscall/linux", Family::Kernel),
        ("page-fault/linux", Family::Kernel),
        ("memory-triad/stream", Family::Memory),
        ("memory-random-read/loads", Family::Memory),
    ] {
        run.header.workloads.get_mut(name).expect("the row").family = family;
    }
    run
}

fn words(run: &Run, workload: &str, threads: ThreadSpec) -> Vec<String> {
    let found = standouts(&[&group("m", run)]).into_iter();
    let is_it = |standout: &Standout| standout.workload == workload && standout.threads == threads;
    found.filter(is_it).map(|standout| standout.evidence).collect()
}

#[test]
fn kernel_time_stands_beside_what_faults_and_calls_take_in_the_rows_that_measure_them() {
    // 0.3 × 10⁶ ops at 3 GHz take 50 ms, of which the kernel has 90 %: 150 ns/op, 0.15 ns for each of 1,000 faults.
    let faulting = Made { kernel: 0.8, faults_per_op: 100, ..PLAIN };
    let one = ThreadSpec::Count(1);
    assert_eq!(
        words(&gauged(3.0, faulting.clone(), 1.0), "a/x", one),
        [
            "100.0 page faults/op, 80 % of its CPU time in the kernel: 66.6 ns/op; that many faults take 15.0 ns in \
          page-fault/linux (0.150 ns each, 1 thread)"
        ]
    );
    // 256 calls in 150 ns.
    let calling = Made { faults_per_op: 0, ..faulting.clone() };
    assert_eq!(
        words(&gauged(3.0, calling, 1.0), "a/x", one),
        [
            "80 % of its CPU time in the kernel, without page faults: 66.6 ns/op, as long as 114 system calls in \
          syscall/linux (0.585 ns each, 1 thread)"
        ]
    );
    // Without these rows nothing is said.
    assert_eq!(
        words(&machine(2, 3.0, &[faulting]), "a/x", one),
        ["100.0 page faults/op, 80 % of its CPU time in the kernel"]
    );
}

#[test]
fn page_faults_are_the_cause_only_where_they_take_most_of_the_kernels_time() {
    // 66.6 ns of the kernel in an op; a plain fault takes 0.15 ns.
    let cause = |faults_per_op| {
        let row = Made { name: "starts/x", kernel: 0.8, faults_per_op, ..PLAIN };
        let found = standouts(&[&group("m", &gauged(3.0, row, 1.0))]);
        found.iter().find(|standout| standout.workload == "starts/x").map(|found| found.cause)
    };
    assert_eq!(cause(400), Some(Cause::PageFaults));
    assert_eq!(cause(100), Some(Cause::Kernel));
}

#[test]
fn rows_whose_work_is_the_kernels_lose_nothing_by_it_and_have_no_factor_of_it() {
    let run = gauged(3.0, PLAIN, 1.0);
    for name in ["syscall/linux", "page-fault/linux"] {
        assert!(words(&run, name, ThreadSpec::Count(1)).is_empty());
    }
    let explanation = explained(&run, &gauged(2.4, PLAIN, 1.0));
    let row = |name: &str| explanation.rows.iter().find(|row| row.workload == name).expect(name);
    assert!(Factor::find(&row("syscall/linux").factors, FactorKind::Kernel).is_none());
    assert!(Factor::find(&row("a/x").factors, FactorKind::Kernel).is_some());
}

#[test]
fn rows_that_need_memory_stand_beside_its_bandwidth_and_latency() {
    let row = Made { name: "btree-get/std", scaling: 0.6, ..PLAIN };
    let with = |ghz: f64, row: &Made, memory: f64, family| {
        let mut run = gauged(ghz, row.clone(), memory);
        run.header.workloads.get_mut("btree-get/std").expect("the row").family = family;
        run
    };
    let run = with(3.0, &row, 1.0, Family::Memory);
    assert_eq!(
        words(&run, "btree-get/std", ThreadSpec::All),
        [
            "a core does 60 % of the work per cycle that it does alone; a thread keeps 50 % of the bandwidth \
          (memory-triad/stream) and 75 % of the random lines (memory-random-read/loads) that it has alone"
        ]
    );
    let plain = with(3.0, &row, 1.0, Family::Hash);
    assert_eq!(
        words(&plain, "btree-get/std", ThreadSpec::All),
        ["a core does 60 % of the work per cycle that it does alone"]
    );
    // Half the memory, half the row.
    let slow = with(3.0, &Made { per_cycle: 0.5, ..row.clone() }, 0.5, Family::Memory);
    let evidence = |explained: &ExplainedPair| {
        let is_it = |outlier: &&Outlier| {
            outlier.workload == "btree-get/std" && outlier.threads == ThreadSpec::Count(1)
        };
        explained.outliers.iter().find(is_it).expect("it is apart").evidence.clone()
    };
    let said = evidence(&explained(&run, &slow)).expect("the memory");
    assert!(said.starts_with("memory: ") && said.ends_with(" a random line on old"), "{said}");
    // 60 million ops of 1,024 lines in a second, and half as many.
    assert!(
        said.contains("0.0163 ns a random line on old") && said.contains("0.0325 ns"),
        "{said}"
    );
    let slow = with(3.0, &Made { per_cycle: 0.5, ..row }, 0.5, Family::Hash);
    assert_eq!(evidence(&explained(&plain, &slow)), None);
}

#[test]
fn a_remedy_is_named_where_the_worker_takes_it() {
    let mut run = machine(1, 3.0, &[Made { kernel: 0.8, faults_per_op: 100, ..PLAIN }]);
    let remedy = |run: &Run| standouts(&[&group("m", run)])[0].remedy.clone();
    let recipe = remedy(&run).expect("the C library's memory is that worker's");
    assert!(record::Recipe::variant(&recipe).is_some(), "{recipe}");
    run.header.workloads.get_mut("a/x").expect("the row").worker = "go".to_owned();
    assert_eq!(remedy(&run), None);
}
