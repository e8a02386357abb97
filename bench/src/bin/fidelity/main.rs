//! Whether sizeup's figures agree with those of established tools: samples of its workers beside runs of
//! `openssl speed`, `go test -bench` and plain C programs over the same libraries, pair by pair.
//! `bench/fidelity/build` builds the peers, see `bench/README.md`.

mod c_loop;
mod go_bench;
mod openssl_speed;
mod order;
mod peer;
mod pinned;
mod raw;
mod row;
mod table;
mod verdict;

use anyhow::{Context, bail, ensure};
use catalog::Home;
use clap::Parser;
use measure::execute::Interrupt;
use order::Orders;
use peer::{Site, peer_of};
use pinned::Pinned;
use raw::Raw;
use row::Row;
use sizeup_bench::Workers;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use verdict::Verdict;

/// Compare sizeup's figures with those of established tools, pair by pair
///
/// Exits with 1 when a row or the mean of all rows is off, with 2 when something can't be measured.
#[derive(Parser)]
struct Arguments {
    /// Pairs of each row; below 20 a row is not judged
    #[arg(long, default_value_t = 20)]
    pairs: usize,
    /// A row whose interval is wider than this on either side gets more pairs
    #[arg(long, default_value = "2%", value_parser = measure::plan::parse_precision)]
    precision: u64,
    /// But never more than this
    #[arg(long, default_value_t = 60)]
    most_pairs: usize,
    /// Only rows whose ID holds this
    #[arg(long, default_value = "")]
    rows: String,
    /// Only rows of this suite that a peer is known for
    #[arg(long, default_value = "edge", value_name = "NAME")]
    suite: String,
    /// The CPUs that both sides are pinned to, with a thread on each; more than one for Go's rows only
    #[arg(long, default_value = "0", value_delimiter = ',', value_name = "LIST")]
    cpus: Vec<u32>,
    /// How long both sides work in a pair; `openssl speed` takes a second in any case
    #[arg(long, default_value = "200ms", value_parser = humantime::parse_duration)]
    sample: Duration,
    /// Begin no pass later than this after the start
    #[arg(long, default_value = "1day", value_parser = humantime::parse_duration)]
    time: Duration,
    /// Keep the raw pairs in this file
    #[arg(long)]
    json: Option<PathBuf>,
    /// Add to the pairs that the file has
    #[arg(long, requires = "json")]
    more: bool,
    /// Measure nothing, judge what the file has
    #[arg(long, requires = "json", conflicts_with = "more")]
    judge: bool,
    /// Seed of the random orders; drawn by the clock if not given
    #[arg(long)]
    seed: Option<u64>,
    /// Folder that bench/fidelity/build built into
    #[arg(long, default_value = "target/fidelity")]
    peers: PathBuf,
    /// Folder of the Lua programs
    #[arg(long, default_value = "workers/lua")]
    lua: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("fidelity: {e:#}");
            ExitCode::from(2)
        }
    }
}

/// Measures and judges; whether all that is judged agrees.
fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let home = Home::find()?;
    let interrupt = Interrupt::catch()?;
    let workers = Workers::at(&home, interrupt.clone())?;
    ensure!(
        arguments.cpus.len() == 1 || arguments.suite != "edge",
        "the peers of edge work on one CPU: name one by --cpus, or another --suite"
    );
    let suite = workers.catalog.suites.get(&arguments.suite);
    let suite = suite.with_context(|| format!("unknown suite {:?}", arguments.suite))?;
    let mut suite: Vec<String> =
        suite.categories.iter().flat_map(|category| category.workloads.clone()).collect();
    // In `edge` every row has a peer; one without is an error there.
    if arguments.suite != "edge" {
        suite.retain(|id| peer_of(&workers.catalog.workloads[id]).is_ok());
    }
    let mut raw = match &arguments.json {
        Some(path) if arguments.more || arguments.judge => Raw::read(path)?,
        Some(path) if path.exists() => bail!("{} exists; --more adds to it", path.display()),
        _ => Raw::new(),
    };
    if !arguments.judge {
        let folder = arguments.peers.canonicalize().with_context(|| {
            format!("{}: run bench/fidelity/build first", arguments.peers.display())
        })?;
        // Uses a worker over the system's OpenSSL, and the same installation otherwise.
        let system = Workers::at(&Home::at(&folder.join("system-openssl")), interrupt.clone())?;
        let site = Site {
            pinned: Pinned { cpus: arguments.cpus.clone() },
            programs: folder,
            placement: 0,
            inputs: home.inputs(),
            lua: arguments.lua.clone(),
            sample_ns: u64::try_from(arguments.sample.as_nanos())?,
        };
        let rows: Vec<Row> = suite
            .iter()
            .filter(|id| id.contains(&arguments.rows))
            .map(|id| {
                // `openssl speed` is the system's; the peers of `tls` are linked with the worker's OpenSSL.
                let is_system = id.ends_with("/openssl") && arguments.suite != "tls";
                let workers = if is_system { &system } else { &workers };
                Row::new(id, workers, &site)
            })
            .collect::<anyhow::Result<_>>()?;
        ensure!(!rows.is_empty(), "no row's ID holds {:?}", arguments.rows);
        measure(arguments, &rows, &site, &interrupt, &mut raw)?;
    }
    if let Some(id) = raw.rows.keys().find(|id| !suite.contains(*id)) {
        bail!("{id} is not in the suite: the file is of another version");
    }
    ensure!(!raw.rows.is_empty(), "nothing to judge");
    let verdict = Verdict::of(&raw, &suite);
    print!("{}", table::text(&verdict));
    for row in verdict.off() {
        println!("off: {}", row.id);
    }
    if !verdict.agrees_together() {
        println!("off: the geometric mean");
    }
    Ok(verdict.off().is_empty() && verdict.agrees_together())
}

/// Passes over the rows, until each has its pairs.
fn measure(
    arguments: &Arguments,
    rows: &[Row],
    site: &Site,
    interrupt: &Interrupt,
    raw: &mut Raw,
) -> anyhow::Result<()> {
    let seed = match arguments.seed {
        Some(seed) => seed,
        None => SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs(),
    };
    eprintln!("seed {seed}, CPUs {}", site.pinned.list());
    let mut orders = Orders::new(seed);
    for row in rows {
        raw.add_row(&row.id, &row.libraries)?;
    }
    let start = Instant::now();
    while start.elapsed() < arguments.time && !interrupt.asked() {
        let mut due: Vec<&Row> = rows.iter().filter(|row| is_due(row, arguments, raw)).collect();
        if due.is_empty() {
            break;
        }
        orders.shuffle(&mut due);
        let pass = raw.passes() + 1;
        eprintln!("pass {pass}: {} rows, {} s", due.len(), start.elapsed().as_secs());
        for row in due {
            if interrupt.asked() {
                break;
            }
            raw.pairs.push(row.pair(pass, site)?);
        }
        if let Some(path) = &arguments.json {
            raw.write(path)?;
        }
    }
    Ok(())
}

/// Whether a row needs another pair. Width decides, never the ratio.
fn is_due(row: &Row, arguments: &Arguments, raw: &Raw) -> bool {
    let ratios: Vec<f64> = raw.of(&row.id).iter().map(|pair| pair.ratio()).collect();
    if ratios.len() < arguments.pairs {
        return true;
    }
    let wide = stats::ratio_interval(&ratios)
        .is_none_or(|ratio| ratio.margin() * 1e6 > arguments.precision as f64);
    wide && ratios.len() < arguments.most_pairs
}
