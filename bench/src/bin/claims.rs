//! How often an answer claims a difference that isn't there, and how often there is an answer, beside planted load.
//!
//! All runs are of one machine: whatever is said to differ does not. The quiet runs are the truth.

use anyhow::Context;
use clap::Parser;
use serde_json::Value;
use sizeup_bench::neighbour::{Kind, Neighbour};
use sizeup_bench::program::Program;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Measures one machine beside planted loads, and counts answers and false claims
#[derive(Parser)]
struct Arguments {
    /// Runs beside each load
    #[arg(long, default_value_t = 20)]
    repeats: usize,
    /// Only loads whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// Time for each run beside a load
    #[arg(long, default_value = "20s")]
    budget: String,
    /// Time for each quiet run
    #[arg(long, default_value = "60s")]
    quiet_budget: String,
    /// Where the run files go; quiet runs that are there already are used again
    #[arg(long)]
    folder: PathBuf,
}

const QUIET_RUNS: usize = 3;
/// Each kind of work that the quick suite has, on one and on all threads.
const WORK: [&str; 6] = [
    "aes-128-gcm-seal-8KiB/go",
    "hash-BLAKE3-256-128/zeebo",
    "gzip-5/zlib",
    "lz4/lz4",
    "gunzip-own-5/zlib-ng",
    "regexp-easy-32KiB/go",
];
/// So much that each machine counts: about thirty of two CPUs each.
const MIX: &str = r#"
[[demand]]
workload = "gzip-5/zlib"
rate = "2 GB/s"
[[demand]]
workload = "aes-128-gcm-seal-8KiB/go"
rate = "100 GB/s"
[[demand]]
workload = "regexp-easy-32KiB/go"
rate = "200,000 ops/s"
"#;

#[derive(Clone, Copy)]
enum Load {
    None,
    /// Threads that each use so much of a CPU.
    Busy(&'static [f64]),
    Memory,
    /// CPUs that may be used.
    Quota(f64),
}

const LOADS: [(&str, Load); 6] = [
    ("none", Load::None),
    ("0.5 CPUs", Load::Busy(&[0.5])),
    ("1 CPU", Load::Busy(&[1.0])),
    ("1.6 CPUs", Load::Busy(&[0.8, 0.8])),
    ("memory", Load::Memory),
    ("quota of 1.2 CPUs", Load::Quota(1.2)),
];

#[derive(Default)]
struct Tally {
    valid: usize,
    suspect: usize,
    invalid: usize,
    /// By question: answers, and those of them that are false.
    answers: [[usize; 2]; QUESTIONS.len()],
}

const QUESTIONS: [&str; 6] = ["compare", "cost", "capacity", "run", "markdown", "two beside it"];

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let program = Program::find(&arguments.folder)?;
    let mix = arguments.folder.join("mix.toml");
    fs::write(&mix, MIX)?;
    let mix = mix.to_string_lossy().into_owned();
    let quiet: Vec<String> = (0..QUIET_RUNS).map(|run| format!("quiet-{run}")).collect();
    for name in &quiet {
        if !fs::exists(program.file(name))? {
            measure(&program, name, &arguments.quiet_budget)?;
        }
        println!("{name}: {}", validity(&program, name)?);
    }
    let truth = Truth::of(&program, &mix, &quiet)?;
    println!(
        "{:<20}{:>6}{:>8}{:>8}   answers, false ones",
        "beside", "valid", "suspect", "invalid"
    );
    for (load_name, planted) in LOADS.iter().filter(|(name, _)| name.contains(&arguments.only)) {
        let mut tally = Tally::default();
        let name = |run: usize| format!("{}-{run}", load_name.replace(' ', "-"));
        for run in 0..arguments.repeats {
            let load = Planted::start(*planted)?;
            if !fs::exists(program.file(&name(run)))? {
                measure(&program, &name(run), &arguments.budget)?;
            }
            drop(load);
            let before = run.checked_sub(1).map(name);
            tally.add(&program, &mix, &truth, &quiet[run % QUIET_RUNS], &name(run), before)?;
        }
        let questions = QUESTIONS.iter().zip(tally.answers);
        let counts =
            questions.map(|(question, [answers, wrong])| format!("{question} {answers}, {wrong}"));
        let counts: Vec<String> = counts.collect();
        let Tally { valid, suspect, invalid, .. } = tally;
        println!("{load_name:<20}{valid:>6}{suspect:>8}{invalid:>8}   {}", counts.join("; "));
    }
    Ok(())
}

