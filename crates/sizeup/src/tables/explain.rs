//! Why machines differ, and what slows rows.

use super::figures::{main_threads, margin, shown_threads};
use crate::briefing::{Briefing, Extent};
use catalog::OVERALL;
use judge::answer::{on_threads, stands, times};
use judge::compare::Group;
use judge::explain::{
    ExplainedLine, ExplainedPair, Explanation, Factor, FactorKind, Outlier, Standout,
};
use judge::numbers::counted;
use record::ThreadSpec;
use std::collections::BTreeSet;
use terminal::table::{Entry, Heading, Table, Tone};

/// So many outliers and slowed rows are shown unless all are wanted.
const MOST_SHOWN: usize = 5;
/// A factor that is within this of 1 is not in a sentence.
const LEAST_SAID: f64 = 0.005;
/// So many instruction sets are named.
const MOST_NAMED: usize = 6;

/// Why figures of these groups are what they are; of two, the first is the baseline.
pub fn explain_briefing(explanation: &Explanation, groups: &[Group], extent: Extent) -> Briefing {
    let mut answer = Briefing::default();
    if let Some(pair) = &explanation.pair {
        pair_parts(&mut answer, pair, groups, extent);
    }
    if explanation.pair.is_none() && explanation.standouts.is_empty() {
        answer.say(nothing_slows(groups));
    }
    slowed_parts(&mut answer, &explanation.standouts, extent);
    if let Some(pair) = &explanation.pair {
        notes(&mut answer, pair);
    }
    answer
}

fn pair_parts(answer: &mut Briefing, pair: &ExplainedPair, groups: &[Group], extent: Extent) {
    let threads = main_threads(pair.lines.iter().map(|line| line.threads));
    let is_main = |line: &&ExplainedLine| line.threads == threads && line.category == OVERALL;
    let groups: Vec<&Group> = groups.iter().collect();
    match pair.lines.iter().find(is_main) {
        Some(line) => answer.say(sentence(pair, line, &on_threads(&groups, threads))),
        None => answer.say(format!(
            "Why {} and {} differ is unknown: no row has comparable figures and a clock on both.",
            pair.other, pair.baseline
        )),
    }
    answer.table("", overall(pair, extent), "thread counts");
    if extent.all || extent.details {
        answer.table("By row", rows(pair), "rows");
    } else {
        let title = format!("By category, {}", threads.in_words());
        answer.table(title, categories(pair, threads), "categories");
    }
    answer.table("Rows far from usual", outliers(pair, extent), "rows");
    // Work per cycle depends on the code.
    let is_of_code = |outlier: &&Outlier| {
        matches!(outlier.kind, FactorKind::WorkPerCycle | FactorKind::Instructions)
    };
    if let Some(outlier) = pair.outliers.iter().find(is_of_code) {
        answer.next(format!("sizeup profile {}   # on both machines", outlier.workload));
    }
}

fn nothing_slows(groups: &[Group]) -> String {
    let label = groups.last().map_or("it", |group| &group.label);
    format!("Nothing measured slows a row on {label} by 10 % or more.")
}

/// `c7g is 2.25× faster than c6i on all 64 threads (…): cores 2.00×, clock 0.83×, work per cycle 1.21×.`
fn sentence(pair: &ExplainedPair, line: &ExplainedLine, on: &str) -> String {
    let is_said = |factor: &&Factor| (factor.ratio.centre - 1.0).abs() >= LEAST_SAID;
    let factors: Vec<String> = line
        .factors
        .iter()
        .filter(is_said)
        .map(|factor| format!("{} {}", factor.kind, times(factor.ratio.centre)))
        .collect();
    let made_of = match factors.is_empty() {
        true => "all factors are 1".to_owned(),
        false => factors.join(", "),
    };
    let rows = counted(line.rows, "row");
    format!("{}: {made_of} ({rows}).", stands(&pair.other, &pair.baseline, &line.ratio, on))
}

