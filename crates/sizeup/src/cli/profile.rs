//! `sizeup profile`.

use super::choice::known;
use super::exit::Exit;
use super::going_on::quoted;
use super::output::{Piece, check, write_all};
use super::run_args::{parse_label, parse_span};
use super::{diagnostic, json, say};
use crate::briefing::{Briefing, Extent, Screen};
use crate::tables::{profile_briefing, profiles_briefing};
use anyhow::{Context, bail};
use catalog::{Catalog, Home};
use clap::{Args, ValueEnum};
use jiff::{Timestamp, Unit};
use machine::Machine;
use measure::examine::{Subject, SubjectAsked};
use measure::execute::Interrupt;
use measure::session::{default_label, free_path};
use profile::{
    Accounts, Hotspots, JitMap, Method, PerfRecording, Profile, ProfilePair, Sampler, flame_graph,
};
use record::{Measured, ThreadSpec};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Headings of the help.
const PROFILED: &str = "What is profiled";
const WRITTEN: &str = "What is written";

#[derive(Args)]
#[command(after_help = "Examples: sizeup profile blake3-16KiB/blake3\n          \
                        sizeup profile regexp-hard-32KiB/go --threads all --time 10s -o flames.svg\n          \
                        sizeup profile runs/xeon-blake3.profile.json runs/altra-blake3.profile.json\n\
                        Uses perf if it is installed and allowed. docs/profile.md says what is shown, and what is not.")]
pub(super) struct ProfileArgs {
    /// A workload to profile here, a saved profile, or two to compare
    #[arg(required = true, num_args = 1..=2, value_name = "WORKLOAD|FILE")]
    subjects: Vec<String>,
    /// On how many threads
    #[arg(long, default_value = "1", value_name = "N|all", help_heading = PROFILED)]
    threads: ThreadSpec,
    /// How long to record stacks of samples
    #[arg(long, default_value = "5s", value_parser = parse_span, value_name = "TIME", help_heading = PROFILED)]
    time: Duration,
    /// With what: auto, perf or builtin
    #[arg(long, default_value = "auto", value_name = "NAME", hide_possible_values = true, help_heading = PROFILED,
        long_help = "What records the stacks:\n  auto: perf if it works, otherwise builtin\n  perf: perf record, with frame \
            pointers\n  builtin: stops each running thread for some microseconds after every 4 ms of its CPU time")]
    profiler: Profiler,
    /// A folder with tables and workers of your own
    #[arg(long = "with", value_name = "FOLDER", help_heading = PROFILED)]
    folders: Vec<PathBuf>,
    /// Also write a flame graph of the stacks (SVG)
    #[arg(short, long, value_name = "FILE", help_heading = WRITTEN)]
    output: Option<PathBuf>,
    /// The profile to write  [default: one in runs/]
    #[arg(long, value_name = "FILE", help_heading = WRITTEN)]
    save: Option<PathBuf>,
    /// Overwrite existing files, but never an input file
    #[arg(long, help_heading = WRITTEN)]
    force: bool,
    /// Label for this machine
    ///
    /// [default: the instance type or product, the CPU, and how many]
    #[arg(long, value_parser = parse_label, value_name = "TEXT", help_heading = WRITTEN)]
    label: Option<String>,
    #[command(flatten)]
    extent: Extent,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Profiler {
    /// perf if it works, otherwise the built-in one
    Auto,
    /// perf record, with frame pointers
    Perf,
    /// Stops each running thread for some microseconds after every 4 ms of its CPU time
    Builtin,
}

pub(super) fn profile(args: &ProfileArgs, screen: &Screen) -> anyhow::Result<Exit> {
    match &args.subjects[..] {
        [one, other] => {
            let profiles = [read(one)?, read(other)?];
            let pair = ProfilePair::of([&profiles[0], &profiles[1]]);
            let answer = profiles_briefing(&pair, args.extent);
            match args.json {
                true => json::print("profile", None, &answer, &pair, &[])?,
                false => say(&answer, screen, args.extent)?,
            }
        }
        _ => {
            let subject = &args.subjects[0];
            if Path::new(subject).is_file() {
                let saved = read(subject)?;
                return show(&profile_briefing(&saved, args.extent), &saved, args, screen);
            }
            take(args, screen)?;
        }
    }
    Ok(Exit::Fine)
}

fn read(file: &str) -> anyhow::Result<Profile> {
    let path = Path::new(file);
    Profile::read(path).map_err(anyhow::Error::from).or_else(|error| match record::read(path) {
        Ok(_) => bail!("it is a run file, which has no stacks; `sizeup profile WORKLOAD` records those of a workload"),
        Err(_) => Err(error),
    }).with_context(|| {
        format!("{file} can't be used as a profile; two names are those of profiles that `sizeup profile` saved")
    })
}

fn show(
    answer: &Briefing,
    profile: &Profile,
    args: &ProfileArgs,
    screen: &Screen,
) -> anyhow::Result<Exit> {
    match args.json {
        true => json::print("profile", None, answer, profile, &[])?,
        false => say(answer, screen, args.extent)?,
    }
    Ok(Exit::Fine)
}

