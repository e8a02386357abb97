//! What a mix takes beside what its parts take alone.

use estimate::Together;
use judge::numbers::{dash, interval_width};
use stats::Interval;
use table::Table;

/// The mix of a run, empty for any other run.
pub(super) fn together_table(together: Option<&Together>) -> String {
    let Some(together) = together else {
        return String::new();
    };
    let head = format!("all at once, {} times", together.rounds);
    let mut table = Table::new(&[&head, ">share", ">had", ">takes", ">95 %"]);
    let takes = |of: Option<Interval>| of.map_or_else(dash, |of| format!("{:.3}", of.centre));
    let width = |of: Option<Interval>| of.map_or_else(dash, |of| interval_width(&of));
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
    format!(
        "{table}\nshare: of the machine's time by the mix's rates; had: of the CPU time while all were measured; takes: CPU \
         time of an op beside the others, by what it takes alone.\n\n"
    )
}