/// The kinds that play a part in any line.
fn kinds(lines: &[&ExplainedLine]) -> Vec<FactorKind> {
    let plays =
        |kind: &FactorKind| lines.iter().any(|line| Factor::find(&line.factors, *kind).is_some());
    FactorKind::ALL.into_iter().filter(plays).collect()
}

/// A line for each number of threads.
fn overall(pair: &ExplainedPair, extent: Extent) -> Table {
    let shown = shown_threads(pair.lines.iter().map(|line| line.threads), extent.all);
    let lines: Vec<&ExplainedLine> = pair
        .lines
        .iter()
        .filter(|line| line.category == OVERALL && shown.contains(&line.threads))
        .collect();
    table_of("threads", &lines, |line| line.threads.to_string())
}

fn categories(pair: &ExplainedPair, threads: ThreadSpec) -> Table {
    let lines: Vec<&ExplainedLine> = pair
        .lines
        .iter()
        .filter(|line| line.category != OVERALL && line.threads == threads)
        .collect();
    // A single one says what the line over all rows says.
    let lines = if lines.len() > 1 { lines } else { Vec::new() };
    table_of("category", &lines, |line| line.category.clone())
}

fn table_of(
    head: &str,
    lines: &[&ExplainedLine],
    name: impl Fn(&ExplainedLine) -> String,
) -> Table {
    let kinds = kinds(lines);
    let mut columns =
        vec![Heading::left(head).shrinks(), Heading::right("ratio"), Heading::right("±")];
    columns
        .extend(kinds.iter().map(|kind| Heading::right(format!("{} {kind}", sign(*kind, &kinds)))));
    columns.push(Heading::right("rows").rank(1));
    let mut table = Table::new(columns);
    for line in lines {
        let mut cells: Vec<Entry> =
            vec![name(line).into(), times(line.ratio.centre).into(), margin(&line.ratio).into()];
        cells.extend(kinds.iter().map(|kind| factor(Factor::find(&line.factors, *kind))));
        cells.push(line.rows.to_string().into());
        table.row(cells);
    }
    table
}

/// The operator before a column: each line reads as an equation.
fn sign(kind: FactorKind, kinds: &[FactorKind]) -> &'static str {
    if kinds.first() == Some(&kind) { "=" } else { "×" }
}

fn factor(factor: Option<&Factor>) -> Entry {
    let Some(factor) = factor else { return "".into() };
    let tone = match factor.ratio {
        ratio if ratio.low > 1.0 => Tone::Good,
        ratio if ratio.high < 1.0 => Tone::Bad,
        _ => Tone::Dim,
    };
    Entry::of(times(factor.ratio.centre), tone)
}

/// A line a row, with the margin of each factor.
fn rows(pair: &ExplainedPair) -> Table {
    let plays = |kind: &FactorKind| {
        pair.rows.iter().flat_map(|row| &row.factors).any(|factor| factor.kind == *kind)
    };
    let kinds: Vec<FactorKind> = FactorKind::ALL.into_iter().filter(plays).collect();
    let mut columns = vec![
        Heading::left("workload").shrinks(),
        Heading::right("threads"),
        Heading::right("ratio"),
        Heading::right("±"),
    ];
    for kind in &kinds {
        columns.push(Heading::right(format!("{} {kind}", sign(*kind, &kinds))));
        columns.push(Heading::right("±").rank(1));
    }
    let mut table = Table::new(columns);
    for row in &pair.rows {
        let mut cells: Vec<Entry> = vec![
            row.workload.clone().into(),
            row.threads.to_string().into(),
            times(row.ratio.centre).into(),
            margin(&row.ratio).into(),
        ];
        for kind in &kinds {
            let found = Factor::find(&row.factors, *kind);
            cells.push(factor(found));
            let is_estimate = |factor: &&Factor| factor.kind != FactorKind::Cores;
            cells.push(
                found
                    .filter(is_estimate)
                    .map_or_else(String::new, |factor| margin(&factor.ratio))
                    .into(),
            );
        }
        table.row(cells);
    }
    table
}

