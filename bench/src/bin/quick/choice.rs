//! Choosing the rows that predict the score of all.

use super::profile::{Kind, Profiles};
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;

/// Rows by number, so many of each kind.
pub type Choice = Vec<usize>;

/// How many of `places` each kind has: one, and the rest by its share of the rows, largest remainder first.
pub fn places(profiles: &Profiles, places: usize) -> BTreeMap<Kind, usize> {
    let mut rows: BTreeMap<Kind, usize> = BTreeMap::new();
    for row in &profiles.rows {
        *rows.entry(row.kind).or_default() += 1;
    }
    let share = |kind: &Kind| rows[kind] as f64 / profiles.rows.len() as f64 * places as f64;
    let mut given: BTreeMap<Kind, usize> =
        rows.keys().map(|kind| (*kind, (share(kind) as usize).max(1))).collect();
    loop {
        let lack = |kind: &Kind| share(kind) - given[kind] as f64;
        let by_lack = |a: &&Kind, b: &&Kind| lack(a).total_cmp(&lack(b));
        let total: usize = given.values().sum();
        let kind = match total.cmp(&places) {
            std::cmp::Ordering::Equal => return given,
            std::cmp::Ordering::Less => rows.keys().max_by(by_lack),
            std::cmp::Ordering::Greater => {
                rows.keys().filter(|kind| given[kind] > 1).min_by(by_lack)
            }
        };
        let Some(kind) = kind.copied() else { return given };
        let change = if total < places { 1 } else { -1 };
        given.entry(kind).and_modify(|n| *n = n.saturating_add_signed(change));
    }
}

/// The rows to choose from, and what a choice has to predict.
pub struct Chooser<'a> {
    profiles: &'a Profiles,
    /// The rows of each kind.
    kinds: BTreeMap<Kind, Vec<usize>>,
    /// For each machine the mean over all rows, and over the rows of each kind.
    targets: Vec<(f64, BTreeMap<Kind, f64>)>,
}

impl<'a> Chooser<'a> {
    pub fn new(profiles: &'a Profiles) -> Self {
        let mut kinds: BTreeMap<Kind, Vec<usize>> = BTreeMap::new();
        for (number, row) in profiles.rows.iter().enumerate() {
            kinds.entry(row.kind).or_default().push(number);
        }
        let target = |(_, logs): &(String, Vec<f64>)| {
            let of_kind = |rows: &Vec<usize>| mean(rows.iter().map(|row| logs[*row]));
            let of_kinds = kinds.iter().map(|(kind, rows)| (*kind, of_kind(rows))).collect();
            (mean(logs.iter().copied()), of_kinds)
        };
        let targets = profiles.machines.iter().map(target).collect();
        Self { profiles, kinds, targets }
    }

    /// How far the chosen rows' geometric mean is from that of all, on one machine, as a logarithm.
    pub fn error(&self, machine: usize, choice: &[usize]) -> f64 {
        let logs = &self.profiles.machines[machine].1;
        mean(choice.iter().map(|row| logs[*row])) - self.targets[machine].0
    }

    /// Root mean square over machines of that error and of the errors of each kind by its share: rows that are
    /// right together, but each kind for the wrong reason, would not be so on another machine.
    pub fn cost(&self, choice: &[usize]) -> f64 {
        let of_machine = |machine: usize| {
            let of_kinds = self.kinds.iter().map(|(kind, rows)| {
                let share = rows.len() as f64 / self.profiles.rows.len() as f64;
                share * self.error_of_kind(machine, choice, *kind).powi(2)
            });
            self.error(machine, choice).powi(2) + of_kinds.sum::<f64>()
        };
        mean((0..self.targets.len()).map(of_machine)).sqrt()
    }

    fn error_of_kind(&self, machine: usize, choice: &[usize], kind: Kind) -> f64 {
        let Profiles { rows, machines } = self.profiles;
        let chosen = choice.iter().filter(|row| rows[**row].kind == kind);
        mean(chosen.map(|row| machines[machine].1[*row])) - self.targets[machine].1[&kind]
    }

    /// The cheapest choice that swaps of single rows lead to from some random ones.
    pub fn best(&self, places: &BTreeMap<Kind, usize>, rng: &mut impl Rng) -> Choice {
        const STARTS: usize = 10;
        let ends = (0..STARTS).map(|_| self.improved(self.random(places, rng)));
        ends.min_by(|a, b| self.cost(a).total_cmp(&self.cost(b))).unwrap_or_default()
    }

