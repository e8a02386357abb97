//! `sizeup cost`.

use super::document::{Document, Output};
use super::exit::Exit;
use super::groups::{GroupArgs, NamedFiles, RUNS, named};
use super::notes::qualify;
use super::price_args::{GroupPrices, PriceArgs};
use crate::briefing::{Briefing, Extent, Screen};
use crate::tables::{
    alone_briefing, say_cost, say_costs, say_energy, say_side_by_side, shared_streams_note,
};
use anyhow::{Error, bail};
use catalog::{OVERALL, Price};
use clap::Args;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use judge::answer::{RankedGroups, deciding_workload_at};
use judge::compare::{Comparison, Group, Pairs, Score, ScoreLine, Weightings, pair_notes};
use judge::cost::{
    self, Alone, CommitmentPrice, Cost, EnergyRow, EnergyScore, GroupWithPrices, pair_side_by_side,
    price_factor, price_notes, share_of_machine, side_by_side,
};
use judge::numbers::counted;
use record::ThreadSpec;
use serde::Serialize;
use std::mem;

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup cost xeon.run.jsonl altra.run.jsonl --price xeon=3.06 --price altra=2.464\n          \
                        sizeup cost --group m6i=m6i-*.jsonl --group m7g=m7g-*.jsonl --prices prices.toml\n          \
                        sizeup cost --instance m8g.4xlarge=a.run.jsonl --instance m7i.4xlarge=b.run.jsonl --prices prices.toml\n          \
                        sizeup cost altra.run.jsonl --watts altra=180\n\
                        A price file has label (of a group, or an instance type) and per_hour, and may have currency, region, \
                        date (YYYY-MM-DD), commitment, vcpus, cores, memory_gib, source and watts (rated, for all threads): as \
                        [[price]] in TOML, or in CSV with a header. `sizeup prices` writes it from a price list. Watts, measured or rated \
                        (--watts), give ops/s per watt, also without prices and for a single run. Exit status 1 if a row has no ratio or no \
                        error bar."
)]
pub(super) struct CostArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// Runs of an instance type, priced as that type
    ///
    /// * and ? in FILES match several files. Can be given more than once.
    #[arg(long = "instance", value_name = "TYPE=FILES", help_heading = RUNS)]
    instances: Vec<NamedFiles>,
    /// Baseline group or file  [default: the first]
    #[arg(long, value_name = "NAME", help_heading = RUNS)]
    baseline: Option<String>,
    #[command(flatten)]
    prices: PriceArgs,
    #[command(flatten)]
    output: Output,
}

/// A group beside the baseline, at prices and watts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CostView {
    comparison: Comparison,
    /// `None` without prices.
    cost: Option<Cost>,
    energy: Vec<EnergyRow>,
    /// Work per watt over several rows, per category and overall.
    energy_scores: Vec<EnergyScore>,
    /// The prices under each commitment, the baseline's first.
    commitments: Vec<CommitmentPrice>,
    /// Caveats about the watts.
    power_notes: Vec<String>,
}

/// One group, at its price and watts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AloneView {
    #[serde(flatten)]
    alone: Alone,
    /// Its prices under each commitment.
    commitments: Vec<CommitmentPrice>,
    power_notes: Vec<String>,
}

/// Each group against the baseline, or the only one.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum Costs {
    Against(Vec<CostView>),
    Alone(Vec<AloneView>),
}

/// A group with what it costs and its rated watts.
struct PricedGroup<'a> {
    group: &'a Group,
    price: Option<&'a Price>,
    prices: &'a GroupPrices,
    watts: Option<f64>,
}

impl PricedGroup<'_> {
    fn with_prices(&self) -> GroupWithPrices<'_> {
        GroupWithPrices { group: self.group, prices: &self.prices.all }
    }

    fn note(&self) -> Option<String> {
        let instance_type = self.prices.instance_type.as_ref()?;
        Some(format!("{}: priced as {instance_type}, which its runs record", self.group.label))
    }
}

pub(super) fn cost(args: &mut CostArgs, screen: &Screen) -> anyhow::Result<Exit> {
    args.groups.groups.append(&mut args.instances);
    let args = &*args;
    let mut groups = args.groups.read_against(args.baseline.as_deref())?;
    let mut prices = args.prices.find_all(&groups)?;
    let unpriced = leave_out_unpriced(&mut groups, &mut prices);
    let rated = groups.iter().zip(&prices).map(|(group, prices)| PricedGroup {
        group,
        price: prices.first(),
        prices,
        watts: prices.watts,
    });
    let all: Vec<PricedGroup> = rated.collect();
    let is_priced = all.iter().any(|priced| priced.price.is_some());
    let has_watts = |priced: &PricedGroup| {
        priced.watts.is_some() || priced.group.runs.iter().any(|run| !run.power.is_empty())
    };
    let needs_price = is_priced || !all.iter().any(has_watts);
    let lacking: Vec<&str> = all
        .iter()
        .filter(|priced| needs_price && priced.price.is_none())
        .map(|priced| priced.group.label.as_str())
        .collect();
    if let [first, ..] = lacking[..] {
        bail!(
            "no price for {}. Add --price '{first}=PRICE' or --prices FILE{}",
            lacking.join(", "),
            if is_priced {
                ""
            } else {
                "; for ops/s per watt, --watts 'LABEL=WATTS' or `sizeup import meter`"
            }
        );
    }
    let document = match &all[..] {
        [one] => alone(&groups, one)?,
        [baseline, others @ ..] => against(args, &groups, (baseline, others), &unpriced)?,
        [] => bail!("name a run file or a --group"),
    };
    document.print(&args.output, screen)
}

