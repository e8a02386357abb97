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
        RECIPES.iter().map(|recipe| format!("  {}: {}", recipe.name, recipe.about)).collect();
    format!(
        "A variant to measure in turns with others: NAME alone is the unmodified work, or a recipe:\n{}\n\
         NAME='SETTING SETTING …' has settings: VARIABLE=VALUE (environment), worker:NAME=PROGRAM (path relative to the current \
         folder) or smt:off. The others are compared with the first variant. Can be given more than once.",
        recipes.join("\n")
    )
}

fn isa_help() -> String {
    format!(
        "Disable instruction sets in libraries (x86-64 only): {}\n\n\
         Through the libraries' own switches: OpenSSL, AWS-LC, Go and the C library have some; other libraries are unaffected.",
        IsaSwitch::ALL.map(|switch| switch.to_string()).join(", ")
    )
}

/// A variant, or the recipe of that name.
fn variant_or_recipe(text: &str) -> Result<Variant, String> {
    Recipe::variant(text).map_or_else(|| text.parse(), Ok)
}

/// Headings of the help, in its order.
const WORK: &str = "What is measured";
pub(super) const TIME: &str = "For how long, and how precisely";
const SIDE_BY_SIDE: &str = "Side by side";
pub(super) const FILE: &str = "The run file and what it says";
const SAMPLES: &str = "How samples are taken";

#[derive(Args, Clone)]
#[command(after_help = "Examples: sizeup run --suite edge --label altra\n          \
                        sizeup run --workload gzip-6/cloudflare-zlib --threads 1,2,all --budget 1m\n          \
                        sizeup run --workload regexp-hard-256KiB/go --variant base --variant gc=GOGC=20\n          \
                        sizeup run --suite storage --squeeze\n          \
                          sizeup run --mix ampere-web-2023\n          \
                        sizeup run --resume runs/altra-edge-20261121T222739Z.run.jsonl\n\
                        The run ends when every row has converged to --precision or --budget is used up. \
                        Exit status 3 if a row has no figure or the run was stopped.")]
