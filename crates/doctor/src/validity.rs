//! Whether a run's figures are to be believed, by the findings and by what became of its rows.

use super::rules::limits::cpus_in_words;
use super::{Finding, Severity};
use estimate::{CaseEstimate, Disturbance, RunEstimate, View, Warning};
use record::{Activity, Ended, Grade, Reason, Run, ThreadSpec, Validity};
use stats::median;

/// With a wider median margin, figures say little.
const MOST_MARGIN: f64 = 0.1;
/// With a larger share of samples at a clock far below their row's, the machine had two clocks.
const MOST_FALLS: f64 = 0.1;
/// With fewer rows measured than this share of the planned ones, the rest says little of the suite.
const LEAST_ROWS: f64 = 0.5;
/// Others that used less of the CPUs did not make rows lack a figure.
pub const LEAST_OTHERS_CPUS: f64 = 0.05;
/// Rules on what takes time from some samples only: uncontended figures do without those.
const LEFT_OUT_OF_FIGURES: [&str; 5] =
    ["steal", "others", "unseen", "neighbour", "memory-neighbour"];

/// How far a run's figures are to be believed, by its findings and rows. What something else measured is as valid as its
/// source says.
pub fn validity_of(run: &Run, estimate: &RunEstimate, findings: &[Finding]) -> Validity {
    let rows: Vec<usize> = run.judged_cases().map(|(number, _)| number).collect();
    let uncontended = rows.iter().filter_map(|row| estimate.cases[*row].as_ref()?.uncontended);
    let has_uncontended = 2 * uncontended.clone().count() > rows.len();
    let mut reasons = of_file(run);
    reasons.extend(contended(run, estimate, &rows));
    let cut = cut_by_quota(run);
    let findings = findings.iter().filter(|finding| cut.is_none() || finding.id != "cpu-quota");
    reasons.extend(findings.filter_map(|finding| of_finding(finding, has_uncontended)));
    reasons.extend(cut);
    if run.header.origin.is_none() {
        reasons.extend(unverified(run, estimate));
        reasons.extend(not_measured(run, estimate, &rows));
        reasons.extend(not_converged(uncontended));
        reasons.extend(clock_falls(estimate));
    }
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.grade));
    let worst = reasons.first().map(|reason| reason.grade);
    Validity { grade: worst.unwrap_or(Grade::Valid), reasons }
}

fn reason(id: &str, grade: Grade, seen: String) -> Reason {
    Reason { id: id.to_owned(), grade, seen }
}

fn of_file(run: &Run) -> Vec<Reason> {
    let unfit = run.notes.iter().filter(|note| note.is_unfit());
    let mut reasons: Vec<Reason> =
        unfit.map(|note| reason("file", Grade::Invalid, note.to_string())).collect();
    let ended = run.close.as_ref().map(|close| close.ended);
    if run.header.origin.is_none() && matches!(ended, None | Some(Ended::Interrupted)) {
        let seen = "the run did not measure to its end".to_owned();
        reasons.push(reason("not-finished", Grade::Suspect, seen));
    }
    reasons
}

fn of_finding(finding: &Finding, has_uncontended: bool) -> Option<Reason> {
    let is_left_out = has_uncontended && LEFT_OUT_OF_FIGURES.contains(&finding.id.as_str());
    let grade = match finding.severity {
        Severity::Unfit if !is_left_out => Grade::Invalid,
        Severity::Unfit | Severity::Warning => Grade::Suspect,
        Severity::Note | Severity::Fine | Severity::NotAvailable => return None,
    };
    Some(reason(&finding.id, grade, finding.seen.clone()))
}

/// Rows on all threads that are fewer than the allowed CPUs because of a quota: the machine has more than they used.
fn cut_by_quota(run: &Run) -> Option<Reason> {
    let limits = &run.header.machine.limits;
    let quota = limits.tight_quota()?;
    let mut rows = run.judged_cases().filter(|(_, case)| case.thread_spec == ThreadSpec::All);
    let (_, case) = rows.find(|(_, case)| case.threads < limits.allowed_cpus.len())?;
    let seen = format!(
        "`all` was {} of {} CPUs because of a quota of {}",
        case.threads,
        limits.allowed_cpus.len(),
        cpus_in_words(quota)
    );
    Some(reason("cpu-quota", Grade::Invalid, seen))
}

