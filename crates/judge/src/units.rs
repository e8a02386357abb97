//! Figures in their units, as people read them.

use crate::numbers::{four_digits, three_digits};
use catalog::{MIB, Unit};
use estimate::ViewKind;

/// Name of the unit in which a view shows figures; bytes are shown in MiB.
pub fn unit_in_words(unit: &Unit, view: ViewKind) -> String {
    let per = if view == ViewKind::PerGhz { " per GHz" } else { "" };
    format!("{}{per}", shown(unit).0)
}

/// A figure of a unit as it is shown, without its unit.
pub fn in_unit(unit: &Unit, per_s: f64) -> String {
    four_digits(per_s * shown(unit).1)
}

/// The name of what is shown, and by what a figure is multiplied to be in it.
fn shown(unit: &Unit) -> (&str, f64) {
    match unit {
        Unit::Ops => ("ops/s", 1.0),
        Unit::Bytes => ("MiB/s", 1.0 / MIB),
        Unit::Named(name) => (name, 1.0),
    }
}

/// A figure with its unit, three digits: `16.9 k/s`, `5.18 GiB/s`, `2.45 M/s/GHz`.
pub fn figure(unit: &Unit, per_s: f64, view: ViewKind) -> String {
    let per = if view == ViewKind::PerGhz { "/GHz" } else { "" };
    let text = match unit {
        Unit::Ops => prefixed(per_s, 1000.0, &["", "k", "M", "G", "T"], "/s"),
        Unit::Bytes => prefixed(per_s, 1024.0, &["B", "KiB", "MiB", "GiB", "TiB"], "/s"),
        Unit::Named(name) => format!("{} {name}", four_digits(per_s)),
    };
    format!("{text}{per}")
}

/// Bytes where an op has an input of known size, otherwise the unit's count.
pub fn figure_of_op(unit: &Unit, bytes_per_op: Option<u64>, per_s: f64, view: ViewKind) -> String {
    match unit.mib_per_s(per_s, bytes_per_op) {
        Some(mib_per_s) => figure(&Unit::Bytes, mib_per_s * MIB, view),
        None => figure(unit, per_s, view),
    }
}

fn prefixed(value: f64, step: f64, prefixes: &[&str], unit: &str) -> String {
    let mut value = value;
    let mut index = 0;
    // 999.6 would be shown as 1000.
    while value.abs() >= 999.5 && index + 1 < prefixes.len() {
        value /= step;
        index += 1;
    }
    format!("{} {}{unit}", three_digits(value), prefixes[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_and_a_unit_that_fits_their_size() {
        for (unit, per_s, text) in [
            (Unit::Ops, 16_912.0, "16.9 k/s"),
            (Unit::Ops, 2.345, "2.35 /s"),
            (Unit::Ops, 999_700.0, "1.00 M/s"),
            (Unit::Bytes, 5.18 * 1024.0 * MIB, "5.18 GiB/s"),
            (Unit::Bytes, 1000.0 * MIB, "0.977 GiB/s"),
            (Unit::Named("img/s".to_owned()), 12.0, "12.00 img/s"),
        ] {
            assert_eq!(figure(&unit, per_s, ViewKind::Delivered), text);
        }
        assert_eq!(figure(&Unit::Ops, 5e6, ViewKind::PerGhz), "5.00 M/s/GHz");
    }
}
