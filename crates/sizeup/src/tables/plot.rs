//! Curves in characters: threads to the right, throughput upwards, both linear and from zero, so that what is in proportion is a
//! straight line.

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
    if most <= 0.0 || points().all(|point| point.threads == last) {
        return Vec::new();
    }
    let labels = [(0, 1.0), (HEIGHT / 2, 0.5)]
        .map(|(line, share)| (line, figure(&first.unit, most * share, view)));
    let longest = labels.iter().map(|(_, label)| label.chars().count()).max();
    let axis = longest.unwrap_or(1) + 2;
    let columns = width.saturating_sub(axis).min(MOST_WIDTH);
    let column = |threads: usize| {
        let share = threads as f64 / last as f64;
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
            let known = labels.iter().find(|(line, _)| *line == place);
            let label = match known {
                Some((_, label)) => label.as_str(),
                None if place == HEIGHT - 1 => "0",
                None => "",
            };
            let row: String = row.into_iter().collect();
            format!("{label:>width$} ┤{row}", width = axis - 2).trim_end().to_owned()
        })
        .collect();
    lines.push(format!("{:axis$}{}", "", threads_axis(last, columns, &column)));
    let legend: Vec<String> =
        drawn.iter().zip(MARKS).map(|(curve, mark)| format!("{mark} {}", curve.group)).collect();
    lines.push(format!("{:axis$}{}", "", legend.join("   ")));
    lines
}

/// Numbers of threads below their columns: none, quarters where these are whole, and all.
fn threads_axis(last: usize, columns: usize, column: &dyn Fn(usize) -> usize) -> String {
    let end = format!("{last} threads");
    let last_at = columns.saturating_sub(end.chars().count());
    let mut line = "0".to_owned();
    for threads in (1..4)
        .filter(|quarter| (last * quarter).is_multiple_of(4))
        .map(|quarter| last * quarter / 4)
    {
        let (label, at) = (threads.to_string(), column(threads));
        if line.len() < at && at + label.len() < last_at {
            line = format!("{line:at$}{label}");
        }
    }
    format!("{line:last_at$}{end}")
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
            let throughput = View { interval, own: interval, run_effect, samples: 9 };
            Point {
                threads: *threads,
                cores: None,
                sockets: None,
                throughput,
                within: throughput,
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
            core_count: None,
            usl: None,
            misfit: None,
            smt_yield: None,
            socket_effect: None,
        }
    }

    #[test]
    fn the_fastest_point_is_at_the_top_and_twice_as_much_is_twice_as_high() {
        let lines = plot(&[curve(&[(1, 1e3), (4, 2e3)])], ViewKind::Delivered, 60);
        let at = |place: usize| {
            lines[..HEIGHT].iter().position(|line| line.chars().nth(place) == Some('●'))
        };
        let places: Vec<usize> = (0..60).filter(|place| at(*place).is_some()).collect();
        let [first, last] = places[..] else { panic!("{lines:#?}") };
        assert_eq!((at(first), at(last)), (Some(5), Some(0)), "{lines:#?}");
        assert!(lines[0].starts_with("2.00 k/s ┤"), "{lines:#?}");
    }

    #[test]
    fn a_machine_that_scales_in_proportion_is_a_straight_line_and_axes_are_labelled() {
        let figures: Vec<(usize, f64)> = [1, 8, 16, 32, 48, 64].map(|n| (n, n as f64 * 1e3)).into();
        let lines = plot(&[curve(&figures)], ViewKind::Delivered, 80);
        let mut marks = Vec::new();
        for (y, line) in lines[..HEIGHT].iter().enumerate() {
            marks.extend(line.chars().enumerate().filter(|(_, c)| *c == '●').map(|(x, _)| (x, y)));
        }
        let origin = lines[0].chars().position(|c| c == '┤').unwrap() + 1;
        assert_eq!(marks.len(), figures.len(), "{lines:#?}");
        for (x, y) in marks {
            let (right, up) = ((x - origin) as f64 / 69.0, (HEIGHT - 1 - y) as f64 / 10.0);
            assert!((right - up).abs() < 0.06, "{lines:#?}");
        }
        assert!(lines[5].starts_with("32.0 k/s ┤") && lines[10].trim_start().starts_with("0 ┤"));
        let axis: Vec<&str> = lines[HEIGHT].split_whitespace().collect();
        assert_eq!(axis, ["0", "16", "32", "48", "64", "threads"]);
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
