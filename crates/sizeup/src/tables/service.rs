//! The table of rows whose work a server does: both sides' CPUs, and latencies.

use super::ShowView;
use estimate::{Latency, PartUse, Service};
use judge::compare::RowResult;
use judge::numbers::{dash, four_digits, plus_minus};
use stats::Interval;
use terminal::table::{Heading, Table};

/// A row a server. Latencies run from when a request was due to when its answer was there.
pub(super) fn service_table(view: &ShowView) -> Table {
    let rows: Vec<(&RowResult, &Service)> =
        view.rows.iter().filter_map(|row| Some((row, row.service.as_ref()?))).collect();
    let mut table = Table::new([
        Heading::left("server").shrinks(),
        Heading::right("ops/s per CPU"),
        Heading::left("measured CPUs").rank(5),
        Heading::right("used").rank(4),
        Heading::left("other CPUs").rank(6),
        Heading::right("used").rank(7),
        Heading::right("p50"),
        Heading::right("±").rank(8),
        Heading::right("p90").rank(2),
        Heading::right("±").rank(8),
        Heading::right("p99"),
        Heading::right("±").rank(8),
        Heading::right("p99.9").rank(3),
        Heading::right("±").rank(8),
    ]);
    for (row, service) in rows {
        let (first, others) = service.parts.split_at(service.parts.len().min(1));
        let listed = |parts: &[PartUse]| parts.iter().map(cpus).collect::<Vec<_>>().join(", ");
        let used = |parts: &[PartUse]| {
            let shares = parts.iter().map(|part| format!("{:.0} %", part.share * 100.0));
            shares.collect::<Vec<_>>().join(", ")
        };
        let mut cells = vec![
            row.key.name.clone(),
            four_digits(service.ops_per_s_and_cpu),
            listed(first),
            used(first),
            listed(others),
            used(others),
        ];
        for place in 0..4 {
            let latency: Option<&Latency> = service.latency.get(place);
            let ns = latency.and_then(|latency| latency.ns);
            // Nothing where a row has no latencies, a dash where they are too few.
            let none = || latency.map_or_else(String::new, |_| dash());
            cells.push(ns.map_or_else(none, |ns| milliseconds(&ns)));
            cells.push(ns.map_or_else(String::new, |ns| plus_minus(&ns)));
        }
        table.row(cells);
    }
    table
}

fn milliseconds(ns: &Interval) -> String {
    format!("{} ms", four_digits(ns.centre / 1e6))
}

/// `server: 0-3`, or how many another machine has.
fn cpus(part: &PartUse) -> String {
    let PartUse { name, cpu_count, cpus, .. } = part;
    if cpus.is_empty() {
        return format!("{name}: {cpu_count} of another machine");
    }
    let mut cpus: Vec<String> = cpus.iter().map(u32::to_string).collect();
    const MOST: usize = 8;
    if cpus.len() > MOST {
        cpus = vec![format!("{cpu_count} CPUs")];
    }
    format!("{name}: {}", cpus.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Part, PartSample, fixture};

    #[test]
    fn a_servers_row_shows_both_sides_and_its_latencies() {
        let mut run = fixture::run(&[("a/x", &[100; 20]), ("b/x", &[100; 20])]);
        let part = |name: &str, cpus: &[u32]| Part { name: name.to_owned(), cpus: cpus.into() };
        run.launches[0].ready.parts = vec![part("server", &[0]), part("client", &[])];
        for sample in run.samples.iter_mut().filter(|sample| sample.case == 0) {
            let part = |cpu_ns| PartSample { cpu_count: 1, cpu_ns, elapsed_ns: 100 };
            sample.measured.parts = vec![part(99), part(50)];
            sample.measured.due_ops = Some(100);
            sample.measured.latency = vec![(1_500_000, 100)];
        }
        let lines = service_table(&ShowView::of(&run)).lines(300, false);
        let row = &lines[1];
        for part in ["a/x", "server: 0", "99 %", "client: 1 of another machine", "1.500 ms"] {
            assert!(row.contains(part), "{part} is not in {row}");
        }
        assert_eq!(lines.len(), 2, "{lines:?}");
    }

    #[test]
    fn a_run_without_servers_has_no_such_table() {
        assert!(service_table(&ShowView::of(&fixture::run(&[("a/x", &[100; 20])]))).is_empty());
    }
}
