//! A rolling mix beside what its rows alone add up to.

use crate::briefing::Briefing;
use estimate::Rolling;
use judge::answer::{ends, times};
use judge::numbers::{counted, four_digits, plus_minus, share};
use terminal::table::{Heading, Table};

/// The rolling mix of a run, where it measured one.
pub(super) fn rolling_part(answer: &mut Briefing, rolling: Option<&Rolling>) {
    let Some(rolling) = rolling else { return };
    let Rolling { measured, computed, additivity, .. } = rolling;
    answer.say(format!(
        "Rolling mix: {} lists/s {} on {}, {} what its rows alone add up to ({})",
        four_digits(measured.centre),
        plus_minus(measured),
        counted(rolling.threads, "thread"),
        times(additivity.centre),
        ends(additivity),
    ));
    let mut table = Table::new([
        Heading::left("workload").shrinks(),
        Heading::right("ops"),
        Heading::right("share"),
        Heading::right("keeps"),
        Heading::right("±"),
    ]);
    for part in &rolling.parts {
        table.row([
            part.workload.clone(),
            part.ops.to_string(),
            share(part.share),
            times(part.additivity.centre),
            plus_minus(&part.additivity),
        ]);
    }
    table.row([
        format!("the list (alone: {}/s)", four_digits(computed.centre)),
        String::new(),
        String::new(),
        times(additivity.centre),
        plus_minus(additivity),
    ]);
    answer.table(format!("The mix, rolling, {} times", rolling.passes), table, "workloads");
    answer.note(format!(
        "ops: of one list; share: of its time; keeps: throughput beside the others, relative to all threads \
         doing this work alone. Items ran {} of the time; in the rest processes changed, which lists/s leave out",
        share(rolling.busy)
    ));
}
