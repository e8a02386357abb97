//! Many machines at their prices: which does the most work for the money.

use super::cost::price_line;
use super::figures::{main_threads, margin, ratio_cell};
use crate::briefing::Briefing;
use judge::answer::{has_place, range, times};
use judge::compare::Comparison;
use judge::cost::{Cost, CostScore, Price};
use judge::numbers::{dash, quantity};
use record::ThreadSpec;
use table::{Entry, Heading, Table};

/// A machine beside the first, which all prices are compared with.
struct Priced<'a> {
    price: &'a Price,
    /// `None` of the first, and where too few rows can be compared.
    score: Option<&'a CostScore>,
    /// What an hour of one logical CPU costs, where it is known how many there are.
    per_cpu: Option<f64>,
    is_first: bool,
}

impl Priced<'_> {
    /// Work for the money, over the first's; below all others where it is unknown.
    fn work(&self) -> f64 {
        let others = self.score.map_or(f64::NEG_INFINITY, |of| of.stand.price_adjusted.centre);
        if self.is_first { 1.0 } else { others }
    }

    fn is_ranked(&self) -> bool {
        self.is_first || self.score.is_some()
    }
}

/// Whether the lead of one over the next hangs on a workload, on a number of threads: a sentence, if it does.
pub type Hinge<'a> = dyn Fn(&Price, &Price, ThreadSpec) -> Option<String> + 'a;

/// Adds a ranking of several machines by their work for the money, each compared with the first. `notes` are of all prices.
pub fn say_costs(
    answer: &mut Briefing,
    costs: &[(&Cost, &Comparison)],
    notes: &[String],
    hinge: &Hinge,
) {
    let Some((first, _)) = costs.first() else { return };
    let threads =
        main_threads(costs.iter().flat_map(|(cost, _)| cost.overall().map(|of| of.threads)));
    let others = costs.iter().map(|(cost, comparison)| Priced {
        price: &cost.other,
        score: overall(cost, threads).filter(|_| has_place(comparison, threads)),
        per_cpu: cost.per_cpu.1,
        is_first: false,
    });
    let baseline =
        Priced { price: &first.baseline, score: None, per_cpu: first.per_cpu.0, is_first: true };
    let mut places: Vec<Priced> = others.chain([baseline]).collect();
    places.sort_by(|a, b| b.work().total_cmp(&a.work()));
    match sentence(&places, &first.baseline, threads) {
        Some(sentence) => {
            answer.say(sentence);
            let ranked: Vec<&Price> =
                places.iter().filter(|of| of.is_ranked()).map(|of| of.price).collect();
            if let [best, second, ..] = ranked[..] {
                hinge(best, second, threads).into_iter().for_each(|hinge| answer.say(hinge));
            }
        }
        None => answer.warn(format!(
            "No machine can be ranked against {}: too few of its workloads on {} can be compared with another's.",
            first.baseline.label,
            threads.in_words()
        )),
    }
    let title = format!("On {}, against {}", threads.in_words(), first.baseline.label);
    answer.table(title, table(&places), "machines");
    let left: Vec<&str> =
        places.iter().filter(|of| !of.is_ranked()).map(|of| of.price.label.as_str()).collect();
    if !left.is_empty() {
        answer.note(format!(
            "Not ranked: {}. Fewer than half of the rows on {} are comparable with those of {}.",
            left.join(", "),
            threads.in_words(),
            first.baseline.label
        ));
    }
    notes.iter().for_each(|note| answer.note(note.as_str()));
    for of in &places {
        answer.note(price_line(of.price, of.per_cpu));
    }
}

fn overall(cost: &Cost, threads: ThreadSpec) -> Option<&CostScore> {
    cost.overall().find(|of| of.threads == threads)
}

/// `c7g does the most work per $ of 7 machines on all threads: 2.6× c6i (…). c8g would do as much at ≈ 2.19 $/h.`
fn sentence(places: &[Priced], first: &Price, threads: ThreadSpec) -> Option<String> {
    let ranked: Vec<&Priced> = places.iter().filter(|of| of.is_ranked()).collect();
    let [best, second, ..] = ranked[..] else { return None };
    let (unit, on) = (first.unit(), threads.in_words());
    let machines = match (ranked.len(), places.len()) {
        (ranked, all) if ranked < all => format!("{all} machines ({ranked} ranked)"),
        (all, _) => format!("{all} machines"),
    };
    let lead = match best.score {
        Some(score) => {
            let ratio = &score.stand.price_adjusted;
            format!(": {} that of {} ({})", times(ratio.centre), first.label, range(ratio))
        }
        None => String::new(),
    };
    let even = quantity(second.price.per_hour * second.work() / best.work());
    Some(format!(
        "{} does the most work per {unit} of {machines} on {on}{lead}. {} would do as much at about {even} {unit}/h (now {}).",
        best.price.label, second.price.label, second.price.per_hour
    ))
}

fn table(places: &[Priced]) -> Table {
    let unit = places.first().map_or("$", |of| of.price.unit());
    let best = places.first().map_or(1.0, Priced::work);
    let mut table = Table::new([
        Heading::left("machine").shrinks(),
        Heading::right(format!("{unit}/h")),
        Heading::right("throughput"),
        Heading::right(format!("work per {unit}")),
        Heading::right("±"),
        Heading::right(format!("break-even {unit}/h")).rank(1),
        Heading::right(format!("{unit}/h per CPU")).rank(3),
        Heading::right("rows").rank(2),
    ]);
    for of in places {
        let even = quantity(of.price.per_hour * of.work() / best);
        let stand = of.score.map(|score| &score.stand);
        let own = || if of.is_first { "1".into() } else { dash().into() };
        let ratio: Entry = stand.map_or_else(own, |of| ratio_cell(&of.ratio));
        let work: Entry = stand.map_or_else(own, |of| ratio_cell(&of.price_adjusted));
        table.row([
            of.price.label.as_str().into(),
            of.price.per_hour.to_string().into(),
            ratio,
            work,
            stand.map_or_else(String::new, |of| margin(&of.price_adjusted)).into(),
            if of.is_ranked() { format!("{even} {unit}/h") } else { dash() }.into(),
            of.per_cpu.map_or_else(dash, |per_cpu| format!("{per_cpu:.4}")).into(),
            of.score.map_or_else(String::new, |score| score.rows.to_string()).into(),
        ]);
    }
    table
}
