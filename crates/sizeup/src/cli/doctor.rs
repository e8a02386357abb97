//! `sizeup doctor`.

use super::exit::Exit;
use super::talk;
use crate::catalog::{Catalog, Home};
use crate::doctor::{Evidence, Kind, Moment, Probe, judge, pulses};
use crate::machine::Machine;
use crate::record::Activity;
use crate::report::{DoctorView, doctor_table};
use crate::telemetry::ActivityWatch;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What cores are looked at with.
const WORKLOAD: &str = "issue-width/reference";
/// How often processes are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Where the system describes itself.
const ROOT: &str = "/";

#[derive(Args)]
#[command(
    after_help = "Example: sizeup doctor --json | jq -r '.findings[] | select(.severity==\"unfit\") | .seen'\n\
                        docs/doctor.md says what every check looks at. Exit status 1 if one of them says \
                        warning or unfit."
)]
pub(super) struct DoctorArgs {
    /// For how long to look
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// A folder with tables of your own
    #[arg(long = "with", value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn doctor(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let catalog = Catalog::load(&Home::find()?, &args.folders)?;
    talk(format_args!("looking at this machine for {} s", args.seconds));
    let evidence = examine(&catalog, Duration::from_secs(args.seconds));
    let findings = judge(&evidence, &[Kind::State, Kind::Activity, Kind::Pulse]);
    let view = DoctorView::of(evidence, findings);
    if args.json {
        super::print_json(&view)?;
    } else {
        super::print(&doctor_table(&view))?;
    }
    Ok(if view.fit { Exit::Fine } else { Exit::CheckFailed })
}

fn examine(catalog: &Catalog, time: Duration) -> Evidence {
    let root = Path::new(ROOT);
    let machine = Machine::read(root);
    // Before our own work adds to the load.
    let moment = Moment::read(root, &machine);
    let mut watch = ActivityWatch::start(root, &machine.limits.allowed_cpus);
    let mut looks = Vec::new();
    let pulses = match catalog.workloads.get(WORKLOAD) {
        Some(workload) => {
            let probe = Probe { workload, catalog, machine: &machine, root, time };
            // Often, to see on which CPUs others run.
            pulses(&probe, &mut || looks.extend(watch.look_if_due(LOOK_EVERY)))
        }
        None => Err(format!("no table has the workload {WORKLOAD}")),
    };
    if pulses.is_err() {
        // The rest is looked at all the same.
        std::thread::sleep(time);
    }
    looks.push(watch.look());
    let activity = Activity::sum(&looks);
    Evidence { machine, moment: Some(moment), activity, pulses: Some(pulses) }
}
