//! Throughput lost beside co-runners.

use crate::briefing::{Briefing, Extent};
use estimate::{BesideEstimate, View, ViewKind};
use judge::answer::{Order, how_much, range};
use judge::compare::{BesideRow, Comparison, RowResult};
use judge::numbers::{counted, dash, four_digits};
use stats::{Interval, median};
use terminal::table::{Entry, Heading, Table, Tone};

/// So many rows are named in a sentence.
const MOST_NAMED: usize = 3;
/// The smallest loss, as a share, that gets a sentence.
const LEAST_LOSS: f64 = 0.02;
const LEAST_BANDWIDTH_LOSS: f64 = 0.05;
const LEAST_CLOCK_LOSS: f64 = 0.005;

/// A row, and what it keeps beside the co-runners of one workload, by their number.
struct Squeezed<'a> {
    row: &'a RowResult,
    beside: Vec<&'a BesideEstimate>,
}

impl Squeezed<'_> {
    /// Share of throughput left beside the most co-runners; 1 without any.
    fn least_left(&self) -> f64 {
        self.beside.last().map_or(1.0, |beside| beside.left.interval.centre)
    }

    fn name(&self, has_threads: bool) -> String {
        let on = if has_threads {
            format!(", {}", self.row.key.threads.in_words())
        } else {
            String::new()
        };
        format!("{}{on}", self.row.key.name)
    }
}

/// A sentence and a table for each workload that ran beside rows.
pub(super) fn beside_parts(answer: &mut Briefing, rows: &[RowResult], extent: Extent) {
    let mut workloads: Vec<&str> = Vec::new();
    for beside in rows.iter().flat_map(|row| &row.beside) {
        if !workloads.contains(&beside.workload.as_str()) {
            workloads.push(&beside.workload);
        }
    }
    for workload in &workloads {
        let squeeze = |row| squeezed(row, workload);
        let mut squeezed: Vec<Squeezed> = rows.iter().filter_map(squeeze).collect();
        squeezed.sort_by(|a, b| a.least_left().total_cmp(&b.least_left()));
        answer.say(sentence(workload, &squeezed));
        answer.table(format!("Beside {workload}"), losses(&squeezed, extent), "rows");
        if let Some(note) = delivered_note(&squeezed) {
            answer.note(note);
        }
    }
    if !workloads.is_empty() {
        answer.note(
            "Losses beside co-runners compare paired samples, alone and beside them, of one worker; in brackets the 95 % CI.",
        );
    }
}

/// Throughput that rows of two machines keep beside co-runners: the largest number that both have, or all numbers.
pub(super) fn beside_pair(answer: &mut Briefing, comparison: &Comparison, all: bool) {
    let mut workloads: Vec<&str> = Vec::new();
    for row in &comparison.beside {
        if !workloads.contains(&row.co_runners.as_str()) {
            workloads.push(&row.co_runners);
        }
    }
    for workload in workloads {
        let beside = || comparison.beside.iter().filter(|row| row.co_runners == workload);
        let most = beside().map(|row| row.count).max().unwrap_or_default();
        let mut rows: Vec<&BesideRow> = beside().filter(|row| all || row.count == most).collect();
        let least = |row: &BesideRow| row.baseline.centre.min(row.other.centre);
        rows.sort_by(|a, b| least(a).total_cmp(&least(b)));
        answer.say(pair_sentence(comparison, workload, most, &rows));
        answer.table(format!("Throughput left beside {workload}"), kept(comparison, &rows), "rows");
    }
}

