//! Groups: runs that stand for the same thing.

use super::categories::categories;
use super::contention::Contention;
use super::group_row::GroupRow;
use super::pooled::pooled_interval;
use super::power::{Power, PowerSource};
use super::run_sets::RunSets;
use super::sheet::{RowKey, RowResult, Sheet, isa_note};
use super::spread::Spread;
use catalog::{Category, Family, Unit};
use estimate::{RunEffect, View, ViewKind, Warning};
use record::{Grade, ThreadSpec};
use stats::Interval;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

/// Others that used as many CPUs as this are in every figure, also in those of cores that were the run's own.
const MUCH_CPUS: f64 = 0.25;

/// Runs that stand for the same thing.
#[derive(Debug, Clone)]
pub struct Group {
    /// Its name.
    pub label: String,
    /// The view of all figures.
    pub view: ViewKind,
    /// Rows of all groups that are judged together which lack an uncontended figure; `None` if none does.
    pub contention: Option<Contention>,
    /// Runs that are not judged with it because they are invalid, each with the reason.
    pub left_out: Vec<String>,
    /// Which workloads of its runs are judged, where only some were asked for.
    pub selection: Option<String>,
    /// At least one.
    pub runs: Vec<Sheet>,
    /// Every row that a run has, in the order of the runs' plans.
    pub rows: Vec<GroupRow>,
    run_sets: RunSets,
    numbers: BTreeMap<RowKey, usize>,
    run_effects: KnownRunEffects,
}

/// Run effects of rows, by their numbers: the same rows are held against each other machine.
#[derive(Debug, Default)]
struct KnownRunEffects(Mutex<HashMap<Vec<usize>, RunEffect>>);

/// So many sets of rows are kept.
const MOST_KNOWN: usize = 256;

/// A copy may get other rows.
impl Clone for KnownRunEffects {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Group {
    /// Judges runs together in a view. `None` if there are none.
    pub fn of(label: String, view: ViewKind, runs: Vec<Sheet>) -> Option<Self> {
        let runs: Vec<Sheet> = runs.into_iter().map(|run| run.in_view(view)).collect();
        let keys = keys(runs.first()?, &runs);
        let all_imported = runs.iter().all(|run| run.view == ViewKind::Imported);
        let view = if all_imported { ViewKind::Imported } else { view };
        let numbers = keys.iter().enumerate().map(|(i, key)| (key.clone(), i)).collect();
        let mut rows: Vec<GroupRow> =
            keys.into_iter().map(|key| GroupRow::of(key, &runs)).collect();
        let run_sets = RunSets::of(&runs, &mut rows);
        let mut group = Self {
            label,
            view,
            contention: None,
            left_out: Vec::new(),
            selection: None,
            runs,
            rows,
            run_sets,
            numbers,
            run_effects: KnownRunEffects::default(),
        };
        for (row, view) in group.run_sets.views(&group.runs, &group.rows).into_iter().enumerate() {
            group.rows[row].view = group.unit(row).and(view);
        }
        Some(group)
    }

    /// The row of a key, if a run has it.
    pub fn find(&self, key: &RowKey) -> Option<usize> {
        self.numbers.get(key).copied()
    }

    /// The rows of a workload with its variant, in order, whatever their numbers of threads.
    pub fn rows_named(&self, name: &str) -> Vec<usize> {
        let key = |threads| RowKey { name: name.to_owned(), threads };
        let named = self.numbers.range(key(ThreadSpec::Count(0))..=key(ThreadSpec::All));
        let mut rows: Vec<usize> = named.map(|(_, row)| *row).collect();
        rows.sort_unstable();
        rows
    }

    /// The row in the first run that has it.
    pub fn first_figure(&self, row: usize) -> Option<&RowResult> {
        self.figures(row).next()
    }

    /// Whether something says what kind of work a row is.
    pub(super) fn has_known_kind(&self, key: &RowKey) -> bool {
        let family = self.find(key).and_then(|row| self.first_figure(row)?.family.as_ref());
        family.is_some_and(|family| *family != Family::Unknown)
    }

    /// The row in each run that has it.
    pub fn figures(&self, row: usize) -> impl Iterator<Item = &RowResult> {
        let indices = self.runs.iter().zip(&self.rows[row].indices);
        indices.filter_map(|(run, index)| Some(&run.rows[(*index)?]))
    }

