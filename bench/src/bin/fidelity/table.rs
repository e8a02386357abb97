//! Output for people.

use super::verdict::{Agreement, Judged, Verdict};
use judge::numbers::four_digits;
use terminal::table::Table;

/// The table, the geometric mean and what is off.
pub fn text(verdict: &Verdict) -> String {
    let mut table = Table::plain(&[
        "row",
        ">pairs",
        ">sizeup ops/s",
        ">peer ops/s",
        ">ratio",
        ">from",
        ">to",
        ">median ratio",
        ">CPU",
        "verdict",
    ]);
    for row in &verdict.rows {
        table.row(cells(row));
    }
    let mut text = table.to_string();
    if let Some(mean) = verdict.together {
        text += &format!(
            "\ngeometric mean over {} of {} rows: {:.4} (from {:.4} to {:.4})\n",
            verdict.rows.len(),
            verdict.suite_rows,
            mean.centre,
            mean.low,
            mean.high
        );
    }
    if !verdict.is_whole() {
        text += "the mean is judged when all rows are there\n";
    }
    text
}

fn cells(row: &Judged) -> [String; 10] {
    let end = |end: Option<f64>| end.map_or("–".to_owned(), |end| format!("{end:.3}"));
    let word = match row.agreement {
        Agreement::Agrees => "agrees",
        Agreement::Off => "OFF",
        Agreement::TooFew => "too few pairs",
    };
    [
        row.id.clone(),
        row.pairs.to_string(),
        four_digits(row.sizeup_median),
        four_digits(row.peer_median),
        end(row.ratio.map(|ratio| ratio.centre)),
        end(row.ratio.map(|ratio| ratio.low)),
        end(row.ratio.map(|ratio| ratio.high)),
        format!("{:.3}", row.median_ratio),
        format!("{:.0} %", row.cpu_share * 100.0),
        word.to_owned(),
    ]
}
