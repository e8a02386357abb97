use super::*;
use crate::briefing::Screen;
use machine::{CorePair, Elapsed, MeasuredPair, NodeLoad, RelationTimes};
use record::Activity;

fn times(ns: f64) -> BatchTimes {
    BatchTimes { ns, quartiles_ns: [ns * 0.99, ns * 1.01], batches: 9 }
}

fn measured() -> MeasuredMachine {
    let relation = |relation, ns| RelationTimes {
        relation,
        pairs: 3,
        ns,
        range_ns: [ns * 0.9, ns * 1.1],
        spread: 0.02,
    };
    let pair = CorePair { a: 0, b: 1, relation: Relation::SameL3 };
    let step = |bytes, level, ns| LadderStep { bytes, level, is_typical: true, load: times(ns) };
    let clock = |cores, hz: f64| ClockStep {
        cores,
        clock_hz: hz,
        quartiles_hz: [hz * 0.999, hz * 1.001],
        cores_hz: [hz * 0.99, hz * 1.01],
        samples: 7,
    };
    MeasuredMachine {
        core_to_core: Fact::Known(CoreToCore {
            relations: vec![
                relation(Relation::SameL3, 23.0),
                relation(Relation::OtherSocket, 110.0),
            ],
            pairs: vec![MeasuredPair { pair, one_way: Some(times(23.0)) }],
        }),
        ladder: Fact::Known(Ladder {
            cpu: 3,
            steps: vec![step(24 << 10, Level::L1, 1.0), step(128 << 20, Level::Memory, 92.0)],
            large_page_share: Some(1.0),
            largest_cache_bytes: Some(32 << 20),
            other_nodes: vec![NodeLoad { node: 1, load: times(141.0) }],
            wanted_bytes: None,
        }),
        clocks: Fact::Known(vec![clock(1, 4.1e9), clock(2, 4.0e9), clock(32, 3.6e9)]),
        emulation: Fact::Known(NONE_SEEN.to_owned()),
        activity: Activity { at_ns: 4_000_000_000, ..Activity::default() },
    }
}

fn text(measured: &MeasuredMachine) -> String {
    let screen = Screen { verbose: true, ..Screen::of_width(200) };
    let extent = Extent::default();
    measured_briefing(&Machine::default(), measured, extent).text(&screen, extent)
}

#[test]
fn the_answer_is_one_sentence_of_each_part() {
    let text = text(&measured());
    let first: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(
        first.join(" "),
        "Core to core: 23.0 ns within an L3, 110 ns to another socket. Loads: L1 1.00 ns, memory 92.0 ns. Clock 4.10 GHz \
         on 1 core, 3.60 GHz on all 32."
    );
    let line = text.lines().find(|line| line.starts_with("memory of node 1"));
    let words: Vec<&str> = line.into_iter().flat_map(str::split_whitespace).collect();
    assert_eq!(words[4..7], ["128", "MiB", "141"], "{text}");
    for silent in
        ["Spread above", "large pages", "Machine busy", "hypervisor", "Emulated", "not measured"]
    {
        assert!(!text.contains(silent), "{silent}: {text}");
    }
}

#[test]
fn whatever_makes_figures_doubtful_is_said() {
    let mut doubtful = measured();
    let (Fact::Known(cores), Fact::Known(ladder)) =
        (&mut doubtful.core_to_core, &mut doubtful.ladder)
    else {
        unreachable!()
    };
    cores.relations[1].spread = 0.3;
    ladder.large_page_share = Some(0.2);
    ladder.wanted_bytes = Some(1 << 30);
    doubtful.emulation = Fact::Known("QEMU".to_owned());
    doubtful.activity.elapsed = Some(Elapsed { steal: 30, busy: 370, total: 800 });
    let text = text(&doubtful);
    for said in [
        "Spread above 10 %: other socket.",
        "include page walks",
        "Too little free memory for a buffer of 1 GiB: the largest has 128 MiB.",
        "Emulated: QEMU",
        "Machine busy: others used 1.00 CPUs",
        "The hypervisor took 3.8 % of the CPUs' time",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn a_part_without_figures_is_said_first_with_the_reason() {
    let mut less = measured();
    less.clocks = Fact::not_available("no worker");
    let text = text(&less);
    assert!(text.starts_with("! The clock was not measured: no worker."), "{text}");
    assert!(text.contains("Core to core: 23.0 ns"), "{text}");
    assert!(!less.is_whole() && measured().is_whole());
}
