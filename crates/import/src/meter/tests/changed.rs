//! Fuzz target: logs of meters, changed, beside a run that they cover. What is joined can be read.

use super::*;
use std::fmt::Write;
use testkit::{Choices, RUNS, changed_text};

const LOGS: [&str; 3] = [
    "# from the rack\nts;Leistung [W]\n1795300059;143,0\n1795300060;150,5\n",
    "time,PowerConsumedWatts,power limit (W)\n2026-11-21 22:27:39Z,143 W,400 W\n2026-11-21 22:27:40Z,0.1505 kW,400 W\n",
    "date\tvolts\tActive Power (W)\tApparent Power (VA)\n1795300059000000\t230\t143\t160\n1795300060000000\t230\t150.5\t161\n",
];

#[test]
fn a_changed_log_is_refused_or_joined_to_the_run_that_it_covers() {
    let folder = testkit::folder();
    let path = folder.path().join("run.jsonl");
    fs::write(&path, RUNS[0]).unwrap();
    let run = read(&path).unwrap();
    let started_ms = run.header.started_unix_ns / 1_000_000;
    let mut covering = "timestamp_ms,power_w\n".to_owned();
    for reading in 0..40 {
        let _ = writeln!(covering, "{},{}", started_ms + reading * 100, 100 + reading);
    }
    let samples = [&covering, &covering, &covering, LOGS[0], LOGS[1], LOGS[2]];
    testkit::check("import-meter", 400, |input| {
        let choices = &mut Choices::new(input);
        let offset_ns = if choices.is_one_of(8) { choices.wide() as i64 } else { 0 };
        let Ok(log) = log(&changed_text(&samples, choices)) else { return };
        assert!(log.readings.windows(2).all(|pair| pair[0].unix_ns < pair[1].unix_ns));
        let Ok(joined) = log.join(&run, "wall", offset_ns) else { return };
        let to = testkit::folder();
        let to = to.path().join("joined.jsonl");
        joined.write(&run, &to).unwrap();
        let read = read(&to).unwrap_or_else(|e| panic!("what was joined: {e}"));
        assert_eq!(read.readings.len(), run.readings.len() + joined.count());
    });
}
