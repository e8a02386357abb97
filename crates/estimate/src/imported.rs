//! Estimates of cases that another program measured.

use super::case::CaseEstimate;
use super::warning::Warning;
use stats::{Interval, mean, mean_margin};
use verdict::RunEffect;
use verdict::View;

/// Estimates a case from its figures, all above zero. They are delivered figures, and whether cores were contended is unknown,
/// so both views are the same. `None` without figures.
pub(super) fn imported(figures: &[f64]) -> Option<CaseEstimate> {
    let first = *figures.first()?;
    let logs: Vec<f64> = figures.iter().map(|figure| figure.ln()).collect();
    // The error of one figure is unknown, as is that of several that rounding made identical.
    let differ = figures.iter().any(|figure| *figure != first);
    // Logarithms would lose digits of a figure.
    let centre = if differ { mean(&logs).exp() } else { first };
    let spread = mean_margin(&logs).filter(|_| differ);
    let (margin, freedom) = spread.unwrap_or((f64::INFINITY, 1.0));
    let view = View::of(Interval::around(centre, margin, freedom), RunEffect::NONE, figures.len());
    let warnings = if differ { Vec::new() } else { vec![Warning::OneFigure] };
    Some(CaseEstimate {
        delivered: Some(view),
        uncontended: Some(view),
        per_ghz: None,
        clock_hz: None,
        mean: Some(centre),
        samples: figures.len(),
        launches: 0,
        memory_neighbour: None,
        usage: None,
        warnings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_figures_have_a_finite_interval_and_one_has_none() {
        let several = imported(&[100.0, 102.0, 98.0]).unwrap();
        let interval = several.delivered.unwrap().interval;
        assert!((interval.centre - 100.0).abs() < 0.1 && (0.03..0.08).contains(&interval.margin()));
        assert_eq!((several.uncontended, several.warnings), (several.delivered, vec![]));
        let one = imported(&[100.0]).unwrap();
        let interval = one.uncontended.unwrap().interval;
        assert_eq!((interval.low, interval.high), (0.0, f64::INFINITY));
        assert_eq!(one.warnings, [Warning::OneFigure]);
        assert_eq!(imported(&[]), None);
    }

    #[test]
    fn a_single_figure_keeps_all_its_digits() {
        for figure in [1.141e9, 0.1, 123_456.789] {
            for figures in [vec![figure], vec![figure; 3]] {
                let estimate = imported(&figures).unwrap();
                let centre = estimate.delivered.unwrap().interval.centre;
                assert_eq!((centre, estimate.mean), (figure, Some(figure)));
            }
        }
    }

    #[test]
    fn figures_made_identical_by_rounding_count_as_one() {
        let same = imported(&[1000.0, 1000.0, 1000.0]).unwrap();
        let interval = same.delivered.unwrap().interval;
        assert_eq!((interval.low, interval.high), (0.0, f64::INFINITY));
        assert_eq!(same.warnings, [Warning::OneFigure]);
        let almost = imported(&[1000.0, 1000.5]).unwrap();
        assert!(almost.warnings.is_empty() && almost.delivered.unwrap().interval.margin() > 1e-4);
    }
}