/// Takes out the groups without a price where at least two others have one, and gives their names.
fn leave_out_unpriced(groups: &mut Vec<Group>, prices: &mut Vec<GroupPrices>) -> Vec<String> {
    let priced = prices.iter().filter(|prices| prices.first().is_some()).count();
    if priced < 2 || priced == groups.len() {
        return Vec::new();
    }
    let all = mem::take(groups).into_iter().zip(mem::take(prices));
    let (kept, left): (Vec<_>, Vec<_>) = all.partition(|(_, prices)| prices.first().is_some());
    (*groups, *prices) = kept.into_iter().unzip();
    left.into_iter().map(|(group, _)| group.label).collect()
}

fn alone(groups: &[Group], priced: &PricedGroup) -> anyhow::Result<Document<Costs>> {
    let alone =
        cost::alone(priced.group, priced.price, priced.watts, today()?).map_err(Error::msg)?;
    let commitments = side_by_side(priced.with_prices(), None);
    let view = AloneView { alone, commitments, power_notes: power_notes([priced.group]) };
    if priced.price.is_none() && view.alone.rows.iter().all(|row| row.energy.is_none()) {
        return Err(no_watts([priced.group], &view.power_notes));
    }
    let mut answer = alone_briefing(&view.alone, priced.group.view);
    say_side_by_side(&mut answer, &view.commitments);
    priced.note().into_iter().for_each(|note| answer.note(note));
    let caveats = qualify(&mut answer, groups);
    let missing = priced.group.rows.len() - view.alone.rows.len();
    if missing > 0 {
        answer
            .note(format!("{} without a figure; `sizeup show` says why", counted(missing, "row")));
    }
    view.power_notes.iter().for_each(|note| answer.note(note.as_str()));
    let exit = caveats.exit(missing == 0);
    Ok(Document { command: "cost", answer, data: Costs::Alone(vec![view]), caveats, exit })
}

fn against(
    args: &CostArgs,
    groups: &[Group],
    (baseline, others): (&PricedGroup, &[PricedGroup]),
    unpriced: &[String],
) -> anyhow::Result<Document<Costs>> {
    let rows = others.iter().chain([baseline]).map(|priced| priced.group.rows.len()).max();
    let weightings = Weightings::of(rows.unwrap_or_default());
    let all: Vec<&Group> = groups.iter().collect();
    let of_all = RankedGroups::of(&all, &args.groups.allow, &weightings);
    let views: Vec<CostView> = (others.iter().zip(of_all.scores()))
        .map(|(other, score)| cost_view(args, (baseline, other), &score))
        .collect::<anyhow::Result<_>>()?;
    let is_empty = |view: &CostView| view.cost.is_none() && view.energy.is_empty();
    if let (true, [first, ..]) = (views.iter().all(is_empty), &views[..]) {
        return Err(no_watts([baseline.group, others[0].group], &first.power_notes));
    }
    let mut answer = Briefing::default();
    let costs: Option<Vec<&Cost>> = views.iter().map(|view| view.cost.as_ref()).collect();
    let ranked = costs.filter(|costs| costs.len() > 1);
    if let Some(costs) = &ranked {
        let prices = others.iter().chain([baseline]).filter_map(|priced| priced.price);
        let deciding = |best: &Price, second: &Price, threads| {
            deciding_workload(&of_all, (best, second), threads)
        };
        say_costs(&mut answer, costs, unpriced.len(), &price_notes(prices, today()?), &deciding);
    }
    // With many machines the ranking is the answer; each against the first is shown with --all.
    for (view, other) in
        views.iter().zip(others).filter(|_| ranked.is_none() || args.output.extent.all)
    {
        say_view(&mut answer, view, (baseline.group, other.group), args.output.extent);
    }
    say_side_by_side(&mut answer, views.iter().flat_map(|view| &view.commitments));
    others
        .iter()
        .chain([baseline])
        .filter_map(PricedGroup::note)
        .for_each(|note| answer.note(note));
    let caveats = qualify(&mut answer, groups);
    if !unpriced.is_empty() {
        answer.note(format!("Left out, for they have no price: {}.", unpriced.join(", ")));
    }
    shared_streams_note(&all).into_iter().for_each(|note| answer.note(note));
    if let [one, other] = groups {
        pair_notes(one, other).into_iter().for_each(|note| answer.warn(format!("{note}.")));
    }
    groups.iter().for_each(|group| answer.contention(group.contention.as_ref()));
    answer.next(format!("sizeup report {}", named(&args.groups)));
    let exit = caveats.exit(views.iter().all(|view| view.comparison.is_whole()));
    Ok(Document { command: "cost", answer, data: Costs::Against(views), caveats, exit })
}

