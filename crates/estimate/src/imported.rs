//! The estimate of a case that something else measured.

use super::case::CaseEstimate;
use super::level::Level;
use super::view::View;
use super::warning::Warning;
use stats::{Interval, mean, mean_half};

/// Of its figures, all above zero. They are what was delivered, and nothing tells whether cores were their own,
/// so that one view does for both. `None` of none.
pub(super) fn imported(figures: &[f64]) -> Option<CaseEstimate> {
    let first = *figures.first()?;
    let logs: Vec<f64> = figures.iter().map(|figure| figure.ln()).collect();
    // Of one figure nobody knows how far it may be off, nor of several that rounding made the same.
    let differ = figures.iter().any(|figure| *figure != first);
    // Logarithms would not give back all digits of a figure.
    let centre = if differ { mean(&logs).exp() } else { first };
    let spread = mean_half(&logs).filter(|_| differ);
    let (half, freedom) = spread.unwrap_or((f64::INFINITY, 1.0));
    let view = View::of(Interval::around(centre, half, freedom), Level::NONE, figures.len());
    let warnings = if differ { Vec::new() } else { vec![Warning::OneFigure] };
    Some(CaseEstimate {
        delivered: Some(view),
        own_core: Some(view),
        per_clock: None,
        clock_hz: None,
        mean: Some(centre),
        windows: figures.len(),
        launches: 0,
        warnings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_figures_have_an_interval_and_one_has_none_that_ends() {
        let several = imported(&[100.0, 102.0, 98.0]).unwrap();
        let interval = several.delivered.unwrap().interval;
        assert!((interval.centre - 100.0).abs() < 0.1 && (0.03..0.08).contains(&interval.half()));
        assert_eq!((several.own_core, several.warnings), (several.delivered, vec![]));
        let one = imported(&[100.0]).unwrap();
        let interval = one.own_core.unwrap().interval;
        assert_eq!((interval.low, interval.high), (0.0, f64::INFINITY));
        assert_eq!(one.warnings, [Warning::OneFigure]);
        assert_eq!(imported(&[]), None);
    }

    #[test]
    fn a_figure_that_stands_alone_is_given_back_to_its_last_digit() {
        for figure in [1.141e9, 0.1, 123_456.789] {
            for figures in [vec![figure], vec![figure; 3]] {
                let estimate = imported(&figures).unwrap();
                let centre = estimate.delivered.unwrap().interval.centre;
                assert_eq!((centre, estimate.mean), (figure, Some(figure)));
            }
        }
    }

    #[test]
    fn figures_that_rounding_made_the_same_count_as_one() {
        let same = imported(&[1000.0, 1000.0, 1000.0]).unwrap();
        let interval = same.delivered.unwrap().interval;
        assert_eq!((interval.low, interval.high), (0.0, f64::INFINITY));
        assert_eq!(same.warnings, [Warning::OneFigure]);
        let almost = imported(&[1000.0, 1000.5]).unwrap();
        assert!(almost.warnings.is_empty() && almost.delivered.unwrap().interval.half() > 1e-4);
    }
}
