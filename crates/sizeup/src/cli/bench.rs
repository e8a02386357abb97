//! `sizeup bench`: plain commands without a table.

mod commands;
mod few_times;
mod tried;

use super::choice::made_up;
use super::document::{Document, Output};
use super::exit::Exit;
use super::fail_if::FailIf;
use super::going_on::quoted;
use super::notices::notify;
use super::run::measured;
use super::run_args::{FILE, ROUNDS_PER_LAUNCH, TIME, TimingArgs, parse_label};
use super::{diagnostic, notes};
use crate::briefing::{Extent, Screen};
use crate::tables::{ShowView, command_briefing, commands_briefing};
use anyhow::{Context, bail};
use catalog::{Catalog, Home, OVERALL, Workload};
use clap::Args;
use commands::{in_shell, names_of, words};
use estimate::{CaseEstimate, RunEstimate};
use judge::compare::compare_with_variant;
use judge::gate::{GatedFigure, GatedOthers};
use machine::Placement;
use measure::execute::{Interrupt, adopt_orphans};
use measure::plan::{Ask, ThreadsAsked, parse_budget, parse_precision};
use measure::session::{Finished, NewRun, Notice, Session};
use measure::telemetry::TelemetryAsk;
use record::{Ended, Run, ThreadSpec, UserFacts, Variant};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tried::{Executing, has_time_for_samples, try_out};

/// The workload of a run.
const ID: &str = "execution/command";
/// Its category.
const CATEGORY: &str = "commands";
/// A heading of the help.
const EXECUTION: &str = "How commands are executed";

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup bench 'sort -n numbers.txt' 'sort -n --parallel=1 numbers.txt'\n          \
                        sizeup bench --fail-if slower:2% ./old ./new\n          \
                        sizeup bench -- gzip -9 --keep --force numbers.txt\n\
                        Each command is executed again and again, from start to exit, with its output discarded and your environment \
                        variables, on one CPU that its own threads share. Several commands take turns and are compared with the \
                        first, pair by pair. Exit status 3 if a command has no figure.\n\
                        A command that is too long for samples, or has --runs, --prepare or --ignore-failure, is executed two or \
                        more times on any CPUs, with a margin from these times."
)]
pub(super) struct BenchArgs {
    /// Commands, each quoted as one word; several take turns
    #[arg(value_name = "COMMAND", required_unless_present = "words", conflicts_with = "words")]
    commands: Vec<String>,
    /// A single command and its arguments, unquoted
    #[arg(last = true, value_name = "WORDS")]
    words: Vec<String>,
    /// Run each command by `sh -c`, whose start counts, too
    #[arg(long, help_heading = EXECUTION)]
    shell: bool,
    /// Run this by `sh -c` before each execution, untimed
    #[arg(long, value_name = "COMMAND", help_heading = EXECUTION)]
    prepare: Option<String>,
    /// Count executions that fail, too
    #[arg(long, help_heading = EXECUTION)]
    ignore_failure: bool,
    /// Executions at a time, each on a CPU
    #[arg(long, default_value = "1", value_name = "N|all", help_heading = EXECUTION)]
    threads: ThreadSpec,
    /// Time for the whole run
    #[arg(long, default_value = "20s", value_parser = parse_budget, value_name = "TIME", help_heading = TIME)]
    budget: Duration,
    /// Target margin of error (95 %)
    #[arg(long, default_value = "0.5%", value_parser = parse_precision, value_name = "PERCENT", help_heading = TIME)]
    precision: u64,
    /// Execute each command N times, in turns
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=10_000), value_name = "N", help_heading = TIME)]
    runs: Option<u32>,
    /// The run file to write  [default: one in runs/]
    #[arg(long, short, value_name = "FILE", help_heading = FILE)]
    output: Option<PathBuf>,
    /// Label for this machine
    ///
    /// [default: the instance type or product, the CPU, and how many]
    #[arg(long, value_parser = parse_label, value_name = "TEXT", help_heading = FILE)]
    label: Option<String>,
    #[command(flatten)]
    fail_if: FailIf,
    #[command(flatten)]
    timing: TimingArgs,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub(super) fn bench(args: &BenchArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let commands = commands(args)?;
    if args.fail_if.is_asked() && commands.len() < 2 {
        bail!("--fail-if: name two commands or more; the first is the baseline");
    }
    // A limit that is about nothing here shall not cost the time of the run.
    let expected = [(ID, false), (OVERALL, true), (CATEGORY, true)];
    args.fail_if
        .gates(&expected.map(|(name, is_score)| GatedFigure::expected(name, is_score)), &[])?;
    let interrupt = Interrupt::catch()?;
    adopt_orphans();
    let home = Home::find()?;
    let folder = std::env::current_dir().context("the current folder")?;
    let mut workload =
        Workload::of_command(&home, &folder, ID, &commands[0]).context("no command")?;
    // A command does here what it does in the user's shell; the run file keeps no variable.
    workload.program.environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let catalog = Catalog::load(&home, &[])?.with(workload);
    check(&catalog.workloads[ID], &commands)?;
    if let Some(path) = args.output.as_ref().filter(|path| path.exists()) {
        bail!("{} exists and will not be overwritten. Choose another file", path.display());
    }
    let executing = Executing {
        prepare: args.prepare.as_deref(),
        ignores_failure: args.ignore_failure,
        longest: args.budget,
        interrupt: &interrupt,
    };
    // A command that dies of the same interrupt is not at fault.
    let stopped = |why: anyhow::Error| match interrupt.asked() {
        true => {
            diagnostic("stopped before anything was measured");
            Ok(Exit::Incomplete)
        }
        false => Err(why),
    };
    let first = match try_out(&commands, &executing) {
        Ok(first) => first,
        Err(why) => return stopped(why),
    };
    let is_few = args.runs.is_some() || args.prepare.is_some() || args.ignore_failure;
    if is_few || !has_time_for_samples(&first, args.budget) {
        return few_times::bench(args, &commands, &first, &executing, screen).or_else(stopped);
    }
    let started = Instant::now();
    let mut shown = Vec::new();
    let mut notify = |notice: &Notice| notify(notice, &mut shown);
    let session = Session::create(new_run(args, &catalog, &commands), &mut notify, &interrupt)?;
    let Finished { run, not_written } = measured(session, started, &mut notify, &interrupt)?;
    diagnostic(match &not_written {
        None => format!("the run is in {}", run.path.display()),
        Some(error) => error.to_string(),
    });
    let is_stopped = run.close.as_ref().is_some_and(|close| close.ended == Ended::Interrupted);
    if is_stopped && args.fail_if.is_asked() {
        // A run that was stopped at a moment of somebody's choice says nothing of limits.
        diagnostic("stopped: the limits were not checked. Measure again");
        return Ok(Exit::Incomplete);
    }
    let exit = report(args, &run, &commands, screen)?;
    Ok(if not_written.is_some() || is_stopped { Exit::Incomplete } else { exit })
}

