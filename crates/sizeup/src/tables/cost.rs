//! Prices: which machine does the same work for less, and the price at which that turns.

use super::figures::{main_threads, margin, ratio_cell, shown_threads, view_in_words};
use super::pair::{of_these, tone_of};
use crate::briefing::Briefing;
use catalog::{Price, Unit};
use estimate::ViewKind;
use judge::answer::{Order, anything, break_even, few_rows, how_much, range, same, times};
use judge::compare::{Comparison, Verdict};
use judge::cost::{Cost, CostRow, CostScore};
use judge::numbers::{dash, four_digits};
use judge::units::figure;
use record::ThreadSpec;
use stats::Interval;
use terminal::table::{Columns, Entry, Heading, Table};

/// Adds what two groups cost: a sentence, a line for each number of threads, and each row where all are wanted.
pub fn say_cost(answer: &mut Briefing, cost: &Cost, comparison: &Comparison, all: bool) {
    let view = comparison.view;
    let most = main_threads(cost.overall().map(|score| score.threads));
    for threads in shown_threads(cost.overall().map(|score| score.threads), all) {
        few_rows(comparison, threads).into_iter().for_each(|text| answer.warn(text));
    }
    let overall = |threads: ThreadSpec| cost.overall().find(|score| score.threads == threads);
    match overall(most) {
        Some(score) => answer.say(of_these(comparison, most, &sentence(cost, score))),
        None => answer.warn(format!(
            "{} and {} can't be compared by price: no row has comparable figures on both.",
            cost.other.label, cost.baseline.label
        )),
    }
    let title = format!("{} against {}", cost.other.label, cost.baseline.label);
    answer.table(title, scores(cost, all), "scores");
    if all {
        answer.table("Each row", rows(cost, view), "rows");
    }
    for (price, per_cpu) in [(&cost.baseline, cost.per_cpu.0), (&cost.other, cost.per_cpu.1)] {
        answer.note(price_line(price, per_cpu));
    }
    cost.notes.iter().for_each(|note| answer.note(note.as_str()));
    if view != ViewKind::Uncontended {
        answer.note(format!("Figures are {}.", view_in_words(view)));
    }
}

/// `c7g costs 20 % less for the same work on all threads (95 % CI 18–22 %); break-even at 2.95 $/h`.
fn sentence(cost: &Cost, score: &CostScore) -> String {
    let (other, baseline) = (&cost.other.label, &cost.baseline.label);
    let (ratio, on) = (&score.adjusted.price_adjusted, &score.on);
    let unit = cost.other.currency_name();
    let break_even = break_even(other, &score.adjusted.break_even_per_hour, unit);
    let less = |ratio: &Interval| {
        let part = |ratio: f64| format!("{:.0}", (1.0 - 1.0 / ratio) * 100.0);
        let ends = match ratio.is_known() {
            true => format!("95 % CI {}–{} %", part(ratio.low), part(ratio.high)),
            false => "no error bars".to_owned(),
        };
        format!("{} % less for the same work {on} ({ends})", part(ratio.centre))
    };
    let verdict = match (Order::of(ratio), ratio.centre > 1.0) {
        (Order::Same, _) => format!(
            "{other} and {baseline} cost {} for the same work {on} ({})",
            same(),
            range(ratio)
        ),
        (Order::Undecided, _) => format!(
            "Which of {other} and {baseline} costs less for the same work {on} is undetermined: for the same money {other} \
             does {} to {} the work (95 % CI)",
            times(ratio.low),
            times(ratio.high)
        ),
        (_, true) => format!("{other} costs {}", less(ratio)),
        (_, false) => {
            format!("{baseline} costs {}", less(&ratio.turned()))
        }
    };
    let speed = &score.adjusted.ratio;
    let stand = match Order::of(speed) {
        Order::Same => format!("{other} and {baseline} are {}", same()),
        Order::Undecided => format!("{other} may be {}", anything(speed)),
        _ => format!("{other} is {}", how_much(speed.centre)),
    };
    let at = format!("{} {unit}/h against {}", cost.other.per_hour, cost.baseline.per_hour);
    format!("{verdict}. {stand} at {at}; {break_even}")
}

fn scores(cost: &Cost, all: bool) -> Table {
    let currency = cost.baseline.currency_name();
    let shown = shown_threads(cost.scores.iter().map(|score| score.threads), all);
    Columns::<&CostScore>::new()
        .with(Heading::left("category"), |score| score.category.clone())
        .with(Heading::right("threads"), |score| score.threads.to_string())
        .with(Heading::right("throughput"), |score| times(score.adjusted.ratio.centre))
        .with(Heading::right(format!("work per {currency}")), |score| {
            ratio_cell(&score.adjusted.price_adjusted)
        })
        .with(Heading::right("±"), |score| margin(&score.adjusted.price_adjusted))
        .with(Heading::right("break-even price"), |score| {
            format!("{} {currency}/h", four_digits(score.adjusted.break_even_per_hour.centre))
        })
        .with(Heading::right("rows").rank(1), |score| score.rows.to_string())
        .table(cost.scores.iter().filter(|score| shown.contains(&score.threads)))
}

fn rows(cost: &Cost, view: ViewKind) -> Table {
    let currency = cost.baseline.currency_name();
    Columns::<&CostRow>::new()
        .with(Heading::left("workload").shrinks(), |row| row.workload.clone())
        .with(Heading::right("threads"), |row| row.threads.to_string())
        .with(
            Heading::right(format!("{} per {currency}", cost.baseline.label)).shrinks().rank(3),
            |row| amount(&row.unit, row.baseline_per_currency_unit.centre, view),
        )
        .with(
            Heading::right(format!("{} per {currency}", cost.other.label)).shrinks().rank(3),
            |row| amount(&row.unit, row.other_per_currency_unit.centre, view),
        )
        .with(Heading::right("throughput"), |row| times(row.adjusted.ratio.centre))
        .with(Heading::right(format!("work per {currency}")), |row| {
            Entry::of(times(row.adjusted.price_adjusted.centre), tone_of(row.verdict))
        })
        .with(Heading::right("±"), |row| margin(&row.adjusted.price_adjusted))
        .with(Heading::right("break-even").rank(1), |row| {
            four_digits(row.adjusted.break_even_per_hour.centre)
        })
        .with(Heading::left("verdict").rank(2), |row| verdict(row.verdict))
        .table(&cost.rows)
}

fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Faster => "cheaper".to_owned(),
        Verdict::Slower => "more expensive".to_owned(),
        other => other.to_string(),
    }
}

/// An amount of work: `3.21 G`, `12.5 GiB`.
fn amount(unit: &Unit, value: f64, view: ViewKind) -> String {
    let per_s = figure(unit, value, view);
    per_s.strip_suffix("/s").unwrap_or(&per_s).to_owned()
}

pub(super) fn price_line(price: &Price, per_cpu: Option<f64>) -> String {
    let unit = price.currency_name();
    let per_cpu = per_cpu.map(|per_cpu| format!("{per_cpu:.4} {unit}/h per CPU"));
    let date = price.date.map(|date| date.to_string());
    let more = [per_cpu, price.region.clone(), price.commitment.clone(), date];
    let more: Vec<String> = more.into_iter().flatten().collect();
    let head = format!("{}: {} {unit}/h", price.label, price.per_hour);
    [vec![head], more].concat().join(", ")
}

/// A figure, or a dash.
pub(super) fn figure_or_dash(unit: &Unit, value: Option<f64>, view: ViewKind) -> String {
    value.map_or_else(dash, |value| figure(unit, value, view))
}
