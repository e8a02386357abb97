//! How figures stand in cells.

use estimate::ViewKind;
use judge::answer::{Order, times};
use judge::compare::{CoresAndClock, CoresTimesClock};
use judge::numbers::plus_minus;
use record::ThreadSpec;
use stats::Interval;
use std::collections::BTreeSet;
use terminal::table::{Entry, Tone};

/// A phrase for a view.
pub(super) fn view_in_words(view: ViewKind) -> &'static str {
    match view {
        ViewKind::Uncontended => "uncontended",
        ViewKind::Delivered => "as delivered",
        ViewKind::PerGhz => "per GHz, uncontended",
        ViewKind::Imported => "as imported",
    }
}

/// The number of threads that answers speak of first: all, or else the most.
pub(super) fn main_threads(specs: impl Iterator<Item = ThreadSpec>) -> ThreadSpec {
    specs.max().unwrap_or(ThreadSpec::All)
}

/// More numbers of threads than this are a sweep: `sizeup scaling` shows it.
const MOST_ACROSS: usize = 3;

/// Numbers of threads, the most first; of a sweep the most and one, unless all are wanted.
pub(super) fn shown_threads(specs: impl Iterator<Item = ThreadSpec>, all: bool) -> Vec<ThreadSpec> {
    let specs: BTreeSet<ThreadSpec> = specs.collect();
    let is_sweep = specs.len() > MOST_ACROSS;
    let most = specs.last().copied();
    let is_shown = |spec: &ThreadSpec| {
        all || !is_sweep || Some(*spec) == most || *spec == ThreadSpec::Count(1)
    };
    specs.into_iter().rev().filter(is_shown).collect()
}

/// `2.25×`, green where it is ahead and red where it is behind.
pub(super) fn ratio_cell(ratio: &Interval) -> Entry {
    let tone = match Order::of(ratio) {
        Order::Ahead => Tone::Good,
        Order::Behind => Tone::Bad,
        Order::Same | Order::Undecided => Tone::Dim,
        Order::NoErrorBars => Tone::Plain,
    };
    Entry::of(times(ratio.centre), tone)
}

/// `±1.2 %`, or nothing where there are no error bars.
pub(super) fn margin(ratio: &Interval) -> String {
    if ratio.is_known() { plus_minus(ratio) } else { String::new() }
}

/// Both machines' cores × clock, and the ratio of the two.
pub(super) fn strength_line(strength: &CoresTimesClock) -> String {
    let machine =
        |side: &CoresAndClock| format!("{} cores × {:.2} GHz", side.cores, side.clock_hz / 1e9);
    let (other, baseline) = (machine(&strength.other), machine(&strength.baseline));
    format!("{other} against {baseline}: {} by cores and clock alone", times(strength.ratio))
}
