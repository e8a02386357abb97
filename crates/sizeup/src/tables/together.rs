//! Cost of running a mix together, relative to its parts alone.

use crate::briefing::Briefing;
use estimate::Together;
use judge::answer::times;
use judge::numbers::{dash, plus_minus};
use stats::Interval;
use terminal::table::{Heading, Table};

/// The mix of a run, where it measured one.
pub(super) fn together_part(answer: &mut Briefing, together: Option<&Together>) {
    let Some(together) = together else { return };
    let mut table = Table::new([
        Heading::left("workload").shrinks(),
        Heading::right("share"),
        Heading::right("had"),
        Heading::right("takes"),
        Heading::right("±"),
    ]);
    let takes = |ratio: Option<Interval>| ratio.map_or_else(dash, |ratio| times(ratio.centre));
    let width = |ratio: Option<Interval>| ratio.map_or_else(dash, |ratio| plus_minus(&ratio));
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    for part in &together.parts {
        table.row([
            part.workload.clone(),
            percent(part.wanted),
            percent(part.share),
            takes(part.slowdown),
            width(part.slowdown),
        ]);
    }
    let factor = together.factor;
    table.row(["the mix".to_owned(), String::new(), String::new(), takes(factor), width(factor)]);
    answer.table(format!("The mix, all at once, {} times", together.rounds), table, "workloads");
    answer.note(
        "share: of the machine's time, by the mix's rates; had: of the CPU time while all ran; takes: CPU time per op \
         alongside the others, relative to running alone",
    );
}
