//! Plain commands: how long an execution takes, and how they differ.

use super::variants::variant_briefing;
use crate::briefing::Briefing;
use estimate::{CaseEstimate, RunEstimate, ViewKind};
use judge::compare::VariantComparison;
use judge::numbers::{counted, dash, percent, three_digits, time};
use record::Run;
use stats::{Interval, mean, mean_interval, ratio_interval};
use terminal::table::{Heading, Table};

/// One command.
pub fn command_briefing(run: &Run, estimate: &RunEstimate, text: &str) -> Briefing {
    let mut answer = Briefing::default();
    let case = estimate.cases.first().and_then(Option::as_ref);
    let threads = run.header.plan.cases[0].threads;
    match case.and_then(|case| Some((case, execution(case, threads)?))) {
        Some((case, (took, view))) => {
            let count = counted(case.samples, "sample");
            answer.say(format!(
                "`{text}` takes {} (95 % interval {}, {count}).",
                time(took.centre),
                range(&took)
            ));
            if view == ViewKind::Delivered {
                answer.warn(
                    "Other processes used its CPUs in most samples: the time includes theirs.",
                );
            }
        }
        None => answer.say(format!("`{text}` has no figure: {}.", why_none(run, 0))),
    }
    answer
}

/// Several, the others against the first.
pub fn commands_briefing(
    run: &Run,
    estimate: &RunEstimate,
    comparison: &VariantComparison,
    texts: &[String],
) -> Briefing {
    let mut answer = variant_briefing(comparison);
    let mut table = Table::new([
        Heading::left("name"),
        Heading::right("an execution"),
        Heading::right("±").rank(1),
        Heading::left("command").shrinks(),
    ]);
    let cases = run.header.plan.cases.iter().zip(&estimate.cases);
    for ((case, estimate), text) in cases.zip(texts) {
        let took =
            estimate.as_ref().and_then(|estimate| Some(execution(estimate, case.threads)?.0));
        let name = case.variant.clone().unwrap_or_default();
        let [centre, margin] = match took {
            Some(took) => [time(took.centre), percent(took.margin())],
            None => [dash(), dash()],
        };
        table.row([name, centre, margin, text.clone()]);
    }
    answer.table("Commands", table, "commands");
    answer
}

/// Commands that were executed a few times, the others against the first; in seconds of each execution.
pub fn few_briefing(texts: &[String], times: &[Vec<f64>]) -> Briefing {
    let mut answer = Briefing::default();
    for (text, times) in texts.iter().zip(times) {
        let count = counted(times.len(), "execution");
        let interval = match mean_interval(times) {
            // Less than nothing is no time.
            Some(took) if took.low > 0.0 => format!("95 % interval {}, {count}", range(&took)),
            Some(took) => format!("95 % interval up to {}, {count}", time(took.high)),
            None => count,
        };
        answer.say(format!("`{text}` takes {} ({interval}).", time(mean(times))));
    }
    let (Some(first), Some(name)) = (times.first(), texts.first()) else { return answer };
    for (text, times) in texts.iter().zip(times).skip(1) {
        let ratios: Vec<f64> = times.iter().zip(first).map(|(time, base)| time / base).collect();
        let Some(ratio) = ratio_interval(&ratios) else { continue };
        let [low, high] = [ratio.low, ratio.high].map(three_digits);
        let verdict = match (ratio.low > 1.0, ratio.high < 1.0) {
            (true, _) => "slower",
            (_, true) => "faster",
            _ => "no detectable difference",
        };
        answer.say(format!(
            "`{text}` takes {} times as long as `{name}` (95 % interval {low} to {high}): {verdict}.",
            three_digits(ratio.centre)
        ));
    }
    answer
}

fn why_none(run: &Run, case: usize) -> String {
    let taken = counted(run.samples_of(case).count(), "sample");
    match run.outcome(case) {
        Some(outcome) => outcome.message.clone(),
        None => format!("{taken} in this time is too few. Raise --budget"),
    }
}

/// Seconds an execution, of which each thread does one after the other: uncontended where that is known.
fn execution(case: &CaseEstimate, threads: usize) -> Option<(Interval, ViewKind)> {
    let uncontended = case.uncontended.map(|view| (view, ViewKind::Uncontended));
    let (view, kind) = uncontended.or_else(|| Some((case.delivered?, ViewKind::Delivered)))?;
    let per_s = view.interval.scaled(1.0 / threads as f64);
    let took = Interval {
        centre: 1.0 / per_s.centre,
        low: 1.0 / per_s.high,
        high: 1.0 / per_s.low,
        freedom: per_s.freedom,
    };
    Some((took, kind))
}

fn range(took: &Interval) -> String {
    format!("{} to {}", time(took.low), time(took.high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::fixture;

    fn said(run: &Run) -> String {
        command_briefing(run, &RunEstimate::of(run), "sort x").sentences().join(" ")
    }

    #[test]
    fn an_execution_has_a_time_and_what_has_none_says_why() {
        let ops: Vec<u64> = (0..24).map(|n| 100 + n % 7).collect();
        let run = fixture::run(&[("execution/command", &ops)]);
        let text = said(&run);
        assert!(
            text.starts_with("`sort x` takes 0.976 ns") && text.ends_with("24 samples)."),
            "{text}"
        );
        let short = fixture::run(&[("execution/command", &[100])]);
        let text = said(&short);
        assert_eq!(
            text,
            "`sort x` has no figure: 1 sample in this time is too few. Raise --budget."
        );
        let mut failed = fixture::run(&[("execution/command", &[])]);
        failed.outcomes.push(fixture::wrong_answer(0));
        assert_eq!(said(&failed), "`sort x` has no figure: a bit was wrong.");
    }

    #[test]
    fn side_by_side_an_execution_takes_no_less() {
        let ops: Vec<u64> = (0..24).map(|n| 100 + n % 7).collect();
        let mut run = fixture::run(&[("execution/command", &ops)]);
        let took = |run: &Run| {
            let estimate = RunEstimate::of(run);
            execution(estimate.cases[0].as_ref().unwrap(), run.header.plan.cases[0].threads)
                .unwrap()
                .0
        };
        let alone = took(&run).centre;
        run.header.plan.cases[0].threads = 4;
        assert!((took(&run).centre / alone / 4.0 - 1.0).abs() < 1e-9);
    }
}
