//! How often what is planted is named, and how often a calm machine is blamed for something.
//!
//! A busy loop on the run's CPU, a CPU quota, libraries that do without AES, energy counters that stick or show nothing, a clock
//! that steps (simulated: no machine of ours lets us set it). And runs with nothing planted.

use anyhow::Context;
use clap::Parser;
use doctor::{findings_of_run, validity_of};
use estimate::RunEstimate;
use serde_json::Value;
use sizeup_bench::noise::{Shape, rows, run};
use sizeup_bench::program::Program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Plants causes, and counts how often they are named
#[derive(Parser)]
struct Arguments {
    /// How often each
    #[arg(long, default_value_t = 20)]
    repeats: u64,
    /// Only what contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Where the run files go
    #[arg(long)]
    folder: PathBuf,
}

/// The planted cause, and a trial that returns whether it was named.
type Plant = (&'static str, fn(&Program, &Path, u64) -> anyhow::Result<bool>);

const PLANTS: [Plant; 6] = [
    ("busy loop", busy_loop),
    ("quota of 80 %", quota),
    ("--isa no-aes", no_aes),
    ("counter that sticks", |program, folder, trial| fake_rapl(program, folder, trial, "stuck")),
    ("counter of zero", |program, folder, trial| fake_rapl(program, folder, trial, "zero")),
    ("clock step", |_, _, trial| Ok(clock_step(trial))),
];

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let program = Program::find(&arguments.folder)?;
    println!("{:<22}{:>8}{:>8}", "planted", "named", "trials");
    for (name, plant) in PLANTS.iter().filter(|(name, _)| name.contains(&arguments.only)) {
        let mut named = 0;
        for trial in 0..arguments.repeats {
            named += u64::from(plant(&program, &arguments.folder, trial)?);
        }
        println!("{name:<22}{named:>8}{:>8}", arguments.repeats);
    }
    if "nothing".contains(&arguments.only) {
        let mut blamed = 0;
        for trial in 0..arguments.repeats {
            let reasons = calm(&program, trial)?;
            blamed += u64::from(!reasons.is_empty());
            reasons.iter().for_each(|reason| println!("  run {trial}: {reason}"));
        }
        println!(
            "{:<22}{blamed:>8}{:>8}   (runs that are not valid)",
            "nothing", arguments.repeats
        );
    }
    Ok(())
}

/// A row on one CPU, for a few seconds.
const ROW: [&str; 8] = [
    "--workload",
    "sha-256-16KiB/openssl",
    "--threads",
    "1",
    "--cpus",
    "0",
    "--precision",
    "0.01%",
];

fn measure(program: &Program, name: &str, more: &[&str]) -> anyhow::Result<Value> {
    program.run(name, &[&ROW[..], more].concat())?;
    program.json(&["show", &program.file(name)])
}

/// The reasons for which a run is not valid, as `RULE: what was seen`.
fn reasons(shown: &Value) -> Vec<String> {
    let all = shown["validity"]["reasons"].as_array().into_iter().flatten();
    let text = |reason: &Value, key: &str| reason[key].as_str().unwrap_or_default().to_owned();
    all.map(|reason| format!("{}: {}", text(reason, "id"), text(reason, "seen"))).collect()
}

/// Ends a process when it is dropped.
struct Planted(Child);

impl Drop for Planted {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn shell(script: &str) -> anyhow::Result<Planted> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).stdin(Stdio::null());
    Ok(Planted(command.spawn().context("sh")?))
}

fn busy_loop(program: &Program, _: &Path, trial: u64) -> anyhow::Result<bool> {
    let _loop = shell("exec taskset -c 0 sh -c 'while :; do :; done'")?;
    let shown = measure(program, &format!("busy-{trial}"), &["--budget", "6s"])?;
    Ok(reasons(&shown)
        .iter()
        .any(|reason| reason.starts_with("others: ") && reason.contains("CPU 0 (sh")))
}

/// The group of `cpu` in which this process and all that it starts have 80 % of a CPU. Version 1 of control groups, as here.
const GROUP: &str = "/sys/fs/cgroup/cpu/sizeup-planted";

