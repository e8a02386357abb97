//! The command line: one file a command, arguments and printing, nothing else.

mod bench;
mod capacity;
mod choice;
mod compare;
mod completions;
mod cost;
mod doctor;
mod document;
#[cfg(test)]
mod documented;
mod exit;
mod explain;
mod export;
mod facts;
mod fail_if;
mod fleet;
#[cfg(test)]
mod fuzz_runs;
mod going_on;
mod groups;
mod implementations;
mod import;
mod json;
mod link;
mod list;
mod machine;
mod man;
mod meter;
mod names;
mod new;
mod notes;
mod notices;
mod output;
mod pilot;
mod price_args;
mod prices;
mod profile;
mod progress;
mod reference;
#[cfg(test)]
mod reference_page;
mod report;
mod request;
mod run;
mod run_args;
mod runs;
mod scaling;
#[cfg(test)]
mod schemas;
mod score;
mod show;
mod site;
mod streams;
mod telemetry_args;
mod test_worker;
mod threads;

use crate::briefing::{Briefing, ColorWhen, Extent, Screen};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use exit::Exit;
use groups::NoAnswer;
use signal_hook::consts::SIGXFSZ;
use std::process::ExitCode;
use std::sync::Arc;
use streams::{diagnostic, print};

/// Measures servers on the work that servers really do and says which CPU to run it on.
#[derive(Parser)]
#[command(name = "sizeup", version, max_term_width = 100, after_help = after_help())]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Colours: auto, always or never
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    color: ColorWhen,
    /// Print only the answer
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    quiet: bool,
    /// Print all notes in full
    #[arg(short, long, global = true, help_heading = "Output")]
    verbose: bool,
}

fn after_help() -> String {
    let line = |exit: Exit| format!("  {}  {}\n", exit as u8, exit.meaning());
    format!(
        "Exit status:\n{}Data goes to stdout, diagnostics to stderr.",
        Exit::ALL.map(line).concat()
    )
}

/// In the order of the groups of [`GROUPS`].
#[derive(Subcommand)]
enum Command {
    /// Measure this machine and write a run file
    Run(Box<run_args::RunArgs>),
    /// Say which of two or more machines is faster, by how much, and on what
    Compare(compare::CompareArgs),
    /// Say which machine does the same work for less money or fewer watts, and the break-even price
    Cost(cost::CostArgs),
    /// Write an HTML report that opens offline in any browser
    Report(report::ReportArgs),
    /// Measure plain commands, without a table; several in turns, against the first
    Bench(Box<bench::BenchArgs>),
    /// Measure many hosts at once, by Ansible, and fetch their run files
    Fleet(fleet::FleetArgs),
    /// Check whether this machine is ready to be measured, and what to fix
    Doctor(doctor::DoctorArgs),
    /// Show what this machine is: the spec table
    Machine(machine::MachineArgs),
    /// Show what can be measured here, and why something can't
    List(list::ListArgs),
    /// List the runs in ./runs and the data folder
    Runs(runs::RunsArgs),
    /// Show a run's figures
    Show(show::ShowArgs),
    /// Score machines: geometric means per category and overall
    Score(score::ScoreArgs),
    /// Say why machines differ: cores, clock, kernel time, work per cycle, scaling; and what slows rows
    Explain(explain::ExplainArgs),
    /// Say in which functions a workload spends its time, and what their code holds
    Profile(profile::ProfileArgs),
    /// Show how throughput grows with threads, and at which thread count another machine takes the lead
    Scaling(scaling::ScalingArgs),
    /// Show the fastest implementation of each operation, and which are slow on one machine only
    #[command(visible_alias = "impl")]
    Implementations(implementations::ImplementationsArgs),
    /// Say how many machines of each type a mix of work needs, and what they cost
    Capacity(capacity::CapacityArgs),
    /// Read price lists: what each instance type costs on demand, as spot and reserved, per vCPU, core and GiB
    Prices(prices::PricesArgs),
    /// Write a website from a folder of runs: ranking, any two machines, one page per workload
    Site(site::SiteArgs),
    /// Export runs as CSV, Parquet, Go benchmark text, Google Benchmark JSON or Bencher Metric Format
    Export(export::ExportArgs),
    /// Convert other tools' results into run files
    Import(import::ImportArgs),
    /// Write a worker of your own that works, with its test
    New(new::NewArgs),
    /// Play the protocol's contract to workers of your own
    TestWorker(test_worker::TestWorkerArgs),
    /// Print the requests of one case, to run a worker by hand
    #[command(hide = true)]
    Request(request::RequestArgs),
    /// Write man pages into a folder
    #[command(hide = true)]
    Man(man::ManArgs),
    /// Print completions for a shell
    #[command(hide = true)]
    Completions(completions::CompletionsArgs),
}

/// Headings of `--help` with their commands. Rarely typed commands are under none.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Start here", &["run", "compare", "cost", "report"]),
    ("Measure", &["bench", "fleet", "doctor", "machine", "list"]),
    (
        "Judge",
        &[
            "runs",
            "show",
            "score",
            "explain",
            "profile",
            "scaling",
            "implementations",
            "capacity",
            "prices",
        ],
    ),
    ("Share", &["site", "export"]),
    ("Extend", &["import", "new", "test-worker"]),
];

