//! Figures in their units, as people read them.

use crate::numbers::quantity;
use catalog::{MIB, Unit};
use estimate::ViewKind;

/// What figures of a view are in; bytes are shown in MiB.
pub fn unit_in_words(unit: &Unit, view: ViewKind) -> String {
    let per = if view == ViewKind::PerGhz { " per GHz" } else { "" };
    format!("{}{per}", shown(unit).0)
}

/// A figure of a unit as it is shown, without its unit.
pub fn in_unit(unit: &Unit, per_s: f64) -> String {
    quantity(per_s * shown(unit).1)
}

/// The name of what is shown, and by what a figure is multiplied to be in it.
fn shown(unit: &Unit) -> (&str, f64) {
    match unit {
        Unit::Ops => ("ops/s", 1.0),
        Unit::Bytes => ("MiB/s", 1.0 / MIB),
        Unit::Named(name) => (name, 1.0),
    }
}
