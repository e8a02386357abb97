//! `sizeup fleet`: many hosts by Ansible. All that is done on them is in the collection (`fleet/` of the sources).

mod ansible;
mod board;
mod enough;
mod event;
mod watch;

use super::exit::Exit;
use super::say;
use crate::briefing::{Extent, Screen};
use ansible::{Ansible, Playbook};
use anyhow::Context;
use board::Board;
use catalog::Home;
use clap::{Args, Subcommand, ValueEnum};
use enough::say_enough;
use measure::execute::Interrupt;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use watch::BoardWatch;

/// Headings of the help.
const HOSTS: &str = "Which hosts, and where their files go";
const MEASURED: &str = "What is measured";
const RELEASE: &str = "What is pushed to hosts";

#[derive(Args)]
#[command(after_help = "Example: sizeup fleet run -i inventory --suite edge -o runs/")]
pub(super) struct FleetArgs {
    #[command(subcommand)]
    command: FleetCommand,
}

#[derive(Subcommand)]
enum FleetCommand {
    /// Measure all hosts that still lack a run file, and fetch their run files
    Run(FleetRunArgs),
    /// Say how far hosts are, without changing anything
    #[command(after_help = "Example: sizeup fleet status -i inventory -o runs/")]
    Status(FleetHostArgs),
    /// Fetch the run files of hosts that have finished
    #[command(after_help = "Example: sizeup fleet fetch -i inventory -o runs/")]
    Fetch(FleetHostArgs),
    /// Stop measurements, and remove everything from hosts
    #[command(after_help = "Example: sizeup fleet clean -i inventory -o runs/")]
    Clean(FleetHostArgs),
}

/// Which hosts, and where their run files are.
#[derive(Args)]
struct FleetHostArgs {
    /// Ansible's inventory: file, folder or host names
    ///
    /// With a comma after each host name. Can be given more than once.
    #[arg(short, long, value_name = "INVENTORY", required = true, help_heading = HOSTS)]
    inventory: Vec<String>,
    /// Only these hosts, e.g. 'm8g*:!m8g-3'
    #[arg(long, value_name = "PATTERN", help_heading = HOSTS)]
    hosts: Option<String>,
    /// How many hosts to work on at once
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..), help_heading = HOSTS)]
    forks: u16,
    /// The folder for run files
    ///
    /// A second run with the same folder finishes what is missing.
    #[arg(short = 'o', long = "runs", value_name = "FOLDER", default_value = "runs", help_heading = HOSTS)]
    runs: PathBuf,
}

#[derive(Args)]
#[command(after_help = "Examples: sizeup fleet run -i inventory --suite edge -o runs/\n          \
                        sizeup fleet run -i inventory --release sizeup-0.1.0-x86_64-linux.tar.gz --release \
                        sizeup-0.1.0-aarch64-linux.tar.gz\n          \
                        sizeup fleet run -i host1,host2, -- --workload gzip-5/zlib --budget 1m\n\
                        Labels, groups, prices and facts are variables of hosts: see docs/fleet.md. If this command is stopped, \
                        hosts go on measuring: run it again to collect their files. Exit status 3 if a host has no run file.")]
