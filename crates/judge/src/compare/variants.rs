//! The variants of a run, compared pair by pair to the first.

use super::contention::{Contention, MeasuredRows, shown_view};
use super::identity::other_output;
use super::sheet::{RowKey, isa_note, notes_of};
use estimate::{RunEstimate, View, ViewKind, paired, paired_delivered};
use record::{Activity, Case, Run, ThreadSpec};
use serde::Serialize;
use stats::Interval;
use std::collections::BTreeMap;
use verdict::{Ratio, Verdict, judge_ratios};

/// The variants of a run, case by case.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct VariantComparison {
    /// The run's label.
    pub label: String,
    /// The variant that the others are compared to.
    pub baseline: String,
    /// Rows without uncontended pairs, which are judged by delivered ones unless uncontended ones are asked for; `None` if
    /// all have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// Caveats that qualify every figure.
    pub notes: Vec<String>,
    /// A row for each case and variant.
    pub rows: Vec<VariantRow>,
}

/// One case in one setting, against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct VariantRow {
    /// The workload.
    pub workload: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// The setting.
    pub variant: String,
    /// Pairs of samples that the ratio rests on.
    pub pairs: usize,
    /// Uncontended samples, or all of them. Each row states its own: both samples of a pair were taken together, so a ratio of
    /// pairs is equally valid in either view.
    pub view: ViewKind,
    /// Given all other rows.
    pub verdict: Verdict,
    /// The variant over the baseline.
    pub ratio: Option<Ratio>,
    /// The clock that the work had, of the variant over the baseline.
    pub clock_ratio: Option<Interval>,
    /// Why there is no ratio.
    pub reason: Option<String>,
    /// The warnings on both estimates, each with whose it is.
    pub warnings: Vec<String>,
}

/// Compares the variants of a run with the first. `None` if it has none.
pub fn compare_variants(run: &Run, requested: Option<ViewKind>) -> Option<VariantComparison> {
    let baseline = &run.header.variants.first()?.name;
    Some(compare_with_variant(run, &RunEstimate::of(run), baseline, requested, &|_| true))
}

/// Compares the variants of a run with one of them on the workloads that are wanted: in the view that is requested, or each row by
/// uncontended pairs and, where there are too few, by delivered ones.
pub fn compare_with_variant(
    run: &Run,
    estimate: &RunEstimate,
    baseline: &String,
    asked: Option<ViewKind>,
    is_wanted: &dyn Fn(&str) -> bool,
) -> VariantComparison {
    let cases = &run.header.plan.cases;
    let bases = bases(cases, baseline);
    let mut rows = Vec::new();
    let wanted = cases.iter().enumerate().filter(|(_, case)| is_wanted(&case.workload));
    for (number, case) in wanted {
        let Some(variant) = case.variant.as_ref().filter(|variant| *variant != baseline) else {
            continue;
        };
        let base = bases.get(&(&*case.workload, case.thread_spec)).copied();
        let other_work = base.and_then(|base| other_output(run, base, number));
        let view = base.filter(|_| other_work.is_none());
        let found = view.map(|base| pairs(estimate, case.threads, (base, number), asked));
        let (kind, view) = found.unwrap_or((asked.unwrap_or(ViewKind::Uncontended), None));
        let clock_hz = |case: usize| estimate.cases[case].as_ref()?.clock_hz;
        let both = [base.map(|base| (baseline, base)), Some((variant, number))];
        let warnings = both.into_iter().flatten().flat_map(|(name, number)| {
            let estimate = estimate.cases[number].as_ref();
            let warnings = estimate.map(|estimate| &estimate.warnings[..]).unwrap_or_default();
            let of_samples = warnings.iter().filter(|warning| warning.is_about_samples());
            of_samples.map(move |warning| format!("{name}: {warning}"))
        });
        rows.push(VariantRow {
            workload: case.workload.clone(),
            threads: case.thread_spec,
            variant: variant.clone(),
            pairs: view.map_or(0, |view| view.samples),
            view: kind,
            verdict: Verdict::Missing,
            ratio: view.map(|view| Ratio::of_pairs(view.interval, view.own, view.run_effect)),
            clock_ratio: base.and_then(|base| Some(clock_hz(number)?.ratio_to(&clock_hz(base)?))),
            reason: view.is_none().then(|| why_none(run, base, number, other_work)),
            warnings: warnings.collect(),
        });
    }
    let ratios = rows
        .iter_mut()
        .filter_map(|row| Some((row.threads, row.ratio.as_mut()?, &mut row.verdict)));
    judge_ratios(ratios);
    VariantComparison {
        label: run.header.label.clone(),
        baseline: baseline.clone(),
        contention: contention(run, &rows, asked),
        notes: isa_note(&run.header.plan.isa)
            .into_iter()
            .chain(notes_of(run))
            .map(|note| format!("run: {note}"))
            .collect(),
        rows,
    }
}

