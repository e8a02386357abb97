//! Watts: what two groups do for theirs, and what one does alone.

use super::cost::{figure_or_dash, price_line};
use super::figures::{margin, ratio_cell, view_in_words};
use crate::briefing::Briefing;
use catalog::{OVERALL, Unit};
use estimate::ViewKind;
use judge::answer::{Order, how_much, range, same, times};
use judge::cost::{Alone, AloneRow, EnergyRow, EnergyScore, PerWatt};
use judge::numbers::{counted, dash, four_digits};
use judge::units::figure;
use stats::Interval;
use terminal::table::{Columns, Heading};

const PER_WATT: &str = "Work per watt is ops/s (MiB/s) over watts, which is work per joule";

/// Adds what two groups do for their watts.
pub fn say_energy(
    answer: &mut Briefing,
    (baseline, other): (&str, &str),
    (rows, scores): (&[EnergyRow], &[EnergyScore]),
    view: ViewKind,
) {
    let with_ratio: Vec<(&EnergyRow, Interval)> =
        rows.iter().filter_map(|row| Some((row, row.ratio?))).collect();
    match with_ratio[..] {
        [] => answer.note(format!("No row has watts of both {other} and {baseline}.")),
        [(row, ratio)] => {
            let on = format!("on {}, {}", row.workload, row.threads.in_words());
            answer.say(sentence(baseline, other, &ratio, &on));
        }
        _ => {
            let overall = || scores.iter().filter(|score| score.category == OVERALL);
            if overall().next().is_none() {
                answer.warn("No answer per watt: no row with watts is in a score.");
            }
            for score in overall() {
                let on = format!("{} at {}", score.on, counted(score.rows, "workload"));
                answer.say(sentence(baseline, other, &score.score, &on));
            }
        }
    }
    let has_net = rows.iter().any(|row| row.net_ratio.is_some());
    let per_watt = |row: &EnergyRow, side: Option<&PerWatt>| {
        figure_or_dash(&row.unit, side.map(|side| side.per_s_per_watt.centre), view)
    };
    let mut columns = Columns::<&EnergyRow>::new()
        .with(Heading::left("workload").shrinks(), |row| row.workload.clone())
        .with(Heading::right("threads"), |row| row.threads.to_string())
        .with(Heading::right(format!("{baseline} W")).shrinks().rank(2), |row| {
            watts(row.baseline.as_ref())
        })
        .with(Heading::right(format!("{other} W")).shrinks().rank(2), |row| {
            watts(row.other.as_ref())
        })
        .with(Heading::right(format!("{baseline} per W")).shrinks().rank(1), |row| {
            per_watt(row, row.baseline.as_ref())
        })
        .with(Heading::right(format!("{other} per W")).shrinks().rank(1), |row| {
            per_watt(row, row.other.as_ref())
        })
        .with(Heading::right("work per W"), |row| {
            row.ratio.map_or_else(|| dash().into(), |ratio| ratio_cell(&ratio))
        })
        .with(Heading::right("±"), |row| row.ratio.as_ref().map_or_else(String::new, margin))
        .with(Heading::left("watts from").shrinks().rank(3), |row| {
            let source = row.baseline.as_ref().or(row.other.as_ref());
            row.reason.clone().or(source.map(|side| side.source.to_string())).unwrap_or_default()
        });
    if has_net {
        columns = columns.with(Heading::right("above idle").rank(4), |row| {
            row.net_ratio.map_or_else(dash, |ratio| times(ratio.centre))
        });
    }
    let table = columns.table(rows);
    answer.table("Per watt", table, "rows");
    answer.note(format!("{PER_WATT}; figures are {}.", view_in_words(view)));
}

fn sentence(baseline: &str, other: &str, ratio: &Interval, on: &str) -> String {
    match Order::of(ratio) {
        Order::Same => {
            format!("Per watt {other} and {baseline} are {} {on} ({}).", same(), range(ratio))
        }
        Order::Undecided => format!(
            "Which of {other} and {baseline} does more per watt {on} is undetermined ({}).",
            range(ratio)
        ),
        _ => {
            let how = how_much(ratio.centre)
                .replace("faster", "more work")
                .replace("slower", "less work");
            format!("Per watt {other} does {how} than {baseline} {on} ({}).", range(ratio))
        }
    }
}

/// Throughput per watt above idle.
fn net(unit: &Unit, energy: Option<&PerWatt>, view: ViewKind) -> String {
    let per_s = energy.and_then(|energy| energy.net_per_s_per_watt);
    figure_or_dash(unit, per_s.map(|per_s| per_s.centre), view)
}

fn watts(energy: Option<&PerWatt>) -> String {
    energy.map_or_else(dash, |energy| four_digits(energy.watts.centre))
}

