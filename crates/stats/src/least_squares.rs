//! Least squares of a few unknowns.

/// The best solution of linear equations, of which there are more than unknowns.
pub struct LeastSquares<const N: usize> {
    pub solution: [f64; N],
    /// Sum of the squared residuals.
    pub squares: f64,
    /// Inverse of the upper triangle R of the equations' factors Q and R.
    inverse: [[f64; N]; N],
}

/// Least share of a column that must remain after projection on those before it: below this it is rounding errors.
const INDEPENDENT: f64 = 1e-14;

impl<const N: usize> LeastSquares<N> {
    /// By modified Gram–Schmidt, with the right-hand side as one more column, which is as exact as reflections (Å. Björck,
    /// Solving linear least squares problems by Gram-Schmidt orthogonalization, BIT 7, 1967). `None` if a column can be made of
    /// those before it. An equation is its coefficients and its right-hand side.
    pub fn of(equations: &[([f64; N], f64)]) -> Option<Self> {
        let mut columns: [Vec<f64>; N] =
            std::array::from_fn(|place| equations.iter().map(|(left, _)| left[place]).collect());
        let mut right: Vec<f64> = equations.iter().map(|(_, right)| *right).collect();
        let lengths: [f64; N] = std::array::from_fn(|place| length(&columns[place]));
        let mut upper = [[0.0; N]; N];
        let mut rotated = [0.0; N];
        for place in 0..N {
            let (done, rest) = columns.split_at_mut(place + 1);
            let unit = &mut done[place];
            let remaining = length(unit);
            if remaining.is_nan() || remaining <= INDEPENDENT * lengths[place] {
                return None;
            }
            unit.iter_mut().for_each(|value| *value /= remaining);
            upper[place][place] = remaining;
            for (column, later) in rest.iter_mut().enumerate() {
                upper[place][place + 1 + column] = remove(unit, later);
            }
            rotated[place] = remove(unit, &mut right);
        }
        let inverse = inverted(&upper);
        let row = |row: &[f64; N]| row.iter().zip(&rotated).map(|(a, b)| a * b).sum();
        let squares = right.iter().map(|value| value * value).sum();
        Some(Self { solution: inverse.each_ref().map(row), squares, inverse })
    }

    /// The solution's covariance, where the right-hand sides have this variance each.
    pub fn covariance(&self, variance: f64) -> [[f64; N]; N] {
        let product = |a: &[f64; N], b: &[f64; N]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let entry = |a, b| variance * product(&self.inverse[a], &self.inverse[b]);
        std::array::from_fn(|row| std::array::from_fn(|column| entry(row, column)))
    }
}

fn length(column: &[f64]) -> f64 {
    column.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// Takes from a column its part along a unit column, and returns how long that part is.
fn remove(unit: &[f64], column: &mut [f64]) -> f64 {
    let part: f64 = unit.iter().zip(&*column).map(|(a, b)| a * b).sum();
    column.iter_mut().zip(unit).for_each(|(value, along)| *value -= part * along);
    part
}

/// The inverse of an upper triangle, column by column from below.
fn inverted<const N: usize>(upper: &[[f64; N]; N]) -> [[f64; N]; N] {
    let mut inverse = [[0.0; N]; N];
    for (column, row) in (0..N).flat_map(|column| (0..=column).rev().map(move |row| (column, row)))
    {
        let known: f64 = (row + 1..=column).map(|k| upper[row][k] * inverse[k][column]).sum();
        let whole = if row == column { 1.0 } else { 0.0 };
        inverse[row][column] = (whole - known) / upper[row][row];
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_line_has_its_textbook_fit_and_covariance() {
        // x 1, 2, 3, 4; y 6, 5, 7, 10: y = 3.5 + 1.4x, residuals' squares 4.2; (XᵀX)⁻¹ = [1.5 −0.5; −0.5 0.2].
        let points = [(1.0, 6.0), (2.0, 5.0), (3.0, 7.0), (4.0, 10.0)];
        let fit = LeastSquares::of(&points.map(|(x, y)| ([1.0, x], y))).unwrap();
        let is_near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(
            is_near(fit.solution[0], 3.5) && is_near(fit.solution[1], 1.4),
            "{:?}",
            fit.solution
        );
        assert!(is_near(fit.squares, 4.2), "{}", fit.squares);
        let [[a, b], [c, d]] = fit.covariance(2.0);
        assert!([(a, 3.0), (b, -1.0), (c, -1.0), (d, 0.4)].iter().all(|(a, b)| is_near(*a, *b)));
    }

    #[test]
    fn columns_of_one_direction_and_what_is_no_number_have_no_solution() {
        let twice = [1.0, 2.0, 3.0].map(|x| ([x, 2.0 * x], 1.0));
        assert!(LeastSquares::of(&twice).is_none());
        assert!(LeastSquares::of(&[([f64::NAN], 1.0)]).is_none());
        assert!(LeastSquares::of(&[([0.0], 1.0)]).is_none());
    }
}
