//! Traits of the suite `full`'s rows on machines that differ, as far as one machine can be made to differ.

use anyhow::{Context, ensure};
use catalog::{Catalog, Family, Suite};
use estimate::{RunEstimate, ViewKind};
use record::{Case, Run, ThreadSpec, read};
use std::collections::BTreeMap;
use std::path::Path;

/// A kind of work: families that are alike. Each kind of `full` has a place in `quick`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Keys,
    Aead,
    Hash,
    Compress,
    Decompress,
    Erasure,
    Backup,
    Programs,
}

impl Kind {
    /// `None` for what `quick` leaves out: servers are not everywhere.
    fn of(family: &Family) -> Option<Self> {
        Some(match family {
            Family::Pki | Family::KeyExchange => Self::Keys,
            Family::Aead => Self::Aead,
            Family::Hash => Self::Hash,
            Family::Compress => Self::Compress,
            Family::Decompress => Self::Decompress,
            Family::Erasure => Self::Erasure,
            Family::Split | Family::Pipeline => Self::Backup,
            Family::Script | Family::Regex | Family::Text => Self::Programs,
            Family::Cipher
            | Family::Http
            | Family::Database
            | Family::Data
            | Family::Inference
            | Family::Agents
            | Family::Tls
            | Family::Kernel
            | Family::Memory
            | Family::Control
            | Family::Unknown
            | Family::Named(_) => {
                return None;
            }
        })
    }
}

/// A row of `full`.
#[derive(Debug, Clone)]
pub struct Row {
    pub workload: String,
    pub kind: Kind,
    /// Whether it is small enough for `quick`.
    pub is_candidate: bool,
}

/// The rows, and for each machine how much faster each row is than on the base, as a logarithm.
#[derive(Debug, Clone)]
pub struct Profiles {
    pub rows: Vec<Row>,
    pub machines: Vec<(String, Vec<f64>)>,
}

/// Bounds of a candidate: three minutes have to do for forty cases, on machines with little memory a CPU too.
const MOST_OP_S: f64 = 0.02;
const MOST_MIB_PER_THREAD: u64 = 64;

/// The suite that is chosen: what was in it says nothing.
pub const CHOSEN: &str = "quick";

type Speeds = BTreeMap<String, f64>;

impl Profiles {
    /// Reads run files of one thread. Each setting of one with variants is a machine, against its first. A pair
    /// `BASE,FILE` is one, too: FILE against BASE, as delivered, for what FILE was measured beside is the point.
    ///
    /// # Errors
    /// When a file can't be read or no row is on all machines.
    pub fn read(catalog: &Catalog, variants: &[String], pairs: &[String]) -> anyhow::Result<Self> {
        let mut machines = Vec::new();
        let mut base = Speeds::new();
        for file in variants {
            let run = read(Path::new(file))?;
            let settings = run.header.variants.iter().map(|variant| &variant.name);
            let speeds_of = |name| speeds(&run, Some(name), ViewKind::Uncontended);
            let mut speeds = settings.map(|name: &String| (name, speeds_of(name)));
            let (_, first) = speeds.next().with_context(|| format!("{file}: has no variants"))?;
            machines.extend(speeds.map(|(name, other)| (name.clone(), ratios(&other, &first))));
            base = first;
        }
        for pair in pairs {
            let (base, other) = pair.split_once(',').context("a pair is BASE,FILE")?;
            let speeds =
                |file| anyhow::Ok(speeds(&read(Path::new(file))?, None, ViewKind::Delivered));
            machines.push((other.to_owned(), ratios(&speeds(other)?, &speeds(base)?)));
        }
        let has_all = |id: &String| machines.iter().all(|(_, ratios)| ratios.contains_key(id));
        let rows: Vec<Row> = base
            .keys()
            .filter(|id| has_all(id))
            .filter_map(|id| row(catalog, id, base[id]))
            .collect();
        ensure!(!rows.is_empty(), "no row has a figure on every machine");
        let profile = |ratios: &Speeds| rows.iter().map(|row| ratios[&row.workload]).collect();
        let machines =
            machines.iter().map(|(name, ratios)| (name.clone(), profile(ratios))).collect();
        Ok(Self { rows, machines })
    }

    /// Without one machine.
    pub fn without(&self, machine: usize) -> Self {
        let mut rest = self.clone();
        rest.machines.remove(machine);
        rest
    }
}

fn row(catalog: &Catalog, id: &str, ops_per_s: f64) -> Option<Row> {
    let workload = catalog.workloads.get(id)?;
    // `quick` has one thread and all: a row that is measured on one only is in no score of all.
    let is_on_several = |suite: &Suite| {
        suite.name != CHOSEN
            && suite.categories.iter().filter(|c| c.workloads.iter().any(|w| w == id)).any(|c| {
                let own = &c.threads;
                if own.is_empty() { suite.threads.len() > 1 } else { own.len() > 1 }
            })
    };
    let is_on_several = catalog.suites.values().any(is_on_several);
    let is_candidate = is_on_several
        && ops_per_s * MOST_OP_S >= 1.0
        && workload.needs.memory_mib_per_thread <= MOST_MIB_PER_THREAD
        && !workload.definition.starts_threads;
    Some(Row {
        workload: id.to_owned(),
        kind: Kind::of(&workload.definition.family)?,
        is_candidate,
    })
}

/// Ops/s of a thread by workload, in this view or as delivered where it has too few samples.
fn speeds(run: &Run, variant: Option<&str>, view: ViewKind) -> Speeds {
    let estimate = RunEstimate::of(run);
    let is_requested = |case: &Case| {
        case.variant.as_deref() == variant && case.thread_spec == ThreadSpec::Count(1)
    };
    let speed = |number: usize| {
        let case = estimate.cases[number].as_ref()?;
        let view = case.view(view).or(case.delivered)?;
        Some(view.interval.centre)
    };
    run.judged_cases()
        .filter(|(_, case)| is_requested(case))
        .filter_map(|(number, case)| Some((case.workload.clone(), speed(number)?)))
        .collect()
}

fn ratios(other: &Speeds, base: &Speeds) -> Speeds {
    let logs =
        other.iter().filter_map(|(id, speed)| Some((id.clone(), (speed / base.get(id)?).ln())));
    logs.collect()
}
