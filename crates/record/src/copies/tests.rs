use super::*;
use crate::fixture::two_threads;

/// A sample whose threads took this long.
fn sample(elapsed_ns: u64) -> Measured {
    let mut sample = two_threads([0, 1]);
    sample.threads.iter_mut().for_each(|thread| thread.elapsed_ns = elapsed_ns);
    sample
}

/// Adds samples of one case with these elapsed times, one after the other.
fn expected(times: impl IntoIterator<Item = u64>) -> Result<(), String> {
    let mut copies = Copies::default();
    times.into_iter().enumerate().try_for_each(|(place, elapsed_ns)| {
        let mut sample = sample(elapsed_ns);
        sample.start_ns += place as u64;
        copies.add(0, &sample)
    })
}

#[test]
fn samples_that_are_repeated_at_other_times_are_no_samples() {
    let repeated = expected((0..20).flat_map(|_| 100..106));
    let sentence =
        "5 of 11 samples of case 0 have the same figures as others to the nanosecond".to_owned();
    assert_eq!(repeated, Err(sentence));
    // Each only once more.
    assert!(expected((100..150).chain(100..150)).is_err());
}

#[test]
fn a_clock_that_ticks_slowly_may_give_the_same_now_and_then() {
    assert_eq!(expected([100, 100, 100, 100, 100]), Ok(()), "four copies are few");
    // One in four is a copy.
    assert_eq!(expected((0..400_u64).map(|n| if n % 4 == 3 { 1 } else { n + 10 })), Ok(()));
}

#[test]
fn a_sample_is_no_copy_if_any_figure_differs() {
    let mut copies = Copies::default();
    for n in 0..100 {
        let mut sample = sample(100);
        sample.threads[1].pulse_after.width_ns += n;
        assert_eq!(copies.add(0, &sample), Ok(()));
    }
}

#[test]
fn a_case_does_not_answer_for_the_copies_of_another_but_for_its_own_from_another() {
    let mut copies = Copies::default();
    for n in 0..100 {
        assert_eq!(copies.add(0, &sample(n)), Ok(()));
    }
    let of_other: Result<(), String> = (0..100).try_for_each(|n| copies.add(1, &sample(n)));
    assert!(of_other.unwrap_err().contains("of case 1"));
    assert_eq!(copies.add(0, &sample(1_000)), Ok(()));
}
