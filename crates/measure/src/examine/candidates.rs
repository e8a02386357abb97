//! Chooses pairs of CPUs that may share a core.

use doctor::Candidate;
use machine::Topology;
use std::collections::BTreeSet;

/// At most `most` pairs to try, spread evenly over the machine: pairs that the kernel reports as siblings, and pairs
/// that would be siblings if these were numbered consecutively or half of the CPUs apart.
pub fn candidates(topology: &Topology, allowed: &[u32], most: usize) -> Vec<Candidate> {
    let allowed: BTreeSet<u32> = allowed.iter().copied().collect();
    let core_of = |cpu: u32| topology.cpus.iter().find(|c| c.cpu == cpu).map(|c| c.core_key());
    let is_claimed = |a: u32, b: u32| core_of(a).is_some() && core_of(a) == core_of(b);
    let half = topology.cpus.len() as u32 / 2;
    let mut claimed = Vec::new();
    let mut others: [Vec<Candidate>; 2] = [Vec::new(), Vec::new()];
    let mut seen = BTreeSet::new();
    for &a in &allowed {
        let next = topology.cpus.iter().find(|c| c.cpu == a).and_then(|c| {
            let later = c.siblings.iter().copied().filter(|b| *b > a && allowed.contains(b));
            later.min()
        });
        if let Some(b) = next {
            claimed.push(Candidate { a, b, claimed: true });
            seen.insert((a, b));
        }
        let guesses =
            [(a.is_multiple_of(2), a + 1), (half > 0 && a < half, a.saturating_add(half))];
        for (guesses, (is_guess, b)) in others.iter_mut().zip(guesses) {
            if is_guess && allowed.contains(&b) && !is_claimed(a, b) && seen.insert((a, b)) {
                guesses.push(Candidate { a, b, claimed: false });
            }
        }
    }
    let [next_to, half_apart] = others;
    share_out([claimed, next_to, half_apart], most)
}

/// Takes from each list in turn, and from each evenly.
fn share_out<const N: usize>(lists: [Vec<Candidate>; N], most: usize) -> Vec<Candidate> {
    let mut sizes = [0; N];
    let mut left = most;
    while left > 0 && (0..N).any(|i| sizes[i] < lists[i].len()) {
        for (size, list) in sizes.iter_mut().zip(&lists) {
            if left > 0 && *size < list.len() {
                *size += 1;
                left -= 1;
            }
        }
    }
    let evenly = |(list, size): (&Vec<Candidate>, usize)| {
        (0..size).map(|i| list[i * list.len() / size]).collect::<Vec<_>>()
    };
    lists.iter().zip(sizes).flat_map(evenly).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn triples(candidates: &[Candidate]) -> Vec<(u32, u32, bool)> {
        candidates.iter().map(|c| (c.a, c.b, c.claimed)).collect()
    }

    #[test]
    fn two_cpus_without_claims_are_one_pair() {
        let pairs = candidates(&Topology::with_siblings(2, |cpu| vec![cpu]), &[0, 1], 10);
        assert_eq!(triples(&pairs), [(0, 1, false)]);
        assert_eq!(candidates(&Topology::with_siblings(2, |cpu| vec![cpu]), &[1], 10), []);
        assert_eq!(candidates(&Topology::default(), &[], 10), []);
    }

    #[test]
    fn claims_and_both_patterns_of_numbering_are_tried() {
        let pairs = candidates(&Topology::with_siblings(4, |cpu| vec![cpu]), &[0, 1, 2, 3], 10);
        assert_eq!(triples(&pairs), [(0, 1, false), (2, 3, false), (0, 2, false), (1, 3, false)]);
        let claimed = Topology::with_siblings(4, |cpu| vec![cpu % 2, cpu % 2 + 2]);
        let pairs = candidates(&claimed, &[0, 1, 2, 3], 10);
        assert_eq!(triples(&pairs), [(0, 2, true), (1, 3, true), (0, 1, false), (2, 3, false)]);
    }

    #[test]
    fn on_a_large_machine_the_pairs_are_few_and_from_all_over_it() {
        let all: Vec<u32> = (0..256).collect();
        let large = Topology::with_siblings(256, |cpu| vec![cpu % 128, cpu % 128 + 128]);
        let pairs = candidates(&large, &all, 16);
        let claimed: Vec<u32> = pairs.iter().filter(|p| p.claimed).map(|p| p.a).collect();
        assert_eq!(pairs.len(), 16);
        assert_eq!(claimed, [0, 16, 32, 48, 64, 80, 96, 112]);
        assert!(pairs.iter().filter(|p| !p.claimed).all(|p| p.b == p.a + 1));
    }

    proptest! {
        #[test]
        fn candidates_are_allowed_distinct_and_no_more_than_requested(
            cpus in 1_u32..40, most in 0_usize..20, hole in 0_u32..40,
        ) {
            let topology = Topology::with_siblings(cpus, |cpu| vec![cpu / 2 * 2, cpu / 2 * 2 + 1]);
            let allowed: Vec<u32> = (0..cpus).filter(|cpu| *cpu != hole).collect();
            let pairs = candidates(&topology, &allowed, most);
            prop_assert!(pairs.len() <= most);
            let distinct: BTreeSet<(u32, u32)> = pairs.iter().map(|p| (p.a, p.b)).collect();
            prop_assert_eq!(distinct.len(), pairs.len());
            for pair in pairs {
                prop_assert!(pair.a < pair.b && pair.a != hole && pair.b != hole && pair.b < cpus);
            }
        }
    }
}
