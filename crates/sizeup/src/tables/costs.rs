//! Many machines at their prices: which does the most work for the money.

use super::cost::price_line;
use super::figures::{main_threads, margin, ratio_cell};
use crate::briefing::Briefing;
use catalog::Price;
use judge::answer::{range, times};
use judge::cost::{Cost, PriceAdjusted, PricedMachine, price_ranking};
use judge::numbers::{dash, four_digits, ranked_machines};
use record::ThreadSpec;
use stats::Interval;
use terminal::table::{Columns, Heading, Table};

/// Says which workload decides the lead of one over the next on a number of threads, if one does.
pub type Deciding<'a> = dyn Fn(&Price, &Price, ThreadSpec) -> Option<String> + 'a;

/// Adds a ranking of several machines by their work for the money, each compared with the first. `unpriced` more have no
/// price. `notes` are of all prices.
pub fn say_costs(
    answer: &mut Briefing,
    costs: &[&Cost],
    unpriced: usize,
    notes: &[String],
    deciding: &Deciding,
) {
    let Some(first) = costs.first() else { return };
    let threads =
        main_threads(costs.iter().flat_map(|cost| cost.overall().map(|line| line.threads)));
    let machines = price_ranking(costs, threads);
    match sentence(&machines, &first.baseline, threads, unpriced) {
        Some(sentence) => {
            answer.say(sentence);
            let ranked: Vec<&Price> =
                machines.iter().filter(|machine| machine.is_ranked()).map(|machine| machine.price).collect();
            if let [best, second, ..] = ranked[..] {
                deciding(best, second, threads).into_iter().for_each(|text| answer.say(text));
            }
        }
        None => answer.warn(format!(
            "No machine can be ranked against {}: too few of its workloads on {} can be compared with another's.",
            first.baseline.label,
            threads.in_words()
        )),
    }
    let title = format!("On {}, against {}", threads.in_words(), first.baseline.label);
    answer.table(title, table(&machines), "machines");
    let left: Vec<&str> = machines
        .iter()
        .filter(|machine| !machine.is_ranked())
        .map(|machine| machine.price.label.as_str())
        .collect();
    if !left.is_empty() {
        answer.note(format!(
            "Not ranked: {}. They lack too many of the workloads on {} that the ranked ones have in common.",
            left.join(", "),
            threads.in_words()
        ));
    }
    notes.iter().for_each(|note| answer.note(note.as_str()));
    for machine in &machines {
        answer.note(price_line(machine.price, machine.per_cpu));
    }
}

/// `c7g does the most work per $ of 7 machines on all threads: 2.6× c6i (…). c8g would do as much at ≈ 2.19 $/h.`
fn sentence(
    machines: &[PricedMachine],
    first: &Price,
    threads: ThreadSpec,
    unpriced: usize,
) -> Option<String> {
    let ranked: Vec<&PricedMachine> =
        machines.iter().filter(|machine| machine.is_ranked()).collect();
    let [best, second, ..] = ranked[..] else { return None };
    let (unit, on) = (first.currency_name(), threads.in_words());
    let lead = match best.score {
        Some(score) => {
            let ratio = &score.adjusted.price_adjusted;
            format!(": {} that of {} ({})", times(ratio.centre), first.label, range(ratio))
        }
        None => String::new(),
    };
    let best = &best.price.label;
    let has = if unpriced == 1 { "has" } else { "have" };
    let all = machines.len() + unpriced;
    let who = if ranked.len() == 2 && all > 2 {
        let unpriced = match unpriced {
            0 => String::new(),
            some => format!(" ({some} {has} no price)"),
        };
        format!(
            "Only 2 of {all} machines can be ranked{unpriced}: {best} does more work per {unit}"
        )
    } else {
        let machines = ranked_machines(ranked.len(), machines.len());
        let unpriced = match unpriced {
            0 => String::new(),
            some => format!(" with a price ({some} {has} none)"),
        };
        format!("{best} does the most work per {unit} of {machines}{unpriced}")
    };
    let even = second.break_even_per_hour.map_or_else(dash, four_digits);
    Some(format!(
        "{who} on {on}{lead}. {} would match it at about {even} {unit}/h (now {}).",
        second.price.label, second.price.per_hour
    ))
}

fn table(machines: &[PricedMachine]) -> Table {
    let currency = machines.first().map_or("$", |machine| machine.price.currency_name());
    let ratio = |machine: &PricedMachine, pick: fn(&PriceAdjusted) -> &Interval| match machine.score
    {
        _ if machine.is_first => "1".into(),
        Some(score) => ratio_cell(pick(&score.adjusted)),
        None => dash().into(),
    };
    Columns::<&PricedMachine>::new()
        .with(Heading::left("machine").shrinks(), |machine| machine.price.label.clone())
        .with(Heading::right(format!("{currency}/h")), |machine| machine.price.per_hour.to_string())
        .with(Heading::right("throughput"), |machine| ratio(machine, |adjusted| &adjusted.ratio))
        .with(Heading::right(format!("work per {currency}")), |machine| {
            ratio(machine, |adjusted| &adjusted.price_adjusted)
        })
        .with(Heading::right("±"), |machine| {
            machine.score.map_or_else(String::new, |score| margin(&score.adjusted.price_adjusted))
        })
        .with(Heading::right(format!("break-even {currency}/h")).rank(1), |machine| {
            let even = machine.break_even_per_hour;
            even.map_or_else(dash, |even| format!("{} {currency}/h", four_digits(even)))
        })
        .with(Heading::right(format!("{currency}/h per CPU")).rank(3), |machine| {
            machine.per_cpu.map_or_else(dash, |per_cpu| format!("{per_cpu:.4}"))
        })
        .with(Heading::right("rows").rank(2), |machine| {
            machine.score.map_or_else(String::new, |score| score.rows.to_string())
        })
        .table(machines)
}
