//! `sizeup import meter`.

use super::diagnostic;
use super::exit::Exit;
use anyhow::bail;
use clap::Args;
use import::{Columns, MeterLog};
use judge::compare::powers;
use std::path::{Path, PathBuf};

const NS_PER_S: f64 = 1e9;
/// Clocks that are off by more are of another century, in seconds.
const MOST_OFFSET_S: f64 = 1e9;
const LONGEST_NAME: usize = 40;

#[derive(Args)]
#[command(next_help_heading = "A meter's log")]
pub(super) struct MeterArgs {
    /// The run file to join the log to
    #[arg(long, value_name = "FILE")]
    pub run: Option<PathBuf>,
    /// The meter's name
    ///
    /// wall and bmc measure the whole machine.
    #[arg(long, default_value = "wall", value_name = "NAME", value_parser = parse_name)]
    meter: String,
    /// Seconds to add to times, e.g. -3600
    #[arg(long, default_value = "0", value_name = "SECONDS", value_parser = parse_offset, allow_hyphen_values = true)]
    clock_offset: i64,
    /// The time column, if sizeup can't identify it
    #[arg(long, value_name = "NAME")]
    time_column: Option<String>,
    /// The power column, if sizeup can't identify it
    #[arg(long, value_name = "NAME")]
    power_column: Option<String>,
}

fn parse_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match (1..=LONGEST_NAME).contains(&text.len()) && text.chars().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err(format!("{text:?} is not 1 … {LONGEST_NAME} letters, digits and dashes")),
    }
}

/// In ns.
fn parse_offset(text: &str) -> Result<i64, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|s: &f64| s.abs() <= MOST_OFFSET_S);
    let seconds =
        seconds.ok_or_else(|| format!("{text:?} is not a number of seconds, e.g. -3600"))?;
    Ok((seconds * NS_PER_S) as i64)
}

pub(super) fn import(
    args: &MeterArgs,
    files: &[PathBuf],
    output: Option<&Path>,
    folder: &Path,
) -> anyhow::Result<Exit> {
    let Some(file) = &args.run else {
        bail!("name the run that the meter measured: --run FILE");
    };
    let [log] = files else {
        bail!("import one meter log at a time");
    };
    let path = match output {
        Some(path) => path.to_owned(),
        None => folder.join(named_after(file, &args.meter)),
    };
    if path.exists() {
        bail!("{} already exists and is never overwritten", path.display());
    }
    let columns = Columns { time: args.time_column.clone(), power: args.power_column.clone() };
    let log = MeterLog::read(log, &columns)?;
    let run = record::read(file)?;
    let joined = log.join(&run, &args.meter, args.clock_offset)?;
    joined.write(&run, &path)?;
    for (count, what) in [(log.missing, "without a value"), (log.repeated, "that repeat others")] {
        if count > 0 {
            diagnostic(format_args!("{}: skipped {count} lines {what}", log.file));
        }
    }
    if let Some(why) = &log.why_unread {
        diagnostic(format_args!(
            "{}: skipped {} lines that can't be read; {why}",
            log.file, log.unread
        ));
    }
    if log.is_utc {
        diagnostic(format_args!(
            "{}: its times have no zone and are taken for UTC; correct them with --clock-offset SECONDS",
            log.file
        ));
    }
    let count = joined.count();
    diagnostic(format_args!(
        "{}: {count} readings are joined to the run in {}",
        log.file,
        path.display()
    ));
    let written = record::read(&path)?;
    for power in powers(&written).of_run {
        diagnostic(power);
    }
    Ok(Exit::Fine)
}

/// `NAME-METER.run.jsonl`.
fn named_after(run: &Path, meter: &str) -> String {
    let name = run.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".run.jsonl").or_else(|| name.strip_suffix(".jsonl"));
    format!("{}-{meter}.run.jsonl", stem.unwrap_or(&name))
}
