//! The rows of `full` that predict its score best: how the suite `quick` was chosen.

mod choice;
mod profile;

use anyhow::Context;
use catalog::{Catalog, Home};
use choice::{Chooser, mean, places};
use clap::Parser;
use profile::{CHOSEN, Profiles};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use stats::quantile;

/// Chooses rows of the suite full that predict its score, from runs of it on machines that differ
#[derive(Parser)]
struct Arguments {
    /// Run files with variants: each is a machine, against the first
    #[arg(long)]
    variants: Vec<String>,
    /// Two run files as BASE,FILE: the second is a machine, against the first
    #[arg(long)]
    pair: Vec<String>,
    /// How many rows to choose
    #[arg(long, default_value_t = 20)]
    rows: usize,
    /// The seed of the random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let catalog = Catalog::load(&Home::find()?, &[])?;
    let profiles = Profiles::read(&catalog, &arguments.variants, &arguments.pair)?;
    let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
    let chooser = Chooser::new(&profiles);
    let places = places(&profiles, arguments.rows);
    let chosen = chooser.best(&places, &mut rng);
    let suite = catalog.suites.get(CHOSEN).context("unknown suite")?;
    let is_in =
        |id: &String| suite.categories.iter().any(|category| category.workloads.contains(id));
    let before: Vec<usize> =
        (0..profiles.rows.len()).filter(|row| is_in(&profiles.rows[*row].workload)).collect();

    println!(
        "{} rows, {} machines; places {places:?}",
        profiles.rows.len(),
        profiles.machines.len()
    );
    println!("\n{:30}{:>8}{:>10}{:>12}{:>10}", "machine", "all", "chosen", "left out", CHOSEN);
    let mut left_out = Vec::new();
    for (machine, (name, logs)) in profiles.machines.iter().enumerate() {
        let without = profiles.without(machine);
        let unseen = Chooser::new(&without).best(&places, &mut rng);
        left_out.push(chooser.error(machine, &unseen));
        println!(
            "{name:30}{:>8.3}{:>+9.1}%{:>+11.1}%{:>+9.1}%",
            mean(logs.iter().copied()).exp(),
            percent(chooser.error(machine, &chosen)),
            percent(chooser.error(machine, &unseen)),
            percent(chooser.error(machine, &before)),
        );
    }
    let rms = |choice: &[usize]| {
        let errors = (0..profiles.machines.len()).map(|machine| chooser.error(machine, choice));
        mean(errors.map(|error| error.powi(2))).sqrt()
    };
    let mut of_random: Vec<f64> =
        (0..1000).map(|_| rms(&chooser.random(&places, &mut rng))).collect();
    of_random.sort_by(f64::total_cmp);
    println!("\nroot mean square of the error of the score:");
    println!("  chosen                          {:.1} %", percent(rms(&chosen)));
    let unseen = mean(left_out.iter().map(|error| error.powi(2))).sqrt();
    println!("  chosen without the machine      {:.1} %", percent(unseen));
    let [half, most] = [0.5, 0.95].map(|q| percent(quantile(&of_random, q)));
    println!("  random, as many of each kind    {half:.1} % in half of 1000, {most:.1} % in 950");
    println!("  {:32}{:.1} %, {} rows", CHOSEN, percent(rms(&before)), before.len());

    println!("\nchosen:");
    for row in &chosen {
        let row = &profiles.rows[*row];
        println!("  {:10} {}", format!("{:?}", row.kind).to_lowercase(), row.workload);
    }
    Ok(())
}

/// A logarithm of a ratio as a change in %.
fn percent(log: f64) -> f64 {
    100.0 * log.exp_m1()
}