    /// A row's view as far as its only run knows itself, for ratios to other rows of that run; of several runs their view.
    pub fn view_within(&self, row: usize) -> Option<View> {
        let pooled = self.rows[row].view?;
        let indices = self.runs.iter().zip(&self.rows[row].indices);
        let views: Vec<View> = indices.filter_map(|(run, index)| run.figure((*index)?)).collect();
        match views[..] {
            [only] => Some(only),
            _ => Some(pooled),
        }
    }

    /// Unit counted per second; `None` if runs differ in it, for then they have no common figure.
    pub fn unit(&self, row: usize) -> Option<&Unit> {
        let mut units = self.figures(row).map(|figure| &figure.unit);
        let first = units.next()?;
        units.all(|unit| unit == first).then_some(first)
    }

    /// Gives it other rows of the same runs.
    pub(super) fn set_rows(&mut self, rows: Vec<GroupRow>) {
        self.numbers = rows.iter().enumerate().map(|(i, row)| (row.key.clone(), i)).collect();
        self.rows = rows;
        self.run_effects = KnownRunEffects::default();
    }

    /// Why a row has no figure.
    pub fn why_no_figure(&self, row: usize) -> String {
        if self.unit(row).is_none() {
            return "its runs use different units".to_owned();
        }
        let runs = self.runs.iter().zip(&self.rows[row].indices);
        let mut lacking = runs.filter_map(|(run, index)| {
            let row = (*index).filter(|row| run.figure(*row).is_none())?;
            Some(run.rows[row].why_no_figure(run.view))
        });
        lacking.next().unwrap_or_else(|| "no run measured it".to_owned())
    }

    /// A quantity of a row, over the runs that know it.
    pub fn pooled_in(
        &self,
        row: usize,
        of_result: impl Fn(&RowResult) -> Option<Interval>,
    ) -> Option<Interval> {
        let indices = &self.rows[row].indices;
        self.pooled(|run| of_result(&self.runs[run].rows[indices[run]?]))
    }

    /// The clock in Hz that a row's work had, over the runs that know it.
    pub fn clock_hz(&self, row: usize) -> Option<Interval> {
        self.pooled_in(row, RowResult::clock_hz)
    }

    /// A row's figure per GHz, over the runs that know it.
    pub fn per_ghz(&self, row: usize) -> Option<Interval> {
        self.pooled_in(row, RowResult::per_ghz)
    }

    /// The share of a row's CPU time outside the kernel, over the runs that know it.
    pub fn outside_kernel(&self, row: usize) -> Option<Interval> {
        self.pooled_in(row, |result| Some(result.usage()?.kernel?.outside()))
    }

    /// The warnings on a row's estimates, of several runs with how many have it.
    pub fn warnings(&self, row: usize, are_told: impl Fn(&Warning) -> bool) -> Vec<String> {
        let mut warnings: Vec<(String, usize)> = Vec::new();
        for warning in self.figures(row).flat_map(RowResult::warnings).filter(|w| are_told(w)) {
            let text = warning.to_string();
            match warnings.iter_mut().find(|(known, _)| *known == text) {
                Some((_, count)) => *count += 1,
                None => warnings.push((text, 1)),
            }
        }
        let count_of_runs = self.figures(row).count();
        let texts = warnings.into_iter().map(|(text, count)| match count_of_runs {
            1 => text,
            _ => format!("{text} ({count} of {count_of_runs} runs)"),
        });
        texts.collect()
    }

    /// How far the mean of some rows, all of the same number of threads, may be off.
    pub fn run_effect(&self, rows: &[usize]) -> RunEffect {
        let known = || self.run_effects.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run_effect) = known().get(rows) {
            return *run_effect;
        }
        let run_effect = self.run_sets.run_effect(&self.runs, &self.rows_of(rows));
        let mut known = known();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(rows.to_vec(), run_effect);
        run_effect
    }

    /// How far a row, with all that the same runs measured, may be off from the mean of some rows, among which it is.
    pub fn run_effect_beside(&self, row: usize, rows: &[usize]) -> RunEffect {
        self.run_sets.run_effect_beside(&self.runs, &self.rows[row], &self.rows_of(rows))
    }

