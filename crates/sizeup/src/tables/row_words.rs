//! Words in a row's cells.

use estimate::Warning;
use judge::compare::RowResult;

/// A row's caveats. Lack of convergence is none: the margin shows it.
pub(super) fn note(row: &RowResult) -> String {
    if let Some(outcome) = &row.outcome {
        return match outcome.is_left_out() {
            true => "left out".to_owned(), // why stands once, below all rows
            false => format!("{}: {}", outcome.outcome, outcome.message),
        };
    }
    let Some(estimate) = &row.estimate else {
        return "not measured yet".to_owned();
    };
    let warnings = estimate.warnings.iter().filter(|w| !matches!(w, Warning::NotConverged { .. }));
    warnings.map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
