//! The arguments of `sizeup run`.

use super::facts::FactArgs;
use super::names::one_of;
use super::telemetry_args::TelemetryArgs;
use catalog::ClientHost;
use clap::Args;
use machine::{CpuList, IsaSwitch, Placement};
use measure::plan::{ThreadsAsked, parse_budget, parse_precision};
use record::{Plan, RECIPES, Recipe, Timing, Variant};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

fn variant_help() -> String {
    let recipes: Vec<String> =
        RECIPES.iter().map(|recipe| format!("{} ({})", recipe.name, recipe.about)).collect();
    format!(
        "A variant to measure side by side with others, compared with the first: NAME, or NAME=SETTING SETTING… with \
         VARIABLE=VALUE (environment), worker:NAME=PROGRAM (path relative to the current folder) or smt:off; can be given more than \
         once. A name alone is the unmodified work, or a recipe: {}",
        recipes.join("; ")
    )
}

/// A variant, or the recipe of that name.
fn variant_or_recipe(text: &str) -> Result<Variant, String> {
    Recipe::variant(text).map_or_else(|| text.parse(), Ok)
}

#[derive(Args, Clone)]
#[command(after_help = "Examples: sizeup run --suite edge --label altra\n          \
                        sizeup run --workload gzip-6/cloudflare-zlib --threads 1,2,all --budget 1m\n          \
                        sizeup run --workload regexp-hard-256KiB/go --variant base --variant gc=GOGC=20\n          \
                        sizeup run --suite storage --squeeze\n          \
                          sizeup run --mix mix.toml\n          \
                        sizeup run --resume runs/altra-edge-20261121T222739Z.run.jsonl\n\
                        The run ends when every row has converged to --precision or --budget is used up. \
                        Exit status 3 if a row has no figure or the run was stopped.")]
pub(super) struct RunArgs {
    /// A name without its option, for which there is a hint.
    #[arg(hide = true, value_name = "NAME")]
    pub named: Option<String>,
    /// The suite to measure; `sizeup list` shows them
    #[arg(long, default_value = "quick", value_name = "NAME")]
    pub suite: String,
    /// Single workloads instead of a suite; can be given more than once
    #[arg(long = "workload", value_name = "ID", conflicts_with = "suite")]
    pub workloads: Vec<String>,
    /// Measure a mix of work (TOML, as for `sizeup capacity`) instead of a suite: each demand alone, then all at once,
    /// on all CPUs, until --budget runs out [2m]. `sizeup capacity` then uses the measured cost of running all at once
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "workloads", "threads", "variants", "estimate", "precision"])]
    pub mix: Option<PathBuf>,
    /// Thread counts, e.g. 1,8,all or 30-40; sweep: every count up to 16, then eight per doubling, and
    /// where cores and sockets fill up  [default: the suite's]
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub threads: Vec<ThreadsAsked>,
    #[arg(long = "variant", value_name = "NAME[=SETTINGS]", value_parser = variant_or_recipe, help = variant_help())]
    pub variants: Vec<Variant>,
    /// Have libraries do without instruction sets, by switches of their own: OpenSSL, AWS-LC, Go and the C library have some,
    /// others go on using them. x86-64 only
    #[arg(long, value_delimiter = ',', value_name = "LIST", value_parser = one_of(IsaSwitch::ALL))]
    pub isa: Vec<IsaSwitch>,
    /// Also measure each row beside 1, 2, 4, … co-runners on cores that no row uses, as many as there are: what it loses
    /// where others fill the caches and use the memory. They do the work of a workload  [default: overwrite 128 MiB
    /// again and again]; several with commas. Rows are measured on one thread unless --threads says otherwise
    #[arg(long, value_name = "WORKLOAD", num_args = 0..=1, require_equals = true, value_delimiter = ',',
        default_missing_value = FILL_MEMORY, conflicts_with_all = ["mix", "variants", "client"])]
    pub squeeze: Vec<String>,
    /// Also measure each row while all other cores work: what it loses where the clock falls on a loaded package. They
    /// do the work of a workload  [default: arithmetic on vectors in the first-level cache]
    #[arg(long, value_name = "WORKLOAD", num_args = 0..=1, require_equals = true,
        default_missing_value = LOAD_CORES, conflicts_with_all = ["mix", "variants", "client"])]
    pub beside_load: Option<String>,
    /// After all samples, also load each row on all threads without pauses until clock and temperature are steady, at most
    /// this long each, in addition to --budget: what it settles at, beside the figure of its short samples
    #[arg(long, value_parser = parse_sustain, value_name = "TIME", conflicts_with_all = ["mix", "squeeze", "beside_load"])]
    pub sustain: Option<Duration>,
    /// First measure what no file reports of the machine, in seconds of the budget, as `sizeup machine --measure` does: `compare
    /// --details` has it side by side
    #[arg(long)]
    pub measure_machine: bool,
    /// cores: one thread per core first; threads: fill a core's siblings first; socket: fill one socket first
    #[arg(long, default_value_t = Placement::Cores, value_name = "ORDER", value_parser = one_of(Placement::ALL))]
    pub placement: Placement,
    /// Use only these CPUs, e.g. 0-3,8
    #[arg(long, value_name = "LIST")]
    pub cpus: Option<CpuList>,
    /// Target margin of error of each row (95 %), e.g. 1%  [default: the suite's]
    #[arg(long, value_parser = parse_precision, value_name = "PERCENT")]
    pub precision: Option<u64>,
    /// Time for the whole run, e.g. 5m  [default: the suite's]
    #[arg(long, value_parser = parse_budget, value_name = "TIME")]
    pub budget: Option<Duration>,
    /// Label for this machine  [default: the instance type or product name, and the CPU]
    #[arg(long, value_parser = parse_label, value_name = "TEXT")]
    pub label: Option<String>,
    /// Name of this host, if several machines share a label  [default: an ID of the current boot]
    #[arg(long, value_parser = parse_label, value_name = "TEXT")]
    pub host: Option<String>,
    #[command(flatten)]
    pub facts: FactArgs,
    /// The run file to write  [default: one in runs/]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Continue a run that was killed or stopped, for what is left of its budget or for --budget; repeat its --variant flags
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "suite", "workloads", "mix", "threads", "placement", "cpus", "precision", "label", "host", "fact", "facts", "output",
        "seed", "isa", "sustain", "squeeze", "beside_load", "measure_machine", "warmup", "sample_time", "rounds_per_launch", "inject_wrong_answer",
    ])]
    pub resume: Option<PathBuf>,
    /// Load the measured servers from this other machine: ssh must reach it without a prompt, and the same
    /// release must be installed there, in the same folder or in FOLDER. Repeat it with --resume
    #[arg(long, value_name = "[USER@]HOST[:/FOLDER]")]
    pub client: Option<ClientHost>,
    /// A folder with tables and workers of your own
    #[arg(long = "with", value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// Run a short pilot only; say which margins the budget would give and how long --precision would take
    #[arg(long, conflicts_with_all = ["output", "resume"])]
    pub estimate: bool,
    /// Seed for all random choices  [default: random]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub timing: TimingArgs,
    /// Samples per worker process before a fresh process replaces it
    #[arg(long, default_value_t = ROUNDS_PER_LAUNCH, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds_per_launch: u64,
    /// How long to wait for a worker's answer, beyond the time requested of it
    #[arg(long, default_value = "60s", value_parser = parse_span, value_name = "TIME")]
    pub answer_timeout: Duration,
    #[command(flatten)]
    pub telemetry: TelemetryArgs,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Have the worker of a workload damage its own output, to see the check fail (see CONTRIBUTING.md)
    #[arg(long, hide = true, value_name = "ID")]
    pub inject_wrong_answer: Option<String>,
}