fn outliers(pair: &ExplainedPair, extent: Extent) -> Table {
    let mut table = Table::new([
        Heading::left("workload").shrinks(),
        Heading::right("threads"),
        Heading::right("ratio"),
        Heading::right("usual").rank(1),
        Heading::left("by").rank(2),
        Heading::left("why").wraps(),
    ]);
    let most = if extent.all { usize::MAX } else { MOST_SHOWN };
    for outlier in pair.outliers.iter().take(most) {
        table.row([
            outlier.workload.clone(),
            outlier.threads.to_string(),
            times(outlier.ratio.centre),
            times(outlier.expected),
            format!("{} {}", outlier.kind, times(outlier.apart)),
            why(outlier),
        ]);
    }
    table
}

fn why(outlier: &Outlier) -> String {
    outlier.evidence.clone().unwrap_or_else(|| match outlier.kind {
        FactorKind::Scaling => {
            "its threads share more, or less, of the machine than those of other rows".to_owned()
        }
        kind => format!("unexplained: {kind} differs"),
    })
}

/// Slowed rows with their cause, and how to rerun without it.
fn slowed_parts(answer: &mut Briefing, slowed: &[Standout], extent: Extent) {
    let labels: BTreeSet<&str> = slowed.iter().map(|standout| standout.label.as_str()).collect();
    if let Some(first) = slowed.first() {
        let on = first.threads.in_words();
        answer.say(format!(
            "{} on {on} loses about {:.0} % on {}: {}.",
            first.workload,
            first.loss * 100.0,
            first.label,
            first.evidence
        ));
    }
    let mut columns = vec![Heading::left("workload").shrinks(), Heading::right("threads")];
    columns.extend((labels.len() > 1).then(|| Heading::left("machine").shrinks()));
    columns.extend([Heading::right("loses about"), Heading::left("why").wraps()]);
    let mut table = Table::new(columns);
    let most = if extent.all { usize::MAX } else { MOST_SHOWN };
    for standout in slowed.iter().take(most) {
        let mut cells = vec![standout.workload.clone(), standout.threads.to_string()];
        cells.extend((labels.len() > 1).then(|| standout.label.clone()));
        cells.extend([format!("{:.0} %", standout.loss * 100.0), standout.evidence.clone()]);
        table.row(cells);
    }
    answer.table("Rows that something slows", table, "rows");
    let remedy = slowed.iter().find_map(|standout| Some((standout, standout.remedy.as_ref()?)));
    if let Some((standout, remedy)) = remedy {
        answer.next(format!(
            "sizeup run --workload {} --threads {} --variant base --variant {remedy}",
            standout.workload, standout.threads
        ));
    }
}

fn notes(answer: &mut Briefing, pair: &ExplainedPair) {
    // An instruction set that is switched off is not missing: say this instead.
    pair.switched_off.iter().for_each(|off| answer.warn(format!("{off}.")));
    let only = |features: &[String]| match pair.switched_off.is_empty() {
        true => features.to_vec(),
        false => Vec::new(),
    };
    let lists =
        [(&pair.other, only(&pair.only_other)), (&pair.baseline, only(&pair.only_baseline))];
    for (label, features) in lists {
        if !features.is_empty() {
            let mut named =
                features.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
            if features.len() > MOST_NAMED {
                named.push_str(&format!(", {} more", features.len() - MOST_NAMED));
            }
            answer.note(format!("Only {label} has {named}"));
        }
    }
    pair.kernels.iter().for_each(|differs| answer.warn(format!("{differs}.")));
    let unexplained = pair.rows.iter().filter(|row| !row.is_explained()).count();
    if unexplained > 0 {
        answer.note(format!(
            "{} of {} unexplained: their clock was not measured on both",
            unexplained,
            counted(pair.rows.len(), "row")
        ));
    }
    answer.note(
        "Factors multiply to the ratio. Kernel: CPU time outside the kernel. Work per cycle: of a core, on one thread where \
         that was measured. Scaling: the same on these threads over one thread",
    );
}
