//! The harness is killed at random moments, from its first to its last.

use super::ways::{start, wait_for_sample};
use super::{assert_nothing_left, files, go_on};
use crate::support::{NEVER, Place, processes_in, send, wait_until};
use nix::sys::signal::Signal;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;
use std::thread::{self, sleep};
use std::time::Duration;

/// So many kills, unless `SIZEUP_KILLS` says how many.
const KILLS: usize = 20;
/// One in so many is killed after a time from its start, which may be before its file is there; the others from their first
/// sample.
const FROM_THE_START: usize = 4;
/// A run has begun by then, on a machine that is not busy.
const LATEST: Duration = Duration::from_millis(1500);

#[test]
fn a_run_killed_at_random_moments_keeps_what_it_flushed_and_can_be_finished() {
    let kills = std::env::var("SIZEUP_KILLS").map_or(KILLS, |text| text.parse().expect("a number"));
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    let moments: Vec<Duration> =
        (0..kills).map(|_| rng.random_range(Duration::ZERO..LATEST)).collect();
    let found: Mutex<BTreeMap<&str, usize>> = Mutex::default();
    for some in moments.chunks(FROM_THE_START) {
        thread::scope(|scope| {
            for (place, &moment) in some.iter().enumerate() {
                let found = &found;
                scope.spawn(move || {
                    let what = kill_at(moment, place == 0);
                    *found.lock().expect("no one panicked").entry(what).or_default() += 1;
                });
            }
        });
    }
    println!("{kills} kills: {:?}", found.lock().expect("no one panicked"));
}

/// Kills a run and looks at what it left. Returns how far it was.
fn kill_at(moment: Duration, is_from_start: bool) -> &'static str {
    let place = Place::new().with_faults(&["none", "good"], &[]);
    let before = files(&place);
    let more = ["--threads", "1,2", "--cpus", "0", "--precision", NEVER];
    let arguments = Place::run_arguments(&["none/fake", "good/fake"], &more);
    let mut child = start(&mut place.command(&arguments));
    if !is_from_start {
        wait_for_sample(&place);
    }
    sleep(moment);
    send(Signal::SIGKILL, &child);
    child.wait().expect("it ended");
    let name = format!("killed after {moment:?}");
    wait_until("its workers end", || processes_in(&place.path("own")).is_empty());

    let given: usize = ["none", "good"]
        .map(|row| fs::read_to_string(place.path(&format!("{row}.log"))).unwrap_or_default())
        .map(|log| log.lines().count())
        .iter()
        .sum();
    let text = fs::read_to_string(place.path("out.jsonl"));
    let how_far = match &text {
        Err(_) => "before there was a file",
        // Nothing is in it that could be lost, and it says so.
        Ok(text) if !text.contains('\n') => {
            let shown = place.sizeup(&["show", "out.jsonl"]);
            assert_eq!(shown.status, 2, "{name}: {}", shown.stderr);
            "in the header"
        }
        Ok(_) => {
            let kept = super::read(&place, &name).samples.len();
            // A round of four samples is flushed at its end; one more may just have been given.
            assert!(kept <= given && kept + 5 >= given, "{name}: {kept} of {given} samples");
            go_on(&place, &name);
            if kept == 0 { "before a round was over" } else { "in the rounds" }
        }
    };
    assert_nothing_left(&place, &before);
    how_far
}