/// Profiles a workload here, keeps and shows what was found.
fn take(args: &ProfileArgs, screen: &Screen) -> anyhow::Result<()> {
    let interrupt = Interrupt::catch()?;
    let catalog = Catalog::load(&Home::find()?, &args.folders)?;
    let workload = known(&catalog, &args.subjects[0])?;
    let machine = Machine::read(Path::new("/"));
    let asked =
        SubjectAsked { workload, catalog: &catalog, machine: &machine, threads: args.threads };
    // Whoever names a file that is there shall know before the work is done.
    for path in args.save.iter().chain(&args.output) {
        check(path, &[], args.force)?;
    }
    let started_unix_ns = record::wall_clock_ns()?;
    let mut subject = Subject::start(&asked, &interrupt)?;
    let seconds = args.time.as_secs_f64();
    diagnostic(format_args!("profiling {} for {seconds:.0} s", workload.id));
    let StacksTaken { hotspots, method, samples } = stacks(&mut subject, args)?;
    let label = args.label.clone().unwrap_or_else(|| default_label(&machine, &[]));
    let taken = Timestamp::from_nanosecond(record::wall_clock_ns()?.into())?;
    let taken = taken.round(Unit::Second)?.to_string();
    let profile = Profile {
        label,
        taken,
        cpu_model: machine.cpu.model.known().cloned(),
        architecture: machine.cpu.architecture.known().cloned().unwrap_or_default(),
        workload: workload.id.clone(),
        implementation: workload.id.rsplit('/').next().unwrap_or_default().to_owned(),
        threads: subject.threads(),
        cpus: subject.cpus().to_vec(),
        worker: workload.program.name.clone(),
        build: subject.build().clone(),
        method,
        sampled_ns: samples.iter().map(|sample| sample.end_ns - sample.start_ns).sum(),
        samples: hotspots.samples,
        functions: hotspots.functions,
        accounts: Accounts::of(&samples),
    };
    subject.finish()?;
    let mut answer = profile_briefing(&profile, args.extent);
    let default = || free_path(&profile.label, &profile.workload, started_unix_ns, "profile.json");
    let path = args.save.clone().unwrap_or_else(default);
    if args.output.is_none() {
        answer.next(format!("sizeup profile {} -o flames.svg", profile.workload));
    }
    answer
        .next(format!("sizeup profile {} OTHER.profile.json", quoted(&path.display().to_string())));
    let text = json::text("profile", None, &answer, &profile, &[])?;
    let title = format!("{} on {}", profile.workload, profile.label);
    let mut pieces = vec![Piece { path: path.clone(), bytes: text.into_bytes() }];
    pieces.extend(args.output.iter().map(|path| {
        let svg = flame_graph(&title, &hotspots.stacks);
        Piece { path: path.clone(), bytes: svg.into_bytes() }
    }));
    if args.save.is_none() {
        std::fs::create_dir_all("runs").context("the folder runs can't be made")?;
    }
    write_all(&pieces, &[], args.force)?;
    show(&answer, &profile, args, screen)?;
    pieces.iter().for_each(|piece| diagnostic(format_args!("wrote {}", piece.path.display())));
    Ok(())
}

/// Stacks of a worker, with the samples that were measured meanwhile.
struct StacksTaken {
    hotspots: Hotspots,
    method: Method,
    samples: Vec<Measured>,
}

fn stacks(subject: &mut Subject, args: &ProfileArgs) -> anyhow::Result<StacksTaken> {
    let pid = subject.pid();
    let perf = match args.profiler {
        Profiler::Builtin => Err("--profiler builtin".to_owned()),
        Profiler::Auto | Profiler::Perf => PerfRecording::start(pid),
    };
    let (mut stacks, samples, method) = match perf {
        Ok(perf) => {
            let method = Method { profiler: perf.version().to_owned(), why: String::new() };
            let samples = subject.work(args.time, None)?;
            let stacks = perf
                .end()
                .map_err(|why| anyhow::anyhow!("{why}. --profiler builtin does without perf"))?;
            (stacks, samples, method)
        }
        Err(why) if args.profiler == Profiler::Perf => bail!("--profiler perf: {why}"),
        Err(why) => {
            let mut sampler = Sampler::of(pid)?;
            let mut watch = |now_ns| Ok(sampler.take(now_ns)?);
            let samples = subject.work(args.time, Some(&mut watch))?;
            (sampler.end(), samples, Method { profiler: "built-in".to_owned(), why })
        }
    };
    let times: Vec<RangeInclusive<u64>> =
        samples.iter().map(|sample| sample.start_ns..=sample.end_ns).collect();
    stacks.retain(|stack| stack.is_within(&times));
    if stacks.is_empty() {
        bail!("no thread of the worker used a CPU when it was looked at. Raise --time");
    }
    let jit_map =
        JitMap::read(subject.jit_map()).context("the worker's names of JIT-compiled code")?;
    let hotspots = Hotspots::of(pid, &stacks, jit_map).context("the worker can't be looked at")?;
    Ok(StacksTaken { hotspots, method, samples })
}
