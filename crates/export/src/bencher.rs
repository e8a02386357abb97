//! Bencher Metric Format: a figure a row, with its interval.

use estimate::ViewKind;
use judge::compare::Sheet;
use record::Run;
use serde::Serialize;
use std::collections::BTreeMap;

/// Benchmarks by name, as `bencher run --adapter json` reads them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct BencherMetrics(BTreeMap<String, BencherMeasures>);

#[derive(Debug, Clone, PartialEq, Serialize)]
struct BencherMeasures {
    throughput: BencherMetric,
}

/// A value and its 95 % interval, where that is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct BencherMetric {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper_value: Option<f64>,
}

impl BencherMetrics {
    /// The rows of a run that have an uncontended or imported figure, per second in their unit.
    pub fn of(run: &Run) -> Self {
        let sheet = Sheet::of(run, ViewKind::Uncontended);
        let rows = sheet.rows.iter().enumerate();
        let measured = rows.filter_map(|(number, row)| {
            let interval = sheet.figure(number)?.interval;
            let end = |value: f64| (interval.is_known() && value.is_finite()).then_some(value);
            let variant = row.variant.as_ref().map_or_else(String::new, |name| format!(" {name}"));
            let threads = row.key.threads.in_words();
            let throughput = BencherMetric {
                value: interval.centre,
                lower_value: end(interval.low),
                upper_value: end(interval.high),
            };
            Some((
                format!("{}{variant} on {threads}", row.workload),
                BencherMeasures { throughput },
            ))
        });
        Self(measured.collect())
    }
}
