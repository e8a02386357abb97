//! If the budget is too short for all rows, fewer workloads are measured, each of them in full.

use super::{Notice, Notify, Session};
use crate::execute::least_time;
use crate::plan::left_out;
use record::{Outcome, OutcomeKind, Plan, Record, WriteError};
use std::time::{Duration, Instant};

/// Starting and ending workers takes up to this share of their samples' time.
const WORKERS: f64 = 0.15;
/// Suggested budgets are multiples of this.
const STEP_S: u64 = 10;

impl Session {
    /// Skips cases that there is no time for, unless a resumed run has already chosen. The run file keeps the choice as the
    /// outcome of each skipped case, so that a resumed run follows it.
    ///
    /// # Errors
    /// When the run file can't be written.
    pub fn leave_out(mut self, started: Instant, notify: &mut Notify) -> Result<Self, WriteError> {
        let plan = &self.plan;
        let has_begun =
            self.progress.next_launch > 0 || self.progress.cases.iter().any(|case| case.ended);
        let time = self.time_to_measure().saturating_sub(started.elapsed());
        // Without co-runners, what is measured would not be what was asked for.
        let is_sampled = |case: &usize| !plan.cases[*case].co_runner;
        let order: Vec<usize> = self.order.iter().copied().filter(is_sampled).collect();
        let takes = |cases: usize| {
            let tasks = order[..cases].iter().map(|case| &self.tasks[*case]);
            least_time(plan, tasks).mul_f64(1.0 + WORKERS)
        };
        let left_out = left_out(plan, &order, time, takes);
        if has_begun || left_out.is_empty() {
            return Ok(self);
        }
        let needed = takes(order.len()) + started.elapsed();
        let choice = Choice { plan, left_out: &left_out, needed };
        notify(&Notice::LeftOut(&choice.sentence()));
        self.progress.cases.resize_with(plan.cases.len(), Default::default);
        for &case in &left_out {
            self.writer.write(&Record::Outcome(choice.outcome(case)))?;
            self.progress.cases[case].ended = true;
        }
        self.writer.flush()?;
        Ok(self)
    }
}

/// The cases of a plan to skip.
struct Choice<'a> {
    plan: &'a Plan,
    left_out: &'a [usize],
    /// The time that all cases need.
    needed: Duration,
}

impl Choice<'_> {
    fn rows(&self) -> usize {
        self.plan.cases.iter().filter(|case| case.is_row()).count()
    }

    fn budget(&self) -> String {
        time(Duration::from_nanos(self.plan.budget_ns))
    }

    /// `--budget 40s`
    fn enough(&self) -> String {
        let steps = (self.needed.as_secs() + 1).div_ceil(STEP_S);
        format!("--budget {}", time(Duration::from_secs(steps * STEP_S)))
    }

    /// Why cases are skipped.
    fn why(&self) -> String {
        let needed = time(Duration::from_secs(self.needed.as_secs() + 1));
        format!(
            "{} is too short for all {} rows (they need ≥ {needed})",
            self.budget(),
            self.rows()
        )
    }

    /// Why rows are skipped, their workloads, and a budget for all rows.
    fn sentence(&self) -> String {
        let cases = || self.left_out.iter().map(|case| &self.plan.cases[*case]);
        let mut names: Vec<&str> = Vec::new();
        for case in cases().filter(|case| case.is_row()) {
            if !names.contains(&case.workload.as_str()) {
                names.push(&case.workload);
            }
        }
        names.extend(cases().any(|case| case.control).then_some("the control workloads"));
        let rows = self.rows() - cases().filter(|case| case.is_row()).count();
        let (why, names, enough) = (self.why(), names.join(", "), self.enough());
        format!(
            "{why}: measuring {rows} of them, the most representative workloads. Skipped: {names}. To measure all: {enough}"
        )
    }

    fn outcome(&self, case: usize) -> Outcome {
        Outcome {
            case,
            outcome: OutcomeKind::Unfinished,
            kind: Outcome::LEFT_OUT.to_owned(),
            message: format!("skipped: {}", self.why()),
            hint: format!("to measure all: {}", self.enough()),
            stderr: String::new(),
        }
    }
}

/// Whole seconds if there are any.
fn time(time: Duration) -> String {
    humantime::format_duration(time).to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::fixture;

    #[test]
    fn skipped_cases_are_named_with_the_reason_and_a_sufficient_budget() {
        let mut plan = fixture::header().plan;
        plan.budget_ns = 20_000_000_000;
        let case = plan.cases.remove(0);
        plan.cases = ["a/x", "b/x", "b/x", "r/x"]
            .map(|id| (id, case.clone()))
            .map(|(id, case)| record::Case {
                workload: id.to_owned(),
                control: id == "r/x",
                ..case
            })
            .to_vec();
        let choice =
            Choice { plan: &plan, left_out: &[1, 2, 3], needed: Duration::from_millis(125_300) };
        assert_eq!(
            choice.sentence(),
            "20s is too short for all 3 rows (they need ≥ 2m6s): measuring 1 of them, the most representative workloads. \
             Skipped: b/x, the control workloads. To measure all: --budget 2m10s"
        );
        let outcome = choice.outcome(1);
        assert!(outcome.is_left_out() && outcome.message.starts_with("skipped: 20s is too short"));
        assert_eq!(outcome.hint, "to measure all: --budget 2m10s");
    }
}