/// Samples that a worker process gives by default.
pub(super) const ROUNDS_PER_LAUNCH: u64 = 6;
/// What co-runners of `--squeeze` do by default: more than caches hold.
const FILL_MEMORY: &str = "memory-fill-128MiB/control";
/// What co-runners of `--beside-load` do by default: nothing that leaves their cores.
const LOAD_CORES: &str = "vectors/control";

/// How samples are taken.
#[derive(Args, Clone)]
pub(super) struct TimingArgs {
    /// Uncounted work before each sample
    #[arg(long, default_value = "5ms", value_parser = parse_warmup, value_name = "TIME")]
    pub warmup: Duration,
    /// Minimum length of a sample
    #[arg(long, default_value = "50ms", value_parser = parse_span, value_name = "TIME")]
    pub sample_time: Duration,
}

impl TimingArgs {
    /// As the run file has it.
    pub fn timing(&self, rounds_per_launch: u64) -> Timing {
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        Timing { warmup_ns: ns(self.warmup), sample_ns: ns(self.sample_time), rounds_per_launch }
    }
}

pub(super) fn parse_label(text: &str) -> Result<String, String> {
    let is_plain = !text.trim().is_empty() && text.chars().count() <= 100;
    if is_plain && !text.chars().any(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err("a label has 1 … 100 characters and no control characters".to_owned())
    }
}

/// A stretch of time that a worker can be asked for.
pub(super) fn parse_span(text: &str) -> Result<Duration, String> {
    parse_between(text, Timing::POSSIBLE_SAMPLE_NS)
}

fn parse_warmup(text: &str) -> Result<Duration, String> {
    parse_between(text, Timing::POSSIBLE_WARMUP_NS)
}

/// Windows of less than a second would be of a few samples each.
fn parse_sustain(text: &str) -> Result<Duration, String> {
    parse_between(text, Plan::POSSIBLE_SUSTAIN_NS)
}

fn parse_between(text: &str, ns: RangeInclusive<u64>) -> Result<Duration, String> {
    let (least, most) = (Duration::from_nanos(*ns.start()), Duration::from_nanos(*ns.end()));
    match humantime::parse_duration(text) {
        Ok(time) if (least..=most).contains(&time) => Ok(time),
        Ok(_) => Err(format!(
            "{text:?} is not between {} and {}",
            humantime::format_duration(least),
            humantime::format_duration(most)
        )),
        Err(e) => Err(format!("{text:?} is not a time: {e}, e.g. 50ms")),
    }
}