/// Work of one group per unit of its currency and per joule.
pub fn alone_briefing(alone: &Alone, view: ViewKind) -> Briefing {
    let mut answer = Briefing::default();
    let with_watts = alone.rows.iter().filter(|row| row.energy.is_some()).count();
    let priced =
        alone.price.as_ref().map(|price| format!("{} {}/h", price.per_hour, price.currency_name()));
    let parts =
        [priced, (with_watts > 0).then(|| format!("watts of {}", counted(with_watts, "row")))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    answer.say(format!(
        "{}: {} at {}.",
        alone.label,
        counted(alone.rows.len(), "row"),
        parts.join(", ")
    ));
    let unit = alone.price.as_ref().map_or("$", |price| price.currency_name());
    let has_idle =
        alone.rows.iter().filter_map(|row| row.energy.as_ref()).any(|energy| energy.idle.is_some());
    let mut columns = Columns::<&AloneRow>::new()
        .with(Heading::left("workload").shrinks(), |row| row.workload.clone())
        .with(Heading::right("threads"), |row| row.threads.to_string())
        .with(Heading::right("throughput"), |row| figure(&row.unit, row.per_s.centre, view))
        .with(Heading::right("±").rank(1), |row| margin(&row.per_s));
    if alone.price.is_some() {
        columns = columns.with(Heading::right(format!("for 1 {unit}")), |row| {
            let per_s = row.per_currency_unit.map(|interval| interval.centre);
            let per_s = figure_or_dash(&row.unit, per_s, view);
            per_s.strip_suffix("/s").unwrap_or(&per_s).to_owned()
        });
    }
    if with_watts > 0 {
        columns = columns
            .with(Heading::right("W"), |row| watts(row.energy.as_ref()))
            .with(Heading::right("per W"), |row| {
                let per_watt = row.energy.as_ref().map(|energy| energy.per_s_per_watt.centre);
                figure_or_dash(&row.unit, per_watt, view)
            })
            .with(Heading::right("±").rank(2), |row| {
                row.energy
                    .as_ref()
                    .map_or_else(String::new, |energy| margin(&energy.per_s_per_watt))
            })
            .with(Heading::left("watts from").shrinks().rank(3), |row| {
                row.energy.as_ref().map_or_else(dash, |energy| energy.source.to_string())
            });
    }
    if has_idle {
        columns = columns
            .with(Heading::right("idle W").rank(4), |row| {
                let idle = row.energy.as_ref().and_then(|energy| energy.idle);
                idle.map_or_else(dash, |idle| four_digits(idle.centre))
            })
            .with(Heading::right("per W above idle").rank(4), |row| {
                net(&row.unit, row.energy.as_ref(), view)
            });
    }
    let table = columns.table(&alone.rows);
    answer.table("", table, "rows");
    answer.contention(alone.contention.as_ref());
    alone.price.iter().for_each(|price| answer.note(price_line(price, None)));
    alone.notes.iter().for_each(|note| answer.note(note.as_str()));
    answer.note(format!("{PER_WATT}; figures are {}.", view_in_words(view)));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::briefing::{Extent, Screen};
    use judge::compare::{Group, Pairs, Sheet};
    use judge::cost::{energy, energy_scores};
    use record::{ThreadSpec, fixture};

    /// At rated watts, twice as many on the baseline.
    fn answer_on(workloads: [&str; 2]) -> String {
        let group = |label: &str| {
            let rows = workloads.map(|name| (name, ThreadSpec::All, 4, &[990.0, 1010.0][..]));
            let run = fixture::imported(label, &Unit::Ops, &rows);
            let sheet = Sheet::of(&run, ViewKind::Uncontended);
            Group::of(label.to_owned(), ViewKind::Uncontended, vec![sheet]).unwrap()
        };
        let (baseline, other) = (group("a"), group("b"));
        let pairs = Pairs::of(&baseline, &other, &[]);
        let rows = energy(&pairs, &pairs.comparison(), (Some(100.0), Some(50.0)));
        let scores = energy_scores(&pairs, &rows, None);
        let mut answer = Briefing::default();
        say_energy(&mut answer, ("a", "b"), (&rows, &scores), ViewKind::Uncontended);
        answer.text(&Screen::of_width(200), Extent::default())
    }

    #[test]
    fn rows_with_watts_that_are_in_no_score_give_a_warning_and_no_answer() {
        let warning = "No answer per watt: no row with watts is in a score.";
        let text = answer_on(["gzip-1-one-stream/x", "gzip-6-one-stream/x"]);
        assert!(text.contains(warning) && !text.contains("Per watt b"), "{text}");
        let text = answer_on(["gzip-1/x", "gzip-6/x"]);
        assert!(!text.contains(warning) && text.contains("Per watt b"), "{text}");
    }
}