fn measure(program: &Program, name: &str, budget: &str) -> anyhow::Result<()> {
    let work = WORK.iter().flat_map(|workload| ["--workload", workload]);
    let rest = ["--threads", "1,all", "--budget", budget, "--label", name];
    program.run(name, &work.chain(rest).collect::<Vec<_>>())?;
    Ok(())
}

fn validity(program: &Program, name: &str) -> anyhow::Result<String> {
    let shown = program.json(&["show", &program.file(name)])?;
    Ok(shown["validity"]["grade"].as_str().context("a grade")?.to_owned())
}

/// The figures of the quiet runs.
struct Truth {
    /// Machines that carry the mix.
    load: f64,
    /// Speed relative to the reference, by number of threads.
    scores: Vec<(String, f64)>,
}

impl Truth {
    fn of(program: &Program, mix: &str, quiet: &[String]) -> anyhow::Result<Self> {
        let mut loads = Vec::new();
        let mut scores: Vec<(String, Vec<f64>)> = Vec::new();
        for name in quiet {
            loads.extend(load(program, mix, name)?.map(|load| load[1]));
            for (threads, [_, centre, _]) in scored(program, name)? {
                match scores.iter_mut().find(|(other, _)| *other == threads) {
                    Some((_, centres)) => centres.push(centre),
                    None => scores.push((threads, vec![centre])),
                }
            }
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let scores = scores.into_iter().map(|(threads, values)| (threads, mean(&values)));
        Ok(Self { load: mean(&loads), scores: scores.collect() })
    }
}

/// Low, centre, high.
fn interval(value: &Value) -> Option<[f64; 3]> {
    let part = |name: &str| value[name].as_f64();
    Some([part("low")?, part("centre")?, part("high")?])
}

fn load(program: &Program, mix: &str, name: &str) -> anyhow::Result<Option<[f64; 3]>> {
    let file = program.file(name);
    // Refused where a row of the mix has no figure, which is no answer as well.
    let is_answered = program.status(&["capacity", mix, &file])? < 2;
    let data = is_answered.then(|| program.json(&["capacity", mix, &file])).transpose()?;
    Ok(data.and_then(|data| interval(&data[0]["load"])))
}

/// The scores over all rows relative to the reference, by number of threads.
fn scored(program: &Program, name: &str) -> anyhow::Result<Vec<(String, [f64; 3])>> {
    let data = program.json(&["score", &reference()?, &program.file(name), "--allow", "worker"])?;
    let lines = data[0]["lines"].as_array().into_iter().flatten();
    // A score over fewer rows is of other work.
    let overall = lines.filter(|line| line["category"] == "overall" && line["rows"] == WORK.len());
    let score =
        |line: &Value| Some((line["threads"].as_str()?.to_owned(), interval(&line["score"])?));
    Ok(overall.filter_map(score).collect())
}

fn reference() -> anyhow::Result<String> {
    let home = std::env::var("SIZEUP_HOME")?;
    let mut files = fs::read_dir(format!("{home}/share/sizeup/reference"))?.flatten();
    let file = files.find(|file| file.path().to_string_lossy().ends_with(".run.jsonl"));
    Ok(file.context("the reference run")?.path().to_string_lossy().into_owned())
}

/// Sentences that say that one machine is ahead of the other.
fn claims(sentences: &str) -> bool {
    let claims = |sentence: &str| {
        let certain = sentence.split("may be anything").next().unwrap_or_default();
        let words = ["faster", "slower", " less ", " more ", "is ahead"];
        let is_none = ["is undetermined", "can't tell", "looks like a slower core"]
            .iter()
            .any(|none| sentence.contains(none));
        !is_none && words.iter().any(|word| certain.contains(word))
    };
    sentences.split(". ").any(claims)
}

impl Tally {
    fn add(
        &mut self,
        program: &Program,
        mix: &str,
        truth: &Truth,
        quiet: &str,
        name: &str,
        before: Option<String>,
    ) -> anyhow::Result<()> {
        let grade = validity(program, name)?;
        match grade.as_str() {
            "valid" => self.valid += 1,
            "suspect" => self.suspect += 1,
            _ => self.invalid += 1,
        }
        let (quiet_file, file) = (program.file(quiet), program.file(name));
        let prices = [format!("{quiet}=1"), format!("{name}=1")];
        let cost = ["cost", &quiet_file, &file, "--price", &prices[0], "--price", &prices[1]];
        self.sentence(0, name, program.answer(&["compare", &quiet_file, &file])?);
        self.sentence(1, name, program.answer(&cost)?);
        self.note(2, name, load(program, mix, name)?.map(|load| misses(load, truth.load)));
        let of_run = scored(program, name)?;
        let missed = of_run.iter().any(|(threads, score)| {
            let known = truth.scores.iter().find(|(other, _)| other == threads);
            known.is_some_and(|(_, known)| misses(*score, *known))
        });
        self.note(3, name, (!of_run.is_empty()).then_some(missed));
        let markdown = program.markdown(&[&quiet_file, &file])?;
        let head: Vec<&str> = markdown.lines().take_while(|line| !line.starts_with('|')).collect();
        let head = head.join("\n");
        self.note(4, name, (!head.contains("No answer")).then(|| claims(&head)));
        if let Some(before) = before {
            let both = program.answer(&["compare", &program.file(&before), &file])?;
            self.sentence(5, name, both);
        }
        Ok(())
    }

