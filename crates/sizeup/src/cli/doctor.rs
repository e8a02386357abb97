//! `sizeup doctor`.

use super::diagnostic;
use super::document::{Document, Output};
use super::exit::Exit;
use super::notes::Caveats;
use crate::briefing::Screen;
use crate::tables::{DoctorView, doctor_briefing};
use catalog::{Catalog, Home};
use clap::Args;
use doctor::{RuleKind, judge};
use measure::examine::examine;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the system describes itself.
const ROOT: &str = "/";

#[derive(Args)]
#[command(after_help = "Examples: sizeup doctor\n          \
                        sizeup doctor --json | jq -r '.data.findings[] | select(.severity==\"unfit\") | .seen'\n\
                        docs/doctor.md explains each check. Exit status 1 if there is a warning or the machine is unfit.")]
pub(super) struct DoctorArgs {
    /// How many seconds to observe the machine
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// A folder with tables of your own
    #[arg(long = "with", value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn doctor(args: &DoctorArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let catalog = Catalog::load(&Home::find()?, &args.folders)?;
    diagnostic(format_args!("measuring this machine for {} s", args.seconds));
    let evidence = examine(Path::new(ROOT), &catalog, Duration::from_secs(args.seconds));
    let findings = judge(&evidence, &RuleKind::ALL);
    let view = DoctorView::of(evidence, findings);
    let answer = doctor_briefing(&view, args.output.extent);
    let exit = if view.fit { Exit::Fine } else { Exit::CheckFailed };
    Document { command: "doctor", answer, data: view, caveats: Caveats::default(), exit }
        .print(&args.output, screen)
}
