//! The table of prices.

use super::comparisons::view_in_words;
use catalog::Unit;
use estimate::ViewKind;
use judge::compare::Verdict;
use judge::cost::{Cost, Price, Stand};
use judge::numbers::{dash, interval_width, quantity};
use judge::units::{in_unit, unit_in_words};
use std::fmt::Write;
use table::Table;
use terminal::printable;

/// What the work of two groups costs.
pub fn cost_table(cost: &Cost, view: ViewKind) -> String {
    let (baseline, other) = (&cost.baseline, &cost.other);
    let unit = baseline.unit();
    let heads = [
        "workload".to_owned(),
        ">threads".to_owned(),
        format!(">{}", printable(&baseline.label)),
        format!(">{}", printable(&other.label)),
        "unit".to_owned(),
        ">ratio".to_owned(),
        ">per price".to_owned(),
        ">95 %".to_owned(),
        format!(">even at {unit}/h"),
        "verdict".to_owned(),
    ];
    let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    for row in &cost.rows {
        let mut cells = vec![
            row.workload.clone(),
            row.threads.to_string(),
            in_unit(&row.unit, row.baseline_per_unit.centre),
            in_unit(&row.unit, row.other_per_unit.centre),
            format!("{}/{unit}", amount(&row.unit)),
        ];
        cells.extend(stand_cells(&row.stand));
        cells.push(match row.verdict {
            Verdict::Faster => "more per price".to_owned(),
            Verdict::Slower => "less per price".to_owned(),
            other => other.to_string(),
        });
        table.row(cells);
    }
    for score in &cost.scores {
        let name = format!("score: {}", score.category);
        let mut cells = vec![name, score.threads.to_string(), dash(), dash(), String::new()];
        cells.extend(stand_cells(&score.stand));
        cells.push(dash());
        table.row(cells);
    }
    let mut text = format!("{table}\n");
    for (price, per_cpu) in [(baseline, cost.per_cpu.0), (other, cost.per_cpu.1)] {
        let _ = writeln!(text, "{}", printable(&price_line(price, per_cpu)));
    }
    for score in cost.overall() {
        let stand = &score.stand;
        let _ =
            writeln!(text, "{}", printable(&break_even(other, score.threads.in_words(), stand)));
    }
    let _ = writeln!(
        text,
        "per price: the other's ops for its price over the baseline's, {}, with its 95 % interval; even at: below this price \
         the other does more. Verdicts at 5 % over all rows (Holm).",
        view_in_words(view)
    );
    for note in &cost.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// `ops` or `MiB`: what figures of a unit count.
fn amount(unit: &Unit) -> String {
    let per_s = unit_in_words(unit, ViewKind::Delivered);
    per_s.strip_suffix("/s").unwrap_or(&per_s).to_owned()
}

fn stand_cells(stand: &Stand) -> [String; 4] {
    [
        format!("{:.3}", stand.ratio.centre),
        format!("{:.3}", stand.price_adjusted.centre),
        interval_width(&stand.price_adjusted),
        quantity(stand.break_even_per_hour.centre),
    ]
}

pub(super) fn price_line(price: &Price, per_cpu: Option<f64>) -> String {
    let unit = price.unit();
    let mut line = format!("{}: {} {unit}/h", price.label, price.per_hour);
    if let Some(per_cpu) = per_cpu {
        let _ = write!(line, ", {per_cpu:.4} {unit}/h a CPU");
    }
    let date = price.date.map(|date| date.to_string());
    let told = [&price.region, &price.commitment, &date].into_iter().flatten();
    for what in told {
        let _ = write!(line, ", {what}");
    }
    line
}

/// Below which price the other does more, in a sentence.
fn break_even(other: &Price, threads: String, stand: &Stand) -> String {
    let even = &stand.break_even_per_hour;
    let how_sure = match even.margin().is_finite() {
        true => format!("95 % CI {} – {}", quantity(even.low), quantity(even.high)),
        false => "no error estimate".to_owned(),
    };
    let (label, centre, unit) = (&other.label, quantity(even.centre), other.unit());
    format!("{label} wins on {threads} below {centre} {unit}/h ({how_sure}), overall")
}