    fn rows_of(&self, rows: &[usize]) -> Vec<&GroupRow> {
        rows.iter().map(|row| &self.rows[*row]).collect()
    }

    /// The categories of all its runs, in the order in which scores are shown.
    pub fn categories(&self) -> Vec<Category> {
        categories(&self.runs)
    }

    /// The numbers of threads of its rows, in order.
    pub fn thread_specs(&self) -> Vec<ThreadSpec> {
        let mut specs = Vec::new();
        for row in &self.rows {
            if !specs.contains(&row.key.threads) {
                specs.push(row.key.threads);
            }
        }
        specs
    }

    /// How its runs differ, on each number of threads and for each set of runs that measured the same rows; empty for a single
    /// run.
    pub fn spreads(&self) -> Vec<Spread> {
        let sets: Vec<Vec<usize>> =
            (0..self.run_sets.count()).map(|set| self.run_sets.runs(set)).collect();
        let spreads = |threads| {
            sets.iter().filter_map(move |runs| Spread::of(&self.runs, &self.rows, threads, runs))
        };
        self.thread_specs().into_iter().flat_map(spreads).collect()
    }

    /// How many computers its runs are known to be of.
    pub fn host_count(&self) -> usize {
        self.runs.iter().map(|run| &run.host).collect::<BTreeSet<_>>().len()
    }

    /// Hosts by whose differences its intervals are found: a run without a host counts as one.
    pub(super) fn counted_hosts(&self) -> usize {
        self.run_sets.host_count()
    }

    /// Caveats about its runs and their number.
    pub fn notes(&self) -> Vec<String> {
        let others = self.others_note().map(|note| format!("{}: {note}", self.label));
        let before = self.isa_notes().into_iter().chain(others);
        let of_runs: Vec<String> = match self.runs.len() {
            1 => self.runs[0].notes.iter().map(|note| format!("{}: {note}", self.label)).collect(),
            _ => {
                let of_run = |run: &Sheet| -> Vec<String> {
                    let in_words =
                        |note: &String| format!("{}, {}: {note}", self.label, run.path.display());
                    run.notes.iter().map(in_words).collect()
                };
                self.runs.iter().flat_map(of_run).collect()
            }
        };
        let mut notes: Vec<String> = before.chain(of_runs).collect();
        notes.extend(self.hosts_note().map(|note| format!("{}: {note}", self.label)));
        notes
    }

    /// Instruction sets that libraries did not use in its runs, by label. They change the measured work, so they come first.
    pub(super) fn isa_notes(&self) -> Vec<String> {
        let notes: BTreeSet<String> =
            self.runs.iter().filter_map(|run| isa_note(&run.isa)).collect();
        notes.into_iter().map(|note| format!("{}: {note}", self.label)).collect()
    }

    /// How busy others kept the machine while its runs were measured, where that is much.
    fn others_note(&self) -> Option<String> {
        let most = self.runs.iter().filter_map(|run| run.others_cpus).reduce(f64::max)?;
        (most >= MUCH_CPUS)
            .then(|| format!("other processes used {most:.1} CPUs while it was measured"))
    }

    /// Sources of variation that its intervals exclude: too few hosts, unnamed hosts, or hosts that share no row.
    pub fn hosts_note(&self) -> Option<String> {
        let runs = self.runs.len();
        // An imported run has no intervals that could exclude anything.
        if runs == 1 && self.view == ViewKind::Imported {
            return None;
        }
        if runs > 1 && self.runs.iter().all(|run| run.host.is_none()) {
            return Some(
                "its runs do not name their hosts, so each counts as a host of its own: measure with `sizeup run --host NAME`".to_owned(),
            );
        }
        if self.host_count() != 1 {
            let has_no_run_effect = |row: &GroupRow| {
                row.view
                    .is_some_and(|view| view.own.is_known() && view.run_effect.margin.is_infinite())
            };
            return self.rows.iter().any(has_no_run_effect).then(|| {
                "some hosts have no rows in common with the others, so these rows have no error bars. If they are one machine, give \
                 it one name: run --host NAME"
                    .to_owned()
            });
        }
        let figures = |row: &GroupRow| {
            let of_run = |(run, index): (&Sheet, &Option<usize>)| run.figure((*index)?);
            self.runs.iter().zip(&row.indices).filter_map(of_run).count()
        };
        let rows = self.rows.iter().filter(|row| row.view.is_some()).count();
        let once = self.rows.iter().filter(|row| figures(row) == 1).count();
        let not_in = "host-to-host variation";
        Some(match once {
            _ if runs == 1 => format!(
                "1 run on 1 host: run-to-run variation is estimated from its drift, and intervals exclude {not_in}"
            ),
            0 => format!("all runs are from 1 host: intervals exclude {not_in}"),
            _ => format!(
                "all runs are from 1 host: intervals exclude {not_in}; {once} of {rows} rows were measured in 1 run only: \
                 their run-to-run variation is estimated from drift"
            ),
        })
    }

