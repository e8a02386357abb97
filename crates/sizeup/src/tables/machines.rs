//! Machines side by side, as studies begin.

use crate::briefing::Briefing;
use judge::compare::{Group, MachineLine, SAID, machine_lines};
use judge::numbers::dash;
use terminal::table::{Entry, Heading, Table, Tone};

/// Facts that users state about their machines; with `whole`, also those that machines report.
pub fn say_machines(answer: &mut Briefing, groups: &[&Group], whole: bool) {
    let lines = machine_lines(groups);
    let shown: Vec<&MachineLine> = lines.iter().filter(|line| whole || line.part == SAID).collect();
    let labels = groups.iter().enumerate().map(|(place, group)| {
        Heading::left(&group.label).shrinks().rank(u8::try_from(place).unwrap_or(u8::MAX))
    });
    let mut table = Table::new([Heading::left(""), Heading::left("")].into_iter().chain(labels));
    let mut last = "";
    for line in shown {
        let part = if line.part == last { "" } else { &line.part };
        last = &line.part;
        let mut cells: Vec<Entry> = vec![part.into(), line.label.as_str().into()];
        // A property that all share explains no difference.
        let tone = if line.differs() { Tone::Plain } else { Tone::Dim };
        let value = |text: &Option<String>| Entry::of(text.clone().unwrap_or_else(dash), tone);
        cells.extend(line.values.iter().map(value));
        table.row(cells);
    }
    answer.table("Machines", table, "properties");
}
