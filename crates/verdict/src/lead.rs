//! Who leads several machines.

use super::numbers::ranked_machines;
use super::words::{Order, Quantity, anything_by, how_much_than_by, range, same, stands_by};
use serde::Deserialize;
use stats::Interval;

/// The first two of a ranking.
#[derive(Debug, Clone, Deserialize)]
pub struct Lead {
    /// Their names, the leader's first.
    pub names: [String; 2],
    /// The leader over the next; `None` where the two have nothing in common.
    pub ratio: Option<Interval>,
    /// By what they are ranked.
    pub quantity: Quantity,
    /// So many machines are ranked …
    pub ranked: usize,
    /// … of so many …
    pub all: usize,
    /// … with this beside the number, where something must be said of the others: ` (2 have no price)`.
    pub aside: String,
    /// On which threads, and by which work if not by all: `on all threads`.
    pub on: String,
    /// Where the order of the two depends on the work, what says so of `which of them`: `is faster … depends on the work: …`.
    pub depends: Option<String>,
}

impl Lead {
    /// `c8g leads 19 machines on all threads: 12 % faster than c7a (95 % CI 11–13 %)`.
    pub fn sentence(&self) -> String {
        let Self { names: [name, next], ratio, quantity, ranked, all, aside, on, depends } = self;
        let (quantity, ranked, all) = (*quantity, *ranked, *all);
        let machines = format!("{}{aside}", ranked_machines(ranked, all));
        let Some(ratio) = ratio else { return format!("{name} leads {machines} {on}") };
        // A lead is over others: two of many are a pair.
        if ranked == 2 && all > 2 {
            let pair = match depends {
                Some(depends) => format!("which of {name} and {next} {depends}"),
                None => stands_by(name, next, ratio, on, quantity.in_a_sentence()),
            };
            return format!("Only 2 of {all} machines can be ranked{aside}: {pair}");
        }
        let interval = range(ratio);
        match (depends, Order::of(ratio)) {
            (_, Order::Same) => {
                format!("{name} and {next} lead {machines} {on}: {} ({interval})", same())
            }
            (_, Order::Undecided) => {
                let is = if quantity == Quantity::Speed { "is" } else { "does" };
                let anything = anything_by(ratio, quantity);
                format!(
                    "{name} and {next} lead {machines} {on}; which of them is undetermined: {name} {is} {anything} ({interval})"
                )
            }
            (Some(depends), _) => {
                format!("{name} and {next} lead {machines}; which of them {depends}")
            }
            (None, _) => {
                let how = how_much_than_by(ratio.centre, next, quantity);
                format!("{name} leads {machines} {on}: {how} ({interval})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(centre: f64, margin: f64) -> Lead {
        Lead {
            names: ["a", "b"].map(str::to_owned),
            ratio: Some(Interval::around(centre, margin, 9.0)),
            quantity: Quantity::Speed,
            ranked: 3,
            all: 4,
            aside: String::new(),
            on: "on all threads".to_owned(),
            depends: None,
        }
    }

    #[test]
    fn who_leads_how_many_is_said_with_what_is_not_known_of_it() {
        let lead_of_three = lead(1.12, 0.01);
        assert_eq!(
            lead_of_three.sentence(),
            "a leads 3 of 4 machines on all threads: 12 % faster than b (95 % CI 11–13 %)"
        );
        assert_eq!(
            Lead { ratio: None, ..lead_of_three.clone() }.sentence(),
            "a leads 3 of 4 machines on all threads"
        );
        let quantity = Quantity::Amount;
        assert_eq!(
            Lead { quantity, aside: " (1 has no price)".to_owned(), ..lead(0.99, 0.03) }.sentence(),
            "a and b lead 3 of 4 machines (1 has no price) on all threads; which of them is undetermined: a does anything from \
             3.9 % less to 2.0 % more (95 % CI 0.961–1.02)"
        );
        assert_eq!(
            Lead { quantity, ranked: 2, ..lead_of_three }.sentence(),
            "Only 2 of 4 machines can be ranked: a does 12 % more work than b on all threads (95 % CI 11–13 %)"
        );
    }

    #[test]
    fn an_order_that_depends_on_the_work_is_no_lead() {
        // Where the first of a ranking is behind the next on what both have, too.
        for centre in [1.12, 0.9] {
            let depends = Some("is faster depends on the work: b has most".to_owned());
            let lead = Lead { depends, ..lead(centre, 0.01) };
            assert_eq!(
                lead.sentence(),
                "a and b lead 3 of 4 machines; which of them is faster depends on the work: b has most"
            );
            assert_eq!(
                Lead { ranked: 2, ..lead }.sentence(),
                "Only 2 of 4 machines can be ranked: which of a and b is faster depends on the work: b has most"
            );
        }
    }
}