    /// How many logical CPUs its machines have, if that is known and the same of all.
    pub fn cpu_count(&self) -> Option<u32> {
        self.of_all(|run| run.cpu_count)
    }

    /// How many cores they have.
    pub fn core_count(&self) -> Option<u32> {
        self.of_all(|run| run.core_count)
    }

    /// The cloud's instance type that they are.
    pub fn instance_type(&self) -> Option<&str> {
        self.of_all(|run| run.instance_type.as_deref())
    }

    fn of_all<'a, T: PartialEq>(&'a self, of_run: impl Fn(&'a Sheet) -> Option<T>) -> Option<T> {
        let first = of_run(&self.runs[0]);
        first.filter(|first| self.runs.iter().all(|run| of_run(run).as_ref() == Some(first)))
    }

    /// Power of its machines while a row was measured, by a meter that covers all runs with the row.
    pub fn power(&self, name: &str, threads: ThreadSpec, source: &PowerSource) -> Option<Power> {
        let row = self.find(&RowKey { name: name.to_owned(), threads })?;
        let indices = &self.rows[row].indices;
        let of_run = |run: usize| -> Option<&Power> {
            let powers = &self.runs[run].rows[indices[run]?].powers;
            powers.iter().find(|power| power.source == *source)
        };
        let is_of_all = self
            .figures(row)
            .all(|figure| figure.powers.iter().any(|power| power.source == *source));
        let watts = self.pooled(|run| Some(of_run(run)?.watts)).filter(|_| is_of_all)?;
        let lacks_idle = |figure: &RowResult| {
            figure.powers.iter().all(|power| power.source != *source || power.idle.is_none())
        };
        let idle =
            (!self.figures(row).any(lacks_idle)).then(|| self.pooled(|run| of_run(run)?.idle));
        Some(Power { watts, idle: idle.flatten(), source: source.clone() })
    }

    /// The meters that were read while a row was measured, the one that sees most first.
    pub fn meters(&self, name: &str, threads: ThreadSpec) -> Vec<PowerSource> {
        let row = self.find(&RowKey { name: name.to_owned(), threads });
        let first = row.and_then(|row| self.first_figure(row));
        first
            .into_iter()
            .flat_map(|figure| &figure.powers)
            .map(|power| power.source.clone())
            .collect()
    }

    /// A quantity that runs have, by number, over all of them: how hosts differ in it is in its interval.
    pub fn pooled(&self, of_run: impl Fn(usize) -> Option<Interval>) -> Option<Interval> {
        pooled_interval(&self.run_sets.units, of_run)
    }

    /// How far its figures are to be believed: as far as those of its worst run.
    pub fn grade(&self) -> Grade {
        self.runs.iter().map(|run| run.validity.grade).max().unwrap_or(Grade::Valid)
    }

    /// Whether nothing invalid was judged with it or left out.
    pub fn is_fit(&self) -> bool {
        self.left_out.is_empty() && self.grade() < Grade::Invalid
    }
}

/// The keys of all rows, the first run's first.
fn keys(first: &Sheet, runs: &[Sheet]) -> Vec<RowKey> {
    let mut seen: BTreeSet<&RowKey> = first.rows.iter().map(|row| &row.key).collect();
    let mut keys: Vec<RowKey> = first.rows.iter().map(|row| row.key.clone()).collect();
    for row in runs.iter().skip(1).flat_map(|run| &run.rows) {
        if seen.insert(&row.key) {
            keys.push(row.key.clone());
        }
    }
    keys
}