pub(super) struct RunArgs {
    /// A name without its option, for which there is a hint.
    #[arg(hide = true, value_name = "NAME")]
    pub named: Option<String>,
    /// The suite; `sizeup list` shows them
    #[arg(long, default_value = "server2026-quick", value_name = "NAME", help_heading = WORK)]
    pub suite: String,
    /// Single workloads instead of a suite
    ///
    /// An operation without a library stands for all its libraries: json-decode-api. Can be given more than once.
    #[arg(long = "workload", value_name = "ID", conflicts_with = "suite", help_heading = WORK)]
    pub workloads: Vec<String>,
    /// A mix of work instead of a suite: a name of `sizeup list mixes`, or a file
    ///
    /// With rates: each demand alone, then all at once, on all CPUs, until --budget runs out [2m]; `sizeup capacity` then uses the
    /// measured cost of running all at once. With weights: each demand alone, on all CPUs [5m], for `sizeup score --mix`.
    #[arg(long, value_name = "NAME", help_heading = WORK,
        conflicts_with_all = ["suite", "workloads", "threads", "variants", "estimate", "precision"])]
    pub mix: Option<PathBuf>,
    /// Also send all threads through the mix's work, each from another place on
    ///
    /// So that different work runs beside each other all the time, instead of all at once on every CPU. Shows how often they do its list, and
    /// how far that is from what the rows alone add up to. For rows of the workers native, openssl, compressors, luajit, cloudflare-zlib and xxhash, or of one worker of yours.
    #[arg(long, requires = "mix", help_heading = WORK)]
    pub rolling: bool,
    /// Thread counts, e.g. 1,8,all or 30-40 or sweep
    ///
    /// sweep is every count up to 16, then eight per doubling, and those where cores and sockets fill up. [default: the suite's]
    #[arg(long, value_delimiter = ',', value_name = "LIST", help_heading = WORK)]
    pub threads: Vec<ThreadsAsked>,
    /// Use only these CPUs, e.g. 0-3,8
    #[arg(long, value_name = "LIST", help_heading = WORK)]
    pub cpus: Option<CpuList>,
    /// Order of CPUs: cores, threads or socket
    ///
    /// cores: one thread per core first; threads: fill a core's siblings first; socket: fill one socket first.
    #[arg(long, default_value_t = Placement::Cores, value_name = "ORDER", value_parser = one_of(Placement::ALL), hide_possible_values = true,
        help_heading = WORK)]
    pub placement: Placement,
    /// A folder with tables and workers of your own
    #[arg(long = "with", value_name = "FOLDER", help_heading = WORK)]
    pub folders: Vec<PathBuf>,
    /// Load the measured servers from this other machine
    ///
    /// ssh must reach it without a prompt, and the same release must be installed there, in the same folder or in FOLDER.
    /// Repeat it with --resume.
    #[arg(long, value_name = "[USER@]HOST[:/FOLDER]", help_heading = WORK)]
    pub client: Option<ClientHost>,
    /// Time for the run, e.g. 5m  [default: the suite's]
    #[arg(long, value_parser = parse_budget, value_name = "TIME", help_heading = TIME)]
    pub budget: Option<Duration>,
    /// Target margin, e.g. 1%  [default: the suite's]
    #[arg(long, value_parser = parse_precision, value_name = "PERCENT", help_heading = TIME)]
    pub precision: Option<u64>,
    /// Predict margins by a short pilot, and keep no run
    ///
    /// Says which margins the budget would give and how long --precision would take.
    #[arg(long, conflicts_with_all = ["output", "resume"], help_heading = TIME)]
    pub estimate: bool,
    /// Continue a run that was killed or stopped
    ///
    /// For the rest of its budget, or for --budget. Repeat its --variant options.
    #[arg(long, value_name = "FILE", help_heading = TIME, conflicts_with_all = [
        "suite", "workloads", "mix", "rolling", "threads", "placement", "cpus", "precision", "label", "host", "fact", "facts", "output",
        "seed", "isa", "sustain", "squeeze", "beside_load", "measure_machine", "warmup", "sample_time", "rounds_per_launch", "inject_wrong_answer",
    ])]
    pub resume: Option<PathBuf>,
    /// A variant to measure in turns with others
    #[arg(long = "variant", value_name = "NAME[=SETTINGS]", value_parser = variant_or_recipe, long_help = variant_help(),
        help_heading = SIDE_BY_SIDE)]
    pub variants: Vec<Variant>,
    /// Disable instruction sets in libraries (x86-64 only)
    #[arg(long, value_delimiter = ',', value_name = "LIST", value_parser = one_of(IsaSwitch::ALL), hide_possible_values = true,
        long_help = isa_help(), help_heading = SIDE_BY_SIDE)]
    pub isa: Vec<IsaSwitch>,
    /// Also measure each row while other cores fill caches and memory
    ///
    /// Beside 1, 2, 4, … co-runners on cores that the row does not use. They do the work of a workload [default:
    /// overwrite 128 MiB again and again]; separate several by commas. Rows run on one thread unless --threads says otherwise.
    #[arg(long, value_name = "WORKLOAD", num_args = 0..=1, require_equals = true, value_delimiter = ',',
        default_missing_value = FILL_MEMORY, conflicts_with_all = ["mix", "variants", "client"], help_heading = SIDE_BY_SIDE)]
    pub squeeze: Vec<String>,
    /// Also measure each row while all other cores work
    ///
    /// Shows what a row loses when the clock falls on a loaded package. The cores do the work of a workload [default:
    /// arithmetic on vectors in the first-level cache].
    #[arg(long, value_name = "WORKLOAD", num_args = 0..=1, require_equals = true,
        default_missing_value = LOAD_CORES, conflicts_with_all = ["mix", "variants", "client"], help_heading = SIDE_BY_SIDE)]
    pub beside_load: Option<String>,
    /// Then also load each row until clock and temperature are steady
    ///
    /// After all samples, on all threads, without pauses, at most this long per row, in addition to --budget. Shows the settled
    /// figure beside that of the short samples.
    #[arg(long, value_parser = parse_sustain, value_name = "TIME", conflicts_with_all = ["mix", "squeeze", "beside_load"],
        help_heading = SIDE_BY_SIDE)]
    pub sustain: Option<Duration>,
    /// The run file to write  [default: one in runs/]
    #[arg(long, short, value_name = "FILE", help_heading = FILE)]
    pub output: Option<PathBuf>,
    /// Label for this machine
    ///
    /// [default: the instance type or product, the CPU, and how many]
    #[arg(long, value_parser = parse_label, value_name = "TEXT", help_heading = FILE)]
    pub label: Option<String>,
    /// Name of this host  [default: its boot ID]
    #[arg(long, value_parser = parse_label, value_name = "TEXT", help_heading = FILE)]
    pub host: Option<String>,
    #[command(flatten)]
    pub facts: FactArgs,
    /// First measure the machine: `sizeup machine --measure`
    ///
    /// Takes seconds of the budget; `compare --details` shows machines side by side.
    #[arg(long, help_heading = FILE)]
    pub measure_machine: bool,
    #[command(flatten)]
    pub timing: TimingArgs,
    /// Samples per worker process
    #[arg(long, default_value_t = ROUNDS_PER_LAUNCH, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
        help_heading = SAMPLES)]
    pub rounds_per_launch: u64,
    /// How long to wait for a late answer
    #[arg(long, default_value = "60s", value_parser = parse_span, value_name = "TIME", help_heading = SAMPLES)]
    pub answer_timeout: Duration,
    /// Seed for all random choices  [default: random]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64), help_heading = SAMPLES)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub telemetry: TelemetryArgs,
    /// Print the result as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Have the worker of a workload damage its own output, to see the check fail (see CONTRIBUTING.md)
    #[arg(long, hide = true, value_name = "ID")]
    pub inject_wrong_answer: Option<String>,
}

/// Samples that a worker process gives by default.
pub(super) const ROUNDS_PER_LAUNCH: u64 = 6;
/// The default of `--squeeze`: touches more memory than caches hold.
const FILL_MEMORY: &str = "memory-fill-128MiB/control";
/// The default of `--beside-load`: stays within its cores.
const LOAD_CORES: &str = "vectors/control";

#[derive(Args, Clone)]
#[command(next_help_heading = SAMPLES)]
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