fn quota(program: &Program, _: &Path, trial: u64) -> anyhow::Result<bool> {
    fs::create_dir_all(GROUP).context("a control group: this needs root and cgroup v1")?;
    fs::write(format!("{GROUP}/cpu.cfs_period_us"), "100000")?;
    fs::write(format!("{GROUP}/cpu.cfs_quota_us"), "80000")?;
    let this = std::process::id().to_string();
    fs::write(format!("{GROUP}/cgroup.procs"), &this)?;
    let shown = measure(program, &format!("quota-{trial}"), &["--budget", "6s"]);
    fs::write("/sys/fs/cgroup/cpu/cgroup.procs", &this)?;
    Ok(reasons(&shown?)
        .iter()
        .any(|reason| reason.starts_with("throttling: ") || reason.starts_with("quota: ")))
}

fn no_aes(program: &Program, _: &Path, trial: u64) -> anyhow::Result<bool> {
    let row = ["--workload", "aes-256-gcm-seal-16KiB/openssl", "--threads", "1", "--budget", "5s"];
    let (whole, less) = (format!("aes-{trial}"), format!("no-aes-{trial}"));
    program.run(&whole, &row)?;
    program.run(&less, &[&row[..], &["--isa", "no-aes"]].concat())?;
    let found = program.json(&["explain", &program.file(&less), &program.file(&whole)])?;
    Ok(found["pair"]["only_other"].to_string().contains("\"aes\""))
}

/// A folder like /sys with an energy counter that moves for a second and then sticks, or shows zero.
fn fake_rapl(program: &Program, folder: &Path, trial: u64, state: &str) -> anyhow::Result<bool> {
    let root = folder.join(format!("{state}-{trial}"));
    let zone = root.join("sys/class/powercap/intel-rapl:0");
    fs::create_dir_all(&zone)?;
    fs::write(zone.join("name"), "package-0\n")?;
    fs::write(zone.join("max_energy_range_uj"), "262143328850\n")?;
    fs::write(zone.join("energy_uj"), "0\n")?;
    let counter = zone.join("energy_uj").display().to_string();
    let script = format!(
        "i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo $((i*1000000)) > {counter}.new; mv {counter}.new {counter}; \
         sleep 0.005; done"
    );
    let _counter = if state == "stuck" { Some(shell(&script)?) } else { None };
    std::thread::sleep(Duration::from_millis(50));
    let root = root.display().to_string();
    let more = ["--budget", "6s", "--sensors", &root, "--idle", "200ms"];
    let shown = measure(program, &format!("rapl-{state}-{trial}"), &more)?;
    let sensors = shown["sensors"].as_array().into_iter().flatten();
    let mut of_it = sensors.filter(|sensor| sensor["name"] == "energy_j.rapl-package-0");
    Ok(of_it.any(|sensor| sensor["state"] == state) && shown["power"].is_null())
}

/// By how much the clock falls in the middle of the run.
const STEP: f64 = 0.8;

fn clock_step(seed: u64) -> bool {
    let mut run = run(Shape::QUIET, &rows(8, seed), 20, seed);
    let half = run.samples.len() / 2;
    for sample in &mut run.samples[half..] {
        for thread in &mut sample.measured.threads {
            thread.ops = (thread.ops as f64 * STEP) as u64;
            for pulse in [&mut thread.pulse_before, &mut thread.pulse_after] {
                pulse.clock_ns = (pulse.clock_ns as f64 / STEP) as u64;
                pulse.width_ns = (pulse.width_ns as f64 / STEP) as u64;
            }
        }
    }
    let estimate = RunEstimate::of(&run);
    let validity = validity_of(&run, &estimate, &findings_of_run(&run, &estimate));
    validity.reasons.iter().any(|reason| reason.id.starts_with("clock"))
}

/// Three rows of different work on a machine that is left alone.
fn calm(program: &Program, trial: u64) -> anyhow::Result<Vec<String>> {
    let name = format!("calm-{trial}");
    let rows = ["sha-256-16KiB/openssl", "gzip-6/zlib", "regexp-easy-256KiB/go"];
    let rows = rows.iter().flat_map(|row| ["--workload", row]);
    let arguments: Vec<&str> = rows.chain(["--threads", "1", "--budget", "20s"]).collect();
    program.run(&name, &arguments)?;
    Ok(reasons(&program.json(&["show", &program.file(&name)])?))
}
