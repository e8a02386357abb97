//! Measurements of the machine itself: latencies and clocks.

use crate::briefing::{Briefing, Extent};
use judge::numbers::{counted, percent, three_digits};
use machine::{
    BatchTimes, ClockStep, CoreToCore, Fact, Ladder, LadderStep, Level, Machine, Relation,
    RelationTimes, format_bytes,
};
use record::MeasuredMachine;
use terminal::table::{Heading, Table};

/// Batches that spread more than this make a figure doubtful.
const MUCH_SPREAD: f64 = 0.1;
/// Others that used as much of a CPU as this are named as a reason.
const MUCH_CPUS: f64 = 0.1;
/// Share of CPU time taken by a hypervisor that is worth a note.
const MUCH_STEAL: f64 = 0.01;
/// With less of the memory in large pages, loads include page walks.
const LEAST_LARGE_PAGES: f64 = 0.9;
/// A machine that is neither virtual nor emulated.
const NONE_SEEN: &str = "none seen";

/// The answer in a sentence, a table for each part, and what must be known of them; all pairs and buffers by `--all`.
pub fn measured_briefing(
    machine: &Machine,
    measured: &MeasuredMachine,
    extent: Extent,
) -> Briefing {
    let mut answer = Briefing::default();
    let MeasuredMachine { core_to_core, ladder, clocks, .. } = measured;
    say(&mut answer, measured);
    if let Fact::Known(core_to_core) = core_to_core {
        answer.table(
            "A cache line from core to core, one way",
            relations(core_to_core),
            "relations",
        );
        if extent.all {
            answer.table("Pairs of CPUs", pairs(core_to_core), "pairs");
        }
    }
    if let Fact::Known(ladder) = ladder {
        let clock_hz = clocks.known().and_then(|steps| steps.first()).map(|step| step.clock_hz);
        let title = format!("A load of CPU {} from random lines of a buffer", ladder.cpu);
        answer.table(title, loads(ladder, clock_hz, extent.all), "buffers");
    }
    if let Fact::Known(clocks) = clocks {
        answer.table(
            "The clock by how many cores work, on integers",
            clock_table(clocks),
            "numbers of cores",
        );
    }
    caveats(&mut answer, machine, measured);
    if !extent.all {
        answer.next("sizeup machine --measure --all   # every pair of CPUs, every buffer");
    }
    answer.next("sizeup machine   # what the machine reports");
    answer
}

/// `Core to core: 23 ns within an L3, 110 ns to another socket. Loads: …. Clock ….`
fn say(answer: &mut Briefing, measured: &MeasuredMachine) {
    let mut parts = Vec::new();
    if let Fact::Known(core_to_core) = &measured.core_to_core {
        let relation = |times: &RelationTimes| {
            let to = match times.relation {
                Relation::SmtSiblings => "between SMT siblings",
                Relation::SameL3 => "within an L3",
                Relation::SameSocket => "within a socket",
                Relation::OtherSocket => "to another socket",
            };
            format!("{} {to}", ns(times.ns))
        };
        let relations: Vec<String> = core_to_core.relations.iter().map(relation).collect();
        parts.push(format!("Core to core: {}.", relations.join(", ")));
    }
    if let Fact::Known(ladder) = &measured.ladder {
        let typical = ladder.steps.iter().filter(|step| step.is_typical);
        let level = |step: &LadderStep| format!("{} {}", step.level, ns(step.load.ns));
        let levels: Vec<String> = typical.map(level).collect();
        if !levels.is_empty() {
            parts.push(format!("Loads: {}.", levels.join(", ")));
        }
    }
    match measured.clocks.known().map(Vec::as_slice) {
        Some([all]) => parts.push(format!("Clock {}.", on_cores(all))),
        Some([one, .., all]) => {
            parts.push(format!(
                "Clock {}, {} on all {}.",
                on_cores(one),
                ghz(all.clock_hz),
                all.cores
            ));
        }
        Some([]) | None => {}
    }
    if !parts.is_empty() {
        answer.say(parts.join(" "));
    }
}

fn on_cores(step: &ClockStep) -> String {
    format!("{} on {}", ghz(step.clock_hz), counted(step.cores, "core"))
}

fn ns(ns: f64) -> String {
    format!("{} ns", three_digits(ns))
}

fn ghz(hz: f64) -> String {
    format!("{:.2} GHz", hz / 1e9)
}

fn relations(core_to_core: &CoreToCore) -> Table {
    let mut table = Table::new([
        Heading::left("CPUs"),
        Heading::right("ns"),
        Heading::right("spread"),
        Heading::right("fastest pair").rank(1),
        Heading::right("slowest pair").rank(1),
        Heading::right("pairs").rank(2),
    ]);
    for times in &core_to_core.relations {
        let [fastest, slowest] = times.range_ns;
        table.row([
            times.relation.to_string(),
            three_digits(times.ns),
            percent(times.spread),
            three_digits(fastest),
            three_digits(slowest),
            times.pairs.to_string(),
        ]);
    }
    table
}

fn pairs(core_to_core: &CoreToCore) -> Table {
    let mut table = Table::new([
        Heading::right("CPU"),
        Heading::right("CPU"),
        Heading::left(""),
        Heading::right("ns"),
        Heading::right("spread"),
    ]);
    for measured in &core_to_core.pairs {
        let [time, spread] = match &measured.one_way {
            Some(times) => [three_digits(times.ns), percent(times.spread())],
            None => ["not measured: a CPU was busy".to_owned(), String::new()],
        };
        let pair = &measured.pair;
        table.row([
            pair.a.to_string(),
            pair.b.to_string(),
            pair.relation.to_string(),
            time,
            spread,
        ]);
    }
    table
}

