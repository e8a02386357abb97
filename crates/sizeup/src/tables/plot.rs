//! Curves in characters: threads to the right, throughput upwards from zero.

use estimate::ViewKind;
use judge::scaling::Curve;
use judge::units::figure;

/// Lines of the picture.
const HEIGHT: usize = 11;
/// The widest picture, without its axis.
const MOST_WIDTH: usize = 72;
/// One a curve; more curves are not drawn.
const MARKS: [char; 6] = ['●', '○', '▲', '△', '■', '□'];

/// The curves of one unit in so many columns, with a legend. Empty where there is nothing to draw.
pub(super) fn plot(curves: &[Curve], view: ViewKind, width: usize) -> Vec<String> {
    let Some(first) = curves.first() else { return Vec::new() };
    let drawn: Vec<&Curve> =
        curves.iter().filter(|curve| curve.unit == first.unit).take(MARKS.len()).collect();
    let points = || drawn.iter().flat_map(|curve| &curve.points);
    let most = points().map(|point| point.throughput.interval.centre).fold(0.0, f64::max);
    let last = points().map(|point| point.threads).max().unwrap_or(1);
    let least = points().map(|point| point.threads).min().unwrap_or(1);
    if most <= 0.0 || last == least {
        return Vec::new();
    }
    let top = figure(&first.unit, most, view);
    let axis = top.chars().count() + 2;
    let columns = width.saturating_sub(axis).min(MOST_WIDTH);
    let span = (last as f64 / least as f64).ln();
    let column = |threads: usize| {
        let share = (threads as f64 / least as f64).ln() / span;
        (share * (columns - 1) as f64).round() as usize
    };
    let line = |per_s: f64| {
        let share = per_s / most;
        HEIGHT - 1 - (share * (HEIGHT - 1) as f64).round() as usize
    };
    let mut grid = vec![vec![' '; columns]; HEIGHT];
    for curve in &drawn {
        for pair in curve.points.windows(2) {
            let [from, to] = [&pair[0], &pair[1]].map(|point| column(point.threads));
            let [low, high] = [&pair[0], &pair[1]].map(|point| point.throughput.interval.centre);
            let between = (from + 1..to).map(|x| {
                let share = (x - from) as f64 / (to - from) as f64;
                (x, line(low + (high - low) * share))
            });
            for (x, y) in between {
                if grid[y][x] == ' ' {
                    grid[y][x] = '·';
                }
            }
        }
    }
    for (curve, mark) in drawn.iter().zip(MARKS) {
        for point in &curve.points {
            grid[line(point.throughput.interval.centre)][column(point.threads)] = mark;
        }
    }
    let mut lines: Vec<String> = grid
        .into_iter()
        .enumerate()
        .map(|(place, row)| {
            let label = match place {
                0 => top.as_str(),
                _ if place == HEIGHT - 1 => "0",
                _ => "",
            };
            let row: String = row.into_iter().collect();
            format!("{label:>width$} ┤{row}", width = axis - 2).trim_end().to_owned()
        })
        .collect();
    let end = format!("{last} threads");
    let gap = columns.saturating_sub(end.chars().count() + least.to_string().len());
    lines.push(format!("{:axis$}{least}{:gap$}{end}", "", ""));
    let legend: Vec<String> =
        drawn.iter().zip(MARKS).map(|(curve, mark)| format!("{mark} {}", curve.group)).collect();
    lines.push(format!("{:axis$}{}", "", legend.join("   ")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::Unit;
    use estimate::View;
    use judge::scaling::Point;
    use proptest::prelude::*;
    use stats::Interval;

    fn curve(figures: &[(usize, f64)]) -> Curve {
        let point = |(threads, per_s): &(usize, f64)| {
            let interval = Interval::around(*per_s, 0.01, 9.0);
            let run_effect = estimate::RunEffect { margin: 0.0, freedom: f64::INFINITY };
            let throughput = View { interval, row: interval, run_effect, samples: 9 };
            Point {
                threads: *threads,
                cores: None,
                sockets: None,
                throughput,
                speed_up: None,
                efficiency: None,
            }
        };
        Curve {
            group: "m".to_owned(),
            unit: Unit::Ops,
            points: figures.iter().map(point).collect(),
            refused: None,
            allowed: Vec::new(),
            usl: None,
            misfit: None,
            smt_yield: None,
            socket_effect: None,
        }
    }

    #[test]
    fn the_fastest_point_is_at_the_top_and_twice_as_much_is_twice_as_high() {
        let lines = plot(&[curve(&[(1, 1e3), (4, 2e3)])], ViewKind::Delivered, 60);
        let at = |place: usize| lines.iter().position(|line| line.chars().nth(place) == Some('●'));
        let places: Vec<usize> = (0..60).filter(|place| at(*place).is_some()).collect();
        let [first, last] = places[..] else { panic!("{lines:#?}") };
        assert_eq!((at(first), at(last)), (Some(5), Some(0)), "{lines:#?}");
        assert!(lines[0].starts_with("2.00 k/s ┤"), "{lines:#?}");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_asked(
            figures in prop::collection::btree_map(1usize..2048, 0.1..1e12f64, 2..30), width in 40usize..200
        ) {
            let figures: Vec<(usize, f64)> = figures.into_iter().collect();
            for line in plot(&[curve(&figures)], ViewKind::Delivered, width) {
                prop_assert!(line.chars().count() <= width, "{line}");
            }
        }
    }
}