/// The commands as words.
fn commands(args: &BenchArgs) -> anyhow::Result<Vec<Vec<String>>> {
    if !args.words.is_empty() {
        if args.shell {
            bail!("--shell: give the command as one word in quotes, without --");
        }
        return Ok(vec![args.words.clone()]);
    }
    args.commands.iter().map(|text| words(text, args.shell)).collect()
}

/// Refuses what can't be executed before anything is measured.
fn check(workload: &Workload, commands: &[Vec<String>]) -> anyhow::Result<()> {
    for command in commands {
        if let Some(why) = of_shell_only(&command[0]) {
            bail!(why);
        }
        let mut other = workload.clone();
        other.run_instead(command);
        if let Some(why) = other.missing_command() {
            bail!(why);
        }
    }
    Ok(())
}

/// Names that shells know and no folder of PATH has (POSIX, bash).
const BUILTINS: [&str; 30] = [
    ".", ":", "alias", "bg", "break", "cd", "continue", "declare", "eval", "exec", "exit",
    "export", "fg", "for", "function", "hash", "if", "jobs", "local", "read", "return", "set",
    "shift", "source", "trap", "ulimit", "umask", "unset", "wait", "while",
];

fn of_shell_only(name: &str) -> Option<String> {
    (BUILTINS.contains(&name) && catalog::in_path(name).is_none())
        .then(|| format!("{name} is a shell builtin, not a program: add --shell"))
}