/// The view that each case of a run is judged by: of a variant its ratio to the first, of the first the
/// widest of these ratios, without variants the uncontended row.
pub fn judged_views(run: &Run, estimate: &RunEstimate) -> Vec<Option<View>> {
    let cases = &run.header.plan.cases;
    let Some(baseline) = run.header.variants.first().map(|variant| &variant.name) else {
        return estimate.cases.iter().map(|case| case.as_ref()?.uncontended).collect();
    };
    let bases = bases(cases, baseline);
    let mut views = vec![None; cases.len()];
    for (number, case) in cases.iter().enumerate() {
        let base = bases.get(&(&*case.workload, case.thread_spec)).copied();
        let Some(base) = base.filter(|base| *base != number) else { continue };
        views[number] = pair(estimate, case.threads, base, number);
        let margin = |view: Option<View>| view.map_or(0.0, |view| view.interval.margin());
        if margin(views[number]) > margin(views[base]) {
            views[base] = views[number];
        }
    }
    views
}

/// The cases in the setting that others are compared to, by workload and threads.
fn bases<'a>(cases: &'a [Case], baseline: &str) -> BTreeMap<(&'a str, ThreadSpec), usize> {
    let is_base = |case: &Case| case.variant.as_deref() == Some(baseline);
    let found = cases.iter().enumerate().filter(|(_, case)| is_base(case));
    // The first of several is inserted last.
    found.rev().map(|(number, case)| ((&*case.workload, case.thread_spec), number)).collect()
}

fn pair(estimate: &RunEstimate, threads: usize, base: usize, other: usize) -> Option<View> {
    let looks = &estimate.looks;
    let view = paired(&looks[base], &looks[other], estimate.cores.get(&threads)?)?;
    Some(estimate.known_of([base, other], view))
}

/// Two cases pair by pair, and in which view.
fn pairs(
    estimate: &RunEstimate,
    threads: usize,
    (base, other): (usize, usize),
    asked: Option<ViewKind>,
) -> (ViewKind, Option<View>) {
    let uncontended = match asked {
        Some(ViewKind::Delivered) => None,
        _ => pair(estimate, threads, base, other),
    };
    let delivered = || {
        let view = paired_delivered(&estimate.looks[base], &estimate.looks[other])?;
        Some(estimate.known_of([base, other], view))
    };
    match (uncontended, asked) {
        (None, None | Some(ViewKind::Delivered)) => (ViewKind::Delivered, delivered()),
        (uncontended, _) => (ViewKind::Uncontended, uncontended),
    }
}

/// Which rows are judged by delivered pairs for want of uncontended ones.
fn contention(run: &Run, rows: &[VariantRow], asked: Option<ViewKind>) -> Option<Contention> {
    let measured = rows.iter().filter(|row| row.ratio.is_some());
    let lacking = |row: &VariantRow| {
        let name = format!("{} [{}]", row.workload, row.variant);
        (RowKey { name, threads: row.threads }, row.view == ViewKind::Delivered)
    };
    let measured = MeasuredRows {
        label: &run.header.label,
        others_cpus: Activity::sum(&run.activity).map(|all| all.others_cpus()),
        rows: measured.map(lacking).collect(),
    };
    shown_view(&[measured], asked).1
}

/// Why two settings of a case have no ratio.
fn why_none(
    run: &Run,
    base: Option<usize>,
    other: usize,
    other_work: Option<(String, String)>,
) -> String {
    if let Some((base, other)) = other_work {
        return format!(
            "different work: an op's output is {base} in the first variant, {other} in this one"
        );
    }
    let failed = [base, Some(other)].into_iter().flatten().find_map(|case| run.outcome(case));
    failed.map_or_else(
        || {
            "too few pairs of samples in one round. Raise --budget or use a quieter machine"
                .to_owned()
        },
        |outcome| outcome.message.clone(),
    )
}

impl VariantComparison {
    /// Whether every row has a ratio.
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| row.verdict.is_known())
    }
}