    fn sentence(&mut self, question: usize, name: &str, answer: Value) {
        let sentences = answer["answer"].as_array().into_iter().flatten();
        let sentences: Vec<&str> = sentences.filter_map(Value::as_str).collect();
        let sentences = sentences.join(" ");
        let is_answer = !answer["data"].is_null() && !sentences.contains("No answer");
        if is_answer && claims(&sentences) {
            println!("  {name}: {}: {sentences}", QUESTIONS[question]);
        }
        self.note(question, name, is_answer.then(|| claims(&sentences)));
    }

    fn note(&mut self, question: usize, name: &str, is_false: Option<bool>) {
        let Some(is_false) = is_false else { return };
        self.answers[question][0] += 1;
        self.answers[question][1] += usize::from(is_false);
        if is_false && ["capacity", "run", "markdown"].contains(&QUESTIONS[question]) {
            println!("  {name}: {}", QUESTIONS[question]);
        }
    }
}

fn misses([low, _, high]: [f64; 3], truth: f64) -> bool {
    truth < low || truth > high
}

/// A load that ends when it is dropped.
struct Planted {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    neighbour: Option<Neighbour>,
    has_quota: bool,
}

/// Within which a thread works and sleeps once.
const TURN: Duration = Duration::from_millis(20);
const NEIGHBOUR_BYTES: usize = 256 << 20;
/// Version 1 of control groups.
const GROUPS: &str = "/sys/fs/cgroup/cpu";

impl Planted {
    fn start(load: Load) -> anyhow::Result<Self> {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut planted = Self {
            is_over: Arc::clone(&is_over),
            threads: vec![],
            neighbour: None,
            has_quota: false,
        };
        match load {
            Load::None => {}
            Load::Busy(shares) => {
                planted.threads = shares.iter().map(|share| busy(*share, &is_over)).collect();
            }
            Load::Memory => {
                let neighbour = Neighbour::start(1, Kind::Writes, NEIGHBOUR_BYTES);
                neighbour.switch(true);
                planted.neighbour = Some(neighbour);
            }
            Load::Quota(cpus) => {
                let group = format!("{GROUPS}/sizeup-claims");
                fs::create_dir_all(&group).context("a control group: needs root and version 1")?;
                fs::write(format!("{group}/cpu.cfs_period_us"), "100000")?;
                fs::write(format!("{group}/cpu.cfs_quota_us"), format!("{:.0}", cpus * 1e5))?;
                fs::write(format!("{group}/cgroup.procs"), std::process::id().to_string())?;
                planted.has_quota = true;
            }
        }
        Ok(planted)
    }
}

impl Drop for Planted {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.threads.drain(..).for_each(|thread| thread.join().expect("no panic"));
        if self.has_quota {
            let procs = format!("{GROUPS}/cgroup.procs");
            fs::write(procs, std::process::id().to_string()).expect("leave the control group");
        }
    }
}

fn busy(share: f64, is_over: &Arc<AtomicBool>) -> JoinHandle<()> {
    let is_over = Arc::clone(is_over);
    thread::spawn(move || {
        while !is_over.load(Ordering::Relaxed) {
            let start = Instant::now();
            while start.elapsed() < TURN.mul_f64(share) {
                std::hint::spin_loop();
            }
            thread::sleep(TURN.mul_f64(1.0 - share));
        }
    })
}