fn new_run<'a>(args: &BenchArgs, catalog: &'a Catalog, commands: &[Vec<String>]) -> NewRun<'a> {
    let suite = made_up(("bench", CATEGORY), "plain commands", &["1"], "20s", vec![ID.to_owned()]);
    NewRun {
        catalog,
        ask: Ask {
            suite,
            mix: None,
            rolling: None,
            threads: vec![ThreadsAsked::One(args.threads)],
            variants: if commands.len() > 1 { variants(commands) } else { Vec::new() },
            isa: Vec::new(),
            sustain: None,
            co_runners: Vec::new(),
            placement: Placement::Cores,
            cpus: None,
            precision_ppm: args.precision,
            budget: args.budget,
            timing: args.timing.timing(ROUNDS_PER_LAUNCH),
            seed: rand::random::<u64>() >> 1,
        },
        label: args.label.clone(),
        host: None,
        facts: UserFacts::new(),
        output: args.output.clone(),
        injected: None,
        answer_timeout: Duration::from_secs(60),
        measure_machine: false,
        telemetry: TelemetryAsk { root: Some("/".into()), ..TelemetryAsk::default() },
    }
}

/// Each command as a variant: named after itself, with a number where names are alike.
fn variants(commands: &[Vec<String>]) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    for (command, name) in commands.iter().zip(names_of(commands)) {
        let is_taken = |name: &str| variants.iter().any(|variant| variant.name == name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name));
        variants.push(Variant {
            name: name.unwrap_or_default(),
            command: command.clone(),
            ..Variant::default()
        });
    }
    variants
}

/// Says what was found.
fn report(
    args: &BenchArgs,
    run: &Run,
    commands: &[Vec<String>],
    screen: &Screen,
) -> anyhow::Result<Exit> {
    let estimate = RunEstimate::of(run);
    let has_figure = |case: &Option<CaseEstimate>| {
        case.as_ref().is_some_and(|case| case.uncontended.or(case.delivered).is_some())
    };
    let is_whole = run.outcomes.is_empty() && estimate.cases.iter().all(has_figure);
    let texts: Vec<String> = commands.iter().map(|words| in_shell(words)).collect();
    let comparison = run
        .header
        .variants
        .first()
        .map(|first| compare_with_variant(run, &estimate, &first.name, None, &|_| true));
    let mut answer = match &comparison {
        Some(comparison) => commands_briefing(run, &estimate, comparison, &texts),
        None => command_briefing(run, &estimate, &texts[0]),
    };
    let mut caveats = notes::qualify_run(&mut answer, run, None);
    // Notices of the session said them already.
    caveats.diagnostics.clear();
    answer.next(format!("sizeup show {}", quoted(&run.path.display().to_string())));
    let exit = if is_whole { Exit::Fine } else { Exit::Incomplete };
    let data = ShowView::of_estimate(run, &estimate);
    let document = Document { command: "bench", answer, data, caveats, exit };
    let gated = comparison.filter(|_| args.fail_if.is_asked());
    let gated = gated.map(|comparison| GatedOthers::of_variants(run, &comparison));
    let output = Output { extent: Extent::default(), json: args.json };
    args.fail_if.print_comparison(document, gated.as_ref(), &output, screen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(texts: &[&str]) -> Vec<String> {
        let commands: Vec<Vec<String>> =
            texts.iter().map(|text| words(text, false).unwrap()).collect();
        variants(&commands).into_iter().map(|variant| variant.name).collect()
    }

    #[test]
    fn commands_are_named_after_themselves_and_numbered_where_alike() {
        assert_eq!(
            named(&["/usr/bin/sort -n 'my file'", "sort -n my/file", "./a --x=1", "'%'"]),
            ["sort-n-my-file", "sort-n-my-file-2", "a-x-1", "command"]
        );
        let long = "./server --a-long-option=with-its-value --level=";
        assert_eq!(
            named(&[&format!("{long}1 --quiet"), &format!("{long}9 --quiet")]),
            ["server-a-long-opt..lue-level-1-quiet", "server-a-long-opt..lue-level-9-quiet"]
        );
        let long = named(&[&"x".repeat(99), &"x".repeat(98)]);
        assert!(
            long.iter().all(|name| name.len() <= Variant::LONGEST_NAME) && long[0] != long[1],
            "{long:?}"
        );
    }
}