/// `Beside 1 co-runner (memory-fill-128MiB/control) c7g keeps more of its throughput in 5 of 8 rows, c6i in 1.`
fn pair_sentence(
    comparison: &Comparison,
    workload: &str,
    most: usize,
    rows: &[&BesideRow],
) -> String {
    let rows: Vec<&&BesideRow> = rows.iter().filter(|row| row.count == most).collect();
    let count = |order| rows.iter().filter(|row| Order::of(&row.ratio) == order).count();
    let sides =
        [(count(Order::Ahead), &comparison.other), (count(Order::Behind), &comparison.baseline)];
    let beside = format!("Beside {} ({workload})", counted(most, "co-runner"));
    let [(more, ahead), (less, behind)] =
        if sides[0].0 >= sides[1].0 { sides } else { [sides[1], sides[0]] };
    let all = counted(rows.len(), "row");
    match (more, less) {
        (0, 0) => format!(
            "{beside} which of the two keeps more of its throughput is undetermined in {all}."
        ),
        (_, 0) => format!(
            "{beside} {ahead} keeps more of its throughput in {more} of {all}, {behind} in none."
        ),
        _ => format!(
            "{beside} {ahead} keeps more of its throughput in {more} of {all}, {behind} in {less}."
        ),
    }
}

/// A line a row and number of co-runners.
fn kept(comparison: &Comparison, rows: &[&BesideRow]) -> Table {
    let mut table = Table::new([
        Heading::left("workload").shrinks(),
        Heading::right("threads"),
        Heading::right("co-runners"),
        Heading::right(&comparison.baseline).shrinks(),
        Heading::right(&comparison.other).shrinks(),
    ]);
    for row in rows {
        let share = |kept: &Interval, order: Order| {
            let tone = if order == Order::Ahead { Tone::Good } else { Tone::Plain };
            let percent = |share: f64| format!("{:.0}", share * 100.0);
            let [centre, low, high] = [kept.centre, kept.low, kept.high].map(percent);
            let ends = if kept.is_known() { format!(" ({low}–{high})") } else { String::new() };
            Entry::of(format!("{centre} %{ends}"), tone)
        };
        let order = Order::of(&row.ratio);
        let reverse = if order == Order::Behind { Order::Ahead } else { Order::Undecided };
        table.row([
            row.workload.as_str().into(),
            row.threads.to_string().into(),
            row.count.to_string().into(),
            share(&row.baseline, reverse),
            share(&row.other, order),
        ]);
    }
    table
}

fn squeezed<'a>(row: &'a RowResult, workload: &str) -> Option<Squeezed<'a>> {
    let mut beside: Vec<&BesideEstimate> =
        row.beside.iter().filter(|beside| beside.workload == workload).collect();
    beside.sort_by_key(|beside| beside.count);
    (!beside.is_empty()).then_some(Squeezed { row, beside })
}

/// `Beside 1 co-runner (memory-fill-128MiB/control) brotli-9/brotli is 17 % slower, …; 12 of 30 rows lose less than 2 %. A
/// thread is left 43 % of the memory's bandwidth.`
fn sentence(workload: &str, squeezed: &[Squeezed]) -> String {
    let Some(most) =
        squeezed.iter().filter_map(|row| row.beside.last()).map(|last| last.count).max()
    else {
        return String::new();
    };
    let beside: Vec<(&Squeezed, &BesideEstimate)> = squeezed
        .iter()
        .filter_map(|row| Some((row, *row.beside.iter().find(|estimate| estimate.count == most)?)))
        .collect();
    let is_lost = |estimate: &BesideEstimate| estimate.left.interval.high < 1.0 - LEAST_LOSS;
    let has_threads = squeezed.iter().any(|row| row.row.key.threads != squeezed[0].row.key.threads);
    let named: Vec<String> = beside
        .iter()
        .filter(|(_, estimate)| is_lost(estimate))
        .take(MOST_NAMED)
        .map(|(row, estimate)| {
            format!("{} is {}", row.name(has_threads), how_much(estimate.left.interval.centre))
        })
        .collect();
    let losing = beside.iter().filter(|(_, estimate)| is_lost(estimate)).count();
    let what = match (losing, beside.len()) {
        (0, all) => format!("none of {} certainly loses more than 2 %", counted(all, "row")),
        (losing, all) if losing == named.len() && losing == all => named.join(", "),
        (losing, all) => format!(
            "{}; {losing} of {} certainly {} more than 2 %",
            named.join(", "),
            counted(all, "row"),
            if losing == 1 { "loses" } else { "lose" },
        ),
    };
    let middle = |view: fn(&BesideEstimate) -> Option<View>| {
        let all: Vec<f64> =
            beside.iter().filter_map(|(_, row)| Some(view(row)?.interval.centre)).collect();
        (!all.is_empty()).then(|| median(&all))
    };
    let bandwidth =
        middle(|estimate| estimate.bandwidth).filter(|left| *left < 1.0 - LEAST_BANDWIDTH_LOSS);
    let clock = middle(|estimate| estimate.clock).filter(|left| *left < 1.0 - LEAST_CLOCK_LOSS);
    let bandwidth = bandwidth.map_or_else(String::new, |left| {
        format!(". A thread is left {:.0} % of the memory's bandwidth", left * 100.0)
    });
    let clock = clock.map_or_else(String::new, |left| {
        format!(". The clock is {:.1} % lower", (1.0 - left) * 100.0)
    });
    format!("Beside {} ({workload}) {what}{bandwidth}{clock}.", counted(most, "co-runner"))
}