    /// Makes the swap that gains most until none gains.
    fn improved(&self, mut choice: Choice) -> Choice {
        let mut least = self.cost(&choice);
        loop {
            let mut swap = None;
            for place in 0..choice.len() {
                let before = choice[place];
                for row in self.candidates(self.profiles.rows[before].kind) {
                    let others = choice.iter().enumerate().filter(|(other, _)| *other != place);
                    if row == before
                        || others.into_iter().any(|(_, other)| self.are_alike(row, *other))
                    {
                        continue;
                    }
                    choice[place] = row;
                    let now = self.cost(&choice);
                    if now < least {
                        (least, swap) = (now, Some((place, row)));
                    }
                    choice[place] = before;
                }
            }
            let Some((place, row)) = swap else { return choice };
            choice[place] = row;
        }
    }

    /// Any candidates, as many of each kind as it has places, as far as there are that many that are not alike.
    pub fn random(&self, places: &BTreeMap<Kind, usize>, rng: &mut impl Rng) -> Choice {
        let mut choice = Choice::new();
        for (kind, wanted) in places {
            let mut candidates = self.candidates(*kind);
            candidates.shuffle(rng);
            let mut of_kind = Choice::new();
            for row in candidates {
                if of_kind.len() < *wanted
                    && !of_kind.iter().any(|other| self.are_alike(row, *other))
                {
                    of_kind.push(row);
                }
            }
            choice.extend(of_kind);
        }
        choice
    }

    /// Whether two rows are the same kind of work by the same library, of which `quick` needs one only: machines
    /// that were made from one can't tell them apart, but those that users have may.
    fn are_alike(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|row| &self.profiles.rows[row]);
        let library = |id: &'a str| id.split_once('/').map(|(_, library)| library);
        a.kind == b.kind && library(&a.workload) == library(&b.workload)
    }

    fn candidates(&self, kind: Kind) -> Vec<usize> {
        let rows = self.kinds[&kind].iter().copied();
        rows.filter(|row| self.profiles.rows[*row].is_candidate).collect()
    }
}

pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        (sum, count) = (sum + value, count + 1.0);
    }
    sum / count
}

#[cfg(test)]
mod tests {
    use super::super::profile::Row;
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// 41 hashes and 21 rows of compression on three machines. The first of each kind is what its kind is on
    /// average; the others are off by factors of three and more, in pairs that make up for each other.
    fn profiles() -> Profiles {
        let places: Vec<(Kind, usize)> = (0..41)
            .map(|place| (Kind::Hash, place))
            .chain((0..21).map(|place| (Kind::Compress, place)))
            .collect();
        let row = |(kind, place): &(Kind, usize)| Row {
            workload: format!("{kind:?}-{place}/library-{place}"),
            kind: *kind,
            is_candidate: true,
        };
        let machine = |machine: usize| {
            let log = |(_, place): &(Kind, usize)| {
                let pair = place.div_ceil(2);
                let off =
                    if pair == 0 { 0.0 } else { 1.0 + (pair * (machine + 3) % 5) as f64 / 5.0 };
                machine as f64 + if place % 2 == 0 { off } else { -off }
            };
            (format!("machine {machine}"), places.iter().map(log).collect())
        };
        Profiles { rows: places.iter().map(row).collect(), machines: (0..3).map(machine).collect() }
    }

    #[test]
    fn places_go_by_share_and_no_kind_is_without() {
        let mut profiles = profiles();
        assert_eq!(places(&profiles, 3), BTreeMap::from([(Kind::Hash, 2), (Kind::Compress, 1)]));
        assert_eq!(places(&profiles, 6), BTreeMap::from([(Kind::Hash, 4), (Kind::Compress, 2)]));
        profiles.rows[0].kind = Kind::Erasure;
        let places = places(&profiles, 3);
        assert_eq!(places.values().copied().collect::<Vec<_>>(), [1, 1, 1]);
    }

    #[test]
    fn the_rows_that_stand_for_their_kinds_are_found() {
        let profiles = profiles();
        let chooser = Chooser::new(&profiles);
        let places = BTreeMap::from([(Kind::Hash, 1), (Kind::Compress, 1)]);
        let best = chooser.best(&places, &mut ChaCha8Rng::seed_from_u64(1));
        assert!(chooser.cost(&best) < 1e-9, "{best:?}");
    }

    #[test]
    fn what_is_no_candidate_is_not_chosen() {
        let mut profiles = profiles();
        for row in profiles
            .rows
            .iter_mut()
            .filter(|row| !row.workload.starts_with("Hash-3/") && row.kind == Kind::Hash)
        {
            row.is_candidate = false;
        }
        let chooser = Chooser::new(&profiles);
        let places = BTreeMap::from([(Kind::Hash, 1), (Kind::Compress, 1)]);
        let best = chooser.best(&places, &mut ChaCha8Rng::seed_from_u64(1));
        assert!(best.contains(&3), "{best:?}");
    }
}
