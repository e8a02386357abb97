//! Throughput under load without pauses.

use super::ShowView;
use crate::briefing::Briefing;
use estimate::Sustained;
use estimate::ViewKind;
use judge::answer::{range, times};
use judge::numbers::{counted, dash};
use judge::units::figure_of_op;
use terminal::table::{Heading, Table};

const HZ_PER_GHZ: f64 = 1e9;
const S_PER_MINUTE: f64 = 60.0;

/// Adds a line a row, and says of those that never settled that they did not.
pub(super) fn say_sustained(answer: &mut Briefing, view: &ShowView) {
    let all = &view.sustained;
    let Some(lowest) = all.iter().min_by(|a, b| kept(a).total_cmp(&kept(b))) else { return };
    if let Some(ratio) = lowest.kept {
        answer.say(format!(
            "Loaded without pauses, {} keeps {} of its short samples on all threads ({}){}.",
            lowest.workload,
            times(ratio.centre),
            range(&ratio),
            if all.len() > 1 { ", the least of all rows" } else { "" }
        ));
    }
    let mut table = Table::new([
        Heading::left("workload").shrinks(),
        Heading::right("settled at"),
        Heading::right("of short samples"),
        Heading::right("±"),
        Heading::right("GHz first").rank(2),
        Heading::right("GHz settled").rank(1),
        Heading::right("after"),
        Heading::left("steady"),
    ]);
    for sustained in all {
        let row = view.rows.iter().find(|row| row.key.name == sustained.workload);
        let ghz = |pick: fn((f64, f64)) -> f64| {
            sustained.clock_hz.map_or_else(dash, |clock| format!("{:.2}", pick(clock) / HZ_PER_GHZ))
        };
        let settled = sustained.settled.centre;
        table.row([
            sustained.workload.clone(),
            row.map_or_else(dash, |row| {
                figure_of_op(&row.unit, row.bytes_per_op, settled, ViewKind::Delivered)
            }),
            sustained.kept.map_or_else(dash, |kept| times(kept.centre)),
            sustained.kept.map_or_else(dash, |kept| super::figures::margin(&kept)),
            ghz(|clock| clock.0),
            ghz(|clock| clock.1),
            elapsed(sustained.elapsed_s),
            if sustained.is_steady { "yes" } else { "no" }.to_owned(),
        ]);
    }
    answer.table("Without pauses, all threads", table, "rows");
    let unsteady = all.iter().filter(|sustained| !sustained.is_steady).count();
    if unsteady > 0 {
        answer.note(format!(
            "{} did not settle within --sustain: clock or temperature still changed",
            counted(unsteady, "row")
        ));
    }
}

fn kept(sustained: &Sustained) -> f64 {
    sustained.kept.map_or(f64::INFINITY, |kept| kept.centre)
}

/// `45 s`, `4.5 min`.
fn elapsed(seconds: f64) -> String {
    if seconds < 2.0 * S_PER_MINUTE {
        return format!("{seconds:.0} s");
    }
    format!("{:.1} min", seconds / S_PER_MINUTE)
}