/// A line a row, the largest loss first; a column for each number of co-runners.
fn losses(squeezed: &[Squeezed], extent: Extent) -> Table {
    let mut counts: Vec<usize> =
        squeezed.iter().flat_map(|row| &row.beside).map(|estimate| estimate.count).collect();
    counts.sort_unstable();
    counts.dedup();
    let has_threads = squeezed.iter().any(|row| row.row.key.threads != squeezed[0].row.key.threads);
    let mut columns = vec![Heading::left("workload").shrinks()];
    columns.extend(has_threads.then(|| Heading::right("threads")));
    columns.extend(counts.iter().map(|count| Heading::right(counted(*count, "co-runner"))));
    if extent.details {
        let heads = ["per GHz", "clock", "bandwidth", "co-runners MiB/s", "pairs"];
        columns.extend(heads.map(Heading::right));
    }
    let mut table = Table::new(columns);
    for row in squeezed {
        let mut cells = vec![Entry::from(row.row.key.name.clone())];
        cells.extend(has_threads.then(|| Entry::from(row.row.key.threads.to_string())));
        let beside = |count: &usize| row.beside.iter().find(|beside| beside.count == *count);
        cells.extend(
            counts.iter().map(|count| {
                beside(count).map_or_else(|| dash().into(), |estimate| cell(estimate))
            }),
        );
        if let Some(last) = row.beside.last().filter(|_| extent.details) {
            cells.extend(details(last).map(Entry::from));
        }
        table.row(cells);
    }
    table
}

/// `17 % slower (15–19 %)`.
fn cell(estimate: &BesideEstimate) -> Entry {
    let interval = &estimate.left.interval;
    let tone = match Order::of(interval) {
        Order::Behind if interval.high < 1.0 - LEAST_LOSS => Tone::Bad,
        Order::Ahead => Tone::Good,
        _ => Tone::Plain,
    };
    let ends = range(interval);
    let ends = ends.strip_prefix("95 % CI ").unwrap_or(&ends);
    Entry::of(format!("{} ({ends})", how_much(interval.centre)), tone)
}

/// Beside the most co-runners: the work per cycle, the clock, the bandwidth, what the co-runners did, the number of pairs.
fn details(estimate: &BesideEstimate) -> [String; 5] {
    let left = |view: Option<View>| {
        view.map_or_else(dash, |view| format!("{:.1} %", view.interval.centre * 100.0))
    };
    [
        left(estimate.per_ghz),
        left(estimate.clock),
        left(estimate.bandwidth),
        estimate.co_runners_mib_per_s.map_or_else(dash, four_digits),
        estimate.left.samples.to_string(),
    ]
}

fn delivered_note(squeezed: &[Squeezed]) -> Option<String> {
    let is_delivered =
        |row: &&Squeezed| row.beside.iter().any(|estimate| estimate.view == ViewKind::Delivered);
    match squeezed.iter().filter(is_delivered).count() {
        0 => None,
        rows => Some(format!(
            "{} had too few pairs on uncontended cores: their losses are of delivered samples",
            counted(rows, "row")
        )),
    }
}

#[cfg(test)]
mod tests;
