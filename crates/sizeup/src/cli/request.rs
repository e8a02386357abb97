//! `sizeup request`.

use super::choice::known;
use super::exit::Exit;
use super::run_args::TimingArgs;
use catalog::{Catalog, Home};
use clap::Args;
use machine::{Machine, Placement, place};
use measure::execute::{Task, request_lines};
use record::{Case, ThreadSpec};
use std::path::{Path, PathBuf};
use terminal::{Printable, printable_json};

#[derive(Args)]
#[command(
    after_help = "Example: sizeup request brotli-5/brotli --threads 2 | dist/libexec/sizeup/compressors"
)]
pub(super) struct RequestArgs {
    /// A workload
    workload: String,
    /// On how many threads
    #[arg(long, default_value = "1", value_name = "N|all")]
    threads: ThreadSpec,
    /// How many samples
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(..1000))]
    samples: u16,
    /// A folder with tables of your own
    #[arg(long = "with", value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    timing: TimingArgs,
}

pub(super) fn request(args: &RequestArgs) -> anyhow::Result<Exit> {
    let catalog = Catalog::load(&Home::find()?, &args.folders)?;
    let workload = known(&catalog, &args.workload)?;
    let machine = Machine::read(Path::new("/"));
    let threads = match args.threads {
        ThreadSpec::Count(threads) => threads,
        ThreadSpec::All => machine.limits.usable_threads().threads,
    };
    let placement = Placement::Cores;
    let cpus = place(&machine.topology, &machine.limits.allowed_cpus, placement, threads);
    let thread_spec = args.threads;
    let case = Case {
        workload: args.workload.clone(),
        thread_spec,
        threads,
        placement,
        cpus,
        variant: None,
        control: false,
        co_runner: false,
    };
    let task = Task::new(0, &case, workload, &catalog, false);
    let timing = task.timing(args.timing.timing(1));
    let lines = request_lines(&task, 0, &timing, args.samples.into());
    super::print(lines.iter().map(|line| Printable::from(printable_json(line))))?;
    Ok(Exit::Fine)
}
