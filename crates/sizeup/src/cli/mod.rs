//! The command line: one file a command, arguments and printing, nothing else.

mod capacity;
mod choice;
mod compare;
mod completions;
mod cost;
mod doctor;
mod estimate;
mod exit;
mod explain;
mod export;
mod facts;
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
mod telemetry_args;
mod test_worker;

use crate::briefing::{Briefing, ColorWhen, Extent, Screen};
use clap::{Parser, Subcommand};
use exit::Exit;
use std::io::Write;
use std::process::ExitCode;
use terminal::printable;

/// Measures servers on the work that servers really do and says which CPU to run it on.
#[derive(Parser)]
#[command(name = "sizeup", version, max_term_width = 100, after_help = after_help())]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to use colours
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
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

#[derive(Subcommand)]
enum Command {
    /// Measure this machine and write a run file
    Run(Box<run_args::RunArgs>),
    /// Show what can be measured here, and why something can't
    List(list::ListArgs),
    /// Show what this machine is: the spec table
    Machine(machine::MachineArgs),
    /// Check whether this machine is ready to be measured, and what to fix
    Doctor(doctor::DoctorArgs),
    /// List the runs in ./runs and the data folder
    Runs(runs::RunsArgs),
    /// Show a run's figures
    Show(show::ShowArgs),
    /// Say which of two or more machines is faster, by how much, and on what
    Compare(compare::CompareArgs),
    /// Say why machines differ: cores, clock, kernel time, work per cycle, scaling; and what slows rows
    Explain(explain::ExplainArgs),
    /// Say in which functions a workload spends its time, and what their code holds
    Profile(profile::ProfileArgs),
    /// Score machines: geometric means per category and overall
    Score(score::ScoreArgs),
    /// Show how throughput grows with threads, and at which thread count another machine takes the lead
    Scaling(scaling::ScalingArgs),
    /// Say which machine does the same work for less money or fewer watts, and the break-even price
    Cost(cost::CostArgs),
    /// Say how many machines of each type a mix of work needs, and what they cost
    Capacity(capacity::CapacityArgs),
    /// Show the fastest implementation of each operation, and which are slow on one machine only
    #[command(visible_alias = "impl")]
    Implementations(implementations::ImplementationsArgs),
    /// Write an HTML report that opens offline in any browser
    Report(report::ReportArgs),
    /// Write a website from a folder of runs: ranking, any two machines, one page per workload
    Site(site::SiteArgs),
    /// Convert other tools' results into run files
    Import(import::ImportArgs),
    /// Export runs as CSV, Parquet, Go benchmark text or Google Benchmark JSON
    Export(export::ExportArgs),
    /// Print the requests of one case, to run a worker by hand
    Request(request::RequestArgs),
    /// Write a worker of your own that works, with its test
    New(new::NewArgs),
    /// Play the protocol's contract to workers of your own
    TestWorker(test_worker::TestWorkerArgs),
    /// Write man pages into a folder
    Man(man::ManArgs),
    /// Print completions for a shell
    Completions(completions::CompletionsArgs),
}

/// Runs the program and gives its exit status.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let screen = Screen::of_stdout(cli.color, cli.quiet, cli.verbose);
    let result = match cli.command {
        Command::Run(args) => run::run(&args, &screen),
        Command::List(args) => list::list(&args, &screen),
        Command::Machine(args) => machine::machine(&args, &screen),
        Command::Doctor(args) => doctor::doctor(&args, &screen),
        Command::Runs(args) => runs::runs(&args, &screen),
        Command::Show(args) => show::show(&args, &screen),
        Command::Compare(mut args) => compare::compare(&mut args, &screen),
        Command::Explain(mut args) => explain::explain(&mut args, &screen),
        Command::Profile(args) => profile::profile(&args, &screen),
        Command::Score(args) => score::score(&args, &screen),
        Command::Scaling(args) => scaling::scaling(&args, &screen),
        Command::Cost(args) => cost::cost(&args, &screen),
        Command::Capacity(args) => capacity::capacity(&args, &screen),
        Command::Implementations(args) => implementations::implementations(&args, &screen),
        Command::Report(args) => report::report(&args),
        Command::Site(args) => site::site(&args),
        Command::Import(args) => import::import(&args),
        Command::Export(args) => export::export(&args),
        Command::Request(args) => request::request(&args),
        Command::New(args) => new::new(&args, &screen),
        Command::TestWorker(args) => test_worker::test_worker(&args, &screen),
        Command::Man(args) => man::man(&args),
        Command::Completions(args) => completions::completions(&args),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            diagnostic(format_args!("{error:#}"));
            Exit::of(&error).into()
        }
    }
}

/// Help that was asked for, or what is wrong with the arguments, of which it quotes whatever they hold.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    for line in error.render().to_string().lines() {
        let _ = writeln!(std::io::stderr(), "{}", printable(line));
    }
    Exit::Usage.into()
}

/// Says something on stderr. One who has closed it does not want to hear.
fn diagnostic(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "sizeup: {}", printable(&text.to_string()));
}

/// Prints an answer.
fn say(answer: &Briefing, screen: &Screen, extent: Extent) -> anyhow::Result<()> {
    print(&answer.text(screen, extent))
}

/// Writes data to stdout. One who reads no further (`head`, say) has had enough: that is no error.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(anyhow::anyhow!("stdout can't be written: {e}"))
        }
        _ => Ok(()),
    }
}