/// The commands by group, as `--help` lists them.
fn grouped_commands(command: &clap::Command) -> String {
    let width = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max();
    let width = width.unwrap_or_default();
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(clap::Command::get_about);
        about.map(|about| format!("  {name:width$}  {about}\n"))
    };
    let group = |(heading, names): &(&str, &[&str])| {
        format!("{heading}:\n{}\n", names.iter().filter_map(line).collect::<String>())
    };
    GROUPS.iter().map(group).collect()
}

/// The arguments with help that lists the commands by group.
fn command() -> clap::Command {
    let command = Cli::command();
    let commands = grouped_commands(&command);
    // clap knows no groups of commands: it lists none, and they stand in the template.
    command
        .mut_subcommands(|of_group| with_examples_first(of_group).hide(true))
        .override_usage("sizeup [OPTIONS] <COMMAND>")
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}{{all-args}}{{after-help}}"
        ))
}

/// With its examples ahead of the options. What follows them is in the long help only.
fn with_examples_first(command: clap::Command) -> clap::Command {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = examples(&help);
    let command = match examples == help {
        true => command,
        false => command.after_help(examples).after_long_help(help),
    };
    command
        .mut_subcommands(with_examples_first)
        .help_template("{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}")
}

/// The examples that a command's help begins with: its first line, and those that are indented as far.
fn examples(help: &str) -> String {
    let is_example = |line: &&str| line.starts_with("Example") || line.starts_with(' ');
    help.lines().take_while(is_example).collect::<Vec<_>>().join("\n")
}

/// Runs the program and gives its exit status.
pub fn main() -> ExitCode {
    let parsed = command()
        .try_get_matches()
        .and_then(|found| Ok((Cli::from_arg_matches(&found)?, json_command(&found))));
    let (cli, json_command) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage(&error),
    };
    // Beyond `ulimit -f` this signal would end us without a word; caught, it leaves an error of the write.
    if let Err(error) = signal_hook::flag::register(SIGXFSZ, Arc::default()) {
        diagnostic(format_args!("SIGXFSZ can't be caught: {error}"));
    }
    let screen = Screen::of_stdout(cli.color, cli.quiet, cli.verbose);
    match perform(cli.command, &screen) {
        Ok(exit) => exit.into(),
        Err(error) => {
            let printed = error.downcast_ref().map(|what| no_answer(what, json_command.as_deref()));
            if !matches!(printed, Some(Ok(()))) {
                diagnostic(format_args!("{error:#}"));
            }
            Exit::of(&error).into()
        }
    }
}

/// The command that was asked for JSON.
fn json_command(found: &ArgMatches) -> Option<String> {
    let (name, options) = found.subcommand()?;
    let is_asked = matches!(options.try_get_one::<bool>("json"), Ok(Some(true)));
    is_asked.then(|| name.to_owned())
}

/// That there is no answer is the answer.
fn no_answer(what: &NoAnswer, json_command: Option<&str>) -> anyhow::Result<()> {
    let mut answer = Briefing::default();
    answer.warn(what.to_string());
    match json_command {
        Some(command) => json::print(command, None, &answer, &(), &[]),
        None => say(&answer, &Screen::of_stdout(ColorWhen::Auto, false, false), Extent::default()),
    }
}

fn perform(command: Command, screen: &Screen) -> anyhow::Result<Exit> {
    match command {
        Command::Run(args) => run::run(&args, screen),
        Command::Bench(args) => bench::bench(&args, screen),
        Command::List(args) => list::list(&args, screen),
        Command::Machine(args) => machine::machine(&args, screen),
        Command::Doctor(args) => doctor::doctor(&args, screen),
        Command::Runs(args) => runs::runs(&args, screen),
        Command::Show(args) => show::show(&args, screen),
        Command::Compare(mut args) => compare::compare(&mut args, screen),
        Command::Explain(mut args) => explain::explain(&mut args, screen),
        Command::Profile(args) => profile::profile(&args, screen),
        Command::Score(args) => score::score(&args, screen),
        Command::Scaling(args) => scaling::scaling(&args, screen),
        Command::Cost(mut args) => cost::cost(&mut args, screen),
        Command::Prices(args) => prices::prices(&args, screen),
        Command::Capacity(args) => capacity::capacity(&args, screen),
        Command::Implementations(args) => implementations::implementations(&args, screen),
        Command::Report(mut args) => report::report(&mut args),
        Command::Site(args) => site::site(&args),
        Command::Import(args) => import::import(&args),
        Command::Export(args) => export::export(&args),
        Command::Fleet(args) => fleet::fleet(&args, screen),
        Command::Request(args) => request::request(&args),
        Command::New(args) => new::new(&args, screen),
        Command::TestWorker(args) => test_worker::test_worker(&args, screen),
        Command::Man(args) => man::man(&args),
        Command::Completions(args) => completions::completions(&args),
    }
}

/// Help that was asked for, or what is wrong with the arguments.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    streams::usage(error);
    Exit::Usage.into()
}

/// Prints an answer.
fn say(answer: &Briefing, screen: &Screen, extent: Extent) -> anyhow::Result<()> {
    print(answer.lines(screen, extent))
}