/// Names the workload or category without which the first's price-performance no longer leads the second's.
fn deciding_workload(
    ranked: &RankedGroups,
    (best, second): (&Price, &Price),
    threads: ThreadSpec,
) -> Option<String> {
    let find = |price: &Price| ranked.groups.iter().position(|group| group.label == price.label);
    let score = ranked.score([find(second)?, find(best)?]);
    let is_it = |line: &&ScoreLine| line.category == OVERALL && line.threads == threads;
    let robustness = score.lines.iter().find(is_it)?.robustness.as_ref();
    let share = |price| Some(share_of_machine(ranked.groups[find(price)?], threads));
    let factor = price_factor(second, best) * share(second)? / share(best)?;
    let deciding = deciding_workload_at(robustness, factor, &second.label)?;
    Some(format!("This hangs on a part of the work: {deciding}."))
}

fn cost_view(
    args: &CostArgs,
    (baseline, other): (&PricedGroup, &PricedGroup),
    score: &Score,
) -> anyhow::Result<CostView> {
    cost::check_view(baseline.group.view).map_err(Error::msg)?;
    let pairs = Pairs::of(baseline.group, other.group, &args.groups.allow).without_shared_streams();
    let comparison = pairs.comparison();
    let cost = match (baseline.price, other.price) {
        (Some(ours), Some(theirs)) => {
            let cost = cost::cost(&pairs, &comparison, score, (ours, theirs), today()?);
            Some(cost.map_err(Error::msg)?)
        }
        _ => None,
    };
    let energy = cost::energy(&pairs, &comparison, (baseline.watts, other.watts));
    let with_prices = (baseline.with_prices(), other.with_prices());
    let commitments =
        cost.as_ref().map(|cost| pair_side_by_side(cost, with_prices)).unwrap_or_default();
    Ok(CostView {
        comparison,
        cost,
        energy_scores: cost::energy_scores(&pairs, &energy, None),
        energy,
        commitments,
        power_notes: power_notes([baseline.group, other.group]),
    })
}

fn say_view(
    answer: &mut Briefing,
    view: &CostView,
    (baseline, other): (&Group, &Group),
    extent: Extent,
) {
    if let Some(cost) = &view.cost {
        say_cost(answer, cost, &view.comparison, extent.all);
    }
    if !view.energy.is_empty() {
        let labels = (baseline.label.as_str(), other.label.as_str());
        say_energy(answer, labels, (&view.energy, &view.energy_scores), baseline.view);
    }
    let lacking = view.comparison.rows.iter().filter(|row| row.ratio.is_none()).count();
    if lacking > 0 {
        let label = &other.label;
        answer.note(format!(
            "{label}: {} without a ratio; `sizeup compare` says why",
            counted(lacking, "row")
        ));
    }
    view.power_notes.iter().for_each(|note| answer.note(note.as_str()));
}

fn today() -> anyhow::Result<Date> {
    let now = Timestamp::from_nanosecond(record::wall_clock_ns()?.into())?;
    Ok(now.to_zoned(TimeZone::system()).date())
}

/// Explains, for each run whose meters were read, why its rows have no watts of their own.
fn power_notes<const N: usize>(groups: [&Group; N]) -> Vec<String> {
    let of_group = |group: &Group| -> Vec<String> {
        let powers = group.runs.iter().flat_map(|run| &run.power);
        let lacking = powers.filter(|power| power.lacks_rows());
        lacking.map(|power| format!("{}: {power}", group.label)).collect()
    };
    groups.into_iter().flat_map(of_group).collect()
}

/// Why no row has both a figure and watts.
fn no_watts<const N: usize>(groups: [&Group; N], notes: &[String]) -> Error {
    let is_empty = |group: &&Group| group.rows.iter().all(|row| row.view.is_none());
    let why = match (groups.into_iter().find(is_empty), notes) {
        (Some(group), _) => format!(
            "{}: no row has a figure ({}); --view delivered uses all samples",
            group.label,
            group.why_no_figure(0)
        ),
        (None, []) => "rated watts are for rows on all threads only".to_owned(),
        (None, notes) => notes.join(". "),
    };
    Error::msg(format!("no row has watts: {why}"))
}