struct FleetRunArgs {
    #[command(flatten)]
    host_args: FleetHostArgs,
    /// The suite to measure  [default: that of `sizeup run`]
    #[arg(long, value_name = "NAME", help_heading = MEASURED)]
    suite: Option<String>,
    /// Findings: report, require none, or skip
    #[arg(long, value_enum, default_value_t, hide_possible_values = true, value_name = "USE", help_heading = MEASURED)]
    doctor: DoctorUse,
    /// Start anew instead of resuming a partial run
    #[arg(long, help_heading = MEASURED)]
    discard: bool,
    /// A release to push, one per architecture
    ///
    /// A folder or a tarball  [default: the folder of this program]
    #[arg(long = "release", value_name = "PATH", help_heading = RELEASE)]
    releases: Vec<PathBuf>,
    /// Leave release and run file on hosts
    #[arg(long, help_heading = RELEASE)]
    keep: bool,
    /// More arguments of `sizeup run`
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum DoctorUse {
    #[default]
    Report,
    Require,
    Skip,
}

pub(super) fn fleet(args: &FleetArgs, screen: &Screen) -> anyhow::Result<Exit> {
    match &args.command {
        FleetCommand::Run(args) => play(&args.host_args, Playbook::Run, args.variables()?, screen),
        FleetCommand::Status(host_args) => play(host_args, Playbook::Status, Map::new(), screen),
        FleetCommand::Fetch(host_args) => play(host_args, Playbook::Fetch, Map::new(), screen),
        FleetCommand::Clean(host_args) => play(host_args, Playbook::Clean, Map::new(), screen),
    }
}

/// Runs a playbook of the collection, shows how it goes, and says how it ended.
fn play(
    host_args: &FleetHostArgs,
    playbook: Playbook,
    mut variables: Map<String, Value>,
    screen: &Screen,
) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::catch()?;
    variables.insert("sizeup_runs".to_owned(), json!(utf8(&host_args.runs)?));
    variables.insert("sizeup_program".to_owned(), json!(utf8(&std::env::current_exe()?)?));
    if let Some(pattern) = &host_args.hosts {
        variables.insert("sizeup_hosts".to_owned(), json!(pattern));
    }
    check_inventories(&host_args.inventory)?;
    let mut ansible =
        Ansible::start(&Home::find()?, playbook, &host_args.inventory, host_args.forks, variables)?;
    let (mut board, mut watch) = (Board::default(), BoardWatch::new());
    let outcome = ansible.follow(&interrupt, |event| {
        board.see(event);
        watch.show(&board);
    });
    watch.end();
    let has_failed = !outcome?.success();
    if interrupt.asked() {
        super::diagnostic(
            "stopped; hosts go on measuring. Run the same command again to collect, or `sizeup fleet clean`",
        );
        return Ok(Exit::Incomplete);
    }
    if let Some(problem) = board.problem() {
        anyhow::bail!("{problem}");
    }
    if has_failed && !board.has_failed() {
        anyhow::bail!("ansible-playbook failed: {}", ansible.last_words());
    }
    if board.hosts().is_empty() {
        anyhow::bail!("{}: {}", host_args.matches_none(), ansible.last_words());
    }
    let mut answer = board.briefing(playbook == Playbook::Run, &host_args.runs);
    if playbook != Playbook::Clean {
        say_enough(&mut answer, &board, &host_args.runs);
    }
    say(&answer, screen, Extent { all: true, details: false })?;
    let is_fine = !board.has_failed() && (board.is_done() || !playbook.expects_all());
    Ok(if is_fine { Exit::Fine } else { Exit::Incomplete })
}

/// Ansible takes a file that does not exist for an inventory without hosts, and waits for pipes.
fn check_inventories(inventories: &[String]) -> anyhow::Result<()> {
    let is_there = |inventory: &&String| {
        inventory.contains(',')
            || Path::new(inventory).metadata().is_ok_and(|found| found.is_file() || found.is_dir())
    };
    match inventories.iter().find(|inventory| !is_there(inventory)) {
        Some(inventory) => anyhow::bail!(
            "{inventory}: no such inventory. Name a file or a folder; a list of hosts ends with a comma: -i {inventory},"
        ),
        None => Ok(()),
    }
}

/// A path as a variable of Ansible, which are JSON.
fn utf8(path: &Path) -> anyhow::Result<&str> {
    path.to_str().with_context(|| {
        format!("{}: not UTF-8, and Ansible takes nothing else: rename it", path.display())
    })
}

impl FleetHostArgs {
    /// That these name no host.
    fn matches_none(&self) -> String {
        let inventory = self.inventory.join(" ");
        match &self.hosts {
            Some(pattern) => format!("no host matches {pattern} in {inventory}"),
            None => format!("no host in {inventory}"),
        }
    }
}

impl FleetRunArgs {
    /// The variables of the collection's role.
    fn variables(&self) -> anyhow::Result<Map<String, Value>> {
        let suite = self.suite.iter().flat_map(|suite| ["--suite", suite]).map(str::to_owned);
        let arguments: Vec<String> = suite.chain(self.arguments.iter().cloned()).collect();
        let releases: Vec<PathBuf> = match &self.releases[..] {
            [] => vec![Home::find()?.folder().to_owned()],
            given => given.iter().map(std::path::absolute).collect::<Result<_, _>>()?,
        };
        let releases: Vec<&str> =
            releases.iter().map(|release| utf8(release)).collect::<Result<_, _>>()?;
        let demand = self.doctor.to_possible_value().map(|value| value.get_name().to_owned());
        let variables = [
            ("sizeup_arguments", json!(arguments)),
            ("sizeup_releases", json!(releases)),
            ("sizeup_doctor", json!(demand)),
            ("sizeup_keep", json!(self.keep)),
            ("sizeup_discard", json!(self.discard)),
        ];
        Ok(variables.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
    }
}
