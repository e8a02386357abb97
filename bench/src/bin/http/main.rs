//! Does the NGINX worker give the requests/s that an established load generator gets from the same NGINX?
//! `bench/README.md` says how to run it.

mod peer;
mod port;

use anyhow::Context;
use clap::Parser;
use measure::execute::LiveLaunch;
use peer::Peer;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use record::{Measured, Timing};
use sizeup_bench::pairs::{Bounds, interval, pairs};
use sizeup_bench::{Workers, throughput};
use stats::{Interval, mean, mean_margin};

/// The rows whose load is a closed loop.
const ROWS: [&str; 10] = [
    "https-page-keepalive/nginx",
    "https-page-keepalive-tls13/nginx",
    "https-page-handshake/nginx",
    "https-page-handshake-tls13/nginx",
    "https-redirect/nginx",
    "https-redirect-tls13/nginx",
    "https-plain/nginx",
    "https-plain-tls13/nginx",
    "https-page-h2/nginx",
    "https-plain-h2/nginx",
];

#[derive(Parser)]
#[command(
    about = "Compares the NGINX worker's requests/s with wrk's or h2load's, on the same NGINX",
    version
)]
struct Args {
    /// A row to compare; may be repeated
    #[arg(long = "workload", value_name = "ID", default_values = ROWS)]
    workloads: Vec<String>,
    /// The CPUs of server and client together
    #[arg(long, value_delimiter = ',', value_name = "LIST", default_value = "0,1")]
    cpus: Vec<u32>,
    /// At least so many pairs for each row
    #[arg(long, value_name = "N", default_value_t = 10)]
    least: usize,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 60)]
    most: usize,
    /// Pairs are taken until the ratio is known to this margin, by factor
    #[arg(long, default_value_t = 0.02)]
    margin: f64,
    /// Seed of all random orders
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// As long as a run of a peer, which takes whole seconds.
const TIMING: Timing =
    Timing { warmup_ns: 50_000_000, sample_ns: 1_000_000_000, rounds_per_launch: 1 };

/// One of a pair.
struct Taken {
    per_s: f64,
    /// CPU time of server and client over what their CPUs gave, where it was the worker's sample.
    used: Option<[f64; 2]>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let workers = Workers::find()?;
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    println!("sizeup's requests/s ÷ those of wrk or h2load\n");
    println!(
        "{:<34} {:>5} {:>9} {:>9} {:>7} {:>16} {:>7} {:>7} {:>7}  peer",
        "row", "pairs", "sizeup/s", "peer/s", "ratio", "95 %", "spread", "server", "client"
    );
    for id in &args.workloads {
        let mut launch = workers.launch(id, &args.cpus)?;
        let parameters = &workers.workload(id)?.parameters;
        let peer = Peer::of(&launch.ready, parameters, port::of_child_of(launch.pid())?)?;
        let mut last = sample(&mut launch)?.per_s;
        let take = |is_peer: bool| {
            if is_peer {
                return Ok(Taken { per_s: peer.run(last)?, used: None });
            }
            let taken = sample(&mut launch)?;
            last = taken.per_s;
            Ok(taken)
        };
        let ratio = |pair: &(Taken, Taken)| pair.0.per_s / pair.1.per_s;
        let bounds = Bounds { least: args.least, most: args.most, margin: args.margin };
        let taken = pairs(&mut rng, bounds, take, |taken| interval(taken, ratio))?;
        let of_all = interval(&taken, ratio).context("too few pairs")?;
        println!("{}  {}", line(id, &taken, &of_all, ratio), peer.version()?);
        launch.finish().map_err(|e| anyhow::anyhow!("{id}: {e}"))?;
    }
    println!(
        "\nspread: standard deviation of a pair's ratio. server, client: CPU time used in the worker's samples."
    );
    Ok(())
}

fn sample(launch: &mut LiveLaunch) -> anyhow::Result<Taken> {
    let sample = launch.measure(&TIMING).map_err(|e| anyhow::anyhow!("{e}"))?.measured;
    Ok(Taken { per_s: throughput(&sample), used: used(&sample) })
}

fn used(sample: &Measured) -> Option<[f64; 2]> {
    let share = |place: usize| {
        let part = sample.parts.get(place)?;
        Some(part.cpu_ns as f64 / (part.elapsed_ns as f64 * part.cpu_count as f64))
    };
    Some([share(0)?, share(1)?])
}

fn line(
    id: &str,
    taken: &[(Taken, Taken)],
    of_all: &Interval,
    ratio: impl Fn(&(Taken, Taken)) -> f64,
) -> String {
    let logs: Vec<f64> = taken.iter().map(|pair| ratio(pair).ln()).collect();
    // From the interval of the mean back to the spread of one.
    let deviation = |(margin, freedom): (f64, f64)| {
        margin / stats::student_quantile(freedom, 0.95) * (logs.len() as f64).sqrt()
    };
    let spread = mean_margin(&logs).map_or(f64::NAN, deviation);
    let mean_of =
        |what: fn(&(Taken, Taken)) -> f64| mean(&taken.iter().map(what).collect::<Vec<_>>());
    let used = |side: usize| {
        let shares: Vec<f64> = taken.iter().filter_map(|pair| Some(pair.0.used?[side])).collect();
        mean(&shares) * 100.0
    };
    format!(
        "{id:<34} {:>5} {:>9.0} {:>9.0} {:>7.3} {:>16} {:>5.1} % {:>5.0} % {:>5.0} %",
        taken.len(),
        mean_of(|pair| pair.0.per_s),
        mean_of(|pair| pair.1.per_s),
        of_all.centre,
        format!("{:.3} to {:.3}", of_all.low, of_all.high),
        spread * 100.0,
        used(0),
        used(1),
    )
}
