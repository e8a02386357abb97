//! Properties that no file of a machine holds: latencies, and the clock by the number of busy cores.

use super::WORKLOAD;
use super::clocks::clocks;
use crate::execute::Interrupt;
use crate::telemetry::ActivityWatch;
use catalog::Catalog;
use latency::{core_pairs, core_to_core, ladder};
use machine::{CoreToCore, Fact, Machine, Placement, emulation, place};
use record::MeasuredMachine;
use std::path::Path;
use std::time::Duration;

/// Why a part was not measured after an interrupt.
const STOPPED: &str = "it was stopped";
/// Pairs of CPUs are visited again while they took less time than this.
const PAIRS_TIME: Duration = Duration::from_secs(10);

/// Measures a machine. A part that fails does not prevent the others. `tell` hears what is measured next. An interrupt leaves
/// the parts out that have not begun.
pub fn measure_machine(
    root: &Path,
    machine: &Machine,
    catalog: &Catalog,
    report: &mut dyn FnMut(&str),
    interrupt: &Interrupt,
) -> MeasuredMachine {
    let allowed = machine.limits.allowed_cpus.to_vec();
    let mut watch = ActivityWatch::start(root, &allowed);
    let core_to_core = pairs_of(machine, &allowed, report);
    report("measuring loads from caches and memory");
    // The first core has most of the interrupts.
    let in_order = place(&machine.topology, &allowed, Placement::Socket, allowed.len());
    let ladder = match in_order.last() {
        _ if interrupt.asked() => Err(STOPPED.to_owned()),
        Some(cpu) => ladder(machine, *cpu),
        None => Err("no CPU is allowed here".to_owned()),
    };
    report("measuring the clock by the number of cores at work");
    let clocks = match catalog.workloads.get(WORKLOAD) {
        _ if interrupt.asked() => Err(STOPPED.to_owned()),
        Some(workload) => {
            clocks(machine, workload, catalog, interrupt).map_err(|failure| failure.to_string())
        }
        None => Err(format!("no table defines the workload {WORKLOAD}")),
    };
    MeasuredMachine {
        core_to_core,
        ladder: ladder.into(),
        clocks: clocks.into(),
        emulation: emulation(root, machine),
        activity: watch.look(),
    }
}

fn pairs_of(machine: &Machine, allowed: &[u32], report: &mut dyn FnMut(&str)) -> Fact<CoreToCore> {
    let caches = machine.caches.known().map_or(&[][..], Vec::as_slice);
    let pairs = core_pairs(&machine.topology, caches, allowed);
    if pairs.is_empty() {
        return Fact::not_available("no two CPUs are known that this process may use");
    }
    let count = pairs.len();
    report(&format!(
        "measuring core to core: {count} pair{} of CPUs",
        if count == 1 { "" } else { "s" }
    ));
    match core_to_core(&pairs, PAIRS_TIME) {
        Ok(measured) if measured.relations.is_empty() => {
            Fact::not_available("other work had the CPUs all the time")
        }
        measured => measured.into(),
    }
}