/// All buffers, or those that stand for a level; all of them where no level is known.
fn loads(ladder: &Ladder, clock_hz: Option<f64>, all: bool) -> Table {
    let mut table = Table::new([
        Heading::left("level"),
        Heading::right("buffer"),
        Heading::right("ns"),
        Heading::right("spread"),
        Heading::right("cycles").rank(1),
    ]);
    let mut load = |level: String, bytes: u64, load: &BatchTimes| {
        let cycles = clock_hz.map(|hz| three_digits(load.ns * hz / 1e9));
        let (ns, spread) = (three_digits(load.ns), percent(load.spread()));
        table.row([level, format_bytes(bytes), ns, spread, cycles.unwrap_or_default()]);
    };
    let is_known = ladder.steps.iter().any(|step| step.level != Level::Unknown);
    for step in ladder.steps.iter().filter(|step| all || step.is_typical || !is_known) {
        load(step.level.to_string(), step.bytes, &step.load);
    }
    for other in &ladder.other_nodes {
        let bytes = ladder.steps.last().map_or(0, |step| step.bytes);
        load(format!("memory of node {}", other.node), bytes, &other.load);
    }
    table
}

fn clock_table(steps: &[ClockStep]) -> Table {
    let mut table = Table::new([
        Heading::right("cores"),
        Heading::right("GHz"),
        Heading::right("spread"),
        Heading::right("slowest core").rank(1),
        Heading::right("fastest core").rank(1),
    ]);
    for step in steps {
        let ghz = |hz: f64| format!("{:.2}", hz / 1e9);
        let [slowest, fastest] = step.cores_hz.map(ghz);
        table.row([
            step.cores.to_string(),
            ghz(step.clock_hz),
            percent(step.spread()),
            slowest,
            fastest,
        ]);
    }
    table
}

fn caveats(answer: &mut Briefing, machine: &Machine, measured: &MeasuredMachine) {
    let MeasuredMachine { core_to_core, ladder, clocks, emulation, activity } = measured;
    let parts = [
        ("Core to core", core_to_core.reason()),
        ("Loads", ladder.reason()),
        ("The clock", clocks.reason()),
    ];
    for (part, reason) in parts {
        reason.into_iter().for_each(|why| answer.warn(format!("{part} was not measured: {why}.")));
    }
    if let Some(emulator) = emulation.known().filter(|seen| *seen != NONE_SEEN) {
        answer.warn(format!("Emulated: {emulator}. These are not the figures of a CPU."));
    }
    let others = activity.others_cpus();
    if others >= MUCH_CPUS {
        answer.warn(format!(
            "Machine busy: others used {} CPUs meanwhile. Measure again when it is idle.",
            three_digits(others)
        ));
    }
    let steal = activity.elapsed.and_then(|elapsed| elapsed.steal_share());
    if let Some(steal) = steal.filter(|steal| *steal >= MUCH_STEAL) {
        let share = percent(steal).replace('±', "");
        answer.warn(format!("The hypervisor took {share} of the CPUs' time meanwhile."));
    }
    let doubtful = doubtful(measured);
    if !doubtful.is_empty() {
        answer.note(format!("Spread above 10 %: {}.", doubtful.join(", ")));
    }
    if let Some(ladder) = ladder.known() {
        ladder_caveats(answer, ladder);
    }
    if let Some(kind) = machine.platform.hypervisor.known().filter(|kind| *kind != NONE_SEEN) {
        answer.note(format!(
            "A virtual machine ({kind}): its caches and siblings are what the hypervisor reports, and others may share them."
        ));
    }
    if clocks.known().is_some() {
        answer.note(
            "The clock is that of the first second under load; heat and vector work may lower it.",
        );
    }
    answer.note("Spread: half the distance between the batches' quartiles.");
}

fn ladder_caveats(answer: &mut Briefing, ladder: &Ladder) {
    match ladder.large_page_share {
        Some(share) if share >= LEAST_LARGE_PAGES => {}
        Some(_) | None => answer.note(
            "The kernel gave no large pages for the whole buffer: loads from large buffers include page walks \
             (/sys/kernel/mm/transparent_hugepage/enabled: madvise or always).",
        ),
    }
    if let Some((bytes, cache)) = ladder.missing_cache() {
        answer.note(format!(
            "From {} on, loads take nearly as long as from memory, although the largest cache has {}: \
             others use the rest, or this virtual machine has only a part.",
            format_bytes(bytes),
            format_bytes(cache)
        ));
    }
    if let (Some(wanted), Some(largest)) = (ladder.wanted_bytes, ladder.steps.last()) {
        answer.note(format!(
            "Too little free memory for a buffer of {}: the largest has {}.",
            format_bytes(wanted),
            format_bytes(largest.bytes)
        ));
    }
}

/// Figures whose batches spread much.
fn doubtful(measured: &MeasuredMachine) -> Vec<String> {
    let mut names = Vec::new();
    let relations =
        measured.core_to_core.known().into_iter().flat_map(|core_to_core| &core_to_core.relations);
    names.extend(
        relations
            .filter(|times| times.spread > MUCH_SPREAD)
            .map(|times| times.relation.to_string()),
    );
    let is_wide = |load: &BatchTimes| load.spread() > MUCH_SPREAD;
    let steps = measured.ladder.known().into_iter().flat_map(|ladder| &ladder.steps);
    let typical = steps.filter(|step| step.is_typical && is_wide(&step.load));
    names.extend(typical.map(|step| step.level.to_string()));
    let clocks = measured.clocks.known().into_iter().flatten();
    let wide = clocks.filter(|step| step.spread() > MUCH_SPREAD);
    names.extend(wide.map(|step| format!("clock on {}", counted(step.cores, "core"))));
    names
}

#[cfg(test)]
mod tests;
