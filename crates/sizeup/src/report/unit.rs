//! Figures in their units, as people read them.

use super::numbers::quantity;
use crate::catalog::Unit;
use crate::estimate::ViewKind;

const MIB: f64 = 1_048_576.0;

/// What figures of a view are in; bytes are shown in MiB.
pub(super) fn unit_in_words(unit: &Unit, view: ViewKind) -> String {
    let per = if view == ViewKind::PerClock { " per GHz" } else { "" };
    format!("{}{per}", shown(unit).0)
}

/// A figure of a unit as it is shown, without its unit.
pub(super) fn in_unit(unit: &Unit, per_s: f64) -> String {
    quantity(per_s * shown(unit).1)
}

/// MiB/s of a figure of a unit; `None` where bytes make no sense.
pub(super) fn mib_per_s(unit: &Unit, per_s: f64, bytes_per_op: Option<u64>) -> Option<f64> {
    Some(per_s * unit.bytes_each(bytes_per_op)? as f64 / MIB)
}

/// The name of what is shown, and by what a figure is multiplied to be in it.
fn shown(unit: &Unit) -> (&str, f64) {
    match unit {
        Unit::Ops => ("ops/s", 1.0),
        Unit::Bytes => ("MiB/s", 1.0 / MIB),
        Unit::Named(name) => (name, 1.0),
    }
}