/// Samples at a clock far below their row's, which no uncontended figure uses: the rows are of the higher clock only.
fn clock_falls(estimate: &RunEstimate) -> Option<Reason> {
    let all = estimate.looks.iter().flatten().count();
    let fell = estimate.looks.iter().flatten();
    let fell = fell.filter(|look| look.disturbances.contains(&Disturbance::FrequencyDrop)).count();
    let share = fell as f64 / all.max(1) as f64;
    let seen = format!(
        "in {:.0} % of the samples the clock was more than 10 % below the median of their row",
        share * 100.0
    );
    (share >= MOST_FALLS).then(|| reason("clock-falls", Grade::Suspect, seen))
}

/// Rows that gave a wrong answer, or whose last answers nobody checked.
fn unverified(run: &Run, estimate: &RunEstimate) -> Option<Reason> {
    let wrong = run.outcomes.iter().filter(|outcome| outcome.kind == "wrong-answer").count();
    let is_unchecked = |warning: &&Warning| matches!(warning, Warning::NotVerifiedAtEnd { .. });
    let estimates = estimate.cases.iter().flatten();
    let unchecked =
        estimates.filter(|case| case.warnings.iter().any(|warning| is_unchecked(&warning))).count();
    let seen = match (wrong, unchecked) {
        (0, 0) => return None,
        (0, rows) => format!("rows with work that was not verified at its end: {rows}"),
        (rows, _) => format!("rows that gave a wrong answer: {rows}"),
    };
    Some(reason("unverified", Grade::Suspect, seen))
}

/// Rows that lack an uncontended figure because other processes had the CPUs. Where it is half of them or more, the run does not
/// describe the machine.
fn contended(run: &Run, estimate: &RunEstimate, rows: &[usize]) -> Option<Reason> {
    let others_cpus = Activity::sum(&run.activity)?.others_cpus();
    let measured = rows.iter().filter(|row| run.outcome(**row).is_none());
    let measured: Vec<bool> = measured
        .filter_map(|row| estimate.cases[*row].as_ref().map(CaseEstimate::lacks_uncontended))
        .collect();
    let lacking = measured.iter().filter(|lacks| **lacks).count();
    let grade = if 2 * lacking >= measured.len() { Grade::Invalid } else { Grade::Suspect };
    let seen = format!(
        "{lacking} of {} rows lack uncontended figures, and other processes used {others_cpus:.1} CPUs",
        measured.len()
    );
    (lacking > 0 && others_cpus >= LEAST_OTHERS_CPUS).then(|| reason("contended", grade, seen))
}

fn not_measured(run: &Run, estimate: &RunEstimate, rows: &[usize]) -> Option<Reason> {
    let is_measured =
        |row: &&usize| run.outcome(**row).is_none() && estimate.cases[**row].is_some();
    let measured = rows.iter().filter(is_measured).count();
    let seen = format!("{measured} of {} rows have a figure", rows.len());
    let is_few = (measured as f64) < LEAST_ROWS * rows.len() as f64;
    is_few.then(|| reason("not-measured", Grade::Suspect, seen))
}

fn not_converged(uncontended: impl Iterator<Item = View>) -> Option<Reason> {
    let margins: Vec<f64> = uncontended.map(|view| view.interval.margin()).collect();
    if margins.is_empty() {
        return None;
    }
    let margin = median(&margins);
    let seen = if margin.is_finite() {
        format!("half of the rows have a margin of ±{:.0} % or more", margin * 100.0)
    } else {
        "most rows have no error bars".to_owned()
    };
    (margin > MOST_MARGIN).then(|| reason("not-converged", Grade::Suspect, seen))
}
