//! Many machines by their work for the money.

use super::comparison::{Cost, CostScore};
use super::money::PriceAdjusted;
use catalog::Price;
use record::ThreadSpec;
use stats::Interval;

/// A machine beside the first, which all are compared with.
#[derive(Debug, Clone)]
pub struct PricedMachine<'a> {
    /// Its price.
    pub price: &'a Price,
    /// Price of an hour of one logical CPU, where their number is known.
    pub per_cpu: Option<f64>,
    /// Its score at the prices; `None` for the first, and where too few rows can be compared for a rank.
    pub score: Option<&'a CostScore>,
    /// Whether it is the first.
    pub is_first: bool,
    /// The price an hour at which it would do as much for a unit of the currency as the best; `None` without a rank.
    pub break_even_per_hour: Option<f64>,
}

impl PricedMachine<'_> {
    /// Whether it has a rank.
    pub fn is_ranked(&self) -> bool {
        self.is_first || self.score.is_some()
    }

    /// Its ops/s over the first's.
    fn ratio(&self) -> Option<Interval> {
        if self.is_first { Some(Interval::exact(1.0)) } else { Some(self.score?.adjusted.ratio) }
    }

    /// The part of it that the work took over the part of the first.
    fn share(&self) -> f64 {
        self.score.map_or(1.0, |score| score.adjusted.share)
    }

    /// Work for the money over the first's; below all others where it is unknown.
    fn work(&self, first: &Price) -> f64 {
        let adjust = |ratio| PriceAdjusted::of(ratio, self.share(), first, self.price);
        let adjusted = self.ratio().map(adjust);
        adjusted.map_or(f64::NEG_INFINITY, |adjusted| adjusted.price_adjusted.centre)
    }
}

/// Machines on a number of threads, the one with the most work for the money first, those without a rank last.
pub fn price_ranking<'a>(costs: &[&'a Cost], threads: ThreadSpec) -> Vec<PricedMachine<'a>> {
    let Some(first) = costs.first() else { return Vec::new() };
    let others = costs.iter().map(|cost| PricedMachine {
        price: &cost.other,
        per_cpu: cost.per_cpu.1,
        score: cost.overall().find(|line| line.threads == threads),
        is_first: false,
        break_even_per_hour: None,
    });
    let baseline = PricedMachine {
        price: &first.baseline,
        per_cpu: first.per_cpu.0,
        score: None,
        is_first: true,
        break_even_per_hour: None,
    };
    let mut machines: Vec<PricedMachine> = others.chain([baseline]).collect();
    machines.sort_by(|a, b| b.work(&first.baseline).total_cmp(&a.work(&first.baseline)));
    if let Some((best, ratio)) = machines
        .first()
        .and_then(|best| Some((best.price, best.ratio()?.scaled(1.0 / best.share()))))
    {
        for machine in &mut machines {
            let against_best =
                machine.ratio().map(|own| own.centre / ratio.centre).map(Interval::exact);
            let share = machine.share();
            let adjusted =
                against_best.map(|ratio| PriceAdjusted::of(ratio, share, best, machine.price));
            machine.break_even_per_hour =
                adjusted.map(|adjusted| adjusted.break_even_per_hour.centre);
        }
    }
    machines
}
